"""Terms of formulas on a specification in mCRL2: they are terms of its language, typed when read.

A term is evaluated as a whole, by the engine. Operators that all formulas have, as `==` and `&&`,
keep their names, so that it can be seen what permutations make of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from lts.linear.process import LinearProcess
from lts.logic.data import Values, is_number
from lts.logic.nodes import DataTerm, Formula
from lts.logic.specification_data import SpecificationData, is_built
from lts.logic.terms.text import Around
from lts.specification.signature import Signature
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
)
from lts.specification.terms import NUMERAL, applications
from lts.specification.values import Values as Shown
from lts.specification.values import parted
from lts.state_space.encode import Encoder
from lts.text.source import Source

if TYPE_CHECKING:
    from lts.mcrl2.terms import Terms

__all__ = ["TypedData", "TypedTerms"]

_OPERATORS = frozenset(("==", "!=", "!", "&&", "||", "=>"))


class TypedTerms:
    """Reads the terms of one formula, see `lts.logic.terms.text.TermReader`."""

    is_typed = True

    def __init__(self, specification: Specification) -> None:
        self.of = specification
        self._declared = 0
        self._terms: Terms | None = None

    def declare(self, end: int, around: Around) -> None:
        """Take over the declarations with which the text begins, up to this place."""
        self._declared = end
        self._in(around)

    def arguments(self, name: str, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)` behind the name of an action."""
        scope, slots = self._scope(around)
        found = self._in(around).arguments(name, begin, end, scope)
        return tuple(_term(term, slots, begin) for term in found)

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, the values of variables."""
        scope, known = self._scope(around)
        sorts = [self.sort_of(around, slot) for slot in slots]
        found = self._in(around).terms(begin, end, sorts, scope)
        return tuple(_term(term, known, begin) for term in found)

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, which says what is true."""
        return self._term(begin, end, "Bool", around)

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return a term of a predefined sort."""
        return self._term(begin, end, sort, around)

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of an action whose arguments are terms, variables, or anything."""
        overloads = [a.sorts for a in self.of.actions if a.name == name]
        fitting = [sorts for sorts in overloads if len(sorts) == len(parts)]
        if len(fitting) != 1:
            takes = " or ".join(f"({','.join(sorts)})" for sorts in sorted(overloads))
            many = f"`{name}` takes {takes}, of which one is to have as many arguments"
            around.wrong(at, many if overloads else f"there is no action `{name}`")
        found = []
        for part, sort in zip(parts, fitting[0], strict=True):
            if isinstance(part, tuple):
                found.append(self._term(*part, sort, around))
            elif part is None:
                found.append(DataTerm("any", sort=sort))
            else:
                of = self.sort_of(around, part)
                if of != sort:
                    around.wrong(around.slots[part].at, f"this is a `{sort}`, not a `{of}`")
                found.append(DataTerm("slot", (), part, at, sort))
        return tuple(found)

    def joined(self, operator: str, parts: tuple[DataTerm, ...]) -> DataTerm:
        """Return the condition that an operator makes of others."""
        from lts.mcrl2.data.symbols import function

        return _call(function(operator, ("Bool",) * len(parts), "Bool"), parts, parts[0].at)

    def quantified(self, kind: str, slot: int, said: DataTerm, around: Around) -> DataTerm | None:
        """Return that a condition holds for all values of a variable, or for some, as one term;
        None if there are few values, which are looked at one by one."""
        of = around.slots[slot]
        if of.sort is None:
            return None
        terms = self._in(around)
        if terms.declared.values.all(of.sort) is not None:
            return None
        slots: dict[Variable, int] = {}

        def made(part: DataTerm) -> Term:
            if part.function is not None:
                return Application(part.function, tuple(map(made, part.parts)))
            assert isinstance(part.what, int)
            variable = Variable(f"{around.slots[part.what].name}#{part.what}", part.sort)
            slots[variable] = part.what
            return variable

        body = made(said)
        bound = Variable(f"{of.name}#{slot}", of.sort)
        return _term(terms.quantified(kind, bound, body, of.at), slots, of.at)

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, place, sort and first value of each parameter of `(n: Nat = 0, ..)`."""
        scope, slots = self._scope(around)
        found = self._in(around).parameters(begin, end, scope)
        return [(name, at, sort, _term(term, slots, at)) for name, at, sort, term in found]

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that a part of the text is."""
        return self._in(around).sort(begin, end)

    def sort_of(self, around: Around, slot: int) -> str:
        """Return the sort of a variable."""
        of = around.slots[slot]
        if of.bounds is None and of.sort is None:
            around.wrong(of.at, f"`{of.name}` needs a sort, as in `{of.name}:D`")
        return of.sort or "Nat"

    @cached_property
    def specification(self) -> Specification:
        """The data of the specification, with all that the terms use."""
        return self.of if self._terms is None else self._terms.specification

    @cached_property
    def symbols(self) -> Signature:
        """The numbers of its functions."""
        return Signature(self.specification)

    def _in(self, around: Around) -> Terms:
        # What takes long to load, and only terms need.
        from lts.mcrl2.terms import Terms

        if self._terms is None:
            self._terms = Terms(self.of, Source(around.text, around.file), self._declared)
        return self._terms

    def _scope(self, around: Around) -> tuple[dict[str, Variable], dict[Variable, int]]:
        scope = {}
        for name, slots in around.data.items():
            if slots:
                scope[name] = Variable(f"{name}#{slots[-1]}", self.sort_of(around, slots[-1]))
        return scope, {scope[name]: around.data[name][-1] for name in scope}

    def _term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        scope, slots = self._scope(around)
        return _term(self._in(around).term(begin, end, sort, scope), slots, begin)


def _filled(term: Term, given: Mapping[Term, DataTerm], at: int) -> DataTerm:
    """Return the right side of a rule, with terms of a formula for its variables."""
    if isinstance(term, Variable):
        return given[term]
    return _call(term.function, tuple(_filled(part, given, at) for part in term.arguments), at)


def _term(term: Term, slots: dict[Variable, int], at: int) -> DataTerm:
    """Return a term as formulas have it, with slots for variables."""
    if isinstance(term, Variable):
        return DataTerm("slot", (), slots[term], at, term.sort)
    return _call(term.function, tuple(_term(part, slots, at) for part in term.arguments), at)


def _call(function: Function, parts: tuple[DataTerm, ...], at: int) -> DataTerm:
    if function.name in _OPERATORS:
        return DataTerm(function.name, parts, "", at, "Bool", function)
    return DataTerm("call", parts, function.name, at, function.sort, function)


class TypedData(SpecificationData):
    """What the terms of a formula mean where they were typed when it was read."""

    def __init__(
        self, formula: Formula, process: LinearProcess, encoder: Encoder, terms: TypedTerms
    ) -> None:
        self.read = terms
        self._codes: dict[int, tuple[DataTerm, list[int], list[tuple[int | str, str]]]] = {}
        self._results: dict[tuple[int, tuple[str, ...]], str] = {}
        self._built: dict[tuple[str, str], bool] = {}
        self._unfolded: dict[int, tuple[DataTerm, DataTerm | None]] = {}
        super().__init__(formula, process, encoder)
        self.own = terms.specification
        self.symbols = terms.symbols
        self.engine = terms.symbols.data()
        self._shown = Shown(self.own)

    def sort_of_slot(self, slot: int) -> str:
        """Return the sort of a variable: a number between bounds is natural."""
        return self.formula.slots[slot].sort or "Nat"

    def _check(self) -> None:
        for slot in self.formula.slots:
            if slot.bounds is None and slot.sort is None:
                self.wrong(slot.at, f"`{slot.name}` needs a sort, as in `{slot.name}:D`")

    def sort(self, term: DataTerm) -> str:
        """Return the sort of a term."""
        if term.operator == "slot":
            assert isinstance(term.what, int)
            return self.sort_of_slot(term.what)
        return term.sort

    def function(self, term: DataTerm) -> Function:
        """Return the function of a call."""
        assert term.function is not None
        return term.function

    def elements(self, text: str, sort: str) -> Sequence[str] | None:
        """Return what is in a list, set or bag; None if that is not known."""
        if self._shown.value(text, sort) is None:
            return None
        inside = text[1:-1] if text not in ("[]", "{}", "{:}") else ""
        found = list(parted(inside, ",")) if inside else []
        return [part.rpartition(":")[0] for part in found] if sort in self.own.bags else found

    def unfolded(self, term: DataTerm) -> DataTerm | None:
        """Return what a function is defined as, if that is one term for all arguments."""
        if id(term) not in self._unfolded:
            found = None
            rules = [] if term.function is None else self._rules.get(term.function, [])
            if len(rules) == 1 and rules[0].condition is None and not self._is_recursive(rules[0]):
                left = rules[0].left.arguments
                given = dict(zip(left, term.parts, strict=True))
                if all(isinstance(part, Variable) for part in left) and len(given) == len(left):
                    found = _filled(rules[0].right, given, term.at)
            self._unfolded[id(term)] = term, found
        return self._unfolded[id(term)][1]

    def _is_recursive(self, rule: Rule) -> bool:
        """Whether what a rule defines may come back when its right side is evaluated."""
        seen: set[Function] = set()
        waiting = [rule]
        while waiting:
            for result in waiting.pop().results:
                for part, _ in applications(result):
                    if part.function == rule.left.function:
                        return True
                    if part.function not in seen:
                        seen.add(part.function)
                        waiting += self._rules.get(part.function, [])
        return False

    @cached_property
    def _rules(self) -> dict[Function, list[Rule]]:
        found: dict[Function, list[Rule]] = {}
        for rule in self.own.rules:
            found.setdefault(rule.left.function, []).append(rule)
        return found

    def value(self, term: DataTerm, values: Values) -> str:
        """Return the value of a term."""
        if term.operator == "slot":
            assert isinstance(term.what, int)
            return values[term.what]
        if term.operator == "value":
            return str(term.what)
        _, code, holes = self._code(term)
        own = tuple(values[of] if isinstance(of, int) else of for of, _ in holes)
        found = self._results.get((id(term), own))
        if found is None:
            filled: list[int] = []
            for symbol in code:
                if symbol < 0:
                    text, sort = own[-1 - symbol], holes[-1 - symbol][1]
                    filled += self.symbols.term(self.term(text, sort, term.at))
                else:
                    filled.append(symbol)
            found = self._results[id(term), own] = self._result(filled, term)
        return found

    def _code(self, term: DataTerm) -> tuple[DataTerm, list[int], list[tuple[int | str, str]]]:
        """Return a term in the engine's symbols, with the numbers of what has to be filled in."""
        known = self._codes.get(id(term))
        if known is None:
            holes: dict[Variable, tuple[int | str, str]] = {}

            def made(part: DataTerm, sort: str) -> Term:
                if part.function is not None:
                    sorts = part.function.arguments
                    return Application(part.function, tuple(map(made, part.parts, sorts)))
                assert not part.parts
                # What is moved may be of a sort of its own; here it is of the one of the text.
                variable = Variable(f"{part.operator} {part.what}", sort)
                holes[variable] = (part.what, sort)
                return variable

            whole = made(term, term.sort)
            numbers = {variable: number for number, variable in enumerate(holes)}
            known = term, self.symbols.term(whole, numbers), list(holes.values())
            self._codes[id(term)] = known
        return known

    def _result(self, code: list[int], term: DataTerm) -> str:
        shown, is_value = self._normal_form(code, term.at)
        if not is_value:
            self.wrong(term.at, f"this does not reduce to a value, but to `{shown}`")
        if self.only_built and not is_built(self.term(shown, term.sort, term.at)):
            self.wrong(term.at, f"`{shown}` is no value that constructors make: not on orbits")
        return shown

    def argument(self, slot: int, value: str, term: DataTerm) -> str:
        """Return a value of a parameter; a number has to be one of its sort."""
        sort = self.sort_of_slot(slot)
        if sort in self.own.numbers and not is_number(value):
            cast = re.fullmatch(r"\w+2\w+\((-?\d+)\)", value)
            shown = cast[1] if cast else f"`{value}`"
            name = self.formula.slots[slot].name
            self.wrong(term.at, f"`{name}` gets {shown}, which is no `{sort}`")
        return super().argument(slot, value, term)

    def agrees(self, term: DataTerm, text: str, values: Values) -> bool:
        """Whether what a term is equal to is what stands in a label."""
        value = self.value(term, values)
        if value == text:
            return True
        unclear = next((one for one in (value, text) if not self.is_built(one, term)), None)
        if unclear is not None:
            # Where equations say nothing, both may be equal.
            message = f"whether `{value}` is `{text}` is not known: no equation fits `{unclear}`"
            self.wrong(term.at, message)
        return False

    def is_built(self, text: str, term: DataTerm) -> bool:
        """Whether a value of the sort of a term is made of constructors alone."""
        sort = self.sort(term)
        if sort in self.specification.identities:
            return is_number(text)
        if (text, sort) not in self._built:
            found = self._shown.value(text, sort)
            self._built[text, sort] = found is not None and all(
                part.function.constructor
                or part.function.native == NUMERAL
                or part.function == self.own.fractions
                for part, _ in applications(found)
            )
        return self._built[text, sort]

    def term(self, text: str, sort: str, at: int) -> Application:
        """Return the term of a value."""
        found = self._shown.value(text, sort)
        if found is None:
            self.wrong(at, f"values such as `{text}` cannot stand in terms of a formula")
        return found

    def code(self, value: str, slot: int) -> list[int]:
        """Return a value of a variable as a term of the process."""
        at = self.formula.slots[slot].at
        found = SpecificationData.term(self, value, self.sort_of_slot(slot), at)
        return self.encoder.term(found)

"""Evaluates the data terms of formulas by the rules of a specification."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NoReturn, Protocol

import lts._engine as _engine
from lts.base.bounds import RANGE_OF_VALUES, VALUE_LETTERS
from lts.errors import LtsError
from lts.linear.process import LinearProcess
from lts.logic.data import (
    Data,
    ReadLabel,
    Value,
    Values,
    grown,
    is_number,
)
from lts.logic.nodes import Expression, Formula
from lts.logic.terms.candidates import COMPARISONS
from lts.logic.terms.fresh import closed_terms
from lts.specification.signature import Signature
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
)
from lts.specification.terms import (
    COMPUTED,
    MOST_DIGITS,
    NUMERAL,
    VALUE,
    applications,
    functions_in,
    numeral,
    substitute,
)
from lts.specification.values import Values as Shown
from lts.state_space.encode import Encoder
from lts.symmetry.data.closed_terms import ClosedTerms
from lts.text.source import NO_PLACE, Place

__all__ = ["FormulaData", "SpecificationData", "overloads"]

_KNOWN = 1 << 61
"""From here on, numbers in codes are terms of the engine."""


class FormulaData(Protocol):
    """The data used by the terms of a formula."""

    @property
    def specification(self) -> Specification:
        """The specification's data, with everything that the terms use."""

    @property
    def symbols(self) -> Signature:
        """The numbering of its functions."""

    @property
    def engine(self) -> _engine.Data:
        """The data as an engine object, whose terms are the values."""


class SpecificationData(Data):
    """Evaluates data terms of formulas on a specification.

    A term is evaluated as a whole by the engine, as far as its operators exist in the
    specification. Other operators, which occur in formulas on muCRL, are computed from the values
    of their operands: `==` is equality of values, and numbers are compared and computed as such.
    """

    def __init__(
        self, formula: Formula, process: LinearProcess, encoder: Encoder, terms: FormulaData
    ) -> None:
        super().__init__(formula)
        self.process = process
        self.specification = process.specification
        self.encoder = encoder
        self.own = terms.specification
        """The specification that declares the functions and sorts of terms."""
        self.symbols = terms.symbols
        self.engine = terms.engine
        self.only_built = False
        """Whether results of functions must be built from constructors."""
        self.shared = terms.engine if process.specification is self.own else None
        self._lists: dict[str, tuple[Value, ...] | None] = {}
        self._unlisted: set[str] = set()
        """Sorts with too many values to enumerate, or that take too long."""
        self._codes: dict[int, tuple[Term, list[int], list[tuple[Term, str]]]] = {}
        self._results: dict[tuple[int, tuple[Value, ...]], Value] = {}
        self._built: dict[Value, bool] = {}
        self._moves_by_parts: set[int] = set()
        self._builder_bytes: dict[bool, bytes] = {}
        self._unfolded: dict[int, tuple[Term, Term | None]] = {}
        self._texts: dict[int, str | None] = {}
        self._read: dict[tuple[str, str], Value] = {}
        self._fitting: dict[tuple[str, tuple[str, ...]], set[tuple[str, ...]]] = {}
        self._numerals: dict[tuple[int, str], Value] = {}
        self._codes_of: dict[str, int] = {}
        """For each sort of numbers, the difference between the code of a numeral and its number."""
        self._numbers: dict[Value, int | None] = {}
        self._shown = Shown(self.own)
        for slot in formula.slots:
            if slot.bounds is None and slot.sort is None:
                self.wrong(slot.at, f"`{slot.name}` needs a sort, as in `{slot.name}:D`")

    # Ranges of variables.

    def range(self, slot: int, values: Values) -> Sequence[Value]:
        """Return the values of a finite sort, or the numbers between bounds."""
        of = self.formula.slots[slot]
        if of.bounds is not None:
            return self.numbers(of, values)
        assert of.sort is not None
        found = self.values_of(of.sort)
        if found is None:
            if of.sort in self._unlisted:
                self.too_many(of)
            is_number, name = of.sort in self.specification.numbers, of.name
            hint = f"write `{name}:0..9`, or bound it" if is_number else "bound it"
            hint += f": a condition such as `val({name} {'< 9' if is_number else '== ..'})`, "
            hint += f"or an action with `{name}` as an argument"
            message = f"nothing bounds `{name}`, and `{of.sort}` has infinitely many values"
            self.wrong(of.at, f"{message}, or none: {hint}")
        return found

    def is_endless(self, slot: int) -> bool:
        """Whether the sort of a variable is unbounded."""
        of = self.formula.slots[slot]
        return of.bounds is None and of.sort is not None and self.values_of(of.sort) is None

    def label(self, text: str) -> ReadLabel:
        """Parse a label of the process."""
        return ReadLabel.of_process(text)

    def is_of_declaration(self, label: ReadLabel, sorts: tuple[str, ...] | None) -> bool:
        """Whether the only action of a label can be one that is declared with these sorts: if the
        label does not say which of several it is, one of those that the arguments are values of,
        unless they are values of none."""
        arguments = label.arguments or ()
        if sorts is not None and label.declaration is not None:
            return self._overloads[label.name, len(arguments)][label.declaration] == sorts
        fitting = self._declarations(label.name, arguments)
        return sorts is None or not fitting or sorts in fitting

    def _declarations(self, name: str, arguments: tuple[str, ...]) -> set[tuple[str, ...]]:
        """Return the sorts of the declarations of an overloaded action that arguments fit; none if
        it is not overloaded, or if they are values of none."""
        known = self._overloads.get((name, len(arguments)), ())
        if len(known) < 2:
            return set()
        if (name, arguments) not in self._fitting:
            self._fitting[name, arguments] = {
                sorts for sorts in known if all(map(self._is_text_of, arguments, sorts))
            }
        return self._fitting[name, arguments]

    @cached_property
    def _overloads(self) -> dict[tuple[str, int], list[tuple[str, ...]]]:
        """The sorts of the declarations of each action, by its name and number of arguments."""
        return overloads(self.own)

    def _is_text_of(self, text: str, sort: str) -> bool:
        """Whether a text denotes a value of a sort."""
        return not isinstance(self.of_text(text, sort), str)

    def fits(self, slot: int, value: Value) -> bool:
        """Whether a value can be of a variable's sort."""
        return self._is_of(self.shown(value), self.sort_of_slot(slot))

    def counts(self, slot: int) -> bool:
        """Whether a variable ranges over all numbers of a sort."""
        return self.sort_of_slot(slot) in self.own.numbers

    def least(self, slot: int) -> int | None:
        """Return the least number of a variable's sort, if there is one."""
        return self._least(self.sort_of_slot(slot))

    def _least(self, sort: str) -> int | None:
        kind = self.own.numbers.get(sort)
        return None if kind is None else {"Nat": 0, "Pos": 1}.get(kind.kind)

    def _is_of(self, text: str, sort: str) -> bool:
        """Whether a text can be a value of a sort: only numbers can be of a sort of numbers."""
        if sort not in self.own.numbers:
            return True
        least = self._least(sort)
        return is_number(text) and (least is None or int(text) >= least)

    def values_of(self, sort: str) -> tuple[Value, ...] | None:
        """Return the values of a sort; None if there are infinitely many, or too many."""
        if sort not in self._lists:
            self._lists[sort] = self._listed(sort)
        found = self._lists[sort]
        if self.only_built or self.specification.strict:
            for value in found or ():
                self._check_built(value, sort, NO_PLACE)
        return found

    def _listed(self, sort: str) -> tuple[Value, ...] | None:
        """Return the values that the engine enumerates; None if they are incomplete."""
        from lts.state_space.generation import evaluation_errors

        number = self.symbols.sorts[sort]
        if self.engine.is_infinite(number):
            return None
        with evaluation_errors(self.process):
            found = self.engine.values(number, RANGE_OF_VALUES.default)
        if found is None:
            return None
        values, complete = found
        if not complete:
            self._unlisted.add(sort)
            return None
        return tuple(values)

    # Values and their texts.

    def shown(self, value: Value) -> str:
        """Return the text of a value."""
        if isinstance(value, str):
            return value
        text = self._text(value)
        if text is None:
            raise grown()
        return text

    def length(self, value: Value) -> int:
        """Return the length of a value's text; above the limit, just a number above it."""
        text = value if isinstance(value, str) else self._text(value)
        return VALUE_LETTERS.default + 1 if text is None else len(text)

    def _text(self, value: int) -> str | None:
        if value not in self._texts:
            found = self.engine.shown(value, VALUE_LETTERS.default)
            text = None if found is None else found.decode("utf-8", "surrogateescape")
            self._texts[value] = text
        return self._texts[value]

    def read(self, text: str, slot: int) -> Value | None:
        """Return the value that a label's argument has for a variable; None if not of its sort."""
        sort = self.sort_of_slot(slot)
        return self.placed(text, slot) if self._is_of(text, sort) else None

    def placed(self, text: str, slot: int) -> Value:
        """Return the value of a variable from its text.

        If only the process has its sort, such as one of moved numbers, the value is the text.
        """
        sort = self.sort_of_slot(slot)
        return self.of_text(text, sort) if sort in self.symbols.sorts else text

    def of_text(self, text: str, sort: str) -> Value:
        """Return the value of a sort with this text; the text itself if it is ambiguous."""
        found = self._read.get((text, sort))
        if found is None:
            found, term = text, None
            if self._is_of(text, sort):
                term = self._written(text, sort)
            if term is not None:
                value, _ = self._normal_form(self.symbols.term(term), NO_PLACE)
                if self._text(value) == text:
                    found = value
            self._read[text, sort] = found
        return found

    @cached_property
    def _closed_terms(self) -> ClosedTerms:
        """The closed terms of the process."""
        return ClosedTerms(self.process)

    @cached_property
    def _closed_terms_of_formula(self) -> ClosedTerms:
        """The closed terms of the specification with the formula's own declarations."""
        return ClosedTerms(self.own)

    def _written(self, text: str, sort: str) -> Application | None:
        """Return the term of a sort with this text, or None.

        In mCRL2 the notation of a term depends on its context.
        """
        if self.own.loose:
            return self._shown.value(text, sort)
        found = numeral(text, sort) if sort in self.own.numbers else None
        found = self._closed_terms_of_formula.term(text, sort) if found is None else found
        return found if found is not None and found.sort == sort else None

    def numeral(self, number: int, sort: str) -> Value:
        """Return a number as a value of a number sort; as text if the sort lacks it."""
        known = self._numerals.get((number, sort))
        if known is None:
            known, least = str(number), self._least(sort)
            is_one = sort in self.own.numbers and (least is None or number >= least)
            if is_one and abs(number) < 10**MOST_DIGITS:
                if sort not in self._codes_of:
                    two = Application(Function("2", (), sort, native=NUMERAL))
                    self._codes_of[sort] = self.symbols.term(two)[0] - 2
                known, _ = self.engine.value([self._codes_of[sort] + number])
                self._numbers[known], self._texts[known] = number, str(number)
            self._numerals[number, sort] = known
        return known

    def number(self, value: Value) -> int | None:
        """Return a value as a number; None if it is not one."""
        if isinstance(value, str):
            return super().number(value)
        if value not in self._numbers:
            self._numbers[value] = super().number(value)
        return self._numbers[value]

    def term(self, value: Value, sort: str, at: Place) -> Application:
        """Return a value as a term of the process."""
        text = self.shown(value)
        found = numeral(text, sort) if sort in self.specification.numbers else None
        found = self._closed_terms.term(text, sort) if found is None else found
        if found is None or found.sort != sort:
            self._no_term(text, at)
        return found

    def code(self, value: Value, slot: int) -> int | list[int]:
        """Return the value of a variable as a term of the shared data, or encoded as one of the
        process."""
        if self.shared is not None and not isinstance(value, str):
            return value
        at = self.formula.slots[slot].at
        return self.encoder.term(self.term(value, self.sort_of_slot(slot), at))

    def _no_term(self, text: str, at: Place) -> NoReturn:
        self.wrong(at, f"values such as `{text}` cannot stand in terms of a formula")

    # Evaluation.

    def applied(self, function: Function, expression: Expression, values: Values) -> Value:
        """Return the value of the application of a function."""
        term, at = expression.term, expression.at
        _, code, holes = self._code(term)
        own = tuple([self.value(Expression(part, at), values) for part, _ in holes])
        found = self._results.get((id(term), own))
        if found is None:
            filled = list(code)
            for place, symbol in enumerate(code):
                if symbol < 0:
                    value, sort = own[-1 - symbol], holes[-1 - symbol][1]
                    filled[place] = _KNOWN + self._known(value, sort, at)
            found = self._results[id(term), own] = self._result(filled, function.sort, at)
        return found

    def _code(self, term: Term) -> tuple[Term, list[int], list[tuple[Term, str]]]:
        """Encode a term; return it with the code, and the parts to fill in with their sorts."""
        known = self._codes.get(id(term))
        if known is None:
            holes: list[tuple[Term, str]] = []

            def made(part: Term, sort: str) -> Term:
                if isinstance(part, Application) and part.function.native != COMPUTED:
                    sorts = part.function.arguments
                    return Application(part.function, tuple(map(made, part.arguments, sorts)))
                # A moved number may have a sort of its own; here it has the sort in the text.
                holes.append((part, sort))
                return Variable(str(len(holes) - 1), sort)

            whole = made(term, term.sort)
            numbers = {Variable(str(n), sort): n for n, (_, sort) in enumerate(holes)}
            known = self._codes[id(term)] = term, self.symbols.term(whole, numbers), holes
        return known

    def _known(self, value: Value, sort: str, at: Place) -> int:
        """Return a value as a term of the engine."""
        found = self.of_text(value, sort) if isinstance(value, str) else value
        if isinstance(found, str):
            self._no_term(found, at)
        return found

    def _result(self, code: list[int], sort: str, at: Place) -> Value:
        value, is_value = self._normal_form(code, at)
        if not is_value:
            shown = self.shown(value)
            self.wrong(at, f"this does not reduce to a value, but to `{shown}`")
        if self.only_built:
            self._check_built(value, sort, at)
        return value

    def _normal_form(self, code: list[int], at: Place) -> tuple[int, bool]:
        from lts.state_space.generation import evaluation_errors

        try:
            with evaluation_errors(self.process):
                return self.engine.value(code)
        except LtsError as error:
            raise self.error(at, error.message) from error

    def _check_built(self, value: Value, sort: str, at: Place) -> None:
        known = self._known(value, sort, at)
        if known in self._moves_by_parts:
            return
        if self.engine.is_built_by(known, self._builders(constants=True)):
            self._moves_by_parts.add(known)
            return
        where = "not on orbits" if self.only_built else "which --strict refuses"
        self.wrong(at, f"`{self.shown(value)}` is not a constructor term: {where}")

    def _builders(self, *, constants: bool) -> bytes:
        """Return for each symbol whether it builds values: constructors and what makes fractions,
        with `constants` also other constants, but not lambda terms, which may contain any data."""
        if constants not in self._builder_bytes:
            self._builder_bytes[constants] = bytes(
                function.constructor
                or function.native == NUMERAL
                or function == self.own.fractions
                or (constants and not function.arguments and not self._is_lambda(function))
                for function in self.symbols.symbols
            )
        return self._builder_bytes[constants]

    def _is_lambda(self, function: Function) -> bool:
        return self.own.loose and function.native == VALUE

    def result(self, function: Function, arguments: Sequence[Value]) -> Value:
        """Return the value of a function on values."""
        parts = map(self._known, arguments, function.arguments, [NO_PLACE] * len(arguments))
        code = [self.symbols.symbols[function], *(_KNOWN + part for part in parts)]
        return self._result(code, function.sort, NO_PLACE)

    def argument(self, slot: int, value: Value, at: Place) -> Value:
        """Return the value of a parameter; raise an error for a number outside its sort."""
        sort = self.sort_of_slot(slot)
        number, least = self._numbers.get(value), self._least(sort)
        if number is not None and (least is None or number >= least):
            return value
        if sort in self.own.numbers and not self._is_of(self.shown(value), sort):
            shown = self.shown(value)
            cast = re.fullmatch(r"(?:\w+2\w+\()?(-?\d+)\)?", shown)
            name = self.formula.slots[slot].name
            what = cast[1] if cast else f"`{shown}`"
            self.wrong(at, f"`{name}` is given {what}, which is not a `{sort}`")
        return value

    def truth(self, holds: bool) -> Value:
        """Return a Boolean constant."""
        return self._truths[not holds]

    def is_true(self, value: Value) -> bool | None:
        """Return the truth value that a value is; None if it is not one."""
        return value == self._truths[0] if value in self._truths else None

    @cached_property
    def _truths(self) -> tuple[Value, Value]:
        both = self.own.true, self.own.false
        true, false = (
            self._normal_form(self.symbols.term(constant), NO_PLACE)[0] for constant in both
        )
        return true, false

    def agrees(self, expression: Expression, text: str, values: Values) -> bool:
        """Whether the value of a term equals the text of an argument in a label."""
        value, sort = self.value(expression, values), expression.term.sort
        shown = self.shown(value)
        if shown == text:
            if not isinstance(value, str) and self._shown.is_ambiguous(text, sort):
                message = f"it is unknown which value `{text}` is: several are shown so"
                self.wrong(expression.at, message)
            return True
        for one in (value, text):
            if not self.is_built(one, sort):
                # A term that no equation matches may equal any value.
                unclear = self.shown(one)
                message = f"it is unknown whether `{shown}` is `{text}`: no equation fits"
                self.wrong(expression.at, f"{message} `{unclear}`")
        return False

    def is_built(self, value: Value, sort: str) -> bool:
        """Whether a value consists of constructors alone."""
        if not self.own.loose:
            return True
        if sort in self.specification.identities:
            return is_number(self.shown(value))
        if sort not in self.symbols.sorts:
            return self.has_value(self.shown(value), sort)
        found = self.of_text(value, sort) if isinstance(value, str) else value
        if found not in self._built:
            self._built[found] = not isinstance(found, str) and self.engine.is_built_by(
                found, self._builders(constants=False)
            )
        return self._built[found]

    def has_value(self, text: str, sort: str) -> bool:
        """Whether a text is a value of a sort of the process, built of constructors and numbers."""
        term = self._closed_terms.term(text, sort)
        if term is None or term.sort != sort:
            return False
        functions = functions_in([term])
        return all(function.constructor or function.native == NUMERAL for function in functions)

    def any_value(self, slot: int) -> Value | None:
        """Return what may stand for a value that does not matter: in mCRL2 all sorts have some."""
        return self.truth(True) if self.own.loose else self.another(slot, ())

    def another(self, slot: int, known: Sequence[Value]) -> Value | None:
        """Return a value built of constructors that is not in `known`; None if there is none."""
        found = self.first(slot, len(known) + 1)
        return next((value for value in found if value not in known), None)

    def first(self, slot: int, most: int) -> Sequence[Value]:
        """Return values of a variable's sort that constructors make, the smallest first."""
        return self.first_of(self.sort_of_slot(slot), most)

    def first_of(self, sort: str, most: int) -> Sequence[Value]:
        """Return values of a sort that constructors make, the smallest first."""
        terms = (self.symbols.term(term) for term in closed_terms(self.own, sort, most))
        values = (self._normal_form(code, NO_PLACE)[0] for code in terms)
        return [value for value in dict.fromkeys(values) if self.is_built(value, sort)]

    def is_compared_as_it_looks(self, slot: int) -> bool:
        """Whether no equation of the text says what `==` and `<` are for the sort of a variable,
        and no permutation moves its numbers."""
        sort = self.sort_of_slot(slot)
        if sort in self.specification.identities:
            return False
        return sort not in self._compared_sorts

    @cached_property
    def _compared_sorts(self) -> frozenset[str]:
        """The sorts on which equations of the text redefine a comparison."""
        said = [rule for rule in self.own.rules if rule.place != NO_PLACE]
        left = (rule.left.function for rule in said)
        sorts = {f.arguments[0] for f in left if f.name in COMPARISONS and f.arguments}
        if not sorts.isdisjoint(self.own.numbers):
            sorts.update(self.own.numbers)
        return frozenset(sorts)

    def elements(self, value: Value, sort: str) -> Sequence[Value] | None:
        """Return the elements of a list, set or bag; None if unknown."""
        of = self.own
        is_known = sort in of.lists or sort in of.sets or sort in of.bags
        found = self.of_text(value, sort) if isinstance(value, str) else value
        if not is_known or isinstance(found, str) or not self.is_built(found, sort):
            return None
        elements = []
        while parts := self.engine.parts(found):
            elements.append(parts[0])
            found = parts[-1]
        return elements

    # Definitions.

    def unfolded(self, term: Application) -> Term | None:
        """Return the defining term of an application if a single equation covers all arguments."""
        if id(term) not in self._unfolded:
            found = None
            rules = self.rules_of(term.function)
            if len(rules) == 1 and rules[0].condition is None and not self._is_recursive(rules[0]):
                left = rules[0].left.arguments
                given = {
                    variable: part
                    for variable, part in zip(left, term.arguments, strict=True)
                    if isinstance(variable, Variable)
                }
                if len(given) == len(left):
                    found = substitute(rules[0].right, given)
            self._unfolded[id(term)] = term, found
        return self._unfolded[id(term)][1]

    def _is_recursive(self, rule: Rule) -> bool:
        """Whether a rule's left function may be applied again when its right side is evaluated."""
        seen: set[Function] = set()
        waiting = [rule]
        while waiting:
            for result in waiting.pop().results:
                for part, _ in applications(result):
                    if part.function == rule.left.function:
                        return True
                    if part.function not in seen:
                        seen.add(part.function)
                        waiting += self.rules_of(part.function)
        return False

    def rules_of(self, function: Function) -> Sequence[Rule]:
        """Return the rules that define a function."""
        return self._rules.get(function, ())

    def table(self, table: Function) -> tuple[Function, list[Term]]:
        """Return the function that updates the tables that this one makes, and their arguments, in
        the order of their results."""
        found: dict[int, Term] = {}
        update = None
        for rule in self.own.rules:
            whole = rule.left.arguments[:1]
            if whole and isinstance(whole[0], Application) and whole[0].function == table:
                if rule.left.function.name == "@apply" and rule.right in whole[0].arguments:
                    found[whole[0].arguments.index(rule.right)] = rule.left.arguments[1]
                elif rule.left.function.name == "@update":
                    update = rule.left.function
        assert update is not None
        return update, [found[place] for place in sorted(found)]

    @cached_property
    def _rules(self) -> dict[Function, list[Rule]]:
        found: dict[Function, list[Rule]] = {}
        for rule in self.own.rules:
            found.setdefault(rule.left.function, []).append(rule)
        return found


def overloads(specification: Specification) -> dict[tuple[str, int], list[tuple[str, ...]]]:
    """Return the sorts of the declarations of each action, by its name and number of arguments."""
    found: dict[tuple[str, int], list[tuple[str, ...]]] = {}
    for action in sorted(specification.actions, key=lambda action: (action.name, action.sorts)):
        found.setdefault((action.name, len(action.sorts)), []).append(action.sorts)
    return found

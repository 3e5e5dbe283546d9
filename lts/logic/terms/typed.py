"""Terms of formulas on a specification in mCRL2: those of its language, typed when read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from lts import _engine
from lts.logic.nodes import DataTerm
from lts.logic.specification_data import as_data
from lts.logic.terms.text import Around, sort_of
from lts.specification.signature import Signature
from lts.specification.specification import Application, Specification, Term, Variable
from lts.text.source import Source

if TYPE_CHECKING:
    from lts.mcrl2.terms import Terms

__all__ = ["TypedTerms"]


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
        sorts = [sort_of(around, slot) for slot in slots]
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
                of = sort_of(around, part)
                if of != sort:
                    around.wrong(around.slots[part].at, f"this is a `{sort}`, not a `{of}`")
                found.append(DataTerm("slot", (), part, at, sort))
        return tuple(found)

    def joined(self, operator: str, parts: tuple[DataTerm, ...]) -> DataTerm:
        """Return the condition that an operator makes of others."""
        from lts.mcrl2.data.symbols import function

        return as_data(function(operator, ("Bool",) * len(parts), "Bool"), parts, parts[0].at)

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

    @cached_property
    def specification(self) -> Specification:
        """The data of the specification, with all that the terms use."""
        return self.of if self._terms is None else self._terms.specification

    @cached_property
    def symbols(self) -> Signature:
        """The numbers of its functions."""
        return Signature(self.specification)

    @cached_property
    def engine(self) -> _engine.Data:
        """Its data in the engine, which values are terms of."""
        return self.symbols.data()

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
                scope[name] = Variable(f"{name}#{slots[-1]}", sort_of(around, slots[-1]))
        return scope, {scope[name]: around.data[name][-1] for name in scope}

    def _term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        scope, slots = self._scope(around)
        return _term(self._in(around).term(begin, end, sort, scope), slots, begin)


def _term(term: Term, slots: dict[Variable, int], at: int) -> DataTerm:
    """Return a term as formulas have it, with slots for variables."""
    if isinstance(term, Variable):
        return DataTerm("slot", (), slots[term], at, term.sort)
    return as_data(term.function, tuple(_term(part, slots, at) for part in term.arguments), at)

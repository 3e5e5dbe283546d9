"""Data terms of formulas on specifications, typed by the specification's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast

import lts._engine as _engine
from lts.logic.nodes import DataTerm
from lts.logic.specification_data import as_data
from lts.logic.terms.text import Arguments, Around, TextTerms
from lts.specification.signature import Signature
from lts.specification.specification import (
    Application,
    Function,
    Specification,
    Term,
    Variable,
)
from lts.specification.terms import COMPUTED
from lts.text.source import Source

if TYPE_CHECKING:
    from lts.mcrl2.terms import Terms
    from lts.mucrl.terms import Terms as OfMucrl

__all__ = ["TypedTerms"]


class TypedTerms(TextTerms):
    """Parses and types the terms of one formula on a specification."""

    is_typed = True

    def __init__(self, specification: Specification) -> None:
        self.of = specification
        self._declared = 0
        self._terms: Terms | OfMucrl | None = None

    def declare(self, end: int, around: Around) -> None:
        """Process the declarations at the beginning of the text, which end at this position."""
        self._declared = end
        self._in(around)

    def arguments(
        self, name: str, begin: int, end: int, around: Around, *, more: bool
    ) -> list[Arguments]:
        """Return the terms of `(term, ..)` after the name of an action, for each declaration of the
        action that they fit; of `(term, ..` with `more`, and then any further arguments."""
        scope, slots = _scope(around)
        found: list[Arguments] = []
        for terms, sorts in self._in(around).arguments(name, begin, end, scope, more=more):
            given = [_term(term, slots, at) for term, at in terms]
            others = [DataTerm("any", sort=sort) for sort in sorts[len(given) :]]
            found.append(((*given, *others), sorts))
        return found

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, the values of variables."""
        scope, known = _scope(around)
        sorts = [_sort_of(around, slot) for slot in slots]
        found = self._in(around).terms(begin, end, sorts, scope)
        return tuple([_term(term, known, at) for term, at in found])

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, a condition."""
        return self.term(begin, end, "Bool", around)

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return the term, of this predefined sort."""
        scope, slots = _scope(around)
        term, at = self._in(around).term(begin, end, sort, scope)
        return _term(term, slots, at)

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> list[Arguments]:
        """Return the argument terms of a pattern, for each declaration that they fit: terms,
        variables, or any argument."""
        overloads = sorted(a.sorts for a in self.of.actions if a.name == name)
        as_many = [sorts for sorts in overloads if len(sorts) == len(parts)]
        scope, _ = _scope(around)

        def fits(part: tuple[int, int] | int | None, sort: str) -> bool:
            if isinstance(part, tuple):
                return self._in(around).fits(*part, sort, scope)
            return part is None or _sort_of(around, part) == sort

        fitting = as_many
        if len(as_many) > 1:
            fitting = [s for s in as_many if all(map(fits, parts, s))]
        if not fitting:
            takes = " or ".join(f"({','.join(sorts)})" for sorts in overloads)
            what = "these arguments" if as_many else f"{len(parts)} arguments"
            none = f"`{name}` takes {takes}, which {what} do not fit"
            around.wrong(at, none if overloads else f"there is no action `{name}`")
        return [(self._offered(parts, sorts, at, around), sorts) for sorts in fitting]

    def _offered(
        self,
        parts: Sequence[tuple[int, int] | int | None],
        sorts: Sequence[str],
        at: int,
        around: Around,
    ) -> tuple[DataTerm, ...]:
        """Return the argument terms of a pattern for an action with these sorts."""
        found = []
        for part, sort in zip(parts, sorts, strict=True):
            if isinstance(part, tuple):
                found.append(self.term(*part, sort, around))
            elif part is None:
                found.append(DataTerm("any", sort=sort))
            else:
                of = _sort_of(around, part)
                if of != sort:
                    around.wrong(around.slots[part].at, f"this is a `{sort}`, not a `{of}`")
                found.append(DataTerm("slot", (), part, at, sort))
        return tuple(found)

    def quantified(self, kind: str, slot: int, said: DataTerm, around: Around) -> DataTerm | None:
        """Return a quantified condition as a single term.

        None over a small sort, whose values are enumerated, or if the language lacks such terms.
        """
        of = around.slots[slot]
        if of.sort is None or self.of.communications is not None:
            return None
        from lts.mcrl2.data.symbols import function

        terms = cast("Terms", self._in(around))
        slots: dict[Variable, int] = {}

        def made(part: DataTerm) -> Term:
            inner = tuple([made(one) for one in part.parts])
            if part.function is not None:
                return Application(part.function, inner)
            if inner:
                return Application(function(part.operator, ("Bool",) * len(inner), "Bool"), inner)
            assert isinstance(part.what, int)
            variable = Variable(f"{around.slots[part.what].name}#{part.what}", part.sort)
            slots[variable] = part.what
            return variable

        body = made(said)
        bound = Variable(f"{of.name}#{slot}", of.sort)
        found = terms.quantified(kind, bound, body, of.at)
        return None if found is None else _term(found, slots, of.at)

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, position, sort and initial value of each parameter of `(n: Nat = 0, ..)`."""
        scope, slots = _scope(around)
        found = self._in(around).parameters(begin, end, scope)
        return [(name, at, sort, _term(term, slots, at)) for name, at, sort, term in found]

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that this part of the text denotes."""
        return self._in(around).sort(begin, end)

    @cached_property
    def specification(self) -> Specification:
        """The specification's data, with everything that the terms use."""
        return self.of if self._terms is None else self._terms.specification

    @cached_property
    def symbols(self) -> Signature:
        """The numbering of its functions."""
        return Signature(self.specification)

    @cached_property
    def engine(self) -> _engine.Data:
        """The data as an engine object, whose terms are the values."""
        return self.symbols.data()

    def _in(self, around: Around) -> Terms | OfMucrl:
        # Imported on first use, since loading takes long and only terms need it.
        if self._terms is None:
            source = Source(around.text, around.file)
            if self.of.communications is None:
                from lts.mcrl2.terms import Terms

                self._terms = Terms(self.of, source, self._declared)
            else:
                from lts.mucrl.terms import Terms as OfMucrl

                self._terms = OfMucrl(self.of, source, self._declared)
            if around.uses is not None:
                self._terms.record(around.uses)
        return self._terms


def _sort_of(around: Around, slot: int) -> str:
    """Return the sort of a variable."""
    of = around.slots[slot]
    if of.bounds is None and of.sort is None:
        around.wrong(of.at, f"`{of.name}` needs a sort, as in `{of.name}:D`")
    return of.sort or "Nat"


def _scope(around: Around) -> tuple[dict[str, Variable], dict[Variable, int]]:
    """Return the variables in scope, and their slots."""
    scope = {}
    for name, slots in around.data.items():
        if slots:
            scope[name] = Variable(f"{name}#{slots[-1]}", _sort_of(around, slots[-1]))
    return scope, {scope[name]: around.data[name][-1] for name in scope}


def _term(term: Term, slots: dict[Variable, int], at: int) -> DataTerm:
    """Convert a term to a data term, with slots for variables."""
    if isinstance(term, Variable):
        return DataTerm("slot", (), slots[term], at, term.sort)
    return _applied(term.function, tuple([_term(one, slots, at) for one in term.arguments]), at)


def _applied(function: Function, parts: tuple[DataTerm, ...], at: int) -> DataTerm:
    """Return an application; one of an operator outside the specification has no function."""
    if function.native == COMPUTED:
        return DataTerm(function.name, parts, "", at, function.sort)
    return as_data(function, parts, at)

"""Data terms of formulas on specifications, typed by the specification's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from typing import TYPE_CHECKING, cast

import lts._engine as _engine
from lts.logic.nodes import Argument, DataVariable, Expression, Quantifier
from lts.logic.terms.text import Arguments, Around, TextTerms
from lts.mcrl2.text.data_tree import Data, Sort, place_of
from lts.specification.signature import Signature
from lts.specification.specification import Specification, Term
from lts.text.names import Name
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
        self.is_mcrl2 = specification.communications is None
        self._declared = 0
        self._terms: Terms | OfMucrl | None = None

    def declare(self, end: int, around: Around) -> None:
        """Process the declarations at the beginning of the text, which end at this position."""
        self._declared = end
        self._in(around)

    def arguments(
        self, name: Name, nodes: Sequence[Data], around: Around, *, more: bool
    ) -> list[Arguments]:
        """Return the arguments of an action, for each declaration of the action that they fit; with
        `more`, any further arguments follow."""
        found: list[Arguments] = []
        for terms, sorts in self._in(around).arguments(name, nodes, _scope(around), more=more):
            others = (None,) * (len(sorts) - len(terms))
            found.append(((*_placed(terms, nodes), *others), sorts))
        return found

    def values(
        self, nodes: Sequence[Data], slots: Sequence[int], around: Around
    ) -> tuple[Expression, ...]:
        """Return the values of variables."""
        scope = _scope(around)
        sorts = [_sort_of(around, slot) for slot in slots]
        return _placed(self._in(around).terms(nodes, sorts, scope), nodes)

    def term(self, node: Data, sort: str, around: Around) -> Expression:
        """Return the term, of this predefined sort."""
        return Expression(self._in(around).term(node, sort, _scope(around)), place_of(node))

    def offers(
        self, name: Name, parts: Sequence[Data | int | None], around: Around
    ) -> list[Arguments]:
        """Return the argument terms of a pattern, for each declaration that they fit: terms,
        variables, or any argument."""
        overloads = sorted(a.sorts for a in self.of.actions if a.name == name)
        as_many = [sorts for sorts in overloads if len(sorts) == len(parts)]
        scope = _scope(around)

        def fits(part: Data | int | None, sort: str) -> bool:
            if isinstance(part, int):
                return _sort_of(around, part) == sort
            return part is None or self._in(around).fits(part, sort, scope)

        fitting = as_many
        if len(as_many) > 1:
            fitting = [s for s in as_many if all(map(fits, parts, s))]
        if not fitting:
            takes = " or ".join(f"({','.join(sorts)})" for sorts in overloads)
            what = "these arguments" if as_many else f"{len(parts)} arguments"
            none = f"`{name}` takes {takes}, which {what} do not fit"
            around.wrong(name.place, none if overloads else f"there is no action `{name}`")
        return [
            (
                tuple(
                    [self._offered(*one, name, around) for one in zip(parts, sorts, strict=True)]
                ),
                sorts,
            )
            for sorts in fitting
        ]

    def _offered(self, part: Data | int | None, sort: str, name: Name, around: Around) -> Argument:
        """Return an argument of a pattern for an action of that name, which has this sort."""
        if part is None:
            return None
        if not isinstance(part, int):
            return self.term(part, sort, around)
        of = _sort_of(around, part)
        if of != sort:
            around.wrong(around.slots[part].at, f"this is a `{sort}`, not a `{of}`")
        return Expression(_variable(around, part), name.place)

    def quantified(self, kind: str, slot: int, node: int, around: Around) -> Expression | None:
        """Return a quantified formula as a single term, if its body is only about data.

        None over a small sort, whose values are enumerated, or if the language lacks such terms.
        """
        of = around.slots[slot]
        if of.sort is None or not self.is_mcrl2 or (body := _as_data(node, around)) is None:
            return None
        terms = cast("Terms", self._in(around))
        found = terms.quantified(kind, _variable(around, slot), body, of.at)
        return None if found is None else Expression(found, of.at)

    def parameters(
        self, given: Sequence[tuple[Name, Sort, Data]], around: Around
    ) -> list[tuple[Name, str, Expression]]:
        """Return name, sort and initial value of each parameter of a fixed point."""
        found = self._in(around).parameters(given, _scope(around))
        return [
            (name, sort, Expression(term, place_of(value)))
            for (name, _, value), (sort, term) in zip(given, found, strict=True)
        ]

    def sort(self, node: Sort, written: str, around: Around) -> str:
        """Return the sort that a text denotes."""
        return self._in(around).sort(node)

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
            source = Source(around.source.text, around.source.file)
            if self.of.communications is None:
                from lts.mcrl2.terms import Terms

                self._terms = Terms(self.of, source, self._declared)
            else:
                from lts.mucrl.terms import Terms as OfMucrl

                self._terms = OfMucrl(self.of, source, self._declared)
            self._terms.record(around.uses)
        return self._terms


def _sort_of(around: Around, slot: int) -> str:
    """Return the sort of a variable."""
    of = around.slots[slot]
    if of.bounds is None and of.sort is None:
        around.wrong(of.at, f"`{of.name}` needs a sort, as in `{of.name}:D`")
    return of.sort or "Nat"


def _variable(around: Around, slot: int) -> DataVariable:
    """Return a variable as a term; its name in terms differs from those of all others."""
    return DataVariable(f"{around.slots[slot].name}#{slot}", _sort_of(around, slot), slot)


def _scope(around: Around) -> dict[str, DataVariable]:
    """Return the variables in scope."""
    return {name: _variable(around, slots[-1]) for name, slots in around.data.items() if slots}


def _placed(terms: Sequence[Term], nodes: Sequence[Data]) -> tuple[Expression, ...]:
    """Return terms with the places of their syntax trees."""
    return tuple([Expression(*pair) for pair in zip(terms, map(place_of, nodes), strict=True)])


def _as_data(node: int, around: Around) -> Term | None:
    """Return a formula about data as one term; None if it is not only about data."""
    from lts.mcrl2.data.comparisons import and_, not_, or_

    operator, what, parts = around.nodes[node]
    match what:
        case Expression(term) | Quantifier(term=Expression(term)):
            return term
    if operator not in ("not", "and", "or") or not parts:
        return None
    terms: list[Term] = []
    for part in parts:
        if (inner := _as_data(part, around)) is None:
            return None
        terms.append(inner)
    if operator == "not":
        return not_(terms[0])
    return reduce(and_ if operator == "and" else or_, terms)

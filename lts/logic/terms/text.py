"""Makes the data terms of formulas from their syntax trees, which are those of mCRL2.

Names are variables of the formula, or functions. On a specification, terms are those of its
language (`lts.logic.terms.typed`). Here, where data are texts in labels, they are:

    term:  name  name(term, ..)  number  (term)  !b  -n  s whr name = term, .. end
           m * n   m div n  m mod n  m / n   m + n  m - n   m < n  m <= n  m > n  m >= n
           s == t  s != t   b && c   b || c   b => c   [term, ..]  {term, ..}  {term: n, ..}

Operators are listed from the strongest to the weakest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol

from lts.logic.nodes import Argument, DataVariable, Expression, Node, Slot
from lts.specification.terms import Variable
from lts.text.names import Name
from lts.text.source import NO_PLACE, Place, Source
from lts.text.uses import Uses

if TYPE_CHECKING:
    from lts.mcrl2.text.data_tree import Data, Sort

__all__ = ["Arguments", "Around", "TextTerms", "Unread"]

Arguments = tuple[tuple[Argument, ...], tuple[str, ...] | None]
"""The arguments of an action, and the sorts of the declaration that they fit; None if there are no
declarations."""


class Around(Protocol):
    """The formula around a term."""

    source: Source
    nodes: list[Node]
    slots: list[Slot]
    data: dict[str, list[int]]
    """The slots of the variables in scope, by name, the innermost last."""
    uses: Uses
    """Is given the places of variables."""

    def wrong(self, place: Place, message: str) -> NoReturn:
        """Raise an error at a place of the text."""


class TextTerms:
    """Makes the data terms of a formula."""

    is_typed = False
    """Whether arguments of actions are typed terms of a specification."""
    is_mcrl2 = False
    """Whether they are of a specification in mCRL2."""

    def declare(self, end: int, around: Around) -> None:
        """Process the declarations at the beginning of the text, which end at this position.

        Only formulas on mCRL2 specifications use them.
        """
        around.wrong((1, 1), "declarations before `form` are for specifications in mCRL2")

    def arguments(
        self, name: Name, nodes: Sequence[Data], around: Around, *, more: bool
    ) -> list[Arguments]:
        """Return the arguments of an action, for each declaration of the action that they fit; with
        `more`, any further arguments follow."""
        terms = self.values(nodes, (), around)
        return [((*terms, ...) if more else terms, None)]

    def values(
        self, nodes: Sequence[Data], slots: Sequence[int], around: Around
    ) -> tuple[Expression, ...]:
        """Return the values for variables; their number may differ."""
        return tuple([self.term(node, "", around) for node in nodes])

    def term(self, node: Data, sort: str, around: Around) -> Expression:
        """Return the term, of this predefined sort."""
        from lts.logic.terms import labels  # imported only if there are terms

        return labels.expression(node, around)

    def offers(
        self, name: Name, parts: Sequence[Data | int | None], around: Around
    ) -> list[Arguments]:
        """Return the argument terms of a pattern, for each declaration that they fit.

        Its parts are terms, slots of variables, or None for any argument.
        """
        terms = tuple([
            part if part is None
            else Expression(DataVariable(around.slots[part].name, "", part), name.place)
            if isinstance(part, int)
            else self.term(part, "", around)
            for part in parts
        ])  # fmt: skip
        return [(terms, None)]

    def quantified(self, kind: str, slot: int, node: int, around: Around) -> Expression | None:
        """Return a quantified formula as a single term, if its body is only about data."""
        return None

    def parameters(
        self, given: Sequence[tuple[Name, Sort, Data]], around: Around
    ) -> list[tuple[Name, str, Expression]]:
        """Return name, sort and initial value of each parameter of a fixed point."""
        from lts.logic.terms import labels

        return [(name, labels.sort(of), self.term(value, "", around)) for name, of, value in given]

    def sort(self, node: Sort, written: str, around: Around) -> str:
        """Return the sort that a text denotes."""
        return re.sub(r"\s+", "", written)


class Unread(TextTerms):
    """Takes any terms of any language, and forgets them."""

    def declare(self, end: int, around: Around) -> None:
        """Accept any declarations."""

    def values(
        self, nodes: Sequence[Data], slots: Sequence[int], around: Around
    ) -> tuple[Expression, ...]:
        """Return some values, as many as there are."""
        return tuple([self.term(node, "", around) for node in nodes])

    def term(self, node: Data, sort: str, around: Around) -> Expression:
        """Return some term."""
        return Expression(Variable("", sort), NO_PLACE)

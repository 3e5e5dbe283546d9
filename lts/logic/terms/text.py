"""Parses data terms in formulas, in the notation of mCRL2.

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
from typing import NoReturn, Protocol

from lts.errors import ParseError
from lts.logic.nodes import DataTerm, Slot
from lts.text.uses import Uses

__all__ = ["Arguments", "Around", "TextTerms"]

Arguments = tuple[tuple[DataTerm, ...], tuple[str, ...] | None]
"""The arguments of an action, and the sorts of the declaration that they fit; None if there are no
declarations."""


class Around(Protocol):
    """The formula around a term."""

    text: str
    file: str
    slots: list[Slot]
    data: dict[str, list[int]]
    """The slots of the variables in scope, by name, the innermost last."""
    uses: Uses | None
    """Is given the places of variables, if these are wanted."""

    def wrong(self, at: int, message: str) -> NoReturn:
        """Raise an error at a position of the text."""


class TextTerms:
    """Parses the data terms of a formula, each given by its extent in the text."""

    is_typed = False
    """Whether arguments of actions are typed terms of a specification."""

    def declare(self, end: int, around: Around) -> None:
        """Process the declarations at the beginning of the text, which end at this position.

        Only formulas on mCRL2 specifications use them.
        """
        around.wrong(0, "declarations before `form` are for specifications in mCRL2")

    def arguments(
        self, name: str, begin: int, end: int, around: Around, *, more: bool
    ) -> list[Arguments]:
        """Return the terms of `(term, ..)` after the name of an action, for each declaration of the
        action that they fit; of `(term, ..` with `more`, and then any further arguments."""
        from lts.logic.terms import labels  # imported only if there are terms

        try:
            terms = labels.terms(begin, end, around, more=more)
            return [((*terms, DataTerm("more")) if more else terms, None)]
        except ParseError as error:
            error.message += "; write other labels in quotation marks"
            raise

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, values for variables; their number may differ."""
        from lts.logic.terms import labels  # imported only if there are terms

        return labels.terms(begin, end, around)

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, a condition."""
        terms = self.values(begin, end, (), around)
        if len(terms) != 1:
            around.wrong(begin, "`val` takes one term")
        return terms[0]

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return the term, of this predefined sort."""
        from lts.logic.terms import labels

        return labels.term(begin, end, around)

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> list[Arguments]:
        """Return the argument terms of a pattern, for each declaration that they fit.

        Its parts are extents of terms, slots of variables, or None for any argument.
        """
        terms = tuple([
            self.term(*one, "", around) if isinstance(one, tuple)
            else DataTerm("any") if one is None else DataTerm("slot", (), one, at)
            for one in parts
        ])  # fmt: skip
        return [(terms, None)]

    def quantified(self, kind: str, slot: int, said: DataTerm, around: Around) -> DataTerm | None:
        """Return a quantified condition as a single term, if possible."""
        return None

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, position, sort and initial value of each parameter of `(n:Nat = 0, ..)`."""
        from lts.logic.terms import labels

        return labels.parameters(begin, end, around)

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that this part of the text denotes."""
        return re.sub(r"\s+", "", around.text[begin:end])

"""Terms over data, as they stand in formulas: they are read as those of mCRL2 are.

Names are variables of the formula, or functions. On a specification terms are those of its language
(`lts.logic.terms.typed`). Here, where data are what stands in labels, they are:

    term:  name  name(term, ..)  number  (term)  !b  -n  s whr name = term, .. end
           m * n   m div n  m mod n  m / n   m + n  m - n   m < n  m <= n  m > n  m >= n
           s == t  s != t   b && c   b || c   b => c   [term, ..]  {term, ..}  {term: n, ..}

Operators that bind more stand first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn, Protocol

from lts.errors import ParseError
from lts.logic.nodes import DataTerm, Slot

__all__ = ["Around", "TextTerms"]


class Around(Protocol):
    """The formula around a term."""

    text: str
    file: str
    slots: list[Slot]
    data: dict[str, list[int]]
    """The slots of variables in scope, the last one last."""

    def wrong(self, at: int, message: str) -> NoReturn:
        """Raise what is wrong at a place of the text."""


class TextTerms:
    """Reads the terms of formulas: each is a part of the text, by where it begins and ends."""

    is_typed = False
    """Whether arguments of actions are terms of a specification."""

    def declare(self, end: int, around: Around) -> None:
        """Take over the declarations with which the text begins, up to this place; they say
        something of a specification in mCRL2 only."""
        around.wrong(0, "declarations before `form` are for specifications in mCRL2")

    def arguments(self, name: str, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)` behind the name of an action."""
        try:
            return self.values(begin, end, (), around)
        except ParseError as error:
            error.message += "; a label that has no such terms stands in quotation marks"
            raise

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, the values of these variables, be they as many."""
        from lts.logic.terms import labels  # what reads terms is loaded where there are some

        return labels.terms(begin, end, around)

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, which says what is true."""
        terms = self.values(begin, end, (), around)
        if len(terms) != 1:
            around.wrong(begin, "`val` takes one term")
        return terms[0]

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return a term of a predefined sort."""
        from lts.logic.terms import labels

        return labels.term(begin, end, around)

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of an action whose arguments are terms, by where they begin and end,
        variables, by their slots, or anything."""
        return tuple([
            self.term(*one, "", around) if isinstance(one, tuple)
            else DataTerm("any") if one is None else DataTerm("slot", (), one, at)
            for one in parts
        ])  # fmt: skip

    def quantified(self, kind: str, slot: int, said: DataTerm, around: Around) -> DataTerm | None:
        """Return that a condition holds for all values of a variable, or for some, as one term, if
        there is one."""
        return None

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, place, sort and first value of each parameter of `(n:Nat = 0, ..)`."""
        from lts.logic.terms import labels

        return labels.parameters(begin, end, around)

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that a part of the text is."""
        return re.sub(r"\s+", "", around.text[begin:end])

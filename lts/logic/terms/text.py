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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn, Protocol, TypeVar

from lts.errors import ParseError
from lts.logic.nodes import DataTerm, Slot
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.data import data, first_values, in_brackets
from lts.mcrl2.text.tokens import OTHERS
from lts.text.reader import Reader, part
from lts.text.source import Source

__all__ = ["Around", "TextTerms"]

T = TypeVar("T")

_OPERATORS = frozenset((
    "=>", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "div", "mod", "*", "/",
))  # fmt: skip

Scope = Mapping[str, DataTerm]
"""What names stand for."""


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
        return _each(_read(begin, end, in_brackets, around), _scope(around), around)

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, which says what is true."""
        terms = self.values(begin, end, (), around)
        if len(terms) != 1:
            around.wrong(begin, "`val` takes one term")
        return terms[0]

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return a term of a predefined sort."""
        return _made(_read(begin, end, data, around), _scope(around), around)

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
        source, scope = Source(around.text, around.file), _scope(around)
        return [
            (str(name), source.at(name.place), _sort(of), _made(value, scope, around))
            for name, of, value in _read(begin, end, first_values, around)
        ]

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that a part of the text is."""
        return re.sub(r"\s+", "", around.text[begin:end])


def _read(begin: int, end: int, read: Callable[[Reader], T], around: Around) -> T:
    return part(Source(around.text, around.file), (begin, end), read, OTHERS)


def _scope(around: Around) -> Scope:
    return {name: DataTerm("slot", (), of[-1]) for name, of in around.data.items() if of}


def _made(node: tree.Data, scope: Scope, around: Around) -> DataTerm:
    """Return a term, where names stand for what they do in a scope."""
    at = Source(around.text, around.file).at(tree.place_of(node))
    match node:
        case tree.Identifier(name):
            known = scope.get(name)
            return replace(known, at=at) if known else DataTerm("call", (), str(name), at)
        case tree.Number(digits):
            return DataTerm("number", (), str(digits), at)
        case tree.Application(tree.Identifier(name) | tree.Number(name), parts):
            return DataTerm("call", _each(parts, scope, around), str(name), at)
        case tree.Operation(operator, parts) if len(parts) == 1 and operator in ("!", "-"):
            sign = "!" if operator == "!" else "negative"
            return DataTerm(sign, _each(parts, scope, around), at=at)
        case tree.Operation(operator, parts) if len(parts) == 2 and operator in _OPERATORS:
            return DataTerm(str(operator), _each(parts, scope, around), at=at)
        case tree.ListOf(parts):
            return DataTerm("[", _each(parts, scope, around), at=at)
        case tree.SetOf(parts):
            return DataTerm("{", _each(parts, scope, around), at=at)
        case tree.Bag(counted):
            flat = [one for pair in counted for one in pair]
            return DataTerm(":", _each(flat, scope, around), at=at)
        case tree.Where(body, assigned):
            said = {str(name): _made(one, scope, around) for name, one in assigned}
            return _made(body, {**scope, **said}, around)
    word, place = tree.described(node)
    message = f"{word} stands in terms on a specification in mCRL2 only"
    around.wrong(Source(around.text, around.file).at(place), message)


def _each(nodes: Sequence[tree.Data], scope: Scope, around: Around) -> tuple[DataTerm, ...]:
    return tuple([_made(node, scope, around) for node in nodes])


def _sort(sort: tree.Sort) -> str:
    """Return the text of a sort: it need not be declared."""
    match sort:
        case tree.SortName(name):
            return str(name)
        case tree.Container(name, element):
            return f"{name}({_sort(element)})"
    return ""

"""Terms over data, as they stand in formulas: they are read as those of mCRL2 are.

Names are variables of the formula, or functions. What a term may consist of, and what it means, is
said by what it is about: a specification in mCRL2 (`lts.logic.terms.typed`), one in muCRL
(`lts.logic.terms.resolved`), or labels, as here:

    term:  name  name(term, ..)  number  (term)  !b  -n  s whr name = term, .. end
           m * n   m div n  m mod n  m / n   m + n  m - n   m < n  m <= n  m > n  m >= n
           s == t  s != t   b && c   b || c   b => c   [term, ..]  {term, ..}  {term: n, ..}

Operators that bind more stand first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, Protocol, TypeVar

from lts.errors import ParseError
from lts.logic.nodes import DataTerm, Slot
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.data import data, first_values, in_brackets
from lts.mcrl2.text.reader import Reader, part
from lts.mcrl2.text.tokens import OTHERS
from lts.text.source import Place, Source

__all__ = ["Around", "TermReader", "TextTerms", "sort_of"]

T = TypeVar("T")

_OPERATORS = frozenset((
    "=>", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "div", "mod", "*",
))  # fmt: skip
"""What there is without a specification in mCRL2."""

Given = Mapping[str, DataTerm]
"""What names stand for that `whr` says."""


class Around(Protocol):
    """The formula around a term."""

    text: str
    file: str
    slots: list[Slot]
    data: dict[str, list[int]]
    """The slots of variables in scope, the last one last."""

    def wrong(self, at: int, message: str) -> NoReturn:
        """Raise what is wrong at a place of the text."""


class TermReader(Protocol):
    """Reads the terms of formulas: each is a part of the text, by where it begins and ends."""

    is_typed: bool
    """Whether arguments of actions are terms of a specification."""

    def declare(self, end: int, around: Around) -> None:
        """Take over the declarations with which the text begins, up to this place."""

    def arguments(self, name: str, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)` behind the name of an action."""

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, the values of these variables, be they as many."""

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, which says what is true."""

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return a term of a predefined sort."""

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of an action whose arguments are terms, by where they begin and end,
        variables, by their slots, or anything."""

    def joined(self, operator: str, parts: tuple[DataTerm, ...]) -> DataTerm:
        """Return the condition that an operator makes of others."""

    def quantified(self, kind: str, slot: int, said: DataTerm, around: Around) -> DataTerm | None:
        """Return that a condition holds for all values of a variable, or for some, as one term."""

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, place, sort and first value of each parameter of `(n:Nat = 0, ..)`."""

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that a part of the text is."""


def sort_of(around: Around, slot: int) -> str:
    """Return the sort of a variable, where there is a specification."""
    of = around.slots[slot]
    if of.bounds is None and of.sort is None:
        around.wrong(of.at, f"`{of.name}` needs a sort, as in `{of.name}:D`")
    return of.sort or "Nat"


class TextTerms:
    """Reads terms whose sorts nothing says: data are what stands in labels."""

    is_typed = False

    def declare(self, end: int, around: Around) -> None:
        """Refuse declarations: they say something of a specification in mCRL2."""
        around.wrong(0, "declarations before `form` are for specifications in mCRL2")

    def arguments(self, name: str, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)` behind the name of an action."""
        try:
            return self.all(begin, end, around)
        except ParseError as error:
            error.message += "; a label that has no such terms stands in quotation marks"
            raise

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, the values of variables."""
        return self.all(begin, end, around)

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, which says what is true."""
        terms = self.all(begin, end, around)
        if len(terms) != 1:
            around.wrong(begin, "`val` takes one term")
        return terms[0]

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return a term, of whatever sort."""
        return self.made(self._read(begin, end, data, around), {}, around)

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of an action whose arguments are terms, variables, or anything."""
        found = []
        for of in parts:
            if isinstance(of, tuple):
                found.append(self.term(*of, "", around))
            else:
                found.append(DataTerm("any") if of is None else self.variable(of, at, around))
        return tuple(found)

    def joined(self, operator: str, parts: tuple[DataTerm, ...]) -> DataTerm:
        """Return the condition that an operator makes of others."""
        return DataTerm(operator, parts, at=parts[0].at, sort="Bool")

    def quantified(self, kind: str, slot: int, said: DataTerm, around: Around) -> DataTerm | None:
        """Return None: no term says that something holds for all values, or for some."""
        return None

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, place, sort and first value of each parameter of `(n:Nat = 0, ..)`."""
        source = Source(around.text, around.file)
        return [
            (str(name), source.at(name.place), _shown(of), self.made(value, {}, around))
            for name, of, value in self._read(begin, end, first_values, around)
        ]

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that a part of the text is."""
        return re.sub(r"\s+", "", around.text[begin:end])

    def all(self, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`."""
        found = self._read(begin, end, in_brackets, around)
        return tuple([self.made(one, {}, around) for one in found])

    def _read(self, begin: int, end: int, read: Callable[[Reader], T], around: Around) -> T:
        return part(Source(around.text, around.file), (begin, end), read, OTHERS)

    # What terms are made of.

    def made(self, node: tree.Data, given: Given, around: Around) -> DataTerm:
        """Return a term, with what `whr` says around it."""
        at = Source(around.text, around.file).at(tree.place_of(node))
        match node:
            case tree.Identifier(name):
                if name in given:
                    return given[name]
                if around.data.get(name):
                    return self.variable(around.data[name][-1], at, around)
                return self.called(name, (), at, around)
            case tree.Number(digits):
                return self.number(digits, at, around)
            case tree.Application(tree.Identifier(name) | tree.Number(name), arguments):
                parts = [self.made(one, given, around) for one in arguments]
                return self.called(name, tuple(parts), at, around)
            case tree.Operation(operator, (inner,)) if operator in ("!", "-"):
                sign = "!" if operator == "!" else "negative"
                return self.operation(sign, (self.made(inner, given, around),), at, around)
            case tree.Operation(operator, (left, right)) if operator in _OPERATORS:
                pair = self.made(left, given, around), self.made(right, given, around)
                return self.operation(str(operator), pair, at, around)
            case tree.Where(body, assignments):
                said = {str(name): self.made(one, given, around) for name, one in assignments}
                return self.made(body, {**given, **said}, around)
        return self.other(node, given, at, around)

    def variable(self, slot: int, at: int, around: Around) -> DataTerm:
        """Return a variable of the formula."""
        return DataTerm("slot", (), slot, at)

    def number(self, digits: str, at: int, around: Around) -> DataTerm:
        """Return a number."""
        return DataTerm("number", (), str(digits), at)

    def called(self, name: str, parts: tuple[DataTerm, ...], at: int, around: Around) -> DataTerm:
        """Return a function of terms."""
        return DataTerm("call", parts, str(name), at)

    def operation(
        self, operator: str, parts: tuple[DataTerm, ...], at: int, around: Around
    ) -> DataTerm:
        """Return an operator, `negative` for a minus in front, and its parts."""
        return DataTerm(operator, parts, at=at)

    def other(self, node: tree.Data, given: Given, at: int, around: Around) -> DataTerm:
        """Return what only labels have; raise the error that a term is none of these."""
        match node:
            case tree.Operation(operator, (left, right)) if operator == "/":
                pair = self.made(left, given, around), self.made(right, given, around)
                return DataTerm("/", pair, at=at)
            case tree.ListOf(elements):
                return DataTerm("[", self._each(elements, given, around), at=at)
            case tree.SetOf(elements):
                return DataTerm("{", self._each(elements, given, around), at=at)
            case tree.Bag(counted):
                flat = [one for pair in counted for one in pair]
                return DataTerm(":", self._each(flat, given, around), at=at)
        return self.refuse(node, around)

    def _each(
        self, nodes: Sequence[tree.Data], given: Given, around: Around
    ) -> tuple[DataTerm, ...]:
        return tuple([self.made(node, given, around) for node in nodes])

    def refuse(self, node: tree.Data, around: Around) -> NoReturn:
        """Raise the error that something stands in terms on specifications in mCRL2 only."""
        word, place = _word(node)
        at = Source(around.text, around.file).at(place)
        around.wrong(at, f"{word} stands in terms on a specification in mCRL2 only")


def _word(node: tree.Data) -> tuple[str, Place]:
    """Return what an expression is called, and where it stands."""
    match node:
        case tree.Operation(operator):
            return f"`{operator}`", operator.place
        case tree.Binder(word):
            return f"`{word}`", word.place
        case tree.ListOf():
            return "a list", node.place
        case tree.SetOf() | tree.Comprehension():
            return "a set", node.place
        case tree.Bag():
            return "a bag", node.place
    return "a function as a value", tree.place_of(node)


def _shown(sort: tree.Sort) -> str:
    """Return the text of a sort."""
    match sort:
        case tree.SortName(name):
            return str(name)
        case tree.Container(name, element):
            return f"{name}({_shown(element)})"
    return ""

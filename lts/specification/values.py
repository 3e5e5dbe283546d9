"""Parse values from the texts that show them in labels.

This is for texts alone: arguments of labels of another system or a file, values in formulas and
permutations, and components of a network, which synchronise on texts. Labels that a specification
generates have terms (`lts.specification.label_terms`). Where several values are shown as one text,
it is unknown which of them is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lts.specification.specification import Application, Function, Specification
from lts.specification.terms import MOST_DIGITS, identity, numeral

__all__ = ["Values", "parted"]

_BRACKETS = {"(": ")", "[": "]", "{": "}"}


def parted(text: str, sign: str) -> Iterator[str]:
    """Split a text at the occurrences of a sign that are outside all brackets.

    >>> list(parted("a,f(b,c)", ","))
    ['a', 'f(b,c)']
    """
    if sign not in text:
        yield text  # fast path: most labels and values have a single part
        return
    begun = 0
    for at in _outside(text):
        if text[at] == sign:
            yield text[begun:at]
            begun = at + 1
    yield text[begun:]


def _between(text: str, around: Sequence[str]) -> list[str] | None:
    """Return the texts between delimiters, the first and last of which enclose the whole text.

    >>> _between("{a -> f(1),b -> 2}", ("{a -> ", ",b -> ", "}"))
    ['f(1)', '2']
    """
    first, *between, last = around
    if not (text.startswith(first) and text.endswith(last)) or len(text) < len(first + last):
        return None
    found, rest = [], text[len(first) : len(text) - len(last)]
    for delimiter in between:
        positions = (at for at in _outside(rest) if rest.startswith(delimiter, at))
        at = next(positions, None)
        if at is None:
            return None
        found.append(rest[:at])
        rest = rest[at + len(delimiter) :]
    return [*found, rest]


def _outside(text: str) -> Iterator[int]:
    """Yield the positions in a text that are outside all brackets."""
    depth = 0
    for at, character in enumerate(text):
        depth -= character in ")]}"
        if not depth:
            yield at
        depth += character in "([{"


class Values:
    """Parses the values of a specification from the texts that labels show; numbers have at most
    `digits` digits."""

    def __init__(self, specification: Specification, *, digits: int = MOST_DIGITS) -> None:
        self.specification = specification
        self.digits = digits
        self._functions: dict[tuple[str, int, str], list[Function]] = {}
        for function in specification.functions:
            key = (function.name, len(function.arguments), function.sort)
            self._functions.setdefault(key, []).append(function)
        self._tables: dict[str, Function] = {}
        """For each sort of functions that are shown by their graph (`{a -> 1}`): its
        constructor."""
        for function in specification.functions:
            shown = function.notation
            if function.constructor and shown is not None and shown.around[0][:1] == "{":
                self._tables[function.sort] = function
        self._known: dict[tuple[str, str], Application | None] = {}
        self._ambiguous: set[tuple[str, str]] = set()
        self._doubts = 0
        """How often several functions fitted a text, or a part of one, so far."""

    def value(self, text: str, sort: str) -> Application | None:
        """Return the value of a sort that a text denotes; None if it is not exactly one."""
        key = (text, sort)
        if key not in self._known:
            doubts = self._doubts
            try:
                self._known[key] = self._read(text, sort)
            except RecursionError:
                self._known[key] = None
            if self._doubts > doubts:
                self._ambiguous.add(key)
        elif key in self._ambiguous:
            self._doubts += 1
        return self._known[key]

    def is_ambiguous(self, text: str, sort: str) -> bool:
        """Whether several values of a sort may be shown as a text."""
        self.value(text, sort)
        return (text, sort) in self._ambiguous

    def _read(self, text: str, sort: str) -> Application | None:
        specification = self.specification
        if not text:
            return None
        if sort in specification.numbers:
            number = numeral(text, sort, self.digits)
            if number is not None:
                is_identity = sort in specification.identities
                return identity(int(text), sort) if is_identity else number
        for kinds, opening in ((specification.lists, "["), (specification.sets, "{")):
            if sort in kinds and text[0] == opening and text[-1] == _BRACKETS[opening]:
                inside = text[1:-1]
                return self._chain(list(parted(inside, ",")) if inside else [], *kinds[sort])
        if sort in specification.bags and text[0] == "{" and text[-1] == "}":
            return self._bag(text[1:-1], *specification.bags[sort])
        if specification.fractions is not None and sort == specification.fractions.sort:
            return self._fraction(text, specification.fractions)
        if sort in self._tables:
            return self._table(text, self._tables[sort])
        name, bracket, rest = text.partition("(")
        if bracket and not rest.endswith(")"):
            return None
        parts = list(parted(rest[:-1], ",")) if bracket else []
        found = []
        for function in self._functions.get((name, len(parts), sort), ()):
            arguments = self._all(parts, function.arguments)
            if arguments is not None:
                found.append(Application(function, arguments))
        self._doubts += len(found) > 1
        return found[0] if len(found) == 1 else None

    def has_tables(self, sort: str) -> bool:
        """Whether the values of a sort are functions that are shown by their graph."""
        return sort in self._tables

    def _table(self, text: str, function: Function) -> Application | None:
        assert function.notation is not None
        results = _between(text, function.notation.around)
        arguments = None if results is None else self._all(results, function.arguments)
        return None if arguments is None else Application(function, arguments)

    def _bag(self, inside: str, empty: Function, add: Function) -> Application | None:
        """Return a bag, given its elements with their multiplicities."""
        made = Application(empty, ())
        counted = [] if inside in ("", ":") else list(parted(inside, ","))
        for entry in reversed(counted):
            element, _, count = entry.rpartition(":")
            arguments = self._all((element, count), add.arguments[:2])
            if arguments is None:
                return None
            made = Application(add, (*arguments, made))
        return made

    def _fraction(self, text: str, ratio: Function) -> Application | None:
        """Return a fraction, or a whole number, which is shown without a denominator."""
        if text[0] == "(" and text[-1] == ")":
            text = text[1:-1]
        whole, _, lower = text.partition("/")
        arguments = self._all((whole, lower or "1"), ratio.arguments)
        return None if arguments is None else Application(ratio, arguments)

    def _all(self, texts: Iterable[str], sorts: Iterable[str]) -> tuple[Application, ...] | None:
        found = []
        for text, sort in zip(texts, sorts, strict=True):
            value = self.value(text, sort)
            if value is None:
                return None
            found.append(value)
        return tuple(found)

    def _chain(self, texts: list[str], empty: Function, add: Function) -> Application | None:
        """Return a list or set, given its elements in the order shown."""
        elements = self._all(texts, [add.arguments[0]] * len(texts))
        if elements is None:
            return None
        made = Application(empty, ())
        for element in reversed(elements):
            made = Application(add, (element, made))
        return made

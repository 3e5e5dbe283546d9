"""Terms over data, as they stand in formulas.

    term:  name  name(term, ..)  number  (term)  !b  -n
           m * n  m div n  m mod n   m + n  m - n   m < n  m <= n  m > n  m >= n
           s == t  s != t   b && c   b || c   b => c

Operators that bind more stand first. Names are variables of the formula, or functions of the
specification.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from lts.logic.nodes import DataTerm

__all__ = ["OPERATORS", "read_parameters", "read_terms"]

_LEVELS = (
    ("=>",),
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "div", "mod"),
)
OPERATORS = frozenset(operator for level in _LEVELS for operator in level) | {"!", "negative"}
"""Operators that formulas have by themselves."""

_WORD = re.compile(r"==|!=|<=|>=|=>|&&|\|\||[-+*<>!(),:=]|[A-Za-z0-9_][\w'^\\]*")

Wrong = Callable[[int, str], NoReturn]


class _Reader:
    def __init__(self, text: str, at: int, scope: Mapping[str, list[int]], wrong: Wrong) -> None:
        self.scope = scope
        self.wrong = wrong
        self.words: list[tuple[str, int]] = []
        place = 0
        while place < len(text):
            if text[place].isspace():
                place += 1
                continue
            match = _WORD.match(text, place)
            if match is None:
                wrong(at + place, f"unexpected {text[place]!r} in a term over data")
            self.words.append((match[0], at + place))
            place = match.end()
        self.words.append(("", at + len(text)))
        self.next = 0

    @property
    def word(self) -> str:
        return self.words[self.next][0]

    @property
    def at(self) -> int:
        return self.words[self.next][1]

    def expected(self, what: str) -> NoReturn:
        found = f"`{self.word}`" if self.word else "the end of the term"
        self.wrong(self.at, f"expected {what}, not {found}")

    def take(self, *words: str) -> str | None:
        if self.word in words and self.word:
            self.next += 1
            return self.words[self.next - 1][0]
        return None

    def name(self, what: str) -> str:
        if not re.match(r"[A-Za-z0-9_]", self.word):
            self.expected(what)
        self.next += 1
        return self.words[self.next - 1][0]

    def term(self, level: int = 0) -> DataTerm:
        if level == len(_LEVELS):
            return self.primary()
        at = self.at
        left = self.term(level + 1)
        while operator := self.take(*_LEVELS[level]):
            right = self.term(level if operator == "=>" else level + 1)
            left = DataTerm(operator, (left, right), at=at)
        return left

    def primary(self) -> DataTerm:
        at = self.at
        if self.take("!"):
            return DataTerm("!", (self.primary(),), at=at)
        if self.take("-"):
            return DataTerm("negative", (self.primary(),), at=at)
        if self.take("("):
            found = self.term()
            if not self.take(")"):
                self.expected("`)`")
            return found
        name = self.name("a term")
        if self.take("("):
            return DataTerm("call", self.rest(), name, at)
        if self.scope.get(name):
            return DataTerm("slot", (), self.scope[name][-1], at)
        return DataTerm("number" if name.isdigit() else "call", (), name, at)

    def rest(self) -> tuple[DataTerm, ...]:
        """Return terms up to the bracket that closes them."""
        found = [self.term()]
        while self.take(","):
            found.append(self.term())
        if not self.take(")"):
            self.expected("`,` or `)`")
        return tuple(found)


def read_terms(
    text: str, at: int, scope: Mapping[str, list[int]], wrong: Wrong
) -> tuple[DataTerm, ...]:
    """Return the terms of `(term, ..)`, which stands at `at`; `scope` has the slots of variables.

    `wrong` is called with a place and a message, and raises.
    """
    reader = _Reader(text, at, scope, wrong)
    reader.take("(")
    found = reader.rest()
    if reader.word:
        reader.expected("the end")
    return found


def read_parameters(
    text: str, at: int, scope: Mapping[str, list[int]], wrong: Wrong
) -> list[tuple[str, int, str, DataTerm]]:
    """Return name, place, sort and first value of each parameter of `(n:Nat = 0, ..)`."""
    reader = _Reader(text, at, scope, wrong)
    reader.take("(")
    found = []
    while True:
        place = reader.at
        name = reader.name("a parameter")
        if not reader.take(":"):
            reader.expected("`:` and a sort")
        sort = reader.name("a sort")
        if reader.take("("):
            inner = reader.name("a sort")
            if not reader.take(")"):
                reader.expected("`)`")
            sort = f"{sort}({inner})"
        if not reader.take("="):
            reader.expected("`=` and a first value")
        found.append((name, place, sort, reader.term()))
        if not reader.take(","):
            break
    if not reader.take(")"):
        reader.expected("`,` or `)`")
    if reader.word:
        reader.expected("the end")
    return found

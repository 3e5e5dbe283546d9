"""Terms over data, as they stand in formulas on systems and on specifications in muCRL.

    term:  name  name(term, ..)  number  (term)  !b  -n
           m * n   m div n  m mod n   m + n  m - n   m < n  m <= n  m > n  m >= n
           s == t  s != t   b && c   b || c   b => c
    and, where data are what stands in labels:  m / n  [term, ..]  {term, ..}  {term: n, ..}

Operators that bind more stand first, as in mCRL2. Names are variables of the formula, or functions
of the specification. On a specification in mCRL2, terms are those of its language, see
`lts.logic.terms.typed`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, Protocol

from lts.errors import ParseError
from lts.logic.nodes import DataTerm, Slot

__all__ = ["Around", "TermReader", "TextTerms", "read_terms"]

_LEVELS = (
    ("=>",),
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("div", "mod", "/"),
    ("*",),
)

_WORD = re.compile(r"==|!=|<=|>=|=>|&&|\|\||[-+*/<>!(),:=\[\]{}]|[A-Za-z0-9_][\w'^\\]*")
_OF_LABELS = ("/", "[", "]", "{", "}")
"""What only labels have."""

Wrong = Callable[[int, str], NoReturn]


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


class TextTerms:
    """Reads terms whose sorts, if they have any, are looked at when all of the formula is known."""

    def __init__(self, *, is_typed: bool = False) -> None:
        self.is_typed = is_typed

    def declare(self, end: int, around: Around) -> None:
        """Refuse declarations: they say something of a specification in mCRL2."""
        around.wrong(0, "declarations before `form` are for specifications in mCRL2")

    def arguments(self, name: str, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)` behind the name of an action."""
        try:
            return self._all(begin, end, around)
        except ParseError as error:
            if not self.is_typed:
                error.message += "; a label that has no such terms stands in quotation marks"
            raise

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, the values of variables."""
        return self._all(begin, end, around)

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, which says what is true."""
        [*terms] = self._all(begin, end, around)
        if len(terms) != 1:
            around.wrong(begin, "`val` takes one term")
        return terms[0]

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return a term, of whatever sort."""
        return self._reader(begin, end, around).whole()

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of an action whose arguments are terms, variables, or anything."""
        found = []
        for part in parts:
            if isinstance(part, tuple):
                found.append(self.term(*part, "", around))
            else:
                found.append(DataTerm("any") if part is None else DataTerm("slot", (), part, at))
        return tuple(found)

    def joined(self, operator: str, parts: tuple[DataTerm, ...]) -> DataTerm:
        """Return the condition that an operator makes of others."""
        return DataTerm(operator, parts, at=parts[0].at)

    def quantified(self, kind: str, slot: int, said: DataTerm, around: Around) -> DataTerm | None:
        """Return None: no term says that something holds for all values, or for some."""
        return None

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, place, sort and first value of each parameter of `(n:Nat = 0, ..)`."""
        return self._reader(begin, end, around).parameters()

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that a part of the text is."""
        return re.sub(r"\s+", "", around.text[begin:end])

    def _reader(self, begin: int, end: int, around: Around) -> _Reader:
        text = around.text[begin:end]
        return _Reader(text, begin, around.data, around.wrong, not self.is_typed)

    def _all(self, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        return self._reader(begin, end, around).all()


class _Reader:
    def __init__(
        self,
        text: str,
        at: int,
        scope: Mapping[str, list[int]],
        wrong: Wrong,
        of_labels: bool = False,
    ) -> None:
        self.scope = scope
        self.wrong = wrong
        self.words: list[tuple[str, int]] = []
        place = 0
        while place < len(text):
            if text[place].isspace():
                place += 1
                continue
            match = _WORD.match(text, place)
            if match is None or (match[0] in _OF_LABELS and not of_labels):
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
        self.wrong(self.at, f"expected {what}, not `{self.word}`")

    def take(self, *words: str) -> str | None:
        if self.word in words:
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
        if self.take("["):
            return DataTerm("[", () if self.take("]") else self.rest("]"), at=at)
        if self.take("{"):
            return self.braces(at)
        name = self.name("a term")
        if self.take("("):
            return DataTerm("call", self.rest(), name, at)
        if self.scope.get(name):
            return DataTerm("slot", (), self.scope[name][-1], at)
        return DataTerm("number" if name.isdigit() else "call", (), name, at)

    def rest(self, bracket: str = ")") -> tuple[DataTerm, ...]:
        """Return terms up to the bracket that closes them."""
        found = [self.term()]
        while self.take(","):
            found.append(self.term())
        if not self.take(bracket):
            self.expected(f"`,` or `{bracket}`")
        return tuple(found)

    def braces(self, at: int) -> DataTerm:
        """Return a set, or a bag, whose opening brace was read."""
        if self.take("}"):
            return DataTerm("{", at=at)
        if self.take(":"):
            return DataTerm(":", at=at) if self.take("}") else self.expected("`}`")
        found, is_bag = [], False
        while True:
            found.append(self.term())
            is_bag = is_bag or (len(found) == 1 and self.word == ":")
            if is_bag:
                if not self.take(":"):
                    self.expected("`:` and how often it is there")
                found.append(self.term())
            if not self.take(","):
                break
        if not self.take("}"):
            self.expected("`,` or `}`")
        return DataTerm(":" if is_bag else "{", tuple(found), at=at)

    def all(self) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, all of the text."""
        self.take("(")
        return self.rest()

    def whole(self) -> DataTerm:
        """Return the term that all of the text is."""
        found = self.term()
        if self.word:
            self.expected("an operator or the end of the term")
        return found

    def parameters(self) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, place, sort and first value of each of `(n:Nat = 0, ..)`."""
        self.take("(")
        found = []
        while True:
            place = self.at
            name = self.name("a parameter")
            if not self.take(":"):
                self.expected("`:` and a sort")
            sort = self.sort()
            if not self.take("="):
                self.expected("`=` and a first value")
            found.append((name, place, sort, self.term()))
            if not self.take(","):
                break
        if not self.take(")"):
            self.expected("`,` or `)`")
        return found

    def sort(self) -> str:
        """Return a sort."""
        name = self.name("a sort")
        if not self.take("("):
            return name
        inner = self.sort()
        if not self.take(")"):
            self.expected("`)`")
        return f"{name}({inner})"


def read_terms(
    text: str, at: int, scope: Mapping[str, list[int]], wrong: Wrong
) -> tuple[DataTerm, ...]:
    """Return the terms of `(term, ..)`, which stands at `at`; `scope` has the slots of variables.

    `wrong` is called with a place and a message, and raises.
    """
    return _Reader(text, at, scope, wrong).all()

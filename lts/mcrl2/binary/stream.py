"""The items of a stream of terms, read one after the other; errors name the byte offset."""

from __future__ import annotations

import re
from typing import NoReturn

from lts._engine import TermError, TermReader
from lts.base.bounds import BINARY_SUBTERMS
from lts.errors import FormatError, LtsError, Unsupported
from lts.mcrl2.text.data_tree import Sort
from lts.mcrl2.text.tokens import NAME, WORDS

__all__ = ["EMPTY", "LIST", "Stream", "Term"]

_IDENTIFIER = re.compile(NAME)

LIST, EMPTY = "<list_constructor>", "<empty_list>"

Term = tuple[str, tuple[int, ...]]
"""The name of a term, and the numbers of its arguments."""


class Stream:
    """A stream of terms; any deviation from the expected format is a `FormatError`."""

    def __init__(self, data: bytes, file: str | None) -> None:
        self.file, self.data = file, data
        try:
            self.reader = TermReader(data)
        except TermError as error:
            self._raise(error)
        self._known: dict[int, Term | int] = {}
        self.sorts: dict[int, Sort] = {}
        """The sorts converted so far, by the numbers of their terms."""
        self._outputs = 0
        self._left = BINARY_SUBTERMS.default

    def wrong(self, message: str, kind: type[LtsError] = FormatError) -> NoReturn:
        """Raise an error at the item read last."""
        raise kind(f"byte {self.reader.offset}: {message}", file=self.file)

    def spend(self, count: int) -> None:
        """Count subterms that are converted: each once for each part of the file that uses it."""
        self._left -= count
        if self._left < 0:
            self.wrong(f"{BINARY_SUBTERMS.exceeded()} are not supported", Unsupported)

    def _raise(self, error: TermError) -> NoReturn:
        message, offset = error.args
        raise FormatError(f"byte {offset}: {message}", file=self.file) from None

    def output(self) -> Term | int | None:
        """Return the next item: a term, a number, or None at the end."""
        try:
            found = self.reader.output()
        except TermError as error:
            self._raise(error)
        return _named(found)

    def transitions(self, most: int) -> tuple[bytes, bytes, bytes, bool]:
        """Return the columns of up to `most` further transitions, and whether more may follow."""
        try:
            return self.reader.transitions(most)
        except TermError as error:
            self._raise(error)

    def labels(self) -> list[Term]:
        """Return the labels of the transitions read so far, by number."""
        return [(_text(name), numbers) for name, numbers in self.reader.labels()]

    def number(self, what: str) -> int:
        """Read a number."""
        found = self.output()
        if not isinstance(found, int):
            self.wrong(f"expected {what}, a number")
        return found

    def term(self, what: str, name: str | None = None) -> Term:
        """Read a term, with this name if one is given."""
        found = self.output()
        if not isinstance(found, tuple) or (name is not None and found[0] != name):
            self.wrong(f"expected {what}")
        return found

    def numbered(self, what: str) -> int:
        """Read a term and give it a number, which is negative, unlike those in the stream."""
        self._outputs -= 1
        self._known[self._outputs] = self.term(what)
        return self._outputs

    def made(self, name: str, *arguments: int) -> int:
        """Return the number of a further term, which is not in the stream."""
        self._outputs -= 1
        self._known[self._outputs] = name, arguments
        return self._outputs

    def elements(self, what: str) -> list[int]:
        """Read a list, and return the numbers of its elements."""
        return self.listed(self.term(f"the list of {what}"), what)

    # Access to terms by their numbers.

    def at(self, number: int) -> Term | int:
        """Return the term with this number."""
        found = self._known.get(number)
        if found is None:
            named = _named(self.reader.term(number))
            assert named is not None
            found = self._known[number] = named
        return found

    def of(self, number: int, name: str, count: int) -> tuple[int, ...]:
        """Return the arguments of a term, which must have this name and as many arguments."""
        found = self.at(number)
        if not isinstance(found, tuple) or found[0] != name or len(found[1]) != count:
            self.wrong(f"expected a term `{name}`, not `{self.head(number)}`")
        return found[1]

    def head(self, number: int) -> str:
        """Return the name of a term."""
        found = self.at(number)
        return str(found) if isinstance(found, int) else found[0]

    def word(self, number: int) -> str:
        """Return the name of a term without arguments."""
        found = self.at(number)
        if not isinstance(found, tuple) or found[1]:
            self.wrong(f"expected a name, not `{self.head(number)}`")
        return found[0]

    def identifier(self, number: int) -> str:
        """Return the name of a term without arguments, which must be an identifier in texts."""
        return self.known_identifier(self.word(number))

    def known_identifier(self, name: str) -> str:
        """Return a name, which must be an identifier in texts."""
        if not _IDENTIFIER.fullmatch(name) or name in WORDS:
            self.wrong(f"`{name}` is not a valid name")
        return name

    def listed(self, found: Term | int, what: str) -> list[int]:
        """Return the numbers of the elements of a list."""
        elements = []
        while isinstance(found, tuple) and found[0] == LIST and len(found[1]) == 2:
            elements.append(found[1][0])
            found = self.at(found[1][1])
        if found != (EMPTY, ()):
            self.wrong(f"expected the list of {what}")
        return elements

    def list_of(self, number: int, what: str) -> list[int]:
        """Return the numbers of the elements of the list with this number."""
        return self.listed(self.at(number), what)


def _named(found: tuple[bytes, tuple[int, ...]] | int | None) -> Term | int | None:
    return (_text(found[0]), found[1]) if isinstance(found, tuple) else found


def _text(name: bytes) -> str:
    # The name of variables in mCRL2 from 2020 to 2022.
    return "DataVarId" if name == b"DataVarIdNoIndex" else name.decode("utf-8", "surrogateescape")

"""A walk through the tokens of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lts.errors import ParseError
from lts.text.names import Name
from lts.text.report import Failed, Report
from lts.text.source import Place, Source
from lts.text.tokens import END, Lexicon, Tokens, tokens

__all__ = ["Reader", "part"]

T = TypeVar("T")


def part(
    source: Source,
    extent: tuple[int, int],
    read: Callable[[Reader], T],
    lexicon: Lexicon,
) -> T:
    """Return what is read of a part of a text, all of it; places are those in the text."""
    begin, end = extent
    report, own = Report(source), Source(source.text[begin:end])
    reader = Reader(tokens(own, report, lexicon, source.place(begin)))
    report.raise_errors()
    try:
        found = read(reader)
        if reader.kind != END:
            raise reader.failed("an operator or the end of the term")
    except Failed as error:
        raise source.error(ParseError, error.message, error.place) from None
    return found


class Reader:
    """The place in a text up to which it is read."""

    __slots__ = ("at", "closing", "kinds", "lexicon", "values")

    def __init__(self, tokens: Tokens) -> None:
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.closing = tokens.closing
        self.lexicon = tokens.lexicon
        self.at = 0

    @property
    def kind(self) -> str:
        """What stands here."""
        return self.kinds[self.at]

    @property
    def place(self) -> Place:
        """Where that is."""
        return self.values[self.at].place

    def take(self) -> Name:
        """Return what stands here, and go on."""
        value = self.values[self.at]
        self.at += 1
        return value

    def skip(self, kind: str) -> bool:
        """Go on if this stands here."""
        if self.kinds[self.at] != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str, after: str = "") -> Name:
        """Return what stands here, which is `kind`, and go on; raise `Failed` if it is not."""
        if self.kinds[self.at] != kind:
            raise self.failed(f"`{kind}`{after}")
        return self.take()

    def name(self, what: str) -> Name:
        """Return the name that stands here, of what is called `what`, and go on."""
        if self.kinds[self.at] != "name":
            raise self.failed(what)
        return self.take()

    def names(self, what: str) -> list[Name]:
        """Return the names that stand here with commas between them."""
        found = [self.name(what)]
        while self.skip(","):
            found.append(self.name(what))
        return found

    def is_name(self) -> bool:
        """Whether a name stands here, be it a word that is reserved elsewhere."""
        kind = self.kinds[self.at]
        return kind == "name" or (kind in self.lexicon.names and self.kinds[self.at + 1] != "name")

    def failed(self, expected: str) -> Failed:
        """Return the error that something else stands here."""
        found, kind = self.values[self.at], self.kind
        if kind == END:
            shown = "the end of the text"
        elif kind in self.lexicon.sections:
            shown = f"the section `{kind}`"
        else:
            shown = f"`{found}`"
            if kind in self.lexicon.words and kind not in self.lexicon.names:
                shown += ", which is a reserved word"
        hint = self.lexicon.hint(kind, expected)
        return Failed(f"expected {expected}, found {shown}{hint}", found.place)

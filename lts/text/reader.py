"""A cursor over the tokens of a text."""

from __future__ import annotations

from lts.text.names import Name
from lts.text.report import Failed
from lts.text.source import Place
from lts.text.tokens import END, Tokens

__all__ = ["Reader"]


class Reader:
    """A cursor over tokens."""

    __slots__ = ("at", "closing", "kinds", "lexicon", "matches", "values")

    def __init__(self, tokens: Tokens) -> None:
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.closing = tokens.closing
        self.lexicon = tokens.lexicon
        self.matches: dict[int, bool] = {}
        """Whether the tokens at these positions have one that belongs to them, further on."""
        self.at = 0

    @property
    def kind(self) -> str:
        """The kind of the current token."""
        return self.kinds[self.at]

    @property
    def place(self) -> Place:
        """The place of the current token."""
        return self.values[self.at].place

    def take(self) -> Name:
        """Return the current token and advance."""
        value = self.values[self.at]
        self.at += 1
        return value

    def skip(self, kind: str) -> bool:
        """Advance if the current token is of this kind; return whether it is."""
        if self.kinds[self.at] != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str, after: str = "") -> Name:
        """Return the current token and advance; raise `Failed` if it is not of this kind."""
        if self.kinds[self.at] != kind:
            raise self.failed(f"`{kind}`{after}")
        return self.take()

    def name(self, what: str) -> Name:
        """Return the current token, a name, and advance; errors call it `what`."""
        if self.kinds[self.at] != "name":
            raise self.failed(what)
        return self.take()

    def names(self, what: str) -> list[Name]:
        """Return a list of names separated by commas."""
        found = [self.name(what)]
        while self.skip(","):
            found.append(self.name(what))
        return found

    def is_name(self) -> bool:
        """Whether the current token is a name, or a reserved word that counts as one here."""
        kind = self.kinds[self.at]
        return kind == "name" or (kind in self.lexicon.names and self.kinds[self.at + 1] != "name")

    def failed(self, expected: str) -> Failed:
        """Return the error that the current token is not what was expected."""
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

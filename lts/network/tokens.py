"""The words of a network's text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from lts.errors import LtsError, ParseError
from lts.text.source import Place, Source

__all__ = ["Token", "Tokens"]

_TOKEN = re.compile(r'\|\|\||\|\||\|\[|\]\||->|[()\[\]{}<>*,#_|;\\]|"(?:[^"\\\n]|\\.)*"|\d+')
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, of a kind: `name`, `string`, `number`, `end`, or a sign, which is its own kind."""

    kind: str
    text: str
    place: Place


class Tokens:
    """The words of a text, one of which is looked at. `--` begins a remark, `(* .. *)` is one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = self._split(source.text)
        self.at = 0

    def _split(self, text: str) -> list[Token]:
        found: list[Token] = []
        at, line, begun = 0, 1, 0

        def place() -> Place:
            return line, at - begun + 1

        while at < len(text):
            one = text[at]
            if one == "\n":
                line, begun = line + 1, at + 1
                at += 1
            elif one.isspace():
                at += 1
            elif text.startswith("--", at):
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            elif text.startswith("(*", at):
                end = text.find("*)", at + 2)
                if end < 0:
                    self.wrong("this remark is never closed", place())
                line += text.count("\n", at, end)
                if "\n" in text[at:end]:
                    begun = text.rindex("\n", at, end) + 1
                at = end + 2
            else:
                name = _NAME.match(text, at)
                match = name if name and name[0] != "_" else _TOKEN.match(text, at)
                if match is None:
                    said = "this quotation mark is never closed" if one == '"' else None
                    self.wrong(said or f"unexpected {one!r}", place())
                word = match[0]
                if match is name:
                    kind = "name"
                elif word[0] == '"':
                    kind, word = "string", word[1:-1]
                else:
                    kind = "number" if word.isdigit() else word
                found.append(Token(kind, word, place()))
                at = match.end()
        found.append(Token("end", "", place()))
        return found

    @property
    def token(self) -> Token:
        """The word that is looked at."""
        return self.tokens[self.at]

    def is_word(self, *words: str) -> bool:
        """Whether one of these words comes, however written."""
        return self.token.kind == "name" and self.token.text.lower() in words

    def has(self, kind: str) -> bool:
        """Go on behind this sign, if it stands here; return whether it does."""
        if self.token.kind != kind:
            return False
        self.at += 1
        return True

    def has_word(self, word: str) -> bool:
        """Go on behind this word, if it stands here; return whether it does."""
        if not self.is_word(word):
            return False
        self.at += 1
        return True

    def take(self, kind: str, shown: str | None = None) -> Token:
        """Go on behind a word of this kind, which has to stand here."""
        token = self.token
        if token.kind != kind:
            self.expected(shown or f"`{kind}`")
        self.at += 1
        return token

    def take_word(self, word: str) -> None:
        """Go on behind this word, which has to stand here."""
        if not self.has_word(word):
            self.expected(f"`{word}`")

    def expected(self, what: str) -> NoReturn:
        """Raise the error that something else was expected."""
        token = self.token
        found = "the end" if token.kind == "end" else f"`{token.text}`"
        self.wrong(f"expected {what}, not {found}", token.place)

    def wrong(self, message: str, place: Place, kind: type[LtsError] = ParseError) -> NoReturn:
        """Raise an error that points into the text."""
        raise self.source.error(kind, message, place)

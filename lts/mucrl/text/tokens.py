"""The lexer of muCRL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lts.mucrl.text.build import grammar
from lts.text.grammar import END, place_of
from lts.text.source import Place, Source

if TYPE_CHECKING:
    from lark import Token

__all__ = ["ILLEGAL", "SECTIONS", "Tokens", "tokens"]

SECTIONS = ("sort", "func", "map", "var", "rew", "act", "comm", "proc", "init")
"""The keywords that begin a section."""

ILLEGAL = "UNKNOWN"
"""The kind of a character that is not part of the language."""


@dataclass(slots=True, eq=False)
class Tokens:
    """The tokens of a text, in columns; the last token marks the end.

    `kinds` has `"NAME"`, the text of an operator or reserved word, or `ILLEGAL`. A keyword that
    begins a section has the kind `END`, since it ends the section before.
    """

    kinds: list[str]
    values: list[Token]
    source: Source

    def place(self, at: int) -> Place:
        """Return the place of a token."""
        return place_of(self.values[at])

    def is_first(self, at: int) -> bool:
        """Whether a token is the first one on its line."""
        return at == 0 or self.place(at - 1)[0] < self.place(at)[0]


def tokens(source: Source) -> Tokens:
    """Return the tokens of a text, including illegal characters."""
    values = grammar().tokens(source.text)
    kinds = map(grammar().kind, values)
    return Tokens([END if kind in SECTIONS else kind for kind in kinds], values, source)

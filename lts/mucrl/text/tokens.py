"""From the text of a specification to its tokens."""

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
"""The words that begin a section."""

ILLEGAL = "UNKNOWN"
"""The kind of a character that is no part of the language."""


@dataclass(slots=True, eq=False)
class Tokens:
    """The tokens of a text in columns; the last one is the end of the text.

    `kinds` has `"NAME"`, the text of an operator or reserved word, `ILLEGAL`, and `END` for a word
    that begins a section: a section ends where the next one begins.
    """

    kinds: list[str]
    values: list[Token]
    source: Source

    def place(self, at: int) -> Place:
        """Return where a token stands."""
        return place_of(self.values[at])

    def is_first(self, at: int) -> bool:
        """Whether a token is the first one of its line."""
        return at == 0 or self.place(at - 1)[0] < self.place(at)[0]


def tokens(source: Source) -> Tokens:
    """Return the tokens of a text; what is illegal is one of them."""
    values = grammar().tokens(source.text)
    kinds = map(grammar().kind, values)
    return Tokens([END if kind in SECTIONS else kind for kind in kinds], values, source)

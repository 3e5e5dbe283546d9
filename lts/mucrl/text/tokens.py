"""From the text of a specification to its tokens."""

from __future__ import annotations

from dataclasses import dataclass

from lts.mucrl.text.lalr import END, tables
from lts.text.names import Name
from lts.text.source import Place, Source

__all__ = ["ILLEGAL", "SECTIONS", "Tokens", "tokens"]

SECTIONS = ("sort", "func", "map", "var", "rew", "act", "comm", "proc", "init")
"""The words that begin a section."""

ILLEGAL = "?"
"""The kind of a character that is no part of the language."""


@dataclass(slots=True, eq=False)
class Tokens:
    """The tokens of a text in columns; the last one is the end of the text.

    `kinds` has `"NAME"`, the text of an operator or reserved word, `ILLEGAL`, and `END` for a word
    that begins a section: a section ends where the next one begins.
    """

    kinds: list[str]
    values: list[Name]
    source: Source

    def place(self, at: int) -> Place:
        """Return where a token stands."""
        return self.values[at].place

    def is_first(self, at: int) -> bool:
        """Whether a token is the first one of its line."""
        return at == 0 or self.values[at - 1].place[0] < self.values[at].place[0]


def tokens(source: Source) -> Tokens:
    """Return the tokens of a text; what is illegal is one of them."""
    of = tables()
    find = of.token_pattern().finditer
    reserved = {word: word for word in of.keywords}
    reserved.update(dict.fromkeys(SECTIONS, END))
    kinds: list[str] = []
    values: list[Name] = []
    line, end = 1, 1
    for number, text in enumerate(source.text.split("\n"), start=1):
        for match in find(text):
            group = match.lastindex
            if group is None:
                continue  # blanks, or a comment
            value = Name(match[0])
            value.place = (number, match.start() + 1)
            values.append(value)
            if group == 1:
                kinds.append(reserved.get(value, "NAME"))
            else:
                kinds.append(str(value) if group == 2 else ILLEGAL)
            line, end = number, match.end() + 1
    kinds.append(END)
    values.append(Name.at("", (line, end)))
    return Tokens(kinds, values, source)

"""The lexer of formulas: a name with its arguments is one token, whatever labels have as arguments.

The arguments are parsed later, by the lexer of their language, when it is known what they are
(`lts.logic.terms`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from lts.base.bounds import FORMULA_LEVELS
from lts.errors import ParseError
from lts.text.names import Name
from lts.text.source import Source
from lts.text.uses import Uses

__all__ = ["LEVELS", "NAMES", "SIGNS", "WORDS", "Token", "Tokens", "deeply"]


@contextmanager
def deeply(text: str, file: str) -> Iterator[None]:
    """Raise Python's recursion limit while a deeply nested formula is parsed."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 12 * FORMULA_LEVELS.default))
    try:
        yield
    except RecursionError:
        message = "the formula is nested too deeply"
        raise ParseError(message, file=file, line=1, column=1, text=text[:80]) from None
    finally:
        sys.setrecursionlimit(before)


LEVELS = {"=>": 1, "||": 2, "&&": 3}
"""The priorities of operators in formulas, sets of labels and path formulas."""
WORDS = {"not": "!", "and": "&&", "or": "||", "implies": "=>"}
NAMES = {"true", "false", "tau", "mu", "nu", "val", "let", "in", "forall", "exists"}
_HINTS = {
    "'": "write a label in full, in quotation marks, or as `name(...)`",
    "-": "a named property cannot be part of a formula; a label that is not a name needs "
    "quotation marks",
}
"""Hints for characters of other languages."""
SIGNS = r"&&|\|\||=>|->|\.\.|[=()<>\[\]{}!*+.?@|:,;#]"
"""The operators and brackets, a regular expression."""
_TOKEN = re.compile(SIGNS + r'|"(?:[^"\\]|\\.)*"|\d+|([A-Za-z_][\w\']*)')
_DECLARATION = re.compile(r"(?:\s|%.*)*(?:sort|cons|map|glob|var|eqn|act|proc|init)\s")
_FORM = re.compile(r"%.*|\bform\b")
_FURTHER = re.compile(r"(?:(?<=\()|\s*(,))\s*(?:\.\.\.|\*)\s*\)$")
"""Any further arguments, `*` as on the command line."""
_BLANKS = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its position."""

    text: str
    at: int
    end: int = field(default=-1, compare=False)
    """Where it ends in the text, which may write it in another way."""

    @property
    def is_open(self) -> bool:
        """Whether it is an action with any further arguments, `name(...)` or `name(term, ...)`."""
        return self.text.endswith(("(...)", ", ...)"))

    @property
    def is_condition(self) -> bool:
        """Whether it is `val(b)`."""
        return self.text.startswith("val") and self.text[3:].lstrip().startswith("(")

    @property
    def is_name(self) -> bool:
        """Whether it can be the name of an action or of a variable."""
        return self.text[:1].isalpha() or self.text[:1] == "_"


def _declared(text: str) -> int:
    """Return the position of `form` after declarations as in mCRL2; 0 if there are none."""
    if _DECLARATION.match(text) is None:
        return 0
    words = (match for match in _FORM.finditer(text) if match[0] == "form")
    return next((match.start() for match in words), 0)


class Tokens:
    """A cursor over the tokens of a text."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.is_mcf = file.endswith(".mcf")
        """Whether the file is one of mCRL2, where `a|b` is a multi-action."""
        self.words = {} if self.is_mcf else WORDS
        self.declared = _declared(text)
        """Where the declarations at the beginning of the text end."""
        self.tokens = self.split(self.declared, len(text))
        self.at = 0
        self.uses: Uses | None = None
        """Is given the places of variables, if these are wanted."""

    def name_at(self, name: str, at: int) -> Name:
        """Return a word of the text as a name with its place."""
        return Name.at(name, Source(self.text, self.file).place(at))

    def split(self, at: int, stop: int) -> list[Token]:
        """Return the tokens of a part of the text, and an empty one at its end."""
        tokens: list[Token] = []
        in_braces = False
        while at < stop:
            if self.text[at].isspace():
                at += 1
                continue
            if self.text[at] == "%":
                end = self.text.find("\n", at)
                at = stop if end == -1 else end
                continue
            if in_braces and (self.text[at] == "(" or tokens[-1].text == "where"):
                # A term is a single token here.
                end = self.end_of_arguments(at) if self.text[at] == "(" else self.end_of_braces(at)
                tokens.append(Token(self.text[at:end], at, end))
                at = end
                continue
            match = _TOKEN.match(self.text, at)
            if match is None:
                hint = _HINTS.get(self.text[at])
                self.wrong(at, f"unexpected {self.text[at]!r}" + (f"; {hint}" if hint else ""))
            end = match.end()
            word = match[0]
            # A name directly followed by arguments is a single token.
            if word == "val":
                end = _BLANKS.match(self.text, end, stop).end()  # type: ignore[union-attr]
            if match[1] and self.text[end : end + 1] == "(" and word not in self.words:
                end = self.end_of_arguments(end)
            else:
                end = match.end()
            word = self.text[at:end]
            in_braces = word == "{" or (in_braces and word != "}")
            word = _FURTHER.sub(lambda found: f"{', ' if found[1] else ''}...)", word)
            tokens.append(Token(self.words.get(word, word), at, end))
            at = end
        tokens.append(Token("", stop))
        return tokens

    def end_of_arguments(self, at: int) -> int:
        """Return the position after the bracket that closes the one here."""
        depth = 0
        for end in range(at, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[end], 0)
            if depth == 0:
                return end + 1
        self.wrong(at, "this bracket is never closed")

    def end_of_braces(self, at: int) -> int:
        """Return the position of the brace that closes the current braces."""
        depth = 0
        for end in range(at, len(self.text)):
            depth += {"{": 1, "}": -1}.get(self.text[end], 0)
            if depth < 0:
                return end
        self.wrong(at, "this brace is never closed")

    def wrong(self, at: int, message: str) -> NoReturn:
        """Raise a syntax error."""
        source = Source(self.text, self.file, language="formula")
        raise source.error(ParseError, message, source.place(at))

    @property
    def token(self) -> Token:
        """The current token."""
        return self.tokens[self.at]

    @property
    def after(self) -> Token:
        """The next token; at the end, the last one."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def expected(self, what: str) -> NoReturn:
        """Raise the error that something else was expected."""
        found = f"`{self.token.text}`" if self.token.text else "the end"
        self.wrong(self.token.at, f"expected {what}, not {found}")

    def take(self, text: str) -> None:
        """Consume this token; raise an error if it is another one."""
        if self.token.text != text:
            self.expected(f"`{text}`")
        self.at += 1

    def has(self, text: str) -> bool:
        """Consume this token if it is next; return whether it is."""
        if self.token.text != text:
            return False
        self.at += 1
        return True

    def operator(self, levels: Mapping[str, int]) -> str | None:
        """Consume and return one of these operators, or return None."""
        word = self.token.text
        return word if word in levels and self.has(word) else None

"""The layout of a text: blanks, and nothing else.

Line breaks, indentation, comments and columns (two blanks or more) remain as they are written.
There is a blank on either side of an operator of several signs and of `=`, and none just inside
brackets and before a comma or a semicolon. Trailing blanks, repeated blank lines and tabs go. The
result has the same tokens and the same comments, which is checked each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lts.editor.languages import Extent, Language
from lts.errors import Defect

__all__ = ["formatted"]

_COMMENT = re.compile(r"\(\*.*?\*\)|\S[^\n]*", re.DOTALL)
"""A comment, which is what is not blank between two tokens."""
_TAB = 8
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]},;")


def formatted(text: str, language: Language, file: str) -> str:
    """Return a text with its layout made regular; formatting the result changes nothing. Lines end
    as the first line does. Raises `ParseError` at a sign that is no token of the language."""
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    plain = text.removeprefix(mark).replace("\r\n", "\n")
    if "\n" not in plain:
        plain = plain.replace("\r", "\n")
    parts = list(_parts(plain, language.tokens(plain, file)))
    lines: list[str] = []
    for line in _lines(parts):
        if line or (lines and lines[-1]):
            lines.append(joined_line(line))
    found = "\n".join(lines).rstrip("\n") + "\n" if parts else ""
    after = list(_parts(found, language.tokens(found, file)))
    if [part.text for part in parts] != [part.text for part in after]:
        raise Defect("formatting would change the text", file=file)
    return mark + found.replace("\n", end)


@dataclass(frozen=True, slots=True)
class _Part:
    """A token or a comment, the blanks before it on its line, and the line breaks before it."""

    text: str
    blanks: int
    breaks: int
    is_comment: bool

    @property
    def is_operator(self) -> bool:
        """Whether it is an operator of several signs, not one that has brackets in it."""
        signs = not any(c.isalnum() or c in "_()[]{}\"'" for c in self.text)
        return self.text == "=" or (signs and len(self.text) > 1 and self.text != "..")


def _parts(text: str, tokens: Sequence[Extent]) -> Iterator[_Part]:
    """Yield the tokens and comments of a text."""
    before = 0
    for begin, end in [*tokens, (len(text), len(text))]:
        extents = [
            (m.start() + before, m.end() + before) for m in _COMMENT.finditer(text[before:begin])
        ]
        for number, (at, stop) in enumerate([*extents, (begin, end)]):
            if at == len(text):
                break
            gap = text[before:at]
            line = text.rfind("\n", 0, at) + 1
            width = len(text[line:at].expandtabs(_TAB))
            width -= len(text[line : max(line, before)].expandtabs(_TAB))
            is_comment = number < len(extents)
            shown = text[at:stop].rstrip() if is_comment else text[at:stop]
            yield _Part(shown, width, gap.count("\n"), is_comment)
            before = stop


def _lines(parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    """Yield the parts of each line; a part may itself have several lines."""
    line: list[_Part] = []
    for number, part in enumerate(parts):
        for _ in range(part.breaks if number else 0):
            yield line
            line = []
        line.append(part)
    yield line


def joined_line(parts: Sequence[_Part]) -> str:
    """Return a line."""
    if not parts:
        return ""
    found = " " * parts[0].blanks + parts[0].text
    for left, right in pairwise(parts):
        found += " " * _between(left, right) + right.text
    return found


def _between(left: _Part, right: _Part) -> int:
    """Return the number of blanks between neighbours on a line."""
    if right.is_comment or left.is_comment:
        return max(right.blanks, 1)
    if left.text in _OPENING or right.text in _CLOSING:
        return 0
    if left.is_operator or right.is_operator:
        return max(right.blanks, 1)
    return right.blanks

"""Patterns and regular expressions, matched by automata: always in time linear in the text."""

from __future__ import annotations

from collections.abc import Callable

import lts._engine as _engine
from lts.errors import LtsError

__all__ = ["Regular", "glob", "literal"]

Groups = list[str]
"""The groups of a match, the whole match first; a group that did not take part is empty."""


class Regular:
    """A regular expression in the notation of the crate `regex`; `.` matches every character.

    In a text, a byte that is not valid UTF-8 is a lone surrogate and counts as one character.
    Raises `LtsError` if the expression is malformed or too large.
    """

    __slots__ = ("_any", "_whole", "groups")

    def __init__(self, expression: str) -> None:
        try:
            self._any = _engine.Regular(_there(expression))
            self._whole = _engine.Regular(_there(rf"\A(?:{expression})\z"))
        except ValueError as error:
            raise LtsError(f"this is not a valid pattern: {error}") from None
        self.groups = self._any.groups

    def matches(self, text: str) -> bool:
        """Whether the whole text matches."""
        return self._whole.matches(_there(text))

    def occurs(self, text: str) -> bool:
        """Whether some part of a text matches."""
        return self._any.matches(_there(text))

    def whole(self, text: str) -> Groups | None:
        """Return the groups if the whole text matches, else None."""
        found = self._whole.first(_there(text))
        return None if found is None else _back(found)

    def replaced(self, text: str, new: Callable[[Groups], str], count: int = 0) -> str:
        """Return a text with the first `count` matches replaced, or all if `count` is 0."""
        parts, rest = self._any.parts(_there(text), count)
        return "".join(_here(before) + new(_back(groups)) for before, groups in parts) + _here(rest)


def literal(text: str) -> str:
    """Return the expression that matches exactly this text.

    >>> Regular(literal("a.b")).matches("a.b"), Regular(literal("a.b")).matches("axb")
    (True, False)
    """
    return "".join(c if c.isalnum() or c > "\x7f" else rf"\x{{{ord(c):x}}}" for c in text)


def glob(pattern: str) -> Regular:
    """Return the regular expression of a pattern: `*` matches any text, `?` any one character.

    Each of them is a group; `*` matches as little as possible.

    >>> glob("put(*,?)").whole("put(a,b,c)")
    ['put(a,b,c)', 'a,b', 'c']
    """
    known = {"*": "(.*?)", "?": "(.)"}
    return Regular("".join(known.get(c) or literal(c) for c in pattern))


_FIRST = 0x10FF80
"""First code point that stands for invalid UTF-8 bytes in the engine: Rust strings have no
surrogates."""
_THERE = {0xDC80 + byte: _FIRST + byte for byte in range(128)}
_HERE = {there: here for here, there in _THERE.items()}


def _there(text: str) -> str:
    return text if text.isascii() else text.translate(_THERE)


def _here(text: str) -> str:
    return text if text.isascii() else text.translate(_HERE)


def _back(groups: list[str | None]) -> Groups:
    return [_here(group or "") for group in groups]

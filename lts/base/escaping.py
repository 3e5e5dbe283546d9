"""Make untrusted texts safe to display: no terminal control sequence, and no line break."""

from __future__ import annotations

import unicodedata

__all__ = ["escaped", "one_line"]

_LINE_ENDS = dict.fromkeys("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def escaped(text: str, kept: str = "") -> str:
    """Return a text with control characters and other unprintable ones written as escapes.

    Characters of `kept` are not escaped. A lone surrogate stands for a byte that is not valid
    UTF-8, and is shown as that byte.

    >>> print(escaped("a" + chr(27) + "[2J"))
    a\\x1b[2J
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept or _is_space(c) else _code(c) for c in text)


def one_line(text: str) -> str:
    """Return a text with its line breaks written as escapes.

    >>> print(one_line("a" + chr(10) + "b"))
    a\\x0ab
    """
    return "".join(_code(c) if c in _LINE_ENDS else c for c in text)


def _is_space(character: str) -> bool:
    return unicodedata.category(character) == "Zs"


def _code(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"

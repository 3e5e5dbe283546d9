"""Make untrusted texts safe to display: no terminal control sequence, no line break, no name of any
length."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["escaped", "one_line", "quoted", "short_name", "short_names", "shortened"]

LONGEST_NAME, LONGEST_MESSAGE = 200, 2000
"""Most characters of a name in a message, and of a message: names may contain what ends a quoted
name, so that only the length of the whole is certain."""
_CUT = "..."

_LINE_BREAKS = dict.fromkeys("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def escaped(text: str, literal: str = "") -> str:
    """Return a text with control characters and other unprintable ones written as escapes.

    Characters of `literal` are not escaped. A lone surrogate stands for a byte that is not valid
    UTF-8, and is shown as that byte.

    >>> print(escaped("a" + chr(27) + "[2J"))
    a\\x1b[2J
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in literal or _is_space(c) else _code(c) for c in text)


def quoted(text: str) -> str:
    """Return a text in double quotes, with a backslash before each quote and backslash in it.

    >>> print(quoted('say "a"'))
    "say \\"a\\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def one_line(text: str) -> str:
    """Return a text with its line breaks written as escapes.

    >>> print(one_line("a" + chr(10) + "b"))
    a\\x0ab
    """
    return "".join(_code(c) if c in _LINE_BREAKS else c for c in text)


def short_name(name: str, most: int = LONGEST_NAME) -> str:
    """Return a name, without its middle if it is long.

    >>> short_name("abcdefghijklmnop", 11)
    'abcdef...op'
    """
    if len(name) <= most:
        return name
    end = (most - len(_CUT)) // 4
    return f"{name[: most - len(_CUT) - end]}{_CUT}{name[len(name) - end :]}"


def shortened(message: str) -> str:
    """Return a message of a limited length, in which all names are short.

    >>> len(shortened(f"the label `{'a b' * 10_000}` is not known"))
    225
    """
    return short_name(short_names(message), LONGEST_MESSAGE)


def short_names(text: str) -> str:
    """Return a text in which names are short, quoted in any way or not at all."""
    if len(text) <= LONGEST_NAME:
        return text
    # What is between quotes has an odd number.
    for quote in ("`", '"'):
        parts = text.split(quote)
        parts[1:-1:2] = map(short_name, parts[1:-1:2])
        text = quote.join(parts)
    return _WORD.sub(lambda word: short_name(word[0]), text)


_WORD = re.compile(rf"\S{{{LONGEST_NAME + 1},}}")


def _is_space(character: str) -> bool:
    return unicodedata.category(character) == "Zs"


def _code(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"

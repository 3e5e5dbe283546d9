"""Label patterns, as CADP's tools have them: regular expressions of POSIX, and how they match.

Basic regular expressions (IEEE 1003.1, 9.3): `.`, `[..]`, `*`, `^`, `$`, `\\(..\\)`, `\\{m,n\\}`
and `\\1`; other characters stand for themselves, brackets and `+`, `?`, `|` among them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["MODES", "Pattern", "gate_of"]

MODES = ("total", "partial", "gate", "single", "multiple")
"""How a pattern matches: the whole label, some part of it, its gate; the last two rename the first
part that matches, or all of them."""


def gate_of(label: str) -> str:
    """Return the gate of a label: what stands before a blank, an offer or a bracket.

    >>> gate_of("PUT !1 !TRUE"), gate_of("put(1)")
    ('PUT', 'put')
    """
    found = re.match(r"[^\s!?(]*", label)
    return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text that labels match, by one of `MODES`.

    A `plain` one is a name, not a regular expression.
    """

    text: str
    mode: str
    plain: bool = False
    _regular: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        regular = re.escape(self.text) if self.plain else _translated(self.text)
        object.__setattr__(self, "_regular", re.compile(regular, re.DOTALL))

    def matches(self, label: str) -> bool:
        """Whether a label matches.

        >>> Pattern("PUT", "gate").matches("PUT !1"), Pattern("PUT", "total").matches("PUT !1")
        (True, False)
        """
        if self.mode == "total":
            return self._regular.fullmatch(label) is not None
        if self.mode == "gate":
            return self._regular.fullmatch(gate_of(label)) is not None
        return self._regular.search(label) is not None

    def renamed(self, label: str, new: str) -> str | None:
        """Return what becomes of a label by the new text, with `\\1` for groups; None: no match.

        >>> Pattern(r"PUT \\(.*\\)", "total").renamed("PUT !1", r"GET \\1")
        'GET !1'
        """

        def filled(match: re.Match[str]) -> str:
            def one(number: re.Match[str]) -> str:
                if number[1] == "\\":
                    return "\\"
                return match[0] if number[1] == "0" else match[int(number[1])] or ""

            return re.sub(r"\\([0-9\\])", one, new)

        if self.mode == "total":
            found = self._regular.fullmatch(label)
            return None if found is None else filled(found)
        if self.mode == "gate":
            gate = gate_of(label)
            found = self._regular.fullmatch(gate)
            return None if found is None else filled(found) + label[len(gate) :]
        if self._regular.search(label) is None:
            return None
        return self._regular.sub(filled, label, count=0 if self.mode == "multiple" else 1)

    @property
    def groups(self) -> int:
        """How many groups it has, for the new text of a renaming."""
        return self._regular.groups


_BRACKET = re.compile(r"\[\^?\]?(?:\[:\w+:\]|[^\]])*\]")
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


def _translated(text: str) -> str:
    """Return a basic regular expression as one of Python's; raise `re.error` for none."""
    found: list[str] = []
    at = 0
    while at < len(text):
        one = text[at]
        if one == "\\" and at + 1 < len(text):
            two = text[at + 1]
            at += 2
            if two in "(){}":
                found.append(two)
            elif two in "123456789":
                found.append(rf"(?:\{two})")
            else:
                found.append(re.escape(two))
            continue
        if one == "[":
            bracket = _BRACKET.match(text, at)
            if bracket is None:
                raise re.error("`[` is never closed", text, at)
            found.append(_bracket(bracket[0], at))
            at = bracket.end()
            continue
        at += 1
        first = not found or found[-1] in ("(", "^")
        if one == ".":
            found.append(one)
        elif one == "*":
            found.append(r"\*" if first else "*")
        elif one == "^" and first:
            found.append("^")
        elif one == "$" and (at == len(text) or text.startswith("\\)", at)):
            found.append(r"\Z")
        else:
            found.append(re.escape(one))
    return "".join(found)


def _bracket(text: str, at: int) -> str:
    """Return a bracket expression of POSIX as one of Python's: a backslash is itself there."""
    start = 2 if text.startswith("[^") else 1
    shown = []
    for match in re.finditer(r"\[:(\w+):\]|(.)-(.)|(.)", text[start:-1], re.DOTALL):
        name, first, last, alone = match.groups()
        if name is not None:
            if name not in _CLASSES:
                raise re.error(f"there is no class `[:{name}:]`", text, at)
            shown.append(_CLASSES[name])
        elif first is not None:
            shown.append(f"{re.escape(first)}-{re.escape(last)}")
        else:
            shown.append(re.escape(alone))
    return text[:start] + "".join(shown) + "]"

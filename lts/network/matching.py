"""Basic regular expressions of POSIX, as used in label patterns, and matching with them.

IEEE 1003.1, 9.3: `.`, `[..]`, `*`, `^`, `$`, `\\(..\\)`, `\\{m,n\\}` and `\\1`, besides `\\<` and
`\\>` for the ends of words; other characters stand for themselves, including brackets, `+`, `?` and
`|`. The leftmost match counts, and of those the longest. Automata match in time linear in the text,
except for `\\1`, which automata do not support.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache

from lts.base.regular import Regular, literal
from lts.errors import LtsError

__all__ = ["Matcher", "matcher"]

Groups = list[str]
"""The groups of a match, the whole match first."""


@lru_cache(maxsize=1000)
def matcher(text: str, *, plain: bool = False) -> Matcher:
    """Return the matcher of a basic regular expression or, if `plain`, of a literal text.

    Raises `LtsError` for an expression that is malformed or too large.

    >>> matcher(r"a\\{0,1\\}\\(ab\\)*").replaced("abab", lambda groups: f"<{groups[0]}>", 1)
    '<abab>'
    """
    if plain:
        return Matcher(literal(text), 0)
    expression, choices, referring = _translated(text)
    return (_Referring if referring else Matcher)(expression, choices)


class Matcher:
    """An expression of the crate `regex` in which `choices` parts have variable length."""

    def __init__(self, expression: str, choices: int) -> None:
        self._expression = expression
        self._regular = Regular(expression)
        self._choices = choices
        self.groups = self._regular.groups

    def matches(self, text: str) -> bool:
        """Whether the whole text matches."""
        return self._regular.matches(text)

    def occurs(self, text: str) -> bool:
        """Whether some part of a text matches."""
        return self._regular.occurs(text)

    def whole(self, text: str) -> Groups | None:
        """Return the groups if the whole text matches, else None."""
        return self._regular.whole(text)

    def replaced(self, text: str, new: Callable[[Groups], str], count: int = 0) -> str:
        """Return a text with the first `count` matches replaced, or all if `count` is 0.

        An empty match directly after another match is ignored.
        """
        if self._choices < 2:
            # With fewer than two parts of variable length, the first match found is the longest.
            return self._regular.replaced(text, new, count)
        shown, at, done, behind = "", 0, 0, -1
        while (not count or done < count) and (start := self._start(text, at)) is not None:
            end, groups = self._longest(text, start)
            skipped = start == end == behind
            shown += text[at:start] + ("" if skipped else new(groups))
            done += not skipped
            behind = at = end
            if start == end:
                shown += text[end : end + 1]
                at += 1
            if at > len(text):
                return shown
        return shown + text[at:]

    def _start(self, text: str, at: int) -> int | None:
        """Return where the leftmost match from a position on begins, or None."""
        starts = range(at, len(text) + 1)
        found = (s for s in starts if self._around[s > 0, None].matches(text[max(s - 1, 0) :]))
        return next(found, None)

    def _longest(self, text: str, start: int) -> tuple[int, Groups]:
        """Return the end of the longest match that begins at a position, and its groups."""
        for end in range(len(text), start - 1, -1):
            exact = self._around[start > 0, end < len(text)]
            found = exact.whole(text[max(start - 1, 0) : end + 1])
            if found is not None:
                return end, [text[start:end], *found[1:]]
        raise AssertionError("a match has an end")

    @cached_property
    def _around(self) -> dict[tuple[bool, bool | None], Regular]:
        """The expression with a character before and after it, as context for `\\<` and `^`."""
        contexts = {False: "", True: ".", None: ".*"}
        return {
            (before, behind): Regular(f"{'.' if before else ''}(?:{self._expression}){end}")
            for before in (False, True)
            for behind, end in contexts.items()
        }


class _Referring(Matcher):
    """An expression with `\\1`, matched by backtracking."""

    def __init__(self, expression: str, choices: int) -> None:
        self._expression = _of_python(expression)
        self._choices = max(choices, 2)
        try:
            self._any = re.compile(self._expression, re.DOTALL)
        except re.error as error:
            raise LtsError(f"this is not a valid pattern: {error}") from None
        self.groups = self._any.groups

    def matches(self, text: str) -> bool:
        return self._any.fullmatch(text) is not None

    def occurs(self, text: str) -> bool:
        return self._any.search(text) is not None

    def whole(self, text: str) -> Groups | None:
        return _groups(self._any.fullmatch(text))

    def _start(self, text: str, at: int) -> int | None:
        found = self._any.search(text, at)
        return None if found is None else found.start()

    def _longest(self, text: str, start: int) -> tuple[int, Groups]:
        for rest in range(len(text) - start + 1):
            exact = re.compile(rf"(?:{self._expression})(?=.{{{rest}}}\Z)", re.DOTALL)
            found = exact.match(text, start)
            if found is not None:
                return found.end(), _groups(found) or []
        raise AssertionError("a match has an end")


def _groups(found: re.Match[str] | None) -> Groups | None:
    return None if found is None else [found[0], *(group or "" for group in found.groups())]


_WORD = "[0-9A-Za-z_]"
_OF_PYTHON = {
    r"(?-u:\<)": f"(?<!{_WORD})(?={_WORD})",
    r"(?-u:\>)": f"(?<={_WORD})(?!{_WORD})",
    r"\z": r"\Z",
}


def _of_python(expression: str) -> str:
    """Translate an expression of the crate `regex` to Python's notation."""
    for crate, python in _OF_PYTHON.items():
        expression = expression.replace(crate, python)
    return re.sub(r"\\x\{([0-9a-f]+)\}", lambda m: rf"\x{int(m[1], 16):02x}", expression)


_REPEATED = re.compile(r"\\\{([0-9]*)(,?)([0-9]*)\\\}", re.ASCII)
_BRACKET = re.compile(r"\[\^?\]?(?:\[:\w+:\]|[^\]])*\]")
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\x20\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`\{-~",
    "space": r"\x20\t\n\r\x0B\x0C",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


def _translated(text: str) -> tuple[str, int, bool]:
    """Translate a basic regular expression to the engine's notation.

    Also return the number of parts of variable length, and whether it contains `\\1`; raise
    `LtsError` if it is malformed.
    """
    found: list[str] = []
    at = choices = closed = 0
    repeated_group = referring = False
    while at < len(text):
        one = text[at]
        if one == "\\" and at + 1 < len(text):
            two = text[at + 1]
            repeated = _REPEATED.match(text, at)
            at += 2
            if repeated is not None:
                least, comma, most = repeated.groups()
                repeated_group |= found[-1:] == [")"]
                choices += comma == ","
                found.append(f"{{{least or 0}{comma}{most}}}")
                at = repeated.end()
            elif two in "()":
                closed += two == ")"
                found.append(two)
            elif two in "123456789":
                if int(two) > closed:
                    raise LtsError(f"`\\{two}` refers to a group that does not exist")
                referring = True
                found.append(rf"(?:\{two})")
            elif two in "<>":
                # The crate defines these for ASCII letters, digits and `_`, like CADP's tools.
                found.append(rf"(?-u:\{two})")
            elif two in "{}":
                raise LtsError(f"`\\{two}` is incomplete")
            else:
                found.append(literal(two))
            continue
        if one == "[":
            bracket = _BRACKET.match(text, at)
            if bracket is None:
                raise LtsError("`[` is never closed")
            found.append(_bracket(bracket[0]))
            at = bracket.end()
            continue
        at += 1
        first = not found or found[-1] in ("(", "^")
        if one == ".":
            found.append(one)
        elif one == "*":
            repeated_group |= found[-1:] == [")"]
            choices += not first
            found.append(r"\*" if first else "*")
        elif one == "^" and first:
            found.append("^")
        elif one == "$" and (at == len(text) or text.startswith("\\)", at)):
            found.append(r"\z")
        else:
            found.append(literal(one))
    if referring and repeated_group:
        raise LtsError(r"`\1` is not read beside a group that is repeated")
    return "".join(found), choices, referring


def _bracket(text: str) -> str:
    """Translate a bracket expression of POSIX, in which a backslash is an ordinary character."""
    start = 2 if text.startswith("[^") else 1
    shown = []
    for match in re.finditer(r"\[:(\w+):\]|(.)-(.)|(.)", text[start:-1], re.DOTALL):
        name, first, last, alone = match.groups()
        if name is not None:
            if name not in _CLASSES:
                raise LtsError(f"unknown character class `[:{name}:]`")
            shown.append(_CLASSES[name])
        elif first is not None:
            shown.append(f"{literal(first)}-{literal(last)}")
        else:
            shown.append(literal(alone))
    return text[:start] + "".join(shown) + "]"

"""Label patterns, as CADP's tools have them: regular expressions of POSIX, and how they match.

Basic regular expressions (IEEE 1003.1, 9.3): `.`, `[..]`, `*`, `^`, `$`, `\\(..\\)` and
`\\{m,n\\}`; other characters stand for themselves, brackets and `+`, `?`, `|` among them. There
is no `\\1`, which no automaton matches, but in the new text of a renaming.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lts.base.regular import Regular, literal
from lts.errors import LtsError
from lts.network.language import CO_ACTION
from lts.text.source import Place

__all__ = ["MODES", "Pattern", "gate_of", "has_offers", "offers_of", "plain_quotes"]

MODES = ("total", "partial", "gate", "single", "multiple")
"""How a pattern matches: the whole label, some part of it, its gate; the last two rename the first
part that matches, or all of them."""


def gate_of(label: str) -> str:
    """Return the gate of a label: what stands before a blank, an offer or a round bracket.

    >>> gate_of("PUT !1 !TRUE"), gate_of("put(1)"), gate_of("p[1].x")
    ('PUT', 'put', 'p[1].x')
    """
    return label[: _gate_end(label)]


def offers_of(label: str) -> str:
    """Return what stands behind the gate of a label.

    >>> offers_of("PUT !1 !TRUE"), offers_of("put(1)")
    (' !1 !TRUE', '(1)')
    """
    return label[_gate_end(label) :]


def _gate_end(label: str) -> int:
    found = _OFFERS.search(label)
    return len(label) if found is None else found.start()


def has_offers(label: str) -> bool:
    """Whether a label is more than a gate."""
    return _OFFERS.search(label) is not None


def plain_quotes(label: str) -> str:
    """Return a label whose quotation marks have no backslash before them, as in some files."""
    return label.replace('\\"', '"')


_OFFERS = re.compile(r"[!?( \t]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text that labels match, by one of `MODES`.

    A `plain` one is a name, not a regular expression. With `co`, it matches the label without the
    prefix of co-actions, which stays where the label is renamed. `place` is where it stands.
    """

    text: str
    mode: str
    plain: bool = False
    co: bool = False
    place: Place | None = field(default=None, compare=False)
    _regular: Regular = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        expression = literal(self.text) if self.plain else _translated(self.text)
        object.__setattr__(self, "_regular", Regular(expression))

    def matches(self, label: str) -> bool:
        """Whether a label matches.

        >>> Pattern("PUT", "gate").matches("PUT !1"), Pattern("PUT", "total").matches("PUT !1")
        (True, False)
        """
        _, text, _ = self._parts(label)
        if self.mode in ("gate", "total"):
            return self._regular.matches(text)
        return self._regular.occurs(text)

    def renamed(self, label: str, new: str) -> str | None:
        """Return what becomes of a label by the new text, with `\\1` for groups; None: no match.

        >>> Pattern(r"PUT \\(.*\\)", "total").renamed("PUT !1", r"GET \\1")
        'GET !1'
        """

        def filled(groups: list[str]) -> str:
            return re.sub(
                r"\\([0-9\\])", lambda m: "\\" if m[1] == "\\" else groups[int(m[1])], new
            )

        prefix, text, rest = self._parts(label)
        if self.mode in ("gate", "total"):
            found = self._regular.whole(text)
            return None if found is None else prefix + filled(found) + rest
        if not self._regular.occurs(text):
            return None
        return self._regular.replaced(text, filled, count=0 if self.mode == "multiple" else 1)

    def _parts(self, label: str) -> tuple[str, str, str]:
        """Return what the pattern is held against, what stands before it, and what behind."""
        if self.mode != "gate":
            return "", plain_quotes(label), ""
        start = len(CO_ACTION) if self.co and label.startswith(CO_ACTION) else 0
        end = max(start, _gate_end(label))
        return label[:start], plain_quotes(label[start:end]), label[end:]

    @property
    def groups(self) -> int:
        """How many groups it has, for the new text of a renaming."""
        return self._regular.groups

    @property
    def has_offers(self) -> bool:
        """Whether its text has what no gate has."""
        return has_offers(self.text if self.plain else re.sub(r"\\.", "", self.text))


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


def _translated(text: str) -> str:
    """Return a basic regular expression as one of the engine's; raise `LtsError` for none."""
    found: list[str] = []
    at = 0
    while at < len(text):
        one = text[at]
        if one == "\\" and at + 1 < len(text):
            two = text[at + 1]
            repeated = _REPEATED.match(text, at)
            at += 2
            if repeated is not None:
                least, comma, most = repeated.groups()
                found.append(f"{{{least or 0}{comma}{most}}}")
                at = repeated.end()
            elif two in "()":
                found.append(two)
            elif two in "123456789":
                raise LtsError(rf"`\{two}` in an expression is not read: no automaton matches it")
            elif two in "<>":
                # The crate has these for ASCII letters, digits and `_`, as the tools of CADP do.
                found.append(rf"(?-u:\{two})")
            elif two in "{}":
                raise LtsError(rf"`\{two}` stands alone")
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
            found.append(r"\*" if first else "*")
        elif one == "^" and first:
            found.append("^")
        elif one == "$" and (at == len(text) or text.startswith("\\)", at)):
            found.append(r"\z")
        else:
            found.append(literal(one))
    return "".join(found)


def _bracket(text: str) -> str:
    """Return a bracket expression of POSIX as the engine has it: a backslash is itself there."""
    start = 2 if text.startswith("[^") else 1
    shown = []
    for match in re.finditer(r"\[:(\w+):\]|(.)-(.)|(.)", text[start:-1], re.DOTALL):
        name, first, last, alone = match.groups()
        if name is not None:
            if name not in _CLASSES:
                raise LtsError(f"there is no class `[:{name}:]`")
            shown.append(_CLASSES[name])
        elif first is not None:
            shown.append(f"{literal(first)}-{literal(last)}")
        else:
            shown.append(literal(alone))
    return text[:start] + "".join(shown) + "]"

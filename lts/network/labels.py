"""Label patterns, as CADP's tools have them: what of a label they match, and what becomes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lts.network.language import CO_ACTION
from lts.network.matching import Matcher, matcher
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
    _matcher: Matcher = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_matcher", matcher(self.text, plain=self.plain))

    def matches(self, label: str) -> bool:
        """Whether a label matches.

        >>> Pattern("PUT", "gate").matches("PUT !1"), Pattern("PUT", "total").matches("PUT !1")
        (True, False)
        """
        _, text, _ = self._parts(label)
        if self.mode in ("gate", "total"):
            return self._matcher.matches(text)
        return self._matcher.occurs(text)

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
            found = self._matcher.whole(text)
            return None if found is None else prefix + filled(found) + rest
        if not self._matcher.occurs(text):
            return None
        return self._matcher.replaced(text, filled, count=0 if self.mode == "multiple" else 1)

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
        return self._matcher.groups

    @property
    def has_offers(self) -> bool:
        """Whether its text has what no gate has."""
        return has_offers(self.text if self.plain else re.sub(r"\\.", "", self.text))

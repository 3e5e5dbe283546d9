"""Label patterns as in CADP's tools: what of a label they match, and how they rename it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lts.base.label_names import read_actions
from lts.network.language import CO_ACTION
from lts.network.matching import Matcher, matcher
from lts.text.source import Place

__all__ = ["MODES", "Pattern", "gate_of", "has_offers", "offers_of", "plain_quotes"]

MODES = ("total", "partial", "gate", "single", "multiple")
"""What a pattern matches: the whole label, some part of it, or its gate; `single` and `multiple`
rename the first matching part, or all of them."""


def gate_of(label: str) -> str:
    """Return the gate of a label: the text before the first blank, offer or round bracket; that of
    a multi-action is all of it.

    >>> gate_of("PUT !1 !TRUE"), gate_of("put(1)"), gate_of("p[1].x"), gate_of("get(0)|put(0)")
    ('PUT', 'put', 'p[1].x', 'get(0)|put(0)')
    """
    return label[: _gate_end(label)]


def offers_of(label: str) -> str:
    """Return the text after the gate of a label.

    >>> offers_of("PUT !1 !TRUE"), offers_of("put(1)")
    (' !1 !TRUE', '(1)')
    """
    return label[_gate_end(label) :]


def _gate_end(label: str) -> int:
    if "|" in label and len(read_actions(label)) > 1:
        return len(label)
    found = _OFFERS.search(label)
    return len(label) if found is None else found.start()


def has_offers(label: str) -> bool:
    """Whether a label is more than its gate."""
    return _gate_end(label) < len(label)


def plain_quotes(label: str) -> str:
    """Return a label without the backslashes before quotation marks that some files have."""
    return label.replace('\\"', '"')


_OFFERS = re.compile(r"[!?( \t]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern for labels, with one of `MODES`.

    If `plain`, it is a name, not a regular expression. With `co`, it is matched without the prefix
    of co-actions, which renaming preserves. `place` is its place in the text.
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
        """Return the renamed label, with groups for `\\1` and so on; None if it does not match.

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
        """Return the text of a label before, inside and after the part that the pattern is matched
        with."""
        if self.mode != "gate":
            return "", plain_quotes(label), ""
        start = len(CO_ACTION) if self.co and label.startswith(CO_ACTION) else 0
        end = max(start, _gate_end(label))
        return label[:start], plain_quotes(label[start:end]), label[end:]

    @property
    def groups(self) -> int:
        """The number of its groups, to which renamings may refer."""
        return self._matcher.groups

    @property
    def has_offers(self) -> bool:
        """Whether its text contains characters that no gate has."""
        return has_offers(self.text if self.plain else re.sub(r"\\.", "", self.text))

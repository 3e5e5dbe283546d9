"""Suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

__all__ = ["near"]

_MOST_COMPARED = 2000
"""Most known names that a misspelt one is compared with, since comparing is slow."""


def near(name: str, known: Iterable[str]) -> str:
    """Return a question that suggests the most similar known name; empty if none is similar."""
    import difflib

    alike = (
        other
        for other in dict.fromkeys(known)
        if abs(len(other) - len(name)) <= 3
        and (other[:1].lower() == name[:1].lower() or other[-1:] == name[-1:])
    )
    found = difflib.get_close_matches(name, [*islice(alike, _MOST_COMPARED)], n=1)
    if not found:
        found = [other for other in known if other.lower() == name.lower()][:1]
    return f"; did you mean `{found[0]}`?" if found else ""

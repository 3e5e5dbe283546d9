"""Where in a text stands what an error is about."""

from __future__ import annotations

from lts.mucrl.static.declarations import Sorts
from lts.mucrl.text import tree
from lts.text.source import Place

__all__ = ["first_difference", "first_use"]


def first_difference(arguments: tuple[tree.Term, ...], given: Sorts, wanted: Sorts) -> Place:
    """Return the place of the first argument whose sort is not the one wanted."""
    differ = (a for a, g, w in zip(arguments, given, wanted, strict=True) if g != w)
    return next(differ).name.place


def first_use(term: tree.Term, name: str) -> Place:
    """Return the first place where a variable stands in a term in which it occurs."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if not part.arguments and part.name == name:
            return part.name.place
        waiting.extend(reversed(part.arguments))
    raise AssertionError(name)

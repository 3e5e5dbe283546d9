"""Finds the exact place of an error in a text."""

from __future__ import annotations

from lts.mucrl.static.declarations import Sorts
from lts.mucrl.text import tree
from lts.text.source import Place

__all__ = ["first_difference", "first_use"]


def first_difference(arguments: tuple[tree.Term, ...], given: Sorts, expected: Sorts) -> Place:
    """Return the place of the first argument whose sort differs from the expected one."""
    differ = (a for a, g, w in zip(arguments, given, expected, strict=True) if g != w)
    return next(differ).name.place


def first_use(term: tree.Term, name: str) -> Place:
    """Return the place of the first occurrence of a variable in a term that contains it."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if not part.arguments and part.name == name:
            return part.name.place
        waiting.extend(reversed(part.arguments))
    raise AssertionError(name)

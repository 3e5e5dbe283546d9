"""Vacuous fairness assumptions: they name actions that no label has, or no path satisfies them.

Where no path from a state satisfies the assumption, every `A` is true and no `E` is: that is no
answer to the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from lts.errors import LimitReached, LtsError
from lts.logic.nodes import PATHS, Formula

__all__ = ["Assumed", "is_vacuous"]

_FROM_HERE = "E true"
_FROM_ANYWHERE = "<true*>E true"

Assumed = Callable[[str], tuple[Formula, Callable[[], bool]]]
"""Returns a formula under a fairness assumption, and what decides it."""


def is_vacuous(checked: tuple[Formula, bool], unknown: Collection[str], assumed: Assumed) -> bool:
    """Whether no path from the initial state satisfies the assumption under which a formula was
    `checked`, with the given answer; False if limits stop the search for such a path.

    `unknown` are the actions in formula and assumption that no label is. Raises `LtsError` for one
    in the assumption, or if no path from any state satisfies it.
    """
    some_path, is_from_here = assumed(_FROM_HERE)
    if absent := [each.plain for each in some_path.named if each.plain in unknown]:
        named = ", ".join(f"`{action}`" for action in dict.fromkeys(absent))
        raise LtsError(f"the fairness assumption is about what never happens: no label is {named}")
    formula, holds = checked
    if holds == _shown_by_a_path(formula):
        return False
    try:
        if is_from_here():
            return False
        _, is_from_anywhere = assumed(_FROM_ANYWHERE)
        if is_from_anywhere():
            return True
    except LimitReached:
        return False
    raise LtsError("no path satisfies the fairness assumption, so every `A` would hold and no `E`")


def _shown_by_a_path(formula: Formula) -> bool | None:
    """The answer that a single path shows; None if there is none."""
    root, answer = formula.root, True
    while formula.nodes[root][0] == "not":
        root, answer = formula.nodes[root][2][0], not answer
    operator = formula.nodes[root][0]
    return (operator == "some") == answer if operator in PATHS else None

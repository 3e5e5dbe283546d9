"""Sizes of systems and of their components."""

from __future__ import annotations

from typing import NamedTuple

from lts.base.bounds import NUMBERED_STATES, NUMBERED_TRANSITIONS
from lts.errors import LimitReached

__all__ = ["Components", "refuse_large"]


class Components(NamedTuple):
    """Strongly connected components by size: pairs of a size and the number of components that have
    it, largest size first.

    `cyclic` are those that contain a cycle, possibly a loop; `terminal` those that no transition
    leaves. A terminal component without a cycle is a deadlock.
    """

    sizes: tuple[tuple[int, int], ...]
    cyclic: tuple[tuple[int, int], ...]
    terminal: tuple[tuple[int, int], ...]


def refuse_large(states: int, transitions: int) -> None:
    """Raise `LimitReached` for more states or transitions than the engine can number."""
    for count, bound in ((states, NUMBERED_STATES), (transitions, NUMBERED_TRANSITIONS)):
        if count > bound.default:
            raise LimitReached(
                f"{count} {bound.what} are too many: at most {bound.default} are supported",
                limit=bound.default,
                found={"states": states, "transitions": transitions},
            )

"""Sizes of systems and of their components."""

from __future__ import annotations

from dataclasses import dataclass

from lts.errors import LimitReached

__all__ = ["Components", "refuse_large"]


@dataclass(frozen=True, slots=True)
class Components:
    """Strongly connected components by size: pairs of a size and the number of components that have
    it, largest size first.

    `cyclic` are those that contain a cycle, possibly a loop; `terminal` those that no transition
    leaves. A terminal component without a cycle is a deadlock.
    """

    sizes: tuple[tuple[int, int], ...]
    cyclic: tuple[tuple[int, int], ...]
    terminal: tuple[tuple[int, int], ...]


MOST_STATES, MOST_TRANSITIONS = 2**31 - 1, 2**32 - 2
"""Limits of engine algorithms that store additional bits with state and transition numbers."""


def refuse_large(states: int, transitions: int) -> None:
    """Raise `LimitReached` for more states or transitions than the engine can number."""
    for count, most, what in (
        (states, MOST_STATES, "states"),
        (transitions, MOST_TRANSITIONS, "transitions"),
    ):
        if count > most:
            raise LimitReached(
                f"{count} {what} are too many: at most {most} are supported",
                limit=most,
                found={"states": states, "transitions": transitions},
            )

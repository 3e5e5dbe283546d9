"""How large systems and their components are."""

from __future__ import annotations

from dataclasses import dataclass

from lts.errors import LimitReached

__all__ = ["Components", "refuse_large"]


@dataclass(frozen=True, slots=True)
class Components:
    """Strongly connected components by size: pairs of a size and how many have it, largest first.

    `cyclic` are those that have a cycle, if only a loop; `terminal` those that no transition
    leaves. One that is terminal and has no cycle is a deadlock.
    """

    sizes: tuple[tuple[int, int], ...]
    cyclic: tuple[tuple[int, int], ...]
    terminal: tuple[tuple[int, int], ...]


MOST_STATES, MOST_TRANSITIONS = 2**31 - 1, 2**32 - 2
"""What the engine can number in algorithms that keep something more with each."""


def refuse_large(states: int, transitions: int) -> None:
    """Raise `LimitReached` where there is more than the engine can number."""
    for count, most, what in (
        (states, MOST_STATES, "states"),
        (transitions, MOST_TRANSITIONS, "transitions"),
    ):
        if count > most:
            raise LimitReached(
                f"{count} {what} are more than can be numbered: at most {most}",
                limit=most,
                found={"states": states, "transitions": transitions},
            )

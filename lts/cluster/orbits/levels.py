"""Levels of orbits: as those of a generation, with what orbits stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from lts.cluster import levels
from lts.cluster.levels import Levels
from lts.cluster.worker import Settled

__all__ = ["OrbitLevels"]

FIRST = 1 << 12
"""About so many steps of each partition are under way at a time, until it is known how long that
takes."""

TIME = 0.5
"""Seconds that a piece of a level takes, about: images of states may take long."""


@dataclass(slots=True)
class OrbitLevels(Levels):
    """The levels of orbits that were explored so far."""

    original: tuple[int, int, int] = (0, 0, 0)
    """States, transitions and deadlocks that orbits stand for."""

    def __post_init__(self) -> None:
        self.steps = min(FIRST, levels.STEPS)

    def more(self, settled: Sequence[Settled]) -> dict[str, Any]:
        """Return what else a level added."""
        return {"original": [sum(one.original[place] for one in settled) for place in range(3)]}

    def add(self, level: dict[str, Any]) -> None:
        """Add a level, or a piece of it, that was explored."""
        Levels.add(self, level)
        before, (states, transitions, deadlocks) = self.original, level["original"]
        self.original = (before[0] + states, before[1] + transitions, before[2] + deadlocks)

    def explore_in_time(self) -> dict[str, Any]:
        """Explore as `explore` does; more at a time, or less, if that was soon, or late."""
        begun = monotonic()
        level = self.explore()
        took = monotonic() - begun
        if took > 2 * TIME:
            self.steps = max(1, self.steps // 2)
        elif took < TIME / 2:
            self.steps = min(levels.STEPS, 2 * self.steps)
        return level

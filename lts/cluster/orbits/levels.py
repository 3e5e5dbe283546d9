"""Levels of orbits: like those of a generation, with the sizes of the orbits."""

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
"""Approximate number of steps of each partition processed at a time, until their speed is known."""

TIME = 0.5
"""Approximate duration of a chunk of a level, in seconds: images of states may take long."""


@dataclass(slots=True)
class OrbitLevels(Levels):
    """The levels of orbits explored so far."""

    original: tuple[int, int, int] = (0, 0, 0)
    """Numbers of states, transitions and deadlocks in the orbits."""

    def __post_init__(self) -> None:
        self.steps = min(FIRST, levels.STEPS)

    def more(self, settled: Sequence[Settled]) -> dict[str, Any]:
        """Return what else a level added."""
        return {
            "original": [sum(answer.original[place] for answer in settled) for place in range(3)]
        }

    def add(self, level: dict[str, Any]) -> None:
        """Add an explored level, or a chunk of one."""
        Levels.add(self, level)
        before, (states, transitions, deadlocks) = self.original, level["original"]
        self.original = (before[0] + states, before[1] + transitions, before[2] + deadlocks)

    def explore_in_time(self) -> dict[str, Any]:
        """Explore as `explore` does, and adapt the size of the next chunk to the time this one
        took."""
        begun = monotonic()
        level = self.explore()
        took = monotonic() - begun
        if took > 2 * TIME:
            self.steps = max(1, self.steps // 2)
        elif took < TIME / 2:
            self.steps = min(levels.STEPS, 2 * self.steps)
        return level

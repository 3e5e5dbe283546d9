"""Operators of CTL on a graph of markings, by search backwards along its steps.

Paths are maximal: they are infinite or end in a deadlock. A set of markings is an array of truth
values. E [f U g] are the markings with a path through f to g; E G f is computed from f by removing,
one after the other, markings that are no deadlocks and have no step to a remaining marking (Clarke,
Emerson, Sistla: Automatic verification of finite-state concurrent systems using temporal logic
specifications, 1986). Each step is visited once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lts.system.adjacency import Adjacency
from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy.typing as npt

    Truths = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.intp]

__all__ = ["Predecessors"]

MANY = 16
"""One in so many markings are counted for all markings at once, which takes less time than to sort
them."""


class Predecessors:
    """The steps between markings, ordered by their targets."""

    def __init__(self, system: LTS) -> None:
        source, count = np.asarray(system.source), system.state_count
        incoming = Adjacency(system.target, system.label, source, system.labels, count)
        self._sources, self._starts = source[incoming.order], incoming.starts
        self._steps = np.bincount(source, minlength=count)

    def of(self, markings: Numbers) -> Numbers:
        """Return where the steps into some markings begin, as often as there are steps."""
        first, past = self._starts[markings], self._starts[markings + 1]
        counts = past - first
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        found: Numbers = self._sources[np.repeat(first, counts) + within].astype(np.intp)
        return found

    def counted(self, markings: Numbers) -> tuple[Numbers, Numbers]:
        """Return the distinct ones of some markings, and how often each occurs."""
        if len(markings) < len(self._steps) // MANY:
            return np.unique(markings, return_counts=True)
        counts = np.bincount(markings, minlength=len(self._steps))
        distinct = np.flatnonzero(counts)
        return distinct, counts[distinct]

    def until(self, before: Truths, goal: Truths) -> Truths:
        """Return from where some path reaches the goal, through markings in `before`."""
        found = goal.copy()
        new = np.flatnonzero(goal)
        while len(new):
            sources = self.of(new)
            new, _ = self.counted(sources[before[sources] & ~found[sources]])
            found[new] = True
        return found

    def always(self, holds: Truths) -> Truths:
        """Return from where some maximal path stays in `holds`."""
        found = holds.copy()
        # How many steps lead to markings that remain.
        left = self._steps.copy()
        is_last = left == 0
        removed = np.flatnonzero(~holds)
        while len(removed):
            sources, counts = self.counted(self.of(removed))
            left[sources] -= counts
            removed = sources[found[sources] & (left[sources] == 0) & ~is_last[sources]]
            found[removed] = False
        return found

"""Which parts to put together next.

Smart reduction, after Crouzen and Lang (FASE 2011), who choose by how much of the composition can
be hidden and how much only interleaves, as Tai and Koppol (1993) did before. Of every two parts
that have a vector in common it is estimated, from the numbers of their transitions, how many their
product has: in how many both take part and nobody else, hidden; in how many only one of them. The
share of the former less that of the latter is largest for the two that are put together; then the
product of their states decides, then how many components they have.
"""

from __future__ import annotations

from heapq import heappop, heappush

from lts.network.network import TAU
from lts.network.parts import Parts

__all__ = ["Chooser"]

_WIDE = 16
"""Components of a vector of which every two are looked at."""


class Chooser:
    """Chooses pairs of parts, the best first."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.heap: list[tuple[float, int, int, tuple[int, int]]] = []
        for part in parts.parts:
            self.met(part, later=True)

    def met(self, part: int, *, later: bool = False) -> None:
        """Take in a part, with all that it has vectors with; with `later` those behind it."""
        parts = self.parts
        shared: dict[int, list[int]] = {}
        for vector in parts.vectors_of[part]:
            others = sorted(parts.vectors[vector][0])
            if len(others) > _WIDE:
                # Those next to it, one of which is put together with it sooner or later.
                place = others.index(part)
                others = others[max(place - 1, 0) : place + 2]
            for other in others:
                if other != part and not (later and other < part):
                    shared.setdefault(other, []).append(vector)
        for other, vectors in shared.items():
            heappush(self.heap, self._rated(min(part, other), max(part, other), vectors))

    def best(self) -> tuple[int, int]:
        """Return the next two; where nothing is synchronised the two with the fewest states."""
        parts = self.parts.parts
        while self.heap:
            pair = heappop(self.heap)[-1]
            if pair[0] in parts and pair[1] in parts:
                return pair
        one, other = sorted(parts, key=lambda p: (parts[p].shape.system.state_count, p))[:2]
        return one, other

    def _rated(
        self, one: int, other: int, vectors: list[int]
    ) -> tuple[float, int, int, tuple[int, int]]:
        """Return how good a pair is, the least the best."""
        parts = self.parts.parts
        left, right = parts[one].shape, parts[other].shape
        states = left.system.state_count, right.system.state_count
        joint: dict[tuple[int, int], bool] = {}
        for vector in vectors:
            slots, result = self.parts.vectors[vector]
            pair = slots[one], slots[other]
            # Hidden if all that may happen with it is.
            hidden = len(slots) == 2 and result == TAU
            joint[pair] = joint.get(pair, True) and hidden
        together = hiding = 0
        for (a, b), hidden in joint.items():
            count = left.counts[a] * right.counts[b]
            together += count
            hiding += count * hidden
        alone = 0
        for shape, place, number in ((left, 0, states[1]), (right, 1, states[0])):
            synchronised = sum(shape.counts[slot] for slot in {pair[place] for pair in joint})
            alone += (sum(shape.counts) - synchronised) * number
        total = max(together + alone, 1)
        size = states[0] * states[1]
        members = len(parts[one].members) + len(parts[other].members)
        return (alone - hiding) / total, size, members, (one, other)

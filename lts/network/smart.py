"""Chooses which parts to merge next.

Smart reduction, after Crouzen and Lang (FASE 2011), who choose by how much of a composition can be
hidden and how much only interleaves, as did Tai and Koppol (1993). The candidates are all pairs of
parts with a common vector, and all parts of a vector, if they are at most `MOST`: the vector can
only be hidden once all of them are merged. For each candidate, the number of transitions of its
product is estimated from the current numbers of states and transitions: those in which several of
its parts and no others take part, and which are hidden, and those of a single part. The candidate
with the largest share of the former minus the latter is merged; ties are broken by the product of
the numbers of states, then by the number of components.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from math import prod

from lts.network.network import TAU
from lts.network.parts import Parts

__all__ = ["MOST", "Chooser", "rated"]

MOST = 4
"""Most parts that are merged at once."""
_MOST_BY_VECTOR = 16
"""Vectors with more parts than this contribute only pairs of neighbours."""

Rating = tuple[float, int, int]
"""The rating of a candidate; the least is the best."""


class Chooser:
    """Chooses the next parts to merge, the best first."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.heap: list[tuple[Rating, int, tuple[int, ...]]] = []
        for part in parts.parts:
            self.add(part, later=True)

    def add(self, part: int, *, later: bool = False) -> None:
        """Add a part and its candidates; with `later`, only those with parts after it."""
        found: dict[tuple[int, ...], None] = {}
        for vector in self.parts.vectors_of[part]:
            others = sorted(self.parts.vectors[vector][0])
            if 2 < len(others) <= MOST:
                found[tuple(others)] = None
            if len(others) > _MOST_BY_VECTOR:
                # Its neighbours suffice: it will be merged with one of them sooner or later.
                place = others.index(part)
                others = others[max(place - 1, 0) : place + 2]
            for other in others:
                if other != part:
                    found[min(part, other), max(part, other)] = None
        for chosen in found:
            if not later or chosen[0] == part:
                heappush(self.heap, (rated(self.parts, chosen), len(chosen), chosen))

    def best(self) -> Sequence[int]:
        """Return the next parts; if none synchronise, the two with the fewest states."""
        parts = self.parts.parts
        while self.heap:
            chosen = heappop(self.heap)[-1]
            if all(part in parts for part in chosen):
                return chosen
        return sorted(parts, key=lambda p: (parts[p].shape.system.state_count, p))[:2]


def rated(parts: Parts, chosen: Collection[int]) -> Rating:
    """Return the rating of merging some parts."""
    shapes = [parts.parts[part].shape for part in chosen]
    states = [shape.system.state_count for shape in shapes]
    joint: dict[tuple[int | None, ...], bool] = {}
    # Common vectors of several parts are found from all parts but one.
    few = sorted((parts.vectors_of[part] for part in chosen), key=len)[:-1]
    for vector in set().union(*few):
        slots, result = parts.vectors[vector]
        inside = tuple(slots.get(part) for part in chosen)
        taking_part = len(inside) - inside.count(None)
        if taking_part > 1:
            # A combination is hidden if all its vectors are.
            hidden = len(slots) == taking_part and result == TAU
            joint[inside] = joint.get(inside, True) and hidden
    together = hiding = 0
    for inside, hidden in joint.items():
        count = prod(
            states[place] if slot is None else shapes[place].counts[slot]
            for place, slot in enumerate(inside)
        )
        together += count
        hiding += count * hidden
    alone = 0
    size = prod(states)
    for place, shape in enumerate(shapes):
        synchronised = {inside[place] for inside in joint} - {None}
        others = size // max(states[place], 1)
        counts = sum(count for slot, count in enumerate(shape.counts) if slot not in synchronised)
        alone += counts * others
    members = sum(len(parts.parts[part].members) for part in chosen)
    return (alone - hiding) / max(together + alone, 1), size, members

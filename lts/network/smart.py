"""Which parts to put together next.

Smart reduction, after Crouzen and Lang (FASE 2011), who choose by how much of the composition can
be hidden and how much only interleaves, as Tai and Koppol (1993) did before. What is looked at are
every two parts that have a vector in common, and the parts of a vector, up to `MOST` of them: it
can be hidden only once all of these are together. Of such a set it is estimated, from the numbers
of states and transitions that its parts have now, how many transitions their product has: in how
many several of them take part and nobody else, hidden; in how many only one of them does. The share
of the former less that of the latter is largest for the set that is put together; then the product
of their states decides, then how many components they have.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from math import prod

from lts.network.network import TAU
from lts.network.parts import Parts

__all__ = ["MOST", "Chooser", "rated"]

MOST = 4
"""Parts that are put together at once, at most."""
_WIDE = 16
"""Components of a vector of which every two are looked at."""

Rating = tuple[float, int, int]
"""How good it is to put some parts together, the least the best."""


class Chooser:
    """Chooses sets of parts, the best first."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.heap: list[tuple[Rating, int, tuple[int, ...]]] = []
        for part in parts.parts:
            self.add(part, later=True)

    def add(self, part: int, *, later: bool = False) -> None:
        """Take in a part, with all that it has vectors with; with `later` those behind it."""
        found: dict[tuple[int, ...], None] = {}
        for vector in self.parts.vectors_of[part]:
            others = sorted(self.parts.vectors[vector][0])
            if 2 < len(others) <= MOST:
                found[tuple(others)] = None
            if len(others) > _WIDE:
                # Those next to it, one of which is put together with it sooner or later.
                place = others.index(part)
                others = others[max(place - 1, 0) : place + 2]
            for other in others:
                if other != part:
                    found[min(part, other), max(part, other)] = None
        for chosen in found:
            if not later or chosen[0] == part:
                heappush(self.heap, (rated(self.parts, chosen), len(chosen), chosen))

    def best(self) -> Sequence[int]:
        """Return the next ones; where nothing is synchronised the two with the fewest states."""
        parts = self.parts.parts
        while self.heap:
            chosen = heappop(self.heap)[-1]
            if all(part in parts for part in chosen):
                return chosen
        return sorted(parts, key=lambda p: (parts[p].shape.system.state_count, p))[:2]


def rated(parts: Parts, chosen: Collection[int]) -> Rating:
    """Return how good it is to put some parts together."""
    shapes = [parts.parts[part].shape for part in chosen]
    states = [shape.system.state_count for shape in shapes]
    joint: dict[tuple[int | None, ...], bool] = {}
    # What several take part in is known of all of them but one.
    few = sorted((parts.vectors_of[part] for part in chosen), key=len)[:-1]
    for vector in set().union(*few):
        slots, result = parts.vectors[vector]
        inside = tuple(slots.get(part) for part in chosen)
        taking_part = len(inside) - inside.count(None)
        if taking_part > 1:
            # Hidden if all that may happen with it is.
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

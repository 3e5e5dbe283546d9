"""Step-by-step simulation of a net: markings are computed on demand, shown by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lts import _engine
from lts.petri.grounding import GroundNet
from lts.petri.net import Class
from lts.petri.process import process_of
from lts.simulation import ComponentState, Simulation

__all__ = ["NetSimulation", "simulate"]


def simulate(net: GroundNet) -> NetSimulation:
    """Return a simulation of a net."""
    return NetSimulation(net)


class NetSimulation(Simulation):
    """A simulation of a net."""

    def __init__(self, net: GroundNet) -> None:
        self.net = net
        super().__init__(self._begun([]))

    def _begun(self, grown: Sequence[int]) -> _engine.Walk:
        return _engine.Walk.of_process(process_of(self.net), 1, grown)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_grown": self._walk.grown()}

    def _walk_again(self) -> None:
        self._walk = self._begun(self.__dict__.pop("_grown"))

    def components(self, state: int) -> tuple[ComponentState, ...]:
        """Return the tokens of every place that has some: their number or, by colour, numbers."""
        found: dict[str, dict[str, str | None]] = {}
        for (place, colour), count in zip(self.net.spots, self._walk.values(state), strict=True):
            own = found.setdefault(place, {})
            if count != b"0":
                sort = self.net.net.places[place].sort
                is_plain = isinstance(sort, Class) and len(sort) == 1
                own["tokens" if is_plain else sort.shown(colour)] = count.decode()
        return tuple(
            ComponentState(place, None if not own else "", "" if own else None, own)
            for place, own in found.items()
        )

    def positions(self) -> list[tuple[int, ...]]:
        """Return for every place the positions of its colours in the markings."""
        found: dict[str, tuple[int, ...]] = {}
        for number, (place, _) in enumerate(self.net.spots):
            found[place] = (*found.get(place, ()), number)
        return list(found.values())

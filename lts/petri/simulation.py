"""Step-by-step simulation of a net: markings are computed on demand, shown by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lts._engine as _engine
from lts.petri.grounding import GroundNet
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
        """Return for every place the number of its tokens, and the number of each colour among
        them."""
        tokens = dict.fromkeys((place for place, _ in self.net.spots), 0)
        colours: dict[str, dict[str, str | None]] = {place: {} for place in tokens}
        for (place, colour), count in zip(self.net.spots, self._walk.values(state), strict=True):
            tokens[place] += int(count)
            sort = self.net.net.places[place].sort
            if int(count) and len(sort) > 1:
                colours[place][sort.shown(colour)] = count.decode()
        return tuple(
            ComponentState(place, f"{count} token{'s' * (count != 1)}", "", colours[place])
            for place, count in tokens.items()
        )

    def positions(self) -> list[tuple[int, ...]]:
        """Return for every place the positions of its colours in the markings."""
        found: dict[str, tuple[int, ...]] = {}
        for number, (place, _) in enumerate(self.net.spots):
            found[place] = (*found.get(place, ()), number)
        return list(found.values())

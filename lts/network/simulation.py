"""Step-by-step simulation of a network: states are computed on demand, shown by component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lts._engine as _engine
from lts.network.exploration import process_of
from lts.network.network import Network
from lts.simulation import ComponentState, Simulation

__all__ = ["NetworkSimulation", "simulate"]


def simulate(network: Network) -> NetworkSimulation:
    """Return a simulation of a network."""
    return NetworkSimulation(network)


class NetworkSimulation(Simulation):
    """A simulation of a network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        super().__init__(self._begun([]))

    def _begun(self, grown: Sequence[int]) -> _engine.Walk:
        return _engine.Walk.of_process(process_of(self.network), 1, grown)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_grown": self._walk.grown()}

    def _walk_again(self) -> None:
        self._walk = self._begun(self.__dict__.pop("_grown"))

    def components(self, state: int) -> tuple[ComponentState, ...]:
        """Return the state of every component; its position is the state's number."""
        states = self._walk.components_of(state)
        return tuple(
            ComponentState(name, str(number), None, {})
            for name, number in zip(self.network.names, states, strict=True)
        )

    def positions(self) -> list[tuple[int, ...]]:
        """Return for every component its position in the vectors."""
        return [(number,) for number in range(len(self.network.names))]

    def number_of(self, states: Sequence[int]) -> int | None:
        """Return the state of the network with these component states, if it was visited."""
        return self._walk.number_of(states)

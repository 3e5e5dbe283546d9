"""A network as a source of states."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import lts._engine as _engine
from lts.network.exploration import explore, process_of
from lts.network.network import Network
from lts.simulation import Simulation
from lts.source import Source
from lts.state_space.generation import Generation, Output
from lts.state_space.settings import Goals, Limits, Settings, limit_errors

if TYPE_CHECKING:
    from lts.network.symmetry.found import NetworkSymmetries

__all__ = ["NetworkSource"]


class NetworkSource(Source):
    """A network as a source of states."""

    title = "a network"

    def __init__(self, network: Network) -> None:
        self.network = network

    @property
    def actions(self) -> Collection[str]:
        return self.network.actions

    def explore(self, settings: Settings, goals: Goals, output: Output) -> Generation:
        return explore(self.network, settings, goals, output=output)

    def simulate(self, max_values: int) -> Simulation:
        from lts.network.simulation import simulate

        return simulate(self.network)

    def in_partitions(
        self, *, check: bool, groups: Sequence[Sequence[int]] = ()
    ) -> _engine.Process:
        assert not check, "a network has no values"
        return process_of(self.network, constants=True)

    def errors(self, limits: Limits) -> AbstractContextManager[None]:
        return limit_errors(limits)

    def symmetries(self, *, any_labels: bool) -> NetworkSymmetries:
        from lts.network.symmetry.found import symmetries

        return symmetries(self.network, any_labels=any_labels)

    def fingerprint(self) -> dict[str, Any]:
        found = hashlib.sha256(repr(self.network.vectors).encode("utf-8", "surrogateescape"))
        for system in self.network.components:
            found.update(repr((system.initial, system.state_count, system.labels)).encode())
            for column in (system.source, system.label, system.target):
                found.update(column.tobytes())
        return {"network": found.hexdigest()}

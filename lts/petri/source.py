"""A net without variables as a source of states."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any

import lts._engine as _engine
from lts.errors import LtsError
from lts.petri.exploration import explore
from lts.petri.grounding import GroundNet
from lts.petri.process import labels_of, process_of
from lts.petri.symmetry import NetAction, action_of
from lts.simulation import Simulation
from lts.source import Source
from lts.state_space.generation import Generation, Output
from lts.state_space.settings import Goals, Limits, Settings, limit_errors

__all__ = ["NetSource"]


class NetSource(Source):
    """A net without variables as a source of states."""

    title = "a net"

    def __init__(self, net: GroundNet) -> None:
        self.net = net

    @property
    def actions(self) -> Collection[str]:
        return self.net.net.actions

    def explore(self, settings: Settings, goals: Goals, output: Output) -> Generation:
        return explore(self.net, settings, goals, output=output)

    def simulate(self, max_values: int) -> Simulation:
        from lts.petri.simulation import simulate

        return simulate(self.net)

    def in_partitions(
        self, *, check: bool, groups: Sequence[Sequence[int]] = ()
    ) -> _engine.Process:
        assert not check, "a net has no values"
        return process_of(self.net, labels=labels_of(self.net))

    def errors(self, limits: Limits) -> AbstractContextManager[None]:
        return limit_errors(limits)

    def symmetries(self, *, any_labels: bool) -> NetAction:
        if any_labels:
            raise LtsError("any_labels applies to LTSs and networks, not to a net")
        return action_of(self.net)

    def fingerprint(self) -> dict[str, Any]:
        net = self.net
        labels = [transition.label for transition in net.net.transitions]
        parts = (net.net.name, labels, net.spots, net.initial, net.firings)
        found = hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape"))
        return {"net": found.hexdigest()}

"""A linear process as a source of states."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import lts._engine as _engine
from lts.errors import LtsError
from lts.linear.process import LinearProcess
from lts.source import Source
from lts.state_space.encode import Encoder
from lts.state_space.generation import Generation, Output, evaluation_errors, explore
from lts.state_space.settings import Goals, Limits, Settings

if TYPE_CHECKING:
    from lts.simulation import Simulation
    from lts.symmetry.data.find.search import Found

__all__ = ["ProcessSource"]


class ProcessSource(Source):
    """A linear process as a source of states."""

    title = "a specification"
    has_values = True

    def __init__(self, process: LinearProcess) -> None:
        self._process = process

    @property
    def process(self) -> LinearProcess:
        return self._process

    @property
    def actions(self) -> Collection[str]:
        return {action.name for action in self.process.specification.actions}

    def explore(self, settings: Settings, goals: Goals, output: Output) -> Generation:
        return explore(self.process, settings, goals, output=output)

    def simulate(self, max_values: int) -> Simulation:
        from lts.state_space.simulation import simulate

        return simulate(self.process, max_values=max_values)

    def in_partitions(
        self, *, check: bool, groups: Sequence[Sequence[int]] = ()
    ) -> _engine.Process:
        encoder = Encoder(self.process)
        process = encoder.linear_process(groups)
        if check:
            unset = self.process.unset.values()
            process.check_values([encoder.symbols[term.function] for term in unset])
        return process

    def errors(self, limits: Limits) -> AbstractContextManager[None]:
        return evaluation_errors(self.process, limits)

    def symmetries(self, *, any_labels: bool) -> Found:
        if any_labels:
            raise LtsError("any_labels applies to LTSs and networks, not to a specification")
        from lts.symmetry.data.find.search import find_in_specification

        return find_in_specification(self._process)

    def fingerprint(self) -> dict[str, Any]:
        encoder = Encoder(self.process)
        initial = [encoder.term(term) for term in self.process.initial]
        encoded = encoder.alternatives()
        parts: list[object] = [encoder.declared(), encoded, initial, self.process.stacks]
        if (simultaneous := encoder.simultaneous(encoded)) is not None:
            parts.append(simultaneous)
        import hashlib

        return {"specification": hashlib.sha256(repr(tuple(parts)).encode()).hexdigest()}

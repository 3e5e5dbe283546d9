"""One partition of the orbits: its representatives are in the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lts import _engine
from lts.linear.process import LinearProcess
from lts.state_space.encode import Encoder
from lts.symmetry.data.action import Given

__all__ = ["Come", "Counts", "Failed", "OrbitJob", "OrbitWorker", "Proven"]

_STOPS = (
    _engine.EvaluationError,
    _engine.LabelLimit,
    _engine.CallLimit,
    _engine.Unfitting,
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Failed:
    """What the engine has raised: not all machines can be told of it as it is."""

    kind: str
    arguments: tuple[Any, ...]

    def error(self) -> Exception:
        """Return it as it was."""
        error: Exception = getattr(_engine, self.kind)(*self.arguments)
        return error


@dataclass(frozen=True, slots=True)
class OrbitJob:
    """What all workers are asked for."""

    process: LinearProcess
    groups: Sequence[Sequence[int]]
    """Summands that are compared together."""
    given: Given
    """The group, as the engine takes it."""
    partitions: int
    max_states: int | None
    max_values: int
    strategy: str | None
    threads: int
    """Of each worker."""
    sample: int
    bound: tuple[int, ...] = ()
    """Summands whose tests are not looked at."""
    points: tuple[tuple[list[bytes], list[list[int]]], ...] = ()
    """Values that turned out to be points, as bytes, with what each generator does to them."""
    run: str | None = None
    silent: frozenset[str] = field(default_factory=frozenset)

    def worker(self, index: int, length: int, start: int) -> OrbitWorker:
        """Have a worker."""
        return OrbitWorker(self, index)


@dataclass(frozen=True, slots=True)
class Come:
    """How far a partition has come."""

    orbits: int
    left: int
    """Those of its orbits that are not expanded."""
    steps: int
    values: int | None
    """A summand that has too many values in a state."""
    store: int
    sends: bool
    """Whether there is anything for others."""


@dataclass(frozen=True, slots=True)
class Proven:
    """What a partition has proven, or what is in the way."""

    unknown: int | None
    """A summand whose tests are to be left out."""
    checked: int
    time: float
    sampled: int
    witness: tuple[int, _engine.Witness] | None
    """Which generator is no symmetry, and why."""
    defect: tuple[int, _engine.Witness] | None
    """Which was proven to be one and is none, and why."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of a partition."""

    orbits: int
    steps: int
    states: int
    transitions: int
    deadlocks: int
    store: int


@dataclass(frozen=True, slots=True)
class Begun:
    """What is known before anything is explored."""

    order: int
    strategy: str
    refused: tuple[int, _engine.Witness] | None
    """Which generator is no symmetry, as the text shows, and why."""


class OrbitWorker:
    """A partition of the orbits.

    The superstep takes a batch of every partition, and returns what it found and a batch for every
    partition. What stops the engine is returned, too.
    """

    def __init__(self, job: OrbitJob, index: int) -> None:
        self._partitions = job.partitions
        self._engine: _engine.OrbitPartition | None = None
        self._failed: Failed | None = None
        made = self._tried(lambda: self._made(job, index))
        if isinstance(made, Failed):
            self._failed = made
        else:
            self._engine = made

    @staticmethod
    def _made(job: OrbitJob, index: int) -> _engine.OrbitPartition:
        process = Encoder(job.process).linear_process(job.groups)
        options = _engine.Options(
            job.max_states, job.max_values, None, None, job.strategy, job.threads, job.sample
        )
        symmetry = _engine.Symmetry(*job.given)
        return _engine.OrbitPartition(
            process, symmetry, options, index, job.partitions, job.bound, job.points
        )

    def begun(self) -> Begun | Failed:
        """Return what is known before anything is explored."""
        if self._engine is None:
            assert self._failed is not None
            return self._failed
        return Begun(self._engine.order, self._engine.strategy, self._engine.refused)

    def explore(
        self, inbox: list[bytes], steps: int, time: float
    ) -> tuple[Come | Failed, list[bytes]]:
        """Take what others sent, and expand some orbits."""
        assert self._engine is not None
        engine = self._engine
        found = self._tried(lambda: engine.explore(inbox, steps, time))
        if isinstance(found, Failed):
            return found, [b""] * self._partitions
        numbers, outbox = found
        return Come(*numbers, sends=any(outbox)), outbox

    def prove(self) -> Proven | Failed:
        """Prove the symmetry on what was met here."""
        assert self._engine is not None
        found = self._tried(self._engine.prove)
        if isinstance(found, Failed):
            return found
        numbers, witness, defect = found
        return Proven(*numbers, witness, defect)

    def counts(self) -> Counts:
        """Return the numbers of what was expanded here."""
        assert self._engine is not None
        return Counts(*self._engine.counts())

    def normal_forms(self) -> list[tuple[int, bytes]]:
        """Return the functions in values that no equation fits, each with an application."""
        assert self._engine is not None
        return self._engine.normal_forms()

    def interrupt(self) -> None:
        """Have what another thread waits for end soon."""
        if self._engine is not None:
            self._engine.interrupt()

    def leave(self) -> None:
        """Let the engine go."""
        self._engine = None

    @staticmethod
    def _tried(work: Callable[[], _T]) -> _T | Failed:
        try:
            return work()
        except _STOPS as error:
            return Failed(type(error).__name__, error.args)

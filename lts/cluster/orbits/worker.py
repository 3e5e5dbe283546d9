"""One partition of the orbits: its representatives are in the engine, its transitions in a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lts import _engine
from lts.cluster.away import Away
from lts.cluster.logs import STATES, TRANSITIONS, WorkerLog
from lts.cluster.worker import Ended, Expanded, Key, Outbox
from lts.linear.process import LinearProcess
from lts.state_space.encode import Encoder
from lts.state_space.settings import Settings
from lts.symmetry.data.action import Given

__all__ = ["Begun", "Failed", "OrbitJob", "OrbitWorker", "OwnOrbits", "Proven", "SettledOrbits"]

_STOPS = (
    _engine.EvaluationError,
    _engine.LabelLimit,
    _engine.CallLimit,
    _engine.Unfitting,
)

_T = TypeVar("_T")

_IMAGES, _ORBITS, _FOUND, _ASKED = range(4)
_TAKES = {
    "begun": (),
    "expand": (_IMAGES, _ORBITS, _FOUND),
    "receive": (_IMAGES, _ASKED),
    "rank": (),
    "ranked": (),
    "number": (_IMAGES, _ORBITS, _ASKED),
    "settle": (_ORBITS, _FOUND),
    "normal_forms": (),
    "prove": (_IMAGES, _ORBITS),
    "labels": (),
    "points": (),
    "orbits": (_ORBITS,),
    "rows": (),
}
"""Which groups of what a partition has are taken back for what."""


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
    rows: bool
    """Whether transitions are made."""
    settings: Settings
    """Of each worker."""
    bound: tuple[int, ...] = ()
    """Summands whose tests are not looked at."""
    points: tuple[tuple[list[bytes], list[list[int]]], ...] = ()
    """Values that turned out to be points, as bytes, with what each generator does to them."""
    run: str | None = None
    """Where logs are; None keeps none."""

    @property
    def silent(self) -> frozenset[str]:
        """The supersteps after which nothing is sent."""
        return frozenset({"settle"} if self.rows else {"number", "settle"})

    def worker(self, index: int, length: int, start: int) -> OrbitWorker:
        """Have a worker."""
        return OrbitWorker(self, index, length, start)


@dataclass(frozen=True, slots=True)
class SettledOrbits:
    """What a level had, and how much there is now."""

    transitions: int
    """Steps of representatives, each once."""
    states: int
    """Orbits of the partition."""
    length: int
    """Bytes of the log."""
    store: int
    original: tuple[int, int, int]
    """States, transitions and deadlocks that the representatives stand for."""
    deadlocks: int = 0
    tables: int = 0


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
class Begun:
    """What is known before anything is explored."""

    order: int
    strategy: str
    refused: tuple[int, _engine.Witness] | None
    """Which generator is no symmetry, as the text shows, and why."""


@dataclass(frozen=True, slots=True)
class OwnOrbits:
    """The orbits of a partition: columns of their numbers and of those of their stabilisers, the
    generators of these, and the elements that rows have by number."""

    numbers: bytes
    stabilisers: bytes
    groups: list[list[list[int]]]
    elements: list[list[int]]


class OrbitWorker:
    """A partition of the orbits.

    Supersteps take a batch of every partition first. They return what they found for the driver,
    and a batch for every partition. What stops the engine is returned, too.
    """

    def __init__(self, job: OrbitJob, index: int, length: int = 0, start: int = 0) -> None:
        """Begin, or go on with the level that begins with orbit `start`, if `length` bytes of the
        log are of levels that were ended."""
        self._partitions = job.partitions
        self._orbits = 0
        self._found: list[bytes] = []
        """Rows, where no log is kept."""
        self._engine: _engine.OrbitPartition | None = None
        self._failed: Failed | None = None
        self._log = None if job.run is None else WorkerLog(job.run, index, length)
        made = self._tried(lambda: self._made(job, index, start if length else None))
        if isinstance(made, Failed):
            self._failed = made
        else:
            self._engine = made

    def _made(self, job: OrbitJob, index: int, start: int | None) -> _engine.OrbitPartition:
        process = Encoder(job.process).linear_process(job.groups)
        symmetry = _engine.Symmetry(*job.given)
        engine = _engine.OrbitPartition(process, symmetry, job.settings, index, job)
        if self._log is not None and start is not None:
            for checkpoint in self._log.pieces(STATES):
                engine.load(checkpoint)
            engine.resume(start)
        return engine

    def begun(self) -> Begun | Failed:
        """Return what is known before anything is explored."""
        if self._engine is None:
            assert self._failed is not None
            return self._failed
        return Begun(self._engine.order, self._engine.strategy, self._engine.refused)

    def expand(self, _: list[bytes], until: int) -> tuple[Expanded | Failed, Outbox]:
        """Look at the orbits that are left below `until`; targets go to their owners."""
        engine = self._present
        found = self._tried(lambda: engine.expand(until))
        if isinstance(found, Failed):
            return found, [b""] * self._partitions
        told, short, outbox = found
        labels = [(own, text, False, key) for own, text, key in told]
        ended = None if short is None else Ended(short[0], "values", "", short[1])
        return Expanded(labels, [], ended), outbox

    def receive(self, inbox: list[bytes], start: int, end: int) -> tuple[Failed | None, Outbox]:
        """Look up targets; keys of new orbits go to where they are ranked."""
        engine = self._present
        found = self._tried(lambda: engine.receive(inbox, start, end))
        if isinstance(found, Failed):
            return found, [b""] * self._partitions
        return None, found

    def rank(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Rank keys, and say how many; ranks go to the owners."""
        return self._present.rank(inbox)

    def ranked(self, rank: int) -> Key:
        """Return the key with this rank here."""
        key = self._present.ranked(rank)
        assert key is not None
        return key

    def number(self, inbox: list[bytes], firsts: list[int], cut: Key | None) -> tuple[None, Outbox]:
        """Number the new orbits; where rows are made, numbers go to who met them."""
        self._orbits, outbox = self._present.number(inbox, firsts, cut)
        if outbox:
            return None, outbox
        return None, None

    def settle(
        self, inbox: list[bytes], labels: list[tuple[int, int]], cut: Key | None
    ) -> tuple[SettledOrbits | Failed, Outbox]:
        """Complete the transitions of the level, and keep them."""
        engine = self._present
        counted = self._tried(lambda: engine.settle(inbox, labels, cut))
        if isinstance(counted, Failed):
            return counted, None
        steps, *original = counted
        checkpoint, rows, length = engine.save(), engine.take(), 0
        if self._log is not None:
            self._log.append(STATES, checkpoint)
            self._log.append(TRANSITIONS, *rows)
            length = self._log.keep()
        elif rows[0]:
            self._found.append(b"".join(rows))
        states, transitions, deadlocks = original
        counts = (states, transitions, deadlocks)
        return SettledOrbits(steps, self._orbits, length, engine.bytes(), counts), None

    def prove(self) -> Proven | Failed:
        """Prove the symmetry on what was met here."""
        found = self._tried(self._present.prove)
        if isinstance(found, Failed):
            return found
        numbers, witness, defect = found
        return Proven(*numbers, witness, defect)

    def normal_forms(self) -> list[tuple[int, bytes]]:
        """Return the functions in values that no equation fits, each with an application."""
        return self._present.normal_forms()

    def labels(
        self,
    ) -> tuple[list[bytes], list[list[int]], tuple[int, _engine.Witness] | None] | Failed:
        """Return the labels that were met, closed under the generators, and what these do to them;
        last which generator is no symmetry, and why."""
        return self._tried(self._present.labels)

    def points(self) -> tuple[list[str], list[list[int]]]:
        """Return what the points of the group are called, and what the generators do to them."""
        return self._present.points()

    def orbits(self) -> OwnOrbits:
        """Return the orbits that are here."""
        return OwnOrbits(*self._present.orbits())

    def rows(self) -> list[bytes]:
        """Return the rows that were made, in pieces; nothing is explored afterwards."""
        return self._found if self._log is None else list(self._log.pieces(TRANSITIONS))

    def put_away(self, path: str) -> None:
        """Free the memory of the orbits, which are in a file of this name until they are wanted."""
        if self._engine is not None:
            self._engine.put_away(path)

    def away(self) -> Away:
        """Return what is put away, and was."""
        if self._engine is None:
            return Away([0] * len(_TAKES["expand"]), 0, 0, 0.0)
        return Away(*self._engine.away())

    def back(self, method: str) -> int:
        """Return how many bytes a superstep takes back, or anything else that is done."""
        groups = self.away().groups
        return sum(groups[group] for group in _TAKES.get(method, range(len(groups))))

    def interrupt(self) -> None:
        """Have what another thread waits for end soon."""
        if self._engine is not None:
            self._engine.interrupt()

    def leave(self) -> None:
        """Let the engine go, and close the log, as it is."""
        self._engine = None
        if self._log is not None:
            self._log.close()

    @property
    def _present(self) -> _engine.OrbitPartition:
        assert self._engine is not None
        return self._engine

    @staticmethod
    def _tried(work: Callable[[], _T]) -> _T | Failed:
        try:
            return work()
        except _STOPS as error:
            return Failed(type(error).__name__, error.args)

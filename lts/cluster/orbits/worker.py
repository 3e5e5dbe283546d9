"""One partition of the orbits: its representatives are in the engine, its transitions in a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lts import _engine
from lts.cluster.logs import STATES, TRANSITIONS
from lts.cluster.subject import Subject, engine_process
from lts.cluster.worker import Failed, LevelWorker
from lts.linear.process import LinearProcess
from lts.state_space.encode import Encoder
from lts.state_space.settings import Settings

__all__ = ["Begun", "OrbitJob", "OrbitWorker", "OwnOrbits", "Proven"]


@dataclass(frozen=True, slots=True)
class OrbitJob:
    """What all workers are asked for."""

    process: Subject
    groups: Sequence[Sequence[int]]
    """Summands that are compared together."""
    given: Sequence[Any]
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
        return frozenset({"finish_level"} if self.rows else {"number", "finish_level"})

    def worker(self, index: int, length: int, start: int) -> OrbitWorker:
        """Have a worker."""
        return OrbitWorker(self, index, length, start)


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


_IMAGES, _ORBITS, _FOUND, _REQUESTED = range(4)


class OrbitWorker(LevelWorker):
    """A partition of the orbits."""

    groups = 4
    takes = {  # noqa: RUF012
        "begun": (),
        "expand": (_IMAGES, _ORBITS, _FOUND),
        "receive": (_IMAGES, _REQUESTED),
        "rank": (),
        "ranked": (),
        "number": (_IMAGES, _ORBITS, _REQUESTED),
        "finish_level": (_ORBITS, _FOUND),
        "normal_forms": (),
        "prove": (_IMAGES, _ORBITS),
        "labels": (),
        "points": (),
        "orbits": (_ORBITS,),
        "rows": (),
    }

    def __init__(self, job: OrbitJob, index: int, length: int = 0, start: int = 0) -> None:
        """Begin, or go on, as all workers of levels do."""
        self._job, self._index = job, index
        self._found: list[bytes] = []
        """Rows, where no log is kept."""
        super().__init__(job, index, length, start)

    def _made(self) -> _engine.Partition:
        job = self._job
        if isinstance(job.process, LinearProcess):
            process = Encoder(job.process).linear_process(job.groups)
        else:
            process = engine_process(job.process, check=False)
        symmetry = _engine.Symmetry(*job.given)
        return _engine.Partition.of_orbits(process, symmetry, job.settings, self._index, job)

    def begun(self) -> Begun | Failed:
        """Return what is known before anything is explored."""
        return self._failed or Begun(**(self._present.group() or {}))

    def _kept(self) -> int:
        # Shifts of rows are numbered by the checkpoint.
        checkpoint, rows = self._present.save(), self._present.take()
        if self._log is None:
            if rows[0]:
                self._found.append(b"".join(rows))
            return 0
        self._log.append(STATES, checkpoint)
        self._log.append(TRANSITIONS, *rows)
        return self._log.keep()

    def prove(self) -> Proven | Failed:
        """Prove the symmetry on what was met here."""
        found = self._tried(self._present.prove)
        return found if isinstance(found, Failed) else Proven(**found)

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
        return OwnOrbits(**self._present.orbits())

    def rows(self) -> list[bytes]:
        """Return the rows that were made, in pieces; nothing is explored afterwards."""
        return self._found if self._log is None else list(self._log.pieces(TRANSITIONS))

"""One partition of the orbits: representatives in the engine, transitions in a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import lts._engine as _engine
from lts.cluster.logs import STATES, TRANSITIONS
from lts.cluster.worker import Failed, LevelWorker
from lts.source import Described, source_of
from lts.state_space.settings import Settings

__all__ = ["Begun", "OrbitJob", "OrbitWorker", "OwnOrbits", "Proven"]


@dataclass(frozen=True, slots=True)
class OrbitJob:
    """The job of all workers."""

    process: Described
    groups: Sequence[Sequence[int]]
    """Numbers of the summands that are compared together."""
    given: Sequence[Any]
    """The group in the form that the engine takes."""
    partitions: int
    with_quotient: bool
    """Whether transitions are stored."""
    settings: Settings
    """The settings of each worker."""
    bound: tuple[int, ...] = ()
    """Numbers of the summands whose tests are left out."""
    points: tuple[tuple[list[bytes], list[list[int]]], ...] = ()
    """Values found to be points, as bytes, with their images under each generator."""
    run: str | None = None
    """The folder of the logs; None for no logs."""

    @property
    def silent(self) -> frozenset[str]:
        """The supersteps that send no batches."""
        return frozenset({"finish_level"} if self.with_quotient else {"number", "finish_level"})

    def worker(self, index: int, length: int, start: int) -> OrbitWorker:
        """Create a worker."""
        return OrbitWorker(self, index, length, start)


@dataclass(frozen=True, slots=True)
class Proven:
    """The proof of a partition, or the obstacle to it."""

    unknown: int | None
    """A summand whose tests must be left out."""
    checked: int
    time: float
    sampled: int
    witness: tuple[int, _engine.Witness] | None
    """A generator that is not a symmetry, with a witness."""
    defect: tuple[int, _engine.Witness] | None
    """A generator that was proven to be a symmetry and is not, with a witness."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Facts known before the exploration."""

    order: int
    strategy: str
    refused: tuple[int, _engine.Witness] | None
    """A generator that is not a symmetry by the text, with a witness."""


@dataclass(frozen=True, slots=True)
class OwnOrbits:
    """The orbits of a partition: columns of orbit numbers and of their stabilisers' numbers, the
    generators of these stabilisers, and the group elements of transitions by number."""

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
        "stored_transitions": (),
    }

    def __init__(self, job: OrbitJob, index: int, length: int = 0, start: int = 0) -> None:
        """Start or resume, as all `LevelWorker`s do."""
        self._job, self._index = job, index
        self._found: list[bytes] = []
        """Transitions held in memory if there is no log."""
        super().__init__(job, index, length, start)

    def _made(self) -> _engine.Partition:
        job = self._job
        process = source_of(job.process).in_partitions(check=False, groups=job.groups)
        symmetry = _engine.Symmetry(*job.given)
        return _engine.Partition.of_orbits(process, symmetry, job.settings, self._index, job)

    def begun(self) -> Begun | Failed:
        """Return the facts known before the exploration."""
        return self._failed or Begun(**(self._present.group() or {}))

    def _log_level(self) -> int:
        # The checkpoint comes first: it numbers the shifts of the transitions.
        checkpoint, transitions = self._present.save(), self._present.take()
        if self._log is None:
            if transitions[0]:
                self._found.append(b"".join(transitions))
            return 0
        self._log.append(STATES, checkpoint)
        self._log.append(TRANSITIONS, *transitions)
        return self._log.keep()

    def prove(self) -> Proven | Failed:
        """Prove the symmetry for the states visited in this partition."""
        found = self._tried(self._present.prove)
        return found if isinstance(found, Failed) else Proven(**found)

    def labels(
        self,
    ) -> tuple[list[bytes], list[list[int]], tuple[int, _engine.Witness] | None] | Failed:
        """Return the labels met, closed under the generators; their images under these; and a
        generator that is not a symmetry, with a witness, or None."""
        return self._tried(self._present.labels)

    def points(self) -> tuple[list[str], list[list[int]]]:
        """Return the names of the group's points, and their images under the generators."""
        return self._present.points()

    def orbits(self) -> OwnOrbits:
        """Return the orbits of this partition."""
        return OwnOrbits(**self._present.orbits())

    def stored_transitions(self) -> list[bytes]:
        """Return the stored transitions in chunks; nothing may be explored afterwards."""
        return self._found if self._log is None else list(self._log.records(TRANSITIONS))

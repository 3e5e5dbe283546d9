"""One partition of states or of orbits, with the supersteps of a level."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

import lts._engine as _engine
from lts.cluster.logs import STATES, TRANSITIONS, WorkerLog
from lts.cluster.partition import Outbox, PartitionWorker
from lts.cluster.transport import Task
from lts.formats.parts import FileFacts, PartWriter
from lts.source import Described, source_of

__all__ = [
    "Ended",
    "Expanded",
    "Failed",
    "Job",
    "Key",
    "LevelWorker",
    "NewLabel",
    "Settled",
    "StateWorker",
]

_TOGETHER = 1 << 17
"""Number of states written at a time."""

Key = tuple[int, int]
"""The step by which a state is first reached: the number of its source, and its place among the
source's steps."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Job:
    """The job of all workers of states."""

    process: Described
    partitions: int
    directory: str | None
    """The folder in which the parts are finally written; None writes none."""
    run: str | None
    """The folder of the logs; None keeps neither logs nor transitions."""
    max_values: int
    first_values: int
    """Number of values of a sum that are tried at first."""
    traces: bool
    deadlocks: int
    """Most deadlocks that a worker reports for a level."""
    hide: tuple[str, ...]
    """Names of labels that are written as `tau`."""
    check: bool
    silent: frozenset[str] = frozenset({"finish_level"})
    """The supersteps that send no batches."""

    def worker(self, index: int, length: int, start: int) -> StateWorker:
        """Create a worker."""
        return StateWorker(self, index, length, start)


@dataclass(frozen=True, slots=True)
class Failed:
    """An exception of the engine, in a form that can be sent to every machine."""

    kind: str
    arguments: tuple[Any, ...]

    def error(self) -> Exception:
        """Return the original exception."""
        error: Exception = getattr(_engine, self.kind)(*self.arguments)
        return error


_STOPS = (
    _engine.EvaluationError,
    _engine.LabelLimit,
    _engine.CallLimit,
    _engine.Unfitting,
)


@dataclass(frozen=True, slots=True)
class NewLabel:
    """A label that a worker reports for the first time."""

    own: int
    """Its number in the worker."""
    text: bytes
    shown: bytes
    """The text without hidden actions."""
    first: Key
    """Key of its first step."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a worker did not explore all states of its level."""

    key: Key
    """Only the steps with smaller keys were found."""
    kind: str
    message: str
    summand: int | None


@dataclass(frozen=True, slots=True)
class Expanded:
    """The result of expanding the states of a level that a worker owns."""

    labels: list[NewLabel]
    deadlocks: list[int]
    ended: Ended | None


@dataclass(frozen=True, slots=True)
class Settled:
    """Sizes of a finished level, and totals of the partition."""

    transitions: int
    deadlocks: int
    """Number of deadlocks of the level; deadlocks of orbits are counted in `original`."""
    original: tuple[int, int, int]
    """Numbers of states, transitions and deadlocks in the orbits of the level."""
    states: int
    """Number of states, or orbits, of the partition."""
    length: int
    """Length of the log in bytes."""
    store: int
    tables: int
    """Bytes of the stored states and of the tables."""


class LevelWorker(PartitionWorker):
    """A partition that is explored level by level: it is in the engine; its checkpoints and
    transitions are in a log. Exceptions of the engine are returned as `Failed`."""

    _partition: _engine.Partition | None = None

    def __init__(self, job: Task, index: int, length: int, start: int) -> None:
        """Start, or resume with the level starting at state `start`, after the finished levels that
        the first `length` bytes of the log record."""
        self._partitions, self._silent = job.partitions, job.silent
        self._states = 0
        self._log = None if job.run is None else WorkerLog(job.run, index, length)
        self._failed: Failed | None = None
        made = self._tried(lambda: self._begun(start if length else None))
        if isinstance(made, Failed):
            self._failed = made
        else:
            self._partition = made

    @abstractmethod
    def _made(self) -> _engine.Partition:
        """Return a new partition with nothing explored."""

    def _begun(self, start: int | None) -> _engine.Partition:
        partition = self._made()
        if self._log is not None and start is not None:
            for checkpoint in self._log.records(STATES):
                partition.load(checkpoint)
            partition.resume(start)
        return partition

    def expand(self, _: list[bytes], until: int) -> tuple[Expanded | Failed, Outbox]:
        """Expand the remaining states below `until`; send the targets to their owners."""
        found = self._tried(lambda: self._present.expand(until))
        if isinstance(found, Failed):
            return found, [b""] * self._partitions
        result, outbox = found
        ended = None if result["ended"] is None else Ended(**result["ended"])
        labels = [NewLabel(**label) for label in result["labels"]]
        return Expanded(labels, result["deadlocks"], ended), outbox

    def receive(self, inbox: list[bytes], start: int, end: int) -> tuple[Failed | None, Outbox]:
        """Look up targets; send the keys of new states to the partitions that rank them."""
        found = self._tried(lambda: self._present.receive(inbox, start, end))
        if isinstance(found, Failed):
            return found, [b""] * self._partitions
        return None, found

    def rank(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Rank keys, and return how many there are; send the ranks to the owners."""
        return self._present.rank(inbox)

    def ranked(self, rank: int) -> Key:
        """Return the key with this rank in this partition."""
        key = self._present.ranked(rank)
        assert key is not None
        return key

    def number(self, inbox: list[bytes], firsts: list[int], cut: Key | None) -> tuple[None, Outbox]:
        """Number the new states; send the numbers to the partitions that reached them, if these
        need them."""
        self._states, outbox = self._present.number(inbox, firsts, cut)
        if "number" in self._silent:
            return None, None
        return None, outbox or [b""] * self._partitions

    def finish_level(
        self, inbox: list[bytes], labels: list[tuple[int, int]], cut: Key | None
    ) -> tuple[Settled | Failed, Outbox]:
        """Complete the transitions of the level, and append them to the log."""
        counted = self._tried(lambda: self._present.finish_level(inbox, labels, cut))
        if isinstance(counted, Failed):
            return counted, None
        return Settled(states=self._states, length=self._log_level(), **counted), None

    @abstractmethod
    def _log_level(self) -> int:
        """Append the transitions of a level to the log; return its length."""

    def normal_forms(self) -> list[tuple[int, bytes]]:
        """Return the functions that no equation matched in some value, each with an application."""
        return self._present.normal_forms()

    @property
    def _present(self) -> _engine.Partition:
        assert self._partition is not None
        return self._partition

    @staticmethod
    def _tried(work: Callable[[], _T]) -> _T | Failed:
        try:
            return work()
        except _STOPS as error:
            return Failed(type(error).__name__, error.args)


_STATES, _TABLES, _STEPS, _QUESTIONS, _NUMBERS = range(5)


class StateWorker(LevelWorker):
    """A partition of the states."""

    groups = 5
    takes = {  # noqa: RUF012
        "expand": (_STATES, _TABLES, _STEPS, _NUMBERS),
        "receive": (_STATES, _QUESTIONS, _NUMBERS),
        "rank": (),
        "number": (_STATES, _QUESTIONS, _NUMBERS),
        "finish_level": (_STEPS,),
        "parent": (_NUMBERS,),
        "normal_forms": (),
        "close": (_NUMBERS,),
    }

    def __init__(self, job: Job, index: int, length: int = 0, start: int = 0) -> None:
        """Start or resume, as all `LevelWorker`s do."""
        self._job, self._index = job, index
        super().__init__(job, index, length, start)

    def _made(self) -> _engine.Partition:
        job = self._job
        process = source_of(job.process).in_partitions(check=job.check)
        hidden = [name.encode("utf-8", "surrogateescape") for name in job.hide]
        return _engine.Partition.of_states(process, self._index, job, hidden)

    def number(self, inbox: list[bytes], firsts: list[int], cut: Key | None) -> tuple[None, Outbox]:
        """Number the new states, and log the received states, which are still in memory."""
        found = super().number(inbox, firsts, cut)
        if self._log is not None:
            self._log.append(STATES, self._present.save())
        return found

    def _log_level(self) -> int:
        columns = self._present.take()
        if self._log is None:
            return 0
        self._log.append(TRANSITIONS, *columns)
        return self._log.keep()

    def parent(self, state: int) -> Key | None:
        """Return the key of the step that first reached a state, if this partition owns the
        state."""
        return self._present.parent(state)

    def step(self, key: Key) -> tuple[bytes, int] | None:
        """Return label and choice of a step, if this partition owns its source."""
        return self._present.step(*key)

    def close(self) -> dict[str, FileFacts]:
        """Write the part of the folder; return facts about its files.

        Nothing may be explored afterwards.
        """
        assert self._job.directory is not None
        assert self._log is not None
        self._present.release()
        files = PartWriter(self._job.directory, self._index)
        try:
            start = 0
            while states := self._present.states(start, _TOGETHER):
                files.states(np.frombuffer(states, np.dtype("<u8")))
                start += _TOGETHER
            for record in self._log.records(TRANSITIONS):
                # The columns have 64, 64 and 32 bits.
                count = len(record) // 20
                source = np.frombuffer(record, np.dtype("<u8"), count)
                target = np.frombuffer(record, np.dtype("<u8"), count, 8 * count)
                label = np.frombuffer(record, np.dtype("<u4"), count, 16 * count)
                files.transitions(source, label, target)
            return files.close()
        except BaseException:
            files.abandon()
            raise

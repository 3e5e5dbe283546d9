"""One partition: its states in the engine, its log, and its part of the folder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lts import _engine
from lts.cluster.away import Away
from lts.cluster.logs import STATES, TRANSITIONS, WorkerLog
from lts.formats.parts import FileFacts, PartWriter
from lts.linear.process import LinearProcess
from lts.state_space.encode import Encoder

__all__ = ["Ended", "Expanded", "Job", "Key", "Settled", "Worker"]

_TOGETHER = 1 << 17
"""States that are written at a time."""

Key = tuple[int, int]
"""How a state is met: the number of the source, and the place of the step among its own."""


@dataclass(frozen=True, slots=True)
class Job:
    """What all workers are asked for."""

    process: LinearProcess
    partitions: int
    directory: str | None
    """Where the parts are written in the end; None writes none."""
    run: str | None
    """Where logs are; None keeps none, nor transitions."""
    max_values: int
    first_values: int
    """Values of a sum that are tried first."""
    traces: bool
    deadlocks: int
    """Deadlocks that a worker tells of a level, at most."""
    hide: tuple[str, ...]
    """Names of labels that are shown as `tau`."""
    check: bool
    silent: frozenset[str] = frozenset({"settle"})
    """The supersteps after which nothing is sent."""

    def worker(self, index: int, length: int, start: int) -> Worker:
        """Have a worker."""
        return Worker(self, index, length, start)


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a worker has not looked at all states of its level."""

    key: Key
    """The steps that are met before it are all that were found."""
    kind: str
    message: str
    summand: int | None


@dataclass(frozen=True, slots=True)
class Expanded:
    """What a worker found in its states of a level."""

    labels: list[tuple[int, bytes, bool, Key]]
    """Labels that it has not told before, by its own numbers: the text, whether it is hidden, and
    the first step."""
    deadlocks: list[int]
    ended: Ended | None


@dataclass(frozen=True, slots=True)
class Settled:
    """What a level had, and how much there is now."""

    transitions: int
    deadlocks: int
    """States of the level that have no steps."""
    states: int
    """States of the partition."""
    length: int
    """Bytes of the log."""
    store: int
    tables: int
    """Bytes of states and of tables."""


_STATES, _TABLES, _STEPS, _QUESTIONS, _NUMBERS = range(5)
_TAKES = {
    "expand": (_STATES, _TABLES, _STEPS, _NUMBERS),
    "receive": (_STATES, _QUESTIONS, _NUMBERS),
    "rank": (),
    "number": (_STATES, _QUESTIONS, _NUMBERS),
    "settle": (_STEPS,),
    "parent": (_NUMBERS,),
    "normal_forms": (),
    "close": (_NUMBERS,),
}
"""Which groups of what a partition has are taken back for what."""

Outbox = list[bytes] | None
"""A batch for every partition, where there are any."""


class Worker:
    """A partition: its states in the engine, its transitions in a log.

    Supersteps take a batch of every partition first. They return what they found for the driver,
    and a batch for every partition.
    """

    def __init__(self, job: Job, index: int, length: int = 0, start: int = 0) -> None:
        """Begin, or go on with the level that begins with state `start`, if `length` bytes of the
        log are of levels that were ended."""
        encoder = Encoder(job.process)
        process = encoder.linear_process()
        if job.check:
            unset = job.process.unset.values()
            process.check_values([encoder.symbols[term.function] for term in unset])
        hidden = [name.encode("utf-8", "surrogateescape") for name in job.hide]
        self._engine = _engine.Partition(process, index, job, hidden)
        self._states = 0
        self._directory, self._index = job.directory, index
        self._log = None if job.run is None else WorkerLog(job.run, index, length)
        if self._log is not None and length:
            for checkpoint in self._log.pieces(STATES):
                self._engine.load(checkpoint)
            self._engine.resume(start)

    def expand(self, _: list[bytes], until: int) -> tuple[Expanded, Outbox]:
        """Look at the states that are left below `until`; targets go to their owners."""
        labels, deadlocks, ended, outbox = self._engine.expand(until)
        return Expanded(labels, deadlocks, None if ended is None else Ended(*ended)), outbox

    def receive(self, inbox: list[bytes], start: int, end: int) -> tuple[None, Outbox]:
        """Look up targets; keys of new states go to where they are ranked."""
        return None, self._engine.receive(inbox, start, end)

    def rank(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Rank keys, and say how many; ranks go to the owners."""
        return self._engine.rank(inbox)

    def ranked(self, rank: int) -> Key:
        """Return the key with this rank here."""
        key = self._engine.ranked(rank)
        assert key is not None
        return key

    def number(self, inbox: list[bytes], firsts: list[int], cut: Key | None) -> tuple[None, Outbox]:
        """Number the new states, and keep what came; numbers go to who met them."""
        self._states, outbox = self._engine.number(inbox, firsts, cut)
        if self._log is not None:
            self._log.append(STATES, self._engine.save())
        return None, outbox

    def settle(
        self, inbox: list[bytes], labels: list[tuple[int, int]], cut: Key | None
    ) -> tuple[Settled, Outbox]:
        """Complete the transitions of the level, and keep them."""
        transitions, deadlocks = self._engine.settle(inbox, labels, cut)
        source, label, target = self._engine.take()
        length = 0
        if self._log is not None:
            self._log.append(TRANSITIONS, source, target, label)
            length = self._log.keep()
        store, tables = self._engine.sizes()
        return Settled(transitions, deadlocks, self._states, length, store, tables), None

    def parent(self, state: int) -> Key | None:
        """Return how a state was met, if it is here."""
        return self._engine.parent(state)

    def step(self, key: Key) -> tuple[bytes, int] | None:
        """Return label and choice of a step, if its source is here."""
        return self._engine.step(*key)

    def normal_forms(self) -> list[tuple[int, bytes]]:
        """Return the functions in values that no equation fits, each with an application."""
        return self._engine.normal_forms()

    def close(self) -> dict[str, FileFacts]:
        """Write the part of the folder; return what is to be known of its files.

        Nothing is explored afterwards.
        """
        assert self._directory is not None
        assert self._log is not None
        self._engine.release()
        files = PartWriter(self._directory, self._index)
        try:
            start = 0
            while states := self._engine.states(start, _TOGETHER):
                files.states(np.frombuffer(states, np.dtype("<u8")))
                start += _TOGETHER
            for piece in self._log.pieces(TRANSITIONS):
                # Columns of 64, 64 and 32 bits.
                count = len(piece) // 20
                source = np.frombuffer(piece, np.dtype("<u8"), count)
                target = np.frombuffer(piece, np.dtype("<u8"), count, 8 * count)
                label = np.frombuffer(piece, np.dtype("<u4"), count, 16 * count)
                files.transitions(source, label, target)
            return files.close()
        except BaseException:
            files.abandon()
            raise

    def put_away(self, path: str) -> None:
        """Free the memory of the partition, which is in a file of this name until it is wanted."""
        self._engine.put_away(path)

    def away(self) -> Away:
        """Return what is put away, and was."""
        return Away(*self._engine.away())

    def back(self, method: str) -> int:
        """Return how many bytes a superstep takes back, or anything else that is done."""
        groups = self.away().groups
        return sum(groups[group] for group in _TAKES.get(method, range(len(groups))))

    def interrupt(self) -> None:
        """Have what another thread waits for end soon."""
        self._engine.interrupt()

    def leave(self) -> None:
        """Close the log, as it is."""
        if self._log is not None:
            self._log.close()

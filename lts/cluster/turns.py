"""Workers that take turns in this process, so that its memory stays below a bound.

One worker runs at a time. If memory is short, the least recently used partitions are spilled to
files, and batches are kept in a file as well. So all partitions together may be much larger than
the bound; only each single one has to fit. Successive rounds of turns go in opposite directions, so
that the partitions used last, which are still in memory, come first.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

import lts._engine as _engine
from lts.cluster.memory import keep_little, peak, resident
from lts.cluster.transport import Task
from lts.errors import LimitReached

__all__ = ["Spilled", "Turns"]

_STEP = 256
"""Approximate upper bound on the bytes that one step takes while it is processed."""

_WRITING = 24 << 20
"""Bytes needed to write a part."""

_LEAST = 4 << 20
"""Bytes that must be free beside a partition for a turn to start."""


@dataclass(frozen=True, slots=True)
class Spilled:
    """The cost of staying below a bound of memory."""

    bound: int
    peak: int
    """Peak resident size of the process in bytes."""
    written: int
    """Bytes of partitions and batches written to files and read back."""
    read: int
    time: float
    """Seconds spent on that."""

    def __str__(self) -> str:
        megabytes = (self.written / 1e6, self.read / 1e6)
        return (
            f"at most {self.peak / 1000000.0:.0f} MB of memory; {megabytes[0]:.0f} MB were "
            f"written to files and {megabytes[1]:.0f} MB read back, in {self.time:.1f} s"
        )


class _Waiting:
    """Batches kept in a file until they are read."""

    def __init__(self, directory: str) -> None:
        self._file = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115
        self.bytes = 0

    def put(self, batch: bytes) -> tuple[int, int]:
        """Store a batch; return its offset and length."""
        place = self.bytes
        self._file.write(batch)
        self.bytes += len(batch)
        return place, len(batch)

    def get(self, place: tuple[int, int]) -> bytes:
        """Return a batch."""
        self._file.seek(place[0])
        return self._file.read(place[1])

    def end(self) -> None:
        """Flush the file: no further batches are stored."""
        self._file.flush()

    def close(self) -> None:
        """Discard the file."""
        with suppress(OSError):  # batches that could not be written are not needed any more
            self._file.close()


class Turns:
    """Workers in this process, one at a time, so that its memory stays below `bound` bytes.

    Raises `LimitReached` if that is not possible.
    """

    def __init__(self, job: Task, bound: int) -> None:
        keep_little()
        self.bound = bound
        self._job = job
        self.workers: list[Any] = []
        self._order: list[int] = []
        """Workers with data in memory, least recently used first."""
        self._backwards = False
        self._own = tempfile.mkdtemp(prefix="ltstool-") if job.run is None else None
        self._directory: str = job.run or self._own or ""
        self._waiting = _Waiting(self._directory)
        self._batches: list[list[tuple[int, int]]] = []
        self._base = 0
        """Approximate resident size of the process while all workers are spilled, in bytes."""
        self._largest = 0
        """Bytes of the largest partition."""
        self._written = self._read = 0
        self._time = 0.0

    @property
    def steps(self) -> int:
        """Approximate number of steps of each partition to process at a time."""
        return max(64, (self._reserve - self._growth) // _STEP)

    @property
    def _reserve(self) -> int:
        """Bytes that a turn may use beside its partition, for steps and growth."""
        return self._growth + max(_LEAST, (self.bound - self._base - self._largest) // 3)

    @property
    def _growth(self) -> int:
        """Bytes that a partition may temporarily need while one of its tables grows."""
        return self._largest // 4

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Start new workers."""
        self._leave()
        self._base, self._largest = resident(), 0
        if self._base + _LEAST > self.bound:
            self._refuse(f"{_shown(self._base)} are used before the first state")
        for index, length in enumerate(lengths):
            self.make_room(None, "", 0)
            self.workers.append(self._job.worker(index, length, start))
            self.note_work(index)
        self._batches = [[] for _ in self.workers]

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Perform a superstep."""
        waiting, batches = self._waiting, self._batches
        self._waiting = _Waiting(self._directory)
        self._batches = [[] for _ in self.workers]
        found: dict[int, Any] = {}
        order = list(range(len(self.workers)))
        if self._backwards:
            order.reverse()
        self._backwards = not self._backwards
        # Batches are ordered by their sender, whatever the order of turns.
        sent: list[list[tuple[int, int]]] = [[] for _ in self.workers]
        try:
            for index in order:
                size = sum(length for _, length in batches[index])
                self.make_room(index, method, size)
                begun = time.monotonic()
                inbox = [waiting.get(place) if place[1] else b"" for place in batches[index]]
                self._read += size
                self._time += time.monotonic() - begun
                found[index], outbox = getattr(self.workers[index], method)(
                    inbox, *arguments[index]
                )
                del inbox
                begun = time.monotonic()
                if outbox is not None:
                    sent[index] = [self._waiting.put(batch) for batch in outbox]
                    del outbox
                self._time += time.monotonic() - begun
                self.note_work(index)
        finally:
            waiting.close()
        self._waiting.end()
        self._written += self._waiting.bytes
        if any(sent):
            self._batches = [list(inbox) for inbox in zip(*sent, strict=True)]
        return [found[index] for index in range(len(self.workers))]

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        self.make_room(which, method, _WRITING if method == "close" else 0)
        found = getattr(self.workers[which], method)(*arguments)
        self.note_work(which)
        return found

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers with the same arguments."""
        return [self.call(index, method, *arguments) for index in range(len(self.workers))]

    def stop(self) -> None:
        """Stop the workers."""
        self._leave()
        self._waiting.close()
        if self._own is not None:
            shutil.rmtree(self._own, ignore_errors=True)

    def spilled(self) -> Spilled:
        """Return the cost so far."""
        moved = [worker.away() for worker in self.workers]
        return Spilled(
            self.bound,
            peak(),
            self._written + sum(totals.written for totals in moved),
            self._read + sum(totals.read for totals in moved),
            self._time + sum(totals.time for totals in moved),
        )

    def _leave(self) -> None:
        while self.workers:
            worker = self.workers.pop()
            moved = worker.away()
            self._written += moved.written
            self._read += moved.read
            self._time += moved.time
            worker.leave()
        self._order = []

    def make_room(self, index: int | None, method: str, more: int) -> None:
        """Spill partitions to files until `more` bytes fit, and the spilled data that a worker has
        to read back."""
        # The worker whose turn it is comes last: it may not need all its data.
        self._order.sort(key=lambda other: other == index)
        back = 0 if index is None else self.workers[index].back(method)
        while self._order and self.is_short(back + more + self._reserve):
            which = self._order.pop(0)
            name = f"partition-{which:04d}.away"
            self.workers[which].spill(os.path.join(self._directory, name))
            self._largest = max(self._largest, self.workers[which].back("expand"))
            if which == index:
                back = self.workers[index].back(method)
            if not self._order:
                self._base = resident()
        if resident() + back + more + _LEAST > self.bound:
            _engine.give_back_memory()
        if resident() + back + more + _LEAST > self.bound:
            self._refuse(
                f"a partition needs {_shown(back + more)} in addition to {_shown(resident())}"
            )

    def is_short(self, more: int) -> bool:
        """Whether `more` bytes would exceed the bound."""
        return resident() + more > self.bound

    def note_work(self, index: int) -> None:
        """Record that a worker had its turn."""
        if index in self._order:
            self._order.remove(index)
        self._order.append(index)
        self.look("a partition worked")

    def look(self, when: str) -> None:
        """Raise `LimitReached` if the process exceeded the bound."""
        most = peak()
        if most > self.bound:
            self._refuse(f"there were {_shown(most)} when {when}")

    def _refuse(self, why: str) -> NoReturn:
        message = f"{_shown(self.bound)} of memory are not enough for {self._job.partitions}"
        message += f" partitions: {why}; use more partitions, which are smaller"
        raise LimitReached(message, limit=self.bound, found={})


def _shown(size: int) -> str:
    return f"{size / 1e6:.0f} MB"

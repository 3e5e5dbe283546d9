"""Workers that take turns in this process, so that its memory stays below a bound.

One works at a time. Where memory is short, those that worked longest ago are put away in files, and
what one sends to others waits in a file as well. So the partitions together may be much larger than
the bound; each of them has to fit. Turns go to and fro, and those that worked last begin: they are
the ones that are still in memory.
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

from lts import _engine
from lts.cluster.memory import keep_little, peak, resident
from lts.cluster.transport import Task
from lts.errors import LimitReached

__all__ = ["Spilled", "Turns"]

_STEP = 256
"""Bytes that a step takes while it is under way, at most, about."""

_WRITING = 24 << 20
"""Bytes that it takes to write a part."""

_LEAST = 4 << 20
"""With less than this beside a partition nothing is begun."""


@dataclass(frozen=True, slots=True)
class Spilled:
    """What it costs to stay below a bound."""

    bound: int
    peak: int
    """The most bytes of memory that the process had."""
    written: int
    """Bytes that were put into files, of partitions and of what they send, and were read again."""
    read: int
    time: float
    """Seconds for that."""

    def __str__(self) -> str:
        megabytes = (self.written / 1e6, self.read / 1e6)
        return (
            f"{self.peak / 1e6:.0f} MB of memory at most; {megabytes[0]:.0f} MB were put away and "
            f"{megabytes[1]:.0f} MB taken back, in {self.time:.1f} s"
        )


class _Waiting:
    """What is sent, in a file until it is read."""

    def __init__(self, directory: str) -> None:
        self._file = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115
        self.bytes = 0

    def put(self, batch: bytes) -> tuple[int, int]:
        """Keep a batch; return where it is, and how long."""
        place = self.bytes
        self._file.write(batch)
        self.bytes += len(batch)
        return place, len(batch)

    def get(self, place: tuple[int, int]) -> bytes:
        """Return a batch."""
        self._file.seek(place[0])
        return self._file.read(place[1])

    def end(self) -> None:
        """Have all in the file: no other batches come."""
        self._file.flush()

    def close(self) -> None:
        """Forget all."""
        with suppress(OSError):  # what could not be written is not wanted any more
            self._file.close()


class Turns:
    """Workers in this process, one at a time, which has less memory than `bound` bytes.

    Raises `LimitReached` where it cannot be kept.
    """

    def __init__(self, job: Task, bound: int) -> None:
        keep_little()
        self.bound = bound
        self._job = job
        self._workers: list[Any] = []
        self._order: list[int] = []
        """Workers with something in memory, those that worked longest ago first."""
        self._backwards = False
        self._own = tempfile.mkdtemp(prefix="ltstool-") if job.run is None else None
        self._directory: str = job.run or self._own or ""
        self._waiting = _Waiting(self._directory)
        self._batches: list[list[tuple[int, int]]] = []
        self._base = 0
        """Bytes that are taken when all workers are put away, about."""
        self._largest = 0
        """Bytes of the largest partition."""
        self._written = self._read = 0
        self._time = 0.0

    @property
    def steps(self) -> int:
        """About so many steps of each partition may be under way."""
        return max(64, (self._reserve - self._growth) // _STEP)

    @property
    def _reserve(self) -> int:
        """Bytes that a turn may take beside its partition, for steps and as that grows."""
        return self._growth + max(_LEAST, (self.bound - self._base - self._largest) // 3)

    @property
    def _growth(self) -> int:
        """Bytes that a partition may take for some time where one of its tables grows."""
        return self._largest // 4

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Have new workers."""
        self._leave()
        self._base, self._largest = resident(), 0
        if self._base + _LEAST > self.bound:
            self._refuse(f"{_shown(self._base)} are taken before anything is found")
        for index, length in enumerate(lengths):
            self._make_room(None, "", 0)
            self._workers.append(self._job.worker(index, length, start))
            self._worked(index)
        self._batches = [[] for _ in self._workers]

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Do a superstep."""
        waiting, batches = self._waiting, self._batches
        self._waiting = _Waiting(self._directory)
        self._batches = [[] for _ in self._workers]
        found: dict[int, Any] = {}
        order = list(range(len(self._workers)))
        if self._backwards:
            order.reverse()
        self._backwards = not self._backwards
        # Batches are sorted by who sends them, whoever works first.
        sent: list[list[tuple[int, int]]] = [[] for _ in self._workers]
        try:
            for index in order:
                size = sum(length for _, length in batches[index])
                self._make_room(index, method, size)
                begun = time.monotonic()
                inbox = [waiting.get(place) if place[1] else b"" for place in batches[index]]
                self._read += size
                self._time += time.monotonic() - begun
                found[index], outbox = getattr(self._workers[index], method)(
                    inbox, *arguments[index]
                )
                del inbox
                begun = time.monotonic()
                if outbox is not None:
                    sent[index] = [self._waiting.put(batch) for batch in outbox]
                    del outbox
                self._time += time.monotonic() - begun
                self._worked(index)
        finally:
            waiting.close()
        self._waiting.end()
        self._written += self._waiting.bytes
        if any(sent):
            self._batches = [list(inbox) for inbox in zip(*sent, strict=True)]
        return [found[index] for index in range(len(self._workers))]

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        self._make_room(which, method, _WRITING if method == "close" else 0)
        found = getattr(self._workers[which], method)(*arguments)
        self._worked(which)
        return found

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers alike."""
        return [self.call(index, method, *arguments) for index in range(len(self._workers))]

    def stop(self) -> None:
        """Let the workers go."""
        self._leave()
        self._waiting.close()
        if self._own is not None:
            shutil.rmtree(self._own, ignore_errors=True)

    def spilled(self) -> Spilled:
        """Return what it cost up to now."""
        moved = [worker.away() for worker in self._workers]
        return Spilled(
            self.bound,
            peak(),
            self._written + sum(one.written for one in moved),
            self._read + sum(one.read for one in moved),
            self._time + sum(one.time for one in moved),
        )

    def _leave(self) -> None:
        while self._workers:
            worker = self._workers.pop()
            moved = worker.away()
            self._written += moved.written
            self._read += moved.read
            self._time += moved.time
            worker.leave()
        self._order = []

    def _make_room(self, index: int | None, method: str, more: int) -> None:
        """Have room for what a worker takes back, and for so many bytes more."""
        # The one whose turn it is comes last: it may not want all that it has.
        self._order.sort(key=lambda other: other == index)
        back = 0 if index is None else self._workers[index].back(method)
        while self._order and self._is_short(back + more + self._reserve):
            which = self._order.pop(0)
            name = f"partition-{which:04d}.away"
            self._workers[which].put_away(os.path.join(self._directory, name))
            self._largest = max(self._largest, self._workers[which].back("expand"))
            if which == index:
                back = self._workers[index].back(method)
            if not self._order:
                self._base = resident()
        if resident() + back + more + _LEAST > self.bound:
            _engine.give_back_memory()
        if resident() + back + more + _LEAST > self.bound:
            self._refuse(f"a partition takes {_shown(back + more)} beside {_shown(resident())}")

    def _is_short(self, more: int) -> bool:
        """Whether there is no room for so many bytes."""
        return resident() + more > self.bound

    def _worked(self, index: int) -> None:
        """Note that a worker worked."""
        if index in self._order:
            self._order.remove(index)
        self._order.append(index)
        self.look("a partition worked")

    def look(self, when: str) -> None:
        """Refuse to go on if there was more memory than allowed."""
        most = peak()
        if most > self.bound:
            self._refuse(f"there were {_shown(most)} when {when}")

    def _refuse(self, why: str) -> NoReturn:
        message = f"{_shown(self.bound)} of memory are not enough for {self._job.partitions}"
        message += f" partitions: {why}; more of them are smaller"
        raise LimitReached(message, limit=self.bound, found={})


def _shown(size: int) -> str:
    return f"{size / 1e6:.0f} MB"

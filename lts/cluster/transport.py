"""How workers are called, and how batches get from one to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import sleep
from typing import Any, Protocol, TypeVar

from lts.errors import LtsError

__all__ = ["Local", "Lost", "Task", "Transport", "with_workers"]

_T = TypeVar("_T")

_ATTEMPTS = 16
"""So often in a row something is begun anew."""

_LOOK = 0.02
"""Seconds between two looks whether workers have ended."""


class Lost(Exception):
    """A worker, or what it sent, is there no more."""


class Task(Protocol):
    """What workers are asked for."""

    @property
    def partitions(self) -> int:
        """How many workers there are."""
        ...

    @property
    def run(self) -> str | None:
        """Where logs are; None keeps none."""
        ...

    @property
    def silent(self) -> frozenset[str]:
        """The supersteps after which nothing is sent."""
        ...

    def worker(self, index: int, length: int, start: int) -> Any:
        """Have a worker, which goes on with what begins with `start` after `length` bytes of its
        log."""
        ...


class Transport(Protocol):
    """The workers of a job, one for each partition."""

    @property
    def steps(self) -> int | None:
        """About so many steps of each partition may be under way; None says nothing."""
        ...

    @property
    def bound(self) -> int | None:
        """Bytes of memory that they keep to by themselves, if they do."""
        ...

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Do a superstep: each worker gets the batches that the others sent it in the one before,
        and its arguments. Return what the workers found."""
        ...

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        ...

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers alike."""
        ...

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Have new workers, which go on with the level that begins with state `start`, after so
        many bytes of their logs."""
        ...

    def stop(self) -> None:
        """Let the workers go."""
        ...


class Local:
    """Workers in this process, some of them at a time."""

    steps = None
    bound = None

    def __init__(self, job: Task, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads) if min(threads, job.partitions) > 1 else None
        self._job = job
        self._workers: list[Any] = []
        self._batches: list[list[bytes]] = []
        """For each worker what the others sent it."""

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Have new workers."""
        self._leave()
        for index, length in enumerate(lengths):
            self._workers.append(self._job.worker(index, length, start))
        self._batches = [[] for _ in self._workers]

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Do a superstep."""
        inboxes, self._batches = self._batches, [[] for _ in self._workers]

        def one(index: int) -> Any:
            # What was read is given up as soon as it was.
            inbox, inboxes[index] = inboxes[index], []
            return getattr(self._workers[index], method)(inbox, *arguments[index])

        done = self._map(one)
        for _, outbox in done:
            if outbox is not None:
                for inbox, batch in zip(self._batches, outbox, strict=True):
                    inbox.append(batch)
        return [found for found, _ in done]

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        return getattr(self._workers[which], method)(*arguments)

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers alike."""
        return self._map(lambda index: self.call(index, method, *arguments))

    def stop(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            self._pool.shutdown()
        self._leave()

    def _leave(self) -> None:
        for worker in self._workers:
            worker.leave()
        self._workers = []

    def _map(self, work: Callable[[int], Any]) -> list[Any]:
        every = range(len(self._workers))
        if self._pool is None:
            return [work(index) for index in every]
        # They are there before a signal may come: one that is raised while work is handed over
        # leaves nothing running that nobody knows of.
        done: list[Future[Any]] = [Future() for _ in every]

        def one(index: int) -> None:
            if done[index].set_running_or_notify_cancel():
                try:
                    done[index].set_result(work(index))
                except BaseException as error:
                    done[index].set_exception(error)

        try:
            for index in every:
                self._pool.submit(one, index)
            return [found.result() for found in done]
        except BaseException:
            self._end(done)
            raise

    def _end(self, under_way: Sequence[Future[Any]]) -> None:
        """Have what has begun end soon, and the rest not begin; wait until that is so, whatever
        signals raise meanwhile."""
        while True:
            try:
                for one in under_way:
                    one.cancel()
                # Again and again: a worker that begins just now forgets what was said before.
                while not all(one.done() for one in under_way):
                    for worker in self._workers:
                        worker.interrupt()
                    sleep(_LOOK)
                return
            except (KeyboardInterrupt, SystemExit):
                continue


def with_workers(
    begin: Callable[[], object], work: Callable[[], _T], *, resumes: bool = True
) -> _T:
    """Return what work gives; where workers are lost, others begin, and it is done anew.

    Raises `LtsError` where that happens again and again; `resumes` says that a run is there to go
    on with.
    """
    lost = None
    for _ in range(_ATTEMPTS):
        try:
            if lost is not None:
                begin()
            return work()
        except Lost as error:
            lost = error
    message = f"workers are lost again and again: {lost}"
    raise LtsError(f"{message}; --resume goes on with the run" if resumes else message)

"""Calls of workers, and routing of batches between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import sleep
from typing import Any, Protocol, TypeVar

from lts.errors import LtsError

__all__ = ["Local", "Lost", "Task", "Transport", "with_workers"]

_T = TypeVar("_T")

_ATTEMPTS = 16
"""Most consecutive restarts without progress."""

_LOOK = 0.02
"""Seconds between checks whether workers have ended."""


class Lost(Exception):
    """A worker, or a batch that it sent, is lost."""


class Task(Protocol):
    """The job of all workers."""

    @property
    def partitions(self) -> int:
        """Number of workers."""
        ...

    @property
    def run(self) -> str | None:
        """The folder of the logs; None for no logs."""
        ...

    @property
    def silent(self) -> frozenset[str]:
        """The supersteps that send no batches."""
        ...

    def worker(self, index: int, length: int, start: int) -> Any:
        """Create a worker, which resumes with the level starting at state `start`, after `length`
        bytes of its log."""
        ...


class Transport(Protocol):
    """The workers of a job, one for each partition."""

    @property
    def steps(self) -> int | None:
        """Approximate number of steps of each partition to process at a time; None for no
        preference."""
        ...

    @property
    def bound(self) -> int | None:
        """Bytes of memory that the workers stay below by themselves; None if they do not."""
        ...

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Perform a superstep: each worker gets the batches sent to it in the previous superstep,
        and its arguments. Return the results of the workers."""
        ...

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        ...

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers with the same arguments."""
        ...

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Start new workers, which resume with the level starting at state `start`, after `lengths`
        bytes of their logs."""
        ...

    def stop(self) -> None:
        """Stop the workers."""
        ...


class Local:
    """Workers in this process, several at a time."""

    steps = None
    bound = None

    def __init__(self, job: Task, threads: int) -> None:
        self._executor = ThreadPoolExecutor(threads) if min(threads, job.partitions) > 1 else None
        self._job = job
        self._workers: list[Any] = []
        self._batches: list[list[bytes]] = []
        """For each worker the batches that the others sent it."""

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Start new workers."""
        self._leave()
        for index, length in enumerate(lengths):
            self._workers.append(self._job.worker(index, length, start))
        self._batches = [[] for _ in self._workers]

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Perform a superstep."""
        inboxes, self._batches = self._batches, [[] for _ in self._workers]

        def one(index: int) -> Any:
            # Free batches as soon as they are read.
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
        """Call all workers with the same arguments."""
        return self._map(lambda index: self.call(index, method, *arguments))

    def stop(self) -> None:
        """Stop the workers."""
        if self._executor is not None:
            self._executor.shutdown()
        self._leave()

    def _leave(self) -> None:
        for worker in self._workers:
            worker.leave()
        self._workers = []

    def _map(self, work: Callable[[int], Any]) -> list[Any]:
        every = range(len(self._workers))
        if self._executor is None:
            return [work(index) for index in every]
        # Created before any work is handed out, so that an exception raised by a signal meanwhile
        # leaves no running work without a future.
        done: list[Future[Any]] = [Future() for _ in every]

        def one(index: int) -> None:
            if done[index].set_running_or_notify_cancel():
                try:
                    done[index].set_result(work(index))
                except BaseException as error:
                    done[index].set_exception(error)

        try:
            for index in every:
                self._executor.submit(one, index)
            return [found.result() for found in done]
        except BaseException:
            self._end(done)
            raise

    def _end(self, started: Sequence[Future[Any]]) -> None:
        """Interrupt started work and cancel the rest; wait until all has ended, even if signals
        raise exceptions meanwhile."""
        while True:
            try:
                for future in started:
                    future.cancel()
                # Repeated, because a worker that is just starting clears an earlier interrupt.
                while not all(future.done() for future in started):
                    for worker in self._workers:
                        worker.interrupt()
                    sleep(_LOOK)
                return
            except Exception:
                raise
            except BaseException:  # of a signal, whatever its handler raises
                continue


def with_workers(
    begin: Callable[[], object], work: Callable[[], _T], *, resumes: bool = True
) -> _T:
    """Return the result of `work`; if workers are lost, start others and repeat it.

    Raises `LtsError` after repeated losses; with `resumes`, the message says that the run can be
    resumed.
    """
    lost = None
    for _ in range(_ATTEMPTS):
        try:
            if lost is not None:
                begin()
            return work()
        except Lost as error:
            lost = error
    message = f"workers were lost repeatedly: {lost}"
    raise LtsError(f"{message}; resume the run with --resume" if resumes else message)

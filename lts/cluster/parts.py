"""Options of partitioned work: how many partitions, which workers, and which logs."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from lts.cluster.transport import Local, Transport
from lts.cluster.turns import Spilled, Turns
from lts.errors import LtsError
from lts.state_space.settings import Settings

__all__ = ["Parts"]


@dataclass(frozen=True, slots=True)
class Parts:
    """Options of partitioned work: how many partitions, which workers, and which logs.

    `workers` returns the transport for a job, whose workers are started later. By default they run
    in this process, as many at a time as the settings have threads. With a limit of memory they
    take turns, so that the resident size of the process stays below it: the excess is spilled to
    files, and `spilled` is called with the cost. Other workers end with an error if they exceed the
    limit together.

    With `run`, the path of the result, logs are in a folder beside it with `.run` appended to its
    name, while work is under way. They are retained if the run is interrupted, exceeds a limit of
    time or memory, or if workers fail for good; `resume` continues from there. With `until`, an
    exit stack, they are removed when it is closed without an exception, so that the result can be
    written before.
    """

    partitions: int
    workers: Callable[[Any], Transport] | None = None
    run: str | os.PathLike[str] | None = None
    resume: bool = False
    until: ExitStack | None = None
    spilled: Callable[[Spilled], object] | None = None

    def __post_init__(self) -> None:
        if self.partitions < 1:
            raise LtsError("there must be at least one partition")

    def transport(self, job: Any, settings: Settings) -> Transport:
        """Return the workers for a job."""
        if self.workers is not None:
            return self.workers(job)
        memory = settings.limits.memory
        return Local(job, settings.threads) if memory is None else Turns(job, memory)

    def report(self, transport: Transport, done: str) -> None:
        """If workers took turns, check the limit of memory once more and report what was spilled;
        `done` names the last unit of work."""
        if isinstance(transport, Turns):
            transport.look(done)
            if self.spilled is not None:
                self.spilled(transport.spilled())

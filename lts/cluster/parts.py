"""In how many partitions work is done, where, and what is kept meanwhile."""

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
    """In how many partitions work is done, where, and what is kept meanwhile.

    `workers` has workers for a job, which begin later; by default they are in this process, as many
    at a time as the settings have threads. With a limit of memory those take turns, so that its
    resident size is below it: what is too much is in files meanwhile, and `spilled` is told what
    that cost. Other workers end where they have more than that together.

    With `run`, the name of what is to be written, logs are in a folder beside it, with `.run` at
    the end of its name, while work is under way. They stay if it is interrupted, a limit of time or
    memory ends it, or workers fail for good; with `resume` it goes on from there. With `until` they
    are removed where that is left without an exception, and so what is returned was written.
    """

    partitions: int
    workers: Callable[[Any], Transport] | None = None
    run: str | os.PathLike[str] | None = None
    resume: bool = False
    until: ExitStack | None = None
    spilled: Callable[[Spilled], object] | None = None

    def __post_init__(self) -> None:
        if self.partitions < 1:
            raise LtsError("there is one partition at least")

    def transport(self, job: Any, settings: Settings) -> Transport:
        """Return workers for a job."""
        if self.workers is not None:
            return self.workers(job)
        memory = settings.limits.memory
        return Local(job, settings.threads) if memory is None else Turns(job, memory)

    def report(self, transport: Transport, done: str) -> None:
        """Look at the limit of memory once more, and tell what was put away, if workers took
        turns; `done` is what came last."""
        if isinstance(transport, Turns):
            transport.look(done)
            if self.spilled is not None:
                self.spilled(transport.spilled())

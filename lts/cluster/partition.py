"""What every worker has: a partition in the engine, which may be put away in a file, and a log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from lts import _engine
from lts.cluster.logs import WorkerLog

__all__ = ["Away", "Outbox", "PartitionWorker"]

Outbox = list[bytes] | None
"""A batch for every partition, where there are any."""


@dataclass(frozen=True, slots=True)
class Away:
    """Bytes that are in the file, and not in memory, of each group of what a partition has; and
    what was moved up to now."""

    groups: list[int]
    written: int
    read: int
    time: float
    """Seconds for that."""

    @property
    def bytes(self) -> int:
        """Bytes of all groups."""
        return sum(self.groups)


class PartitionWorker:
    """A partition in the engine, and a log of it.

    Supersteps take a batch of every partition first. They return what they found for the driver,
    and a batch for every partition.
    """

    takes: ClassVar[Mapping[str, tuple[int, ...]]]
    """Which groups of what a partition has are taken back for what; all for anything else."""
    groups: ClassVar[int]
    """How many groups there are."""

    _partition: _engine.Partition | _engine.Part | None = None
    """None where it could not begin, and once it is left."""
    _log: WorkerLog | None = None

    def put_away(self, path: str) -> None:
        """Free the memory of the partition, which is in a file of this name until it is wanted."""
        if self._partition is not None:
            self._partition.put_away(path)

    def away(self) -> Away:
        """Return what is put away, and was."""
        if self._partition is None:
            return Away([0] * self.groups, 0, 0, 0.0)
        return Away(**self._partition.away())

    def back(self, method: str) -> int:
        """Return how many bytes a superstep takes back, or anything else that is done."""
        groups = self.away().groups
        return sum(groups[group] for group in self.takes.get(method, range(len(groups))))

    def interrupt(self) -> None:
        """Have what another thread waits for end soon."""
        if self._partition is not None:
            self._partition.interrupt()

    def leave(self) -> None:
        """Let the engine go, and close the log, as it is."""
        self._partition = None
        if self._log is not None:
            self._log.close()

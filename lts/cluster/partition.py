"""The common part of all workers: a partition in the engine, which can be spilled to a file, and a
log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import lts._engine as _engine
from lts.cluster.logs import WorkerLog

__all__ = ["Away", "Outbox", "PartitionWorker"]

Outbox = list[bytes] | None
"""One batch for each partition; None if no batches are sent."""


@dataclass(frozen=True, slots=True)
class Away:
    """Bytes of each group of data that are spilled to the file, and the bytes moved so far."""

    groups: list[int]
    written: int
    read: int
    time: float
    """Seconds spent moving them."""

    @property
    def bytes(self) -> int:
        """Spilled bytes of all groups."""
        return sum(self.groups)


class PartitionWorker:
    """A partition in the engine, and its log.

    The first argument of a superstep is one batch from each partition. It returns a result for the
    driver, and one batch for each partition.
    """

    takes: ClassVar[Mapping[str, tuple[int, ...]]]
    """The groups of data that each method needs to read back; a method that is not listed needs
    all."""
    groups: ClassVar[int]
    """Number of groups."""

    _partition: _engine.Partition | _engine.Part | None = None
    """None if the worker failed to start, and after `leave`."""
    _log: WorkerLog | None = None

    def spill(self, path: str) -> None:
        """Spill the partition to a file of this name, freeing its memory until it is needed."""
        if self._partition is not None:
            self._partition.spill(path)

    def away(self) -> Away:
        """Return how much is spilled, and how much was moved so far."""
        if self._partition is None:
            return Away([0] * self.groups, 0, 0, 0.0)
        return Away(**self._partition.away())

    def back(self, method: str) -> int:
        """Return how many bytes a method has to read back from spill files."""
        groups = self.away().groups
        return sum(groups[group] for group in self.takes.get(method, range(len(groups))))

    def interrupt(self) -> None:
        """Make the call that another thread waits for end soon."""
        if self._partition is not None:
            self._partition.interrupt()

    def leave(self) -> None:
        """Free the engine's partition and close the log, in their current state."""
        self._partition = None
        if self._log is not None:
            self._log.close()

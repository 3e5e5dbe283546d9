"""What of a partition is put away in a file."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Away"]


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

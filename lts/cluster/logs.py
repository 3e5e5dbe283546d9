"""What is on storage while a run is under way, so that it can go on where it was.

Every worker has a log to which it appends what came in a level: what it takes to have the partition
again, and transitions. The driver has one, too, of a line for each level that all have ended, with
the lengths of the logs then. What stands behind these is of a level that was not ended.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from lts.errors import LtsError

__all__ = ["MOVES", "STATES", "TRANSITIONS", "DriverLog", "WorkerLog"]

STATES = b"S"
TRANSITIONS = b"T"
MOVES = b"M"
_LENGTH = 8


class WorkerLog:
    """The log of a worker: pieces of a kind, each after its length."""

    def __init__(self, directory: str, index: int, length: int) -> None:
        """Open the log, of which so many bytes count."""
        self.name = os.path.join(directory, f"partition-{index:04d}.log")
        self._file: BinaryIO = open(self.name, "r+b" if length else "w+b")  # noqa: SIM115
        if os.fstat(self._file.fileno()).st_size < length:
            self._file.close()
            raise LtsError(f"{self.name} has lost what was written: the run cannot go on")
        self._file.truncate(length)
        self._file.seek(length)

    def append(self, kind: bytes, *parts: bytes) -> None:
        """Append a piece that is made of parts."""
        for part in (kind, sum(map(len, parts)).to_bytes(_LENGTH, "little"), *parts):
            self._file.write(part)

    def keep(self) -> int:
        """Have all that was appended kept for good; return the length."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def pieces(self, kind: bytes) -> Iterator[bytes]:
        """Yield the pieces of a kind, in order; nothing is appended afterwards."""
        end = self._file.seek(0, os.SEEK_END)
        place = self._file.seek(0)
        while place < end:
            found = self._file.read(1)
            length = int.from_bytes(self._file.read(_LENGTH), "little")
            if found == kind:
                yield self._file.read(length)
            else:
                self._file.seek(length, os.SEEK_CUR)
            place += 1 + _LENGTH + length

    def close(self) -> None:
        """Close the log."""
        self._file.close()


class DriverLog:
    """The log of the driver: a line that says what the run is, and one for each level."""

    def __init__(self, directory: str, run: dict[str, Any], *, resume: bool) -> None:
        """Begin a run, or go on with one, which has to be the same."""
        name = os.path.join(directory, "levels.jsonl")
        self.levels: list[dict[str, Any]] = []
        """Of levels that were ended before."""
        if resume:
            try:
                self._file: BinaryIO = open(name, "r+b")  # noqa: SIM115
            except FileNotFoundError:
                raise LtsError(f"{directory} has no run to go on with") from None
            self._read(directory, run)
        else:
            self._file = open(name, "xb")  # noqa: SIM115
            self._append(run)

    def _read(self, directory: str, run: dict[str, Any]) -> None:
        """Take what is there, up to a line that was not completed."""
        lines = self._file.read().split(b"\n")[:-1]
        try:
            known, *self.levels = map(json.loads, lines)
        except ValueError:
            known = None
        if known != run:
            self._file.close()
            was = known if isinstance(known, dict) else {}
            other = [field for field in run if was.get(field) != run[field]]
            raise LtsError(f"{directory} is of another run: it differs in {', '.join(other)}")
        self._file.seek(sum(len(line) + 1 for line in lines))
        self._file.truncate()

    def level(self, level: dict[str, Any]) -> None:
        """Note that a level was ended."""
        self._append(level)
        self.levels.append(level)

    def _append(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the log."""
        self._file.close()

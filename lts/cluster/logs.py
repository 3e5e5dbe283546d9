"""Logs of a run, from which it can be resumed.

Every worker appends to its log what each level added to its partition, enough to restore it, and
the transitions. The driver's log has one line for each level that all workers have finished, with
the lengths of their logs at that time. Anything behind these lengths belongs to an unfinished level
and is ignored.

Everything that is read is protected by checksums: a run resumes with exactly what it has written,
or not at all.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from lts.cluster.locks import LOCK
from lts.errors import LtsError

__all__ = [
    "MOVES",
    "STATES",
    "TRANSITIONS",
    "DriverLog",
    "OtherRun",
    "WorkerLog",
    "has_nothing",
    "is_begun",
]

STATES = b"S"
TRANSITIONS = b"T"
MOVES = b"M"
_HEADER = struct.Struct("<cQI")
"""Header of a record: its kind, its length, and the checksum of its content."""
_CHECKSUM = struct.Struct("<I")
"""Checksum of the header, which follows it: records can be skipped without reading their
content."""
_LEVELS = "levels.jsonl"
_BEGINNING = b'["'
"""The first bytes of the driver's log."""


def is_begun(directory: str) -> bool:
    """Whether a folder has a run that can be resumed: its driver has written the first line."""
    try:
        with open(os.path.join(directory, _LEVELS), "rb") as file:
            return file.readline().endswith(b"\n")
    except (FileNotFoundError, IsADirectoryError):
        return False


def has_nothing(directory: str) -> bool:
    """Whether a run can start in a folder without loss: it holds nothing but the beginning of the
    driver's log and the lock file of a run that stopped before its workers started."""
    with os.scandir(directory) as entries:
        return all(map(_is_nothing, entries))


def _is_nothing(entry: os.DirEntry[str]) -> bool:
    if entry.name not in (_LEVELS, LOCK) or not entry.is_file(follow_symlinks=False):
        return False
    if entry.name == LOCK:
        return entry.stat().st_size == 0
    with open(entry.path, "rb") as file:
        return _BEGINNING.startswith(file.read(len(_BEGINNING)))


class OtherRun(LtsError):
    """The run in the folder belongs to another task."""


def _damaged(name: str) -> LtsError:
    return LtsError(f"{name} is damaged: the run cannot be resumed")


class WorkerLog:
    """The log of a worker: a sequence of records, each preceded by its kind, length and
    checksums."""

    def __init__(self, directory: str, index: int, length: int) -> None:
        """Open the log and truncate it to its valid `length` in bytes."""
        self.name = os.path.join(directory, f"partition-{index:04d}.log")
        self._file: BinaryIO = open(self.name, "r+b" if length else "w+b")  # noqa: SIM115
        if os.fstat(self._file.fileno()).st_size < length:
            self._file.close()
            raise LtsError(f"{self.name} has lost data: the run cannot be resumed")
        self._file.truncate(length)
        self._file.seek(length)

    def append(self, kind: bytes, *parts: bytes) -> None:
        """Append a record whose content is the concatenation of the parts."""
        length, checksum = 0, 0
        for part in parts:
            length += len(part)
            checksum = zlib.crc32(part, checksum)
        header = _HEADER.pack(kind, length, checksum)
        for part in (header, _CHECKSUM.pack(zlib.crc32(header)), *parts):
            self._file.write(part)

    def keep(self) -> int:
        """Flush everything appended to the disk; return the length of the log."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def records(self, kind: bytes) -> Iterator[bytes]:
        """Yield the records of a kind, in order; nothing may be appended afterwards.

        Raises `LtsError` if a record is damaged.
        """
        end = self._file.seek(0, os.SEEK_END)
        place = self._file.seek(0)
        while place < end:
            header = self._file.read(_HEADER.size)
            if self._file.read(_CHECKSUM.size) != _CHECKSUM.pack(zlib.crc32(header)):
                self._refuse()
            found, length, checksum = _HEADER.unpack(header)
            if found == kind:
                record = self._file.read(length)
                if zlib.crc32(record) != checksum:
                    self._refuse()
                yield record
            else:
                self._file.seek(length, os.SEEK_CUR)
            place += _HEADER.size + _CHECKSUM.size + length

    def _refuse(self) -> NoReturn:
        self.close()
        raise _damaged(self.name)

    def close(self) -> None:
        """Close the log."""
        self._file.close()


class DriverLog:
    """The log of the driver: a line that identifies the run, and one for each level."""

    def __init__(self, directory: str, run: dict[str, Any]) -> None:
        """Start a run, or resume the one in the folder, which must be the same."""
        self.name = os.path.join(directory, _LEVELS)
        self.levels: list[dict[str, Any]] = []
        """The levels finished by earlier processes."""
        if is_begun(directory):
            self._file: BinaryIO = open(self.name, "r+b")  # noqa: SIM115
            self._read(directory, run)
        else:
            self._file = open(self.name, "wb")  # noqa: SIM115
            self._append(run)

    def _read(self, directory: str, run: dict[str, Any]) -> None:
        """Read the existing log, up to a line that is incomplete."""
        lines = self._file.read().split(b"\n")[:-1]
        content = [line[_CONTENT] for line in lines]
        if any(line != _line(text)[:-1] for line, text in zip(lines, content, strict=True)):
            self._file.close()
            raise _damaged(self.name)
        known, *self.levels = map(json.loads, content)
        if known != run:
            self._file.close()
            other = [field for field in run if known.get(field) != run[field]]
            raise OtherRun(
                f"{directory} belongs to another run, which differs in {', '.join(other)}"
            )
        self._file.seek(sum(len(line) + 1 for line in lines))
        self._file.truncate()

    def level(self, level: dict[str, Any]) -> None:
        """Record that a level is finished."""
        self._append(level)
        self.levels.append(level)

    def _append(self, line: dict[str, Any]) -> None:
        self._file.write(_line(json.dumps(line).encode()))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the log."""
        self._file.close()


_CONTENT = slice(len('["01234567", '), -len("]"))
"""The part of a line that has its content, behind the checksum."""


def _line(content: bytes) -> bytes:
    """Return a line with a checksum before its content."""
    return b'["%08x", %s]\n' % (zlib.crc32(content), content)

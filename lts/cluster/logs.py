"""What is on storage while a run is under way, so that it can go on where it was.

Every worker has a log to which it appends what came in a level: what it takes to have the partition
again, and transitions. The driver has one, too, of a line for each level that all have ended, with
the lengths of the logs then. What stands behind these is of a level that was not ended.

All that is read has checksums: a run goes on with what it has written, or not at all.
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
"""Of a piece: its kind, its length, and the checksum of its bytes."""
_CHECKSUM = struct.Struct("<I")
"""Of the header, behind it: what follows a piece is found without reading that."""
_LEVELS = "levels.jsonl"
_BEGINNING = b'["'
"""Of the file with that name."""


def is_begun(directory: str) -> bool:
    """Whether a folder has a run to go on with: its driver has said what it is."""
    try:
        with open(os.path.join(directory, _LEVELS), "rb") as file:
            return file.readline().endswith(b"\n")
    except (FileNotFoundError, IsADirectoryError):
        return False


def has_nothing(directory: str) -> bool:
    """Whether nothing is lost where a run is begun in a folder: there is no more in it than a run
    has whose driver has not yet said what it is, and whose workers have not begun."""
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
    """The run that is there is of something else."""


def _damaged(name: str) -> LtsError:
    return LtsError(f"{name} is damaged: the run cannot be gone on with")


class WorkerLog:
    """The log of a worker: pieces of a kind, each behind its length and checksums."""

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
        length, checksum = 0, 0
        for part in parts:
            length += len(part)
            checksum = zlib.crc32(part, checksum)
        header = _HEADER.pack(kind, length, checksum)
        for part in (header, _CHECKSUM.pack(zlib.crc32(header)), *parts):
            self._file.write(part)

    def keep(self) -> int:
        """Have all that was appended kept for good; return the length."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def pieces(self, kind: bytes) -> Iterator[bytes]:
        """Yield the pieces of a kind, in order; nothing is appended afterwards.

        Raises `LtsError` where one of them is not as it was written.
        """
        end = self._file.seek(0, os.SEEK_END)
        place = self._file.seek(0)
        while place < end:
            header = self._file.read(_HEADER.size)
            if self._file.read(_CHECKSUM.size) != _CHECKSUM.pack(zlib.crc32(header)):
                self._refuse()
            found, length, checksum = _HEADER.unpack(header)
            if found == kind:
                piece = self._file.read(length)
                if zlib.crc32(piece) != checksum:
                    self._refuse()
                yield piece
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
    """The log of the driver: a line that says what the run is, and one for each level."""

    def __init__(self, directory: str, run: dict[str, Any]) -> None:
        """Begin a run, or go on with the one that is there, which has to be the same."""
        self.name = os.path.join(directory, _LEVELS)
        self.levels: list[dict[str, Any]] = []
        """Of levels that were ended before."""
        if is_begun(directory):
            self._file: BinaryIO = open(self.name, "r+b")  # noqa: SIM115
            self._read(directory, run)
        else:
            self._file = open(self.name, "wb")  # noqa: SIM115
            self._append(run)

    def _read(self, directory: str, run: dict[str, Any]) -> None:
        """Take what is there, up to a line that was not completed."""
        lines = self._file.read().split(b"\n")[:-1]
        content = [line[_CONTENT] for line in lines]
        if any(line != _line(text)[:-1] for line, text in zip(lines, content, strict=True)):
            self._file.close()
            raise _damaged(self.name)
        known, *self.levels = map(json.loads, content)
        if known != run:
            self._file.close()
            other = [field for field in run if known.get(field) != run[field]]
            raise OtherRun(f"{directory} is of another run: it differs in {', '.join(other)}")
        self._file.seek(sum(len(line) + 1 for line in lines))
        self._file.truncate()

    def level(self, level: dict[str, Any]) -> None:
        """Note that a level was ended."""
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
"""What a line tells, behind its checksum."""


def _line(content: bytes) -> bytes:
    """Return the line that tells something."""
    return b'["%08x", %s]\n' % (zlib.crc32(content), content)

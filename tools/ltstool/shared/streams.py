"""The standard streams of the program: what is wrong with one is an error that names it."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

INPUT, OUTPUT, MESSAGES = 0, 1, 2


def prepare() -> None:
    """Set up the standard streams; one that was closed is an error where it is used.

    Labels are read and printed as the bytes they are in their file. Messages that nobody takes
    do not stop the work.
    """
    # What is opened later must not take the place of a closed stream. The wrong way round, so that
    # reading and writing fail as they should.
    for number, way in ((INPUT, os.O_WRONLY), (OUTPUT, os.O_RDONLY), (MESSAGES, os.O_WRONLY)):
        if not _is_open(number):
            os.open(os.devnull, way)  # the lowest number that is free
    input = _Input(INPUT, "rb", closefd=False)
    input.name = "<stdin>"
    sys.stdin = io.TextIOWrapper(io.BufferedReader(input), "utf-8", "surrogateescape")
    output = _Output(OUTPUT, "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output), "utf-8", "surrogateescape", line_buffering=output.isatty()
    )
    messages = _Messages(MESSAGES, "wb", closefd=False)
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(messages), "utf-8", "backslashreplace", line_buffering=True
    )


def forget() -> None:
    """Forget what standard output has not written yet, and all that comes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), OUTPUT)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


class _Input(io.FileIO):
    def readinto(self, buffer: WriteableBuffer) -> int | None:
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard input") from None

    def readall(self) -> bytes:
        try:
            return super().readall()
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard input") from None


class _Output(io.FileIO):
    def write(self, data: ReadableBuffer) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard output") from None


class _Messages(io.FileIO):
    def write(self, data: ReadableBuffer) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes

"""The standard streams of the program; errors of a stream name it.

All output to a terminal and all messages go through here. Control sequences that a terminal would
interpret, for instance from a label or a file name, are escaped. Data that go elsewhere are written
unchanged.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from lts.base.escaping import shortened

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

INPUT, OUTPUT, MESSAGES = 0, 1, 2


def prepare() -> None:
    """Set up the standard streams; a closed stream is an error when it is used.

    Labels are read and printed as the bytes in their file. Messages that cannot be written do not
    stop the work.
    """
    # Files opened later must not take the numbers of closed streams. They are opened in the wrong
    # direction, so that reading and writing fail as for a closed stream.
    for number, mode in ((INPUT, os.O_WRONLY), (OUTPUT, os.O_RDONLY), (MESSAGES, os.O_WRONLY)):
        if not _is_open(number):
            os.open(os.devnull, mode)  # gets the lowest free number
    input = _Input(INPUT, "rb", closefd=False)
    input.name = "<stdin>"
    sys.stdin = io.TextIOWrapper(io.BufferedReader(input), "utf-8", "surrogateescape")
    output = _Output(OUTPUT, "wb", closefd=False)
    output.shown = _Shown() if output.isatty() else None
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output), "utf-8", "surrogateescape", line_buffering=output.isatty()
    )
    messages = _Messages(MESSAGES, "wb", closefd=False)
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(messages), "utf-8", "backslashreplace", line_buffering=True
    )


def forget() -> None:
    """Discard the buffer of standard output, and all later output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), OUTPUT)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@contextmanager
def _errors_of(name: str) -> Iterator[None]:
    """Make errors of a stream name it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from None


class _Input(io.FileIO):
    def readinto(self, buffer: WriteableBuffer) -> int | None:
        with _errors_of("standard input"):
            return super().readinto(buffer)

    def readall(self) -> bytes:
        with _errors_of("standard input"):
            return super().readall()


class _Shown:
    """Converts bytes for display on a terminal; a character may be split between two blocks."""

    def __init__(self) -> None:
        self.decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    def __call__(self, data: ReadableBuffer) -> bytes:
        from lts.base.escaping import escaped

        text = self.decoder.decode(bytes(data))
        return escaped(text, "\n\t").encode("utf-8")


KINDS = {"error": b"1;31", "warning": b"1;35", "note": b"1;36"}
"""The kinds of messages, with their colours on a terminal (ECMA-48). An error ends the command
without its result; a warning says why the result may not be what was meant; a note informs."""

_colour = "auto"
"""When messages are coloured: `always`, `never`, or `auto` on a terminal."""


def colour_messages(when: str) -> None:
    """Choose when messages are coloured, by the value of `--colour`."""
    global _colour
    _colour = when


def message(kind: str, text: str) -> None:
    """Print a message of one of `KINDS` on standard error; long names in its first line are
    shortened."""
    first, end, rest = text.partition("\n")
    text = f"{shortened(first)}{end}{rest}"
    raw = getattr(getattr(sys.stderr, "buffer", None), "raw", None)
    if isinstance(raw, _Messages) and _is_coloured():
        sys.stderr.flush()
        raw.control(b"ltstool: \033[%sm%s:\033[0m " % (KINDS[kind], kind.encode()))
        print(text, file=sys.stderr, flush=True)
    else:
        print(f"ltstool: {kind}: {text}", file=sys.stderr, flush=True)


def _is_coloured() -> bool:
    if _colour != "auto":
        return _colour == "always"
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not is_plain and sys.stderr.isatty()


def show_line(text: str = "") -> None:
    """Show a line on standard error that replaces the previous such line."""
    raw = getattr(getattr(sys.stderr, "buffer", None), "raw", None)
    text = _fitting(text)
    if isinstance(raw, _Messages):
        sys.stderr.flush()
        raw.control(_ERASE)
    else:
        text = _ERASE.decode() + text
    print(text, end="", file=sys.stderr, flush=True)


def line_width() -> int | None:
    """Return the columns of the terminal that standard error is, None if they are unknown."""
    try:
        # Some terminals report no width.
        return os.get_terminal_size(sys.stderr.fileno()).columns or None
    except (OSError, ValueError, AttributeError):
        return None


def _fitting(text: str) -> str:
    """Return a text shortened to a line of the terminal, where a longer one could not be erased."""
    width = line_width()
    # The last column is left free, since writing there may scroll.
    return text if width is None or len(text) < width else f"{text[: max(width - 4, 0)]}..."


_ERASE = b"\r\033[K"


class _Output(io.FileIO):
    shown: _Shown | None = None

    def write(self, data: ReadableBuffer) -> int | None:  # type: ignore[override]
        with _errors_of("standard output"):
            if self.shown is None:
                return super().write(data)
            rest = self.shown(data)
            while rest:
                rest = rest[super().write(rest) or 0 :]
            return memoryview(data).nbytes


class _Messages(io.FileIO):
    def write(self, data: ReadableBuffer) -> int | None:  # type: ignore[override]
        from lts.base.escaping import escaped

        # Written as text, in whole characters.
        rest = escaped(bytes(data).decode("utf-8", "replace"), "\n\t").encode()
        try:
            while rest:
                rest = rest[super().write(rest) or 0 :]
        except OSError:
            pass
        return memoryview(data).nbytes

    def control(self, sequence: bytes) -> None:
        """Write bytes that a terminal interprets, as they are."""
        with suppress(OSError):
            super().write(sequence)

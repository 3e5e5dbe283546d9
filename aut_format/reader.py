"""Reading of .aut files: the engine scans the bytes, and this module adds the place to errors."""

from __future__ import annotations

import io
import os
import re
import stat
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import lts._engine as _engine
from lts.errors import FormatError, LtsError, ReductionWarning
from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Column = npt.NDArray[np.uint32]

__all__ = ["Reader", "loads", "printable", "read"]

REDUCTION = b"rho-encoding(sha256:"
"""The prefix of the label that marks a file as a reduction (`lts.symmetry.reduction`)."""

_BLOCK = 1 << 22
_SHOWN = 200  # most characters of a line that an error shows

_ENCODED = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"d\0e\0": "UTF-16",
    b"\0d\0e": "UTF-16",
}
"""First bytes of files in encodings with several bytes a character: a byte order mark, or `de`."""

_PACKED = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"(\xb5/\xfd": "Zstandard",
    b"PK\x03\x04": "zip",
}
"""First bytes of compressed files."""


def read(
    file: str | os.PathLike[str] | BinaryIO,
    *,
    internal: Iterable[str] | None = None,
    salvage: bool = False,
) -> LTS:
    """Read an LTS from a path or a binary file object.

    `internal` names the labels that stand for the internal action; by default that is `tau`, or `i`
    where no label is `tau`, or none if the header says so (`des`, a tab, a bracket). With `salvage`
    an unfinished file is accepted: the counts in the header are ignored, and a last line that was
    cut off is left out. A file marked as the reduction of another system is read as the LTS that it
    contains, with a `ReductionWarning`; use `lts.symmetry.read_reduction` to read it as a
    reduction.

    Raises `FormatError` (with line and column) if it is not an Aldebaran file.
    """
    if isinstance(file, str | os.PathLike):
        with open(file, "rb", buffering=0) as opened:
            return _scan(opened, os.fspath(file), internal, salvage)
    name = getattr(file, "name", None)
    return _scan(file, name if isinstance(name, str) else None, internal, salvage)


def loads(
    data: bytes | str, *, internal: Iterable[str] | None = None, salvage: bool = False
) -> LTS:
    """Read an LTS from the contents of a file; see `read`."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    return _scan(io.BytesIO(data), None, internal, salvage)


def _scan(
    file: BinaryIO | io.RawIOBase, name: str | None, internal: Iterable[str] | None, salvage: bool
) -> LTS:
    scanner = _engine.Scanner(salvage, size_of(file))
    try:
        while block := file.read(_BLOCK):
            if isinstance(block, str):
                raise TypeError("the file must be opened in binary mode, not as text")
            scanner.feed(block)
        system = LTS(scanner.finish())
    except _engine.ScanError as error:
        raise _format_error(name, *error.args) from None
    if system._engine.beginning(REDUCTION):
        warnings.warn(
            f"{name or 'this'} is the reduction of another system: read it with "
            "lts.symmetry.read_reduction, since results for the file itself do not hold for "
            "that system",
            ReductionWarning,
            stacklevel=3,
        )
    return system if internal is None else system.with_internal(internal)


class Reader:
    """Streams the transitions of a file without loading all of them.

    Can be iterated over once. Each item has sources, label numbers and targets, as arrays of 32-bit
    integers. After that, `system` is the LTS without its transitions: it has the label table and
    the number of states. Errors are those of `read`, raised when they are found.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._system: LTS | None = None

    def __reduce__(self) -> NoReturn:
        raise TypeError("a file that is being read cannot be copied or pickled: its LTS can be")

    @property
    def system(self) -> LTS:
        """The LTS without its transitions, available after all of them were read."""
        if self._system is None:
            raise LtsError("the file was not read to its end")
        return self._system

    def __iter__(self) -> Iterator[tuple[Column, Column, Column]]:
        # Size 0: allocate no space for the transitions that the header announces.
        scanner = _engine.Scanner(False, 0)
        try:
            with (
                open(self.path, "rb", buffering=0) as file,
                _engine.Stage("reading", size_of(file)) as stage,
            ):
                ended = True
                while block := file.read(_BLOCK):
                    scanner.feed(block)
                    yield from _taken(scanner)
                    stage.add(len(block))
                    ended = block.endswith(b"\n")
            if not ended:
                # The last line may lack its line end.
                scanner.feed(b"\n")
                yield from _taken(scanner)
            self._system = LTS(scanner.finish())
        except _engine.ScanError as error:
            raise _format_error(self.path, *error.args) from None


def _taken(scanner: _engine.Scanner) -> Iterator[tuple[Column, Column, Column]]:
    import numpy as np

    source, label, target = (np.frombuffer(column, np.uint32) for column in scanner.take())
    if len(source):
        yield source, label, target


def size_of(file: BinaryIO | io.RawIOBase) -> int | None:
    """Return the size of a regular file, None for others; only a hint."""
    try:
        status = os.fstat(file.fileno())
    except (AttributeError, OSError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _format_error(
    name: str | None, message: str, line: int, offset: int, data: bytes
) -> FormatError:
    if line == 1 and (kind := _begins(data, _PACKED)):
        message = f"this is {kind} data, not an .aut file: decompress it first"
        return FormatError(message, file=name, line=1, column=1)
    if line == 1 and (encoding := _begins(data, _ENCODED)):
        message = f"the text is in {encoding}, not in UTF-8 or ASCII"
        return FormatError(message, file=name, line=1, column=1)
    is_syntax = message.startswith("expected")
    if is_syntax and _DISTRIBUTION.search(re.sub(rb'"[^"]*"', b"", data)):
        message = (
            "this is a probabilistic LTS of mCRL2, since a probability follows a state; ltstool "
            "has no probabilities"
        )
    column = len(printable(data[:offset])) + 1
    text: str | None = printable(data)
    if column > _SHOWN:
        text = None
    elif text is not None and len(text) > _SHOWN:
        text = text[:_SHOWN] + "..."
    return FormatError(message, file=name, line=line, column=column, text=text)


_DISTRIBUTION = re.compile(rb"\d\s+(?:\d+/\d+|\d*\.\d+)\s+\d+\s*[\s,)]")
"""Part of a distribution in mCRL2's probabilistic .aut files: a state, a probability, a state."""


def _begins(data: bytes, kinds: Mapping[bytes, str]) -> str | None:
    return next((kind for first, kind in kinds.items() if data.startswith(first)), None)


def printable(data: bytes) -> str:
    """Return text in which every undecodable or unprintable character is replaced by one other."""
    text = data.decode("utf-8", "replace")
    return "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)

"""Streaming compression and decompression of text files with gzip or Zstandard."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol

from lts.base.bounds import PACKED_LINE
from lts.errors import FormatError

__all__ = ["Bytes", "packing", "unpacked"]

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ENOUGH = len(ZSTD)

_OTHERS = {
    b"\x00\x8b\xaf": "a binary file of mCRL2 (such as `.lts`, `.lps`, `.pbes` or `.trc`)",
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a ZIP archive",
    b"BZh": "a file compressed by bzip2",
    b"\xfd7zX": "a file compressed by xz",
    b"%PDF": "a PDF document",
    b"\x7fELF": "a program",
}
"""The first bytes of files that are no text of any format."""

_CHUNK = 1 << 10
"""Compressed bytes processed at once: they expand to at most 32 MB of text."""


class Bytes(Protocol):
    """A source of bytes in blocks, with an empty block at the end."""

    def read(self, size: int, /) -> bytes | None:
        """Return a block of at most `size` bytes."""
        ...


def unpacked(file: Bytes, name: str | None) -> Bytes:
    """Return a file, decompressed if its first bytes are those of a compressed file.

    Reading then raises `FormatError` if the compressed data are damaged or a line of the text is
    longer than `PACKED_LINE`.
    """
    first = b""
    while len(first) < _ENOUGH and (block := file.read(_ENOUGH - len(first))):
        first += block
    for head, what in _OTHERS.items():
        if first.startswith(head):
            raise FormatError(f"this is {what}, and no text", file=name)
    again = _Again(first, file)
    if first.startswith(GZIP):
        return _Unpacked(again, name, "gzip", _gunzipped(again))
    if first.startswith(ZSTD):
        return _Unpacked(again, name, "Zstandard", _unzstd(again))
    return again


class _Again:
    """A file whose first bytes have been read to detect its format."""

    def __init__(self, first: bytes, file: Bytes) -> None:
        self._first = first
        self._file = file
        if hasattr(file, "fileno"):
            self.fileno = file.fileno  # for its size, which is only a hint

    def read(self, size: int, /) -> bytes | None:
        if self._first:
            first, self._first = self._first[:size], self._first[size:]
            return first
        return self._file.read(size)


class _Unpacked:
    """A compressed text, decompressed as it is read."""

    def __init__(self, file: Bytes, name: str | None, kind: str, blocks: Iterator[bytes]) -> None:
        self._name = name
        self._kind = kind
        self._blocks = blocks
        self._rest = memoryview(b"")
        self._line = 0

    def read(self, size: int, /) -> bytes:
        while not self._rest:
            try:
                block = next(self._blocks, None)
            except (EOFError, zlib.error, ValueError, _Broken) as error:
                raise FormatError(
                    f"the {self._kind} data are damaged: {error}", file=self._name
                ) from None
            if block is None:
                return b""
            self._rest = memoryview(self._measured(block))
        block, self._rest = bytes(self._rest[:size]), self._rest[size:]
        return block

    def _measured(self, block: bytes) -> bytes:
        """Return a block; raise `FormatError` if a line gets too long."""
        end = block.rfind(b"\n")
        self._line = self._line + len(block) if end < 0 else len(block) - end - 1
        if self._line > PACKED_LINE.default:
            message = f"a line of the uncompressed text is longer than {PACKED_LINE.amount()}"
            raise FormatError(message, file=self._name)
        return block


class _Broken(Exception):
    """The compressed data are damaged."""


def _gunzipped(file: Bytes) -> Iterator[bytes]:
    pending = file.read(1 << 16) or b""
    while pending:
        one = zlib.decompressobj(wbits=31)
        while not one.eof:
            if not pending:
                pending = file.read(1 << 16) or b""
                if not pending:
                    raise _Broken("the stream is truncated")
            block = one.decompress(pending, 1 << 22)
            pending = one.unconsumed_tail
            if block:
                yield block
        pending = one.unused_data or file.read(1 << 16) or b""
        # Files on tapes and disks may be padded with zeros.
        while pending and not pending.strip(b"\0"):
            pending = file.read(1 << 16) or b""


def _unzstd(file: Bytes) -> Iterator[bytes]:
    import zstandard

    context = zstandard.ZstdDecompressor()
    pending = b""
    one, begun = context.decompressobj(), False
    try:
        while True:
            if not pending:
                pending = file.read(1 << 16) or b""
                if not pending:
                    break
            chunk, pending = pending[:_CHUNK], pending[_CHUNK:]
            begun = True
            block = one.decompress(chunk)
            if block:
                yield block
            if one.eof:
                pending = one.unused_data + pending
                one, begun = context.decompressobj(), False
    except zstandard.ZstdError as error:
        raise _Broken(str(error)) from None
    if begun:
        raise _Broken("the stream is truncated")


@contextmanager
def packing(file: BinaryIO, kind: str | None) -> Iterator[BinaryIO]:
    """Compress the output to a file; `kind` is `gzip`, `zstd`, or None for no compression.

    Equal texts give equal files: they contain neither a time nor a name.
    """
    if kind is None:
        yield file
        return
    if kind == "gzip":
        import gzip

        packed: Any = gzip.GzipFile("", "wb", 6, file, 0)
    else:
        import zstandard

        context = zstandard.ZstdCompressor(level=3, write_checksum=True)
        packed = context.stream_writer(file, closefd=False)
    with packed, io.BufferedWriter(packed, 1 << 17) as buffered:
        yield buffered

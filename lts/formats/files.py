"""Files of any format: detection of the format, compression, and warnings."""

from __future__ import annotations

import importlib
import io
import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import aut_format
import lts._engine as _engine
from aut_format.output import writing
from aut_format.reader import REDUCTION, size_of
from lts.errors import FormatError, FormatWarning, ReductionWarning
from lts.formats.names import Format, Named, named
from lts.formats.packed import Bytes, packing, unpacked
from lts.system.internal_labels import named_internal
from lts.system.lts import LTS, expect_systems

__all__ = ["opened_text", "read", "read_from", "read_named", "write", "write_to"]


def read(
    file: str | os.PathLike[str],
    *,
    internal: Iterable[str] | None = None,
    salvage: bool = False,
    format: str | None = None,
) -> LTS:
    """Read an LTS from a file, in the format of its suffix, compressed or not.

    The formats are those of `lts.formats.names.FORMATS` that are read; text formats may be
    compressed, as in `.aut.gz` or `.dot.zst`, which is detected by the first bytes. `format` is the
    name of a format and overrides the suffix. `internal` names the labels that stand for the
    internal action; by default that is `tau`, or `i` where no label is `tau`. With `salvage` an
    unfinished .aut file is accepted.

    Raises `FormatError` for an unknown suffix and, with the place if there is one, for a file that
    is not in the format; `OSError` if the file cannot be read. Warns with `FormatWarning` if a file
    has information that an LTS cannot hold, and with `ReductionWarning` for the reduction of
    another system.
    """
    name = os.fspath(_path(file))
    found = named(name, reading=True, format=format)
    system = read_named(name, found, salvage=salvage)
    if system._engine.beginning(REDUCTION):
        warnings.warn(
            f"{name} is the reduction of another system: read it with "
            "lts.symmetry.read_reduction, since results for the file itself do not hold for "
            "that system",
            ReductionWarning,
            stacklevel=2,
        )
    return system if internal is None else system.with_internal(internal)


def read_named(name: str, found: Named, *, salvage: bool = False) -> LTS:
    """Read the file or folder of this name in the given format."""
    if found.format.name == "parts":
        from lts.formats import parts

        return parts.read(name)
    with open(name, "rb", buffering=0) as opened:
        return read_from(opened, name, found, salvage=salvage)


def read_from(
    file: io.RawIOBase | BinaryIO, name: str | None, found: Named, *, salvage: bool = False
) -> LTS:
    """Read from an open file in the given format; errors call the file `name`."""
    if found.format.name == "parts":
        raise FormatError("an LTS in parts is a folder: read it by its path", file=name)
    if found.format.name == "parquet":
        from lts.formats import parquet

        if not isinstance(file, io.RawIOBase):
            return parquet.read(file, name)
        buffered = io.BufferedReader(file)
        try:
            return parquet.read(buffered, name)
        finally:
            buffered.detach()  # the caller closes the file
    if found.format.name == "lts":
        from lts.formats import mcrl2_lts

        return mcrl2_lts.read(file.read() or b"", name)
    if found.format.name == "dot":
        from lts.formats.dot import system as dot

        return dot.read(unpacked(file, name), name)
    size = size_of(file)
    with _engine.Stage("reading" if size else "bytes", size) as stage:
        text = unpacked(_Measured(file, stage), name)
        if found.format.module is not None:
            whole: LTS = importlib.import_module(found.format.module).read(text, name)
            return whole
        assert found.format.name == "aut"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReductionWarning)
            return aut_format.read(_Named(text, name), salvage=salvage)  # type: ignore[arg-type]


class _Measured:
    """A file, possibly compressed, that counts in a stage what was read of it."""

    def __init__(self, file: Bytes, stage: _engine.Stage) -> None:
        self._file = file
        self._stage = stage
        if hasattr(file, "fileno"):
            self.fileno = file.fileno

    def read(self, size: int, /) -> bytes | None:
        block = self._file.read(size)
        self._stage.add(len(block or b""))
        return block


class _Named:
    """A text with the name that errors give it."""

    def __init__(self, text: Bytes, name: str | None) -> None:
        self.read = text.read
        if name is not None:
            self.name = name
        if hasattr(text, "fileno"):
            self.fileno = text.fileno


def write(system: LTS, file: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write an LTS to a file, in the format of its suffix, compressed or not.

    The formats are those of `lts.formats.names.FORMATS`; text formats are compressed if `.gz` or
    `.zst` follows. `format` is the name of a format and overrides the suffix. A file appears under
    its name whole or not at all.

    Formats other than `.parquet`, `.parts`, `.graphml` and `.json` know internal labels by their
    names: others than `tau` (or `i`, where no label is `tau`) are renamed to `tau`, with a
    `FormatWarning`.

    Raises `FormatError` for an unknown suffix, for a label that the format cannot represent, and
    for a visible `tau` beside internal labels that would be renamed; `OSError` if the file cannot
    be written.
    """
    expect_systems(system)
    name = os.fspath(_path(file))
    found = named(name, reading=False, format=format)
    if found.format.name == "parts":
        from lts.formats import parts

        parts.write(as_written(system, found), name)
        return
    with writing(name) as out:
        write_to(system, out, found)


def write_to(system: LTS, file: BinaryIO, found: Named) -> None:
    """Write to an open file in the given format and compression."""
    if found.format.name == "parts":
        raise FormatError("an LTS in parts is a folder: write it by its path")
    if found.format.name == "parquet":
        from lts.formats import parquet

        parquet.write(as_written(system, found), file)
        return
    with packing(file, found.packing) as out:
        out.writelines(_blocks(as_written(system, found), found.format))


def as_written(system: LTS, found: Named) -> LTS:
    """Return the system that a file in this format represents: internal labels are renamed to
    `tau` where the format knows them by their names.

    Raises `FormatError` if that is not possible. Warns with `FormatWarning` of what is lost.
    """
    names = found.format.internal
    if system._vectors is not None and found.format.name != "lts":
        message = f"the values of state parameters are left out of {found.format.endings[0]} files"
        warnings.warn(message, FormatWarning, stacklevel=3)
    return named_internal(system, found.format.endings[0], names) if names else system


def _blocks(system: LTS, format: Format) -> Iterable[bytes]:
    if format.module is not None:
        blocks: Iterable[bytes] = importlib.import_module(format.module).blocks(system)
        return blocks
    if format.name == "lts":
        from lts.formats import mcrl2_lts

        return mcrl2_lts.blocks(system)
    if format.name == "dot":
        from lts.drawing import dot
        from lts.formats.labels import remark_visible

        remark_visible(system, ".dot")
        return [dot.dumps(system)]
    from aut_format.writer import checked_blocks

    return checked_blocks(system)


@contextmanager
def opened_text(file: str, found: Named) -> Iterator[BinaryIO]:
    """Open a file for text in the given compression; it appears whole or not at all."""
    with writing(file) as out, packing(out, found.packing) as packed:
        yield packed


def _path(file: object) -> str | os.PathLike[str]:
    if isinstance(file, str | os.PathLike):
        return file
    raise TypeError(
        f"the path of a file is expected, not {type(file).__name__}; aut_format reads and writes "
        "open files"
    )

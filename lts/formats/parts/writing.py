"""Writing of folders of parts: each process writes its parts, then the folder is completed and
renamed."""

from __future__ import annotations

import os
import shutil
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import accumulate
from types import TracebackType
from typing import TYPE_CHECKING, Any

import lts._engine as _engine
from aut_format.output import target_of
from lts.errors import LtsError
from lts.formats.parquet import arrow
from lts.formats.parts.manifest import LABELS, MANIFEST, FileFacts, Manifest, part_names
from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from aut_format.reader import Reader

    Numbers = npt.NDArray[np.unsignedinteger[Any]]
    Columns = tuple[Numbers, Numbers, Numbers]

__all__ = ["FolderWriter", "PartWriter", "write", "write_stream"]

_ROWS = 1 << 17
"""Rows of a row group; only the last group has fewer, whatever the sizes of the chunks added."""


class _Table:
    """A Parquet file with columns of numbers."""

    def __init__(self, directory: str, name: str, columns: Mapping[str, str]) -> None:
        pa = arrow()
        from pyarrow import parquet

        self.name, self.path, self.rows = name, os.path.join(directory, name), 0
        self._pa = pa
        types = {each: getattr(pa, kind)() for each, kind in columns.items()}
        fields = [pa.field(each, kind, nullable=False) for each, kind in types.items()]
        self._schema = pa.schema(fields)
        self._waiting: list[Any] = []
        """Record batches with fewer rows than a group, and their number of rows."""
        self._count = 0
        self._writer = parquet.ParquetWriter(
            self.path,
            self._schema,
            compression="zstd",
            use_dictionary=False,
            column_encoding=dict.fromkeys(columns, "DELTA_BINARY_PACKED"),
        )

    def add(self, *columns: Numbers) -> None:
        """Append rows."""
        start, count = 0, len(columns[0])
        while start < count:
            end = min(count, start + _ROWS - self._count)
            # Copies, so that a waiting batch does not keep the whole input alive.
            arrays = [
                # Not `pa.array`, which would import pandas if it is installed.
                self._pa.Array.from_buffers(
                    field.type, end - start, [None, self._pa.py_buffer(column[start:end].tobytes())]
                )
                for field, column in zip(self._schema, columns, strict=True)
            ]
            self._waiting.append(self._pa.record_batch(arrays, schema=self._schema))
            self._count += end - start
            start = end
            if self._count == _ROWS:
                self._write()

    def _write(self) -> None:
        table = self._pa.Table.from_batches(self._waiting, self._schema)
        self._writer.write_table(table, row_group_size=_ROWS)
        self.rows += self._count
        self._waiting, self._count = [], 0

    def close(self) -> FileFacts:
        """Complete the file."""
        if self._count:
            self._write()
        self._writer.close()
        return FileFacts.of(self.path, self.rows)

    def abandon(self) -> None:
        self._writer.close()


class PartWriter:
    """Writes the part of one partition into the folder of a `FolderWriter`, in any process."""

    def __init__(self, directory: str, partition: int) -> None:
        states, transitions = part_names(partition)
        self._states = _Table(directory, states, {"state": "uint64"})
        columns = {"source": "uint64", "label": "uint32", "target": "uint64"}
        self._transitions = _Table(directory, transitions, columns)

    def transitions(self, source: Numbers, label: Numbers, target: Numbers) -> None:
        """Append transitions (64, 32 and 64 bits), with sources in ascending order."""
        self._transitions.add(source, label, target)

    def states(self, numbers: Numbers) -> None:
        """Append owned states (64 bits), in ascending order."""
        self._states.add(numbers)

    def close(self) -> dict[str, FileFacts]:
        """Complete the files; return facts about each."""
        return {table.name: table.close() for table in (self._states, self._transitions)}

    def abandon(self) -> None:
        """Close the files without completing them."""
        for table in (self._states, self._transitions):
            table.abandon()


class FolderWriter:
    """Writes a folder, which appears under its name whole or not at all.

    An existing folder of parts of that name is replaced at the end. Raises `LtsError` if anything
    else has the name.
    """

    def __init__(self, path: str | os.PathLike[str], partitions: int) -> None:
        self.path = os.path.normpath(os.fspath(path))
        self.partitions = partitions
        self.directory = ""
        """The temporary folder for the parts, valid inside the context."""

    def __enter__(self) -> FolderWriter:
        arrow()
        if os.path.lexists(self.path) and not is_parts(self.path):
            raise LtsError(f"{self.path} already exists and is not an LTS in parts")
        parent, name = os.path.split(target_of(self.path))
        try:
            self.directory = tempfile.mkdtemp(prefix=f".{name}.", suffix=".part", dir=parent or ".")
        except OSError as error:
            raise type(error)(error.errno, error.strerror, self.path) from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)

    def finish(
        self,
        labels: Sequence[str],
        *,
        states: int,
        transitions: int,
        files: Mapping[str, FileFacts],
        initial: int = 0,
        internal: Iterable[str] | None = None,
        incomplete: str | None = None,
    ) -> None:
        """Write labels and manifest, and rename the folder; `files` has the facts about all
        parts."""
        facts = dict(files) | {LABELS: self._labels(labels)}
        found = Manifest(
            partitions=self.partitions,
            states=states,
            transitions=transitions,
            labels=len(labels),
            initial=initial,
            internal=None if internal is None else tuple(internal),
            incomplete=incomplete,
            files=facts,
        )
        with open(os.path.join(self.directory, MANIFEST), "w", encoding="utf-8") as file:
            file.write(found.dumps())
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(self.directory, 0o777 & ~umask)
        target = target_of(self.path)
        if os.path.lexists(target):
            # Folders cannot be replaced atomically.
            old = f"{self.directory}.old"
            os.rename(target, old)
            try:
                os.rename(self.directory, target)
            except OSError:
                os.rename(old, target)
                raise
            shutil.rmtree(old, ignore_errors=True)
        else:
            os.rename(self.directory, target)

    def _labels(self, labels: Sequence[str]) -> FileFacts:
        pa = arrow()
        from pyarrow import parquet

        texts = [label.encode("utf-8", "surrogateescape") for label in labels]
        kind = pa.binary()
        with suppress(UnicodeEncodeError):
            "".join(labels).encode()
            kind = pa.string()
        count = len(labels)
        offsets = pa.py_buffer(array("i", accumulate(map(len, texts), initial=0)).tobytes())
        own = pa.py_buffer(array("I", range(count)).tobytes())
        numbers = pa.Array.from_buffers(pa.uint32(), count, [None, own])
        shown = pa.Array.from_buffers(kind, count, [None, offsets, pa.py_buffer(b"".join(texts))])
        path = os.path.join(self.directory, LABELS)
        table = pa.Table.from_arrays([numbers, shown], ["label", "text"])
        parquet.write_table(table, path, compression="zstd")
        return FileFacts.of(path, len(labels))


def is_parts(path: str) -> bool:
    """Whether a path holds nothing but a folder of parts, so that replacing it loses nothing
    else."""
    if not os.path.isdir(path):
        return False
    names = os.listdir(path)
    return MANIFEST in names and all(
        name in (MANIFEST, LABELS) or name.startswith(("states-", "transitions-")) for name in names
    )


def write(system: LTS, path: str | os.PathLike[str], *, partitions: int = 1) -> None:
    """Write an LTS as a folder of `partitions` parts: state s is owned by partition s modulo their
    number.

    A single part has the transitions in their order; several parts have them ordered by source.
    Raises `LtsError` for less than one partition, or if something else has the name; `OSError` if
    it cannot be written.
    """
    import numpy as np

    source, label, target = system.source, system.label, system.target
    if partitions > 1 and len(source) and (np.diff(source.astype(np.int64)) < 0).any():
        order = np.argsort(source, kind="stable")
        source, label, target = source[order], label[order], target[order]

    def chunks() -> Iterator[Columns]:
        with _engine.Stage("writing", len(source)) as stage:
            for start in range(0, len(source), _ROWS):
                chunk = slice(start, start + _ROWS)
                yield source[chunk], label[chunk], target[chunk]
                stage.add(_ROWS)

    _write(chunks(), lambda: system, path, partitions)


def write_stream(
    reader: Reader,
    path: str | os.PathLike[str],
    *,
    partitions: int = 1,
    accept: Callable[[LTS], object] | None = None,
) -> tuple[LTS, int] | None:
    """Write the transitions of an .aut reader as `write` does, without loading all of them.

    Returns the LTS without its transitions, and their number; or None, with nothing written, if
    several parts are requested and the transitions are not ordered by source, which only `write`
    can handle. Before the folder appears, `accept` is called with that LTS. Raises the errors of
    reading, writing and `accept`.
    """

    def read() -> LTS:
        if accept is not None:
            accept(reader.system)
        return reader.system

    try:
        count = _write(reader if partitions == 1 else _in_order(reader), read, path, partitions)
    except _NotInOrder:
        return None
    return reader.system, count


class _NotInOrder(Exception):
    """The source of a transition is smaller than that of the transition before."""


def _in_order(chunks: Iterable[Columns]) -> Iterator[Columns]:
    last = 0
    for source, label, target in chunks:
        if source[0] < last or (source[1:] < source[:-1]).any():
            raise _NotInOrder
        last = source[-1]
        yield source, label, target


def _write(
    chunks: Iterable[Columns],
    read: Callable[[], LTS],
    path: str | os.PathLike[str],
    partitions: int,
) -> int:
    """Write transitions in the order of parts, and, after all of them, labels and states as `read`
    returns them; return the number of transitions."""
    import numpy as np

    if partitions < 1:
        raise LtsError("there must be at least one partition")
    count = 0
    with FolderWriter(path, partitions) as folder, ExitStack() as stack:
        parts = [PartWriter(folder.directory, partition) for partition in range(partitions)]
        for part in parts:
            stack.callback(part.abandon)
        for source, label, target in chunks:
            count += len(source)
            for partition, part in enumerate(parts):
                own = slice(None) if partitions == 1 else source % partitions == partition
                part.transitions(
                    source[own].astype(np.uint64),
                    label[own].astype(np.uint32),
                    target[own].astype(np.uint64),
                )
        system = read()
        files: dict[str, FileFacts] = {}
        for partition, part in enumerate(parts):
            for first in range(partition, system.state_count, partitions * _ROWS):
                end = min(system.state_count, first + partitions * _ROWS)
                part.states(np.arange(first, end, partitions, dtype=np.uint64))
            files |= part.close()
        folder.finish(
            system.labels,
            states=system.state_count,
            transitions=count,
            files=files,
            initial=system.initial,
            internal=system.internal,
        )
    return count

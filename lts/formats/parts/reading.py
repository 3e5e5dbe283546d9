"""Reading of folders of parts: as an LTS, or as a stream of transitions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import lts._engine as _engine
from lts.base.bounds import FILE_STATES
from lts.errors import FormatError
from lts.formats.parquet import arrow
from lts.formats.parts.manifest import LABELS, FileFacts, Manifest, manifest, part_names
from lts.system.internal_labels import named_internal
from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.unsignedinteger[Any]]

__all__ = ["Row", "aut_blocks", "labels_alone", "labels_of", "part_rows", "read", "rows"]

Row = tuple["Numbers", "Numbers", "Numbers"]
"""Columns of transitions: source, label, target."""

BATCH_ROWS = 1 << 17
"""Transitions of each part that are read at a time."""

_COLUMNS = ["source", "label", "target"]
_NO_LABEL = "a transition contains a number that is not a label"


def read(folder: str | os.PathLike[str]) -> LTS:
    """Read a folder of parts as an LTS, with transitions ordered by source.

    Raises `FormatError` if this is not such a folder, is incomplete, or has more states or
    transitions than an `LTS` can hold; `OSError` if it cannot be read.
    """
    import numpy as np

    found = manifest(folder)
    name = os.fspath(folder)
    if found.states >= FILE_STATES.default:
        message = f"{found.states} states are too many for one machine"
        raise FormatError(message, file=name)
    if found.incomplete is not None:
        raise _incomplete(folder, found)
    labels = labels_of(folder, found)
    columns = [np.empty(found.transitions, np.uint32) for _ in range(3)]
    place = 0
    with _engine.Stage("reading", found.transitions) as stage:
        for row in rows(folder, found):
            end = place + len(row[0])
            for column, new in zip(columns, row, strict=True):
                column[place:end] = new
            place = end
            stage.reach(place)
    return _system(columns, labels, found)


def _system(columns: Iterable[Any], labels: Iterable[str], found: Manifest) -> LTS:
    source, label, target = columns
    system = LTS.from_columns(source, label, target, labels, found.initial, found.states)
    return system if found.internal is None else system.with_internal(found.internal)


def labels_of(folder: str | os.PathLike[str], found: Manifest) -> list[str]:
    """Return the labels of a folder in the order of their numbers."""
    name = os.path.join(os.fspath(folder), LABELS)
    opened = _opened(name, found.files[LABELS], ["label", "text"])
    pa = arrow()
    with _arrow_errors(name):
        table = opened.read(columns=["label", "text"])
        numbers = table.column("label").to_pylist()
        texts = table.column("text").cast(pa.binary()).to_pylist()
    if numbers != list(range(found.labels)) or None in texts:
        raise FormatError("labels are not numbered consecutively", file=name)
    return [text.decode("utf-8", "surrogateescape") for text in texts]


def rows(folder: str | os.PathLike[str], found: Manifest | None = None) -> Iterator[Row]:
    """Yield all transitions ordered by source, merging the parts; a chunk of each is in memory at a
    time.

    Raises `FormatError` for damaged parts.
    """
    import numpy as np

    found = manifest(folder) if found is None else found
    parts = [_Part(folder, found, number) for number in range(found.partitions)]
    if len(parts) == 1:
        yield from parts[0].all(sorted_only=False)
        return
    streams = [part.all(sorted_only=True) for part in parts]
    heads: list[Row | None] = [next(stream, None) for stream in streams]
    while waiting := [head for head in heads if head is not None]:
        # Up to this source, the rows in memory are complete, except that rows of the source itself
        # may follow.
        until = min(head[0][-1] for head in waiting)
        now: list[Row] = []
        for which, head in enumerate(heads):
            if head is None:
                continue
            end = int(np.searchsorted(head[0], until, side="right"))
            now.append((head[0][:end], head[1][:end], head[2][:end]))
            rest = (head[0][end:], head[1][end:], head[2][end:])
            heads[which] = rest if len(rest[0]) else None
            while heads[which] is None:
                more = next(streams[which], None)
                if more is None:
                    break
                end = int(np.searchsorted(more[0], until, side="right"))
                now.append((more[0][:end], more[1][:end], more[2][:end]))
                more = (more[0][end:], more[1][end:], more[2][end:])
                heads[which] = more if len(more[0]) else None
        source, label, target = (np.concatenate([each[i] for each in now]) for i in range(3))
        order = np.argsort(source, kind="stable")
        yield source[order], label[order], target[order]


def part_rows(
    folder: str | os.PathLike[str], found: Manifest, number: int, most: int | None = None
) -> Iterator[Row]:
    """Yield the transitions of one part, at most `most` at a time.

    Raises `FormatError` for a damaged part.
    """
    return _Part(folder, found, number).all(sorted_only=found.partitions > 1, most=most)


def labels_alone(folder: str | os.PathLike[str], found: Manifest) -> LTS:
    """Return an LTS with one loop at a state of its own for each label of a folder, in order.
    Operations on the labels of this LTS can so be applied to those of the folder.

    Raises `FormatError` for a folder that is incomplete or damaged.
    """
    import numpy as np

    if found.incomplete is not None:
        raise _incomplete(folder, found)
    every = np.arange(found.labels, dtype=np.uint32)
    least = replace(found, states=max(1, found.labels), initial=0)
    return _system((every, every, every), labels_of(folder, found), least)


class _Part:
    """The transitions of one partition."""

    def __init__(self, folder: str | os.PathLike[str], found: Manifest, number: int) -> None:
        _, name = part_names(number)
        self.path = os.path.join(os.fspath(folder), name)
        self.facts, self.found, self.number = found.files[name], found, number
        self.opened = _opened(self.path, self.facts, _COLUMNS)

    def all(self, *, sorted_only: bool, most: int | None = None) -> Iterator[Row]:
        """Yield all transitions, checking what the manifest does not guarantee."""
        count, last = 0, 0
        with _arrow_errors(self.path):
            for batch in self.opened.iter_batches(most or BATCH_ROWS, columns=_COLUMNS):
                source, label, target = (self._numbers(batch.column(column)) for column in _COLUMNS)
                if not len(source):
                    continue
                if max(source.max(), target.max()) >= self.found.states:
                    raise FormatError(
                        "a transition contains a number that is not a state", file=self.path
                    )
                if label.max() >= self.found.labels:
                    raise FormatError(_NO_LABEL, file=self.path)
                if sorted_only and (source[0] < last or (source[1:] < source[:-1]).any()):
                    raise FormatError("the transitions are not in order", file=self.path)
                last = source[-1]
                count += len(source)
                yield source, label, target
        if count != self.facts.rows:
            message = f"the file has {count} rows instead of {self.facts.rows}"
            raise FormatError(message, file=self.path)

    def labels(self) -> Iterator[Numbers]:
        """Yield the numbers of the labels of all transitions."""
        with _arrow_errors(self.path):
            for batch in self.opened.iter_batches(BATCH_ROWS, columns=["label"]):
                label = self._numbers(batch.column("label"))
                if len(label) and label.max() >= self.found.labels:
                    raise FormatError(_NO_LABEL, file=self.path)
                yield label

    def _numbers(self, column: Any) -> Numbers:
        """Return a column as an array that shares its memory; pyarrow's own conversion would import
        pandas."""
        import numpy as np

        width = {"uint32": 4, "uint64": 8}.get(str(column.type))
        if width is None or column.null_count:
            raise FormatError("a column contains values that are not state numbers", file=self.path)
        data = column.buffers()[1]
        return np.frombuffer(data, f"<u{width}", len(column), column.offset * width)


def _opened(path: str, facts: FileFacts, columns: list[str]) -> Any:
    arrow()
    from pyarrow import parquet

    if FileFacts.of(path, facts.rows) != facts:
        raise FormatError("the file was changed or damaged: its hash differs", file=path)
    with _arrow_errors(path):
        opened = parquet.ParquetFile(path, pre_buffer=False)
        if opened.schema_arrow.names != columns:
            message = f"the file lacks the columns {', '.join(columns)}"
            raise FormatError(message, file=path)
        return opened


class _arrow_errors:
    """Context manager that reports errors of pyarrow as damaged files."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, OSError) and error.errno:
            return
        if isinstance(error, arrow().ArrowException | OSError):
            raise FormatError(f"the file is damaged: {error}", file=self.path) from None


def aut_blocks(folder: str | os.PathLike[str]) -> Iterator[bytes]:
    """Yield a folder as the text of an .aut file, without loading all of it.

    Raises the errors of `rows`, and `FormatError` for a label that an .aut file cannot represent.
    """
    import numpy as np

    from aut_format.writer import checked_lines, header

    found = manifest(folder)
    if found.incomplete is not None:
        raise _incomplete(folder, found)
    labels = labels_of(folder, found)
    used = _used_labels(folder, found)
    nowhere = np.zeros_like(used)
    least = _system((nowhere, used, nowhere), labels, replace(found, states=1, initial=0))
    named = named_internal(least, ".aut")
    # The numbers that labels are written with; `least` has one transition for each that is used.
    numbers = np.zeros(len(labels), np.uint32)
    numbers[used] = named.label
    labels = [*named.labels]
    sizes = (found.initial, found.transitions, found.states)
    yield header(named, sizes=sizes)
    texts = [b',"' + label.encode("utf-8", "surrogateescape") + b'",' for label in labels]
    with _engine.Stage("writing", found.transitions) as stage:
        for source, label, target in rows(folder, found):
            row = source, numbers[label], target
            if found.states < FILE_STATES.default:
                columns = (np.ascontiguousarray(each, np.uint32) for each in row)
                yield from checked_lines(_system(columns, labels, found))
            else:
                triples = zip(*(each.tolist() for each in row), strict=True)
                yield b"".join([b"(%d%b%d)\n" % (s, texts[a], t) for s, a, t in triples])
            stage.add(len(source))


def _used_labels(folder: str | os.PathLike[str], found: Manifest) -> Numbers:
    """Return the numbers of the labels that occur on transitions, in ascending order."""
    import numpy as np

    occurs = np.zeros(found.labels, dtype=bool)
    for number in range(found.partitions):
        for label in _Part(folder, found, number).labels():
            occurs[label] = True
    return np.flatnonzero(occurs).astype(np.uint32)


def _incomplete(folder: str | os.PathLike[str], found: Manifest) -> FormatError:
    message = f"the folder is incomplete: writing it ended with `{found.incomplete}`"
    return FormatError(message, file=os.fspath(folder))

"""Parquet files, which pandas, DuckDB, Polars and Arrow read as a table.

The columns are `source`, `label` and `target`, with one row for each transition; a label is
dictionary-encoded text. Other parts of an LTS are in the metadata of the schema, under the key
`lts`.
"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import lts._engine as _engine
from lts.base.bounds import FILE_STATES, ISOLATED_STATES, PARQUET_GROUP
from lts.base.lazy import optional
from lts.errors import FormatError, FormatWarning
from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["arrow", "batches", "read", "table", "write"]

GROUP_ROWS = 1 << 20
"""Transitions in a row group, which is held in memory in addition to the LTS."""

_EXPANDED = 1000
"""A large row group is refused only if it has more uncompressed bytes than the file times this."""

_COLUMNS = ("source", "label", "target")
_KEY = b"lts"


def arrow() -> Any:
    """Return the package `pyarrow`; if it is missing, raise an error that says how to install
    it."""
    return optional("pyarrow", "Parquet and Arrow need")


def table(system: LTS) -> Any:
    """Return the transitions as a `pyarrow.Table`."""
    return arrow().Table.from_batches(list(batches(system)), _schema(system))


def batches(system: LTS) -> Iterator[Any]:
    """Yield the transitions as record batches."""
    pa = arrow()
    schema = _schema(system)
    texts = [label.encode("utf-8", "surrogateescape") for label in system.labels]
    dictionary = pa.array(texts, schema.field("label").type.value_type)
    for start in range(0, system.transition_count, GROUP_ROWS):
        source, label, target = (
            column[start : start + GROUP_ROWS]
            for column in (system.source, system.label, system.target)
        )
        labels = pa.DictionaryArray.from_arrays(pa.array(label.view("int32")), dictionary)
        yield pa.record_batch([pa.array(source), labels, pa.array(target)], schema=schema)


def _schema(system: LTS) -> Any:
    """Return names and types of the columns; labels are bytes if some are not UTF-8."""
    pa = arrow()
    text = pa.string()
    try:
        "".join(system.labels).encode()
    except UnicodeEncodeError:
        text = pa.binary()
    types = (pa.uint32(), pa.dictionary(pa.int32(), text), pa.uint32())
    facts = {
        "initial": system.initial,
        "states": system.state_count,
        "internal": [
            label.encode("utf-8", "surrogateescape").decode("latin-1") for label in system.internal
        ],
    }
    fields = [pa.field(*pair, nullable=False) for pair in zip(_COLUMNS, types, strict=True)]
    return pa.schema(fields, metadata={_KEY: json.dumps(facts)})


def write(system: LTS, file: BinaryIO) -> None:
    """Write a Parquet file, one row group at a time."""
    arrow()
    from pyarrow import parquet

    with (
        parquet.ParquetWriter(
            file,
            _schema(system),
            compression="zstd",
            use_dictionary=["label"],
            column_encoding=dict.fromkeys(("source", "target"), "DELTA_BINARY_PACKED"),
            dictionary_pagesize_limit=1 << 30,
        ) as writer,
        _engine.Stage("writing", system.transition_count) as stage,
    ):
        for batch in batches(system):
            writer.write_batch(batch, row_group_size=GROUP_ROWS)
            stage.add(batch.num_rows)


def read(file: BinaryIO, name: str | None) -> LTS:
    """Read a Parquet file that has the three columns, by any writer.

    Other columns are left out, with a `FormatWarning`. Without the metadata the initial state is
    0, and the number of states is one more than the largest. Raises `FormatError` for any other
    file.
    """
    pa = arrow()
    from pyarrow import parquet

    try:
        opened = parquet.ParquetFile(file, read_dictionary=["label"])
        schema = opened.schema_arrow
        _check(pa, schema, name)
        _remark_unread(schema, name)
        _refuse_bomb(opened.metadata, _size(file), name)
        return _Collected(pa, name).system(opened, (schema.metadata or {}).get(_KEY))
    except MemoryError:
        raise  # that of pyarrow is an ArrowException, too
    except (pa.ArrowException, KeyError, ValueError) as error:
        # Damaged metadata can make pyarrow raise any of these.
        raise FormatError(f"this is not a Parquet file: {error}", file=name) from None
    except OSError as error:
        if error.errno:
            raise
        raise FormatError(f"the file is damaged: {error}", file=name) from None


def _size(file: BinaryIO) -> int:
    """Return the number of bytes of a file, whose position stays."""
    here = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(here)
    return size


def _refuse_bomb(metadata: Any, packed: int, name: str | None) -> None:
    """Raise `FormatError` for a small file whose row groups would expand to very much memory.

    The sizes of single columns are not looked at: in damaged metadata, the accessors of columns
    throw exceptions of C++ that end the process.
    """
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        size = group.total_byte_size
        if size > PARQUET_GROUP.default and size > _EXPANDED * packed:
            message = f"{packed} bytes expand to {size} bytes, more than the limit"
            raise FormatError(message, file=name)


def _check(pa: Any, schema: Any, name: str | None) -> None:
    for column in _COLUMNS:
        if schema.names.count(column) != 1:
            has = ", ".join(f"`{each}`" for each in schema.names) or "none"
            message = f"the columns source, label and target are required; the file has {has}"
            raise FormatError(message, file=name)
        kind = schema.field(column).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        types = pa.types
        if column != "label":
            good = types.is_integer(kind)
        else:
            good = any((types.is_string(kind), types.is_large_string(kind), types.is_binary(kind)))
        if not good:
            expected = "texts" if column == "label" else "integers"
            raise FormatError(f"the column {column} has type {kind}, not {expected}", file=name)


def _remark_unread(schema: Any, name: str | None) -> None:
    """Warn once about other columns, which may say more of a transition; the index of a table of
    pandas is the number of its row."""
    others = [each for each in schema.names if each not in (*_COLUMNS, "__index_level_0__")]
    if others:
        named = ", ".join(f"`{each[:40]}`" for each in others[:5])
        more = " and others" if len(others) > 5 else ""
        said = f"{name or 'this'}: columns are left out: {named}{more}"
        warnings.warn(said, FormatWarning, stacklevel=3)


class _Collected:
    """The columns, collected in chunks while reading."""

    def __init__(self, pa: Any, name: str | None) -> None:
        self.pa = pa
        self.name = name
        self.chunks: dict[str, list[Any]] = {column: [] for column in _COLUMNS}
        self.numbers: dict[bytes, int] = {}
        self.count = 0

    def system(self, opened: Any, metadata: bytes | None) -> LTS:
        """Read all and return the LTS."""
        import numpy as np

        for batch in opened.iter_batches(GROUP_ROWS, columns=list(_COLUMNS)):
            self.add(batch)
        columns: dict[str, Any] = {
            column: np.concatenate([np.empty(0, np.uint32), *chunks])
            for column, chunks in self.chunks.items()
        }
        largest = [int(columns[c].max()) for c in ("source", "target") if self.count]
        mentioned = max(largest, default=0) + 1
        initial, states, internal = self.facts(metadata, mentioned)
        if states > 2 * self.count + ISOLATED_STATES.default:
            message = (
                f"{states} states, but only {self.count} transitions: too many states "
                "without transitions"
            )
            raise FormatError(message, file=self.name)
        labels = [label.decode("utf-8", "surrogateescape") for label in self.numbers]
        source, label, target = (columns[column] for column in _COLUMNS)
        system = LTS.from_columns(source, label, target, labels, initial, states)
        return system if internal is None else system.with_internal(internal)

    def add(self, batch: Any) -> None:
        for column in _COLUMNS:
            values = batch.column(column)
            if values.null_count:
                self.wrong(f"the column {column} has rows without a value")
            found = self.labels(values) if column == "label" else self.states(column, values)
            self.chunks[column].append(found)
        self.count += batch.num_rows

    def states(self, column: str, values: Any) -> npt.NDArray[np.uint32]:
        import numpy as np

        if self.pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        numbers = values.to_numpy(zero_copy_only=False)
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < FILE_STATES.default):
            self.wrong(f"the column {column} contains a number that is not a state")
        return np.asarray(numbers, dtype=np.uint32)

    def labels(self, values: Any) -> npt.NDArray[np.uint32]:
        import numpy as np

        if not self.pa.types.is_dictionary(values.type):
            values = values.dictionary_encode()
        indices = values.indices.to_numpy(zero_copy_only=False)
        # Number only the labels that occur: the dictionary may have more.
        used, inverse = np.unique(indices, return_inverse=True)
        texts = values.dictionary.take(self.pa.array(used)).cast(self.pa.binary()).to_pylist()
        numbers = self.numbers
        mine = [numbers.setdefault(text, len(numbers)) for text in texts]
        return np.array(mine, dtype=np.uint32)[inverse].reshape(-1)

    def facts(self, metadata: bytes | None, mentioned: int) -> tuple[int, int, list[str] | None]:
        """Return initial state, number of states and internal labels, from the metadata if there
        are any."""
        if metadata is None:
            return 0, mentioned, None
        try:
            facts = json.loads(metadata)
            initial, states = facts["initial"], facts["states"]
            internal = [
                each.encode("latin-1").decode("utf-8", "surrogateescape")
                for each in facts["internal"]
            ]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.wrong("the metadata `lts` were changed or damaged")
        good = type(initial) is int and type(states) is int and mentioned <= max(states, 1)
        if not (good and 0 <= initial < states <= FILE_STATES.default):
            self.wrong(f"the metadata are inconsistent: {states} states, initial state {initial}")
        return initial, states, internal

    def wrong(self, message: str) -> Any:
        raise FormatError(message, file=self.name)

"""Writing of .aut files: a whole LTS, or a stream of transitions."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import BinaryIO, NoReturn

import lts._engine as _engine
from aut_format.output import is_replaceable, replacing, writing
from lts.errors import FormatError
from lts.system.internal_labels import BY_NAME, by_name, named_internal, used_labels
from lts.system.lts import LTS, expect_systems

__all__ = ["Writer", "dumps", "write"]

_BATCH = 1 << 17  # transitions converted to text at a time
_IN_MEMORY = 1 << 24  # bytes for a pipe that are held in memory before spooling to disk
_STATES = 2**32 - 1
_WHAT = ".aut"
_HEADER = len(f"des ({_STATES},{2**64},{_STATES})")


def write(
    system: LTS, file: str | os.PathLike[str] | BinaryIO, *, unfinished: bool = False
) -> None:
    """Write `system` to a path or a binary file object.

    A file appears under its name whole or not at all. Order and duplicates are retained. With
    `unfinished` the header has `?` for the counts, and readers refuse the file. Raises
    `FormatError` for a label that contains a line end, and if a visible label is called `tau` while
    others are internal; otherwise internal labels whose names do not show it are renamed to `tau`,
    with a `FormatWarning`.
    """
    expect_systems(system)
    _check_labels(system._engine)
    system = named_internal(system, _WHAT)
    if isinstance(file, str | os.PathLike):
        with writing(file) as opened:
            opened.writelines(blocks(system, unfinished=unfinished))
    else:
        file.writelines(blocks(system, unfinished=unfinished))


def dumps(system: LTS) -> bytes:
    """Return the contents of the file that `write` writes."""
    expect_systems(system)
    return b"".join(checked_blocks(named_internal(system, _WHAT)))


class Writer:
    """Writes a file transition by transition; the header is filled in at the end.

    A context manager: the file appears when the block is left without an exception. The number of
    states is `state_count` if given, else one more than the largest state written. With
    `unfinished` set before the end, the header has `?` for the counts, and readers refuse the file;
    with `visible` the header says that no label is internal, even if it is called `tau` or `i`.

    ```python
    with Writer("out.aut") as file:
        file.add(0, "a", 1)
    ```
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        *,
        initial: int = 0,
        state_count: int | None = None,
    ) -> None:
        self.initial = initial
        self.state_count = state_count
        self.unfinished = False
        self.visible = False
        self.transition_count = 0
        self._file = file
        self._largest = initial
        self._lines: list[bytes] = []

    def __reduce__(self) -> NoReturn:
        raise TypeError("a file that is being written cannot be copied or pickled: its LTS can be")

    def __enter__(self) -> Writer:
        with ExitStack() as stack:
            if isinstance(self._file, str | os.PathLike):
                path = os.fspath(self._file)
                if is_replaceable(path):
                    self._out = stack.enter_context(replacing(path))
                    self._final = None
                else:
                    self._final = stack.enter_context(writing(path))
            else:
                self._final = self._file
            if self._final is not None:
                self._out = stack.enter_context(io.BytesIO())
            self._out.write(self._header(unfinished=True))
            self._closing = stack.pop_all()
        return self

    def add(self, source: int, label: str, target: int) -> None:
        """Write one transition."""
        if not (0 <= source < _STATES and 0 <= target < _STATES):
            raise ValueError(f"no states: {source}, {target}")
        data = label.encode("utf-8", "surrogateescape")
        if b"\n" in data:
            raise _line_end(label)
        self._largest = max(self._largest, source, target)
        self._lines.append(b'(%d,"%b",%d)\n' % (source, data, target))
        self.transition_count += 1
        if len(self._lines) >= _BATCH:
            self._flush()

    def add_block(
        self,
        source: _engine.Buffer,
        label: _engine.Buffer,
        target: _engine.Buffer,
        labels: Iterable[str],
    ) -> None:
        """Write the transitions of three columns (32-bit unsigned integers, equally long).

        `label` holds positions in `labels`.
        """
        self._flush()
        block = LTS.from_columns(source, label, target, labels, 0, _STATES)
        _check_labels(block._engine)
        self._out.writelines(_lines(block))
        self._spool()
        self._largest = max(self._largest, _engine.largest_state(block._engine))
        self.transition_count += block.transition_count

    def add_text(self, text: bytes) -> None:
        """Write lines that already are transitions; they are not checked.

        The caller has to set `transition_count` and `state_count` before the end.
        """
        self._flush()
        self._out.write(text)
        self._spool()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            self._closing.__exit__(kind, error, traceback)
            return
        # Inside the exit stack, so that no file remains if this fails.
        with self._closing:
            self._finish()

    def _finish(self) -> None:
        self._flush()
        if self.state_count is not None and self._largest >= self.state_count:
            raise ValueError(f"state {self._largest} is not below the number of states")
        header = self._header(unfinished=self.unfinished)
        self._out.seek(0)
        if self._final is None:
            self._out.write(header)
            return
        # Nothing was written before, so the header needs no padding.
        self._final.write(header.rstrip() + b"\n")
        self._out.seek(len(header))
        import shutil

        shutil.copyfileobj(self._out, self._final)
        self._final.flush()

    def _header(self, *, unfinished: bool) -> bytes:
        count = None if unfinished else self.transition_count
        states = self._largest + 1 if self.state_count is None else self.state_count
        header = _header(self.initial, count, states, visible=self.visible)
        return header[:-1].ljust(_HEADER) + b"\n"

    def _flush(self) -> None:
        self._out.writelines(self._lines)
        self._lines.clear()
        self._spool()

    def _spool(self) -> None:
        """Continue in a temporary file once the output for a pipe gets large."""
        if not isinstance(self._out, io.BytesIO) or self._out.tell() <= _IN_MEMORY:
            return
        import tempfile

        file = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the rest)
        self._closing.enter_context(file)
        file.write(self._out.getvalue())
        self._out = file


def header(
    system: LTS, *, unfinished: bool = False, sizes: tuple[int, int, int] | None = None
) -> bytes:
    """Return the first line of the file that `write` writes.

    `sizes` overrides initial state, transitions and states, for a larger system with these labels.
    """
    initial, count, states = sizes or (system.initial, system.transition_count, system.state_count)
    visible = _has_visible_name(system)
    return _header(initial, None if unfinished else count, states, visible=visible)


def blocks(system: LTS, *, unfinished: bool = False) -> Iterator[bytes]:
    """Yield the contents of a file in blocks, with the labels as they are."""
    yield header(system, unfinished=unfinished)
    yield from _counted_lines(system)


def checked_blocks(system: LTS) -> Iterator[bytes]:
    """Return the blocks of `blocks`; raise `FormatError` at once for a label that contains a line
    end."""
    _check_labels(system._engine)
    return blocks(system)


def checked_lines(system: LTS) -> Iterator[bytes]:
    """Return the blocks of `checked_blocks` without the header, for a part of a larger system."""
    _check_labels(system._engine)
    return _lines(system)


def blocks_with(system: LTS, last: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the blocks of a file with one additional transition, whose line `last` returns at the
    end."""
    _check_labels(system._engine)
    visible = _has_visible_name(system)
    count = system.transition_count + 1
    yield _header(system.initial, count, system.state_count, visible=visible)
    yield from _counted_lines(system)
    yield last()


def _header(initial: int, transitions: int | None, states: int, *, visible: bool) -> bytes:
    """Return the header line; without a number of transitions it is that of an unfinished file.

    With `visible` it says that no label is internal by its name.
    """
    counts = "?,?" if transitions is None else f"{transitions},{states}"
    gap = "\t" if visible else " "
    return f"des{gap}({initial},{counts})\n".encode("ascii")


def _has_visible_name(system: LTS) -> bool:
    """Whether a reader would take a visible label as internal because of its name."""
    names = [name for kind in BY_NAME for name in by_name(system.labels, [kind])]
    if {*system.internal}.issuperset(names):
        return False
    return not {*system.internal}.issuperset(by_name(used_labels(system)))


def _counted_lines(system: LTS) -> Iterator[bytes]:
    """Yield the transitions of a whole file, counted as a stage."""
    with _engine.Stage("writing", system.transition_count) as stage:
        for block in _lines(system):
            yield block
            stage.add(_BATCH)


def _lines(system: LTS) -> Iterator[bytes]:
    count = system.transition_count
    for start in range(0, count, _BATCH):
        yield _engine.aut_transitions(system._engine, start, min(start + _BATCH, count))


def _check_labels(system: _engine.Lts) -> None:
    found = _engine.aut_unwritable(system)
    if found is not None:
        raise _line_end(system.labels[found[1]].decode("utf-8", "surrogateescape"))


def _line_end(label: str) -> FormatError:
    return FormatError(
        f"the label {label!r} contains a line break, which an .aut file cannot represent"
    )

"""Columns of numbers shared between the engine and numpy."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING

import lts._engine as _engine

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.uint32]

__all__ = ["as_array", "as_column", "columns_of", "from_bytes"]


def as_array(column: _engine.Column) -> Numbers:
    """Return a column of the engine as an array of numpy that shares its memory."""
    import numpy as np

    return np.frombuffer(memoryview(column), dtype=np.uint32)


def as_column(values: _engine.Buffer) -> _engine.Buffer:
    """Return a column in the form that the engine reads: 32 bits, in native byte order."""
    if isinstance(values, _engine.Column):
        return values
    try:
        view = memoryview(values)
    except (TypeError, ValueError):
        kind = type(values).__name__
        raise TypeError(
            f"expected a buffer of integers, such as an array of numpy, not {kind}"
        ) from None
    if view.format in ("I", "@I") and view.itemsize == 4 and view.c_contiguous and view.ndim == 1:
        return values
    import numpy as np

    given = np.asarray(view)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        shown = f"{given.ndim} dimensions of {given.dtype}"
        raise TypeError(f"expected a buffer of integers in one dimension, not {shown}")
    if given.size and not (given.min() >= 0 and given.max() < 2**32):
        raise ValueError("a column contains a number that is negative or exceeds 32 bits")
    column: _engine.Buffer = np.ascontiguousarray(given, dtype=np.uint32)  # type: ignore[assignment]
    return column


def columns_of(
    transitions: Iterable[tuple[int, str, int]],
) -> tuple[array[int], array[int], array[int], list[str]]:
    """Return columns and label table of triples; raise `TypeError` for anything else, and
    `ValueError` for a number that is no state.

    >>> columns_of([(0, 1, 2)])
    Traceback (most recent call last):
    TypeError: a transition must be (source, label, target): two numbers and a string, not (0, 1, 2)
    """
    source, label, target = array("I"), array("I"), array("I")
    numbers: dict[str, int] = {}
    what = "(source, label, target): two numbers and a string"
    if not isinstance(transitions, Iterable):
        kind = type(transitions).__name__
        raise TypeError(f"tuples {what}, are expected, not an object of {kind}")
    for transition in transitions:
        try:
            s, a, t = transition
            source.append(s)
            label.append(numbers.setdefault(a, len(numbers)))
            target.append(t)
            is_one = isinstance(a, str)
        except OverflowError:
            message = (
                f"the states of the transition {transition!r} are no numbers from 0 to 2^32 - 1"
            )
            raise ValueError(message) from None
        except (TypeError, ValueError):
            is_one = False
        if not is_one:
            raise TypeError(f"a transition must be {what}, not {transition!r}")
    return source, label, target, list(numbers)


def from_bytes(order: str, data: bytes) -> array[int]:
    """Return a column from its bytes; `order` is their byte order, as in `sys.byteorder`."""
    column = array("I")
    column.frombytes(data)
    if order != sys.byteorder:
        column.byteswap()
    return column

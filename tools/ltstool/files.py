"""The files a command reads and writes: `-`, or none, is standard input and output."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO

import aut_format
from aut_format.output import writing
from lts.errors import LtsError, ReductionWarning
from lts.system import LTS


def is_standard(file: str | None) -> bool:
    """Return whether `file` stands for standard input or output."""
    return file in (None, "-")


def refuse_same(outputs: Mapping[str, str | None]) -> None:
    """Refuse to write two things to one file; `outputs` has the file of each, by what it is."""
    seen: dict[str, str] = {}
    for what, file in outputs.items():
        place = "standard output" if file is None or is_standard(file) else os.path.realpath(file)
        other = seen.setdefault(place, what)
        if other != what and not place.startswith("/dev/"):
            shown = place if file is None or is_standard(file) else f"`{file}`"
            raise LtsError(f"{other} and {what} cannot both go to {shown}")


def read_lts(file: str | None, *, salvage: bool = False) -> LTS:
    """Read an .aut file as it is, a reduction as the LTS of its encoding.

    Raises `LtsError` for a specification, which is none.
    """
    from ltstool.specifications import is_specification

    if file is not None and is_specification(file):
        raise LtsError(f"{file} is a specification: `ltstool generate` makes an .aut file of it")
    source = sys.stdin.buffer if file is None or is_standard(file) else file
    with warnings.catch_warnings():
        # Whoever reads it sees to it (`ltstool.originals`).
        warnings.simplefilter("ignore", ReductionWarning)
        return aut_format.read(source, salvage=salvage)


def write_lts(system: LTS, out: str | None, *, unfinished: bool = False) -> None:
    """Write an .aut file; one that is `unfinished` is marked, and refused by readers."""
    if out is None or is_standard(out):
        aut_format.write(system, sys.stdout.buffer, unfinished=unfinished)
        sys.stdout.buffer.flush()
    else:
        aut_format.write(system, out, unfinished=unfinished)


@contextmanager
def open_output(out: str | None) -> Iterator[BinaryIO]:
    """Open any other output for bytes; a file appears whole or not at all."""
    if out is None or is_standard(out):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with writing(out) as file:
            yield file

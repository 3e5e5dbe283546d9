"""The files a command reads and writes: `-`, or none, is standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

import aut_format
from aut_format.output import writing
from lts.system import LTS


def read_lts(file: str | None, tau: Sequence[str] | None = None, *, salvage: bool = False) -> LTS:
    """Read an .aut file; `tau` are the internal labels (None: by convention)."""
    source = sys.stdin.buffer if file in (None, "-") else file
    return aut_format.read(source, internal=tau, salvage=salvage)


def write_lts(system: LTS, out: str | None) -> None:
    """Write an .aut file."""
    if out in (None, "-"):
        aut_format.write(system, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    else:
        aut_format.write(system, out)


@contextmanager
def open_output(out: str | None) -> Iterator[BinaryIO]:
    """Open any other output for bytes; a file appears whole or not at all."""
    if out in (None, "-"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with writing(out) as file:
            yield file

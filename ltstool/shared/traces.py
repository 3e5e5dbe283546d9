"""Traces on the command line: the files they are read from and written to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aut_format.output import together
from lts.errors import FormatError
from lts.mcrl2.binary.kinds import START
from lts.trace import TraceStep, format_trace, parse_seq, parse_trace, trace_of
from ltstool.shared.files import write_text

if TYPE_CHECKING:
    from ltstool.options.request import Request

_OLD = b"mCRL2Trace"
"""The first bytes of traces of mCRL2 before July 2021."""


def write_traces(
    request: Request, file: str | None, traces: Sequence[Sequence[TraceStep]]
) -> list[str]:
    """Write trace files, and return their names: `a.trace`, or `a.1.trace`, `a.2.trace`, ..."""
    if file is None:
        return []
    stem, suffix = os.path.splitext(file)
    names = [file if len(traces) == 1 else f"{stem}.{k}{suffix}" for k in range(1, len(traces) + 1)]
    with together():
        for name, steps in zip(names, traces, strict=True):
            write_text(request, name, format_trace(steps))
    return names


def read_trace(file: str) -> Sequence[TraceStep]:
    """Return the trace in a file: exact, plain, CADP's SEQ by the suffix `.seq`, or one of mCRL2 by
    its first bytes, a binary file with an LTS that is a path."""
    with open(file, "rb") as content:
        data = content.read()
    if data.startswith(START):
        from lts.formats.mcrl2_lts import read

        return trace_of(read(data, file), file=file)
    if data.startswith(_OLD):
        message = (
            "this is a trace of an old release of mCRL2, which is not read: its own `tracepp` "
        )
        raise FormatError(f"{message}prints it as text", file=file)
    text = data.decode("utf-8-sig", "surrogateescape")
    parse = parse_seq if file.lower().endswith(".seq") else parse_trace
    return parse(text, file=file)

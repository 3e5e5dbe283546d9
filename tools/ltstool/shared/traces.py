"""Traces on the command line: how many, and the files they are written to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aut_format.output import together
from lts.trace import TraceStep, format_trace
from ltstool.shared.files import open_output


def write_traces(file: str | None, traces: Sequence[Sequence[TraceStep]]) -> list[str]:
    """Write trace files, and return their names: `a.trace`, or `a.1.trace`, `a.2.trace`, ..."""
    if file is None:
        return []
    path = Path(file)
    names = [
        file if len(traces) == 1 else str(path.with_name(f"{path.stem}.{k}{path.suffix}"))
        for k in range(1, len(traces) + 1)
    ]
    with together():
        for name, steps in zip(names, traces, strict=True):
            with open_output(name) as out:
                out.write(format_trace(steps).encode("utf-8", "surrogateescape"))
    return names

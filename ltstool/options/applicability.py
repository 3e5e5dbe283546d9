"""Consistency of command lines: an option without effect is refused, according to the table."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from aut_format.output import is_replaceable
from lts.errors import LtsError
from lts.formats.names import FOREIGN, kind_by_name, kind_of_file
from ltstool.options.request import REDUCTION, Request, is_parts
from ltstool.options.table import LTS_FILE, MAKE, SPECIFICATION, Option
from ltstool.shared.files import (
    check_format,
    check_outputs,
    formula_file,
    is_file,
    is_standard,
    refuse_over,
    symmetry_file,
)


def check(request: Request) -> None:
    """Refuse, before any work is done, inconsistent options and outputs that would overwrite
    inputs; remark on outputs with other hard links."""
    rows = request.takes.rows
    read = [request.values[name] for name in rows if rows[name].file == "read"]
    read += [formula_file(request.values.get(name) or "") for name in ("formula", "preserve")]
    if not request.reading.as_such:
        read += [symmetry_file(file) for file in request.systems if not request.is_explored(file)]
    request.read.extend(filter(None, read))
    for file in filter(is_file, request.outputs):
        refuse_over(file, request.read)
        if is_replaceable(file) and os.stat(file).st_nlink > 1:
            request.warn(f"`{file}` has other names (hard links), which keep the old content")
    check_outputs(request.outputs)
    for problem in problems(request):
        raise LtsError(problem)


def problems(request: Request) -> Iterator[str]:
    """Yield the reasons why inputs cannot be read, and options of a command line have no effect."""
    takes = request.takes
    kinds = sorted({request.kind(file) for file in request.systems})
    for file in request.systems:
        yield from _unreadable(request, file)
        if (kind := request.kind(file)) not in takes.reads:
            yield _not_read(file, kind, takes.reads[0])
    if request.progress_lines and (request.quiet or takes.talks):
        yield "--progress has no effect " + ("with -q" if request.quiet else "in a dialogue")
    there = {*request.given, *_made(request)}
    for name, written in request.given.items():
        row = takes.rows[name]
        if kinds and not {*kinds} & {*row.of}:
            yield f"{written} {_of_others(row, kinds)}"
        if row.needs and not there & {*row.needs}:
            yield f"{written} {row.lacking}"
    if request.writes_text:
        if kind_by_name(request.target or "") == LTS_FILE:
            yield f"`{request.target}` is named as an LTS, but a text is written"
    elif takes.writes in (LTS_FILE, REDUCTION) and request.values.get("to") is None:
        is_reduction = "quotient" in there and "write_symmetry" in takes.rows
        check_format(request.target, only_aut=is_reduction)
    # If a state space is explored, errors in its text are reported first.
    if "partial" not in takes.rows:
        refuse_two_results(request)
    for (name, *others), why in takes.against.items():
        if there >= {name, *others}:
            yield f"{request.given[name]} {why}"


def refuse_two_results(request: Request) -> None:
    """Refuse to print results to standard output if a system is written there."""
    beside = "--json" if request.json else "traces" if request.searches else None
    if beside is not None and request.writes and is_standard(request.target):
        raise LtsError(
            f"{beside} and the result would both go to standard output: name a file with -o FILE"
        )


def _made(request: Request) -> Iterator[str]:
    """Yield the names for combinations of options (see `Takes`): `parts`, `search` and
    `quotient`."""
    if "output" in request.takes.rows and is_parts(request.output):
        yield "parts"
    if request.searches:
        yield "search"
    elif request.group.symmetry is not None:
        yield "quotient"


def _unreadable(request: Request, file: str | None) -> Iterator[str]:
    """Yield errors for an input of unknown kind: no file at a terminal, a file of another tool, or
    an unknown suffix."""
    if file is None and sys.stdin.isatty():
        yield "no file is named, and standard input is a terminal: name a file (`-` reads from it)"
    takes, given = request.takes, {"format", "language"} & request.given.keys()
    if file is None or given or not is_file(file):
        return
    end = os.path.splitext(file)[1].lower()
    if end in FOREIGN:
        yield f"`{file}` is {FOREIGN[end]}"
    elif takes.reads_lts_and_others and end and kind_of_file(file) is None:
        how = "an LTS with --from, " if "format" in takes.rows else ""
        how += "a specification with --language" if SPECIFICATION in takes.reads else ""
        yield f"`{file}`: unknown format `{end}`; choose the format of {how.removesuffix(', ')}"


def _not_read(file: str | None, kind: str, expected: str) -> str:
    if expected == LTS_FILE:
        return f"{file} is {kind}: convert it with `ltstool {MAKE[kind]}` first"
    hint = f": `ltstool {MAKE[kind]}` reads it" if kind in MAKE else ""
    return f"`{file}` is {kind}, by its name, but this command reads {expected}{hint}"


def _of_others(row: Option, kinds: list[str]) -> str:
    found = " and ".join(kinds)
    made = MAKE.get(found) if [*row.of] == [LTS_FILE] else None
    hint = f": {made} it first" if made else ""
    return f"applies to {' or '.join(row.of)}, but the input is {found}{hint}"

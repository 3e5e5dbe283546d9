"""Reports on the steps of a pipeline, as a table, as JSON and as JUnit XML."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lts.errors import FormatError
from lts.formats.packed import unpacked
from ltstool.pipeline.execution import WAITS, Outcome
from ltstool.pipeline.records import Records
from ltstool.pipeline.steps import Pipeline
from ltstool.shared.shown import aligned

__all__ = ["as_json", "as_junit", "line", "reported", "size", "table"]

_HEADER = re.compile(rb"\s*des\s*\(\s*\d+\s*,\s*(\d+)\s*,\s*(\d+)\s*\)")
_HEADER_BYTES = 200
_WIDEST = 48
_LAST_LINES = 8
HEAD = ("step", "went", "seconds", "memory", "result")


def table(pipeline: Pipeline, records: Records, outcomes: Sequence[Outcome]) -> str:
    """Return a table with a row for each step, followed by the problems."""
    rows = [HEAD, *(_row(pipeline, records, outcome) for outcome in outcomes)]
    return aligned(rows, right=(2, 3), rule=True)


def _row(pipeline: Pipeline, records: Records, outcome: Outcome) -> tuple[str, ...]:
    went = outcome.state if outcome.problem is None or outcome.state == WAITS else "WRONG"
    record = outcome.record
    if record is None:
        return outcome.step.name, went, "", "", outcome.problem or ""
    memory = "" if record.memory is None else f"{record.memory / 1e6:,.0f} MB"
    result = outcome.problem or _result(pipeline, records, outcome)
    return outcome.step.name, went, f"{record.seconds:.1f}", memory, result


def _result(pipeline: Pipeline, records: Records, outcome: Outcome) -> str:
    """Return a short description of a step's result."""
    sizes = _sizes(pipeline, outcome)
    if sizes:
        file, (states, transitions) = next(iter(sizes.items()))
        more = f", and {len(sizes) - 1} more" if len(sizes) > 1 else ""
        return f"{file}: {states:,} states, {transitions:,} transitions{more}"
    if files := _made(pipeline, outcome):
        return _cut(", ".join(files))
    text = records.streams(outcome.step)[0].read_bytes()[:1000].decode("utf-8", "replace")
    first = next(iter(text.split("\n")), "").strip()
    return _cut("".join(c if c.isprintable() else "\ufffd" for c in first))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _made(pipeline: Pipeline, outcome: Outcome) -> list[str]:
    """Return the files that a step wrote, by the names that the step uses."""
    if outcome.record is None:
        return []
    names = {pipeline.path(file): file for file in reversed(outcome.step.outputs)}
    return [
        names.get(path, os.path.relpath(path, pipeline.folder)) for path in outcome.record.outputs
    ]


def _sizes(pipeline: Pipeline, outcome: Outcome) -> dict[str, tuple[int, int]]:
    found = {file: size(pipeline.path(file)) for file in _made(pipeline, outcome)}
    return {file: pair for file, pair in found.items() if pair is not None}


def size(file: str) -> tuple[int, int] | None:
    """Return states and transitions from the header of an .aut file; None for other files."""
    try:
        with open(file, "rb", buffering=0) as opened:
            text, start = unpacked(opened, file), b""
            while len(start) < _HEADER_BYTES and (block := text.read(_HEADER_BYTES)):
                start += block
    except (OSError, FormatError):
        return None
    match = _HEADER.match(start)
    return (int(match[2]), int(match[1])) if match else None


def line(outcome: Outcome) -> str:
    """Return the line that reports the outcome of a step when it ends."""
    time = "" if outcome.record is None else f" ({outcome.record.seconds:.1f} s)"
    wrong = "" if outcome.problem is None else f": {outcome.problem}"
    return f"{outcome.step.name}: {outcome.state}{time}{wrong}"


def reported(records: Records, outcome: Outcome) -> Iterator[str]:
    """Yield the last lines of a failed step's standard error."""
    if outcome.problem is None or outcome.record is None:
        return
    error = records.streams(outcome.step)[1]
    if error.is_file():
        for text in _last(error):
            yield f"  {text}"


def _last(file: Path) -> list[str]:
    with open(file, "rb") as opened:
        opened.seek(max(0, os.path.getsize(file) - 4000))
        return opened.read().decode("utf-8", "replace").splitlines()[-_LAST_LINES:]


def as_junit(pipeline: Pipeline, records: Records, outcomes: Sequence[Outcome]) -> bytes:
    """Return a JUnit XML report, with a test case for each step, in UTF-8.

    A step whose result is not the expected one is a failure; one that did not come to a result, for
    instance for wrong use or a limit, is an error; and one that waits for such a step is skipped.
    """
    from xml.etree import ElementTree

    found = {"failure": 0, "error": 0, "skipped": 0}
    suite = ElementTree.Element("testsuite", name=_valid(Path(pipeline.file).name))
    for outcome in outcomes:
        record, name = outcome.record, _valid(outcome.step.name)
        time = "0" if record is None else f"{record.seconds:.3f}"
        case = ElementTree.SubElement(suite, "testcase", name=name, classname=suite.attrib["name"])
        case.set("time", time)
        if outcome.problem is not None:
            kind = "skipped" if record is None else "failure" if outcome.code == 1 else "error"
            found[kind] += 1
            problem = ElementTree.SubElement(case, kind, message=_valid(outcome.problem))
            problem.text = _valid(
                "\n".join([" ".join(outcome.step.words), *reported(records, outcome)])
            )
    seconds = sum(outcome.record.seconds for outcome in outcomes if outcome.record is not None)
    suite.attrib |= {"tests": str(len(outcomes)), "failures": str(found["failure"])}
    suite.attrib |= {"errors": str(found["error"]), "skipped": str(found["skipped"])}
    suite.set("time", f"{seconds:.3f}")
    text: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return text


def _valid(text: str) -> str:
    """Return a text with a substitute for each character that XML does not permit."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def as_json(pipeline: Pipeline, outcomes: Iterable[Outcome]) -> dict[str, object]:
    """Return the contents of the table, with more detail, for JSON."""
    steps = []
    for outcome in outcomes:
        record = outcome.record
        sizes = _sizes(pipeline, outcome)
        steps.append(
            {
                "name": outcome.step.name,
                "command": list(outcome.step.words),
                "needs": list(outcome.step.needs),
                "went": outcome.state,
                "as_expected": outcome.problem is None,
                "problem": outcome.problem,
                "exit_code": None if record is None else record.code,
                "seconds": None if record is None else round(record.seconds, 3),
                "memory": None if record is None else record.memory,
                "outputs": [
                    {"file": file, "states": sizes[file][0], "transitions": sizes[file][1]}
                    if file in sizes
                    else {"file": file}
                    for file in _made(pipeline, outcome)
                ],
            }
        )
    return {"pipeline": str(pipeline.file), "steps": steps}

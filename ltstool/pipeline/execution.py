"""Execution of a pipeline: runs the steps whose results are not valid any more."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from aut_format.output import writing
from lts.errors import LtsError
from ltstool.pipeline import trace
from ltstool.pipeline.expected import mismatch
from ltstool.pipeline.order import named_files, writers
from ltstool.pipeline.records import Record, Records, content, fingerprint, listing
from ltstool.pipeline.steps import Pipeline, Step
from ltstool.signals import Deferred

__all__ = ["RAN", "Outcome", "execute", "plan", "selected"]

RAN, STILL_VALID, WAITS = "ran", "kept", "waits"
"""A step ran, its result was still valid, or it was skipped because of a failed step."""

_GRACE = 10.0
"""Seconds to wait for a step to end before it is killed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a step; `problem` describes a failure."""

    step: Step
    state: str
    record: Record | None = None
    problem: str | None = None

    @property
    def code(self) -> int:
        """The exit code of the whole run because of this step: 0 if nothing is wrong."""
        if self.problem is None or self.record is None:
            return 0
        code = self.record.code
        return code if code in (2, 3, 70) and not self.step.program else 1


def selected(pipeline: Pipeline, names: Collection[str]) -> list[Step]:
    """Return the steps with these names and all that they depend on; all steps if there are no
    names."""
    if not names:
        return list(pipeline.steps)
    found: set[str] = set()
    waiting = [step.name for name in names for step in _named(pipeline, name)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += pipeline.step(name).needs
    return [step for step in pipeline.steps if step.name in found]


def _named(pipeline: Pipeline, name: str) -> list[Step]:
    """Return the step with this name, or all steps of a table with `each`."""
    several = [step for step in pipeline.steps if step.name.partition("[")[0] == name]
    return several or [pipeline.step(name)]


def plan(
    pipeline: Pipeline, records: Records, only: Collection[str], force: Collection[str] | None
) -> list[tuple[Step, str]]:
    """Return the steps, with the reason why each has to run; empty if its result is still valid."""
    forced = _forced(pipeline, force)
    found: list[tuple[Step, str]] = []
    running: set[str] = set()
    for step in selected(pipeline, only):
        before = [name for name in step.needs if name in running]
        if step.name in forced:
            reason = "forced"
        elif records.get(step) is None:
            reason = "it has never run"
        elif records.holding(step) is None:
            reason = "its inputs have changed"
        elif before:
            reason = f"if the output of {before[0]} changes"
        else:
            reason = ""
        if reason:
            running.add(step.name)
        found.append((step, reason))
    return found


def _forced(pipeline: Pipeline, force: Collection[str] | None) -> set[str]:
    """Return the names of the steps that run in any case: all steps if `force` is empty."""
    if force is None:
        return set()
    steps = [step for name in force for step in _named(pipeline, name)]
    return {step.name for step in (steps if force else pipeline.steps)}


def execute(
    pipeline: Pipeline,
    records: Records,
    *,
    only: Collection[str] = (),
    force: Collection[str] | None = None,
    on_begin: Callable[[Step], object] = lambda step: None,
    on_end: Callable[[Outcome], object] = lambda outcome: None,
) -> list[Outcome]:
    """Run the steps that have to run, one after the other; return their outcomes.

    `only` names steps that are run with their dependencies; `force` names steps that run in any
    case, all if it is empty. Steps that depend on a failed step are skipped, all others run.
    `on_begin` and `on_end` are called before and after each step.
    """
    forced = _forced(pipeline, force)
    writer = writers(pipeline)
    found: dict[str, Outcome] = {}
    for step in selected(pipeline, only):
        wrong = [name for name in step.needs if found[name].state == WAITS or found[name].problem]
        if wrong:
            outcome = Outcome(step, WAITS, problem=f"it needs {wrong[0]}")
        elif step.name not in forced and (record := records.holding(step)) is not None:
            outcome = _judged(pipeline, records, step, STILL_VALID, record, writer)
        else:
            on_begin(step)
            records.forget(step)
            record = _run(pipeline, records, step)
            outcome = _judged(pipeline, records, step, RAN, record, writer)
            records.put(step, record)
        found[step.name] = outcome
        on_end(outcome)
    return list(found.values())


def _judged(
    pipeline: Pipeline,
    records: Records,
    step: Step,
    state: str,
    record: Record,
    writer: Mapping[str, Step],
) -> Outcome:
    """Return the outcome of a step that ran: whether it is as expected, and used no undeclared
    files."""
    problem = _hidden_need(pipeline, step, record, writer)
    if problem is None:
        printed = records.streams(step)[0].read_bytes()
        problem = mismatch(step.expect, record.code, printed)
    if problem is None and step.program and record.code == 0:
        missing = [file for file in step.outputs if not os.path.lexists(pipeline.path(file))]
        if missing:
            problem = f"its output `{missing[0]}` was not written"
    return Outcome(step, state, record, problem)


def _hidden_need(
    pipeline: Pipeline, step: Step, record: Record, writer: Mapping[str, Step]
) -> str | None:
    """Return a message if the step read a file of another step that it does not name."""
    before = {each.name for each in selected(pipeline, [step.name])}
    for file in record.inputs:
        other = writer.get(os.path.realpath(file))
        if other is not None and other.name not in before:
            name = os.path.relpath(file, pipeline.folder)
            return (
                f'it reads `{name}`, which step `{other.name}` writes: add needs = ["{other.name}"]'
            )
    for file in record.outputs:
        other = writer.get(os.path.realpath(file), step)
        if other is not step:
            name = os.path.relpath(file, pipeline.folder)
            return f"it writes `{name}`, which step `{other.name}` writes, too"
    return None


def _run(pipeline: Pipeline, records: Records, step: Step) -> Record:
    """Run a step, storing its output in files. Raises an interrupt of the run."""
    out, err = records.streams(step)
    key = fingerprint(step)
    declared = {pipeline.name(file): content(pipeline.name(file)) for file in step.inputs}
    with TemporaryDirectory(dir=records.folder, prefix="step.") as folder:
        notes = Path(folder, "notes.json")
        # The time of the file system's clock, which may lag behind others.
        born = os.stat(folder).st_ctime_ns
        command = step.words if step.program else (*trace.COMMAND, str(notes), *step.words)
        begin = time.monotonic()
        code, memory = finished(command, pipeline.folder, out, err)
        seconds = time.monotonic() - begin
        noted = {} if step.program else _noted(notes)
        if noted is None:
            # The step was killed or could not write its notes: such a result is never valid.
            key, noted = "", {}
    if code == 130:
        raise KeyboardInterrupt
    if step.printed is not None and code in (0, 1):
        with open(out, "rb") as text, writing(pipeline.path(step.printed)) as file:
            shutil.copyfileobj(text, file)
    written = {
        *noted.get("written", []),
        *filter(os.path.lexists, map(pipeline.name, step.outputs)),
    }
    made = {os.path.realpath(file) for file in written}
    # The engine and child processes are not traced; the files that they read are named in the
    # words.
    named = filter(os.path.exists, map(pipeline.name, named_files(step)))
    read = {file for file in (*noted.get("read", []), *named) if os.path.realpath(file) not in made}
    return Record(
        key,
        code,
        seconds,
        memory,
        {**{file: _as_read(file, born) for file in sorted(read)}, **declared},
        {file: listing(file) for file in noted.get("listed", [])},
        {file: content(file) for file in sorted(written)},
    )


def _as_read(file: str, born: int) -> str | None:
    """Return a hash of a file's content as a step that began at time `born` read it.

    If the file was changed since then, the content is unknown, and the result equals no hash.
    """
    with suppress(OSError):
        # The time of a folder changes with anything in it; the folders hashed here appear as a
        # whole.
        if not os.path.isdir(file) and os.stat(file).st_ctime_ns > born:
            return "changed"
        if os.path.islink(file) and os.lstat(file).st_ctime_ns > born:
            return "changed"
    return content(file)


def _noted(notes: Path) -> dict[str, list[str]] | None:
    with suppress(OSError, ValueError):
        found: dict[str, list[str]] = json.loads(notes.read_text(encoding="utf-8"))
        return found
    return None


def finished(command: Sequence[str], folder: Path, out: Path, err: Path) -> tuple[int, int | None]:
    """Run a command to its end; return its exit code and its peak memory in bytes."""
    process = None
    with open(out, "wb") as printed, open(err, "wb") as errors:
        try:
            try:
                with Deferred():
                    process = subprocess.Popen(
                        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors
                    )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise LtsError(f"{command[0]} cannot be started: {reason}") from None
            if not hasattr(os, "wait4"):
                return process.wait(), None
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            if process is not None:
                _end(process)
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        # A child process starts with its parent's peak, and this process is small. macOS counts in
        # bytes.
        unit = 1 if os.uname().sysname == "Darwin" else 1024
        return process.returncode, usage.ru_maxrss * unit


def _end(process: subprocess.Popen[bytes]) -> None:
    """Terminate a step, and wait until it has ended."""
    process.terminate()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

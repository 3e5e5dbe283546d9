"""Goes through the steps of a pipeline: runs those whose results do not hold any more."""

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

__all__ = ["RAN", "Outcome", "execute", "plan", "wanted"]

RAN, KEPT, WAITS = "ran", "kept", "waits"
"""A step ran, its result held, or it waits for one that went wrong."""

_GRACE = 10.0
"""Seconds that a step has to end when it is told to."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went; `problem` says what is wrong, if anything is."""

    step: Step
    state: str
    record: Record | None = None
    problem: str | None = None

    @property
    def code(self) -> int:
        """The exit code that this makes of the whole run: 0 where nothing is wrong."""
        if self.problem is None or self.record is None:
            return 0
        code = self.record.code
        return code if code in (2, 3, 70) and not self.step.program else 1


def wanted(pipeline: Pipeline, names: Collection[str]) -> list[Step]:
    """Return the steps of the names given, and all that they need; all steps for no name."""
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
    """Return the step of a name, or all those that a table with `each` stands for."""
    several = [step for step in pipeline.steps if step.name.partition("[")[0] == name]
    return several or [pipeline.step(name)]


def plan(
    pipeline: Pipeline, records: Records, only: Collection[str], force: Collection[str] | None
) -> list[tuple[Step, str]]:
    """Return the steps, and why each would run; an empty reason for one whose result holds."""
    forced = _forced(pipeline, force)
    found: list[tuple[Step, str]] = []
    running: set[str] = set()
    for step in wanted(pipeline, only):
        before = [name for name in step.needs if name in running]
        if step.name in forced:
            reason = "it is told to"
        elif records.get(step) is None:
            reason = "it never ran"
        elif records.holding(step) is None:
            reason = "what it depends on has changed"
        elif before:
            reason = f"if {before[0]} makes something else"
        else:
            reason = ""
        if reason:
            running.add(step.name)
        found.append((step, reason))
    return found


def _forced(pipeline: Pipeline, force: Collection[str] | None) -> set[str]:
    """Return the names of the steps that run in any case: all of them for no name."""
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
    begins: Callable[[Step], object] = lambda step: None,
    ends: Callable[[Outcome], object] = lambda outcome: None,
) -> list[Outcome]:
    """Run what has to run, one step after the other; return how each went.

    `only` names steps that are wanted, with what they need; `force` those that run in any case,
    all for an empty one. A step that needs one that went wrong waits, all others run. `begins` and
    `ends` are called before and after each.
    """
    forced = _forced(pipeline, force)
    writer = writers(pipeline)
    found: dict[str, Outcome] = {}
    for step in wanted(pipeline, only):
        wrong = [name for name in step.needs if found[name].state == WAITS or found[name].problem]
        if wrong:
            outcome = Outcome(step, WAITS, problem=f"it needs {wrong[0]}")
        elif step.name not in forced and (record := records.holding(step)) is not None:
            outcome = _judged(pipeline, records, step, KEPT, record, writer)
        else:
            begins(step)
            records.forget(step)
            record = _run(pipeline, records, step)
            outcome = _judged(pipeline, records, step, RAN, record, writer)
            records.put(step, record)
        found[step.name] = outcome
        ends(outcome)
    return list(found.values())


def _judged(
    pipeline: Pipeline,
    records: Records,
    step: Step,
    state: str,
    record: Record,
    writer: Mapping[str, Step],
) -> Outcome:
    """Return the outcome of a step that ran: whether it is what was expected, and honest."""
    problem = _hidden_need(pipeline, step, record, writer)
    if problem is None:
        printed = records.streams(step)[0].read_bytes()
        problem = mismatch(step.expect, record.code, printed)
    if problem is None and step.program and record.code == 0:
        missing = [file for file in step.outputs if not os.path.lexists(pipeline.path(file))]
        if missing:
            problem = f"it did not write `{missing[0]}`"
    return Outcome(step, state, record, problem)


def _hidden_need(
    pipeline: Pipeline, step: Step, record: Record, writer: Mapping[str, Step]
) -> str | None:
    """Return what to say of a file of another step that this one used without naming it."""
    before = {each.name for each in wanted(pipeline, [step.name])}
    for file in record.inputs:
        other = writer.get(os.path.realpath(file))
        if other is not None and other.name not in before:
            name = os.path.relpath(file, pipeline.folder)
            return f'it reads `{name}`, which `{other.name}` writes: needs = ["{other.name}"]'
    for file in record.outputs:
        other = writer.get(os.path.realpath(file), step)
        if other is not step:
            name = os.path.relpath(file, pipeline.folder)
            return f"it writes `{name}`, as `{other.name}` does"
    return None


def _run(pipeline: Pipeline, records: Records, step: Step) -> Record:
    """Run a step; what it prints is kept in files. Raises what interrupts the run."""
    out, err = records.streams(step)
    key = fingerprint(step)
    declared = {pipeline.name(file): content(pipeline.name(file)) for file in step.inputs}
    with TemporaryDirectory(dir=records.folder, prefix="step.") as folder:
        notes = Path(folder, "notes.json")
        # By the clock of the file system, which may lag behind others.
        born = os.stat(folder).st_ctime_ns
        command = step.words if step.program else (*trace.COMMAND, str(notes), *step.words)
        begin = time.monotonic()
        code, memory = _finished(command, pipeline.folder, out, err)
        seconds = time.monotonic() - begin
        noted = {} if step.program else _noted(notes)
        if noted is None:
            # Killed, or not able to note what it read: such a result never holds.
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
    # Also what the engine, or a process of the step's own, reads: such files the words name.
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
    """Return a hash of what a file held when a step read it that began at this time.

    Of a file that was changed since, nobody knows: no content is equal to what is returned.
    """
    with suppress(OSError):
        # Of a folder the time is that of anything in it: those looked into are whole or not there.
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


def _finished(command: Sequence[str], folder: Path, out: Path, err: Path) -> tuple[int, int | None]:
    """Run a command to its end; return its exit code, and the most memory it held, in bytes."""
    with open(out, "wb") as printed, open(err, "wb") as errors:
        try:
            process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise LtsError(f"{command[0]} does not start: {reason}") from None
        try:
            if not hasattr(os, "wait4"):
                return process.wait(), None
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            _end(process)
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        # A program is born with its parent's peak, and this one is small. On macOS it is in bytes.
        unit = 1 if os.uname().sysname == "Darwin" else 1024
        return process.returncode, usage.ru_maxrss * unit


def _end(process: subprocess.Popen[bytes]) -> None:
    """Have a step end, and wait for that."""
    process.terminate()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

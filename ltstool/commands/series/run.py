"""`ltstool run`: run the steps of a pipeline whose inputs have changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.options.request import Request, Takes
from ltstool.options.table import option
from ltstool.shared.files import format_of, is_standard, open_output
from ltstool.shared.shown import aligned

if TYPE_CHECKING:
    from ltstool.pipeline.execution import Outcome
    from ltstool.pipeline.records import Records
    from ltstool.pipeline.steps import Pipeline, Step

HELP = "run the steps of a pipeline; steps that are up to date are skipped"
EXAMPLES = (
    "run pipeline.toml",
    "run pipeline.toml --only proof --picture steps.svg",
    "run pipeline.toml --dry-run",
)
FORMATS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}


class Running(Request):
    """The options of `run`."""

    only: Sequence[str] = option(
        "--only STEP...",
        "run only this step and the steps that it needs (may be repeated)",
    )
    force: Sequence[str] | None = option(
        "--force [STEP]",
        "run this step even if nothing has changed; without a name, run all steps",
        const="",
        action="append",
    )
    dry_run: bool = option(
        "--dry-run", "print which steps would run, and why, without running them"
    )
    show: str | None = option("--show STEP", "print the output of the last run of a step")
    junit: str | None = option(
        "--junit FILE",
        "write the results as JUnit XML, for services that show tests",
        file="written",
    )


TAKES = Takes(
    request=Running,
    options=("file", "only", "force", "dry_run", "output", "show", "junit"),
    changed={
        "file": {"flags": "FILE", "help": "a pipeline: a TOML file with a table for each step"},
        "output": {
            "flags": "--picture OUT",
            "help": "draw the steps and their outcomes: .svg, or .dot for Graphviz",
        },
    },
    against={
        ("junit", "dry_run"): "has no effect with --dry-run: no step runs",
        ("junit", "show"): "has no effect with --show: no step runs",
    },
)


def run(request: Running) -> int:
    """Run the steps that have to run, and report on them; the exit code says whether all results
    are as expected."""
    from ltstool.pipeline.execution import execute
    from ltstool.pipeline.reader import read
    from ltstool.pipeline.records import Records
    from ltstool.pipeline.report import as_json, as_junit, line, reported, table

    if request.max_memory is not None:
        raise LtsError(
            "--max-memory does not apply to `run`: give it to the commands of the steps, which "
            "are separate processes"
        )
    pipeline = read(str(request.reading.file))
    kind = format_of(request.output, FORMATS, "svg")
    records = Records(pipeline)
    force = request.force
    if force is not None:
        force = [] if "" in force else force
    for name in [*request.only, *(force or [])]:
        _check(pipeline, name)
    if request.show is not None:
        return _show(request, records, pipeline.step(request.show))
    if request.dry_run:
        return _plan(request, pipeline, records, force)

    def on_begin(step: Step) -> None:
        request.progress.show(f"{step.name} ..")

    def on_end(outcome: Outcome) -> None:
        if request.quiet:
            return
        request.progress.clear()
        print(line(outcome), file=sys.stderr, flush=True)
        for text in reported(records, outcome):
            print(text, file=sys.stderr)

    with records.locked():
        records.keep_only(pipeline.steps)
        outcomes = execute(
            pipeline, records, only=request.only, force=force, on_begin=on_begin, on_end=on_end
        )
        if request.output is not None:
            _draw(request, pipeline, outcomes, kind)
        if request.junit is not None:
            with open_output(request, request.junit) as out:
                out.write(as_junit(pipeline, records, outcomes))
        if request.json:
            print(json.dumps(as_json(pipeline, outcomes), indent=2))
        elif not is_standard(request.output) or request.output is None:
            print(table(pipeline, records, outcomes))
    # A defect or wrong use takes precedence over a limit, and a limit over the answer no.
    codes = {outcome.code for outcome in outcomes}
    return next((code for code in (70, 2, 3, 1) if code in codes), 0)


def _check(pipeline: Pipeline, name: str) -> None:
    """Refuse a name that belongs to no step, or to several."""
    if not any(step.name.partition("[")[0] == name for step in pipeline.steps):
        pipeline.step(name)


def _show(request: Running, records: Records, step: Step) -> int:
    printed = records.streams(step)[0]
    if records.get(step) is None or not printed.is_file():
        raise LtsError(f"step `{step.name}` has not run")
    with open_output(request, None) as out:
        out.write(printed.read_bytes())
    return 0


def _plan(
    request: Running, pipeline: Pipeline, records: Records, force: Sequence[str] | None
) -> int:
    from ltstool.pipeline.execution import plan

    found = plan(pipeline, records, request.only, force)
    if request.json:
        steps = [{"name": s.name, "runs": bool(why), "because": why or None} for s, why in found]
        print(json.dumps({"pipeline": str(pipeline.file), "steps": steps}, indent=2))
        return 0
    print(aligned([(step.name, f"runs: {why}" if why else "kept") for step, why in found]))
    return 0


def _draw(request: Running, pipeline: Pipeline, outcomes: list[Outcome], kind: str) -> None:
    from ltstool.pipeline import picture

    drawn = picture.dot if kind == "dot" else picture.svg
    with open_output(request, request.output) as out:
        out.write(drawn(pipeline, outcomes))

"""`ltstool run`: the steps of a pipeline, those redone of which something has changed."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.shared.files import format_of, is_standard, open_output
from ltstool.shared.streams import show_line

if TYPE_CHECKING:
    from ltstool.pipeline.execution import Outcome
    from ltstool.pipeline.records import Records
    from ltstool.pipeline.steps import Pipeline, Step

HELP = "run the steps of a pipeline, those again of which something has changed"
EXAMPLES = (
    "run pipeline.toml",
    "run pipeline.toml --only proof --picture steps.svg",
    "run pipeline.toml --dry-run",
)
FORMATS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `run` takes."""
    parser.add_argument("file", metavar="FILE", help="a pipeline: TOML, a table for each step")
    parser.add_argument(
        "--only",
        metavar="STEP",
        action="append",
        default=[],
        help="this step, and those that it needs (may be given several times)",
    )
    parser.add_argument(
        "--force",
        metavar="STEP",
        nargs="?",
        const="",
        action="append",
        help="run this step even if nothing has changed; without a name, all of them",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would run, and why, and run nothing"
    )
    parser.add_argument(
        "--picture",
        metavar="OUT",
        dest="output",
        help="draw the steps and how they went: .svg, or .dot for graphviz",
    )
    parser.add_argument("--show", metavar="STEP", help="print what a step printed when it last ran")


def run(arguments: argparse.Namespace) -> int:
    """Run what has to run, and show how it went; the exit code says whether all is as expected."""
    from ltstool.pipeline.execution import execute
    from ltstool.pipeline.reader import read
    from ltstool.pipeline.records import Records
    from ltstool.pipeline.report import as_json, line, table, told

    if arguments.max_memory is not None:
        raise LtsError("--max-memory is for the commands of steps, each of which is a process")
    pipeline = read(arguments.file)
    kind = format_of(arguments.output, FORMATS, "svg")
    records = Records(pipeline)
    force = arguments.force
    if force is not None:
        force = [] if "" in force else force
    for name in [*arguments.only, *(force or [])]:
        _check(pipeline, name)
    if arguments.show is not None:
        return _show(records, pipeline.step(arguments.show))
    if arguments.dry_run:
        return _plan(arguments, pipeline, records, force)

    def begins(step: Step) -> None:
        if not arguments.quiet and sys.stderr.isatty():
            show_line(f"{step.name} ..")

    def ends(outcome: Outcome) -> None:
        if arguments.quiet:
            return
        if sys.stderr.isatty():
            show_line()
        print(line(outcome), file=sys.stderr, flush=True)
        for text in told(records, outcome):
            print(text, file=sys.stderr)

    with records.locked():
        records.keep_only(pipeline.steps)
        outcomes = execute(
            pipeline, records, only=arguments.only, force=force, begins=begins, ends=ends
        )
        if arguments.output is not None:
            _draw(arguments, pipeline, outcomes, kind)
        if arguments.json:
            print(json.dumps(as_json(pipeline, outcomes), indent=2))
        elif not is_standard(arguments.output) or arguments.output is None:
            print("\n".join(table(pipeline, records, outcomes)))
    # What is a defect, or wrong use, comes before a limit, and that before a no.
    codes = {outcome.code for outcome in outcomes}
    return next((code for code in (70, 2, 3, 1) if code in codes), 0)


def _check(pipeline: Pipeline, name: str) -> None:
    """Refuse a name that no step has, and none of several."""
    if not any(step.name.partition("[")[0] == name for step in pipeline.steps):
        pipeline.step(name)


def _show(records: Records, step: Step) -> int:
    printed = records.streams(step)[0]
    if records.get(step) is None or not printed.is_file():
        raise LtsError(f"step `{step.name}` has not run")
    with open_output(None) as out:
        out.write(printed.read_bytes())
    return 0


def _plan(
    arguments: argparse.Namespace, pipeline: Pipeline, records: Records, force: list[str] | None
) -> int:
    from ltstool.pipeline.execution import plan

    found = plan(pipeline, records, arguments.only, force)
    if arguments.json:
        steps = [{"name": s.name, "runs": bool(why), "because": why or None} for s, why in found]
        print(json.dumps({"pipeline": str(pipeline.file), "steps": steps}, indent=2))
        return 0
    width = max(len(step.name) for step, _ in found)
    for step, why in found:
        print(f"{step.name.ljust(width)}  {f'runs: {why}' if why else 'kept'}")
    return 0


def _draw(
    arguments: argparse.Namespace, pipeline: Pipeline, outcomes: list[Outcome], kind: str
) -> None:
    from ltstool.pipeline import picture

    drawn = picture.dot if kind == "dot" else picture.svg
    with open_output(arguments.output) as out:
        out.write(drawn(pipeline, outcomes))

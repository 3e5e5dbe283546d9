"""Explorations on the command line: options, files, searches, and what is told in the end."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from lts.base.escaping import one_line
from lts.errors import LtsError
from lts.formats.names import named
from lts.system import unmatched
from ltstool.shared.files import is_standard, open_output, write_lts
from ltstool.shared.numbers import number_or_all
from ltstool.shared.options import hide, remark, remark_absent
from ltstool.shared.specifications import remark_normal_forms
from ltstool.shared.traces import write_traces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lts.state_space import Goals, Output
    from lts.state_space.generation import Generation, Statistics, Trace


def add_verbose(parser: argparse.ArgumentParser) -> None:
    """Add `-v`: `arguments.verbose`."""
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="say in the end what it took, on standard error",
    )


def add_partial(limits: argparse._ActionsContainer) -> None:
    """Add `--partial`."""
    limits.add_argument(
        "--partial",
        action="store_true",
        help="write what was found until it stopped, marked unfinished (readers: --salvage)",
    )


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add `--deadlocks`, `--find`, `--traces` and `--trace`."""
    search = parser.add_argument_group(
        "search",
        "shortest traces; exit code 0 if there are some, 1 if not. No transitions are written "
        "unless -o says where",
    )
    search.add_argument("--deadlocks", action="store_true", help="find states without transitions")
    search.add_argument(
        "--find",
        metavar="ACTION",
        action="append",
        default=[],
        help="find an action, by its name, as a whole label, or as a pattern with * and ?",
    )
    search.add_argument(
        "--traces",
        metavar="N",
        type=number_or_all,
        default=1,
        help="stop when so many are found, or never: `all` (default: 1)",
    )
    search.add_argument(
        "--trace",
        metavar="FILE",
        help="write the trace to a file that `ltstool simulate` replays; several are numbered",
    )


def check_outputs(arguments: argparse.Namespace, searching: bool, writing: bool) -> None:
    """Refuse two things on standard output, and options that would do nothing."""
    if writing and is_standard(arguments.output) and (arguments.json or searching):
        what = "traces" if searching else "JSON"
        raise LtsError(f"transitions and {what} cannot both go to standard output: say -o FILE")
    if not searching and (arguments.trace is not None or arguments.traces != 1):
        option = "--traces" if arguments.trace is None else "--trace"
        raise LtsError(f"{option} needs something to look for: --deadlocks or --find")


FOUND_AT_START = {"states": 1, "transitions": 0, "levels": 0, "deadlocks": 0}
"""What is known of a system before it is explored, as is told where a limit is passed then."""


@contextmanager
def beginning(arguments: argparse.Namespace) -> Iterator[None]:
    """Write a file with the initial state alone if a limit is passed before the engine begins, and
    with `--partial` what was found is to be written."""
    from ltstool.shared import limits

    try:
        yield
    except BaseException:
        if arguments.partial and limits.passed_at_start():
            _write_start(arguments.output)
        raise


def _write_start(output: str | None) -> None:
    from aut_format import Writer

    kind = named("-" if output is None else output, reading=False)
    if kind.format.name == "aut":
        with _opened(output, packed=kind.packing is not None) as out, Writer(out) as file:
            file.state_count, file.transition_count, file.unfinished = 1, 0, True


def goals(arguments: argparse.Namespace, find: Callable[[str], bool] | None) -> Goals:
    """Return what is looked for."""
    from lts.state_space.settings import Goals

    searching = arguments.deadlocks or find is not None
    enough = arguments.traces if searching else None
    return Goals(deadlocks=arguments.deadlocks, find=find, enough=enough)


def explore(
    arguments: argparse.Namespace, explore: Callable[[Output], Generation], *, writing: bool
) -> Generation:
    """Explore as the arguments say; the file is there in the end if it is whole, or `--partial`."""
    from aut_format import Writer
    from lts.state_space.generation import COLUMNS, NOTHING, Output

    if not writing:
        return explore(NOTHING)
    name = arguments.output
    kind = named("-" if name is None else name, reading=False)
    if kind.format.name != "aut":
        if arguments.partial:
            raise LtsError("--partial is for .aut files, which can say that they are unfinished")
        found = explore(COLUMNS)
        if found.incomplete is None:
            assert found.lts is not None
            write_lts(hide(found.lts, arguments.hide), name)
        return found
    try:
        with _opened(name, packed=kind.packing is not None) as out, Writer(out) as file:
            found = explore(Output(write=file.add_text, hide=arguments.hide))
            file.transition_count = found.statistics.transitions
            file.state_count = found.statistics.states
            file.unfinished = found.incomplete is not None
            file.visible = has_visible_i(arguments, found)
            if file.unfinished and not arguments.partial:
                raise _Unwritten
    except _Unwritten:
        pass
    return found


@contextmanager
def _opened(out: str | None, *, packed: bool) -> Iterator[str | BinaryIO]:
    """Give what an .aut file is written to: its path, where transitions go there as they come."""
    if out is None or is_standard(out):
        yield sys.stdout.buffer
    elif packed:
        with open_output(out, packed=True) as file:
            yield file
    else:
        yield out


class _Unwritten(Exception):
    """The file is not to appear."""


def finish(
    arguments: argparse.Namespace,
    found: Generation,
    *,
    written: bool,
    refuse: Callable[[], NoReturn],
) -> int:
    """Tell what was found and return the exit code; `refuse` raises what a limit comes to."""
    tell(arguments, found, written=written)
    if found.incomplete == "interrupted":
        print(f"ltstool: interrupted; {found.statistics} were found", file=sys.stderr)
        return 130
    if found.incomplete not in (None, "found"):
        refuse()
    if written and found.incomplete == "found" and not arguments.partial:
        remark(arguments, f"{arguments.output} is not written: the search ended before (--partial)")
    searching = arguments.deadlocks or bool(arguments.find)
    return 1 if searching and not found.traces else 0


def tell(arguments: argparse.Namespace, found: Generation, *, written: bool) -> None:
    """Print traces and, where asked for, the statistics; remark on what readers of the file see."""
    if written and found.incomplete is None:
        if has_visible_i(arguments, found):
            remark(
                arguments,
                "the action `i` is not internal here; tools other than ltstool may take it so",
            )
        remark_absent(arguments, found.labels)
    remark_normal_forms(arguments, found.normal_forms)
    names = write_traces(arguments.trace, [trace.steps for trace in found.traces])
    if arguments.json and found.incomplete in (None, "found"):
        print(json.dumps(as_json(found, names)))
    elif not arguments.json:
        searching = arguments.deadlocks or arguments.find
        print_traces(found.traces, none=bool(searching) and not found.incomplete)
    if arguments.verbose:
        print(statistics_shown(found.statistics), file=sys.stderr)


def has_visible_i(arguments: argparse.Namespace, found: Generation) -> bool:
    """Whether a reader would take the action `i` as internal, which it is not."""
    if "i" not in found.labels or "tau" in found.labels:
        return False
    return len(unmatched(arguments.hide, found.labels)) == len(arguments.hide)


def as_json(found: Generation, names: list[str]) -> dict[str, Any]:
    """Return the statistics and the traces for JSON."""
    fields = found.statistics.__slots__
    return {field: getattr(found.statistics, field) for field in fields} | {
        "complete": found.incomplete is None,
        "traces": traces_as_json(found.traces),
        "files": names,
    }


def statistics_shown(statistics: Statistics) -> str:
    """Return what a generation took, in lines."""
    each = statistics.store / statistics.states
    rate = statistics.states / statistics.time if statistics.time else 0
    share = 100 * statistics.rewriting / statistics.time if statistics.time else 0
    return "\n".join(
        [
            f"states       {statistics.states}, {statistics.explored} of them explored",
            f"transitions  {statistics.transitions}",
            f"levels       {statistics.levels}",
            f"deadlocks    {statistics.deadlocks}",
            f"time         {statistics.time:.2f} s, {rate:,.0f} states/s",
            f"rewriting    {share:.0f}%, {statistics.evaluations} local steps",
            f"state store  {statistics.store / 1e6:.1f} MB, {each:.1f} bytes a state",
            f"step tables  {statistics.tables / 1e6:.1f} MB",
            f"memory       {statistics.memory / 1e6:.1f} MB altogether",
        ]
    )


def matcher(patterns: Sequence[str], actions: Collection[str]) -> Callable[[str], bool] | None:
    """Return what says whether a label is looked for; `actions` are the names that there are."""
    if not patterns:
        return None
    from lts.base.regular import Regular, glob, literal

    expressions = []
    for pattern in patterns:
        if len(pattern) > len("(...)"):
            pattern = pattern.removesuffix("(...)")
        if "*" in pattern or "?" in pattern:
            expressions.append(glob(pattern))
            continue
        name = pattern.partition("(")[0]
        if name not in actions and name != "tau":
            raise LtsError(f"there is no action `{name}`")
        arguments = r"(?:\(.*)?" if name == pattern else ""
        expressions.append(Regular(literal(pattern) + arguments))
    return lambda label: any(expression.matches(label) for expression in expressions)


def shown(trace: Trace) -> str:
    """Return a trace for people: what it leads to, and a label a line."""
    steps = f"{len(trace.steps)} step{'' if len(trace.steps) == 1 else 's'}"
    labels = [one_line(step.label) for step in trace.steps]
    first = f"deadlock after {steps}" if trace.deadlock else f"{labels[-1]}, {steps}"
    return "\n".join([first, *(f"  {label}" for label in labels)])


def print_traces(traces: tuple[Trace, ...], *, none: bool) -> None:
    """Print traces; if there is none and it is known that there is `none`, that."""
    for trace in traces:
        print(shown(trace))
    if none and not traces:
        print("none found")


def traces_as_json(traces: tuple[Trace, ...]) -> list[dict[str, Any]]:
    """Return traces for JSON."""
    return [
        {"deadlock": trace.deadlock, "steps": [[s.label, s.choice] for s in trace.steps]}
        for trace in traces
    ]

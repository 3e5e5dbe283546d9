"""`ltstool generate`: from a specification to its state space."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from lts.system import unmatched
from ltstool.shared import limits as command_limits
from ltstool.shared.files import check_format, is_standard
from ltstool.shared.numbers import number_or_all
from ltstool.shared.options import add_hide, add_output, add_threads, remark, remark_absent
from ltstool.shared.progress import generation_progress
from ltstool.shared.specifications import (
    OF_SPECIFICATION,
    add_simplifications,
    add_specification,
    add_symmetry,
    read_specification,
    remark_normal_forms,
    simplifications,
)
from ltstool.shared.systems import add_limits
from ltstool.shared.traces import write_traces
from ltstool.symmetric import quotient
from ltstool.symmetric.reductions import add_strategy, refuse_alone
from ltstool.symmetric.searches import matcher, print_traces, traces_as_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from lts.mucrl import LinearProcess
    from lts.state_space.generation import Generation, Limits, Statistics

HELP = "generate the labelled transition system of a muCRL specification"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `generate` takes."""
    add_specification(parser)
    add_simplifications(parser)
    add_output(parser)
    add_hide(parser)
    add_threads(parser)
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="say in the end what it took, on standard error",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="check every value of states and labels, and remark on all functions that lack "
        "equations",
    )
    limits = parser.add_argument_group("limits", "a run that reaches one ends with exit code 3")
    add_limits(limits)
    limits.add_argument(
        "--partial",
        action="store_true",
        help="write what was found until it stopped, marked unfinished (readers: --salvage)",
    )
    symmetry = parser.add_argument_group(
        "symmetry", "explore one state of each orbit, and prove that the group is one of symmetries"
    )
    add_symmetry(
        symmetry,
        required=False,
        help=f"{OF_SPECIFICATION}; what is written is a reduction, as by `ltstool reduce`",
    )
    symmetry.add_argument(
        "--write-symmetry", metavar="FILE", help="symmetry file that is written (default: OUT.sym)"
    )
    add_strategy(symmetry)
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


def run(arguments: argparse.Namespace) -> int:
    """Generate, write, and tell what was found."""
    from lts.mucrl import linearise, missing_cases
    from lts.state_space.generation import refuse

    searching = arguments.deadlocks or bool(arguments.find)
    check_format(arguments.output)
    if arguments.symmetry is not None:
        return quotient.run(arguments, searching=searching)
    refuse_alone(arguments)
    if arguments.write_symmetry is not None:
        raise LtsError("--write-symmetry needs --symmetry")
    writing = not searching or arguments.output is not None
    specification = read_specification(arguments, arguments.specification)
    check_outputs(arguments, searching, writing)
    if arguments.check:
        for case in missing_cases(specification):
            remark(arguments, f"no equation fits `{case}`")
    process = linearise(specification, simplifications=simplifications(arguments))
    limits = command_limits.of_engine(arguments)
    with (
        generation_progress(arguments) as progress,
        command_limits.looked_at_by_engine(partial=arguments.partial),
    ):
        found = generate(arguments, process, limits, progress, writing)
    tell(arguments, found, written=writing)
    if found.incomplete == "interrupted":
        print(f"ltstool: interrupted; {found.statistics} were found", file=sys.stderr)
        return 130
    if found.incomplete not in (None, "found"):
        refuse(process, found, limits)
    if writing and found.incomplete == "found" and not arguments.partial:
        remark(arguments, f"{arguments.output} is not written: the search ended before (--partial)")
    return 1 if searching and not found.traces else 0


def check_outputs(arguments: argparse.Namespace, searching: bool, writing: bool) -> None:
    """Refuse two things on standard output, and options that would do nothing."""
    if writing and is_standard(arguments.output) and (arguments.json or searching):
        what = "traces" if searching else "JSON"
        raise LtsError(f"transitions and {what} cannot both go to standard output: say -o FILE")
    if arguments.trace is not None and not searching:
        raise LtsError("--trace needs something to look for: --deadlocks or --find")


def generate(
    arguments: argparse.Namespace,
    process: LinearProcess,
    limits: Limits,
    progress: Callable[[Statistics], object] | None,
    writing: bool,
) -> Generation:
    """Explore as the arguments say; the file is there in the end if it is whole, or `--partial`."""
    from aut_format import Writer
    from lts.state_space.generation import explore

    options: dict[str, Any] = {
        "limits": limits,
        "check": arguments.check,
        "threads": arguments.threads,
        "progress": progress,
        "deadlocks": arguments.deadlocks,
        "find": matcher(arguments.find, process),
        "enough": arguments.traces,
    }
    if not writing:
        return explore(process, columns=False, **options)
    out = sys.stdout.buffer if is_standard(arguments.output) else arguments.output
    try:
        with Writer(out) as file:
            found = explore(process, write=file.add_text, hide=arguments.hide, **options)
            file.transition_count = found.statistics.transitions
            file.state_count = found.statistics.states
            file.unfinished = found.incomplete is not None
            file.visible = has_visible_i(arguments, found)
            if file.unfinished and not arguments.partial:
                raise _Unwritten
    except _Unwritten:
        pass
    return found


class _Unwritten(Exception):
    """The file is not to appear."""


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
    hidden = len(unmatched(arguments.hide, found.labels)) < len(arguments.hide)
    return "i" in found.labels and "tau" not in found.labels and not hidden


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

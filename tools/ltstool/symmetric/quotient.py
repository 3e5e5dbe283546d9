"""`generate` and `compose` with `--symmetry`: one state of each orbit, written or searched."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.shared.explorations import goals, matcher, print_traces, traces_as_json
from ltstool.shared.idle import refuse_given
from ltstool.shared.specifications import output_name, remark_normal_forms
from ltstool.shared.traces import write_traces
from ltstool.symmetric.reductions import write
from ltstool.symmetric.subjects import subject

if TYPE_CHECKING:
    from lts.symmetry import Explored

_REFUSED = {
    "hide": "does not go with --symmetry: hide when the reduction is minimised",
    "check": "looks at all states: leave out --symmetry",
    "partial": "writes half a quotient, which proves nothing: leave out --partial",
}


def run(arguments: argparse.Namespace, file: str, *, searching: bool) -> int:
    """Explore the quotient, and write its encoding or tell what was found."""
    from lts.symmetry import encode

    arguments.answers = searching
    refuse_given(arguments, _REFUSED)
    if searching and arguments.output is not None:
        raise LtsError("a search under a symmetry writes no transitions: leave out -o")
    if arguments.trace is not None and not searching:
        raise LtsError("--trace needs something to look for: --deadlocks or --find")
    if arguments.json and not searching:
        raise LtsError("--json tells what a search found: say --deadlocks or --find")
    symmetry_out = None if searching else output_name(arguments.output, arguments.write_symmetry)
    explored = subject(arguments, file)
    if symmetry_out is None:
        _, found = explored.orbits(goals(arguments, matcher(arguments.find, explored.actions)))
        remark_normal_forms(arguments, found.normal_forms)
        tell(arguments, found)
        return 0 if found.traces else 1
    generators, certified = explored.quotient()
    remark_normal_forms(arguments, certified.explored.normal_forms)
    reduction = encode(certified.quotient, generators, kind=explored.kind)
    write(arguments, reduction, symmetry_out)
    if arguments.verbose:
        print(shown(certified.explored), file=sys.stderr)
    return 0


def tell(arguments: argparse.Namespace, explored: Explored) -> None:
    """Print traces and, where asked for, what was explored."""
    names = write_traces(arguments.trace, [trace.steps for trace in explored.traces])
    if arguments.json:
        numbers = {
            name: getattr(explored, name)
            for name in ("orbits", "steps", "states", "transitions", "deadlocks", "order")
        }
        traces = traces_as_json(explored.traces)
        told = {"complete": explored.complete, "traces": traces, "files": names}
        print(json.dumps(numbers | told))
    else:
        print_traces(explored.traces, none=explored.complete)
    if arguments.verbose:
        print(shown(explored), file=sys.stderr)


def shown(explored: Explored) -> str:
    """Return what an exploration has found, in lines."""
    return "\n".join(
        [
            f"group        {explored.known}",
            f"orbits       {explored.orbits}",
            f"states       {explored.states}",
            f"transitions  {explored.transitions}",
            f"deadlocks    {explored.deadlocks}",
            f"orbit store  {explored.store / 1e6:.1f} MB",
        ]
    )

"""`ltstool generate --symmetry`: one state of each orbit, to be written or to be searched."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.shared.explorations import matcher, print_traces, traces_as_json
from ltstool.shared.limits import looked_at_by_engine, of_engine
from ltstool.shared.progress import quotient_progress
from ltstool.shared.specifications import (
    output_name,
    read_specification,
    remark_normal_forms,
    simplifications,
)
from ltstool.shared.traces import write_traces
from ltstool.symmetric.given import explore
from ltstool.symmetric.reductions import write

if TYPE_CHECKING:
    from lts.symmetry import Certified, Explored, Permutation
    from lts.symmetry.data.exploration import Exploration

_REFUSED = {
    "hide": "--hide and --symmetry do not go together: hide when the reduction is minimised",
    "check": "--check looks at all states: leave out --symmetry",
    "partial": "half a quotient proves nothing: leave out --partial",
}


def run(arguments: argparse.Namespace, *, searching: bool) -> int:
    """Explore the quotient, and write its encoding or tell what was found."""
    from lts.mucrl import linearise
    from lts.symmetry import certified_quotient, count_orbits, encode

    arguments.answers = searching
    for option, message in _REFUSED.items():
        if getattr(arguments, option):
            raise LtsError(message)
    if searching and arguments.output is not None:
        raise LtsError("a search under a symmetry writes no transitions: leave out -o")
    if arguments.trace is not None and not searching:
        raise LtsError("--trace needs something to look for: --deadlocks or --find")
    if arguments.json and not searching:
        raise LtsError("--json tells what a search found: say --deadlocks or --find")
    symmetry_out = None if searching else output_name(arguments.output, arguments.write_symmetry)
    specification = read_specification(arguments, arguments.specification)
    process = linearise(specification, simplifications=simplifications(arguments))
    actions = {action.name for action in process.specification.actions}
    limits = of_engine(arguments)
    options = {
        "limits": limits,
        "strategy": arguments.strategy,
        "threads": arguments.threads,
        "proof": arguments.symmetry_proof,
        "sample": arguments.proof_sample,
    }

    def search(generators: Sequence[Permutation]) -> Explored:
        with quotient_progress(arguments) as progress, looked_at_by_engine():
            return count_orbits(
                process,
                generators,
                deadlocks=arguments.deadlocks,
                find=matcher(arguments.find, actions),
                enough=arguments.traces,
                progress=progress,
                **options,
            )

    def generate(generators: Sequence[Permutation]) -> Certified:
        with quotient_progress(arguments) as progress, looked_at_by_engine():
            return certified_quotient(process, generators, progress=progress, **options)

    if symmetry_out is None:
        _, explored = explore(arguments, process, limits, search)
        remark_normal_forms(arguments, explored.normal_forms)
        tell(arguments, explored)
        return 0 if explored.traces else 1
    generators, certified = explore(arguments, process, limits, generate)
    remark_normal_forms(arguments, certified.explored.normal_forms)
    reduction = encode(certified.quotient, generators, kind="sorts")
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


def how_proven(found: Exploration) -> str:
    """Return how a symmetry was proven."""
    if found.proof == "whole":
        return "shown on the whole system, which was generated"
    if found.from_text == found.summands:
        return "proven from the text"
    compared = f"{found.situations} local situations, {found.proving:.2f} s"
    if not found.from_text:
        return f"proven in {compared}"
    known = f"{found.from_text} of {found.summands} summands"
    return f"proven from the text for {known}, and in {compared}"


def shown(explored: Explored) -> str:
    """Return what an exploration has found, in lines."""
    proven = how_proven(explored)
    return "\n".join(
        [
            f"group        of order {explored.order}, "
            + (proven if explored.certified else "not proven: the search ended before"),
            f"orbits       {explored.orbits}",
            f"states       {explored.states}",
            f"transitions  {explored.transitions}",
            f"deadlocks    {explored.deadlocks}",
            f"orbit store  {explored.store / 1e6:.1f} MB",
        ]
    )

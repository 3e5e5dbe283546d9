"""`ltstool generate`: from a specification to its state space."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool import compositional, partitioned
from ltstool.shared import limits as command_limits
from ltstool.shared.explorations import (
    FOUND_AT_START,
    add_partial,
    add_search,
    add_verbose,
    beginning,
    check_outputs,
    explore,
    finish,
    matcher,
)
from ltstool.shared.explorations import (
    goals as wanted,
)
from ltstool.shared.files import check_format
from ltstool.shared.idle import refuse_alone, refuse_given
from ltstool.shared.options import add_hide, add_output, add_threads, remark
from ltstool.shared.progress import generation_progress
from ltstool.shared.specifications import (
    OF_SPECIFICATION,
    add_simplifications,
    add_specification,
    add_symmetry,
    read_specification,
    simplifications,
)
from ltstool.shared.systems import add_limits, split_specification
from ltstool.symmetric import quotient
from ltstool.symmetric.options import add_node_limit, add_strategy, add_symmetry_output

if TYPE_CHECKING:
    from lts.network import Network

HELP = "generate the labelled transition system of a muCRL specification"
EXAMPLES = (
    "generate cases/abp.mcrl -o abp.aut",
    "generate cases/peterson.mcrl --set N=3 --deadlocks --trace stuck.trace",
    "generate cases/peterson.mcrl --symmetry Pid -o reduced.aut",
    "generate cases/abp.mcrl --reduce branching -o least.aut",
    "generate cases/peterson.mcrl --partitions 4 -o peterson.parts",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `generate` takes."""
    add_specification(parser)
    add_simplifications(parser)
    add_output(parser)
    add_hide(parser)
    add_threads(parser)
    add_verbose(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="check every value of states and labels, and remark on all functions that lack "
        "equations",
    )
    limits = parser.add_argument_group("limits", "a run that reaches one ends with exit code 3")
    add_limits(limits)
    add_partial(limits)
    symmetry = parser.add_argument_group(
        "symmetry", "explore one state of each orbit, and prove that the group is one of symmetries"
    )
    add_symmetry(
        symmetry,
        required=False,
        help=f"{OF_SPECIFICATION}; what is written is a reduction, as by `ltstool reduce`",
    )
    add_symmetry_output(symmetry)
    add_strategy(symmetry)
    add_node_limit(symmetry)
    compositional.add_reduction(parser)
    partitioned.add_partitions(parser)
    add_search(parser)
    parser.set_defaults(found_at_start=FOUND_AT_START)


def run(arguments: argparse.Namespace) -> int:
    """Generate, write, and tell what was found."""
    with beginning(arguments):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from lts.mucrl import linearise, missing_cases
    from lts.state_space.generation import explore as engine_explore
    from lts.state_space.generation import refuse

    searching = arguments.deadlocks or bool(arguments.find)
    check_format(arguments.output, only_aut=arguments.symmetry is not None)
    partitioned.refuse_idle(arguments)
    if arguments.reduce is not None:
        return compositional.run(arguments, _network)
    compositional.refuse_alone(arguments)
    if arguments.symmetry is not None:
        return quotient.run(arguments, arguments.specification, searching=searching)
    refuse_alone(arguments)
    writing = not searching or arguments.output is not None
    specification = read_specification(arguments, arguments.specification)
    check_outputs(arguments, searching, writing)
    if arguments.check:
        for case in missing_cases(specification):
            remark(arguments, f"no equation fits `{case}`")
    process = linearise(specification, simplifications=simplifications(arguments))
    goals = wanted(arguments, matcher(arguments.find, {a.name for a in specification.actions}))
    with (
        generation_progress(arguments) as progress,
        command_limits.looked_at_by_engine(partial=arguments.partial),
    ):
        settings = replace(command_limits.settings(arguments, progress), check=arguments.check)
        if partitioned.is_asked(arguments):
            found = partitioned.explore(arguments, process, settings, goals)
        else:
            found = explore(
                arguments,
                lambda output: engine_explore(process, settings, goals, output=output),
                writing=writing,
            )
    return finish(
        arguments,
        found,
        written=writing,
        refuse=lambda: refuse(process, found, settings.limits),
    )


def _network(arguments: argparse.Namespace) -> Network:
    """Return the specification as the network that is reduced."""
    why = (
        "is for the whole system, which --reduce does not build "
        "(`ltstool split` makes a network, for `ltstool compose`)"
    )
    refuse_given(arguments, dict.fromkeys(("symmetry", "find", "trace"), why))

    def joining(name: str, error: LtsError) -> None:
        remark(arguments, f"`{name}` is generated with what it runs in: {error.message}")

    return split_specification(arguments, arguments.specification, joining)

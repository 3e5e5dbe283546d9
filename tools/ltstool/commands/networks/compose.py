"""`ltstool compose`: from a network of components to its state space."""

from __future__ import annotations

import argparse

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
from ltstool.shared.idle import refuse_alone
from ltstool.shared.options import add_hide, add_output, add_tau, add_threads
from ltstool.shared.originals import add_as_such
from ltstool.shared.progress import generation_progress
from ltstool.shared.specifications import add_parameters, add_simplifications, add_symmetry
from ltstool.shared.systems import add_limits, read_network
from ltstool.symmetric import quotient
from ltstool.symmetric.options import add_node_limit, add_strategy, add_symmetry_output
from ltstool.symmetric.subjects import OF_NETWORK

HELP = "compose a network of LTSs, in the notation of CADP's EXP, to the LTS that it is"
EXAMPLES = (
    "compose network.exp -o whole.aut",
    "compose network.exp --reduce branching -o least.aut --verbose",
    "compose network.exp --partitions 4 -o whole.parts",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `compose` takes."""
    parser.add_argument("file", metavar="NETWORK", help="text of a network (.exp)")
    add_output(parser)
    add_hide(parser)
    add_tau(parser, of="components")
    add_as_such(parser)
    add_threads(parser)
    add_verbose(parser)
    compositional.add_reduction(parser)
    partitioned.add_partitions(parser)
    limits = parser.add_argument_group("limits", "a run that reaches one ends with exit code 3")
    add_limits(limits)
    add_partial(limits)
    symmetry = parser.add_argument_group(
        "symmetry", "explore one state of each orbit, under symmetries that the vectors prove"
    )
    add_symmetry(
        symmetry,
        required=False,
        help=f"{OF_NETWORK}; what is written is a reduction, as by `ltstool reduce`",
        identities=False,
    )
    add_symmetry_output(symmetry)
    add_strategy(symmetry)
    add_node_limit(symmetry)
    add_search(parser)
    components = parser.add_argument_group("components that are specifications")
    add_parameters(components)
    add_simplifications(components)
    parser.set_defaults(found_at_start=FOUND_AT_START)


def run(arguments: argparse.Namespace) -> int:
    """Compose, write, and tell what was found."""
    with beginning(arguments):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from lts.network.exploration import explore as engine_explore
    from lts.state_space.generation import refuse

    partitioned.refuse_idle(arguments)
    if arguments.reduce is not None:
        if arguments.symmetry is not None:
            raise LtsError("--symmetry and --reduce are two ways: one at a time")
        return compositional.run(
            arguments, lambda given: read_network(given, given.file, minimising=True)
        )
    compositional.refuse_alone(arguments)
    searching = arguments.deadlocks or bool(arguments.find)
    check_format(arguments.output, only_aut=arguments.symmetry is not None)
    if arguments.symmetry is not None:
        return quotient.run(arguments, arguments.file, searching=searching)
    refuse_alone(arguments)
    writing = not searching or arguments.output is not None
    check_outputs(arguments, searching, writing)
    network = read_network(arguments, arguments.file)
    goals = wanted(arguments, matcher(arguments.find, network.actions))
    with (
        generation_progress(arguments) as progress,
        command_limits.looked_at_by_engine(partial=arguments.partial),
    ):
        settings = command_limits.settings(arguments, progress)
        if partitioned.is_asked(arguments):
            found = partitioned.explore(arguments, network, settings, goals)
        else:
            found = explore(
                arguments,
                lambda output: engine_explore(network, settings, goals, output=output),
                writing=writing,
            )
    return finish(
        arguments, found, written=writing, refuse=lambda: refuse(None, found, settings.limits)
    )

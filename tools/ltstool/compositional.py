"""Compositional minimisation on the command line: what is asked, the plan, and what came of it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from ltstool.shared import limits as command_limits
from ltstool.shared.explorations import (
    check_outputs,
    matcher,
    print_traces,
    traces_as_json,
)
from ltstool.shared.files import check_format, write_lts
from ltstool.shared.idle import refuse_given
from ltstool.shared.options import add_strong, remark_absent
from ltstool.shared.traces import write_traces

if TYPE_CHECKING:
    from collections.abc import Callable

    from lts.network import Network, Reduction
    from lts.network.reduction import Step
    from lts.state_space.generation import Trace

_OF_THE_WHOLE = "is about the states of the whole, which --reduce does not build"
_REFUSED = dict.fromkeys(("deadlocks", "partial", "check"), _OF_THE_WHOLE)


def run(arguments: argparse.Namespace, read: Callable[[argparse.Namespace], Network]) -> int:
    """Compose and minimise in turns, write the result, and tell the plan where it is asked for.

    `read` gives the network.
    """
    from lts.network import reduce
    from lts.network.reduction import parse_order

    refuse_given(arguments, _REFUSED)
    check_format(arguments.output)
    writing = not arguments.find or arguments.output is not None
    check_outputs(arguments, bool(arguments.find), writing)
    order = None if arguments.order is None else parse_order(arguments.order)
    whole = network = read(arguments)
    find = matcher(arguments.find, network.actions)
    if arguments.hide:
        remark_absent(arguments, [vector.result for vector in network.vectors])
        network = network.hide(arguments.hide)
    remark_absent(arguments, [vector.result for vector in network.vectors], "strong")
    limits = command_limits.of_engine(arguments)

    def tell(step: Step) -> None:
        if arguments.verbose and not arguments.json:
            print(shown_step(network, step), file=sys.stderr)

    with command_limits.looked_at_by_engine():
        found = reduce(
            network,
            arguments.reduce,
            order=order,
            strong=arguments.strong,
            limits=limits,
            threads=arguments.threads,
            tell=tell,
        )
        traces = () if find is None else traces_of(whole, found, find, arguments.traces)
    if writing:
        write_lts(found.lts, arguments.output)
    names = write_traces(arguments.trace, [trace.steps for trace in traces])
    if arguments.json:
        told = {"traces": traces_as_json(traces), "files": names} if find else {}
        print(json.dumps(as_json(network, found) | told))
    elif arguments.verbose:
        parts = f"{len(found.steps)} parts, {found.built} of them built"
        print(f"{parts}; the largest had {found.largest} states", file=sys.stderr)
    if not arguments.json:
        print_traces(traces, none=find is not None)
    return 1 if find is not None and not traces else 0


def traces_of(
    network: Network, found: Reduction, find: Callable[[str], bool], most: int | None
) -> tuple[Trace, ...]:
    """Return shortest traces of the minimal system as traces of the network."""
    from lts.network.runs import exact_trace, nearest
    from lts.state_space.generation import Trace

    ways = nearest(found.lts, find, most)
    return tuple(Trace(False, exact_trace(network, found.run(way))) for way in ways)


def shown_step(network: Network, step: Step) -> str:
    """Return a step for people: the components, and the sizes before and after."""
    first = [f"{n + 1}" for n in step.components[:6]]
    more = f" and {len(step.components) - 6} more" if len(step.components) > 6 else ""
    if len(step.components) == 1:
        name = f"{first[0]} ({network.names[step.components[0]]})"
    else:
        name = " ".join(first) + more
    sizes = f"{step.states} states, {step.transitions} transitions"
    least = f"{step.minimal_states} states, {step.minimal_transitions} transitions"
    return f"{name}: {sizes} -> {least}" + (", known" if step.known else "")


def as_json(network: Network, found: Reduction) -> dict[str, Any]:
    """Return the plan and its sizes for JSON; components are counted from 1."""
    return {
        "states": found.lts.state_count,
        "transitions": found.lts.transition_count,
        "largest": found.largest,
        "built": found.built,
        "components": list(network.names),
        "steps": [
            {
                "components": [n + 1 for n in step.components],
                "states": step.states,
                "transitions": step.transitions,
                "minimal_states": step.minimal_states,
                "minimal_transitions": step.minimal_transitions,
                "known": step.known,
            }
            for step in found.steps
        ],
    }


def refuse_alone(arguments: argparse.Namespace) -> None:
    """Refuse what says nothing without `--reduce`."""
    refuse_given(arguments, dict.fromkeys(("order", "strong"), "needs --reduce"))


def add_reduction(parser: argparse.ArgumentParser) -> None:
    """Add `--reduce`, `--order` and `--strong`."""
    reduction = parser.add_argument_group(
        "reduction", "minimise components first, then whatever is put together of them"
    )
    reduction.add_argument(
        "--reduce",
        metavar="EQUIVALENCE",
        help="strong, branching, divergence-preserving-branching or weak: write the minimal LTS",
    )
    reduction.add_argument(
        "--order",
        metavar="ORDER",
        help="what is put together first: components, counted from 1, in nested brackets, such as "
        "`((1 2) (3 4))` (default: smart reduction)",
    )
    add_strong(reduction)

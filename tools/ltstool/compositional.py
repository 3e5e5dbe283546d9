"""Compositional minimisation on the command line: what is asked, the plan, and what came of it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ltstool.fits import refuse_two_results
from ltstool.shared.explorations import matcher, tell_traces
from ltstool.shared.files import check_format, write_lts
from ltstool.shared.reading import remark_absent

if TYPE_CHECKING:
    from collections.abc import Callable

    from lts.network import Network, Reduction
    from lts.network.reduction import Step
    from lts.state_space.generation import Trace
    from ltstool.request import Request

OF_THE_WHOLE: dict[tuple[str, ...], str] = {
    (name, "reduce"): "is about the states of the whole, which --reduce does not build"
    for name in ("deadlocks", "partial", "check")
}
"""What does not go with `--reduce`."""


def run(request: Request, read: Callable[[], Network]) -> int:
    """Compose and minimise in turns, write the result, and tell the plan where it is asked for.

    `read` gives the network.
    """
    from lts.network import reduce
    from lts.network.reduction import parse_order

    check_format(request.output)
    refuse_two_results(request)
    asked = request.composing
    assert asked.reduce is not None
    order = None if asked.nesting is None else parse_order(asked.nesting)
    whole = network = read()
    find = matcher(request.search.find, network.actions)
    remark_absent(request, [vector.result for vector in whole.vectors])
    if request.reading.hide:
        network = whole.hide(request.reading.hide)
    remark_absent(request, [vector.result for vector in network.vectors], strong=True)

    def tell(step: Step) -> None:
        if request.verbose and not request.json:
            print(shown_step(network, step), file=sys.stderr)

    with request.exploration(shown=False) as settings:
        found = reduce(
            network,
            asked.reduce,
            order=order,
            strong=asked.strong,
            limits=settings.limits,
            threads=settings.threads,
            tell=tell,
        )
        traces = () if find is None else traces_of(whole, found, find, request.search.traces)
    if request.writes:
        write_lts(request, found.lts, request.output)
    if request.verbose and not request.json:
        parts = f"{len(found.steps)} parts, {found.built} of them built"
        print(f"{parts}; the largest had {found.largest} states", file=sys.stderr)
    facts = as_json(network, found)
    if find is None:
        request.written(**facts)
    else:
        tell_traces(request, traces, facts, none=True)
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
            {**asdict(step), "components": [n + 1 for n in step.components]} for step in found.steps
        ],
    }

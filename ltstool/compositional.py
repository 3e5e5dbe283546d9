"""Compositional minimisation on the command line: the request, the plan, and the result."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lts.network.network import TAU
from ltstool.options import table
from ltstool.options.applicability import refuse_two_results
from ltstool.shared.explorations import matcher, report_traces
from ltstool.shared.files import check_format, formula_file, text_of, write_lts
from ltstool.shared.reading import remark_absent
from ltstool.shared.shown import plural, unknown_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from lts.network import Network, Reduction
    from lts.network.reduction import MergeStep
    from lts.state_space.generation import Trace
    from ltstool.options.request import Request

OF_THE_WHOLE: dict[tuple[str, ...], str] = {
    ("reduce", "preserve"): "and --preserve exclude each other: both choose the equivalence",
    **{
        (
            name,
            "preserve",
        ): "may search for a label that is hidden: use `ltstool check` for evidence"
        for name in table.ACTION_GOALS
    },
    **{
        (name, how): f"needs the states of the whole system, which --{how} does not build"
        for how in ("reduce", "preserve")
        for name in ("deadlocks", "divergence", "partial", "check")
    },
}
"""Options that cannot be combined with `--reduce` and `--preserve`."""


def run(request: Request, read: Callable[[], Network]) -> int:
    """Compose and minimise in turns, write the result, and report the plan on request.

    `read` returns the network.
    """
    from lts.network import reduce
    from lts.network.reduction import parse_order

    check_format(request.output)
    refuse_two_results(request)
    options = request.composing
    order = "smart" if options.nesting is None else parse_order(options.nesting)
    whole = network = read()
    find = matcher(request.search, network.actions)
    remark_absent(request, [vector.result for vector in whole.vectors])
    if request.reading.hide:
        network = whole.hide(request.reading.hide)
    remark_absent(request, [vector.result for vector in network.vectors], strong=True)

    def report(step: MergeStep) -> None:
        if request.verbose and not request.json:
            print(shown_step(network, step), file=sys.stderr)

    facts: dict[str, Any] = {}
    with request.phase("composing"), request.exploration(shown=False) as settings:
        if options.reduce is not None:
            found = reduce(
                network,
                options.reduce,
                order=order,
                strong=options.strong,
                limits=settings.limits,
                threads=settings.threads,
                report=report,
            )
        else:
            how: dict[str, Any] = {"settings": settings, "order": order, "report": report}
            found, facts = reduced_for(request, network, how)
        traces = () if find is None else traces_of(whole, found, find, request.search.traces)
    if request.writes:
        write_lts(request, found.lts, request.output)
    if request.verbose and not request.json:
        parts = f"{plural(len(found.steps), 'part')}, {found.built} of them built"
        time = f"{found.minimising:.1f} s of minimisation"
        print(f"{parts}; the largest had {found.largest} states; {time}", file=sys.stderr)
    facts |= as_json(network, found)
    if find is None:
        request.written(**facts)
    else:
        report_traces(request, traces, facts, none=True)
    return 1 if find is not None and not traces else 0


def reduced_for(
    request: Request, network: Network, how: dict[str, Any]
) -> tuple[Reduction, dict[str, Any]]:
    """Minimise for the formula of `--preserve`; also return what was hidden, and the equivalence
    used."""
    from lts.logic.networks import reduce_for

    formula = request.composing.preserve
    assert formula is not None
    file = formula_file(formula)
    text = formula if file is None else text_of(file)
    left = reduce_for(network, text, file="formula" if file is None else file, **how)
    labels = dict.fromkeys(vector.result for vector in network.vectors)
    for action in left.unknown:
        request.warn(unknown_action(action, labels, (TAU,), labels))
    strong = f", {len(left.strong)} matched strongly" if left.strong else ""
    request.note(f"reduced modulo {left.named}; {left.hidden} labels hidden{strong}")
    facts_of_left = {
        "equivalence": left.equivalence,
        "strong": sorted(left.strong),
        "hidden": left.hidden,
    }
    return left.reduction, facts_of_left


def traces_of(
    network: Network, found: Reduction, find: Callable[[str], bool], most: int | None
) -> tuple[Trace, ...]:
    """Return shortest traces of the minimal system, translated into traces of the network."""
    from lts.network.runs import exact_trace, nearest
    from lts.state_space.generation import Trace

    traces = nearest(found.lts, find, most)
    return tuple(Trace(False, exact_trace(network, found.run(trace))) for trace in traces)


def shown_step(network: Network, step: MergeStep) -> str:
    """Describe a step: the components, and the sizes before and after."""
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
    """Return the plan with its sizes for JSON; components are counted from 1."""
    return {
        "states": found.lts.state_count,
        "transitions": found.lts.transition_count,
        "largest": found.largest,
        "built": found.built,
        "minimising": found.minimising,
        "components": list(network.names),
        "steps": [
            {**asdict(step), "components": [n + 1 for n in step.components]} for step in found.steps
        ],
    }

"""Summands that need a control state which is never reached."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from lts.linear.process import LinearProcess
from lts.linear.simplify.control_states import control_states, sources_of, targets_of
from lts.specification.specification import Term

__all__ = ["without_unreachable"]


def without_unreachable(process: LinearProcess) -> LinearProcess:
    """Drop the summands that need a control state which is never reached.

    Each component is looked at alone: it reaches what a summand leads to whose control states can
    each be reached.
    """
    controls = control_states(process)
    reached: set[tuple[int, Term]] = set()
    waiting = [
        (parameter.component, term)
        for parameter, term in zip(process.parameters, process.initial, strict=True)
        if parameter.variable in controls
    ]
    missing: list[int] = []
    needing: dict[tuple[int, Term], list[int]] = defaultdict(list)
    possible: list[int] = []
    for number, summand in enumerate(process.summands):
        sources = sources_of(summand, controls)
        missing.append(len(sources))
        if not sources:
            possible.append(number)
        for source in sources.items():
            needing[source].append(number)
    kept: set[int] = set()
    while waiting or possible:
        while possible:
            number = possible.pop()
            kept.add(number)
            waiting += targets_of(process, process.summands[number], controls).items()
        if waiting:
            state = waiting.pop()
            if state not in reached:
                reached.add(state)
                for number in needing[state]:
                    missing[number] -= 1
                    if not missing[number]:
                        possible.append(number)
    if len(kept) == len(process.summands):
        return process
    remarks = [
        f"summand `{s.action or 'tau'}` ({process.where(s)}) is dropped: it needs control states "
        "that are never reached"
        for number, s in enumerate(process.summands)
        if number not in kept
    ]
    summands = [s for number, s in enumerate(process.summands) if number in kept]
    return replace(process, summands=tuple(summands), remarks=(*process.remarks, *remarks))

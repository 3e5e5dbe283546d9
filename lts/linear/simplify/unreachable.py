"""Summands that need a control state which is never reached."""

from __future__ import annotations

from dataclasses import replace

from lts.linear.control_flow import control_states, possible
from lts.linear.process import LinearProcess

__all__ = ["without_unreachable"]


def without_unreachable(process: LinearProcess) -> LinearProcess:
    """Drop the summands that need a control state which is never reached."""
    controls = control_states(process)
    initial = [
        (parameter.component, term)
        for parameter, term in zip(process.parameters, process.initial, strict=True)
        if parameter.variable in controls
    ]
    kept = possible(process.parameters, controls, initial, process.summands)
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

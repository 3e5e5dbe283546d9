"""Removes summands that require an unreachable control state."""

from __future__ import annotations

from dataclasses import replace

from lts.linear.control_flow import control_states, never_together, possible
from lts.linear.process import LinearProcess

__all__ = ["without_unreachable"]


def without_unreachable(process: LinearProcess) -> LinearProcess:
    """Remove the summands that require an unreachable control state."""
    controls = control_states(process)
    initial = {
        parameter.component: term
        for parameter, term in zip(process.parameters, process.initial, strict=True)
        if parameter.variable in controls
    }
    summands, remarks = process.summands, list(process.remarks)

    def keep(remaining: set[int], why: str) -> None:
        nonlocal summands
        remarks.extend(
            f"summand `{s.action or 'tau'}` ({process.where(s)}) is removed: it needs control "
            f"states that are never reached{why}"
            for number, s in enumerate(summands)
            if number not in remaining
        )
        summands = tuple(s for number, s in enumerate(summands) if number in remaining)

    keep(possible(process.parameters, controls, initial.items(), summands), "")
    before = len(summands)
    apart = never_together(process.parameters, controls, initial, summands)
    keep(set(range(before)) - apart, " at once")
    if apart:
        keep(possible(process.parameters, controls, initial.items(), summands), "")
    if len(summands) == len(process.summands):
        return process
    return replace(process, summands=summands, remarks=tuple(remarks))

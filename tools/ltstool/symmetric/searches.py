"""Searches while states are generated: what is looked for, and the traces that are found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lts.mucrl import LinearProcess
    from lts.state_space.generation import Trace


def matcher(patterns: list[str], process: LinearProcess) -> Callable[[str], bool] | None:
    """Return what says whether a label is looked for."""
    if not patterns:
        return None
    known = {action.name for action in process.specification.actions} | {"tau"}
    expressions = []
    for pattern in patterns:
        if "*" in pattern or "?" in pattern:
            regular = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
            expressions.append(regular)
            continue
        name = pattern.partition("(")[0]
        if name not in known:
            raise LtsError(f"the specification has no action `{name}`")
        expressions.append(re.escape(pattern) + (r"(\(.*)?" if name == pattern else ""))
    return lambda label: any(re.fullmatch(e, label, re.DOTALL) for e in expressions)


def shown(trace: Trace) -> str:
    """Return a trace for people: what it leads to, and a label a line."""
    steps = f"{len(trace.steps)} step{'' if len(trace.steps) == 1 else 's'}"
    first = f"deadlock after {steps}" if trace.deadlock else f"{trace.steps[-1].label}, {steps}"
    return "\n".join([first, *(f"  {step.label}" for step in trace.steps)])


def print_traces(traces: tuple[Trace, ...], *, none: bool) -> None:
    """Print traces; if there is none and it is known that there is `none`, that."""
    for trace in traces:
        print(shown(trace))
    if none and not traces:
        print("none found")


def traces_as_json(traces: tuple[Trace, ...]) -> list[dict[str, Any]]:
    """Return traces for JSON."""
    return [
        {"deadlock": trace.deadlock, "steps": [[s.label, s.choice] for s in trace.steps]}
        for trace in traces
    ]

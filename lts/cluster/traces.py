"""Shortest traces to goals, built backwards step by step: the owner of a state knows its
predecessor."""

from __future__ import annotations

from typing import TypeVar

from lts.cluster.levels import Goal
from lts.cluster.transport import Transport
from lts.cluster.worker import Key
from lts.state_space.generation import Trace
from lts.trace import TraceStep

__all__ = ["trace_to"]

_NOWHERE = 2**64 - 1


def trace_to(workers: Transport, goal: Goal) -> Trace:
    """Return the trace that a breadth-first search on one machine finds."""
    keys: list[Key] = [] if goal.deadlock else [goal.key]
    state = goal.key[0]
    while True:
        key = _known(workers.call_all("parent", state))
        state = key[0]
        if state == _NOWHERE:
            break
        keys.append(key)
    steps = [_known(workers.call_all("step", key)) for key in reversed(keys)]
    shown = [TraceStep(text.decode("utf-8", "surrogateescape"), choice) for text, choice in steps]
    return Trace(goal.deadlock, tuple(shown))


_T = TypeVar("_T")


def _known(answers: list[_T | None]) -> _T:
    """Return the answer of the only worker that has one."""
    (answer,) = (answer for answer in answers if answer is not None)
    return answer

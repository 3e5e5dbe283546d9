"""Traversal of processes."""

from __future__ import annotations

from collections.abc import Iterator

from lts.specification import processes as typed
from lts.specification.processes import Process
from lts.specification.terms import Term

__all__ = ["parts_of", "processes_in", "terms_in"]


def parts_of(process: Process) -> tuple[Process, ...]:
    """Return the direct parts of a process."""
    match process:
        case typed.MultiAction(actions):
            return actions
        case typed.Sequence(first, second) | typed.LeftMerge(first, second):
            return first, second
        case typed.Choice(parts) | typed.Parallel(parts) | typed.Communication(parts):
            return parts
        case typed.Condition(then, _, otherwise):
            return then, otherwise
        case (
            typed.Encap(_, body) | typed.Allow(_, body) | typed.Comm(_, body)
            | typed.Hide(_, body) | typed.Rename(_, body) | typed.Sum(_, body)
        ):  # fmt: skip
            return (body,)
    return ()


def processes_in(process: Process) -> Iterator[Process]:
    """Yield a process and all its parts."""
    waiting = [process]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += parts_of(part)


def terms_in(process: Process) -> Iterator[Term]:
    """Yield the data terms of a process, without those of its parts."""
    for part in processes_in(process):
        match part:
            case typed.Action() | typed.Call():
                yield from part.arguments
            case typed.Condition():
                yield part.condition

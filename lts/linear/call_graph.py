"""The call graph: which recursive calls are not tail calls, so that a stack of calls can grow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from lts.specification.specification import (
    Action,
    Allow,
    Call,
    Choice,
    Comm,
    Communication,
    Condition,
    Delta,
    Encap,
    Hide,
    LeftMerge,
    MultiAction,
    Parallel,
    Process,
    ProcessName,
    Rename,
    Sequence,
    Specification,
    Sum,
    Tau,
)
from lts.system.components import strong_components

__all__ = ["Recursion"]


class Recursion:
    """The call graph of a specification."""

    def __init__(self, specification: Specification) -> None:
        self._bodies = {name: body for name, (_, body) in specification.definitions.items()}
        self._calls = {name: dict(_calls(body)) for name, body in self._bodies.items()}
        component: dict[ProcessName, int] = {}
        for number, members in enumerate(strong_components(self._calls)):
            component.update(dict.fromkeys(members, number))
        deep = {
            component[name]
            for name, calls in self._calls.items()
            for other, last in calls.items()
            if not last and component[name] == component[other]
        }
        self.growing = frozenset(name for name, number in component.items() if number in deep)
        """Processes that can call themselves with something left to do afterwards."""

    def grows(self, processes: Iterable[Process]) -> bool:
        """Whether one of the processes can reach a call of a growing process."""
        waiting = [name for process in processes for name, _ in _calls(process)]
        seen = set(waiting)
        while waiting:
            name = waiting.pop()
            if name in self.growing:
                return True
            fresh = self._calls[name].keys() - seen
            seen |= fresh
            waiting += fresh
        return False

    def is_endless(self, name: ProcessName) -> bool:
        """Whether a process can grow but never terminate; what follows it is then dropped."""
        return name in self._endless

    @cached_property
    def _endless(self) -> frozenset[ProcessName]:
        ending: set[ProcessName] = set()
        while True:
            more = {
                n
                for n, body in self._bodies.items()
                if n not in ending and _can_terminate(body, ending)
            }
            if not more:
                return self.growing - ending
            ending |= more


def _calls(process: Process) -> Iterator[tuple[ProcessName, bool]]:
    """Yield the calls in a process, each with whether it is a tail call."""
    found: dict[ProcessName, bool] = {}
    waiting = [(process, True)]
    while waiting:
        current, last = waiting.pop()
        match current:
            case Call(name):
                found[name] = found.get(name, True) and last
            case Sequence(first, second):
                waiting += [(second, last), (first, False)]
            case LeftMerge(first, second):
                waiting += [(second, last), (first, last)]
            case Choice(parts) | Parallel(parts) | Communication(parts):
                waiting += [(part, last) for part in parts]
            case Condition(then, _, otherwise):
                waiting += [(otherwise, last), (then, last)]
            case Sum(_, body) | Allow(_, body) | Comm(_, body):
                waiting.append((body, last))
            case Encap(_, body) | Hide(_, body) | Rename(_, body):
                waiting.append((body, last))
    yield from found.items()


def _can_terminate(process: Process, ending: set[ProcessName]) -> bool:
    """Whether a process can terminate, provided that the processes in `ending` can."""
    match process:
        case Delta():
            return False
        case Action() | MultiAction() | Tau():
            return True
        case Call(name):
            return name in ending
        case Sequence(first, second) | LeftMerge(first, second):
            return _can_terminate(first, ending) and _can_terminate(second, ending)
        case Choice(parts):
            return any(_can_terminate(part, ending) for part in parts)
        case Parallel(parts) | Communication(parts):
            return all(_can_terminate(part, ending) for part in parts)
        case Condition(then, _, otherwise):
            return _can_terminate(then, ending) or _can_terminate(otherwise, ending)
        case Sum(_, body) | Allow(_, body) | Comm(_, body):
            return _can_terminate(body, ending)
        case Encap(_, body) | Hide(_, body) | Rename(_, body):
            return _can_terminate(body, ending)

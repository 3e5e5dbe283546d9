"""Hash consing of processes: equal processes are one object, compared in constant time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lts.specification.specification import (
    Action,
    Allow,
    Call,
    Choice,
    Comm,
    Communication,
    Condition,
    Encap,
    Hide,
    LeftMerge,
    MultiAction,
    Parallel,
    Process,
    Rename,
    Sequence,
    Sum,
    Term,
    Variable,
    instantiate,
    variables_of,
)

__all__ = ["ProcessTable"]


class ProcessTable:
    """Hash-consed processes: two from one table are equal only if they are the same object."""

    def __init__(self) -> None:
        self._interned: dict[object, Process] = {}
        self._known: dict[int, Process] = {}
        self._alive: list[Process] = []
        """Keeps processes alive, since the keys of `_known` contain their identities."""
        self._free: dict[int, tuple[Variable, ...]] = {}
        self._instances: dict[tuple[int, tuple[tuple[Variable, Term], ...]], Process] = {}

    def intern(self, process: Process) -> Process:
        """Return the interned process equal to this one; known parts are not visited again."""
        known = self._known.get(id(process))
        if known is not None:
            return known
        waiting = [process]
        while waiting:
            current = waiting[-1]
            missing = [p for p in _parts(current) if id(p) not in self._known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            self.add(current)
        return self._known[id(process)]

    def add(self, process: Process) -> None:
        """Intern a process whose parts are in the table."""
        parts = tuple(self._known[id(part)] for part in _parts(process))
        own = _own(process)
        key = (type(process), own, tuple(map(id, parts)))
        interned = self._interned.get(key)
        if interned is None:
            interned = _rebuilt(process, parts)
            self._interned[key] = interned
            self._known[id(interned)] = interned
            self._free[id(interned)] = self._find_free(process, parts)
        self._known[id(process)] = interned
        self._alive.append(process)

    def _find_free(self, process: Process, parts: tuple[Process, ...]) -> tuple[Variable, ...]:
        found: dict[Variable, None] = {}
        match process:
            case Action() | Call():
                for term in process.arguments:
                    found.update(dict.fromkeys(variables_of(term)))
            case Condition():
                found.update(dict.fromkeys(variables_of(process.condition)))
        for part in parts:
            found.update(dict.fromkeys(self._free[id(part)]))
        if isinstance(process, Sum):
            found.pop(process.variable, None)
        return tuple(found)

    def free(self, process: Process) -> tuple[Variable, ...]:
        """Return the free variables of a process, in order of their first occurrence."""
        return self._free[id(self.intern(process))]

    def instance(self, process: Process, values: Mapping[Variable, Term]) -> Process:
        """Return the interned process that results from substituting terms for free variables."""
        changed = tuple((v, term) for v, term in values.items() if v != term)
        interned = self.intern(process)
        if not changed:
            return interned
        key = (id(interned), changed)
        if key not in self._instances:
            self._instances[key] = self.intern(instantiate(interned, values))
        return self._instances[key]


def _parts(process: Process) -> tuple[Process, ...]:
    match process:
        case Sequence() | LeftMerge():
            return (process.first, process.second)
        case Choice():
            return process.alternatives
        case Condition():
            return (process.then, process.otherwise)
        case Parallel() | Communication():
            return process.processes
        case MultiAction():
            return process.actions
        case Sum() | Allow() | Comm() | Encap() | Hide() | Rename():
            return (process.body,)
    return ()


def _own(process: Process) -> object:
    """Return what distinguishes a process from others of its kind with the same parts."""
    match process:
        case Action():
            return process.action, process.arguments
        case Call():
            return process.process, process.arguments
        case Condition():
            return process.condition
        case Sum():
            return process.variable
        case Encap() | Hide():
            return process.actions
        case Allow():
            return process.names
        case Comm() | Rename():
            return process.pairs
    return None


def _rebuilt(process: Process, parts: tuple[Process, ...]) -> Process:
    """Return a process with its parts replaced by equal ones."""
    if all(one is other for one, other in zip(_parts(process), parts, strict=True)):
        return process
    match process:
        case Sequence():
            return Sequence(parts[0], parts[1])
        case LeftMerge():
            return LeftMerge(parts[0], parts[1], process.place)
        case Choice():
            return Choice(parts)
        case Condition():
            return Condition(parts[0], process.condition, parts[1], process.place)
        case Parallel():
            return Parallel(parts, process.place)
        case Communication():
            return Communication(parts, process.place)
        case MultiAction():
            return MultiAction(tuple(part for part in parts if isinstance(part, Action)))
        case Sum() | Allow() | Comm() | Encap() | Hide() | Rename():
            return replace(process, body=parts[0])
    return process

"""Processes as data classes, and their variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lts.specification.generators import Recursion, run
from lts.specification.terms import Term, Variable, substitute, variables_of
from lts.text.source import Place

__all__ = [
    "DELTA",
    "Action",
    "ActionName",
    "Allow",
    "Call",
    "Choice",
    "Comm",
    "Communication",
    "Condition",
    "Delta",
    "Encap",
    "Hide",
    "LeftMerge",
    "MultiAction",
    "Parallel",
    "Process",
    "ProcessName",
    "Rename",
    "Sequence",
    "Sum",
    "Tau",
    "bound_variables",
    "free_variables",
    "instantiate",
]


@dataclass(frozen=True, slots=True)
class ActionName:
    """An action with its argument sorts."""

    name: str
    sorts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProcessName:
    """A process with its parameter sorts."""

    name: str
    sorts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.sorts)})" if self.sorts else self.name


@dataclass(frozen=True, slots=True)
class Delta:
    """The process that does nothing."""

    def __str__(self) -> str:
        return "delta"


@dataclass(frozen=True, slots=True)
class Tau:
    """The internal action."""

    place: Place = field(default=(1, 1), compare=False)

    def __str__(self) -> str:
        return "tau"


@dataclass(frozen=True, slots=True)
class Action:
    """An action with its arguments."""

    action: ActionName
    arguments: tuple[Term, ...]
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return _applied(self.action.name, self.arguments)


@dataclass(frozen=True, slots=True)
class MultiAction:
    """At least two actions that happen together: `a(1)|b`."""

    actions: tuple[Action, ...]

    def __str__(self) -> str:
        return "|".join(map(str, self.actions))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a named process."""

    process: ProcessName
    arguments: tuple[Term, ...]
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return _applied(self.process.name, self.arguments)


@dataclass(frozen=True, slots=True)
class Sequence:
    """`first . second`, nested to the right: `first` is never itself a sequence."""

    first: Process
    second: Process

    def __str__(self) -> str:
        def part(process: Process) -> str:
            loose = isinstance(process, Choice | Condition | Parallel | LeftMerge | Communication)
            return f"({process})" if loose else str(process)

        return f"{part(self.first)}.{part(self.second)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """`p + q + ..`."""

    alternatives: tuple[Process, ...]

    def __str__(self) -> str:
        return " + ".join(map(str, self.alternatives))


@dataclass(frozen=True, slots=True)
class Condition:
    """`then <| condition |> otherwise`."""

    then: Process
    condition: Term
    otherwise: Process
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return f"({self.then}) <| {self.condition} |> ({self.otherwise})"


@dataclass(frozen=True, slots=True)
class Sum:
    """`sum(variable, body)`: the choice over all values of the variable's sort."""

    variable: Variable
    body: Process

    def __str__(self) -> str:
        return f"sum({self.variable.name}:{self.variable.sort},{self.body})"


@dataclass(frozen=True, slots=True)
class Parallel:
    """`p || q || ..`."""

    processes: tuple[Process, ...]
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return " || ".join(f"({process})" for process in self.processes)


@dataclass(frozen=True, slots=True)
class LeftMerge:
    """`first ||_ second`, where the first step is one of `first`."""

    first: Process
    second: Process
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return f"({self.first}) ||_ ({self.second})"


@dataclass(frozen=True, slots=True)
class Communication:
    """`p | q | ..`, whose first step is a step of all processes at once."""

    processes: tuple[Process, ...]
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return " | ".join(f"({process})" for process in self.processes)


@dataclass(frozen=True, slots=True)
class Encap:
    """`encap(actions, body)`."""

    actions: frozenset[str]
    body: Process
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return f"encap({{{','.join(sorted(self.actions))}}},{self.body})"


@dataclass(frozen=True, slots=True)
class Allow:
    """`allow(names, body)`: only these multi-actions and the internal action may happen.

    Each multi-action is the sorted tuple of its action names, with repetitions.
    """

    names: frozenset[tuple[str, ...]]
    body: Process
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return f"allow({{{','.join(sorted('|'.join(n) for n in self.names))}}},{self.body})"


@dataclass(frozen=True, slots=True)
class Comm:
    """`comm(pairs, body)`: actions of these (sorted) names with equal arguments become one."""

    pairs: tuple[tuple[tuple[str, ...], str], ...]
    body: Process
    place: Place = field(compare=False)

    def __str__(self) -> str:
        pairs = ",".join(f"{'|'.join(names)}->{result}" for names, result in self.pairs)
        return f"comm({{{pairs}}},{self.body})"


@dataclass(frozen=True, slots=True)
class Hide:
    """`hide(actions, body)`."""

    actions: frozenset[str]
    body: Process
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return f"hide({{{','.join(sorted(self.actions))}}},{self.body})"


@dataclass(frozen=True, slots=True)
class Rename:
    """`rename(old -> new, body)`."""

    pairs: tuple[tuple[str, str], ...]
    body: Process
    place: Place = field(compare=False)

    def __str__(self) -> str:
        pairs = ",".join(f"{old}->{new}" for old, new in self.pairs)
        return f"rename({{{pairs}}},{self.body})"


Process = (
    Delta | Tau | Action | MultiAction | Call | Sequence | Choice | Condition | Sum
    | Parallel | LeftMerge | Communication | Allow | Comm | Encap | Hide | Rename
)  # fmt: skip

DELTA = Delta()


def bound_variables(process: Process) -> Iterator[Variable]:
    """Yield the variables of the sums in a process."""
    waiting: list[Process] = [process]
    while waiting:
        current = waiting.pop()
        match current:
            case Sum(variable, body):
                yield variable
                waiting.append(body)
            case Sequence(first, second) | LeftMerge(first, second):
                waiting += [second, first]
            case Condition(then, _, otherwise):
                waiting += [otherwise, then]
            case Choice(parts) | Parallel(parts) | Communication(parts):
                waiting += reversed(parts)
            case Allow(_, body) | Comm(_, body) | Encap(_, body) | Hide(_, body) | Rename(_, body):
                waiting.append(body)


def free_variables(process: Process) -> dict[Variable, None]:
    """Return the free variables of a process, in order of their first occurrence."""
    found: dict[Variable, None] = {}
    bound: dict[Variable, int] = {}
    """How many enclosing sums bind each variable."""
    waiting: list[Process | tuple[Variable, int]] = [process]
    while waiting:
        part = waiting.pop()
        terms: tuple[Term, ...] = ()
        match part:
            case (variable, change):
                bound[variable] = bound.get(variable, 0) + change
            case Action() | Call():
                terms = part.arguments
            case MultiAction():
                terms = tuple(t for action in part.actions for t in action.arguments)
            case Sequence() | LeftMerge():
                waiting += (part.second, part.first)
            case Choice():
                waiting += reversed(part.alternatives)
            case Condition():
                terms = (part.condition,)
                waiting += (part.otherwise, part.then)
            case Sum():
                waiting += ((part.variable, -1), part.body, (part.variable, 1))
            case Parallel() | Communication():
                waiting += reversed(part.processes)
            case Allow() | Comm() | Encap() | Hide() | Rename():
                waiting.append(part.body)
        for term in terms:
            found.update((v, None) for v in variables_of(term) if not bound.get(v))
    return found


def instantiate(process: Process, values: Mapping[Variable, Term]) -> Process:
    """Substitute terms for free variables; bound variables are renamed where they would capture."""
    return run(_instance(process, values))


def _instance(process: Process, values: Mapping[Variable, Term]) -> Recursion[Process]:
    if all(variable == term for variable, term in values.items()):
        return process
    match process:
        case Action(action, arguments, place):
            return Action(action, tuple(substitute(a, values) for a in arguments), place)
        case MultiAction(actions):
            inside = yield _instances(actions, values)
            return MultiAction(tuple(a for a in inside if isinstance(a, Action)))
        case Call(name, arguments, place):
            return Call(name, tuple(substitute(a, values) for a in arguments), place)
        case Sequence(first, second):
            return Sequence((yield _instance(first, values)), (yield _instance(second, values)))
        case Choice(alternatives):
            return Choice((yield _instances(alternatives, values)))
        case Condition(then, condition, otherwise, place):
            branches = yield _instances((then, otherwise), values)
            return Condition(branches[0], substitute(condition, values), branches[1], place)
        case Sum(variable, body):
            outer = {old: new for old, new in values.items() if old != variable}
            used = {v for term in outer.values() for v in variables_of(term)}
            if variable in used:
                taken = {v.name for v in (*used, *free_variables(body))}
                number = 2
                while f"{variable.name}_{number}" in taken:
                    number += 1
                fresh = Variable(f"{variable.name}_{number}", variable.sort)
                outer[variable] = variable = fresh
            return Sum(variable, (yield _instance(body, outer)))
        case Parallel(processes, place):
            return Parallel((yield _instances(processes, values)), place)
        case LeftMerge(first, second, place):
            sides = yield _instances((first, second), values)
            return LeftMerge(sides[0], sides[1], place)
        case Communication(processes, place):
            return Communication((yield _instances(processes, values)), place)
        case Allow(names, body, place):
            return Allow(names, (yield _instance(body, values)), place)
        case Comm(pairs, body, place):
            return Comm(pairs, (yield _instance(body, values)), place)
        case Encap(actions, body, place):
            return Encap(actions, (yield _instance(body, values)), place)
        case Hide(actions, body, place):
            return Hide(actions, (yield _instance(body, values)), place)
        case Rename(pairs, body, place):
            return Rename(pairs, (yield _instance(body, values)), place)
    return process


def _instances(
    processes: tuple[Process, ...], values: Mapping[Variable, Term]
) -> Recursion[tuple[Process, ...]]:
    found = []
    for process in processes:
        found.append((yield _instance(process, values)))
    return tuple(found)


def _applied(name: str, arguments: tuple[Term, ...]) -> str:
    return f"{name}({','.join(map(str, arguments))})" if arguments else name

"""A specification whose static rules hold: every name resolved, every term sorted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lts.mucrl.source import Place, Source

__all__ = [
    "DELTA",
    "TAU",
    "Action",
    "ActionName",
    "Application",
    "Call",
    "Choice",
    "Communication",
    "Condition",
    "Delta",
    "Encap",
    "Function",
    "Hide",
    "LeftMerge",
    "Parallel",
    "Process",
    "ProcessName",
    "Rename",
    "Rule",
    "Sequence",
    "Specification",
    "Sum",
    "Tau",
    "Term",
    "Variable",
    "free_variables",
    "instantiate",
    "substitute",
    "variables_of",
]


@dataclass(frozen=True, slots=True)
class Function:
    """A function symbol: a constructor or a map, told apart from others by its argument sorts."""

    name: str
    arguments: tuple[str, ...]
    sort: str
    constructor: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a sort."""

    name: str
    sort: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Application:
    """A function applied to terms."""

    function: Function
    arguments: tuple[Term, ...] = ()

    @property
    def sort(self) -> str:
        """The sort of the result."""
        return self.function.sort

    def __str__(self) -> str:
        if not self.arguments:
            return self.function.name
        return f"{self.function.name}({','.join(map(str, self.arguments))})"


Term = Variable | Application


@dataclass(frozen=True, slots=True)
class Rule:
    """A rewrite rule `left -> right`."""

    left: Application
    right: Term
    place: Place = field(compare=False)


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
    """The internal step."""

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
class Call:
    """A process called by name."""

    process: ProcessName
    arguments: tuple[Term, ...]
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return _applied(self.process.name, self.arguments)


@dataclass(frozen=True, slots=True)
class Sequence:
    """`first . second`, nested to the right: `first` is no sequence."""

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
    """The choice over all values of the variable's sort."""

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
    """`p | q | ..`, whose first step is one that all do together."""

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
    Delta | Tau | Action | Call | Sequence | Choice | Condition | Sum
    | Parallel | LeftMerge | Communication | Encap | Hide | Rename
)  # fmt: skip

DELTA = Delta()
TAU = Tau()


@dataclass(frozen=True, slots=True)
class Specification:
    """The declarations of a specification and its initial process."""

    source: Source
    sorts: tuple[str, ...]
    functions: tuple[Function, ...]
    rules: tuple[Rule, ...]
    actions: frozenset[ActionName]
    communications: Mapping[frozenset[str], str]
    """For a pair of action names (or one, with itself): the name of what they do together."""
    definitions: Mapping[ProcessName, tuple[tuple[Variable, ...], Process]]
    initial: Process
    parameters: Mapping[str, int]
    """The values of the text's own parameters (`%@ parameter`)."""

    @property
    def true(self) -> Application:
        """The Boolean constant `T`."""
        return Application(Function("T", (), "Bool"))

    @property
    def false(self) -> Application:
        """The Boolean constant `F`."""
        return Application(Function("F", (), "Bool"))


def variables_of(term: Term) -> Iterator[Variable]:
    """Yield the variables of a term, as often as they occur."""
    if isinstance(term, Variable):
        yield term
    else:
        for argument in term.arguments:
            yield from variables_of(argument)


def substitute(term: Term, values: Mapping[Variable, Term]) -> Term:
    """Return the term with variables replaced by their values."""
    if isinstance(term, Variable):
        return values.get(term, term)
    if not term.arguments:
        return term
    arguments = tuple(substitute(argument, values) for argument in term.arguments)
    return term if arguments == term.arguments else Application(term.function, arguments)


def free_variables(process: Process) -> dict[Variable, None]:
    """Return the free variables of a process, in order of their first occurrence."""
    found: dict[Variable, None] = {}
    _collect_free(process, frozenset(), found)
    return found


def _collect_free(
    process: Process, bound: frozenset[Variable], found: dict[Variable, None]
) -> None:
    def read(*terms: Term) -> None:
        found.update((v, None) for term in terms for v in variables_of(term) if v not in bound)

    match process:
        case Action() | Call():
            read(*process.arguments)
        case Sequence() | LeftMerge():
            _collect_free(process.first, bound, found)
            _collect_free(process.second, bound, found)
        case Choice():
            for alternative in process.alternatives:
                _collect_free(alternative, bound, found)
        case Condition():
            read(process.condition)
            _collect_free(process.then, bound, found)
            _collect_free(process.otherwise, bound, found)
        case Sum():
            _collect_free(process.body, bound | {process.variable}, found)
        case Parallel() | Communication():
            for part in process.processes:
                _collect_free(part, bound, found)
        case Encap() | Hide() | Rename():
            _collect_free(process.body, bound, found)


def instantiate(process: Process, values: Mapping[Variable, Term]) -> Process:
    """Return a process with its free variables replaced; sums that would capture are renamed."""
    if all(variable == term for variable, term in values.items()):
        return process
    match process:
        case Action(action, arguments, place):
            return Action(action, tuple(substitute(a, values) for a in arguments), place)
        case Call(name, arguments, place):
            return Call(name, tuple(substitute(a, values) for a in arguments), place)
        case Sequence(first, second):
            return Sequence(instantiate(first, values), instantiate(second, values))
        case Choice(alternatives):
            return Choice(tuple(instantiate(p, values) for p in alternatives))
        case Condition(then, condition, otherwise, place):
            return Condition(
                instantiate(then, values),
                substitute(condition, values),
                instantiate(otherwise, values),
                place,
            )
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
            return Sum(variable, instantiate(body, outer))
        case Parallel(processes, place):
            return Parallel(tuple(instantiate(p, values) for p in processes), place)
        case LeftMerge(first, second, place):
            return LeftMerge(instantiate(first, values), instantiate(second, values), place)
        case Communication(processes, place):
            return Communication(tuple(instantiate(p, values) for p in processes), place)
        case Encap(actions, body, place):
            return Encap(actions, instantiate(body, values), place)
        case Hide(actions, body, place):
            return Hide(actions, instantiate(body, values), place)
        case Rename(pairs, body, place):
            return Rename(pairs, instantiate(body, values), place)
    return process


def _applied(name: str, arguments: tuple[Term, ...]) -> str:
    return f"{name}({','.join(map(str, arguments))})" if arguments else name

"""The syntax of processes and declarations: the tree of a specification as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from lts.mcrl2.text.data_tree import Data, Sort, Variable
from lts.mcrl2.text.tokens import Name
from lts.specification.source import Place, Source

__all__ = [
    "ActionDeclaration", "Allow", "Assignments", "At", "Block", "Call", "Choice", "Comm",
    "Condition", "Definition", "Delta", "Distribution", "Equation", "FunctionDeclaration", "Hide",
    "LeftMerge", "Parallel", "Process", "Rename", "Sequence", "SortDeclaration", "Specification",
    "Sum", "Synchronous", "Tau", "Until", "place_of",
]  # fmt: skip


@dataclass(slots=True, eq=False, repr=False)
class Delta:
    """`delta`, the process that does nothing."""

    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Tau:
    """`tau`, the internal step."""

    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Call:
    """`name` or `name(data, ..)`: an action or a process."""

    name: Name
    arguments: tuple[Data, ...]


@dataclass(slots=True, eq=False, repr=False)
class Assignments:
    """`name(parameter = data, ..)` or `name()`: a process, what is not named stays as it is."""

    name: Name
    assignments: tuple[tuple[Name, Data], ...]


@dataclass(slots=True, eq=False, repr=False)
class Choice:
    """`p + q + ..`."""

    alternatives: tuple[Process, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Sequence:
    """`p . q . ..`."""

    processes: tuple[Process, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Parallel:
    """`p || q || ..`."""

    processes: tuple[Process, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class LeftMerge:
    """`first ||_ second`, where the first step is one of `first`."""

    first: Process
    second: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Synchronous:
    """`p | q | ..`: a multi-action, or processes whose first steps happen together."""

    processes: tuple[Process, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Condition:
    """`condition -> then <> otherwise`."""

    condition: Data
    then: Process
    otherwise: Process | None
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Sum:
    """`sum variable: sort, .. . body`."""

    variables: tuple[Variable, ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Distribution:
    """`dist variable: sort, .. [density] . body`: parsed, so that it can be refused by name."""

    variables: tuple[Variable, ...]
    density: Data
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class At:
    """`process @ time`: parsed, so that it can be refused by name."""

    process: Process
    time: Data
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Until:
    """`first << second`: parsed, so that it can be refused by name."""

    first: Process
    second: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Block:
    """`block({action, ..}, body)`."""

    actions: tuple[Name, ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Hide:
    """`hide({action, ..}, body)`."""

    actions: tuple[Name, ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Allow:
    """`allow({action | .., ..}, body)`."""

    actions: tuple[tuple[Name, ...], ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Comm:
    """`comm({action | .. -> action, ..}, body)`."""

    pairs: tuple[tuple[tuple[Name, ...], Name], ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Rename:
    """`rename({old -> new, ..}, body)`."""

    pairs: tuple[tuple[Name, Name], ...]
    body: Process
    place: Place


Process = (
    Delta | Tau | Call | Assignments | Choice | Sequence | Parallel | LeftMerge | Synchronous
    | Condition | Sum | Distribution | At | Until | Block | Hide | Allow | Comm | Rename
)  # fmt: skip


def place_of(process: Process) -> Place:
    """Return where a process begins, or its operator stands."""
    return process.name.place if isinstance(process, Call | Assignments) else process.place


@dataclass(slots=True, eq=False, repr=False)
class SortDeclaration:
    """`name`, or the alias `name = sort`."""

    name: Name
    sort: Sort | None


@dataclass(slots=True, eq=False, repr=False)
class FunctionDeclaration:
    """`name : sort` under `cons` or `map`."""

    name: Name
    sort: Sort
    constructor: bool


@dataclass(slots=True, eq=False, repr=False)
class Equation:
    """`condition -> left = right`, under the variables of its section."""

    variables: list[Variable]
    condition: Data | None
    left: Data
    right: Data
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class ActionDeclaration:
    """`name : sorts`."""

    name: Name
    sorts: tuple[Sort, ...]


@dataclass(slots=True, eq=False, repr=False)
class Definition:
    """`name(parameters) = body`."""

    name: Name
    parameters: tuple[Variable, ...]
    body: Process


@dataclass(slots=True, eq=False, repr=False)
class Specification:
    """Everything a text declares, in its order; nothing is checked yet."""

    source: Source
    sorts: list[SortDeclaration] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
    globals: list[Variable] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    actions: list[ActionDeclaration] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    initial: list[tuple[Process, Place]] = field(default_factory=list)
    end: Place = (1, 1)

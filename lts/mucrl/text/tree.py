"""The syntax of muCRL: the tree of a specification, as it stands in the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from lts.mucrl.text.tokens import Name
from lts.specification.source import Place, Source

__all__ = [
    "ActionDeclaration",
    "AtTime",
    "Before",
    "Call",
    "Choice",
    "Communication",
    "Condition",
    "Definition",
    "Delta",
    "Encap",
    "Equation",
    "FunctionDeclaration",
    "Hide",
    "LeftMerge",
    "Parallel",
    "Process",
    "Rename",
    "Sequence",
    "Specification",
    "Sum",
    "Synchronous",
    "Tau",
    "Term",
    "VariableDeclaration",
]


@dataclass(slots=True, eq=False, repr=False)
class Term:
    """`name` or `name(term, ..)`: a variable or the application of a function."""

    name: Name
    arguments: tuple[Term, ...] = ()


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
    """`name` or `name(term, ..)`: an action or a process."""

    name: Name
    arguments: tuple[Term, ...]


@dataclass(slots=True, eq=False, repr=False)
class Sequence:
    """`p . q . ..`."""

    processes: tuple[Process, ...]


@dataclass(slots=True, eq=False, repr=False)
class Choice:
    """`p + q + ..`."""

    alternatives: tuple[Process, ...]


@dataclass(slots=True, eq=False, repr=False)
class Condition:
    """`then <| condition |> otherwise`."""

    then: Process
    condition: Term
    otherwise: Process


@dataclass(slots=True, eq=False, repr=False)
class Sum:
    """`sum(variable:sort, body)`, the choice over all values of a sort."""

    variable: Name
    sort: Name
    body: Process


@dataclass(slots=True, eq=False, repr=False)
class Parallel:
    """`p || q || ..`."""

    processes: tuple[Process, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Synchronous:
    """`p | q | ..`, whose first steps communicate."""

    processes: tuple[Process, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class LeftMerge:
    """`first ||_ second`, where the first step is one of `first`."""

    first: Process
    second: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Encap:
    """`encap({action, ..}, body)`, which forbids actions."""

    actions: tuple[Name, ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Hide:
    """`hide({action, ..}, body)`, which makes actions internal."""

    actions: tuple[Name, ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Rename:
    """`rename({old -> new, ..}, body)`."""

    pairs: tuple[tuple[Name, Name], ...]
    body: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class AtTime:
    """`process @ time`: parsed, so that it can be refused by name."""

    process: Process
    time: Term
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Before:
    """`first << second`: parsed, so that it can be refused by name."""

    first: Process
    second: Process
    place: Place


Process = (
    Delta
    | Tau
    | Call
    | Sequence
    | Choice
    | Condition
    | Sum
    | Parallel
    | Synchronous
    | LeftMerge
    | Encap
    | Hide
    | Rename
    | AtTime
    | Before
)


@dataclass(slots=True, eq=False, repr=False)
class FunctionDeclaration:
    """`name : arguments -> sort` under `func` (a constructor) or `map`."""

    name: Name
    arguments: tuple[Name, ...]
    sort: Name
    constructor: bool


@dataclass(slots=True, eq=False, repr=False)
class VariableDeclaration:
    """`name : sort`."""

    name: Name
    sort: Name


@dataclass(slots=True, eq=False, repr=False)
class Equation:
    """`left = right`, under the variables of its section."""

    variables: tuple[VariableDeclaration, ...]
    left: Term
    right: Term


@dataclass(slots=True, eq=False, repr=False)
class ActionDeclaration:
    """`name : arguments`."""

    name: Name
    arguments: tuple[Name, ...]


@dataclass(slots=True, eq=False, repr=False)
class Communication:
    """`first | second = result`."""

    first: Name
    second: Name
    result: Name


@dataclass(slots=True, eq=False, repr=False)
class Definition:
    """`name(parameters) = body`."""

    name: Name
    parameters: tuple[VariableDeclaration, ...]
    body: Process


@dataclass(slots=True, eq=False, repr=False)
class Specification:
    """Everything a text declares, in its order; nothing is checked yet."""

    source: Source
    sorts: list[Name] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    actions: list[ActionDeclaration] = field(default_factory=list)
    communications: list[Communication] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    initial: list[tuple[Process, Place]] = field(default_factory=list)
    end: Place = (1, 1)

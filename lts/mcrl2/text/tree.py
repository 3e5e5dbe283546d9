"""Syntax trees of processes, declarations and whole specifications."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from lts.mcrl2.text.data_tree import Data, Sort, Variable
from lts.text import syntax
from lts.text.names import Name
from lts.text.source import Place, Source
from lts.text.syntax import (
    At,
    Call,
    Choice,
    Delta,
    Encap,
    Hide,
    LeftMerge,
    Parallel,
    Rename,
    Sequence,
    Synchronous,
    Tau,
    Until,
)

__all__ = [
    "ActionDeclaration", "Allow", "Assignments", "At", "Call", "Choice", "Comm",
    "Condition", "Definition", "Delta", "Distribution", "Encap", "Equation", "FunctionDeclaration",
    "Hide", "LeftMerge", "Parallel", "Process", "Rename", "Sequence", "SortDeclaration",
    "Specification", "Sum", "Synchronous", "Tau", "Until",
]  # fmt: skip


@dataclass(slots=True, eq=False, repr=False)
class Assignments:
    """`name(parameter = data, ..)` or `name()`: a call; other parameters retain their values."""

    name: Name
    assignments: tuple[tuple[Name, Data], ...]

    @property
    def place(self) -> Place:
        """The place of the name."""
        return self.name.place


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
    """`dist variable: sort, .. [density] . body`: parsed to be refused with a clear message."""

    variables: tuple[Variable, ...]
    density: Data
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


Process: TypeAlias = (
    Delta | Tau | Call[Data] | Assignments | Choice["Process"] | Sequence["Process"]
    | Parallel["Process"] | LeftMerge["Process"] | Synchronous["Process"] | Condition | Sum
    | Distribution | At["Process", Data] | Until["Process"] | Encap["Process"] | Hide["Process"]
    | Allow | Comm | Rename["Process"]
)  # fmt: skip
"""A process; its place is that of its beginning, or of its operator."""

Definition: TypeAlias = syntax.Definition[Process, Variable]


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
    """`condition -> left = right`, with the variables of the preceding `var` section."""

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
class Specification:
    """All declarations of a text, in order; nothing is checked yet."""

    source: Source
    sorts: list[SortDeclaration] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
    globals: list[Variable] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    actions: list[ActionDeclaration] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    initial: list[tuple[Process, Place]] = field(default_factory=list)
    end: Place = (1, 1)
    ignores_time: bool = False
    """Whether time stamps are ignored."""
    shared: dict[int, tuple[Data, frozenset[str]]] = field(default_factory=dict)
    """By identity, the expressions with several occurrences, with their free variables; none in a
    text."""

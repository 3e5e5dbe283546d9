"""Syntax trees of muCRL specifications, with the places in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

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
    "ActionDeclaration",
    "At",
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
    "Until",
    "VariableDeclaration",
    "inside_out",
]


@dataclass(slots=True, eq=False, repr=False)
class Term:
    """`name` or `name(term, ..)`: a variable or the application of a function."""

    name: Name
    arguments: tuple[Term, ...] = ()


def inside_out(term: Term) -> Iterator[Term]:
    """Yield a term and all its subterms, arguments before the terms that contain them."""
    waiting, parts = [term], []
    while waiting:
        part = waiting.pop()
        parts.append(part)
        waiting.extend(part.arguments)
    return reversed(parts)


@dataclass(slots=True, eq=False, repr=False)
class Condition:
    """`then <| condition |> otherwise`."""

    then: Process
    condition: Term
    otherwise: Process
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Sum:
    """`sum(variable:sort, body)`, the choice over all values of a sort."""

    variable: Name
    sort: Name
    body: Process

    @property
    def place(self) -> Place:
        """The place of the variable."""
        return self.variable.place


Process: TypeAlias = (
    Delta
    | Tau
    | Call[Term]
    | Sequence["Process"]
    | Choice["Process"]
    | Condition
    | Sum
    | Parallel["Process"]
    | Synchronous["Process"]
    | LeftMerge["Process"]
    | Encap["Process"]
    | Hide["Process"]
    | Rename["Process"]
    | At["Process", Term]
    | Until["Process"]
)
"""A process; parentheses are not represented."""


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
    """`left = right`, with the variables of the preceding `var` section."""

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


Definition: TypeAlias = syntax.Definition[Process, VariableDeclaration]


@dataclass(slots=True, eq=False, repr=False)
class Specification:
    """All declarations of a text, in order; nothing is checked yet."""

    source: Source
    sorts: list[Name] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    actions: list[ActionDeclaration] = field(default_factory=list)
    communications: list[Communication] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    initial: list[tuple[Process, Place]] = field(default_factory=list)
    end: Place = (1, 1)

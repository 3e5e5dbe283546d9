"""Syntax trees of the process constructs that muCRL and mCRL2 have in common.

`P` is the type of processes of the language, `D` that of its data terms. Nothing is checked yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from lts.text.names import Name
from lts.text.source import Place

__all__ = [
    "At",
    "Call",
    "Choice",
    "Definition",
    "Delta",
    "Encap",
    "Hide",
    "LeftMerge",
    "Parallel",
    "Rename",
    "Sequence",
    "Synchronous",
    "Tau",
    "Until",
    "flat",
]

P = TypeVar("P")
D = TypeVar("D")
V = TypeVar("V")


@dataclass(slots=True, eq=False, repr=False)
class Delta:
    """`delta`, the process that does nothing."""

    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Tau:
    """`tau`, the internal action."""

    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Call(Generic[D]):
    """`name` or `name(term, ..)`: an action or a process."""

    name: Name
    arguments: tuple[D, ...]

    @property
    def place(self) -> Place:
        """The place of the name."""
        return self.name.place


@dataclass(slots=True, eq=False, repr=False)
class Sequence(Generic[P]):
    """`p . q . ..`."""

    processes: tuple[P, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Choice(Generic[P]):
    """`p + q + ..`."""

    alternatives: tuple[P, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Parallel(Generic[P]):
    """`p || q || ..`."""

    processes: tuple[P, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Synchronous(Generic[P]):
    """`p | q | ..`: a multi-action, or processes that make their first steps together."""

    processes: tuple[P, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class LeftMerge(Generic[P]):
    """`first ||_ second`, where the first step is one of `first`."""

    first: P
    second: P
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Encap(Generic[P]):
    """`encap({action, ..}, body)` or `block({action, ..}, body)`, which blocks actions."""

    actions: tuple[Name, ...]
    body: P
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Hide(Generic[P]):
    """`hide({action, ..}, body)`, which makes actions internal."""

    actions: tuple[Name, ...]
    body: P
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Rename(Generic[P]):
    """`rename({old -> new, ..}, body)`."""

    pairs: tuple[tuple[Name, Name], ...]
    body: P
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class At(Generic[P, D]):
    """`process @ time`: parsed only to be refused with a clear message."""

    process: P
    time: D
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Until(Generic[P]):
    """`first << second`: parsed only to be refused with a clear message."""

    first: P
    second: P
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Definition(Generic[P, V]):
    """`name(parameters) = body`, the parameters with their sorts."""

    name: Name
    parameters: tuple[V, ...]
    body: P


def flat(process: P, kind: type[Sequence[P]] | type[Synchronous[P]]) -> list[P]:
    """Return the operands of nested sequences (or synchronous compositions), in order."""
    waiting = [process]
    parts: list[P] = []
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            waiting.extend(reversed(part.processes))
        else:
            parts.append(part)
    return parts

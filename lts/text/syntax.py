"""The syntax of processes, as far as muCRL and mCRL2 have it in common: trees of the text.

`P` is a process of the language, and `D` a term of its data; nothing is checked yet.
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
    """`tau`, the internal step."""

    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Call(Generic[D]):
    """`name` or `name(term, ..)`: an action or a process."""

    name: Name
    arguments: tuple[D, ...]

    @property
    def place(self) -> Place:
        """Where the name stands."""
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
    """`p | q | ..`: a multi-action, or processes whose first steps happen together."""

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
    """`encap({action, ..}, body)` or `block({action, ..}, body)`, which forbids actions."""

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
    """`process @ time`: parsed, so that it can be refused by name."""

    process: P
    time: D
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Until(Generic[P]):
    """`first << second`: parsed, so that it can be refused by name."""

    first: P
    second: P
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Definition(Generic[P, V]):
    """`name(parameters) = body`, whose parameters are declared with their sorts."""

    name: Name
    parameters: tuple[V, ...]
    body: P


def flat(process: P, kind: type[Sequence[P]] | type[Synchronous[P]]) -> list[P]:
    """Return what is done in sequence, or together, however it is put in parentheses."""
    waiting = [process]
    parts: list[P] = []
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            waiting.extend(reversed(part.processes))
        else:
            parts.append(part)
    return parts

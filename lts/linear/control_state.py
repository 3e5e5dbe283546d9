"""Control states: what remains of a component, and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lts.linear.parallel.relabelling import IDENTITY, Relabelling
from lts.specification.specification import (
    Process,
    Term,
    Variable,
    substitute,
)
from lts.text.source import Place

__all__ = ["Configuration", "Control", "Decision", "Fork", "Guard", "Piece", "Step", "Values"]

Values = Mapping[Variable, Term]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A part of a process body that remains; `process` is one of a pool."""

    process: Process
    relabelling: Relabelling = IDENTITY

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Piece)
            and self.process is other.process
            and self.relabelling == other.relabelling
        )

    def __hash__(self) -> int:
        return hash((id(self.process), self.relabelling))

    def __str__(self) -> str:
        return self.relabelling.around(str(self.process))


@dataclass(frozen=True, slots=True)
class Fork:
    """Processes that run in parallel: how many, and what stands around them."""

    leaves: int
    relabelling: Relabelling
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return self.relabelling.around(" || ".join("_" * self.leaves))


Control = tuple[Piece | Fork, ...]
"""What remains, innermost first; no two pieces have a free variable in common. Only the first can
be a fork. Where calls can grow without end, it is only the first that remains: see `Configuration`.
"""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A control state, the values of its data, and the leaves of its fork if it is one.

    `stack` are the pieces to be done after the control state, innermost first, with their data,
    where they are kept as data because there may be any number of them.
    """

    control: Control
    values: Values
    leaves: tuple[Configuration, ...] = ()
    stack: tuple[tuple[Piece, Values], ...] = ()

    def content(self, names: Values) -> object:
        """Return what tells it from others once variables are replaced."""
        return (
            self.control,
            _content(self.values, names),
            tuple(leaf.content(names) for leaf in self.leaves),
            tuple((piece, _content(values, names)) for piece, values in self.stack),
        )


def _content(values: Values, names: Values) -> object:
    return tuple((variable, substitute(term, names)) for variable, term in values.items())


@dataclass(frozen=True, slots=True)
class Guard:
    """A Boolean term and the value that it must have for a step to be possible."""

    term: Term
    positive: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """A condition that has to be true or false for all values of `variables` that meet `guards`.

    Whatever it decides: also where nothing happens in either case, or nobody lets it.
    """

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    condition: Term
    place: Place


@dataclass(frozen=True, slots=True)
class Step:
    """One way to do an action: for all values of `variables` that meet `guards` and `equations`.

    Terms are over the data of the control state that does the step and over `variables`.
    `action` None is the internal step.
    """

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    equations: tuple[tuple[Term, Term], ...]
    action: str | None
    arguments: tuple[Term, ...]
    after: Configuration
    place: Place

    @property
    def content(self) -> object:
        """What tells it from others: not its place, nor what its variables are called."""
        names: dict[Variable, Term] = {
            v: Variable(f"#{number}", v.sort) for number, v in enumerate(self.variables)
        }
        return (
            tuple(names.values()),
            tuple((substitute(g.term, names), g.positive) for g in self.guards),
            tuple((substitute(a, names), substitute(b, names)) for a, b in self.equations),
            self.action,
            tuple(substitute(term, names) for term in self.arguments),
            self.after.content(names),
        )

"""Control states: the rest of a component's process, and its steps."""

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

__all__ = [
    "Configuration",
    "Control",
    "ControlStep",
    "Decision",
    "Fork",
    "Guard",
    "Residual",
    "Values",
]

Values = Mapping[Variable, Term]


@dataclass(frozen=True, slots=True, eq=False)
class Residual:
    """A part of a process body that is still to be executed; `process` is hash-consed."""

    process: Process
    relabelling: Relabelling = IDENTITY

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Residual)
            and self.process is other.process
            and self.relabelling == other.relabelling
        )

    def __hash__(self) -> int:
        return hash((id(self.process), self.relabelling))

    def __str__(self) -> str:
        return self.relabelling.around(str(self.process))


@dataclass(frozen=True, slots=True)
class Fork:
    """Processes that run in parallel: their number, and the relabelling around them."""

    leaves: int
    relabelling: Relabelling
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return self.relabelling.around(" || ".join("_" * self.leaves))


Control = tuple[Residual | Fork, ...]
"""The rest of a process, innermost first; no two residuals share a free variable. Only the first
item can be a fork. If calls can grow without bound, only the first residual is part of the control
state: see `Configuration`."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A control state with the values of its data and, if it is a fork, the leaves' configurations.

    If the number of residuals has no bound, `stack` has those after the first, innermost first,
    with their data: they are stored as data, not as part of the control state.
    """

    control: Control
    values: Values
    leaves: tuple[Configuration, ...] = ()
    stack: tuple[tuple[Residual, Values], ...] = ()

    def content(self, names: Values) -> object:
        """Return a key that identifies the configuration after replacing variables by `names`."""
        return (
            self.control,
            _content(self.values, names),
            tuple(leaf.content(names) for leaf in self.leaves),
            tuple((residual, _content(values, names)) for residual, values in self.stack),
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
    """A condition that must be true or false for all values of `variables` that satisfy `guards`.

    An undecided condition is an error even where neither branch has a step, or the step is blocked.
    """

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    condition: Term
    place: Place


@dataclass(frozen=True, slots=True)
class ControlStep:
    """A step of a control state: for all `variables` that satisfy `guards` and `equations`.

    Terms are over the data of the source control state and over `variables`. If `action` is None,
    it is an internal step.
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
        """A key that identifies the step up to its place and the names of its variables."""
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

"""What linear processes are put together from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lts.linear.control_state import Configuration, Control, Decision, Guard, Piece, Step
from lts.linear.parallel.relabelling import Relabelling
from lts.linear.process import Parameter, Shape, Summand
from lts.specification.specification import (
    Application,
    Call,
    Process,
    Sequence,
    Term,
    Variable,
)

__all__ = [
    "BLOCKED",
    "TERMINATED",
    "Continuation",
    "Entry",
    "Part",
    "Running",
    "Unfolded",
    "component_name",
    "constrained",
    "entry_of",
    "join_number",
    "pop_number",
    "process_name",
    "relabelled_parts",
    "sorts_of",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """How a component can begin: a configuration without its data.

    `stack` are the pieces that are on its stack at once, `leaves` how the leaves begin if the
    control state is a fork.
    """

    control: Control
    leaves: tuple[Entry, ...] = ()
    stack: tuple[Piece, ...] = ()


@dataclass(slots=True, eq=False)
class Unfolded:
    """A shape with what its components can do, control states numbered from 0.

    `steps` are (from, step, to), where `to` None takes what is next from the stack. `forks` gives
    for each fork what follows it, None being the stack again, and how each of its leaves can begin.
    `popped` says for every frame where taking it from the stack leads.
    """

    shape: Shape
    numbers: dict[Control, int]
    steps: list[tuple[int, Step, int | None]]
    forks: dict[int, tuple[Configuration | None, list[list[Entry]]]]
    popped: list[Configuration]
    decisions: list[tuple[int, Decision]]
    """The conditions that have to be decided in each control state."""


@dataclass(frozen=True, slots=True)
class Part:
    """A summand, and the components that terminate when it happens."""

    summand: Summand
    ends: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Continuation:
    """One way in which a component goes on after a step or a fork."""

    variables: tuple[Variable, ...]
    equations: tuple[tuple[Term, Term], ...]
    updates: list[tuple[int, Term]]
    ends: bool
    note: int | None
    """What to add to the origin of the summand."""


TERMINATED = Configuration((), {})


BLOCKED = -1


def join_number(fork: int) -> int:
    """Return what stands in an origin for the end of a fork."""
    return -2 - 2 * fork


def pop_number(frame: int) -> int:
    """Return what stands in an origin for a frame that is taken from the stack."""
    return -3 - 2 * frame


@dataclass(slots=True)
class Running:
    """A component while it is built."""

    unfolded: Unfolded
    parameters: list[Parameter]
    leaves: dict[int, list[int]] = field(default_factory=dict)
    """For every fork the components that are its leaves."""


def entry_of(configuration: Configuration) -> Entry:
    """Return a configuration without its data."""
    return Entry(
        configuration.control,
        tuple(map(entry_of, configuration.leaves)),
        tuple(piece for piece, _ in configuration.stack),
    )


def constrained(
    summand: Summand,
    guards: tuple[Guard, ...],
    equations: tuple[tuple[Term, Term], ...],
    origin: tuple[tuple[int, int], ...],
) -> Summand:
    """Return a summand that is possible only where more holds."""
    return replace(
        summand,
        guards=(*summand.guards, *guards),
        equations=(*summand.equations, *equations),
        origin=origin,
    )


def relabelled_parts(parts: list[Part], relabelling: Relabelling) -> list[Part]:
    """Return the parts without those that are forbidden, their actions relabelled."""
    found = []
    for part in parts:
        summand = part.summand
        applied = relabelling.applied(summand.action, summand.arguments)
        if applied is not None:
            action, arguments = applied
            found.append(Part(replace(summand, action=action, arguments=arguments), part.ends))
    return found


def sorts_of(terms: Iterable[Term]) -> tuple[str, ...]:
    """Return the sorts of terms."""
    return tuple(term.sort for term in terms)


def process_name(control: Control) -> str:
    """Return what to call the shape that begins in a control state."""
    match control:
        case (Piece(Call(name)), *_) | (Piece(Sequence(Call(name))), *_):
            return name.name
    return "Init"


def component_name(shape: Shape, process: Process | None) -> str:
    """Return what to call a component: its process, and the constant that tells it from others."""
    match process:
        case Call(_, (Application(function, ()),)):
            return f"{shape.name}_{function.name}"
    return shape.name

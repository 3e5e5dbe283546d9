"""Intermediate results of linearisation: summands and components before they are combined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lts.linear.control_state import Configuration, Control, ControlStep, Decision, Guard, Residual
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
    "Running",
    "TerminatingSummand",
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
    """How a component can start: a configuration without its data.

    `stack` are the residuals that are on its stack from the start; `leaves` are the entries of
    its leaves, if the control state is a fork.
    """

    control: Control
    leaves: tuple[Entry, ...] = ()
    stack: tuple[Residual, ...] = ()


@dataclass(slots=True, eq=False)
class Unfolded:
    """A shape with the behaviour of its components; control states are numbered from 0.

    `steps` are triples (source, step, target); if the target is None, the step continues by popping
    the stack. `forks` has for each fork the configuration after it (None: pop the stack), and for
    each leaf its entries. `popped` has for each stack frame the configuration that popping it
    leads to.
    """

    shape: Shape
    numbers: dict[Control, int]
    steps: list[tuple[int, ControlStep, int | None]]
    forks: dict[int, tuple[Configuration | None, list[list[Entry]]]]
    popped: list[Configuration]
    decisions: list[tuple[int, Decision]]
    """The decisions of each control state."""


@dataclass(frozen=True, slots=True)
class TerminatingSummand:
    """A summand, and the components that terminate in its step."""

    summand: Summand
    terminating: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Continuation:
    """One continuation of a component after a step or a fork."""

    variables: tuple[Variable, ...]
    equations: tuple[tuple[Term, Term], ...]
    updates: list[tuple[int, Term]]
    terminates: bool
    note: int | None
    """A number to add to the origin of the summand, if any."""


TERMINATED = Configuration((), {})


BLOCKED = -1


def join_number(fork: int) -> int:
    """Return the number that marks the end of a fork in an origin."""
    return -2 - 2 * fork


def pop_number(frame: int) -> int:
    """Return the number that marks the popping of a stack frame in an origin."""
    return -3 - 2 * frame


@dataclass(slots=True)
class Running:
    """A component under construction."""

    unfolded: Unfolded
    parameters: list[Parameter]
    leaves: dict[int, list[int]] = field(default_factory=dict)
    """The components that are the leaves of each fork."""


def entry_of(configuration: Configuration) -> Entry:
    """Return a configuration without its data."""
    return Entry(
        configuration.control,
        tuple(map(entry_of, configuration.leaves)),
        tuple(residual for residual, _ in configuration.stack),
    )


def constrained(
    summand: Summand,
    guards: tuple[Guard, ...],
    equations: tuple[tuple[Term, Term], ...],
    origin: tuple[tuple[int, int], ...],
) -> Summand:
    """Return a summand with additional guards and equations."""
    return replace(
        summand,
        guards=(*summand.guards, *guards),
        equations=(*summand.equations, *equations),
        origin=origin,
    )


def relabelled_parts(
    parts: list[TerminatingSummand], relabelling: Relabelling
) -> list[TerminatingSummand]:
    """Relabel the actions of parts; parts with blocked actions are left out."""
    found = []
    for part in parts:
        summand = part.summand
        applied = relabelling.applied(summand.action, summand.arguments)
        if applied == (summand.action, summand.arguments):
            found.append(part)
        elif applied is not None:
            action, arguments = applied
            found.append(
                TerminatingSummand(
                    replace(summand, action=action, arguments=arguments), part.terminating
                )
            )
    return found


def sorts_of(terms: Iterable[Term]) -> tuple[str, ...]:
    """Return the sorts of terms."""
    return tuple(term.sort for term in terms)


def process_name(control: Control) -> str:
    """Return a name for the shape that starts in a control state."""
    match control:
        case (Residual(Call(name)), *_) | (Residual(Sequence(Call(name))), *_):
            return name.name
    return "Init"


def component_name(shape: Shape, process: Process | None) -> str:
    """Return a component's name: that of its process, with its argument if one constant."""
    match process:
        case Call(_, (Application(function, ()),)):
            return f"{shape.name}_{function.name}"
    return shape.name

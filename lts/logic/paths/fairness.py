"""Recurrence: what must happen infinitely often, such as fairness for each process.

A path with a run of an automaton on which several conditions recur is composed of segments: from a
state where all can recur to each condition in turn, and back to such a state (Emerson and Lei,
Modalities for model checking, 1987). So each is a separate requirement, for all values of a
variable, without an order among them, which symmetries would not preserve.
"""

from __future__ import annotations

from dataclasses import dataclass

from lts.logic.nodes import Actions
from lts.logic.paths.normal_form import Path, always, both, excluding, some_time

__all__ = ["Moment", "Repeated", "moments", "repeated"]


@dataclass(frozen=True, slots=True)
class Repeated:
    """For all values of `slots`: `goal` infinitely often, or `instead` forever from some time on.

    `goal` consists of conditions on a state and the next step, `instead` of conditions on states
    only.
    """

    slots: tuple[int, ...]
    goal: Path
    instead: Path | None


def repeated(path: Path) -> Repeated | None:
    """Return what a formula requires infinitely often; None if it has not that form."""
    slots: list[int] = []
    while path[0] == "forall":
        _, slot, path = path  # type: ignore[assignment]
        slots.append(slot)  # type: ignore[arg-type]
    goal = _again(path)
    if goal is not None:
        return Repeated(tuple(slots), goal, None)
    match path:
        case ("or", tuple() as one, tuple() as other):
            for first, second in ((one, other), (other, one)):
                goal, instead = _again(second), _at_last(first)
                if goal is not None and instead is not None:
                    return Repeated(tuple(slots), goal, instead)
    return None


def _again(path: Path) -> Path | None:
    inner = always(path)
    goal = None if inner is None else some_time(inner)
    return goal if goal is not None and _is_momentary(goal) else None


def _at_last(path: Path) -> Path | None:
    inner = some_time(path)
    held = None if inner is None else always(inner)
    return held if held is not None and _is_momentary(held, steps=False) else None


def _is_momentary(path: Path, *, steps: bool = True) -> bool:
    match path:
        case ("and" | "or", *parts):
            return all(isinstance(p, tuple) and _is_momentary(p, steps=steps) for p in parts)
        case ("action", *_):
            return steps
    return path[0] in ("true", "false", "state", "empty")


@dataclass(frozen=True, slots=True)
class Moment:
    """Conditions on a state and on the step that follows."""

    states: frozenset[Path]
    allowed: Actions | None
    """The labels allowed for the step; None for all labels, or the end of the path."""
    may_end: bool
    """Whether the path may end here."""


def moments(path: Path) -> list[Moment]:
    """Return the disjunctive normal form of a formula without path operators."""
    match path:
        case ("and", *parts):
            found = [Moment(frozenset(), None, True)]
            for part in parts:
                assert isinstance(part, tuple)
                new = moments(part)
                found = [_together(a, b) for a in found for b in new]
            return found
        case ("or", *parts):
            return [moment for part in parts if isinstance(part, tuple) for moment in moments(part)]
        case ("true",):
            return [Moment(frozenset(), None, True)]
        case ("false",):
            return []
        case ("action", Actions() as actions, positive):
            if positive:
                return [Moment(frozenset(), actions, False)]
            return [Moment(frozenset(), excluding(EVERY, [actions]), True)]
    return [Moment(frozenset({path}), None, True)]


EVERY = Actions("true", ("true",))
"""All labels."""


def _together(one: Moment, other: Moment) -> Moment:
    states = one.states | other.states
    return Moment(states, together(one.allowed, other.allowed), one.may_end and other.may_end)


def together(one: Actions | None, other: Actions | None) -> Actions | None:
    """Return the intersection of two sets of labels, where None means all."""
    if one is None or other is None:
        return other if one is None else one
    return both(one, other)

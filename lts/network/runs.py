"""Turns traces of the minimal system of a network into runs of the network itself.

A merged part has a trace if and only if its children have corresponding traces, with internal steps
in between; that holds for all equivalences by which networks are minimised. So for each part the
sequence of its children's slots is searched in their product, then the same for each child; a
child's internal steps are placed before its next slot. No search exceeds the products that were
composed before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lts.base.bounds import TRACE_STATES
from lts.errors import LimitReached, LtsError
from lts.network.network import TAU, Network
from lts.network.parts import Part
from lts.network.simulation import simulate
from lts.system.lts import LTS
from lts.trace import TraceStep

__all__ = ["RunStep", "exact_trace", "nearest", "run_of"]

Row = tuple[tuple[int | None, ...], int | str | None]
"""A combination of slots of the children, and its result; None is an internal step."""
Goals = Sequence[int | str]
"""The results to reach, in order."""
Event = tuple[int | str | None, tuple[tuple[int, int], ...]]
"""The result of a step, and the components that move, with the numbers of their labels."""


@dataclass(frozen=True, slots=True)
class RunStep:
    """A step of a network: its label, and pairs of a moving component and its label's number."""

    label: str
    moves: tuple[tuple[int, int], ...]


def run_of(
    parts: Sequence[Part], results: Iterable[tuple[int, str]], labels: Sequence[str]
) -> tuple[RunStep, ...]:
    """Return a run of the network with these visible labels.

    The last of the `parts` contains all components, and `results` are its slots with their labels.
    Raises `LtsError` if the network has no such run.
    """
    if not labels:
        return ()
    if not parts:
        raise LtsError(f"the network cannot do `{labels[-1]}` in this state")
    top: list[Row] = [((slot,), None if label == TAU else label) for slot, label in results]
    last = len(parts)
    # Top-down: find what the children of each part do.
    waiting: list[tuple[int, tuple[int, ...], list[Row], Goals]] = [
        (last, (last - 1,), top, labels)
    ]
    paths: list[tuple[int, tuple[int, ...], list[Row]]] = []
    events: dict[int, deque[Event]] = {}
    while waiting:
        number, children, table, goals = waiting.pop()
        path = _path([parts[child].shape.system for child in children], table, goals)
        paths.append((number, children, path))
        for k, child in enumerate(children):
            part = parts[child]
            own = [slot for inside, _ in path if (slot := inside[k]) is not None]
            if part.children and own:
                rows: list[Row] = [(inside, out) for inside, made in part.table for out in made]
                waiting.append((child, part.children, rows, own))
            else:
                moves = (((part.members[0], part.labels[slot]),) for slot in own)
                events[child] = deque(zip(own, moves, strict=True))
    # Bottom-up: combine the events of children to those of each part.
    for number, children, path in reversed(paths):
        events[number] = _joined([events[child] for child in children], path)
    whole = events[last]
    return tuple(RunStep(TAU if out is None else str(out), moves) for out, moves in whole)


def exact_trace(network: Network, run: Sequence[RunStep]) -> tuple[TraceStep, ...]:
    """Return a run as a trace that can be replayed, by taking its steps on the network.

    The run may be one of the network with labels hidden; the trace has the network's own labels.
    Raises `LtsError` for a step that the network cannot do.
    """
    paths = _paths(network, run)
    known: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for moves, result in network.vectors:
        known.setdefault(moves, []).append(result)
    walk = simulate(network)
    state = [system.initial for system in network.components]
    for step in run:
        names = known.get(step.moves, [])
        label = step.label if step.label in names else next(iter(names), step.label)
        for component, _ in step.moves:
            state[component] = paths[component].popleft()
        steps = walk.steps
        target = walk.number_of(state)
        number = next(
            (n for n, one in enumerate(steps) if (one.label, one.target) == (label, target)),
            None,
        )
        if number is None:
            raise LtsError(f"the network cannot do `{step.label}` in this state")
        walk.take(number)
    return walk.trace


def nearest(system: LTS, is_goal: Callable[[str], bool], most: int | None) -> list[list[str]]:
    """Return shortest traces of a system, one to each label that is a goal, and at most `most`.

    A trace is given by its visible labels.
    """
    steps: dict[int, list[tuple[str, int]]] = {}
    for source, label, target in system.transitions():
        steps.setdefault(source, []).append((label, target))
    traces: dict[int, list[str]] = {system.initial: []}
    waiting = deque(traces)
    found: dict[str, list[str]] = {}
    while waiting and (most is None or len(found) < most):
        state = waiting.popleft()
        for label, target in steps.get(state, ()):
            trace = traces[state] if label == TAU else [*traces[state], label]
            if label != TAU and label not in found and is_goal(label):
                found[label] = trace
            if target not in traces:
                traces[target] = trace
                waiting.append(target)
    return list(found.values())[:most]


def _joined(own: Sequence[deque[Event]], path: Sequence[Row]) -> deque[Event]:
    """Return the events along a path; a child's internal events come before its next slot."""
    found: deque[Event] = deque()
    for inside, out in path:
        moves: list[tuple[int, int]] = []
        for k, slot in enumerate(inside):
            if slot is None:
                continue
            while own[k][0][0] is None:
                found.append(own[k].popleft())
            moves += own[k].popleft()[1]
        found.append((out, tuple(sorted(moves))))
    return found


def _path(systems: Sequence[LTS], rows: Sequence[Row], goals: Goals) -> list[Row]:
    """Return a shortest sequence of rows with these results that is possible in the product."""
    outgoing = [_outgoing(system) for system in systems]
    useful = set(goals) | {None}
    rows = [row for row in rows if row[1] in useful]
    Place = tuple[tuple[int, ...], int]
    start: Place = (tuple(system.initial for system in systems), 0)
    before: dict[Place, tuple[Place, Row | None] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        place = waiting.popleft()
        state, done = place
        if done == len(goals):
            found: list[Row] = []
            back = before[place]
            while back is not None:
                if back[1] is not None:
                    found.append(back[1])
                back = before[back[0]]
            return found[::-1]
        if len(before) > TRACE_STATES.default:
            message = f"the search for a trace visited {TRACE_STATES.exceeded()}"
            raise LimitReached(message, limit=TRACE_STATES.default, found={"states": len(before)})
        for row, target in _steps(outgoing, rows, state, goals[done]):
            after = (target, done + (row is not None and row[1] is not None))
            if after not in before:
                before[after] = place, row
                waiting.append(after)
    raise LtsError(f"the network cannot do {goals[-1]} in this way")


def _steps(
    outgoing: Sequence[dict[int, dict[str, list[int]]]],
    rows: Sequence[Row],
    state: tuple[int, ...],
    goal: int | str,
) -> Iterable[tuple[Row | None, tuple[int, ...]]]:
    """Yield the internal steps and those to the goal with their targets; a step of one child has no
    row."""
    moves = [steps.get(at, {}) for steps, at in zip(outgoing, state, strict=True)]
    for k, own in enumerate(moves):
        for target in own.get(TAU, ()):
            yield None, (*state[:k], target, *state[k + 1 :])
    for row in rows:
        inside, out = row
        if out is not None and out != goal:
            continue
        targets: list[tuple[int, ...]] = [()]
        for k, slot in enumerate(inside):
            own_targets = [state[k]] if slot is None else moves[k].get(str(slot), [])
            targets = [(*before, end) for before in targets for end in own_targets]
        yield from ((row, after) for after in targets)


def _outgoing(system: LTS) -> dict[int, dict[str, list[int]]]:
    found: dict[int, dict[str, list[int]]] = {}
    for source, label, target in system.transitions():
        found.setdefault(source, {}).setdefault(label, []).append(target)
    return found


def _paths(network: Network, run: Sequence[RunStep]) -> list[deque[int]]:
    """Return the sequence of states of each component in a run."""
    component_labels: list[list[int]] = [[] for _ in network.components]
    for step in run:
        for component, label in step.moves:
            component_labels[component].append(label)
    return [
        deque(_states_along(s, labels))
        for s, labels in zip(network.components, component_labels, strict=True)
    ]


def _states_along(system: LTS, labels: Sequence[int]) -> list[int]:
    """Return states of a component along these labels, from its initial state."""
    if not labels:
        return []
    steps: dict[tuple[int, int], list[int]] = {}
    columns = (column.tolist() for column in (system.source, system.label, system.target))
    for source, label, target in zip(*columns, strict=True):
        steps.setdefault((source, label), []).append(target)
    layers: list[dict[int, int | None]] = [{system.initial: None}]
    for label in labels:
        layers.append({t: s for s in layers[-1] for t in steps.get((s, label), ())})
    if not layers[-1]:
        raise LtsError(f"a component cannot do `{system.labels[labels[-1]]}` here")
    states: list[int] = []
    at: int | None = next(iter(layers[-1]))
    for layer in reversed(layers[1:]):
        assert at is not None
        states.append(at)
        at = layer[at]
    return states[::-1]

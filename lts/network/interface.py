"""Interfaces: what a part of a network does with its surroundings, as somebody says.

Semi-composition after Krimm and Mounier (Compositional state space generation from Lotos programs,
TACAS 1997; before, Graf and Steffen 1990). Of a system S and an interface I, which does some labels
together with it, it has those transitions of S that S and I do together in some state that they
reach together; so it is a part of S, and often a small one.

Whether the surroundings of S in a network do no more than I says is not known before. So every
transition of S that is left out, from a state that stays, is kept apart, under a label *outside* of
the interface. As long as no vector with such a label can make a step, the network does what it does
with S itself: by induction over its steps, as the first one that is not there would be such a step.
Whether one can is seen in the network with all else hidden, minimised on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.errors import LtsError, SpecificationError
from lts.network.network import TAU, Network, Vector
from lts.system import LTS
from lts.text.source import Place
from lts.trace import labels_shown

if TYPE_CHECKING:
    from lts.network.reduction import Reduction

__all__ = ["Outside", "allowed", "verified"]

Outside = dict[tuple[int, int], tuple[str, Place]]
"""For a component and the number of a label that is outside of its interface: what the label is,
and where the interface stands."""

_SHOWN = 20
"""Labels of a trace that are shown."""


def allowed(
    system: LTS, interface: LTS, shared: Collection[str], *, failing: bool
) -> tuple[LTS, dict[int, str]]:
    """Return the part of a system that its interface allows, and labels that are outside of it.

    Steps with labels in `shared` are done together, all others alone. Where the part is to be
    `failing`, a state that had a step which is left out has one with a label of its own, which
    leads nowhere; these labels are told by their numbers, with those that they stand for.
    """
    columns = (system.source.tolist(), system.label.tolist(), system.target.tolist())
    rows = list(zip(*columns, strict=True))
    is_shared = [label in shared for label in system.labels]
    following: list[list[int]] = [[] for _ in range(system.state_count)]
    for number, (source, _, _) in enumerate(rows):
        following[source].append(number)
    alone: list[list[int]] = [[] for _ in range(interface.state_count)]
    together: list[dict[str, list[int]]] = [{} for _ in range(interface.state_count)]
    silent = {*interface.internal}
    for source, label, target in interface.transitions():
        if label in shared and label not in silent:
            together[source].setdefault(label, []).append(target)
        else:
            alone[source].append(target)
    kept = [False] * len(rows)
    start = (system.initial, interface.initial)
    seen, waiting = {start}, [start]
    while waiting:
        state, other = waiting.pop()
        pairs = [(state, after) for after in alone[other]]
        for number in following[state]:
            _, label, target = rows[number]
            ends = together[other].get(system.labels[label], []) if is_shared[label] else [other]
            if ends:
                kept[number] = True
                pairs += [(target, end) for end in ends]
        new = [pair for pair in pairs if pair not in seen]
        seen.update(new)
        waiting += new
    there = {state for state, _ in seen}
    found = [row for row, is_kept in zip(rows, kept, strict=True) if is_kept]
    left = dict.fromkeys(
        (source, label)
        for (source, label, _), is_kept in zip(rows, kept, strict=True)
        if not is_kept and source in there
    )
    names = list(system.labels)
    numbers: dict[int, int] = {}
    for source, label in left if failing else ():
        if label not in numbers:
            numbers[label] = len(names)
            name = f"{system.labels[label]} (outside)"
            while name in names:
                name += "'"
            names.append(name)
        found.append((source, numbers[label], source))
    made = _system(found, names, system.initial, system.state_count)
    made = made.with_internal(system.internal).reachable()
    return made, {number: system.labels[label] for label, number in numbers.items()}


def verified(
    network: Network,
    outside: Outside,
    reduce: Callable[[Network, str], Reduction],
    error: Callable[[type[LtsError], str, Place], LtsError],
) -> Network:
    """Return a network whose interfaces hold, without the labels that are outside of them.

    Raises `SpecificationError`, with a trace, if it does a step that an interface does not allow.
    """
    inside: list[Vector] = []
    failing: list[Vector] = []
    for vector in network.vectors:
        (inside if outside.keys().isdisjoint(vector.moves) else failing).append(vector)
    broken = {str(n): vector for n, vector in enumerate(failing)}
    hidden = dict.fromkeys(Vector(vector.moves, TAU) for vector in inside)
    named = [Vector(vector.moves, name) for name, vector in broken.items()]
    found = reduce(replace(network, vectors=(*hidden, *named)), "branching")
    violation = next((label for _, label, _ in found.lts.transitions() if label != TAU), None)
    if violation is not None:
        from lts.network.runs import exact_trace

        run = found.run([violation])
        steps = exact_trace(replace(network, vectors=(*inside, *named)), run)
        label, place = next(outside[move] for move in broken[violation].moves if move in outside)
        before = labels_shown([step.label for step in steps[:-1]], _SHOWN)
        message = f"the interface does not hold: `{label}` is done, which it does not allow, after "
        raise error(SpecificationError, message + before, place)
    components = list(network.components)
    for number in {component for component, _ in outside}:
        system = components[number]
        gone = {label for component, label in outside if component == number}
        columns = (system.source.tolist(), system.label.tolist(), system.target.tolist())
        rows = [row for row in zip(*columns, strict=True) if row[1] not in gone]
        made = _system(rows, list(system.labels), system.initial, system.state_count)
        components[number] = made.with_internal(system.internal)
    return replace(network, components=tuple(components), vectors=tuple(inside))


def _system(rows: list[tuple[int, int, int]], labels: list[str], initial: int, states: int) -> LTS:
    import numpy as np

    table = np.array(rows, dtype=np.uint32).reshape(-1, 3)
    source, label, target = (memoryview(np.ascontiguousarray(c).data) for c in table.T)
    return LTS.from_columns(source, label, target, labels, initial, states)

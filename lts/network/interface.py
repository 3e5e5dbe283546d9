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

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lts import _engine
from lts.columns import as_array
from lts.errors import LtsError, SpecificationError
from lts.network.network import TAU, Network, Vector
from lts.system import LTS
from lts.text.source import Place
from lts.trace import labels_shown

if TYPE_CHECKING:
    from lts.columns import Columns
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
    done_together = set(shared).difference(interface.internal)
    partners = {label: n for n, label in enumerate(interface.labels) if label in done_together}
    found, sources, labels = _engine.allowed(
        system._engine,
        interface._engine,
        [partners.get(label, -1) if label in shared else None for label in system.labels],
        [label not in done_together for label in interface.labels],
    )
    part = LTS(found)
    outside: dict[int, str] = {}
    if failing and len(sources):
        import numpy as np

        source, label = as_array(sources), as_array(labels)
        names = list(system.labels)
        # In the order in which rows of the system have them.
        which, first, number = np.unique(label, return_index=True, return_inverse=True)
        new = np.empty(len(which), np.uint32)
        for at in np.argsort(first):
            new[at] = len(names)
            outside[len(names)] = system.labels[which[at]]
            name = f"{system.labels[which[at]]} (outside)"
            while name in names:
                name += "'"
            names.append(name)
        pairs = ((part.source, source), (part.label, new[number]), (part.target, source))
        part = _system([np.concatenate(pair) for pair in pairs], names, system)
    return part.with_internal(system.internal).reachable(), outside


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
        done, place = next(outside[move] for move in broken[violation].moves if move in outside)
        before = labels_shown([step.label for step in steps[:-1]], _SHOWN)
        message = f"the interface does not hold: `{done}` is done, which it does not allow, after "
        raise error(SpecificationError, message + before, place)
    import numpy as np

    components = list(network.components)
    for number in {component for component, _ in outside}:
        system = components[number]
        gone = [label for component, label in outside if component == number]
        stays = np.isin(system.label, gone, invert=True)
        columns = [column[stays] for column in (system.source, system.label, system.target)]
        made = _system(columns, system.labels, system)
        components[number] = made.with_internal(system.internal)
    return replace(network, components=tuple(components), vectors=tuple(inside))


def _system(columns: Sequence[Columns], labels: Sequence[str], of: LTS) -> LTS:
    """Return an LTS with the states of another one."""
    source, label, target = (memoryview(column.data) for column in columns)
    return LTS.from_columns(source, label, target, labels, of.initial, of.state_count)

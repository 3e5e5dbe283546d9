"""Interfaces given by the user: an LTS with the steps that the environment of a part of a network
allows.

Semi-composition after Krimm and Mounier (Compositional state space generation from Lotos programs,
TACAS 1997; before, Graf and Steffen 1990). For a system S and an interface I, which synchronise on
some labels, it consists of those transitions of S that are possible in some reachable state of
their composition; so it is a subsystem of S, and often a small one.

It is not known in advance whether the environment of S in a network does only what I allows.
Therefore every transition of S that is left out from a remaining state is kept under a separate
label that is *outside* of the interface. As long as no vector with such a label is enabled, the
network behaves as with S itself: by induction over its steps, since the first missing step would be
such a step. Whether one is enabled is decided on the network with all other labels hidden,
minimised during composition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import lts._engine as _engine
from lts.errors import LtsError, SpecificationError
from lts.network.network import TAU, Network, Vector
from lts.system.columns import as_array
from lts.system.lts import LTS
from lts.text.source import Place
from lts.trace import labels_shown

if TYPE_CHECKING:
    from lts.network.reduction import Reduction
    from lts.system.columns import Numbers

__all__ = ["Outside", "allowed", "verified"]

Outside = dict[tuple[int, int], tuple[str, Place]]
"""For each component and number of a label outside of its interface: the text of the label, and the
place of the interface."""

_SHOWN = 20
"""Most labels of a trace that are shown."""


def allowed(
    system: LTS, interface: LTS, shared: Collection[str], *, failing: bool
) -> tuple[LTS, dict[int, str]]:
    """Return the subsystem that an interface allows, and the labels of steps outside of it.

    The two synchronise on labels in `shared`. If `failing`, each transition that is left out from a
    remaining state becomes a self-loop with a label of its own; these labels are returned by their
    numbers, with the labels that they replace.
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
        # Number labels by their first occurrence in the rows of the system.
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

    Raises `SpecificationError`, with a trace, if the network can do a step that an interface does
    not allow.
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
        message = f"the interface is violated: it does not allow `{done}` after "
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


def _system(columns: Sequence[Numbers], labels: Sequence[str], of: LTS) -> LTS:
    """Return an LTS with the states of another one, and these transitions."""
    source, label, target = (memoryview(column.data) for column in columns)
    return LTS.from_columns(source, label, target, labels, of.initial, of.state_count)

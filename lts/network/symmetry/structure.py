"""A network as a relational structure, whose automorphisms are the symmetries of the network.

Points are the components, their states and labels, the vectors, and the resulting labels. So an
automorphism permutes components, by isomorphisms of their states and labels, and resulting labels,
so that the set of vectors is preserved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lts.base.bounds import NETWORK_FACTS
from lts.equivalence.minimisation import minimise
from lts.network.network import TAU, Network, Vector
from lts.symmetry.relational import RelationalStructure
from lts.system.lts import LTS

__all__ = ["Copy", "Kind", "NetworkStructure", "minimal"]

Kind = Callable[[str], object]
"""A property of resulting labels that symmetries preserve."""


@dataclass(slots=True)
class Copy:
    """The points of one network, including only reachable states."""

    components: list[int] = field(default_factory=list)
    states: dict[tuple[int, int], int] = field(default_factory=dict)
    labels: dict[tuple[int, int], int] = field(default_factory=dict)
    vectors: dict[int, Vector] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)


class NetworkStructure(RelationalStructure):
    """The structure of one network, or of several copies of it.

    Each component is restricted to what it can reach by itself with labels that occur in vectors.
    The first points are the components of the network that is added first.
    """

    def __init__(self, copies: int = 1) -> None:
        super().__init__(NETWORK_FACTS, "the network", "labels", copies)

    def add(self, network: Network, kind: Kind, *, root: bool = False) -> Copy:
        """Add a network; resulting labels have the same colour if they are of one `kind`.

        With `root`, there is an additional point related to its components. Raises `LimitReached`
        if there are too many facts.
        """
        copy = Copy([self.point("component") for _ in network.components])
        used = {move for vector in network.vectors for move in vector.moves}
        for number, system in enumerate(network.components):
            self._component(copy, number, system, used)
        for vector in network.vectors:
            if not all(move in copy.labels for move in vector.moves):
                continue  # some label has no reachable transition
            point = self.point("vector")
            copy.vectors[point] = vector
            for move in vector.moves:
                self.add_fact("moves", (point, copy.labels[move]))
            if vector.result != TAU:
                if vector.result not in copy.results:
                    made = self.point(("result", kind(vector.result)))
                    copy.results[vector.result] = made
                self.add_fact("result", (point, copy.results[vector.result]))
        if root:
            top = self.point("root")
            for component in copy.components:
                self.add_fact("in", (top, component))
        return copy

    def _component(self, copy: Copy, number: int, system: LTS, used: set[tuple[int, int]]) -> None:
        """Add what a component can reach by labels that occur in vectors."""
        following: dict[int, list[tuple[int, int]]] = {}
        transitions = zip(
            system.source.tolist(), system.label.tolist(), system.target.tolist(), strict=True
        )
        for source, label, target in transitions:
            if (number, label) in used:
                following.setdefault(source, []).append((label, target))
        component = copy.components[number]
        states = {system.initial: self.point("initial")}
        waiting = [system.initial]
        self.add_fact("state of", (states[system.initial], component))
        for state in waiting:  # grows during the loop
            for label, target in following.get(state, ()):
                if target not in states:
                    states[target] = self.point("state")
                    self.add_fact("state of", (states[target], component))
                    waiting.append(target)
                if (number, label) not in copy.labels:
                    copy.labels[number, label] = self.point("label")
                    self.add_fact("label of", (copy.labels[number, label], component))
                self.add_fact("step", (states[state], copy.labels[number, label], states[target]))
        copy.states.update(((number, state), point) for state, point in states.items())


def minimal(network: Network) -> Network:
    """Return the network of minimal components, without vectors of labels that these lack.

    Components are minimised modulo strong bisimulation, so the network is strongly bisimilar.
    """
    known: dict[int, LTS] = {}
    systems: list[LTS] = []
    numbers: list[dict[str, int]] = []
    for system in network.components:
        if id(system) not in known:
            known[id(system)] = minimise(system.with_internal(()), "strong")
        systems.append(known[id(system)])
        numbers.append({label: n for n, label in enumerate(systems[-1].labels)})
    vectors = []
    for moves, result in network.vectors:
        names = [(k, network.components[k].labels[label]) for k, label in moves]
        if all(name in numbers[k] for k, name in names):
            vectors.append(Vector(tuple((k, numbers[k][name]) for k, name in names), result))
    return Network(tuple(systems), tuple(vectors), network.names)

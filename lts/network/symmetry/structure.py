"""A network as a relational structure, whose automorphisms are the symmetries of the network.

Points are the components, their states and labels, the vectors, and the resulting labels. So an
automorphism permutes components, by isomorphisms of their states and labels, and resulting labels,
so that the set of vectors is preserved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import lts._engine as _engine
from lts.base.bounds import NETWORK_FACTS
from lts.equivalence.minimise import minimise
from lts.errors import LimitReached
from lts.network.network import TAU, Network, Vector
from lts.system.lts import LTS

__all__ = ["Copy", "Kind", "Structure", "minimal"]

Kind = Callable[[str], object]
"""Maps a resulting label to what symmetries must preserve of it."""


@dataclass(slots=True)
class Copy:
    """The points of one network, including only reachable states."""

    components: list[int] = field(default_factory=list)
    states: dict[tuple[int, int], int] = field(default_factory=dict)
    labels: dict[tuple[int, int], int] = field(default_factory=dict)
    vectors: dict[int, Vector] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)


class Structure:
    """Coloured points, and facts about them: rows of relations.

    Each component is restricted to what it can reach by itself with labels that occur in vectors.
    The first points are the components of the network that is added first.
    """

    def __init__(self, copies: int = 1) -> None:
        self.most = copies * NETWORK_FACTS.default
        self.colours: list[int] = []
        self.facts: list[tuple[int, list[int]]] = []
        self._kinds: dict[object, int] = {}

    def add(self, network: Network, kind: Kind, *, root: bool = False) -> Copy:
        """Add a network; resulting labels have the same colour if they are of one `kind`.

        With `root`, there is an additional point related to its components. Raises `LimitReached`
        if there are too many facts.
        """
        copy = Copy([self._point("component") for _ in network.components])
        used = {move for vector in network.vectors for move in vector.moves}
        for number, system in enumerate(network.components):
            self._component(copy, number, system, used)
        for vector in network.vectors:
            if not all(move in copy.labels for move in vector.moves):
                continue  # some label has no reachable transition
            point = self._point("vector")
            copy.vectors[point] = vector
            self._add("moves", *((point, copy.labels[move]) for move in vector.moves))
            if vector.result != TAU:
                if vector.result not in copy.results:
                    made = self._point(("result", kind(vector.result)))
                    copy.results[vector.result] = made
                self._add("result", (point, copy.results[vector.result]))
        if root:
            top = self._point("root")
            self._add("in", *((top, component) for component in copy.components))
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
        states = {system.initial: self._point("initial")}
        waiting = [system.initial]
        self._add("state of", (states[system.initial], component))
        for state in waiting:  # grows during the loop
            for label, target in following.get(state, ()):
                if target not in states:
                    states[target] = self._point("state")
                    self._add("state of", (states[target], component))
                    waiting.append(target)
                if (number, label) not in copy.labels:
                    copy.labels[number, label] = self._point("label")
                    self._add("label of", (copy.labels[number, label], component))
                self._add("step", (states[state], copy.labels[number, label], states[target]))
        copy.states.update(((number, state), point) for state, point in states.items())

    def _point(self, kind: object) -> int:
        self.colours.append(self._kinds.setdefault(kind, len(self._kinds)))
        return len(self.colours) - 1

    def _add(self, relation: str, *tuples: tuple[int, ...]) -> None:
        number = self._kinds.setdefault(("relation", relation), len(self._kinds))
        self.facts += [(number, list(row)) for row in tuples]
        if len(self.facts) > self.most:
            raise LimitReached(
                f"the network has {NETWORK_FACTS.exceeded()}",
                limit=NETWORK_FACTS.default,
                found={"facts": len(self.facts)},
            )

    def automorphisms(self) -> tuple[list[Sequence[int]], int]:
        """Return verified generators of the automorphism group, and its order."""
        try:
            images, order = _engine.relational_automorphisms(self.colours, self.facts)
        except OverflowError:
            message = "the network has too many labels that could be exchanged"
            found = {"facts": len(self.facts)}
            raise LimitReached(message, limit=self.most, found=found) from None
        known = {(relation, *row) for relation, row in self.facts}
        for image in images:
            # Do not trust the search: verify each automorphism.
            assert self._preserves(image, known)
        return list(images), order

    def _preserves(self, image: Sequence[int], known: set[tuple[int, ...]]) -> bool:
        """Whether a permutation preserves colours and facts."""
        return all(self.colours[a] == self.colours[b] for a, b in enumerate(image)) and all(
            (relation, *(image[point] for point in row)) in known for relation, row in self.facts
        )


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

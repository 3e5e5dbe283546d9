"""The symmetries of a network, from its components and vectors alone: nothing is composed.

A symmetry permutes components, with states and labels that make them the same, and what comes out,
so that the vectors stay what they are. It is an automorphism of a relational structure: of
components, minimal modulo strong bisimulation, their states, labels and transitions, vectors, and
labels that come out. So the state space is strongly bisimilar to its image. All such symmetries are
found; there may be others of the state space, which the network does not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lts import _engine
from lts.equivalence.minimise import minimise
from lts.errors import LimitReached
from lts.network.network import TAU, Network, Vector
from lts.symmetry.labels.detection import written
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.permutation.cycles import orbits
from lts.symmetry.permutation.notation import Permutation
from lts.system import LTS

__all__ = ["MOST_FACTS", "NetworkSymmetries", "symmetries"]

MOST_FACTS = 20_000
"""States and transitions of components, and labels in vectors, that are looked at, all in all."""


@dataclass(frozen=True, slots=True)
class NetworkSymmetries:
    """The group of a network.

    `generators` are permutations of the labels that come out, without those that move none; `order`
    is that of the group of these permutations, `whole` that of all symmetries, components, states
    and labels. `components` has for each generator of the whole group the images of components,
    `orbits` are the sets of components that it permutes among each other, those of one left out,
    and `labels` likewise the sets of labels that come out.
    """

    generators: tuple[Permutation, ...]
    order: int
    whole: int
    components: tuple[tuple[int, ...], ...]
    orbits: tuple[tuple[int, ...], ...]
    labels: tuple[tuple[str, ...], ...]

    def __bool__(self) -> bool:
        """Whether there is more than the identity on labels."""
        return self.order > 1


def symmetries(network: Network, *, any_labels: bool = False) -> NetworkSymmetries:
    """Return the group of all symmetries of a network.

    Of what comes out only data change their places, not the names of actions; with `any_labels`,
    all may. Components are the same if they are isomorphic once they are minimal modulo strong
    bisimulation, as far as they can be reached, by themselves, with labels that are in vectors.
    Raises `LimitReached` for more than `MOST_FACTS`, or a group that is too large.

    >>> from lts import LTS
    >>> from lts.network import Network
    >>> user = LTS.from_transitions([(0, "ask", 1), (1, "done", 0)])
    >>> vectors = [({k: "ask", 2: "ask"}, f"ask({k})") for k in range(2)]
    >>> vectors += [({k: "done", 2: "done"}, f"done({k})") for k in range(2)]
    >>> found = symmetries(Network.of([user, user, user], vectors))
    >>> found.order, str(found.generators[0]), found.orbits
    (2, '(0 1)', ((0, 1),))
    """
    structure = _Structure(_minimal(network), any_labels)
    try:
        images, whole = _engine.relational_automorphisms(structure.colours, structure.facts)
    except MemoryError:
        message = "the network has too many labels that may be exchanged"
        found = {"components": len(network.components), "facts": len(structure.facts)}
        raise LimitReached(message, limit=MOST_FACTS, found=found) from None
    for image in images:
        # The search is one thing, that what it gives is right another.
        assert structure.is_kept(image)
    results = list(structure.results)
    points = [structure.results[label] for label in results]
    place = {point: n for n, point in enumerate(points)}
    on_labels = [tuple(place[image[point]] for point in points) for image in images]
    moving = list(dict.fromkeys(one for one in on_labels if one != tuple(range(len(points)))))
    parsed = {label: None if any_labels else parse_label(label) for label in results}
    named = [{a: results[b] for a, b in zip(results, one, strict=True)} for one in moving]
    components = tuple(tuple(image[: len(network.components)]) for image in images)
    return NetworkSymmetries(
        generators=tuple(written(one, parsed) for one in named),
        order=_engine.group_order(len(points), moving) if moving else 1,
        whole=whole,
        components=components,
        orbits=_larger(len(network.components), components),
        labels=tuple(tuple(results[n] for n in orbit) for orbit in _larger(len(points), moving)),
    )


def _minimal(network: Network) -> Network:
    """Return the network of minimal components, without vectors of labels they do not have."""
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


def _larger(points: int, generators: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the orbits of two points or more."""
    return tuple(tuple(one) for one in orbits(points, generators) if len(one) > 1)


class _Structure:
    """Points and facts; components are the first points, by their numbers."""

    def __init__(self, network: Network, any_labels: bool) -> None:
        self.colours: list[int] = []
        self.facts: list[tuple[int, list[int]]] = []
        self.results: dict[str, int] = {}
        self._kinds: dict[object, int] = {}
        for _ in network.components:
            self._point("component")
        labels: dict[tuple[int, int], int] = {}
        used = {move for vector in network.vectors for move in vector.moves}
        for number, system in enumerate(network.components):
            self._component(number, system, used, labels)
        for moves, result in network.vectors:
            if not all(move in labels for move in moves):
                continue  # some label has no transition that can be reached
            point = self._point("vector")
            self._add("moves", *((point, labels[move]) for move in moves))
            if result != TAU:
                self._add("result", (point, self._result(result, any_labels)))

    def _component(
        self,
        number: int,
        system: LTS,
        used: set[tuple[int, int]],
        labels: dict[tuple[int, int], int],
    ) -> None:
        """Add what can be reached of a component by labels that are in vectors."""
        following: dict[int, list[tuple[int, int]]] = {}
        rows = zip(
            system.source.tolist(), system.label.tolist(), system.target.tolist(), strict=True
        )
        for source, label, target in rows:
            if (number, label) in used:
                following.setdefault(source, []).append((label, target))
        states = {system.initial: self._point("initial")}
        waiting = [system.initial]
        self._add("state of", (states[system.initial], number))
        for state in waiting:  # grows while it is read
            for label, target in following.get(state, ()):
                if target not in states:
                    states[target] = self._point("state")
                    self._add("state of", (states[target], number))
                    waiting.append(target)
                if (number, label) not in labels:
                    labels[number, label] = self._point("label")
                    self._add("label of", (labels[number, label], number))
                self._add("step", (states[state], labels[number, label], states[target]))

    def _result(self, label: str, any_labels: bool) -> int:
        """Return the point of a label that comes out; its colour is what it may not change."""
        point = self.results.get(label)
        if point is None:
            one = None if any_labels else parse_label(label)
            kind: object = None if any_labels else label if one is None else one.frame
            point = self.results[label] = self._point(("result", kind))
        return point

    def _point(self, kind: object) -> int:
        self.colours.append(self._kinds.setdefault(kind, len(self._kinds)))
        return len(self.colours) - 1

    def _add(self, relation: str, *rows: tuple[int, ...]) -> None:
        number = self._kinds.setdefault(("relation", relation), len(self._kinds))
        self.facts += [(number, list(row)) for row in rows]
        if len(self.facts) > MOST_FACTS:
            raise LimitReached(
                f"the network has more than {MOST_FACTS} transitions of components and labels in "
                "vectors",
                limit=MOST_FACTS,
                found={"facts": len(self.facts)},
            )

    def is_kept(self, image: Sequence[int]) -> bool:
        """Whether a permutation keeps colours and facts."""
        known = {(relation, *row) for relation, row in self.facts}
        return all(self.colours[a] == self.colours[b] for a, b in enumerate(image)) and all(
            (relation, *(image[point] for point in row)) in known for relation, row in self.facts
        )

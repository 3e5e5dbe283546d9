"""The action of a network's symmetries on its states, in the form that the engine takes.

A state is a tuple of states of the components. A symmetry g maps component k to component `g k`,
and its state s to a state of that component. The values that it permutes are the states of all
components, each tagged with its component, and the resulting labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import lts._engine as _engine
from lts.errors import LimitReached, NotProven
from lts.network.exploration import grouped, process_of
from lts.network.network import TAU, Network
from lts.network.symmetry.found import kind_of
from lts.network.symmetry.structure import Copy, Kind, NetworkStructure, minimal
from lts.network.symmetry.witness import vector_without_image, witness
from lts.specification import codes
from lts.symmetry.labels.detection import written
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.labels.lift import lift_labels, refuse_idle
from lts.symmetry.permutation.known import undecided
from lts.symmetry.permutation.notation import Permutation

__all__ = ["BISIMULATION", "ISOMORPHISM", "Moves", "NetworkAction", "action_of"]

ISOMORPHISM = "isomorphism"
BISIMULATION = "bisimulation"


@dataclass(frozen=True, slots=True)
class Moves:
    """One symmetry: the images of components, of their reachable states, and of labels."""

    components: tuple[int, ...]
    states: dict[tuple[int, int], tuple[int, int]]
    labels: dict[str, str]


@dataclass(frozen=True)
class NetworkAction:
    """Symmetries of a network, proven from its components and vectors.

    `by` is `ISOMORPHISM` if components are mapped to isomorphic ones, and `BISIMULATION` if they
    are isomorphic only after minimisation modulo strong bisimulation, in which case `network` has
    the minimal components. The `permutations` are the action of the `moves` on the resulting
    labels.
    """

    network: Network
    by: str
    permutations: tuple[Permutation, ...]
    moves: tuple[Moves, ...]
    proof: str = field(default="vectors", init=False)

    @property
    def engine(self) -> _engine.Process:
        """The network as an engine object, with states and labels as constants."""
        return process_of(self.network, constants=True)

    @property
    def subject(self) -> Network:
        """The network."""
        return self.network

    @property
    def summands(self) -> int:
        """The number of sets of components that take part in vectors together."""
        return len({tuple(k for k, _ in vector.moves) for vector in self.network.vectors})

    @property
    def shown(self) -> int | None:
        """The number of components: elements are written as permutations of these."""
        return len(self.network.components)

    def at_limit(self) -> str:
        """Return nothing: a network is always finite."""
        return ""

    def written(self, images: Sequence[int]) -> str:
        """Return an element of the group, given by its images of the engine's points, as text: a
        permutation of the labels."""
        labels = list(self._labels)
        first = len(self.given(True)[0]) - len(labels)
        moved = {one: labels[images[first + n] - first] for n, one in enumerate(labels)}
        return str(written(moved, {label: parse_label(label) for label in labels}))

    def given(self, proven: bool) -> tuple[Any, ...]:
        """Return the arguments of the engine's group, which can also be sent to other machines.

        Elements are written as permutations of component numbers, if that identifies them.
        """
        systems = self.network.components
        first = [0]
        for system in systems:
            first.append(first[-1] + system.state_count)
        states = [(k, system.initial) for k, system in enumerate(systems)]
        names = [str(k + 1) for k in range(len(systems))]
        others = (state for move in self.moves for state in move.states)
        for k, state in dict.fromkeys(others):
            if state != systems[k].initial:
                states.append((k, state))
                names.append(f"{k + 1}.{state}")
        known = self._labels
        labels = list(known)
        names += [f"#{number + 1}" for number in range(len(labels))]
        positions = {point: position for position, point in enumerate(states)}
        label_positions = {label: len(states) + position for position, label in enumerate(labels)}
        values = [[_FIRST + first[k] + state] for k, state in states]
        values += [[_FIRST + first[-1] + known[label]] for label in labels]
        groups = [members for members, _ in grouped(self.network, known)]
        numbers = {members: number for number, members in enumerate(groups)}
        generators = []
        for move in self.moves:
            points = [positions[move.states[state]] for state in states]
            points += [label_positions[move.labels.get(label, label)] for label in labels]
            summands = [numbers[tuple(sorted(move.components[k] for k in g))] for g in groups]
            generators.append(codes.Moves(points, list(move.components), summands, []))
        return values, names, generators, [], [proven] * len(groups), self.shown

    @property
    def _labels(self) -> dict[str, int]:
        labels: dict[str, int] = {}
        grouped(self.network, labels)
        return labels


_FIRST = 2
"""The symbol of the first constant, after those of the two Booleans."""


def action_of(
    network: Network,
    permutations: Sequence[Permutation] | None = None,
    *,
    any_labels: bool = False,
    keeping: Kind | None = None,
) -> NetworkAction:
    """Return the given symmetries of a network, or all of them, with their action.

    Without `permutations` they generate the group of all symmetries that `symmetries` finds; if the
    components themselves have as many symmetries as the minimal ones, the group acts on them.
    `keeping` maps each label to what these symmetries must preserve, such as its role in a formula.

    Raises `NotProven` with the reason if a permutation is not a symmetry of the network,
    `LimitReached` if the network is too large to decide that, and `SpecificationError` for a
    permutation that does not permute the resulting labels.
    """
    if permutations is None:

        def kind(label: str) -> object:
            preserved = None if keeping is None else keeping(label)
            return None if any_labels else kind_of(label), preserved

        return _all(network, kind, any_labels)
    known = list(dict.fromkeys(v.result for v in network.vectors if v.result != TAU))
    lifted = [lift_labels(permutation, known) for permutation in permutations]
    for permutation in permutations:
        refuse_idle(permutation, known)
    found = _given(network, permutations, lifted, ISOMORPHISM)
    if isinstance(found, NotProven):
        found = _given(minimal(network), permutations, lifted, BISIMULATION)
    if isinstance(found, NotProven):
        raise found
    return found


def _given(
    network: Network,
    permutations: Sequence[Permutation],
    lifted: Sequence[dict[str, str]],
    by: str,
) -> NetworkAction | NotProven:
    """Return the permutations as symmetries, or the reason why one of them is none."""
    moves = []
    pruned = network
    for which, (permutation, images) in enumerate(zip(permutations, lifted, strict=True)):
        pair = _Pair(network, images)
        pruned = _pruned(network, pair.one)
        if pair.exchanged is None:
            return undecided(permutation, missing=_missing(pair), which=which)
        moves.append(_moves(pair.one, pair.exchanged))
    return NetworkAction(pruned, by, tuple(permutations), tuple(moves))


class _Pair:
    """Two copies of a network, the labels of one renamed to their images: can they be exchanged?

    If so, `exchanged` has the images of the points.
    """

    def __init__(self, network: Network, images: dict[str, str]) -> None:
        self.network = network
        self.images = images
        self.structure = NetworkStructure(copies=2)
        self.one = self.structure.add(network, _renamed(images), root=True)
        self.other = self.structure.add(network, _renamed({}), root=True)
        points = len(self.structure.colours) // 2
        found, _ = self.structure.automorphisms()
        exchanging = next((image for image in found if image[0] >= points), None)
        self.exchanged = exchanging and [image % points for image in exchanging[:points]]


_TRIED = 64
"""Most vectors that are removed, one at a time, to find one that breaks a symmetry."""


def _missing(pair: _Pair) -> str:
    """Return what breaks a symmetry: if possible, a vector whose removal restores it."""
    network, images = pair.network, pair.images
    come_out = all(images.get(label, label) in pair.other.results for label in pair.one.results)
    for vector in list(pair.one.vectors.values())[: _TRIED if come_out else 0]:
        others = tuple(other for other in network.vectors if other != vector)
        less = Network(network.components, others, network.names)
        if _Pair(less, images).exchanged is not None:
            return vector_without_image(network, vector, images)
    return witness(pair.structure, pair.one, pair.other, network, images)


def _renamed(images: dict[str, str]) -> Callable[[str], str]:
    return lambda label: images.get(label, label)


def _all(network: Network, kind: Kind, any_labels: bool) -> NetworkAction:
    """Return all symmetries; they act on the components as given if no symmetry is lost."""
    least = minimal(network)
    pairs = zip(network.components, least.components, strict=True)
    if all(one.state_count == other.state_count for one, other in pairs):
        return _group(network, kind, any_labels, ISOMORPHISM)
    found = _group(least, kind, any_labels, BISIMULATION)
    try:
        exact = _group(network, kind, any_labels, ISOMORPHISM)
    except LimitReached:
        return found
    return exact if _order(exact) == _order(found) else found


def _group(network: Network, kind: Kind, any_labels: bool, by: str) -> NetworkAction:
    structure = NetworkStructure()
    copy = structure.add(network, kind)
    moves = [_moves(copy, image) for image in structure.automorphisms()[0]]
    parsed = {label: None if any_labels else parse_label(label) for label in copy.results}
    permutations = tuple(written(move.labels, parsed) for move in moves)
    return NetworkAction(_pruned(network, copy), by, permutations, tuple(moves))


def _order(found: NetworkAction) -> int:
    """Return the order of the group's action on components and labels."""
    count = len(found.network.components)
    labels = list(dict.fromkeys(v.result for v in found.network.vectors))
    positions = {label: count + position for position, label in enumerate(labels)}
    images = [
        (*move.components, *(positions[move.labels.get(label, label)] for label in labels))
        for move in found.moves
    ]
    return _engine.group_order(count + len(labels), images)


def _pruned(network: Network, copy: Copy) -> Network:
    """Return the network without vectors that can never make a step."""
    return Network(network.components, tuple(copy.vectors.values()), network.names)


def _moves(copy: Copy, image: Sequence[int]) -> Moves:
    """Return the action on a network of an automorphism of its structure."""
    states = {point: state for state, point in copy.states.items()}
    labels = {point: label for label, point in copy.results.items()}
    return Moves(
        tuple(image[: len(copy.components)]),
        {state: states[image[point]] for point, state in states.items()},
        {label: labels[image[point]] for point, label in labels.items()},
    )

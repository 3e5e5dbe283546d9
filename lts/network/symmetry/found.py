"""Finds the symmetries of a network from its components and vectors, without composing it.

A symmetry permutes components, by isomorphisms of their states and labels, and resulting labels, so
that the set of vectors is preserved. It is an automorphism of a relational structure: of the
components (minimal modulo strong bisimulation), their states, labels and transitions, the vectors,
and the resulting labels. So the state space is strongly bisimilar to its image. All such symmetries
are found; the state space may have others, which the network does not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import lts._engine as _engine
from lts.network.network import Network
from lts.network.symmetry.structure import NetworkStructure, minimal
from lts.symmetry.labels.detection import written
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.permutation.cycles import orbits
from lts.symmetry.permutation.notation import Permutation

__all__ = ["NetworkSymmetries", "kind_of", "symmetries"]


@dataclass(frozen=True, slots=True)
class NetworkSymmetries:
    """The symmetry group of a network.

    `generators` are those permutations of resulting labels that are not the identity; `order` is
    the order of the group they generate, `whole` that of all symmetries of components, states and
    labels. `components` has, for each generator of the whole group, the images of the components;
    `orbits` are its orbits of two or more components, and `labels` those of resulting labels.
    """

    generators: tuple[Permutation, ...]
    order: int
    whole: int
    components: tuple[tuple[int, ...], ...]
    orbits: tuple[tuple[int, ...], ...]
    labels: tuple[tuple[str, ...], ...]

    def __bool__(self) -> bool:
        """Whether some symmetry moves a label."""
        return self.order > 1


def symmetries(network: Network, *, any_labels: bool = False) -> NetworkSymmetries:
    """Return the group of all symmetries of a network.

    Symmetries change only the data in resulting labels, not the names of actions; with `any_labels`
    they may change both. Components count as equal if they are isomorphic after minimisation modulo
    strong bisimulation, restricted to what each can reach by itself with labels that occur in
    vectors. Raises `LimitReached` for more than `NETWORK_FACTS`, or a group that is too large.

    >>> from lts import LTS
    >>> from lts.network import Network
    >>> user = LTS.from_transitions([(0, "ask", 1), (1, "done", 0)])
    >>> vectors = [({k: "ask", 2: "ask"}, f"ask({k})") for k in range(2)]
    >>> vectors += [({k: "done", 2: "done"}, f"done({k})") for k in range(2)]
    >>> found = symmetries(Network.of([user, user, user], vectors))
    >>> found.order, str(found.generators[0]), found.orbits
    (2, '(0 1)', ((0, 1),))
    """
    structure = NetworkStructure()
    copy = structure.add(minimal(network), lambda label: None if any_labels else kind_of(label))
    images, whole = structure.automorphisms()
    results = list(copy.results)
    points = [copy.results[label] for label in results]
    place = {point: n for n, point in enumerate(points)}
    on_labels = [tuple(place[image[point]] for point in points) for image in images]
    moving = list(dict.fromkeys(one for one in on_labels if one != tuple(range(len(points)))))
    parsed = {label: None if any_labels else parse_label(label) for label in results}
    named = [{a: results[b] for a, b in zip(results, one, strict=True)} for one in moving]
    components = tuple(tuple(image[: len(network.components)]) for image in images)
    return NetworkSymmetries(
        generators=tuple(written(permutation, parsed) for permutation in named),
        order=_engine.group_order(len(points), moving) if moving else 1,
        whole=whole,
        components=components,
        orbits=_larger(len(network.components), components),
        labels=tuple(tuple(results[n] for n in orbit) for orbit in _larger(len(points), moving)),
    )


def kind_of(label: str) -> object:
    """Return the part of a label that symmetries preserve if they change only data: all but the
    data, or the whole label if it cannot be parsed."""
    parsed = parse_label(label)
    return label if parsed is None else parsed.frames


def _larger(points: int, generators: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the orbits with at least two points."""
    return tuple(tuple(orbit) for orbit in orbits(points, generators) if len(orbit) > 1)

"""Symmetries of a net without colours: permutations of its places and transitions.

They map each arc to one of the same kind and weight, the initial marking to itself, and transitions
with the same label to transitions with the same label, internal ones to internal ones. The search
is for automorphisms of a relational structure, whose points are the places, the transitions and
their labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import lts._engine as _engine
from lts.base.bounds import NET_FACTS
from lts.errors import LimitReached
from lts.petri.grounding import Firing, GroundNet
from lts.system.internal_labels import TAU

__all__ = ["Automorphism", "Roles", "automorphism_with", "automorphisms", "why_none"]


def _nothing(_: str) -> object:
    return None


class Roles(NamedTuple):
    """The roles of labels and places, such as those in a formula: symmetries preserve them."""

    of_label: Callable[[str], object] = _nothing
    of_place: Callable[[str], object] = _nothing


@dataclass(frozen=True, slots=True)
class Automorphism:
    """One symmetry: the images of places, of transitions and of their labels."""

    places: tuple[int, ...]
    firings: tuple[int, ...]
    labels: Mapping[str, str]


def automorphisms(net: GroundNet, roles: Roles) -> tuple[list[Automorphism], int]:
    """Return generators of the group of all symmetries, and its order.

    Places without arcs are fixed, and so is the order of transitions that have the same arcs and
    the same label. Raises `LimitReached` if the net is too large to search.
    """
    structure = _Structure(copies=1)
    copy = structure.add(net, roles)
    labels = {alike.label: None for alike in copy.members if alike.label != TAU}
    points = {label: structure.point("label", roles.of_label(label)) for label in labels}
    for point, alike in enumerate(copy.members, copy.first):
        if alike.label != TAU:
            structure.add_fact("labelled", point, points[alike.label])
    images, order = structure.automorphisms()
    return [copy.moved(image) for image in images], order


def automorphism_with(
    net: GroundNet, images: Mapping[str, str], roles: Roles
) -> Automorphism | None:
    """Return a symmetry with these images of the labels, which is found as an automorphism of two
    copies of the net that exchanges them; None if there is none."""
    structure = _Structure(copies=2)
    one = structure.add(net, roles, images)
    root = structure.point("root")
    other = structure.add(net, roles, {})
    for start, top in ((0, root), (root + 1, structure.point("root"))):
        for point in range(start, start + root):
            structure.add_fact("in", point, top)
    found, _ = structure.automorphisms()
    for image in found:
        if image[root] != root:
            assert other.size == one.size
            return one.moved([point - (root + 1) for point in image[:root]])
    return None


def why_none(net: GroundNet, images: Mapping[str, str]) -> str:
    """Return why there is no symmetry with these images of labels, as far as single transitions
    show it."""
    arcs: dict[str, list[object]] = {}
    for firing in net.firings:
        weights = [sorted(count for _, count in row) for row in _arcs(firing)]
        arcs.setdefault(net.net.transitions[firing.transition].label, []).append(weights)
    for label, image in images.items():
        if label not in arcs or image not in arcs:
            there, missing = (label, image) if label in arcs else (image, label)
            return f"`{there}` may occur, and `{missing}` does not"
        if sorted(arcs[label], key=repr) != sorted(arcs[image], key=repr):
            return f"`{label}` and `{image}` have other numbers or weights of arcs"
    return "no permutation of the places maps all arcs to those of the images of their transitions"


class _Alike(NamedTuple):
    """Transitions with the same label and the same arcs, by number."""

    label: str
    arcs: tuple[tuple[tuple[int, int], ...], ...]
    numbers: list[int]


@dataclass(eq=False, slots=True)
class _Copy:
    """The points of a net in the structure: places, and then transitions, beginning at `first`."""

    net: GroundNet
    first: int
    images: Mapping[str, str]
    members: list[_Alike] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.first + len(self.members)

    def moved(self, image: Sequence[int]) -> Automorphism:
        """Return the symmetry with these images of the points, verified from the arcs."""
        net = self.net
        places = tuple(image[: len(net.spots)])
        firings = list(range(len(net.firings)))
        labels: dict[str, str] = {}
        # The search is not trusted.
        assert sorted(places) == list(range(len(places)))
        assert all(net.initial[one] == net.initial[moved] for one, moved in enumerate(places))
        for number, alike in enumerate(self.members):
            other = self.members[image[self.first + number] - self.first]
            arcs = tuple(
                tuple(sorted((places[place], count) for place, count in row)) for row in alike.arcs
            )
            assert arcs == other.arcs
            assert labels.setdefault(alike.label, other.label) == other.label
            for firing, its_image in zip(alike.numbers, other.numbers, strict=True):
                firings[firing] = its_image
        assert sorted(firings) == list(range(len(firings)))
        assert len({*labels.values()}) == len(labels)
        assert labels.get(TAU, TAU) == TAU
        assert all(labels[label] == after for label, after in self.images.items())
        return Automorphism(places, tuple(firings), labels)


class _Structure:
    """Coloured points, and facts about them: rows of relations."""

    def __init__(self, copies: int) -> None:
        self.most = copies * NET_FACTS.default
        self.colours: list[int] = []
        self.facts: list[tuple[int, list[int]]] = []
        self.kinds: dict[object, int] = {}

    def add(self, net: GroundNet, roles: Roles, images: Mapping[str, str] | None = None) -> _Copy:
        """Add the places and transitions of a net; labels are fixed to their `images` if these are
        given."""
        start = len(self.colours)
        joined: dict[tuple[object, ...], _Alike] = {}
        has_arcs = [False] * len(net.spots)
        for number, firing in enumerate(net.firings):
            label = net.net.transitions[firing.transition].label
            arcs = _arcs(firing)
            alike = joined.setdefault((label, arcs), _Alike(label, arcs, []))
            alike.numbers.append(number)
            for row in arcs:
                for place, _ in row:
                    has_arcs[place] = True
        for number, (name, _) in enumerate(net.spots):
            own = None if has_arcs[number] else number
            self.point("place", net.initial[number], own, roles.of_place(name))
        copy = _Copy(net, len(net.spots), images or {}, [*joined.values()])
        for alike in copy.members:
            fixed = None if images is None else images.get(alike.label, alike.label)
            point = self.point("transition", len(alike.numbers), fixed)
            for kind, row in zip(_KINDS, alike.arcs, strict=True):
                for place, count in row:
                    self.add_fact((kind, count), point, start + place)
        return copy

    def point(self, *kind: object) -> int:
        """Return a new point of a kind."""
        self.colours.append(self.kinds.setdefault(kind, len(self.kinds)))
        return len(self.colours) - 1

    def add_fact(self, relation: object, *points: int) -> None:
        """Add a fact."""
        self.facts.append((self.kinds.setdefault((relation,), len(self.kinds)), [*points]))
        if len(self.facts) > self.most:
            raise LimitReached(
                f"the net has {NET_FACTS.exceeded()}",
                limit=NET_FACTS.default,
                found={"facts": len(self.facts)},
            )

    def automorphisms(self) -> tuple[list[list[int]], int]:
        """Return generators of the group of the automorphisms, and its order."""
        try:
            found, order = _engine.relational_automorphisms(self.colours, self.facts)
        except OverflowError:
            raise LimitReached(
                "the net has too many transitions that could be exchanged",
                limit=self.most,
                found={"facts": len(self.facts)},
            ) from None
        return [[*image] for image in found], order


_KINDS = ("takes", "puts", "below", "resets")


def _arcs(firing: Firing) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the arcs of a transition by their kinds, each with its place and weight, sorted."""
    resets = [(place, 0) for place in firing.resets]
    kinds = (firing.takes, firing.puts, firing.below, resets)
    return tuple(tuple(sorted(arcs)) for arcs in kinds)

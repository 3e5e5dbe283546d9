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

from lts.base.bounds import NET_FACTS
from lts.petri.grounding import Firing, GroundNet
from lts.symmetry.relational import RelationalStructure
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
    points = {label: structure.point(("label", roles.of_label(label))) for label in labels}
    for point, alike in enumerate(copy.members, copy.first):
        if alike.label != TAU:
            structure.add_fact("labelled", (point, points[alike.label]))
    images, order = structure.automorphisms()
    return [copy.moved(image) for image in images], order


def automorphism_with(
    net: GroundNet, images: Mapping[str, str], roles: Roles
) -> Automorphism | None:
    """Return a symmetry with these images of the labels, or None. It is an automorphism of two
    copies of the net that exchanges the copies, the labels of one being mapped."""
    structure = _Structure(copies=2)
    one = structure.add(net, roles, images)
    root = structure.point("root")
    structure.add(net, roles, {})
    for start, top in ((0, root), (root + 1, structure.point("root"))):
        for point in range(start, start + root):
            structure.add_fact("in", (point, top))
    found, _ = structure.automorphisms()
    for image in found:
        if image[root] != root:
            return one.moved([point - (root + 1) for point in image[:root]])
    return None


def why_none(net: GroundNet, images: Mapping[str, str]) -> str:
    """Return a reason why there is no symmetry with these images of labels: two labels whose arcs
    differ, or else that no permutation of places fits."""
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
    members: list[_Alike] = field(default_factory=list)

    def moved(self, image: Sequence[int]) -> Automorphism:
        """Return the symmetry with these images of the points."""
        firings = list(range(len(self.net.firings)))
        labels: dict[str, str] = {}
        for number, alike in enumerate(self.members):
            other = self.members[image[self.first + number] - self.first]
            labels[alike.label] = other.label
            for firing, its_image in zip(alike.numbers, other.numbers, strict=True):
                firings[firing] = its_image
        return Automorphism(tuple(image[: self.first]), tuple(firings), labels)


class _Structure(RelationalStructure):
    """The structure of one net, or of two copies of it."""

    def __init__(self, copies: int) -> None:
        super().__init__(NET_FACTS, "the net", "transitions", copies)

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
            self.point(("place", net.initial[number], own, roles.of_place(name)))
        copy = _Copy(net, len(net.spots), [*joined.values()])
        for alike in copy.members:
            fixed = None if images is None else images.get(alike.label, alike.label)
            point = self.point(("transition", len(alike.numbers), fixed))
            for kind, row in zip(_KINDS, alike.arcs, strict=True):
                for place, count in row:
                    self.add_fact((kind, count), (point, start + place))
        return copy


_KINDS = ("takes", "puts", "below", "resets")


def _arcs(firing: Firing) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the arcs of a transition by their kinds, each with its place and weight, sorted."""
    resets = [(place, 0) for place in firing.resets]
    kinds = (firing.takes, firing.puts, firing.below, resets)
    return tuple(tuple(sorted(arcs)) for arcs in kinds)

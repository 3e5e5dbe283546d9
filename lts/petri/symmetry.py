"""Symmetries of a net: permutations of the colours of its classes or, of a net without colours, of
its labels.

A permutation of colours is a symmetry if it maps the transitions without variables to such
transitions, with the tokens that they take and put, and the initial marking to itself. The search
is for automorphisms of a relational structure, whose points are the colours: it has a relation for
the colours for which a transition occurs and, where a term is built by more than variables, for
those and the tokens of its arcs. Other arcs are preserved by every permutation of colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import lts._engine as _engine
from lts.base.bounds import NET_FACTS
from lts.petri.automorphisms import (
    Automorphism,
    Roles,
    automorphism_with,
    automorphisms,
    why_none,
)
from lts.petri.grounding import Firing, GroundNet
from lts.petri.net import (
    Class,
    Colour,
    Difference,
    Every,
    Product,
    Sort,
    Sum,
    Term,
    Times,
    Tuple,
    Variable,
    classes_in,
)
from lts.petri.process import Points, classes_of, labels_of, process_of
from lts.specification import codes
from lts.symmetry.labels.lift import lift_labels, refuse_idle
from lts.symmetry.permutation.cycles import orbits
from lts.symmetry.permutation.known import undecided
from lts.symmetry.permutation.notation import Element, Permutation
from lts.symmetry.relational import RelationalStructure
from lts.system.internal_labels import TAU

__all__ = ["NetAction", "action_of"]

Images = tuple[int, ...]
"""The image of each point."""


@dataclass(frozen=True, eq=False)
class NetAction:
    """Symmetries of a net, proven from its transitions.

    `images` are permutations of the `points`, `places` and `firings` those of the places and
    transitions without variables.
    """

    net: GroundNet
    order: int
    images: tuple[Images, ...]
    places: tuple[tuple[int, ...], ...]
    firings: tuple[tuple[int, ...], ...]
    has_total: bool = False
    """Whether the engine also has the number of all tokens."""
    proof: str = field(default="transitions", init=False)

    @cached_property
    def points(self) -> Points:
        """The colours of all classes, or the labels of a net without colours, if they move."""
        return Points(classes_of(self.net) if self._labels is None else [self._labels])

    @cached_property
    def _labels(self) -> Class | None:
        """The labels of a net without colours, if groups permute them."""
        return labels_of(self.net) if self.images else None

    @property
    def permutations(self) -> tuple[Permutation, ...]:
        """The permutations of the points."""
        return tuple(map(self._written, self.images))

    def at_limit(self) -> str:
        """Return a remark, or "", for the message that a limit stopped an exploration."""
        from lts.petri.unbounded import limit_remark

        return limit_remark(self.net)

    def written(self, images: Sequence[int]) -> str:
        """Return an element of the group, given by its images of the points, as text."""
        return str(self._written(images))

    def _written(self, images: Sequence[int]) -> Permutation:
        """Return a permutation in cycle notation; labels, and names that are no terms, are
        quoted."""
        names = self.points.names
        has_labels = self._labels is not None
        elements = [
            Element(name, quoted=has_labels or not _PLAIN.fullmatch(name)) for name in names
        ]
        return Permutation.of_images(images[: len(names)], elements)

    @property
    def of_labels(self) -> int:
        """The order of the group on the points alone: places may move while all labels are
        fixed."""
        if self._labels is None:
            return self.order
        return _engine.group_order(len(self._labels), self.images)

    @property
    def generators(self) -> tuple[Permutation, ...]:
        """The permutations that move some point."""
        return tuple(permutation for permutation in self.permutations if permutation.cycles)

    @property
    def orbits(self) -> list[list[str]]:
        """The sets of points that the group exchanges, without single ones, by name."""
        names = self.points.names
        found = orbits(len(names), self.images)
        return [[names[point] for point in orbit] for orbit in found if len(orbit) > 1]

    @property
    def classes(self) -> dict[str, str]:
        """The class of each point, by name."""
        names = self.points.names
        return {name: self.points.class_of(n).identifier for n, name in enumerate(names)}

    @property
    def engine(self) -> _engine.Process:
        """The net as an engine object."""
        return process_of(self.net, has_total=self.has_total, labels=self._labels)

    def preserving(self, roles: Roles) -> NetAction:
        """Return the action of those generators that preserve the roles; for a net with colours
        it is this one."""
        if self._labels is None:
            return self
        labels = self._labels.names
        places = [place for place, _ in self.net.spots]
        remaining = [
            number
            for number, (images, moved) in enumerate(zip(self.images, self.places, strict=True))
            if all(
                roles.of_label(labels[a]) == roles.of_label(labels[b]) for a, b in enumerate(images)
            )
            and all(
                roles.of_place(places[a]) == roles.of_place(places[b]) for a, b in enumerate(moved)
            )
        ]
        if len(remaining) == len(self.images):
            return self
        images, moved, firings = (
            tuple(of[number] for number in remaining)
            for of in (self.images, self.places, self.firings)
        )
        order = _order(len(labels), len(places), images, moved)
        return replace(self, order=order, images=images, places=moved, firings=firings)

    def by_identifier(self) -> NetAction:
        """Return the same symmetries of the net whose labels begin with identifiers."""
        net = replace(self.net, net=self.net.net.by_identifier())
        if self._labels is None:
            return replace(self, net=net)
        numbers = {name: number for number, name in enumerate(_points(net).names)}
        names = [net.net.transitions[firing.transition].label for firing in net.firings]
        images = []
        for firings in self.firings:
            moved = {numbers[names[one]]: numbers[names[it]] for one, it in enumerate(firings)}
            images.append(tuple(moved[point] for point in range(len(numbers))))
        return replace(self, net=net, images=tuple(images))

    @property
    def subject(self) -> GroundNet:
        """The net."""
        return self.net

    @property
    def summands(self) -> int:
        """The number of transitions without variables."""
        return len(self.net.firings)

    @property
    def shown(self) -> int | None:
        """None: all points are shown."""
        return None

    def given(self, proven: bool) -> tuple[Any, ...]:
        """Return the arguments of the engine's group, which can also be sent to other machines."""
        names = self.points.names
        values = [[self.points.first + point] for point in range(len(names))]
        total = (len(self.net.spots),) if self.has_total else ()
        generators = [
            codes.Moves(images, (*places, *total), firings, [])
            for images, places, firings in zip(self.images, self.places, self.firings, strict=True)
        ]
        return values, names, generators, [], [proven] * len(self.net.firings)


def action_of(
    net: GroundNet,
    permutations: Sequence[Permutation] | None = None,
    *,
    roles: Roles | None = None,
) -> NetAction:
    """Return the given symmetries of a net, or all that permute the colours within classes; of a
    net without colours, those of its places and transitions, given as permutations of labels.

    All symmetries of a net without colours preserve the roles. Raises `NotProven` with
    the reason if a permutation is not a symmetry of the transitions, and `LimitReached` if the net
    is too large to search.
    """
    points = _points(net)
    if labels_of(net) is not None:
        return _without_colours(net, points, permutations, roles or Roles())
    if permutations is None:
        images, order = _found(net, points)
    else:
        images = [_images(points, permutation) for permutation in permutations]
        order = _engine.group_order(len(points.names), images) if images else 1
    places, firings = [], []
    for number, image in enumerate(images):
        moved = _Moved(net, points, image)
        if moved.broken is not None:
            if permutations is None:
                raise RuntimeError(f"a permutation that was found is no symmetry: {moved.broken}")
            raise undecided(permutations[number], missing=moved.broken, which=number)
        places.append(moved.places)
        firings.append(moved.firings)
    return NetAction(net, order, tuple(images), tuple(places), tuple(firings))


def _points(net: GroundNet) -> Points:
    labels = labels_of(net)
    return Points(classes_of(net) if labels is None else [labels])


def _without_colours(
    net: GroundNet, points: Points, permutations: Sequence[Permutation] | None, roles: Roles
) -> NetAction:
    """Return the action of symmetries of a net without colours."""
    found: list[Automorphism] = []
    order = 0
    if permutations is None:
        found, order = automorphisms(net, roles)
    else:
        visible = [name for name in points.names if name != TAU]
        for number, permutation in enumerate(permutations):
            moved = lift_labels(permutation, visible)
            refuse_idle(permutation, visible)
            pairs = moved.items()
            broken = next((a for a, b in pairs if roles.of_label(a) != roles.of_label(b)), None)
            one = None if broken is not None else automorphism_with(net, moved, roles)
            if one is None:
                missing = why_none(net, moved)
                if broken is not None:
                    missing = f"`{broken}` and `{moved[broken]}` have other roles"
                elif automorphism_with(net, moved, Roles()) is not None:
                    missing = "places that it exchanges have other roles"
                raise undecided(permutation, missing=missing, which=number)
            found.append(one)
    images = tuple(_on_labels(points, one) for one in found)
    places = tuple(one.places for one in found)
    order = order or _order(len(points.names), len(net.spots), images, places)
    return NetAction(net, order, images, places, tuple(one.firings for one in found))


def _order(labels: int, places: int, images: Sequence[Images], moved: Sequence[Images]) -> int:
    """Return the order of a group that permutes labels and places."""
    both = [
        (*image, *(labels + place for place in other))
        for image, other in zip(images, moved, strict=True)
    ]
    return _engine.group_order(labels + places, both) if both else 1


def _on_labels(points: Points, one: Automorphism) -> Images:
    numbers = {name: number for number, name in enumerate(points.names)}
    return tuple(numbers[one.labels[name]] for name in points.names)


class _Moved:
    """The images of places and transitions under a permutation of colours; `broken` describes a
    place or transition without an image."""

    def __init__(self, net: GroundNet, points: Points, images: Images) -> None:
        self.points, self.image_of = points, images
        self.broken: str | None = None
        self.places: tuple[int, ...] = ()
        self.firings: tuple[int, ...] = ()
        sorts = {name: place.sort for name, place in net.net.places.items()}
        numbers = {spot: number for number, spot in enumerate(net.spots)}
        found = []
        for number, (place, colour) in enumerate(net.spots):
            image = numbers.get((place, self.colour(colour, sorts[place])))
            if image is None or net.initial[image] != net.initial[number]:
                shown = sorts[place].shown(colour)
                other = sorts[place].shown(self.colour(colour, sorts[place]))
                self.broken = f"`{place}` holds `{shown}` at other times than `{other}`"
                if image is not None:
                    self.broken = (
                        f"`{place}` holds {net.initial[number]} of `{shown}` initially, and "
                        f"{net.initial[image]} of `{other}`"
                    )
                return
            found.append(image)
        self.places = tuple(found)
        keys = {(f.transition, f.colours): number for number, f in enumerate(net.firings)}
        moved = []
        for firing in net.firings:
            transition = net.net.transitions[firing.transition]
            pairs = zip(transition.variables, firing.colours, strict=True)
            colours = tuple(self.colour(colour, variable.sort) for variable, colour in pairs)
            image = keys.get((firing.transition, colours))
            if image is None or self.arc_images(firing) != _arcs(net.firings[image]):
                own = _shown(transition.label, transition.variables, firing.colours)
                other = _shown(transition.label, transition.variables, colours)
                self.broken = f"`{own}` occurs, and `{other}` does not"
                if image is not None:
                    self.broken = f"`{other}` moves other tokens than the images of `{own}`"
                return
            moved.append(image)
        self.firings = tuple(moved)

    def colour(self, colour: Colour, sort: Sort) -> Colour:
        """Return the image of a colour."""
        if isinstance(sort, Product):
            assert isinstance(colour, tuple)
            return tuple(self.colour(c, s) for c, s in zip(colour, sort.factors, strict=True))
        first = self.points.numbers.get(sort)
        if first is None:
            return colour
        assert isinstance(colour, int)
        return self.image_of[first + colour] - first

    def arc_images(self, firing: Firing) -> list[list[tuple[int, int]]]:
        """Return the images of the places in `_arcs`."""
        arcs = _arcs(firing)
        return [sorted((self.places[place], count) for place, count in row) for row in arcs]


def _arcs(firing: Firing) -> list[list[tuple[int, int]]]:
    """Return the arcs of a transition by their kinds: pairs of a place and a number of tokens."""
    resets = [(place, 0) for place in firing.resets]
    return [[*row] for row in (firing.takes, firing.puts, firing.below, resets)]


def _shown(name: str, variables: Sequence[Variable], colours: Sequence[Colour]) -> str:
    pairs = zip(variables, colours, strict=True)
    shown = ",".join(variable.sort.shown(colour) for variable, colour in pairs)
    return f"{name}({shown})" if shown else name


def _images(points: Points, permutation: Permutation) -> Images:
    """Return a permutation of colours, given by their names."""
    for part, what in ((permutation.where, "in"), (permutation.maps, "with")):
        if part:
            raise permutation.error(f"a symmetry of a net has no `{what}`", what)
    numbers = {name: number for number, name in enumerate(points.names)}
    images = list(range(len(numbers)))
    for one, other in permutation.images.items():
        for element in (one, other):
            if element.text not in numbers:
                raise permutation.error(f"the net has no colour `{element.text}`", element.text)
        here, there = numbers[one.text], numbers[other.text]
        if points.class_of(here) != points.class_of(there):
            raise permutation.error(f"`{one}` and `{other}` are of two classes", one.text)
        images[here] = there
    return tuple(images)


_PLAIN = re.compile(r"[\w.'-]+")


def _found(net: GroundNet, points: Points) -> tuple[list[Images], int]:
    """Return generators of the group of all symmetries that preserve classes, and its order."""
    structure = RelationalStructure(NET_FACTS, "the net", "colours")
    for number in range(len(points.names)):
        structure.point(points.class_of(number).identifier)
    for relation, row in _facts(net, points):
        if row:
            structure.add_fact(relation, row)
    return structure.automorphisms()


Fact = tuple[object, list[int]]


def _facts(net: GroundNet, points: Points) -> Iterator[Fact]:
    """Yield the facts that symmetries must preserve: relations of points."""
    places = net.net.places
    for identifier, place in places.items():
        for colour, count in place.tokens.items():
            yield ("holds", identifier, count), _row(points, place.sort, colour)
    by_transition: dict[int, list[int]] = {}
    for number, firing in enumerate(net.firings):
        by_transition.setdefault(firing.transition, []).append(number)
    for which, numbers in by_transition.items():
        transition = net.net.transitions[which]
        size = 1
        for variable in transition.variables:
            size *= len(variable.sort)
        arcs = [*transition.takes, *transition.puts]
        is_plain = all(_is_equivariant(arc.term, places[arc.place].sort) for arc in arcs)
        if is_plain and size == len(numbers):
            continue
        for number in numbers:
            firing = net.firings[number]
            pairs = zip(transition.variables, firing.colours, strict=True)
            row = [p for variable, colour in pairs for p in _row(points, variable.sort, colour)]
            yield ("occurs", which), row
            if is_plain:
                continue
            for direction, tokens in (("takes", firing.takes), ("puts", firing.puts)):
                for spot, count in tokens:
                    name, colour = net.spots[spot]
                    inside = _row(points, places[name].sort, colour)
                    yield (direction, which, name, count), [*row, *inside]


def _row(points: Points, sort: Sort, colour: Colour) -> list[int]:
    """Return the points in a colour."""
    if isinstance(sort, Product):
        assert isinstance(colour, tuple)
        pairs = zip(sort.factors, colour, strict=True)
        return [point for factor, part in pairs for point in _row(points, factor, part)]
    first = points.numbers.get(sort)
    assert isinstance(colour, int)
    return [] if first is None else [first + colour]


def _is_equivariant(term: Term, sort: Sort) -> bool:
    """Whether every permutation of colours maps the value of a term, as tokens of a place of a
    sort, to that for the images. Terms may be of another class with the same colours, which has
    permutations of its own."""
    match term:
        case Variable() | Every():
            return classes_in(term.sort) == classes_in(sort)
        case Tuple(parts):
            assert isinstance(sort, Product)
            return all(map(_is_equivariant, parts, sort.factors))
        case Sum(terms):
            return all(_is_equivariant(inner, sort) for inner in terms)
        case Difference(one, other):
            return _is_equivariant(one, sort) and _is_equivariant(other, sort)
        case Times(_, inside):
            return _is_equivariant(inside, sort)
    return isinstance(term.sort, Class) and len(term.sort) == 1

"""Upper bounds on the symmetries of a system, from its first states.

A symmetry fixes the initial state, so it permutes the states at each distance from it. The states
up to some distance, with the steps between them, are explored; loops are added whose labels are the
values of the parameters of a state and of the elements of its arrays. A symmetry that acts on
states as the data say is a symmetry of this labelled transition system, in which parameters are
data, too: they may move to others of their sort. If all states were explored, the converse holds up
to the summands of the process. Otherwise there may be more symmetries than those of the system.

Labels alone bound all symmetries, whatever they do to states, but only those of data in labels.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import lts._engine as _engine
from lts.equivalence import minimise
from lts.errors import LtsError
from lts.linear.control_state import Guard
from lts.linear.process import LinearProcess, Summand
from lts.linear.sort_values import SortValues
from lts.specification.label_terms import LabelTerms, TypedAction
from lts.specification.specification import Application, Term
from lts.state_space.generation import explore
from lts.state_space.settings import Limits, Settings
from lts.symmetry.data.arrays import array_maps, partial_maps
from lts.symmetry.data.find.automorphisms import order
from lts.symmetry.data.find.facts import Facts
from lts.symmetry.permutation.cycles import Images
from lts.system.lts import LTS

__all__ = ["FirstStates", "ShownGroup", "UpperBound", "bound_of"]

SIZES = (300, 5_000)
"""How many states are explored at most: first few, then more if these leave something open."""
_MOST_TEXT = 1 << 20
"""Most characters of all labels that are read: a second of work. The numbers of unary terms grow
with the distance, and the text of all with its square."""
_MOST_CHOICES = 10_000
"""Most choices of the search for symmetries."""
_CONTENT = "#"
"""The first character of the actions of loops, whose labels are the values of a state."""

Node = tuple[str, int]
"""A kind of data, and a number: a point, or a parameter of the process."""
Label = tuple[object, tuple[Node, ...]]
"""What symmetries fix of a label, and the data that they move."""
Meanings = list[tuple[TypedAction, ...]]
"""The actions of the labels of one text."""


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """A group of permutations of those points that occur in the explored states."""

    generators: tuple[Images, ...]
    points: frozenset[int]

    def part(self, images: Images) -> Images:
        """Return the restriction of a permutation to the points; it fixes all others."""
        return tuple(image if point in self.points else point for point, image in enumerate(images))


class FirstStates:
    """The states of a process up to some distance from the initial one.

    At most `most` states are explored. `is_whole` says whether these are all states. With `sorts`,
    only permutations of their values are considered.
    """

    def __init__(
        self,
        process: LinearProcess,
        facts: Facts,
        limits: Limits,
        *,
        most: int,
        sorts: Collection[str] | None = None,
    ) -> None:
        self.process = process
        self.facts = facts
        self.sorts = sorts
        self.numbers = {point: number for number, point in enumerate(facts.points)}
        self.sort_values = SortValues(process)
        self.meanings: Mapping[str, Meanings] = {}
        """The actions of each label."""
        self.unset = {*process.unset.values()}
        self.moving = {point.sort for point in facts.points[: facts.own]}
        known = array_maps(process.specification, self.moving)
        self.arrays = {sort: pairs[0][0] for sort, pairs in known.items() if len(pairs) == 1}
        self.system: LTS | None = None
        self.is_whole = False
        most = most if limits.states is None else min(most, limits.states)
        shown = replace(process, summands=(*process.summands, *self.contents()))
        try:
            found = explore(shown, Settings(limits=replace(limits, states=most)))
        except LtsError:
            return
        if found.incomplete == "interrupted":
            raise KeyboardInterrupt
        if found.lts is None or found.incomplete not in (None, "states"):
            return
        if sum(map(len, found.lts.labels)) > _MOST_TEXT:
            return
        origin = found.lts._origin
        assert isinstance(origin, LabelTerms)
        self.meanings = origin.meanings
        self.is_whole = found.incomplete is None
        self.system = found.lts if self.is_whole else _near(found.lts, found.statistics.explored)

    def contents(self) -> Iterator[Summand]:
        """Yield the loops of a state whose labels are its values.

        Values that are neither arrays nor built by constructors without equations are left out,
        as it is not known which part of them a permutation moves.
        """
        specification = self.process.specification
        for number, parameter in enumerate(self.process.parameters):
            variable = parameter.variable
            get = self.arrays.get(variable.sort)
            if get is None:
                if self.is_plain(variable.sort):
                    yield _saying(f"{_CONTENT}{number}", (variable,))
                continue
            if not self.is_plain(get.sort):
                continue
            partial = partial_maps(specification, get)
            for index, point in enumerate(self.facts.points):
                if point.sort == get.arguments[1]:
                    element = Application(get, (variable, point))
                    guards: tuple[Guard, ...] = ()
                    if partial is not None:
                        guards = (Guard(Application(partial[0], (variable, point)), True),)
                    yield _saying(f"{_CONTENT}{number}.{index}", (element,), guards)

    def is_plain(self, sort: str) -> bool:
        """Whether permuting the constants in a value of a sort gives its image."""
        inside = self.sort_values.inside([sort])
        if self.moving.isdisjoint(inside):
            return True
        return all(each not in self.arrays and self.sort_values.are_free(each) for each in inside)

    @cached_property
    def of_contents(self) -> ShownGroup | None:
        """The permutations that are symmetries of the explored states with their contents; None if
        they are not known."""
        return None if self.system is None else self._symmetries(self.system)

    @cached_property
    def of_labels(self) -> ShownGroup | None:
        """The permutations of the data in labels that are symmetries of the explored states; None
        if they are not known."""
        if self.system is None:
            return None
        own = [not label.startswith(_CONTENT) for label in self.system.labels]
        return self._symmetries(_some_labels(self.system, own))

    def _symmetries(self, system: LTS) -> ShownGroup | None:
        least = minimise(system, "strong")
        counts = least.label_counts()
        least = _some_labels(least, [counts[label] > 0 for label in least.labels])
        internal = {*least.internal}
        labels: list[Label] = [
            ("internal", ()) if label in internal else self.read(label) for label in least.labels
        ]
        return self._shown(least, labels)

    def _shown(self, system: LTS, labels: Sequence[Label]) -> ShownGroup | None:
        colours: dict[object, int] = {}
        nodes: dict[Node, int] = {}
        label_colours = [colours.setdefault((kind, len(own)), len(colours)) for kind, own in labels]
        arguments = [[[nodes.setdefault(node, len(nodes)) for node in own]] for _, own in labels]
        node_colours = [colours.setdefault(self._kind(node), len(colours)) for node in nodes]
        found = _engine.symmetries_of_lts(
            system._engine, label_colours, arguments, node_colours, _MOST_CHOICES
        )
        if found is None:
            return None
        moved = []
        for image in found[0]:
            points = [*range(len(self.facts.points))]
            for (_, own), number in zip(labels, image, strict=True):
                for (kind, point), (_, other) in zip(own, labels[number][1], strict=True):
                    if kind == "point":
                        points[point] = other
            moved.append(tuple(points))
        identity = tuple(range(len(self.facts.points)))
        generators = tuple(images for images in dict.fromkeys(moved) if images != identity)
        return ShownGroup(generators, frozenset(point for kind, point in nodes if kind == "point"))

    def _kind(self, node: Node) -> object:
        kind, number = node
        if kind == "parameter":
            return kind, self.process.parameters[number].variable.sort
        sort = self.facts.points[number].sort
        is_own = number < self.facts.own
        if is_own and self.sorts is not None and sort not in self.sorts:
            return node  # fixed
        return kind, sort, is_own

    def read(self, label: str) -> Label:
        """Return what symmetries fix of a label, and the data that they move.

        Nothing is known of the data in multi-actions, whose actions have no order, and in labels of
        one text that differ.
        """
        meanings = self.meanings[label]
        if len(meanings) != 1:
            return ("labels", len(meanings)), ()
        [actions] = meanings
        if len(actions) != 1:
            return ("label", *sorted(action.name for action in actions)), ()
        [action] = actions
        if label.startswith(_CONTENT):
            first, _, index = action.name[len(_CONTENT) :].partition(".")
            nodes: tuple[Node, ...] = (("parameter", int(first)),)
            if index:
                nodes += (("point", int(index)),)
            kind, points = self.value(action.arguments[0])
            return ("content", bool(index), kind), nodes + points
        kinds: list[object] = [action.name, action.sorts]
        found: list[Node] = []
        for argument in action.arguments:
            kind, points = self.value(argument)
            kinds.append(kind)
            found += points
        return ("label", *kinds), tuple(found)

    def value(self, term: Application) -> tuple[object, tuple[Node, ...]]:
        """Return the form of a value, in which points are left out, and the points."""
        sort = term.sort
        if term in self.unset or self.moving.isdisjoint(self.sort_values.inside([sort])):
            return term, ()
        if not self.is_plain(sort):
            return None, ()
        form: list[object] = []
        points: list[Node] = []
        waiting: list[Term] = [term]
        while waiting:
            part = waiting.pop()
            assert isinstance(part, Application)
            number = self.numbers.get(part)
            if number is None:
                form.append(part.function)
                waiting += reversed(part.arguments)
            else:
                form.append(part.sort)
                points.append(("point", number))
        return tuple(form), tuple(points)


@dataclass(frozen=True, slots=True)
class UpperBound:
    """Groups that contain all symmetries: of the first states with their `contents`, and of their
    `labels`; None if they are not known.

    A permutation that is proven from orbits is in the first group; one that is proven on the whole
    system moves labels, and is in the second one.
    """

    facts: Facts
    contents: ShownGroup | None
    labels: ShownGroup | None
    states: int
    is_whole: bool

    def allows(self, images: Images) -> bool:
        """Whether a permutation may be a symmetry."""
        if _is_in(self.facts, images, self.contents):
            return True
        return self.moves_labels(images) and _is_in(self.facts, images, self.labels)

    def refutes(self, images: Images) -> bool:
        """Whether a permutation is no symmetry under any action on states."""
        return self.moves_labels(images) and not _is_in(self.facts, images, self.labels)

    def moves_labels(self, images: Images) -> bool:
        """Whether a permutation moves data in a label of the explored states."""
        return self.labels is None or any(images[p] != p for p in self.labels.points)

    def is_reached(self, generators: Sequence[Images]) -> bool:
        """Whether a group contains all permutations that the bound allows."""
        return all(
            shown is not None and _contains(self.facts, generators, shown)
            for shown in (self.contents, self.labels)
        )


def bound_of(
    process: LinearProcess,
    facts: Facts,
    known: Sequence[Images],
    limits: Limits,
    sorts: Collection[str] | None = None,
) -> UpperBound:
    """Return a bound on the symmetries of a process; more states are explored while it allows more
    than the `known` group."""
    bound = UpperBound(facts, None, None, 0, is_whole=False)
    for most in SIZES:
        states = FirstStates(process, facts, limits, most=most, sorts=sorts)
        if states.system is None:
            continue
        count, is_whole = states.system.state_count, states.is_whole
        bound = UpperBound(facts, states.of_contents, states.of_labels, count, is_whole=is_whole)
        if is_whole or bound.is_reached(known):
            break
    return bound


def _is_in(facts: Facts, images: Images, shown: ShownGroup | None) -> bool:
    """Whether a permutation, restricted to the points of a group, is one of its elements."""
    if shown is None:
        return True
    if any(images[point] not in shown.points for point in shown.points):
        return False
    return order(facts, [*shown.generators, shown.part(images)]) == order(facts, shown.generators)


def _contains(facts: Facts, generators: Sequence[Images], shown: ShownGroup) -> bool:
    """Whether some permutations generate all that a group does to its points."""
    own = [shown.part(images) for images in generators]
    return order(facts, [*own, *shown.generators]) == order(facts, own)


def _saying(name: str, terms: tuple[Term, ...], guards: tuple[Guard, ...] = ()) -> Summand:
    return Summand((), guards, (), name, terms, (), (), ((1, 1),))


def _transitions(system: LTS) -> Iterator[tuple[int, int, int]]:
    """Yield the source, label and target of each transition. The systems are small, and numpy takes
    longer to load."""
    parts = system._engine
    columns = (memoryview(c).cast("B").cast("I") for c in (parts.source, parts.label, parts.target))
    return zip(*columns, strict=True)


def _some_labels(system: LTS, chosen: Sequence[bool]) -> LTS:
    """Return a system with the chosen labels and their transitions alone."""
    numbers = [number for number, is_chosen in enumerate(chosen) if is_chosen]
    new = {number: at for at, number in enumerate(numbers)}
    transitions = [(s, new[label], t) for s, label, t in _transitions(system) if label in new]
    labels = [system.labels[number] for number in numbers]
    return _of_transitions(system, transitions, labels, system.initial, system.state_count)


def _near(system: LTS, explored: int) -> LTS | None:
    """Return the states up to the greatest distance at which all are explored, with the steps
    between them; None if this is the initial state alone. The first `explored` states are."""
    after: dict[int, set[int]] = {}
    for source, _, target in _transitions(system):
        after.setdefault(source, set()).add(target)
    inside: dict[int, None] = {}
    level = {system.initial}
    while level and all(state < explored for state in level):
        inside |= dict.fromkeys(sorted(level))
        level = {target for state in level for target in after.get(state, ())} - inside.keys()
    if len(inside) < 2:
        return None
    numbers = {state: number for number, state in enumerate(inside)}
    transitions = [
        (numbers[source], label, numbers[target])
        for source, label, target in _transitions(system)
        if source in numbers and target in numbers
    ]
    return _of_transitions(
        system, transitions, system.labels, numbers[system.initial], len(numbers)
    )


def _of_transitions(
    system: LTS,
    transitions: Sequence[tuple[int, int, int]],
    labels: Sequence[str],
    initial: int,
    states: int,
) -> LTS:
    """Return a part of a system, with the same internal labels."""
    source, label, target = (array("I", (row[at] for row in transitions)) for at in range(3))
    found = LTS.from_columns(source, label, target, labels, initial, states)
    return found.with_internal(system.internal)

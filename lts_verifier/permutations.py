"""Permutations of labels and states, the groups that they generate, and their orbits."""

# ruff: noqa: B905, D102, D103
from collections import defaultdict

from lts_verifier.systems import Unreadable, closure, is_number, require, spend

MOST_PLACES = 10_000_000
"""Limit on the size of a group's table: its order times the points that distinguish its
elements."""


def permutation(pairs, internal):
    """Return the images of labels; require a permutation that fixes internal labels."""
    for pair in pairs:
        fine = isinstance(pair, list) and len(pair) == 2 and all(isinstance(a, str) for a in pair)
        require(fine, "no pair of labels")
    labels = dict(pairs)
    require(len(labels) == len(pairs), "a label has two images")
    require(set(labels) == set(labels.values()), "the labels are not permuted")
    require(all(labels.get(a, a) == a for a in internal), "an internal label moves")
    return labels


def automorphism(generator, system, reachable, internal):
    """Require that a permutation of labels and one of the reachable states preserve the
    transitions; return both in one table."""
    labels = permutation(generator["labels"], internal)
    images = generator["states"]
    require(len(images) == system.count, "not an image for every state")
    states = {s: images[s] for s in reachable}
    require(all(is_number(t, system.count) for t in states.values()), "an image is no state")
    require(set(states.values()) == reachable, "the reachable states are not permuted")
    require(states[system.initial] == system.initial, "the initial state moves")
    rows = {row for row in system.rows if row[0] in reachable}
    require(
        set(labels) <= {a for _, a, _ in rows},
        "a label that moves does not occur at a reachable state",
    )
    moved = {(states[s], labels.get(a, a), states[t]) for s, a, t in rows}
    require(moved == rows, "a transition has no image, or is not an image")
    return states | labels


class Turns:
    """The cycles of a permutation, for computing its powers."""

    def __init__(self, images):
        self.places = {}
        for first in images:
            cycle, at = [], first
            while at not in self.places:
                self.places[at] = cycle, len(cycle)
                cycle.append(at)
                at = images[at]

    def power(self, point, times):
        cycle, place = self.places[point]
        return cycle[(place + times) % len(cycle)]


def product(turns, word, point):
    spend(1 + len(word))
    for number, times in word:
        point = turns[number].power(point, times)
    return point


def base(system, reachable, generators):
    """Return points such that only the identity fixes all of them: the labels that move, and of the
    new states that are reached by one label from a known state, all that move except the first."""
    moved = {x for g in generators for x, image in g.items() if x != image}
    points = [x for x in moved if isinstance(x, str)]
    after = defaultdict(lambda: defaultdict(set))
    for s, a, t in system.rows:
        after[s][a].add(t)
    known, waiting = {system.initial}, [system.initial]
    for s in waiting:
        for targets in after[s].values():
            new = sorted(targets - known)
            points += [t for t in new[1:] if t in moved]
            known.update(new)
            waiting += new
    if len(generators) == 1:  # if a power fixes a point, it fixes the whole cycle
        places = Turns(generators[0]).places
        points = [x for x, (_, place) in places.items() if place == 0 and x in moved]
    return tuple(points)


def elements(generators, points):
    """Return the order of a group, and for each generator its products with all elements, which are
    numbered from 0 (the identity)."""
    numbers, images = {points: 0}, [[] for _ in generators]
    for element in (waiting := [points]):
        for generator, column in zip(generators, images):
            image = tuple(generator.get(x, x) for x in element)
            if image not in numbers:
                numbers[image] = len(numbers)
                waiting.append(image)
                if len(numbers) * (8 + len(points)) > MOST_PLACES:
                    raise Unreadable("the group is too large to be verified here")
            column.append(numbers[image])
    return len(numbers), [Turns(dict(enumerate(column))) for column in images]


def joined(items, images):
    """Return the orbit of every item under permutations, named by its first member."""
    home = {}
    for item in items:
        if item not in home:
            for member in closure({item}, lambda x: (image(x) for image in images)):
                home[member] = item
    return home

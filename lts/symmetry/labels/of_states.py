"""Which symmetries of labels are symmetries of the states as well.

A permutation of labels under which a system is bisimilar to itself need not go with one of its
states: how often a behaviour occurs may differ. Those that do are a subgroup.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lts import _engine
from lts.errors import LimitReached, NotSymmetric
from lts.symmetry.labels.automorphism import NODE_LIMIT, check, reachable_labels
from lts.symmetry.labels.detection import Detection, detection
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.cycles import Images
from lts.system import LTS

__all__ = ["OfStates", "symmetries_of_states"]

MOST = 200
"""Permutations that automorphisms are looked for with, beyond the generators."""

ELEMENTS = 5000
"""Elements of a group among which these are."""


@dataclass(frozen=True, slots=True)
class OfStates:
    """The symmetries of states among others; all of them, if `complete`."""

    found: Detection
    complete: bool


def symmetries_of_states(
    system: LTS, among: Detection, *, node_limit: int = NODE_LIMIT
) -> OfStates:
    """Return those of a group of symmetries of labels that automorphisms of the states go with.

    `among` is what `find` has found modulo an equivalence. Where its generators are not enough,
    its elements are looked at one by one, up to `MOST`.
    """
    labels = reachable_labels(system)
    numbers = {label: number for number, label in enumerate(labels)}
    generators = []
    for permutation in among.generators:
        images = lift_labels(permutation, labels, system.internal)
        generators.append(tuple(numbers[images[label]] for label in labels))
    by_images = dict(zip(generators, among.generators, strict=True))
    parsed = {
        label: None
        if label in system.internal or any(e.quoted for g in among.generators for e in g.images)
        else parse_label(label)
        for label in labels
    }

    def is_one(images: Images) -> bool:
        permutation = by_images.get(images) or detection([images], labels, parsed).generators[0]
        try:
            check(system, permutation, node_limit=node_limit)
        except (NotSymmetric, LimitReached):
            return False
        return True

    known = [images for images in generators if is_one(images)]
    whole = _engine.group_order(len(labels), generators)
    looked_at, complete = 0, True
    if _engine.group_order(len(labels), known) < whole:
        refused = [images for images in generators if images not in known]
        for number, element in enumerate(_elements(generators)):
            own = _engine.group_order(len(labels), known)
            if own == whole:
                break
            # Nothing is new of what is in the group, or one that was refused times what is.
            others = [element, *(_after(_inverse(other), element) for other in refused)]
            if any(_engine.group_order(len(labels), [*known, one]) == own for one in others):
                continue
            if looked_at == MOST or number == ELEMENTS:
                complete = False
                break
            looked_at += 1
            (known if is_one(element) else refused).append(element)
    return OfStates(detection(known, labels, parsed), complete)


def _elements(generators: Sequence[Images]) -> Iterator[Images]:
    """Yield the elements of a group but the identity, products of few generators first."""
    identity = tuple(range(len(generators[0])))
    seen, waiting = {identity}, deque([identity])
    while waiting:
        element = waiting.popleft()
        for generator in generators:
            product = _after(generator, element)
            if product not in seen:
                seen.add(product)
                waiting.append(product)
                yield product


def _after(second: Images, first: Images) -> Images:
    return tuple(second[image] for image in first)


def _inverse(images: Images) -> Images:
    found = [0] * len(images)
    for place, image in enumerate(images):
        found[image] = place
    return tuple(found)

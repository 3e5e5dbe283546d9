"""Which symmetries of labels are symmetries of the states as well.

Under a permutation of labels a system may be bisimilar to its image although no permutation of
states matches, because behaviour occurs in different numbers of copies. The permutations of labels
with a matching permutation of states form a subgroup.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import lts._engine as _engine
from lts.base.bounds import CHOICES, STATE_PERMUTATIONS
from lts.base.label_names import normal
from lts.errors import LimitReached, NotSymmetric
from lts.symmetry.labels.automorphism import check, reachable_labels
from lts.symmetry.labels.detection import Detection, detection
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.cycles import Images, composed, inverse
from lts.system.lts import LTS

__all__ = ["OfStates", "symmetries_of_states"]

ELEMENTS = 5000
"""Most elements of the group from which these are chosen."""


@dataclass(frozen=True, slots=True)
class OfStates:
    """The symmetries of states found within a group; all of them, if `complete`."""

    found: Detection
    complete: bool


def symmetries_of_states(
    system: LTS, among: Detection, *, node_limit: int = CHOICES.default
) -> OfStates:
    """Return the members of a group of symmetries of labels that are induced by automorphisms.

    `among` is the result of `find` modulo an equivalence. If its generators do not decide it, its
    elements are tried one by one, up to `STATE_PERMUTATIONS`.
    """
    system = system._with_distinct_labels()
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
        else parse_label(normal(label))
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
            # Skip elements of the known group, and products of a refused element with one of the
            # known group.
            others = [element, *(composed(inverse(other), element) for other in refused)]
            if any(
                _engine.group_order(len(labels), [*known, generator]) == own for generator in others
            ):
                continue
            if looked_at == STATE_PERMUTATIONS.default or number == ELEMENTS:
                complete = False
                break
            looked_at += 1
            (known if is_one(element) else refused).append(element)
    return OfStates(detection(known, labels, parsed), complete)


def _elements(generators: Sequence[Images]) -> Iterator[Images]:
    """Yield the elements of a group except the identity, products of few generators first."""
    identity = tuple(range(len(generators[0])))
    seen, waiting = {identity}, deque([identity])
    while waiting:
        element = waiting.popleft()
        for generator in generators:
            product = composed(generator, element)
            if product not in seen:
                seen.add(product)
                waiting.append(product)
                yield product

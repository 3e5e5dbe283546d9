"""The largest subgroup of a group of permutations of labels that preserves a property of labels.

The group moves the property, a function on labels, as it moves labels; the subgroup is the
stabiliser of the function, whose generators follow from its orbit (Schreier's lemma). The index of
the subgroup is the length of the orbit, so enough generators are known by the order that they
generate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import lts._engine as _engine
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.cycles import Images, composed, cycles, inverse
from lts.symmetry.permutation.notation import Permutation

__all__ = ["preserving"]

MOST = 1_000
"""Most images of the property; if there are more, only generators that preserve it are used."""


def preserving(
    generators: Sequence[Permutation], labels: Sequence[str], kind: Callable[[str], object]
) -> tuple[Permutation, ...]:
    """Return generators of the largest subgroup whose elements map each label to one of the same
    kind: the generators themselves if all do, the identity if no other element does.

    If generators move other parts of labels than others do, or if the orbit of `kind` is long, only
    generators that preserve it by themselves are used.
    """
    moved = [lift_labels(generator, labels) for generator in generators]
    names = list(dict.fromkeys([*labels, *(name for images in moved for name in images)]))
    kinds = {name: kind(name) for name in names}
    keep = [all(kinds[a] == kinds[b] for a, b in images.items()) for images in moved]
    if all(keep):
        return tuple(generators)
    if len({generator.where for generator in generators}) == 1:
        found = _stabiliser(generators, [kinds[name] for name in names], names, moved)
        if found is not None:
            return found
    remaining = (generator for generator, keeps in zip(generators, keep, strict=True) if keeps)
    return tuple(remaining) or (Permutation(()),)


def _stabiliser(
    generators: Sequence[Permutation],
    kinds: Sequence[object],
    names: Sequence[str],
    moved: Sequence[dict[str, str]],
) -> tuple[Permutation, ...] | None:
    """Return generators of the stabiliser of the kinds of labels; None if their orbit is long."""
    elements = list(
        dict.fromkeys(element for generator in generators for element in generator.images)
    )
    points = {element: number for number, element in enumerate(elements)}
    at = {name: number for number, name in enumerate(names)}
    on_points = [
        tuple(points[generator.images.get(e, e)] for e in elements) for generator in generators
    ]
    on_labels = [tuple(at[images.get(name, name)] for name in names) for images in moved]
    numbers: dict[object, int] = {}
    start = tuple(numbers.setdefault(kind, len(numbers)) for kind in kinds)
    # An element that leads from the first function to each other one.
    to: dict[Images, Images] = {start: tuple(range(len(elements)))}
    waiting = [start]
    steps = []
    for one in waiting:
        for by_point, by_label in zip(on_points, on_labels, strict=True):
            image = composed(one, inverse(by_label))
            element = composed(by_point, to[one])
            if image not in to:
                if len(to) == MOST:
                    return None
                to[image] = element
                waiting.append(image)
            else:
                steps.append((image, element))
    order = _engine.group_order(len(elements), on_points) // len(to)
    found: list[Images] = []
    known = 1
    for reached, element in steps:
        if known == order:
            break
        back = composed(inverse(to[reached]), element)
        grown = _engine.group_order(len(elements), [*found, back])
        if grown > known:
            found.append(back)
            known = grown
    where = generators[0].where
    return tuple(
        Permutation(tuple(tuple(elements[p] for p in cycle) for cycle in cycles(images)), where)
        for images in found
    ) or (Permutation(()),)

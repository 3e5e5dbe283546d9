"""Explains why a permutation of labels is no symmetry of a network: a vector has no image."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lts.network.network import TAU, Network, Vector
from lts.network.symmetry.structure import Copy, NetworkStructure

__all__ = ["vector_without_image", "witness"]


def witness(
    structure: NetworkStructure, one: Copy, other: Copy, network: Network, images: Mapping[str, str]
) -> str:
    """Return in words what distinguishes one copy of a network, relabelled, from the other.

    Colours are refined by neighbours, round by round; the explanation is the first vector that has
    no counterpart of its colour.
    """
    missing = [a for a in one.results if images.get(a, a) not in other.results]
    if missing:
        [first, *_] = missing
        return (
            f"`{first}` is the result of a vector, but its image `{images.get(first, first)}` "
            "is not"
        )
    colours = list(structure.colours)
    occurrences: list[list[tuple[int, int, Sequence[int]]]] = [[] for _ in colours]
    for relation, row in structure.facts:
        for place, point in enumerate(row):
            occurrences[point].append((relation, place, row))
    classes = 0
    while classes < len(set(colours)):
        classes = len(set(colours))
        numbers: dict[object, int] = {}
        colours = [
            numbers.setdefault(
                (
                    colours[point],
                    tuple(
                        sorted(
                            (relation, place, tuple(colours[each] for each in row))
                            for relation, place, row in occurrences[point]
                        )
                    ),
                ),
                len(numbers),
            )
            for point in range(len(colours))
        ]
        there = Counter(colours[point] for point in other.vectors)
        there.subtract(colours[point] for point in one.vectors)
        lost = [v for point, v in one.vectors.items() if there[colours[point]] < 0]
        if lost:
            # Prefer a vector whose result is fixed, since it is easier to check by hand.
            stays = (v for v in lost if images.get(v.result, v.result) == v.result)
            return vector_without_image(network, next(stays, lost[0]), images)
    there = Counter(colours[point] for point in other.components)
    there.subtract(colours[point] for point in one.components)
    for number, point in enumerate(one.components):
        if there[colours[point]] < 0:
            return (
                f"component {number + 1} ({network.names[number]}) cannot be exchanged with "
                "any other"
            )
    return (
        "each vector has candidates for its image, but no permutation of components matches "
        "them all"
    )


def vector_without_image(network: Network, vector: Vector, images: Mapping[str, str]) -> str:
    """Return in words that a vector has no image."""
    moves = dict(vector.moves)
    shown = " * ".join(
        f'"{system.labels[moves[k]]}"' if k in moves else "_"
        for k, system in enumerate(network.components)
    )
    if len(network.components) > _MOST:
        shown = ", ".join(
            f'"{network.components[k].labels[label]}" of component {k + 1}'
            for k, label in vector.moves
        )
    result = vector.result
    image = images.get(result, result)
    becomes = "an internal step" if result == TAU else f"`{image}`"
    return (
        f'the vector {shown} -> "{result}" has no image: no vector with result {becomes} matches it'
    )


_MOST = 8
"""Most components for which a vector is shown with all positions."""

"""Permutations of the numbers 0, 1, .., and their groups."""

from __future__ import annotations

from collections.abc import Sequence

import lts._engine as _engine

__all__ = ["Images", "composed", "cycle", "cycles", "fewer", "inverse", "orbits"]

Images = tuple[int, ...]
"""The image of each point."""


def cycle(points: int, moved: Sequence[int]) -> Images:
    """Return the cyclic permutation that moves each point in `moved` to the next, the last to the
    first."""
    images = list(range(points))
    for at, point in enumerate(moved):
        images[point] = moved[(at + 1) % len(moved)]
    return tuple(images)


def cycles(images: Sequence[int]) -> list[list[int]]:
    """Return the cycles of two or more points in order, each starting with its least point."""
    found = []
    seen: set[int] = set()
    for start, image in enumerate(images):
        if image == start or start in seen:
            continue
        one = [start]
        while images[one[-1]] != start:
            one.append(images[one[-1]])
        seen.update(one)
        found.append(one)
    return found


def composed(second: Sequence[int], first: Sequence[int]) -> Images:
    """Return the permutation that does `first` and then `second`."""
    return tuple(second[image] for image in first)


def fewer(points: int, generators: Sequence[Images]) -> tuple[Images, ...]:
    """Return at most two generators for each set that a group has all permutations of; the given
    ones if it is not a product of such groups."""
    families = _engine.symmetric_families(points, generators)
    if families is None:
        return tuple(generators)
    found = []
    for items in families:
        # The first two items are exchanged, and all are moved round.
        for moved in (items[:2], items)[: len(items) - 1]:
            images = list(range(points))
            for item, image in zip(moved, [*moved[1:], moved[0]], strict=True):
                for point, place in zip(item, image, strict=True):
                    images[point] = place
            found.append(tuple(images))
    return tuple(found)


def inverse(images: Sequence[int]) -> Images:
    """Return the inverse of a permutation."""
    found = [0] * len(images)
    for point, image in enumerate(images):
        found[image] = point
    return tuple(found)


def orbits(points: int, generators: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the orbits of points in order, including singletons."""
    found = []
    seen: set[int] = set()
    for start in range(points):
        if start in seen:
            continue
        seen.add(start)
        orbit = [start]
        for point in orbit:
            for images in generators:
                if images[point] not in seen:
                    seen.add(images[point])
                    orbit.append(images[point])
        found.append(sorted(orbit))
    return found

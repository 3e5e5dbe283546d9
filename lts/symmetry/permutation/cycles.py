"""Permutations of the numbers from 0 on: the image of each, and what they do to all of them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Images", "cycle", "cycles", "orbits"]

Images = tuple[int, ...]
"""The image of each point."""


def cycle(points: int, moved: Sequence[int]) -> Images:
    """Return the permutation that moves some points to the next of them, the last to the first."""
    images = list(range(points))
    for at, point in enumerate(moved):
        images[point] = moved[(at + 1) % len(moved)]
    return tuple(images)


def cycles(images: Sequence[int]) -> list[list[int]]:
    """Return the cycles of two points or more, each from its least point on, in order."""
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


def orbits(points: int, generators: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the orbits of points, single ones too, in order."""
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

"""Groups of permutations of a specification's constants that keep what its text says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lts import _engine
from lts.errors import Unsupported
from lts.symmetry.facts import Facts, Statement
from lts.symmetry.notation import Element, Permutation

__all__ = ["Candidates", "automorphisms", "cycle", "keeps", "orbits", "order", "written"]

Images = tuple[int, ...]
"""The image of each point."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """A group of permutations of the points: generators and order."""

    generators: tuple[Images, ...]
    order: int


def automorphisms(facts: Facts, statements: Iterable[Statement]) -> Candidates:
    """Return all permutations within sorts that keep the facts of some statements.

    Raises `Unsupported` if there are too many constants for groups of them.
    """
    relations: dict[str, int] = {}
    coded = [
        (relations.setdefault(relation, len(relations)), points)
        for statement in statements
        for relation, points in sorted(statement.facts)
    ]
    colours = [facts.sorts.index(point.sort) for point in facts.points]
    try:
        generators, number = _engine.relational_automorphisms(colours, coded)
    except MemoryError as error:
        raise Unsupported(f"the specification has too many constants: {error}") from None
    return Candidates(tuple(map(tuple, generators)), number)


def keeps(statement: Statement, images: Sequence[int]) -> bool:
    """Whether a permutation keeps the facts of a statement."""
    return all(
        (relation, tuple(images[point] for point in points)) in statement.facts
        for relation, points in statement.facts
    )


def order(facts: Facts, generators: Sequence[Sequence[int]]) -> int:
    """Return the order of the group that permutations generate."""
    return _engine.group_order(len(facts.points), generators)


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


def cycle(points: int, moved: Sequence[int]) -> Images:
    """Return the permutation that moves some points to the next of them, the last to the first."""
    images = list(range(points))
    for at, point in enumerate(moved):
        images[point] = moved[(at + 1) % len(moved)]
    return tuple(images)


def written(facts: Facts, images: Sequence[int]) -> Permutation:
    """Return a permutation of points as one of data."""
    cycles = []
    seen: set[int] = set()
    for start, image in enumerate(images):
        if start == image or start in seen:
            continue
        found = [start]
        while images[found[-1]] != start:
            found.append(images[found[-1]])
        seen.update(found)
        cycles.append(tuple(Element(str(facts.points[point])) for point in found))
    return Permutation(tuple(cycles))

"""Groups of permutations of a specification's constants that preserve the facts of its text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import lts._engine as _engine
from lts.errors import Unsupported
from lts.specification.specification import Application
from lts.symmetry.data.find.facts import Facts, Statement
from lts.symmetry.permutation.cycles import Images, cycles
from lts.symmetry.permutation.notation import Element, Permutation

__all__ = ["Candidates", "automorphisms", "keeps", "order", "written"]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Generators and order of a group of permutations of the points."""

    generators: tuple[Images, ...]
    order: int


def automorphisms(
    facts: Facts, statements: Iterable[Statement], sorts: Collection[str] | None = None
) -> Candidates:
    """Return all permutations within sorts that preserve the facts of some statements, for some
    permutation of the control states; with `sorts`, those that fix all points of other sorts.

    Companions move along if the other points determine how, and are fixed otherwise. Raises
    `Unsupported` if there are too many constants to compute with their groups.
    """
    relations: dict[str, int] = {}
    coded = [
        (relations.setdefault(relation, len(relations)), points)
        for statement in statements
        for relation, points in sorted(statement.facts)
    ]
    count = len(facts.points)
    mentioned = {point for _, points in coded for point in points}

    def moves(number: int, point: Application) -> bool:
        if number < facts.own:
            return sorts is None or point.sort in sorts
        return number in mentioned

    numbers: dict[tuple[str, bool] | int, int] = {}
    colours = [
        # Companions that nothing is said of are fixed. No other point moves to a companion.
        numbers.setdefault((of.sort, n < facts.own) if moves(n, of) else n, len(numbers))
        for n, of in enumerate(facts.points)
    ]
    colours += [len(numbers)] * facts.controls
    try:
        found, _ = _engine.relational_automorphisms(colours, coded)
    except OverflowError as error:
        raise Unsupported(f"the specification has too many constants: {error}") from None
    whole = dict.fromkeys(tuple(images[:count]) for images in found)
    size = order(facts, [*whole])
    if size < _engine.group_order(count, [*whole]):
        rest = tuple(range(facts.own, count))
        whole = dict.fromkeys((*images[: facts.own], *rest) for images in whole)
    whole.pop(tuple(range(count)), None)
    return Candidates(tuple(whole), size)


def keeps(statement: Statement, images: Sequence[int]) -> bool:
    """Whether a permutation preserves the facts of a statement, none of which may be about control
    states."""
    return all(
        (relation, tuple(images[point] for point in points)) in statement.facts
        for relation, points in statement.facts
    )


def order(facts: Facts, generators: Sequence[Sequence[int]]) -> int:
    """Return the order of the group that permutations generate; companions do not count."""
    return _engine.group_order(facts.own, [images[: facts.own] for images in generators])


def are_in_group(
    facts: Facts, generators: Sequence[Images], elements: Sequence[Images]
) -> list[bool]:
    """Return for each permutation whether it is in the group that others generate; companions do
    not count."""
    of_group, candidates = ([g[: facts.own] for g in each] for each in (generators, elements))
    return _engine.in_group(facts.own, of_group, candidates)


def written(facts: Facts, images: Sequence[int]) -> Permutation:
    """Convert a permutation of points into one of data."""
    return Permutation(
        tuple(
            tuple(Element(str(facts.points[point])) for point in moved) for moved in cycles(images)
        )
    )

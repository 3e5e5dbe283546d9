"""Relational structures, whose automorphisms are the symmetries of an object they describe."""

from __future__ import annotations

from collections.abc import Sequence

import lts._engine as _engine
from lts.base.bounds import Bound
from lts.errors import LimitReached

__all__ = ["RelationalStructure"]


class RelationalStructure:
    """Coloured points, and facts about them: tuples of relations.

    `subject` is what it describes, such as `the net`, and `exchanged` what automorphisms exchange,
    in the plural; both are for messages. The bound is on the number of facts of each of the
    `copies` of the subject.
    """

    def __init__(self, bound: Bound, subject: str, exchanged: str, copies: int = 1) -> None:
        self.bound, self.subject, self.exchanged = bound, subject, exchanged
        self.most = copies * bound.default
        self.colours: list[int] = []
        self.facts: list[tuple[int, Sequence[int]]] = []
        self._kinds: dict[object, int] = {}
        self._relations: dict[object, int] = {}

    def point(self, kind: object) -> int:
        """Return the number of a new point; points of one kind have the same colour."""
        self.colours.append(self._kinds.setdefault(kind, len(self._kinds)))
        return len(self.colours) - 1

    def add_fact(self, relation: object, points: Sequence[int]) -> None:
        """Add a fact: a relation holds of some points. Raises `LimitReached` for too many."""
        self.facts.append((self._relations.setdefault(relation, len(self._relations)), points))
        if len(self.facts) > self.most:
            raise self._limit(self.bound.exceeded(), self.bound.default)

    def automorphisms(self) -> tuple[list[tuple[int, ...]], int]:
        """Return generators of the group of all automorphisms, and its order.

        Each generator is verified against all colours and facts. Raises `LimitReached` if the group
        is too large to search.
        """
        try:
            found, order = _engine.relational_automorphisms(self.colours, self.facts)
        except OverflowError:
            message = f"too many {self.exchanged} that could be exchanged"
            raise self._limit(message, self.most) from None
        generators = [tuple(images) for images in found]
        # The search is not trusted.
        known = {(relation, *points) for relation, points in self.facts}
        facts_of: list[list[int]] = [[] for _ in self.colours]
        for number, (_, points) in enumerate(self.facts):
            for point in {*points}:
                facts_of[point].append(number)
        if not all(self._is_automorphism(images, facts_of, known) for images in generators):
            raise RuntimeError(f"a permutation of {self.subject} does not preserve all facts")
        return generators, order

    def _is_automorphism(
        self, images: Sequence[int], facts_of: list[list[int]], known: set[tuple[int, ...]]
    ) -> bool:
        """Return whether images preserve colours and the `known` facts, of which `facts_of` has
        the numbers for each point. Those without moved points are their own images."""
        moved = [point for point, image in enumerate(images) if point != image]
        facts = [self.facts[number] for number in {n for point in moved for n in facts_of[point]}]
        return (
            len(images) == len(self.colours)
            and sorted(images[point] for point in moved) == moved
            and all(self.colours[point] == self.colours[images[point]] for point in moved)
            and all(
                (relation, *(images[point] for point in points)) in known
                for relation, points in facts
            )
        )

    def _limit(self, message: str, limit: int) -> LimitReached:
        found = {"facts": len(self.facts)}
        return LimitReached(f"{self.subject} has {message}", limit=limit, found=found)

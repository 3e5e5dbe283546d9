"""Symmetries of a specification that nobody named: guessed from its text, and proven.

Permutations that keep all that the text says of constants are likely to be symmetries; those that
keep only what no symmetry can break may be. The certificate of an exploration decides: what it
refuses is left out, and what it has not proven is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from lts.errors import (
    LimitReached,
    LtsError,
    NotProven,
    NotSymmetric,
    SpecificationError,
    Unsupported,
)
from lts.linear.process import LinearProcess
from lts.state_space.generation import NO_LIMITS, Limits
from lts.symmetry.data.certify import Explored, count_orbits
from lts.symmetry.data.find.automorphisms import Candidates, automorphisms, keeps, order, written
from lts.symmetry.data.find.facts import Facts, facts_of
from lts.symmetry.permutation.cycles import Images, cycle, orbits
from lts.symmetry.permutation.notation import Permutation

__all__ = ["Found", "Proposal", "Refusal", "find_in_specification", "propose", "prove"]

TRIAL = 20_000
"""Orbits after which a trial of a permutation that the text does not suggest is given up."""
_TRIALS = 64
_FEW = 128
"""Orbits that are looked at where a trial comes to no end and the text proves a permutation."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A permutation that is no symmetry, or was not proven to be one, and why."""

    permutation: Permutation
    witness: str
    refuted: bool

    @property
    def message(self) -> str:
        """Which of both it is."""
        what = "no symmetry" if self.refuted else "not proven to be a symmetry"
        return f"`{self.permutation}` is {what}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Permutations of the points of `facts` that are likely to generate a group of symmetries."""

    facts: Facts
    generators: tuple[Images, ...]
    refused: tuple[Refusal, ...] = ()

    @property
    def permutations(self) -> tuple[Permutation, ...]:
        """The generators as permutations of data."""
        return tuple(written(self.facts, images) for images in self.generators)

    @property
    def order(self) -> int:
        """The order of the group."""
        return order(self.facts, self.generators)


@dataclass(frozen=True, slots=True)
class Found:
    """A proven group of symmetries of a specification.

    `orbits` are the sets of values that it permutes among each other, those of one value left out.
    `proposal` has its generators, and what was refused. `explored` is None if nothing but the
    identity was left to prove, and not complete if the text alone proves the group: then some
    states were looked at besides.
    """

    proposal: Proposal
    order: int
    orbits: tuple[tuple[str, ...], ...]
    explored: Explored | None

    def __bool__(self) -> bool:
        """Whether there is more than the identity."""
        return self.order > 1

    @property
    def generators(self) -> tuple[Permutation, ...]:
        """The generators of the group."""
        return self.proposal.permutations


def find_in_specification(
    process: LinearProcess,
    *,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    threads: int = 1,
) -> Found:
    """Return a group of symmetries of a specification, found from its text and proven.

    Raises `LimitReached` if one of the `limits` is, its states being orbits, before it is proven.

    >>> from lts.mucrl import linearise, read_text
    >>> text = '''sort Bool func T,F:->Bool sort D func d1,d2,d3:->D
    ... act a,b:D proc X = sum(d:D,a(d).b(d)).X init X'''
    >>> found = find_in_specification(linearise(read_text(text)))
    >>> [str(generator) for generator in found.generators]
    ['(d1 d2)', '(d2 d3)']
    """

    def explore(generators: Sequence[Permutation]) -> Explored | None:
        if not generators:
            return None
        return count_orbits(
            process, generators, limits=limits, strategy=strategy, threads=threads, text=True
        )

    proposal = propose(process, limits=limits, threads=threads)
    proposal, explored = prove(proposal, explore)
    facts = proposal.facts
    return Found(
        proposal,
        proposal.order,
        tuple(
            tuple(str(facts.points[point]) for point in orbit)
            for orbit in orbits(len(facts.points), proposal.generators)
            if len(orbit) > 1
        ),
        explored,
    )


def prove(
    proposal: Proposal, explore: Callable[[tuple[Permutation, ...]], Result]
) -> tuple[Proposal, Result]:
    """Explore under a proposed group, and under what is left of it as long as some is refused.

    Returns the group that was proven, and what `explore` returned for its generators; there may be
    none.
    """
    generators, refused = list(proposal.generators), list(proposal.refused)
    while True:
        permutations = tuple(written(proposal.facts, images) for images in generators)
        try:
            result = explore(permutations)
        except (NotProven, NotSymmetric) as error:
            refused.append(_refusal(permutations[error.which], error))
            del generators[error.which]
            continue
        return Proposal(proposal.facts, tuple(generators), tuple(refused)), result


def propose(process: LinearProcess, *, limits: Limits = NO_LIMITS, threads: int = 1) -> Proposal:
    """Return the permutations that the text suggests, and others that passed a trial.

    A trial explores up to `TRIAL` orbits, and is passed, too, if there are more and the text proves
    all; permutations that the text suggests had none.
    """
    facts = facts_of(process)
    likely = automorphisms(facts, facts.statements)
    possible = automorphisms(facts, [s for s in facts.statements if s.is_certain])
    trials = _Trials(process, facts, limits, threads, list(likely.generators))
    if possible.order > likely.order and not trials.passes(list(possible.generators)):
        trials.extend(possible)
    return Proposal(facts, tuple(trials.known), tuple(trials.refused))


class _Trials:
    """Permutations that are believed, `known`, and those that are tried."""

    def __init__(
        self,
        process: LinearProcess,
        facts: Facts,
        limits: Limits,
        threads: int,
        known: list[Images],
    ) -> None:
        self.process = process
        self.facts = facts
        most = TRIAL if limits.states is None else min(TRIAL, limits.states)
        self.limits = replace(limits, states=most)
        self.threads = threads
        self.known = known
        self.refused: list[Refusal] = []
        self.left = _TRIALS
        self.tried: set[Images] = set()

    def passes(self, generators: list[Images], *, single: Images | None = None) -> bool:
        """Whether permutations generate a group of symmetries, as far as a trial can tell; then
        they are known. If not, that is because of the `single` one, if given."""
        if not self.left:
            return False
        self.left -= 1
        permutations = [written(self.facts, images) for images in generators]
        try:
            count_orbits(
                self.process, permutations, limits=self.limits, threads=self.threads, whole=False
            )
        except LimitReached:
            if not self.is_shown(permutations):
                return False
        except (NotProven, NotSymmetric, SpecificationError, Unsupported) as error:
            if single is not None:
                self.refused.append(_refusal(written(self.facts, single), error))
            return False
        self.known = generators
        return True

    def is_shown(self, permutations: Sequence[Permutation]) -> bool:
        """Whether the text proves permutations, as far as some states can tell."""
        few = replace(self.limits, states=_FEW)
        try:
            count_orbits(self.process, permutations, limits=few, proof="static", whole=False)
        except LimitReached:
            return True
        except (NotProven, NotSymmetric):
            return False
        return True

    def extend(self, possible: Candidates) -> None:
        """Try permutations of a larger group: all of one orbit, else two of it, else in a ring."""
        certain = [s for s in self.facts.statements if s.is_certain]
        points = len(self.facts.points)
        for orbit in orbits(points, possible.generators):
            neighbours = [cycle(points, pair) for pair in pairwise(orbit)]
            if all(keeps(s, images) for s in certain for images in neighbours):
                rest = self.unknown(neighbours)
                if len(rest) > 1 and self.passes([*self.known, *rest]):
                    continue
            for images in self.pairs(orbit):
                if all(keeps(s, images) for s in certain):
                    self.add(images)
            ring = cycle(points, orbit)
            if len(orbit) > 2 and all(keeps(s, ring) for s in certain):
                self.add(ring)
        for images in possible.generators:
            self.add(images)

    def pairs(self, orbit: list[int]) -> Iterator[Images]:
        """Yield exchanges of two points, none that those known so far make of an earlier one."""
        points = len(self.facts.points)
        alike = {point: o[0] for o in orbits(points, self.known) for point in o}
        size = {first: list(alike.values()).count(first) for first in alike.values()}
        tried: set[tuple[int, int]] = set()
        for point in orbit:
            for other in orbit:
                # Where one stays, all that the other becomes are the same.
                stays = 1 in (size[alike[point]], size[alike[other]])
                pair = (alike[point], alike[other] if stays else other)
                if other > point and pair not in tried:
                    tried.add(pair)
                    yield cycle(points, (point, other))

    def unknown(self, generators: list[Images]) -> list[Images]:
        """Return the permutations that are not in the group that is known."""
        own = order(self.facts, self.known)
        return [g for g in generators if order(self.facts, [*self.known, g]) > own]

    def add(self, images: Images) -> None:
        """Try one more permutation."""
        if images not in self.tried and self.unknown([images]):
            self.tried.add(images)
            self.passes([*self.known, images], single=images)


def _refusal(permutation: Permutation, error: LtsError) -> Refusal:
    if isinstance(error, NotSymmetric):
        return Refusal(permutation, error.witness, refuted=True)
    missing = error.missing if isinstance(error, NotProven) else error.message
    return Refusal(permutation, missing, refuted=False)

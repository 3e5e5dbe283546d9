"""Detection of the symmetries of a specification: candidates from its text, then a proof.

Permutations that preserve everything the text says of constants are likely to be symmetries; those
that preserve only the certain statements may be. The certificate of an exploration decides: refuted
permutations are left out, and unproven ones are not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
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
from lts.state_space.settings import NO_LIMITS, Limits, Settings
from lts.symmetry.data.certify import Explored, count_orbits
from lts.symmetry.data.find.automorphisms import Candidates, automorphisms, fewer, order, written
from lts.symmetry.data.find.facts import Facts, facts_of
from lts.symmetry.permutation.cycles import Images, cycle, orbits
from lts.symmetry.permutation.known import message
from lts.symmetry.permutation.notation import Permutation

__all__ = ["Found", "Proposal", "Refusal", "find_in_specification", "propose", "prove"]

TRIAL = 20_000
"""Most orbits explored to try one permutation that the text does not suggest."""
SORTS = 500_000
"""Most orbits explored to try all permutations of one sort or of all sorts."""
MOST_TRIALS = 64
_FEW = 128
"""Orbits explored to support a proof from the text, where a trial reached its limit."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A permutation that is not a symmetry, or was not proven to be one, and why.

    `of` names the object whose symmetry was asked for, if it is not the specification. With
    `is_limit` the question is open because the search reached a limit.
    """

    permutation: Permutation
    witness: str
    refuted: bool
    of: str = ""
    is_limit: bool = False

    @property
    def message(self) -> str:
        """Whether it was refuted or only not proven, in words."""
        return message(self.permutation, is_refuted=self.refuted, of=self.of)

    @property
    def error(self) -> LtsError:
        """The error that reports it."""
        error = LtsError(self.message)
        error.more = self.witness
        return error


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

    `orbits` are the sets of values that the group exchanges, without singletons. `proposal` has the
    generators and the refused permutations. `explored` is None if only the identity was left to
    prove. It is not complete if the text alone proves the group; then only a sample of the states
    was explored.
    """

    proposal: Proposal
    order: int
    orbits: tuple[tuple[str, ...], ...]
    explored: Explored | None

    def __repr__(self) -> str:
        return f"<Found: order {self.order}, {len(self.generators)} generators>"

    def __bool__(self) -> bool:
        """Whether the group has more elements than the identity."""
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
    """Find a group of symmetries of a specification from its text, and prove it.

    Raises `LimitReached` if one of the `limits` is reached before the proof is complete; the limit
    on states bounds the orbits.

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
        settings = Settings(limits=limits, strategy=strategy, threads=threads)
        return count_orbits(process, generators, settings, text=True)

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
    """Explore under a proposed group, removing refused generators until the rest is proven.

    Returns the proven group, which may have no generators, and what `explore` returned for it. Two
    generators are enough for all permutations of a set; the ones that were proposed are used if
    these are not proven, as some of them may be symmetries.
    """
    few = fewer(proposal.facts, proposal.generators)
    if len(few) < len(proposal.generators):
        with suppress(NotProven, NotSymmetric):
            found = replace(proposal, generators=few)
            return found, explore(found.permutations)
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

    A trial explores up to `TRIAL` orbits, or `SORTS` for whole sorts. It is passed without a
    violation within that limit, or if the text proves the permutations. Permutations that the text
    suggests need no trial. A permutation that a limit leaves undecided is refused with that reason.
    """
    facts = facts_of(process)
    likely = automorphisms(facts, facts.statements)
    possible = automorphisms(facts, [s for s in facts.statements if s.is_certain])
    trials = _Trials(process, facts, limits, threads, list(likely.generators))
    whole = list(possible.generators)
    if possible.order > likely.order and not trials.passes(whole, most=SORTS):
        trials.extend(possible)
    return Proposal(facts, tuple(trials.known), tuple(trials.refused))


class _Trials:
    """The accepted permutations (`known`), and the trials of further ones."""

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
        self.limits = limits
        self.threads = threads
        self.known = known
        self.refused: list[Refusal] = []
        self.left = MOST_TRIALS
        self.tried: set[Images] = set()

    def passes(self, generators: list[Images], *, most: int, single: Images | None = None) -> bool:
        """Whether permutations pass a trial as generators of a group of symmetries, exploring at
        most so many orbits; if so they become `known`. If not, the `single` one, if given, is
        refused."""
        if not self.left:
            if single is not None:
                self.end(single, f"{MOST_TRIALS} trials of permutations")
            return False
        self.left -= 1
        permutations = [written(self.facts, one) for one in fewer(self.facts, generators)]
        most = most if self.limits.states is None else min(most, self.limits.states)
        limits = replace(self.limits, states=most)
        try:
            settings = Settings(limits=limits, threads=self.threads)
            count_orbits(self.process, permutations, settings)
        except LimitReached:
            if not self.is_shown(permutations):
                if single is not None:
                    self.end(single, f"{most} orbits of states")
                return False
        except (NotProven, NotSymmetric, SpecificationError, Unsupported) as error:
            if single is not None:
                self.refused.append(_refusal(written(self.facts, single), error))
            return False
        self.known = generators
        return True

    def end(self, images: Images, limit: str) -> None:
        """Record that a permutation is undecided because the search reached a limit."""
        permutation = written(self.facts, images)
        witness = f"the search ended at a limit, after {limit}"
        self.refused.append(Refusal(permutation, witness, refuted=False, is_limit=True))

    def is_shown(self, permutations: Sequence[Permutation]) -> bool:
        """Whether the text proves permutations, checked on the first few orbits."""
        few = replace(self.limits, states=_FEW)
        try:
            settings = Settings(limits=few, proof="static")
            count_orbits(self.process, permutations, settings, whole=False)
        except LimitReached:
            return True
        except (NotProven, NotSymmetric):
            return False
        return True

    def extend(self, possible: Candidates) -> None:
        """Try permutations of a larger group: for each orbit all permutations first, then single
        transpositions and a cycle through the orbit."""
        points = len(self.facts.points)
        left = []

        def is_possible(*images: Images) -> bool:
            return order(self.facts, [*possible.generators, *images]) == possible.order

        for orbit in orbits(points, possible.generators):
            if orbit[0] >= self.facts.own:
                continue
            neighbours = [cycle(points, pair) for pair in pairwise(orbit)]
            if is_possible(*neighbours):
                rest = self.unknown(neighbours)
                if len(rest) > 1 and self.passes([*self.known, *rest], most=SORTS):
                    continue
            left.append(orbit)
        for images in possible.generators:
            self.add(images)
        for orbit in left:
            for images in self.pairs(orbit):
                if is_possible(images):
                    self.add(images)
            ring = cycle(points, orbit)
            if is_possible(ring):
                self.add(ring)

    def pairs(self, orbit: list[int]) -> Iterator[Images]:
        """Yield transpositions of two points, skipping those conjugate to an earlier one under the
        known group."""
        points = len(self.facts.points)
        alike = {point: o[0] for o in orbits(points, self.known) for point in o}
        size = {first: list(alike.values()).count(first) for first in alike.values()}
        tried: set[tuple[int, int]] = set()
        for point in orbit:
            for other in orbit:
                # If the known group fixes one point, all transpositions with the orbit of the other
                # are conjugate.
                stays = 1 in (size[alike[point]], size[alike[other]])
                pair = (alike[point], alike[other] if stays else other)
                if other > point and pair not in tried:
                    tried.add(pair)
                    yield cycle(points, (point, other))

    def unknown(self, generators: list[Images]) -> list[Images]:
        """Return the permutations that are not in the known group."""
        own = order(self.facts, self.known)
        return [g for g in generators if order(self.facts, [*self.known, g]) > own]

    def add(self, images: Images) -> None:
        """Try one more permutation."""
        if images not in self.tried and self.unknown([images]):
            self.tried.add(images)
            self.passes([*self.known, images], most=TRIAL, single=images)


def _refusal(permutation: Permutation, error: LtsError) -> Refusal:
    if isinstance(error, NotSymmetric):
        return Refusal(permutation, error.witness, refuted=True, of=error.of)
    if isinstance(error, NotProven):
        return Refusal(permutation, error.missing, refuted=False, of=error.of)
    return Refusal(permutation, error.message, refuted=False)

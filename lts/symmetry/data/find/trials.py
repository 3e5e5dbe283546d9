"""Trials: explorations of few orbits under permutations that are likely to be symmetries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from itertools import combinations, pairwise

from lts.base.bounds import SEARCH_TRIALS, SORT_ORBITS, TRIAL_ORBITS
from lts.errors import (
    LimitReached,
    NotProven,
    NotSymmetric,
    RewritingLimit,
    SpecificationError,
    Unsupported,
)
from lts.linear.process import LinearProcess
from lts.state_space.settings import Limits, Settings
from lts.symmetry.data.action import Lifts
from lts.symmetry.data.certify import count_orbits
from lts.symmetry.data.find.automorphisms import Candidates, are_in_group, order, written
from lts.symmetry.data.find.facts import Facts
from lts.symmetry.data.find.first_states import UpperBound
from lts.symmetry.data.find.proposal import Refusal, refusal_by
from lts.symmetry.data.proof.deciding import on_whole
from lts.symmetry.permutation.cycles import Images, cycle, fewer, orbits
from lts.symmetry.permutation.notation import Permutation

__all__ = ["FEW_ORBITS", "Trials"]

MOST_CONJUGATES = 10_000
"""Most conjugates of a refused permutation that are left out."""
FEW_ORBITS = 128
"""Orbits explored before a proof from the text is tried, and to support one where a trial reached
its limit."""


class Trials:
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
        self.bound: UpperBound | None = None
        self.refused: list[Refusal] = []
        self.left = SEARCH_TRIALS.default
        self.tried: set[Images] = set()
        self.failed: dict[tuple[frozenset[Images], Images | None], Refusal] = {}
        """Sets of generators that failed a trial, with the single one on trial, and why."""

    def accept(self, generators: list[Images], *, most: int, single: Images | None = None) -> bool:
        """Whether permutations pass a trial as generators of a group of symmetries, which explores
        at most `most` orbits; if so they become `known`. If not, `single` is recorded as refused,
        if given."""
        key = frozenset(generators), single
        if key not in self.failed:
            permutations = [
                written(self.facts, generator)
                for generator in fewer(len(self.facts.points), generators)
            ]
            alone = None if single is None else written(self.facts, single)
            excluded = self.excluded([single] if single is not None else generators)
            if excluded is not None:
                self.failed[key] = excluded
                if single is not None:
                    self.refused.append(excluded)
                return False
            try:
                self.trial(permutations, alone, most)
            except (
                NotProven,
                NotSymmetric,
                SpecificationError,
                Unsupported,
                LimitReached,
            ) as error:
                which = getattr(error, "which", 0)
                self.failed[key] = refusal_by(error, alone or permutations[which])
            else:
                self.known = generators
                return True
        if single is not None:
            self.refused.append(self.failed[key])
        return False

    def excluded(self, generators: Iterable[Images]) -> Refusal | None:
        """Return the refusal of the first permutation that is no symmetry of the first states."""
        bound = self.bound
        if bound is None:
            return None
        for images in generators:
            if not bound.allows(images):
                first, many = "" if bound.is_whole else "first ", bound.states > 1
                states = (
                    f"the {first}{bound.states} states" if many else f"the {first or 'only '}state"
                )
                return Refusal(
                    written(self.facts, images),
                    f"it is no symmetry of {states}",
                    refuted=bound.refutes(images),
                    states=bound.states,
                )
        return None

    def all_of_bound(self, suggested: Iterable[Candidates]) -> bool:
        """Try all permutations that are symmetries of the first states with their contents; say
        whether no others are left to try.

        The same group is preferred in the form that the text suggests, in which companions move
        along.
        """
        bound = self.bound
        if bound is None or bound.contents is None:
            return False
        whole = Candidates(bound.contents.generators, order(self.facts, bound.contents.generators))
        for candidate in suggested:
            if candidate.order == whole.order and self.excluded(candidate.generators) is None:
                whole = candidate
                break
        is_new = self.unknown([*whole.generators]) or self.excluded(self.known) is not None
        if is_new and not self.accept([*whole.generators], most=SORT_ORBITS.default):
            self.settle()
            return False
        return bound.is_reached(self.known)

    def missing(self, sort: str) -> list[Images]:
        """Return those exchanges of neighbouring values of a sort that are not in the known
        group."""
        points = self.facts.numbers(sort)
        return self.unknown([cycle(len(self.facts.points), pair) for pair in pairwise(points)])

    def refuse_others(self, sorts: Iterable[str]) -> None:
        """Refuse an exchange of two values of each sort that is not fully symmetric."""
        for sort in sorts:
            excluded = self.excluded(self.missing(sort))
            if excluded is not None:
                self.refused.append(excluded)

    def trial(
        self, permutations: Sequence[Permutation], alone: Permutation | None, most: int
    ) -> None:
        """Raise an error unless permutations pass a trial; `alone` is tried by itself first."""
        if not self.left:
            raise _ended(SEARCH_TRIALS.amount())
        self.left -= 1
        most = most if self.limits.states is None else min(most, self.limits.states)
        settings = Settings(limits=replace(self.limits, states=most), threads=self.threads)
        try:
            missing = self.try_few([alone] if alone else permutations)
            if missing is None:
                count_orbits(self.process, permutations, settings)
            else:
                # No proof on orbits can succeed.
                on_whole(Lifts(self.process, permutations), missing, settings)
        except RewritingLimit:
            raise
        except LimitReached:
            if not self.is_shown(permutations):
                raise _ended(TRIAL_ORBITS.amount(most)) from None

    def try_few(self, permutations: Sequence[Permutation]) -> NotProven | None:
        """Raise `NotSymmetric` if the first few orbits refute permutations, and return why these
        orbits prevent a proof, if they do.

        This takes less time than a proof from the text, or than images under a group that is none
        of symmetries.
        """
        few = Settings(limits=replace(self.limits, states=FEW_ORBITS), proof="tested")
        try:
            count_orbits(self.process, permutations, few, whole=False)
        except NotProven as error:
            return error
        except (LimitReached, SpecificationError, Unsupported):
            pass
        return None

    def settle(self) -> None:
        """Leave out of the known permutations those that fail a trial, so that no other permutation
        is refused because of them."""
        suspects, self.known = self.known, []
        if suspects and not self.accept(suspects, most=SORT_ORBITS.default):
            for images in suspects:
                self.add(images)

    def add_sort(self, sort: str) -> None:
        """Try all permutations of a sort, together with the known ones and alone, unless one of
        them was refuted."""
        points = self.facts.numbers(sort)
        neighbours = [cycle(len(self.facts.points), pair) for pair in pairwise(points)]
        known, rest = self.known, self.unknown(neighbours)
        values = {str(self.facts.points[point]) for point in points}
        if not rest or any(r.refuted and _within(r.permutation, values) for r in self.refused):
            return
        for generators in ([*known, *rest], neighbours):
            if self.accept(generators, most=TRIAL_ORBITS.default):
                for images in self.unknown(known):
                    self.accept([*self.known, images], most=TRIAL_ORBITS.default, single=images)
                return
            refusal = self.failed[frozenset(generators), None]
            if refusal.is_limit:
                refusal = replace(refusal, permutation=written(self.facts, rest[0]))
            if not _within(refusal.permutation, values):
                continue
            if refusal.permutation not in [refused.permutation for refused in self.refused]:
                self.refused.append(refusal)
            if refusal.refuted:
                return

    def is_shown(self, permutations: Sequence[Permutation]) -> bool:
        """Whether the text proves permutations, checked on the first few orbits."""
        few = replace(self.limits, states=FEW_ORBITS)
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
                if len(rest) > 1 and self.accept([*self.known, *rest], most=SORT_ORBITS.default):
                    continue
            left.append(orbit)
        for images in possible.generators:
            self.add(images)
        for orbit in left:
            for pair in combinations(orbit, 2):
                images = cycle(points, pair)
                if images not in self.tried and is_possible(images):
                    self.add(images)
            ring = cycle(points, orbit)
            if is_possible(ring):
                self.add(ring)

    def unknown(self, generators: list[Images]) -> list[Images]:
        """Return the permutations that are not in the known group."""
        is_known = are_in_group(self.facts, self.known, generators)
        return [g for g, known in zip(generators, is_known, strict=True) if not known]

    def add(self, images: Images) -> None:
        """Try one more permutation, unless one that is conjugate to it under the known group was
        refused: then neither is a symmetry."""
        if images in self.tried or not self.unknown([images]):
            return
        self.tried.add(images)
        if self.accept([*self.known, images], most=TRIAL_ORBITS.default, single=images):
            return
        conjugates = [images]
        for element in conjugates:
            for generator in self.known:
                # It maps g(x) to g(y) where the other one maps x to y.
                conjugate = [0] * len(element)
                for point, image in enumerate(element):
                    conjugate[generator[point]] = generator[image]
                found = tuple(conjugate)
                if found not in self.tried and len(conjugates) < MOST_CONJUGATES:
                    self.tried.add(found)
                    conjugates.append(found)


def _within(permutation: Permutation, values: Set[str]) -> bool:
    """Whether a permutation moves nothing but some values."""
    return all(element.text in values for element in permutation.images)


def _ended(limit: str) -> LimitReached:
    """Return the error that leaves permutations undecided because the search reached a limit."""
    return LimitReached(f"the search ended at a limit, after {limit}", limit=0, found={})

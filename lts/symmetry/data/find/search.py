"""Detection of the symmetries of a specification: candidates from its text, then a proof.

Permutations that preserve everything the text says of constants are likely to be symmetries; those
that preserve only the certain statements may be. The certificate of an exploration decides: refuted
permutations are left out, and unproven ones are not used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, compress, pairwise, product
from itertools import permutations as permutations_of
from math import factorial, lcm, prod
from operator import not_
from typing import TypeVar

import lts._engine as _engine
from lts.base.bounds import SEARCH_TRIALS, SORT_ORBITS, TRIAL_ORBITS
from lts.errors import (
    LimitReached,
    LtsError,
    NotProven,
    NotSymmetric,
    RewritingLimit,
    SpecificationError,
    Unsupported,
)
from lts.linear.process import LinearProcess
from lts.state_space.generation import explore as explore_states
from lts.state_space.settings import NO_LIMITS, Limits, Settings
from lts.symmetry.data.action import Lifts
from lts.symmetry.data.certify import Explored, count_orbits
from lts.symmetry.data.find.automorphisms import (
    Candidates,
    automorphisms,
    keeps,
    order,
    written,
)
from lts.symmetry.data.find.facts import Facts, Statement, facts_of
from lts.symmetry.data.find.first_states import UpperBound, bound_of
from lts.symmetry.data.proof.deciding import on_whole, refute
from lts.symmetry.permutation.cycles import Images, cycle, cycles, fewer, orbits
from lts.symmetry.permutation.known import message, undecided
from lts.symmetry.permutation.notation import Permutation

__all__ = [
    "Found",
    "Proposal",
    "Refusal",
    "find_in_specification",
    "propose",
    "prove",
    "with_traces",
]

MOST_UNSURE = 8
"""Most functions of which some are left out in trials."""
MOST_PERMUTATIONS = 1_000
"""Most permutations within sorts of which each is refuted by itself."""
MOST_CONJUGATES = 10_000
"""Most conjugates of a refused permutation that are left out."""
_FEW = 128
"""Orbits explored before a proof from the text is tried, and to support one where a trial reached
its limit."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A permutation that is not a symmetry, or was not proven to be one, and why.

    `of` names the object whose symmetry was asked for, if it is not the specification. With
    `is_limit` the question is open because the search reached a limit. `states` is the number of
    first states that exclude it, if these were enough; then no trace is known that refutes it.
    """

    permutation: Permutation
    witness: str
    refuted: bool
    of: str = ""
    is_limit: bool = False
    states: int | None = None

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
    is_alone: bool = False

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

    process.expect_written_out()

    def explore(generators: Sequence[Permutation]) -> Explored | None:
        if not generators:
            return None
        settings = Settings(limits=limits, strategy=strategy, threads=threads)
        return count_orbits(process, generators, settings, text=True)

    def proposed(*, likely: bool) -> Proposal:
        return propose(process, limits=limits, threads=threads, likely=likely)

    again = partial(proposed, likely=False)
    proposal, explored = prove(proposed(likely=True), explore, again)
    if explored is not None:
        moving = moving_generators(process, proposal, explored, limits=limits, threads=threads)
        if len(moving) < len(proposal.generators):
            proposal = replace(proposal, generators=moving)
            explored = explore(proposal.permutations)
    facts = proposal.facts
    return Found(
        with_traces(process, proposal, limits),
        proposal.order,
        tuple(
            tuple(str(facts.points[point]) for point in orbit)
            for orbit in orbits(len(facts.points), proposal.generators)
            if len(orbit) > 1
        ),
        explored,
        is_alone=explored is None and is_alone(process, facts, limits),
    )


def with_traces(process: LinearProcess, proposal: Proposal, limits: Limits) -> Proposal:
    """Return a proposal with a trace for each permutation that the first states exclude, if one is
    found that refutes it."""
    refused = []
    for refusal in proposal.refused:
        if refusal.states is not None and refusal.refuted:
            permutation = refusal.permutation
            try:
                missing = undecided(permutation, missing=refusal.witness)
                refute(Lifts(process, [permutation]), limits, missing)
            except NotSymmetric as error:
                refusal = _refusal(permutation, error)
            except LtsError:
                pass
        refused.append(refusal)
    return replace(proposal, refused=tuple(refused))


def moving_generators(
    process: LinearProcess, proposal: Proposal, explored: Explored, *, limits: Limits, threads: int
) -> tuple[Images, ...]:
    """Return the generators of a proven group that move a state or a label.

    A complete exploration shows it. Otherwise, the system of a generator that does not is explored
    as a whole. So only those are tried that move nothing in the labels of the first states, and up
    to as many states as `TRIAL_ORBITS`.
    """
    if len(explored.idle) == len(proposal.generators):
        return tuple(compress(proposal.generators, map(not_, explored.idle)))
    if explored.complete and explored.order == 1:
        return ()
    if explored.complete and explored.states > TRIAL_ORBITS.default:
        return proposal.generators
    few = Settings(limits=replace(limits, states=_FEW), threads=threads)
    lifts = Lifts(process, proposal.permutations)
    with suppress(LtsError):
        explore_states(process, few, engine=lifts.engine)
    known = _engine.label_images(lifts.engine, lifts.on_labels())
    seen = [known is not None and sorted(moved) != moved for moved in known[1]] if known else []
    most = TRIAL_ORBITS.default
    most = most if limits.states is None else min(most, limits.states)
    settings = Settings(limits=replace(limits, states=most), threads=threads)
    moving = []
    for number, images in enumerate(proposal.generators):
        is_seen = bool(seen) and seen[number]
        if not is_seen:
            with suppress(LtsError):
                alone = written(proposal.facts, images)
                if count_orbits(process, alone, settings).order == 1:
                    continue
        moving.append(images)
    return tuple(moving)


def is_alone(process: LinearProcess, facts: Facts, limits: Limits) -> bool:
    """Whether a trace refutes every permutation of the constants within their sorts.

    A group with more elements than the identity has one of prime order, so these are enough. False
    if there are more than `MOST_PERMUTATIONS` of them, if some trace was not found, or if no sort
    has two constants in the process: then none was refuted.
    """
    sorts = [facts.numbers(sort) for sort in facts.sorts]
    if prod(factorial(len(points)) for points in sorts) > MOST_PERMUTATIONS:
        return False
    refuted: set[Images] = set()
    for chosen in product(*map(permutations_of, sorts)):
        images = [*range(len(facts.points))]
        for points, moved in zip(sorts, chosen, strict=True):
            for point, image in zip(points, moved, strict=True):
                images[point] = image
        period = lcm(*map(len, cycles(images)))
        if (
            period == 1
            or any(period % n == 0 for n in range(2, period))
            or tuple(images) in refuted
        ):
            continue
        permutation = written(facts, images)
        try:
            missing = undecided(permutation, missing="")
            refute(Lifts(process, [permutation]), limits, missing)
        except NotSymmetric:
            power = images
            while power != [*range(len(images))]:
                refuted.add(tuple(power))
                power = [images[point] for point in power]
        except LtsError:
            return False
        else:
            return False
    return bool(refuted)


def prove(
    proposal: Proposal,
    explore: Callable[[tuple[Permutation, ...]], Result],
    again: Callable[[], Proposal] | None = None,
) -> tuple[Proposal, Result]:
    """Explore under a proposed group, removing refused generators until the rest is proven. If it
    is not proven at once, that is done with the proposal that `again` returns, if given.

    Returns the proven group, which may have no generators, and what `explore` returned for it. Two
    generators are enough for all permutations of a set; the ones that were proposed are used if
    these are not proven, as some of them may be symmetries.
    """
    few = fewer(len(proposal.facts.points), proposal.generators)
    if len(few) < len(proposal.generators):
        with suppress(NotProven, NotSymmetric):
            found = replace(proposal, generators=few)
            return found, explore(found.permutations)
    if again is not None:
        with suppress(NotProven, NotSymmetric):
            return proposal, explore(proposal.permutations)
        return prove(again(), explore)
    generators, refused = list(proposal.generators), list(proposal.refused)

    def permutations(of: Sequence[Images]) -> tuple[Permutation, ...]:
        return tuple(written(proposal.facts, images) for images in of)

    waiting: list[tuple[Images, Refusal]] = []
    while True:
        try:
            result = explore(permutations(generators))
            break
        except (NotProven, NotSymmetric) as error:
            images = generators.pop(error.which)
            refusal = _refusal(written(proposal.facts, images), error)
            if refusal.refuted:
                refused.append(refusal)
            else:
                waiting.append((images, refusal))
    # What was not proven together with others, now refused themselves, may be proven without them.
    for images, refusal in waiting:
        try:
            result = explore(permutations([*generators, images]))
            generators.append(images)
        except (NotProven, NotSymmetric, LimitReached):
            refused.append(refusal)
    return Proposal(proposal.facts, tuple(generators), tuple(refused)), result


def propose(
    process: LinearProcess,
    *,
    sorts: Collection[str] | None = None,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    likely: bool = True,
) -> Proposal:
    """Return the permutations that the text suggests, and others that passed a trial; with `sorts`,
    only permutations of their values.

    A trial explores up to `TRIAL_ORBITS`, or `SORT_ORBITS` for whole sorts. It is passed without a
    violation within that limit, or if the text proves the permutations. Permutations that the text
    suggests need no trial, unless others that were tried with them failed, or unless the text is
    not `likely` to be right. If there may be more, all symmetries of the first states are tried,
    then smaller groups: a step that is never possible breaks no symmetry. No permutation is tried
    that is no symmetry of the first states. Last, all permutations of each sort are tried, whatever
    the text says. A permutation that a limit leaves undecided is refused with that reason.
    """
    facts = facts_of(process)
    suggested = automorphisms(facts, facts.statements, sorts)
    possible = automorphisms(facts, [s for s in facts.statements if s.is_certain], sorts)
    trials = _Trials(process, facts, limits, threads, list(suggested.generators))
    whole = [sort for sort in facts.sorts if sorts is None or sort in sorts]
    without_steps = [s for s in facts.statements if s.kind != "steps"]
    may_be_more = (
        possible.order > suggested.order
        or automorphisms(facts, without_steps, sorts).order > suggested.order
        or any(map(trials.missing, whole))
    )
    if likely and not may_be_more:
        return Proposal(facts, tuple(trials.known))
    trials.bound = bound_of(process, facts, trials.known, limits, sorts)
    if trials.all_of_bound([suggested, possible]):
        trials.refuse_others(whole)
        return Proposal(facts, tuple(trials.known), tuple(trials.refused))
    if possible.order > suggested.order and not trials.accept(
        [*possible.generators], most=SORT_ORBITS.default
    ):
        trials.settle()
        for some in _between(facts, possible, sorts):
            rest = trials.unknown([*some.generators])
            if rest and not trials.accept([*trials.known, *rest], most=SORT_ORBITS.default):
                for images in rest:
                    trials.add(images)
        trials.extend(possible)
    for sort in whole:
        trials.add_sort(sort)
    return Proposal(facts, tuple(trials.known), tuple(trials.refused))


def _between(
    facts: Facts, possible: Candidates, sorts: Collection[str] | None
) -> Iterator[Candidates]:
    """Yield groups of permutations that preserve some of the functions that not all possible
    permutations preserve: those of the text itself; all but one; or one alone.

    A structure that the text defines may be symmetric although the library orders its values.
    """
    unsure = [
        statement
        for statement in facts.statements
        if statement.kind == "function"
        and not all(keeps(statement, images) for images in possible.generators)
    ]
    own = [one for one in unsure if not _is_of_library(facts, one)]
    chosen = [own]
    if 1 < len(unsure) <= MOST_UNSURE:
        chosen += [[other for other in unsure if other is not one] for one in unsure]
        chosen += [[one] for one in unsure]
    tried: list[list[Statement]] = [[], unsure]
    for some in chosen:
        if some not in tried:
            tried.append(some)
            left_out = [one for one in unsure if one not in some]
            remaining = [s for s in facts.statements if s not in left_out]
            yield automorphisms(facts, remaining, sorts)


def _is_of_library(facts: Facts, statement: Statement) -> bool:
    """Whether a statement is one of an equation of the library."""
    place = statement.place
    return place is not None and facts.specification.source.origin(place[0]).of_library


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
        self.bound: UpperBound | None = None
        self.refused: list[Refusal] = []
        self.left = SEARCH_TRIALS.default
        self.tried: set[Images] = set()
        self.failed: dict[tuple[frozenset[Images], Images | None], Refusal] = {}
        """Sets of generators that failed a trial, with the single one on trial, and why."""

    def accept(self, generators: list[Images], *, most: int, single: Images | None = None) -> bool:
        """Whether permutations pass a trial as generators of a group of symmetries, exploring at
        most so many orbits; if so they become `known`. If not, the `single` one, if given, is
        refused."""
        key = frozenset(generators), single
        if key not in self.failed:
            permutations = [
                written(self.facts, one) for one in fewer(len(self.facts.points), generators)
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
                self.failed[key] = _refusal(alone or permutations[which], error)
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
        for one in suggested:
            if one.order == whole.order and self.excluded(one.generators) is None:
                whole = one
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
        few = Settings(limits=replace(self.limits, states=_FEW), proof="tested")
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
        own = order(self.facts, self.known)
        return [g for g in generators if order(self.facts, [*self.known, g]) > own]

    def add(self, images: Images) -> None:
        """Try one more permutation, unless one that is conjugate to it under the known group was
        refused: then neither is a symmetry."""
        if images in self.tried or not self.unknown([images]):
            return
        self.tried.add(images)
        if self.accept([*self.known, images], most=TRIAL_ORBITS.default, single=images):
            return
        conjugates = [images]
        for one in conjugates:
            for generator in self.known:
                # It maps g(x) to g(y) where the other one maps x to y.
                conjugate = [0] * len(one)
                for point, image in enumerate(one):
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


def _refusal(permutation: Permutation, error: LtsError) -> Refusal:
    if isinstance(error, NotSymmetric):
        return Refusal(permutation, error.witness, refuted=True, of=error.of)
    if isinstance(error, NotProven):
        return Refusal(permutation, error.missing, refuted=False, of=error.of)
    is_limit = isinstance(error, LimitReached)
    return Refusal(permutation, error.message, refuted=False, is_limit=is_limit)

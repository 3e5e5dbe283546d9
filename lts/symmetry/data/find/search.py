"""Detection of the symmetries of a specification: candidates from its text, then a proof.

The certificate of an exploration decides: refuted permutations are left out, and unproven ones are
not used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from operator import not_
from typing import TypeVar

import lts._engine as _engine
from lts.base.bounds import TRIAL_ORBITS
from lts.errors import LimitReached, LtsError, NotProven, NotSymmetric
from lts.linear.process import LinearProcess
from lts.state_space.generation import explore as explore_states
from lts.state_space.settings import NO_LIMITS, Limits, Settings
from lts.symmetry.data.action import Lifts
from lts.symmetry.data.certify import Explored, count_orbits
from lts.symmetry.data.find.automorphisms import written
from lts.symmetry.data.find.candidates import propose
from lts.symmetry.data.find.proposal import Proposal, Refusal, refusal_by
from lts.symmetry.data.find.refutations import is_alone, with_traces
from lts.symmetry.data.find.trials import FEW_ORBITS
from lts.symmetry.permutation.cycles import Images, fewer, orbits
from lts.symmetry.permutation.notation import Permutation

__all__ = ["Found", "find_in_specification", "prove"]

Result = TypeVar("Result")


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
    few = Settings(limits=replace(limits, states=FEW_ORBITS), threads=threads)
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


def prove(
    proposal: Proposal,
    explore: Callable[[tuple[Permutation, ...]], Result],
    again: Callable[[], Proposal] | None = None,
) -> tuple[Proposal, Result]:
    """Explore under a proposed group, removing refused generators until the rest is proven. If the
    first exploration does not prove it, the proposal that `again` returns is used instead, if
    given.

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
            refusal = refusal_by(error, written(proposal.facts, images))
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

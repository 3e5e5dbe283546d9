"""The search for candidates: permutations that the text of a specification suggests, and others
that pass a trial.

Permutations that preserve everything the text says of constants are likely to be symmetries; those
that preserve only its certain statements may be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lts.base.bounds import SORT_ORBITS
from lts.linear.process import LinearProcess
from lts.state_space.settings import NO_LIMITS, Limits
from lts.symmetry.data.find.automorphisms import Candidates, automorphisms, keeps
from lts.symmetry.data.find.facts import Facts, Statement, facts_of
from lts.symmetry.data.find.first_states import bound_of
from lts.symmetry.data.find.proposal import Proposal
from lts.symmetry.data.find.trials import Trials

__all__ = ["propose"]

MOST_UNSURE = 8
"""Most functions of which some are left out in trials."""


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
    trials = Trials(process, facts, limits, threads, list(suggested.generators))
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
    own = [value for value in unsure if not _is_of_library(facts, value)]
    chosen = [own]
    if 1 < len(unsure) <= MOST_UNSURE:
        chosen += [[other for other in unsure if other is not value] for value in unsure]
        chosen += [[value] for value in unsure]
    tried: list[list[Statement]] = [[], unsure]
    for some in chosen:
        if some not in tried:
            tried.append(some)
            left_out = [value for value in unsure if value not in some]
            remaining = [s for s in facts.statements if s not in left_out]
            yield automorphisms(facts, remaining, sorts)


def _is_of_library(facts: Facts, statement: Statement) -> bool:
    """Whether a statement is one of an equation of the library."""
    place = statement.place
    return place is not None and facts.specification.source.origin(place[0]).of_library

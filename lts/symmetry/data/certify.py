"""Symmetry of a specification: permutations of data, lifted to its linear process and certified.

Whether they are symmetries is proven while the quotient under the group that they generate is
explored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lts import _engine
from lts.errors import NotProven
from lts.linear.process import LinearProcess
from lts.state_space.generation import NOTHING, Trace, refuse_limit, traces_of
from lts.state_space.generation import explore as generate
from lts.state_space.settings import DEFAULT, NO_GOALS, STRATEGIES, Goals, Settings
from lts.symmetry.data.action import PROOFS, Acting, Lifts
from lts.symmetry.data.closed_terms import as_printed
from lts.symmetry.data.exploration import Exploration, Task
from lts.symmetry.data.proof.deciding import Whole, on_orbits, on_whole
from lts.symmetry.permutation.known import SEEN, SYSTEM
from lts.symmetry.permutation.notation import Permutation, as_permutations

__all__ = ["PROOFS", "STRATEGIES", "Certified", "Explored", "certified_quotient", "count_orbits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored(Exploration):
    """What an exploration under a group has found, and proven.

    `steps` are the transitions of one state of each orbit; `states`, `transitions` and `deadlocks`
    count those of the whole system, of which nothing else was seen. `representatives` were
    explored: one of each orbit, and more where canonical images were `approximate`, as so many of
    them were; other numbers are exact all the same.

    `traces` are what was searched for, one for each orbit of deadlocks and of labels: of the system
    itself, where each step has been done. If there were enough before everything was explored,
    `complete` is False, the numbers are those up to there, and what is symmetric is what was
    looked at, unless `certified`.
    """

    orbits: int
    steps: int
    states: int
    transitions: int
    deadlocks: int
    traces: tuple[Trace, ...]
    complete: bool
    representatives: int
    approximate: int


@dataclass(frozen=True, slots=True)
class Certified:
    """A quotient whose symmetry has been proven.

    `situations` counts the local situations that were compared with their images.
    """

    quotient: _engine.Quotient
    explored: Explored

    @property
    def order(self) -> int:
        """The order of the group."""
        return self.explored.order

    @property
    def situations(self) -> int:
        """Local situations that were compared with their images."""
        return self.explored.situations


def certified_quotient(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    settings: Settings = DEFAULT,
) -> Certified:
    """Generate one state of each orbit, and prove that the permutations are symmetries.

    The `proof` of the settings is one of `PROOFS`, by default "certificate". The result does not
    depend on the number of threads, nor on the `node_limit`; `LimitReached` is raised if the limits
    end what that takes.

    Where that proof fails, what becomes of the permutations is decided in other ways
    (`lts.symmetry.data.proof.deciding`). Raises `NotSymmetric` with a witness if one is no
    symmetry, `NotProven` if that is not known, `LimitReached` if one of the limits is, of whose
    states there is one an orbit, `SpecificationError` for a permutation that is not one of the
    specification's data.
    """
    found, explored = _explore(process, permutations, settings, NO_GOALS, _How(rows=True))
    assert found is not None
    return Certified(found, explored)


def count_orbits(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    settings: Settings = DEFAULT,
    goals: Goals = NO_GOALS,
    *,
    whole: bool = True,
    text: bool = False,
) -> Explored:
    """Count orbits, and the states and transitions they stand for, keeping no transitions.

    Proves as `certified_quotient` does, and raises the same errors, in a fraction of the memory.
    Shortest traces lead to the `goals`, one for each orbit. Without `whole`, nothing but the proof
    on orbits is tried, and `NotProven` raised where that fails. With `text`, where that proves all,
    the exploration stops once there are states for the `sample`; `complete` is False then.
    """
    how = _How(rows=False, whole=whole, text=text)
    return _explore(process, permutations, settings, goals, how)[1]


@dataclass(frozen=True, slots=True)
class _How:
    """Whether transitions are made, the whole system may decide, and the text alone may."""

    rows: bool
    whole: bool = True
    text: bool = False


def _explore(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    settings: Settings,
    goals: Goals,
    how: _How,
) -> tuple[_engine.Quotient | None, Explored]:
    settings.refuse("positions", what="an exploration under a group")
    permutations = checked_permutations(process, permutations, settings.proof)
    try:
        return on_orbits(
            process,
            permutations,
            lambda acting: _under(acting, settings, goals, how),
            limits=settings.limits,
            idle=how.whole,
        )
    except NotProven as missing:
        if not how.whole or settings.proof == "static":
            raise
        plain = Settings(limits=settings.limits, threads=settings.threads)
        whole = on_whole(Lifts(process, permutations), missing, plain)
        traces: tuple[Trace, ...] = ()
        if goals.any:
            traces = generate(process, plain, goals, output=NOTHING).traces
        return whole.found.quotient, explored_whole(whole, len(process.summands), traces)


def checked_permutations(
    process: LinearProcess, permutations: Permutation | Sequence[Permutation], proof: str | None
) -> tuple[Permutation, ...]:
    """Return permutations as the text of a specification writes them; raise `SpecificationError`
    for one that such a proof is not for."""
    found = as_printed(process.specification, as_permutations(permutations))
    for permutation in found:
        if permutation.where and proof == "static":
            raise permutation.error(
                "`in` says where data stand in labels; a proof from the text needs their sorts",
                "in",
            )
    return found


def _under(
    acting: Acting, settings: Settings, goals: Goals, how: _How
) -> tuple[_engine.Quotient | None, Explored]:
    """Explore one state of each orbit."""
    task = Task(acting, settings, text=how.text)
    with task.errors():
        found = _engine.quotient(acting.engine, task.symmetry, task.settings, goals, how.rows)
    if task.is_about_others:
        return _under(acting, replace(settings, proof="tested"), goals, how)
    if found.broken is not None:
        which, _, witness = found.broken
        raise acting.not_proven(which, witness)
    task.refuse_defect(found.defect)
    is_enough = found.incomplete == "states" and task.is_shown
    if found.incomplete not in (None, "found") and not is_enough:
        refuse_limit(task.process, found.incomplete, found.limit_summand, sizes(found), task.limits)
    reach = SYSTEM if found.incomplete is None else SEEN
    return found.quotient, explored(found, **task.facts(found, reach))


def sizes(found: _engine.Reduced) -> dict[str, int]:
    """Return what there is to tell of an exploration that a limit has ended."""
    if found.approximate:
        return {"representatives": found.representatives, "orbits at least": found.orbits}
    return {"orbits": found.orbits, "transitions": found.steps}


def explored(found: _engine.Reduced, **facts: Any) -> Explored:
    """Return what the engine has found; `facts` are the fields of an `Exploration`."""
    return Explored(
        orbits=found.orbits,
        representatives=found.representatives,
        approximate=found.approximate,
        steps=found.steps,
        states=found.states,
        transitions=found.transitions,
        deadlocks=found.deadlocks,
        traces=traces_of(found.traces),
        complete=found.incomplete is None,
        **facts,
    )


def explored_whole(whole: Whole, summands: int, traces: tuple[Trace, ...]) -> Explored:
    """Return what there is to tell where the whole system was generated to decide."""
    statistics, found = whole.generation.statistics, whole.found
    assert whole.generation.lts is not None
    return Explored(
        orbits=found.quotient.orbits,
        representatives=found.quotient.orbits,
        approximate=0,
        steps=whole.steps,
        states=statistics.states,
        transitions=whole.generation.lts.transition_count,
        deadlocks=statistics.deadlocks,
        traces=traces,
        complete=True,
        order=found.order,
        strategy="whole",
        store=statistics.store,
        situations=0,
        proving=0.0,
        summands=summands,
        from_text=0,
        proof="whole",
        reach=SYSTEM,
        sampled=0,
    )

"""Symmetry of a specification: permutations of data, lifted to its linear process and certified.

The proof that the permutations are symmetries goes along with the exploration of the quotient under
the group that they generate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import and_
from typing import Any

import lts._engine as _engine
from lts.errors import NotProven
from lts.linear.process import LinearProcess
from lts.state_space.generation import NOTHING, Trace, refuse_limit, traces_of
from lts.state_space.generation import explore as generate
from lts.state_space.settings import DEFAULT, NO_GOALS, STRATEGIES, Goals, Settings
from lts.symmetry.data.action import PROOFS, GroupAction, Lifts
from lts.symmetry.data.closed_terms import as_printed
from lts.symmetry.data.exploration import Exploration, Task
from lts.symmetry.data.proof.deciding import Whole, on_orbits, on_whole
from lts.symmetry.permutation.known import SEEN, SYSTEM
from lts.symmetry.permutation.notation import Permutation, as_permutations

__all__ = [
    "PROOFS",
    "STRATEGIES",
    "Certified",
    "Explored",
    "certified_quotient",
    "count_orbits",
    "count_under",
    "quotient_under_action",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored(Exploration):
    """Sizes of an explored quotient and of the whole system, with the proof of the symmetry.

    `steps` counts the transitions of one state of each orbit. The targets of `followed` steps were
    computed: of those that are exchanged by symmetries that fix their source, one is enough, and
    others were left out where they were recognised. `states`, `transitions` and
    `deadlocks` are computed for the whole system from the orbits alone. `representatives` states
    were explored: one of each orbit, or more if canonical images are inexact, which happened
    `approximate` times; all other numbers are exact nevertheless.

    `traces` are the traces searched for, one for each orbit of deadlocks and of labels. They are
    traces of the system itself, replayed step by step. If all were found before the exploration was
    complete, `complete` is False, the numbers cover the part explored so far, and unless
    `certified` the symmetry is proven for that part only. `idle` says for each permutation whether
    it moves no state and no label; it is empty if that is not known.
    """

    orbits: int
    steps: int
    followed: int
    states: int
    transitions: int
    deadlocks: int
    traces: tuple[Trace, ...]
    complete: bool
    representatives: int
    approximate: int
    idle: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Certified:
    """A quotient together with the proof of its symmetry.

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
        """Number of local situations that were compared with their images."""
        return self.explored.situations


def certified_quotient(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    settings: Settings = DEFAULT,
) -> Certified:
    """Generate one state of each orbit, and prove that the permutations are symmetries.

    The `proof` of the settings is one of `PROOFS`, by default "certificate". The result does not
    depend on the number of threads or on the `node_limit`.

    If that proof fails, the permutations are decided in other ways
    (`lts.symmetry.data.proof.deciding`). Raises `NotSymmetric` with a witness if a permutation is
    not a symmetry, `NotProven` if this could not be decided, `LimitReached` if a limit is reached
    (the limit on states bounds the orbits), and `SpecificationError` for a permutation that does
    not permute data of the specification.
    """
    found, explored = _explore(process, permutations, settings, NO_GOALS, _How(with_quotient=True))
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
    """Count orbits, and the states and transitions they stand for, without storing transitions.

    Proves symmetry and raises errors as `certified_quotient` does, in a fraction of the memory. The
    result has a shortest trace to each orbit of the `goals`. Without `whole`, only the proof on
    orbits is tried, and `NotProven` is raised if it fails. With `text`, if the text alone proves
    the symmetry, the exploration stops after enough states for the `sample`; `complete` is then
    False.
    """
    how = _How(with_quotient=False, whole=whole, text=text)
    return _explore(process, permutations, settings, goals, how)[1]


def count_under(group_action: GroupAction, settings: Settings) -> Explored:
    """Prove permutations that act on a process in a known way; count orbits if that needs them.

    Raises errors as `count_orbits` does, but does not try other actions or the whole system.
    """
    return _under(
        group_action, settings, NO_GOALS, _How(with_quotient=False, whole=False, text=True)
    )[1]


def quotient_under_action(group_action: GroupAction, settings: Settings) -> Certified:
    """Prove permutations that act on a process in a known way, and generate one state of each
    orbit.

    Raises errors as `certified_quotient` does, but does not try other actions or the whole system.
    """
    found, explored = _under(
        group_action, settings, NO_GOALS, _How(with_quotient=True, whole=False)
    )
    assert found is not None
    return Certified(found, explored)


@dataclass(frozen=True, slots=True)
class _How:
    """Options of an exploration: store transitions (`with_quotient`), fall back on the whole system
    (`whole`), accept a proof from the text alone (`text`)."""

    with_quotient: bool
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
            lambda group_action: _under(group_action, settings, goals, how),
            limits=settings.limits,
            idle=how.whole,
            any_generators=not how.with_quotient,
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
    """Return permutations with their data as the specification prints them; raise
    `SpecificationError` for one with `in` if the proof is static."""
    found = as_printed(process.specification, as_permutations(permutations))
    for permutation in found:
        if permutation.where and proof == "static":
            raise permutation.error(
                "`in` names places of data in labels, but a proof from the text needs their sorts",
                "in",
            )
    return found


def _under(
    group_action: GroupAction, settings: Settings, goals: Goals, how: _How
) -> tuple[_engine.Quotient | None, Explored]:
    """Explore one state of each orbit."""
    task = Task(group_action, settings, text=how.text)
    with task.errors():
        found = _engine.quotient(
            group_action.engine, task.symmetry, task.settings, goals, how.with_quotient
        )
    if task.is_about_others:
        return _under(group_action, replace(settings, proof="tested"), goals, how)
    if found.broken is not None:
        which, _, witness = found.broken
        raise group_action.not_proven(which, witness)
    task.refuse_defect(found.defect)
    is_enough = found.incomplete == "states" and task.is_shown
    if found.incomplete not in (None, "found") and not is_enough:
        refuse_limit(task.process, found.incomplete, found.limit_summand, sizes(found), task.limits)
    reach = SYSTEM if found.incomplete is None else SEEN
    result = explored(found, group_action.written, **task.facts(found, reach))
    if result.complete:
        idle = _idle(group_action, found.idle)
        result = replace(result, idle=idle, order=1 if idle and all(idle) else result.order)
    return found.quotient, result


def _idle(group_action: GroupAction, on_states: Sequence[bool]) -> tuple[bool, ...]:
    """Return for each generator whether it moves no label, and no state as is given, of an
    exploration that is complete."""
    if not any(on_states):
        return tuple(on_states)
    known = _engine.label_images(group_action.engine, group_action.on_labels())
    if known is None:
        return tuple(False for _ in on_states)
    fixed = (moved == [*range(len(moved))] for moved in known[1])
    return tuple(map(and_, on_states, fixed))


def sizes(found: _engine.Reduced) -> dict[str, int]:
    """Return the sizes to report when a limit ends an exploration."""
    if found.approximate:
        return {"representatives": found.representatives, "orbits at least": found.orbits}
    return {"orbits": found.orbits, "transitions": found.steps}


def explored(
    found: _engine.Reduced, written: Callable[[Sequence[int]], str], **facts: Any
) -> Explored:
    """Convert the engine's result; `written` returns the text of an element of the group, and
    `facts` are the fields of an `Exploration`."""
    return Explored(
        orbits=found.orbits,
        representatives=found.representatives,
        approximate=found.approximate,
        steps=found.steps,
        followed=found.followed,
        states=found.states,
        transitions=found.transitions,
        deadlocks=found.deadlocks,
        traces=traces_of(found.traces, written),
        complete=found.incomplete is None,
        **facts,
    )


def explored_whole(whole: Whole, summands: int, traces: tuple[Trace, ...]) -> Explored:
    """Return the result for a symmetry that was decided on the whole system."""
    statistics, found = whole.generation.statistics, whole.found
    assert whole.generation.lts is not None
    return Explored(
        orbits=found.quotient.orbits,
        representatives=found.quotient.orbits,
        approximate=0,
        steps=whole.steps,
        followed=whole.steps,
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

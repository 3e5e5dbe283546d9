"""Symmetry of a specification: permutations of data, lifted to its linear process and certified.

Whether they are symmetries is proven while the quotient under the group that they generate is
explored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lts import _engine
from lts.mucrl.generation import NO_LIMITS, Limits, Trace, evaluation_errors, refuse_limit
from lts.mucrl.linear import LinearProcess
from lts.symmetry.acting import PROOFS
from lts.symmetry.exploration import STRATEGIES, Exploration, Progress, Task, label_text
from lts.symmetry.notation import Permutation
from lts.trace import TraceStep

__all__ = ["PROOFS", "STRATEGIES", "Certified", "Explored", "certified_quotient", "count_orbits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored(Exploration):
    """What an exploration under a group has found, and proven.

    `steps` are the transitions of one state of each orbit; `states`, `transitions` and `deadlocks`
    count those of the whole system, of which nothing else was seen.

    `traces` are what was searched for, one for each orbit of deadlocks and of labels: of the system
    itself, where each step has been done. If there were enough before everything was explored,
    `complete` is False, the numbers are those up to there, and `certified` says whether the text
    proved all.
    """

    orbits: int
    steps: int
    states: int
    transitions: int
    deadlocks: int
    traces: tuple[Trace, ...]
    complete: bool
    certified: bool


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
    *,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    threads: int = 1,
    proof: str = "certificate",
    progress: Progress | None = None,
) -> Certified:
    """Generate one state of each orbit, and prove that the permutations are symmetries.

    `strategy` is one of `STRATEGIES`, by default the one that suits the group. The result does not
    depend on the number of threads. `progress` is called now and then with how many orbits were
    found and how many of them are explored. `proof` is one of `PROOFS`.

    Raises `NotSymmetric` with a witness, `LimitReached` if one of the `limits` is, of whose
    states there is one an orbit, `SpecificationError` for a permutation that is not one of the
    specification's data.
    """
    task = Task(
        process, permutations, limits=limits, strategy=strategy, threads=threads, proof=proof
    )
    found, explored = _explore(task, progress, rows=True)
    assert found.quotient is not None
    return Certified(found.quotient, explored)


def count_orbits(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    *,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    threads: int = 1,
    proof: str = "certificate",
    progress: Progress | None = None,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
) -> Explored:
    """Count orbits, and the states and transitions they stand for, keeping no transitions.

    Proves as `certified_quotient` does, and raises the same errors, in a fraction of the memory.
    With `deadlocks`, and for labels that `find` says yes to, shortest traces are collected, one for
    each orbit; the exploration stops when there are `enough`.
    """
    task = Task(
        process, permutations, limits=limits, strategy=strategy, threads=threads, proof=proof
    )
    _, explored = _explore(
        task, progress, rows=False, deadlocks=deadlocks, find=find, enough=enough
    )
    return explored


def _explore(
    task: Task,
    progress: Progress | None,
    *,
    rows: bool,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
) -> tuple[_engine.Reduced, Explored]:
    acting = task.acting
    with evaluation_errors(task.process):
        found = _engine.quotient(
            acting.engine,
            task.symmetry,
            task.options,
            progress,
            rows,
            deadlocks,
            None if find is None else lambda label: find(label_text(label)),
            enough,
        )
    if found.witness is not None:
        raise acting.not_symmetric(*found.witness)
    if found.incomplete not in (None, "found"):
        sizes = {"orbits": found.orbits, "transitions": found.steps}
        refuse_limit(task.process, found.incomplete, found.limit_summand, sizes, task.limits)
    explored = Explored(
        orbits=found.orbits,
        steps=found.steps,
        states=found.states,
        transitions=found.transitions,
        deadlocks=found.deadlocks,
        traces=tuple(
            Trace(deadlock, tuple(TraceStep(label_text(label), choice) for label, choice in steps))
            for deadlock, steps in found.traces
        ),
        complete=found.incomplete is None,
        certified=found.incomplete is None or all(task.proven),
        **task.told(found),
    )
    return found, explored

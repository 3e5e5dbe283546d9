"""Exploration of orbits in partitions, and the combined proof of the symmetry.

The proof needs no communication: if each partition has proven the symmetry for all states it has
visited, closed under the generators, it is proven for all of them together (see
`engine/src/partition/orbits/mod.rs` for the argument). If one partition cannot compare the tests of
a summand, the summand is bound in all of them; values that one of them finds to be points are
points in all. In both cases everything is explored again, as on one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Protocol

import lts._engine as _engine
from lts.cluster.levels import Telling
from lts.cluster.orbits.attempts import Attempt, Attempts
from lts.cluster.orbits.levels import OrbitLevels
from lts.cluster.orbits.quotient import Exploring, quotient
from lts.cluster.orbits.worker import Begun, OrbitJob, Proven
from lts.cluster.parts import Parts
from lts.cluster.transport import Transport, with_workers
from lts.errors import LimitReached
from lts.source import Described, source_of
from lts.state_space.generation import refuse_limit
from lts.state_space.settings import Limits, Settings
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.certify import Explored
from lts.symmetry.data.exploration import Task
from lts.symmetry.permutation.known import SYSTEM

__all__ = ["Found", "OfProcess", "Query", "explored_under"]

Found = tuple["_engine.Quotient | None", Explored]
"""The quotient, if transitions are stored, and the statistics."""


@dataclass(frozen=True, slots=True)
class Query:
    """A request, which builds the quotient if `with_quotient`."""

    settings: Settings
    parts: Parts
    with_quotient: bool


class Subtask(Exploring, Protocol):
    """A system to explore under a group: a linear process (`OfProcess`) or a network."""

    @property
    def process(self) -> Described:
        """The process or network."""

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """Numbers of the summands that are compared together."""

    @property
    def given(self) -> Sequence[Any]:
        """The group in the form that the engine takes."""

    @property
    def proof(self) -> str:
        """How the symmetry is proven."""

    @property
    def proven(self) -> Sequence[bool]:
        """For each summand whether it is proven before the exploration."""

    def is_about(self, open_terms: Sequence[str]) -> bool:
        """Whether the exploration visited values that the proof does not cover, so that another is
        needed."""

    def refuse_defect(self, defect: tuple[int, _engine.Witness] | None) -> None:
        """Raise `Defect` if a sampled comparison contradicts the proof."""


class OfProcess:
    """A linear process, and a group that acts on it."""

    def __init__(self, group_action: GroupAction, settings: Settings) -> None:
        task = Task(group_action, settings)
        self.process: Described = group_action.process
        self.groups = group_action.groups
        self.proof, self.proven = task.proof, task.proven
        self.given = group_action.given(task.proof, task.proven)
        self.generators = len(group_action.generators)
        self.is_about, self.refuse_defect = task.is_about, task.refuse_defect
        self.not_proven = group_action.not_proven


Under = Callable[[Settings], Subtask]
"""Returns the system to explore for given settings."""


def explored_under(under: Under, query: Query, attempts: Attempts) -> Found:
    """Explore one state of each orbit, and prove the symmetry."""
    settings, parts = query.settings, query.parts
    limits = settings.limits
    task = under(settings)
    of_worker = Settings(
        limits=Limits(limits.states, limits.values),
        strategy=settings.strategy,
        threads=max(1, settings.threads // parts.partitions),
        sample=settings.sample,
    )
    job = OrbitJob(
        process=task.process,
        groups=task.groups,
        given=task.given,
        partitions=parts.partitions,
        with_quotient=query.with_quotient,
        settings=of_worker,
    )
    with source_of(task.process).errors(limits):
        while True:
            attempt = attempts.begin(job)
            transport = parts.transport(attempt.job, settings)
            exploration = _Exploration(transport, attempt, task, query)
            try:
                found = exploration.found()
            except LimitReached:
                if exploration.levels.cut is not None or exploration.passed == "states":
                    attempts.done()  # a resumed run would end at the same limit
                raise
            except _engine.Unfitting as error:
                witness, points = error.args
                if points is None:
                    assert witness is not None
                    raise task.not_proven(*witness) from None
                job = replace(job, points=(*job.points, points))
                continue
            finally:
                transport.stop()
                attempt.close()
            if isinstance(found, tuple):
                parts.report(transport, "all was put together")
                return found
            if found is None:
                tested = replace(query, settings=replace(settings, proof="tested"))
                return explored_under(under, tested, attempts)
            job = replace(job, bound=(*job.bound, *sorted(found)))


class _Exploration:
    """One attempt to explore all levels and prove the symmetry."""

    def __init__(self, workers: Transport, attempt: Attempt, task: Subtask, query: Query) -> None:
        self.workers = Telling(workers)
        self.attempt = attempt
        self.task = task
        self.query = query
        self.resumes = attempt.job.run is not None
        self.passed: str | None = None
        self.levels = self._none()
        for level in attempt.levels:
            self.levels.add(level)
        self.begun = Begun(0, "", None)

    def begin(self) -> None:
        """Start workers at the level that the exploration has reached; without logs, at the
        first."""
        if not self.resumes:
            self.levels = self._none()
        self.workers.begin(
            self.levels.lengths or [0] * self.query.parts.partitions, self.levels.start
        )
        self.begun = self.workers.call_all("begun")[0]

    def _none(self) -> OrbitLevels:
        limits = self.query.settings.limits
        return OrbitLevels(self.workers, self.query.parts.partitions, max_states=limits.states)

    def found(self) -> Found | set[int] | None:
        """Return the result; or the summands that must be bound; or None if there are values that
        the proof from the text does not cover."""
        with_workers(self.begin, self.begin, resumes=self.resumes)
        if self.begun.refused is not None:
            raise self.task.not_proven(*self.begun.refused)
        begun = monotonic()
        if self.resumes:
            while self._goes_on(begun):
                with_workers(self.begin, self._explore)
        return with_workers(self.begin, lambda: self._proven(begun), resumes=self.resumes)

    def _explore(self) -> None:
        """Explore a level, or a chunk of one."""
        levels, progress = self.levels, self.query.settings.progress
        self.attempt.level(levels.explore_in_time())
        if progress is not None:
            progress(levels.states, levels.explored)

    def _goes_on(self, begun: float) -> bool:
        """Whether there is more to explore and no limit is exceeded."""
        if self.levels.done:
            return False
        most = self.query.settings.limits.states
        if most is not None and self.levels.states > most:
            self.passed = "states"
        else:
            self.passed = (
                self.levels.passed(self.query.settings.limits, begun)
                if self.levels.levels
                else None
            )
        return self.passed is None

    def _proven(self, begun: float) -> Found | set[int] | None:
        """Explore the remaining levels, and return the result once it is proven."""
        while self._goes_on(begun):
            self._explore()
        if self.task.is_about(self.levels.normal_forms()):
            return None
        levels, cut, passed = self.levels, self.levels.cut, self.passed
        if not levels.done or cut is not None:
            sizes = {"orbits": levels.states, "transitions": levels.transitions}
            kind, summand = (passed or "", None) if cut is None else (cut.kind, cut.summand)
            process = source_of(self.task.process).process
            refuse_limit(process, kind, summand, sizes, self.query.settings.limits)
        proven: list[Proven] = self.workers.call_all("prove")
        unknown = {proof.unknown for proof in proven if proof.unknown is not None}
        if unknown:
            return unknown
        for proof in proven:
            if proof.witness is not None:
                raise self.task.not_proven(*proof.witness)
        # Comparing steps may have met further values.
        open_terms = self.levels.normal_forms()
        if self.task.is_about(open_terms):
            return None
        for proof in proven:
            self.task.refuse_defect(proof.defect)
        # As on one machine, a group that moves no state and no label is the trivial one.
        is_idle = levels.original[0] == levels.states and isinstance(self.task, OfProcess)
        order = 1 if is_idle and not self._moves_labels() else self.begun.order
        found = None
        if self.query.with_quotient:
            found = quotient(self.workers, self.task, levels)
        return found, replace(self._explored(proven, open_terms), order=order)

    def _moves_labels(self) -> bool:
        """Whether the group moves a label, or may do so."""
        return any(
            witness is not None or any([*range(len(texts))] != own for own in images)
            for texts, images, witness in self.workers.call_all("labels")
        )

    def _explored(self, proven: list[Proven], open_terms: tuple[str, ...]) -> Explored:
        """Return the statistics, summed over all partitions."""
        levels = self.levels
        states, transitions, deadlocks = levels.original
        return Explored(
            orbits=levels.states,
            representatives=levels.states,
            approximate=0,
            steps=levels.transitions,
            followed=levels.transitions,
            states=states,
            transitions=transitions,
            deadlocks=deadlocks,
            traces=(),
            complete=True,
            order=self.begun.order,
            strategy=self.begun.strategy,
            store=levels.store,
            situations=sum(proof.checked for proof in proven),
            proving=max(proof.time for proof in proven),
            summands=len(self.task.proven),
            from_text=sum(self.task.proven),
            proof=self.task.proof,
            reach=SYSTEM,
            sampled=sum(proof.sampled for proof in proven),
            normal_forms=open_terms,
        )

"""Orbits counted in partitions, and the proof of the symmetry put together.

Nothing has to be exchanged for the proof: what partitions have proven of all that each of them has
met, closed under the generators, is proven of all together (`engine/src/partition/orbits/mod.rs`
says why). A summand whose tests one of them cannot compare is bound in all of them, and values that
one of them has found to be points are points in all; then all is explored again, as on one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeVar

from lts import _engine
from lts.cluster.orbits.worker import Begun, Come, Counts, Failed, OrbitJob, Proven
from lts.cluster.transport import Local, Transport, with_workers
from lts.errors import LtsError
from lts.linear.process import LinearProcess
from lts.names import label_text
from lts.state_space.generation import NO_LIMITS, Limits, evaluation_errors, refuse_limit
from lts.symmetry.data.action import Acting
from lts.symmetry.data.certify import Explored, checked_permutations
from lts.symmetry.data.exploration import SAMPLE, Progress, Task
from lts.symmetry.data.proof.deciding import on_orbits
from lts.symmetry.permutation.notation import Permutation

__all__ = ["count_orbits_in_parts"]

STEPS = 1 << 15
"""About so many steps of each partition are under way at a time."""

TIME = 0.3
"""Seconds after which a superstep ends, whatever it has done."""

_T = TypeVar("_T")

Workers = Callable[[OrbitJob], Transport]
"""What has workers for a job; they begin later."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for."""

    partitions: int
    threads: int
    workers: Workers | None
    limits: Limits
    strategy: str | None
    proof: str
    sample: int
    progress: Progress | None


def count_orbits_in_parts(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    *,
    partitions: int,
    threads: int = 1,
    workers: Workers | None = None,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    proof: str = "certificate",
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> Explored:
    """Count orbits, and the states and transitions that they stand for, in partitions.

    The numbers are those of `lts.symmetry.count_orbits`, for any number of `partitions`; what took
    `situations`, `sampled` and `proving` is that of all partitions, which compare what several of
    them have met several times. Workers are in this process, `threads` of them at a time, or where
    `workers` says. Each looks at a `sample` of its own states.

    Nothing is decided on the whole system: raises `NotProven` where it is not known on orbits
    whether a permutation is a symmetry, and `LtsError` for less than one partition; else what
    `count_orbits` raises.
    """
    if partitions < 1:
        raise LtsError("there is one partition at least")
    found = checked_permutations(process, permutations, proof)
    asked = _Asked(partitions, threads, workers, limits, strategy, proof, sample, progress)
    return on_orbits(process, found, lambda acting: _under(acting, asked), limits=limits)


def _under(acting: Acting, asked: _Asked) -> Explored:
    """Explore one state of each orbit."""
    limits = asked.limits
    task = Task(
        acting,
        limits=limits,
        strategy=asked.strategy,
        threads=asked.threads,
        proof=asked.proof,
        sample=asked.sample,
    )
    job = OrbitJob(
        process=acting.process,
        groups=acting.groups,
        given=acting.given(asked.proof, task.proven),
        partitions=asked.partitions,
        max_states=limits.states,
        max_values=limits.values,
        strategy=asked.strategy,
        threads=max(1, asked.threads // asked.partitions),
        sample=asked.sample,
    )
    with evaluation_errors(task.process, limits):
        while True:
            transport = _transport(job, asked)
            exploration = _Exploration(transport, job, task, asked)
            try:
                exploration.begin()
                found = with_workers(exploration.begin, exploration.run, resumes=False)
            except _engine.Unfitting as error:
                witness, points = error.args
                if points is None:
                    assert witness is not None
                    raise acting.not_proven(*witness) from None
                job = replace(job, points=(*job.points, points))
                continue
            finally:
                transport.stop()
            if isinstance(found, Explored):
                return found
            if found is None:
                return _under(acting, replace(asked, proof="tested"))
            job = replace(job, bound=(*job.bound, *found))


def _transport(job: OrbitJob, asked: _Asked) -> Transport:
    return Local(job, asked.threads) if asked.workers is None else asked.workers(job)


class _Exploration:
    """The supersteps of one exploration."""

    def __init__(self, workers: Transport, job: OrbitJob, task: Task, asked: _Asked) -> None:
        self.workers = workers
        self.job = job
        self.task = task
        self.asked = asked
        self.order = 0
        self.strategy = ""

    def begin(self) -> None:
        """Have workers that have nothing."""
        self.workers.begin([0] * self.job.partitions, 0)

    def run(self) -> Explored | set[int] | None:
        """Return what was found; or which summands are to be bound, or None if what was met is not
        what the text is about."""
        begun: list[Begun] = self._answers(self.workers.call_all("begun"))
        self.order, self.strategy = begun[0].order, begun[0].strategy
        if begun[0].refused is not None:
            raise self.task.acting.not_proven(*begun[0].refused)
        incomplete, summand = self._explore()
        met = self._normal_forms()
        if self.task.is_about(met):
            return None
        numbers: list[Counts] = self.workers.call_all("counts")
        if incomplete is not None:
            found = {
                "orbits": sum(one.orbits for one in numbers),
                "transitions": sum(one.steps for one in numbers),
            }
            refuse_limit(self.task.process, incomplete, summand, found, self.asked.limits)
        proven: list[Proven] = self._answers(self.workers.call_all("prove"))
        unknown = {one.unknown for one in proven if one.unknown is not None}
        if unknown:
            return unknown
        for one in proven:
            if one.witness is not None:
                raise self.task.acting.not_proven(*one.witness)
        # Steps that were compared may have met more.
        met = self._normal_forms()
        if self.task.is_about(met):
            return None
        for one in proven:
            self.task.refuse_defect(one.defect)
        return self._explored(numbers, proven, met)

    def _explored(
        self, numbers: list[Counts], proven: list[Proven], met: tuple[str, ...]
    ) -> Explored:
        """Return the sums."""
        return Explored(
            orbits=sum(one.orbits for one in numbers),
            representatives=sum(one.orbits for one in numbers),
            approximate=0,
            steps=sum(one.steps for one in numbers),
            states=sum(one.states for one in numbers),
            transitions=sum(one.transitions for one in numbers),
            deadlocks=sum(one.deadlocks for one in numbers),
            traces=(),
            complete=True,
            certified=True,
            order=self.order,
            strategy=self.strategy,
            store=sum(one.store for one in numbers),
            situations=sum(one.checked for one in proven),
            proving=max(one.time for one in proven),
            summands=len(self.task.proven),
            from_text=sum(self.task.proven),
            proof=self.task.proof,
            sampled=sum(one.sampled for one in proven),
            normal_forms=met,
        )

    def _explore(self) -> tuple[str | None, int | None]:
        """Explore until no orbit is new; or return which limit was passed, and of which summand."""
        limits, progress = self.asked.limits, self.asked.progress
        begun = monotonic()
        while True:
            time = TIME if limits.time_left is None else min(TIME, limits.time_left)
            # Where a sum has too many values, it is only looked what else was found.
            found: list[Come] = self._answers(
                self.workers.step("explore", [(STEPS, time)] * self.job.partitions)
            )
            orbits = sum(one.orbits for one in found)
            left = sum(one.left for one in found)
            if limits.states is not None and orbits > limits.states:
                return "states", None
            summand = next((one.values for one in found if one.values is not None), None)
            if summand is not None:
                return "values", summand
            if left == 0 and not any(one.sends for one in found):
                return None, None
            if progress is not None:
                progress(orbits, orbits - left)
            if limits.time is not None:
                late = limits.until is not None and monotonic() > limits.until
                if late or monotonic() - begun > limits.time:
                    return "time", None
            if limits.memory is not None and self._memory(found) > limits.memory:
                return "memory", None

    def _memory(self, found: list[Come]) -> int:
        """Return the bytes that it takes, here and in workers elsewhere."""
        own = _engine.anonymous_memory()
        store = sum(one.store for one in found)
        return store if own is None or self.asked.workers is not None else own

    def _normal_forms(self) -> tuple[str, ...]:
        """Return, of each function that no equation fits in some value met, one application."""
        forms: dict[int, bytes] = {}
        for one in self.workers.call_all("normal_forms"):
            for symbol, shown in one:
                known = forms.get(symbol, shown)
                forms[symbol] = min(shown, known, key=lambda text: (len(text), text))
        return tuple(label_text(forms[symbol]) for symbol in sorted(forms))

    @staticmethod
    def _answers(answers: list[Any]) -> list[Any]:
        """Return what workers found; raise what stopped the first of those that were stopped."""
        for one in answers:
            if isinstance(one, Failed):
                raise one.error()
        return answers

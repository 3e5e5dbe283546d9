"""Orbits in partitions: counted, or put together to the quotient."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from lts.cluster.orbits.attempts import Attempts
from lts.cluster.orbits.exploring import Asked, Found, Workers, explored_under
from lts.cluster.runs import Run, of_process
from lts.cluster.turns import Spilled
from lts.errors import LtsError, NotProven, NotSymmetric, SpecificationError
from lts.linear.process import LinearProcess
from lts.state_space.generation import NO_LIMITS, Limits
from lts.symmetry.data.action import Lifts
from lts.symmetry.data.certify import Certified, Explored, checked_permutations, explored_whole
from lts.symmetry.data.exploration import SAMPLE, Progress
from lts.symmetry.data.proof.deciding import on_orbits, on_whole
from lts.symmetry.permutation.notation import Permutation

__all__ = ["certified_quotient_in_parts", "count_orbits_in_parts"]


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
    run: str | os.PathLike[str] | None = None,
    resume: bool = False,
    until: ExitStack | None = None,
    spilled: Callable[[Spilled], object] | None = None,
) -> Explored:
    """Count orbits, and the states and transitions that they stand for, in partitions.

    The numbers are those of `lts.symmetry.count_orbits`, for any number of `partitions`; what took
    `situations`, `sampled` and `proving` is that of all partitions, which compare what several of
    them have met several times. Workers are in this process, `threads` of them at a time, or where
    `workers` says. Each looks at a `sample` of its own states. With a limit of memory, workers in
    this process take turns, so that its resident size is below it, and `spilled` is told what that
    cost. Time and memory are looked at now and then.

    With `run`, logs are in a folder of this name with `.run` at the end, while it is under way.
    They stay if it is interrupted, a limit of time or memory ends it, or workers fail for good;
    with `resume` it goes on from there. With `until` they are removed where that is left without an
    exception, and so what is returned was told.

    What is not proven on orbits is decided on the whole system, in this process, as it is there.
    Raises `LtsError` for less than one partition, for a run that
    is of something else, and where workers fail again and again; `OSError` if logs, or what is put
    away, cannot be written; else what `count_orbits` raises.
    """
    asked = Asked(
        partitions, False, threads, workers, limits, strategy, proof, sample, progress, spilled
    )
    return _explored(process, permutations, asked, run, resume, until)[1]


def certified_quotient_in_parts(
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
    run: str | os.PathLike[str] | None = None,
    resume: bool = False,
    until: ExitStack | None = None,
    spilled: Callable[[Spilled], object] | None = None,
) -> Certified:
    """Generate one state of each orbit in partitions, and prove that the permutations are
    symmetries.

    The quotient is that of `lts.symmetry.certified_quotient`, for any number of `partitions`: it
    has the same encodings. It is put together in this process, and has to fit there. All else is as
    for `count_orbits_in_parts`. Raises `Unsupported` for too many orbits, too.
    """
    asked = Asked(
        partitions, True, threads, workers, limits, strategy, proof, sample, progress, spilled
    )
    found, explored = _explored(process, permutations, asked, run, resume, until)
    assert found is not None
    return Certified(found, explored)


def _explored(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    asked: Asked,
    run: str | os.PathLike[str] | None,
    resume: bool,
    until: ExitStack | None,
) -> Found:
    if asked.partitions < 1:
        raise LtsError("there is one partition at least")
    found = checked_permutations(process, permutations, asked.proof)
    about: dict[str, Any] = {
        "partitions": asked.partitions,
        "written": asked.rows,
        "symmetry": list(map(str, found)),
        "strategy": asked.strategy,
        "proof": asked.proof,
        "proof_sample": asked.sample,
        "max_states": asked.limits.states,
        "max_values": asked.limits.values,
    }
    with ExitStack() as stack:
        kept = None
        if run is not None:
            path = os.path.normpath(os.fspath(run))
            kept = stack.enter_context(Run(path, about | of_process(process), resume, until))
        attempts = Attempts(kept)
        try:
            result = on_orbits(
                process,
                found,
                lambda acting: explored_under(acting, asked, attempts),
                limits=asked.limits,
            )
        except NotProven as missing:
            attempts.done()
            if asked.proof == "static":
                raise
            lifts = Lifts(process, found)
            whole = on_whole(lifts, missing, limits=asked.limits, threads=asked.threads)
            return whole.found.quotient, explored_whole(whole, len(process.summands), ())
        except (NotSymmetric, SpecificationError):
            attempts.done()
            raise
        attempts.done()
        return result

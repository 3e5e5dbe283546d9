"""Orbits in partitions: counted, or put together to the quotient."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from lts.cluster.orbits.attempts import Attempts
from lts.cluster.orbits.exploring import Found, OfProcess, Query, explored_under
from lts.cluster.parts import Parts
from lts.cluster.runs import Run, of_process
from lts.errors import NotProven, NotSymmetric, SpecificationError
from lts.linear.process import LinearProcess
from lts.state_space.settings import DEFAULT, Settings
from lts.symmetry.data.action import Lifts
from lts.symmetry.data.certify import Certified, Explored, checked_permutations, explored_whole
from lts.symmetry.data.proof.deciding import on_orbits, on_whole
from lts.symmetry.permutation.notation import Permutation

__all__ = ["certified_quotient_in_parts", "count_orbits_in_parts", "in_run"]


def count_orbits_in_parts(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    parts: Parts,
    settings: Settings = DEFAULT,
) -> Explored:
    """Count orbits, and the states and transitions that they stand for, in partitions.

    The numbers are those of `lts.symmetry.count_orbits`, for any number of partitions; what took
    `situations`, `sampled` and `proving` is that of all partitions, which compare what several of
    them have met several times. Each looks at a `sample` of its own states. With a limit of memory,
    workers in this process take turns, so that its resident size is below it. Time and memory are
    looked at now and then.

    What is not proven on orbits is decided on the whole system, in this process, as it is there.
    Raises `LtsError` for less than one partition, for a run that is of something else, for a
    `node_limit`, since an image is known to its owner only if it is the canonical one, and where
    workers fail again and again; `OSError` if logs, or what is put away, cannot be written; else
    what `count_orbits` raises.
    """
    return _explored(process, permutations, Query(settings, parts, rows=False))[1]


def certified_quotient_in_parts(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    parts: Parts,
    settings: Settings = DEFAULT,
) -> Certified:
    """Generate one state of each orbit in partitions, and prove that the permutations are
    symmetries.

    The quotient is that of `lts.symmetry.certified_quotient`, for any number of partitions: it
    has the same encodings. It is put together in this process, and has to fit there. All else is as
    for `count_orbits_in_parts`. Raises `Unsupported` for too many orbits, too.
    """
    found, explored = _explored(process, permutations, Query(settings, parts, rows=True))
    assert found is not None
    return Certified(found, explored)


def _explored(
    process: LinearProcess, permutations: Permutation | Sequence[Permutation], query: Query
) -> Found:
    settings = query.settings
    settings.refuse("node_limit", "positions", what="an exploration in partitions")
    found = checked_permutations(process, permutations, settings.proof)
    about = {"symmetry": list(map(str, found))}

    def explore(attempts: Attempts) -> Found:
        try:
            result = on_orbits(
                process,
                found,
                lambda acting: explored_under(partial(OfProcess, acting), query, attempts),
                limits=settings.limits,
            )
        except NotProven as missing:
            attempts.done()
            if settings.proof == "static":
                raise
            plain = Settings(limits=settings.limits, threads=settings.threads)
            whole = on_whole(Lifts(process, found), missing, plain)
            return whole.found.quotient, explored_whole(whole, len(process.summands), ())
        except (NotSymmetric, SpecificationError):
            attempts.done()
            raise
        attempts.done()
        return result

    return in_run(query, about | of_process(process), explore)


def in_run(
    query: Query, about: Mapping[str, object], explore: Callable[[Attempts], Found]
) -> Found:
    """Explore in a run, if logs are to be kept; `about` tells it from runs of something else."""
    settings, parts = query.settings, query.parts
    facts: dict[str, Any] = {
        "partitions": parts.partitions,
        "written": query.rows,
        "strategy": settings.strategy,
        "proof": settings.proof or "certificate",
        "proof_sample": settings.sample,
        "max_states": settings.limits.states,
        "max_values": settings.limits.values,
    }
    with ExitStack() as stack:
        kept = None
        if parts.run is not None:
            path = os.path.normpath(os.fspath(parts.run))
            run = Run(path, facts | dict(about), parts.resume, parts.until)
            kept = stack.enter_context(run)
        return explore(Attempts(kept))

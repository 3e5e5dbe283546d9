"""Counting of orbits, and quotients, in partitions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from lts.cluster.orbits.attempts import Attempts
from lts.cluster.orbits.exploring import Found, OfProcess, Query, explored_under
from lts.cluster.parts import Parts
from lts.cluster.runs import Run
from lts.errors import NotProven, NotSymmetric, SpecificationError
from lts.linear.process import LinearProcess
from lts.source import source_of
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

    The numbers are those of `lts.symmetry.count_orbits`, for any number of partitions, except that
    `situations`, `sampled` and `proving` are sums over all partitions: a situation met by several
    of them is compared by each. Each partition compares a `sample` of its own states. With a limit
    of memory, workers in this process take turns, so that its resident size stays below the limit.
    Limits of time and memory are checked between units of work.

    If the proof on orbits fails, the symmetry is decided on the whole system in this process, as in
    `count_orbits`. Raises `LtsError` for less than one partition, if the run to resume belongs to
    another task, for a `node_limit` (an orbit has an owner only if canonical images are exact), and
    if workers fail repeatedly; `OSError` if logs or spill files cannot be written; and the errors
    of `count_orbits`.
    """
    return _explored(process, permutations, Query(settings, parts, with_quotient=False))[1]


def certified_quotient_in_parts(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    parts: Parts,
    settings: Settings = DEFAULT,
) -> Certified:
    """Generate one state of each orbit in partitions, and prove that the permutations are
    symmetries.

    The quotient is that of `lts.symmetry.certified_quotient`, with the same encodings, for any
    number of partitions. It is combined in this process and has to fit into its memory. Otherwise
    as `count_orbits_in_parts`. Also raises `Unsupported` for too many orbits.
    """
    found, explored = _explored(process, permutations, Query(settings, parts, with_quotient=True))
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
                lambda group_action: explored_under(
                    partial(OfProcess, group_action), query, attempts
                ),
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

    return in_run(query, about | source_of(process).fingerprint(), explore)


def in_run(
    query: Query, about: Mapping[str, object], explore: Callable[[Attempts], Found]
) -> Found:
    """Explore, with the logs of a run if they are to be written; `about` identifies the task of the
    run."""
    settings, parts = query.settings, query.parts
    facts: dict[str, Any] = {
        "partitions": parts.partitions,
        "written": query.with_quotient,
        "strategy": settings.strategy,
        "proof": settings.proof or "certificate",
        "proof_sample": settings.sample,
        "max_states": settings.limits.states,
        "max_values": settings.limits.values,
    }
    with ExitStack() as stack:
        run = None
        if parts.run is not None:
            path = os.path.normpath(os.fspath(parts.run))
            run = stack.enter_context(Run(path, facts | dict(about), parts.resume, parts.until))
        return explore(Attempts(run))

"""Generation of the state space of a specification, a network or a net in partitions."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from time import monotonic
from typing import Any

from lts.base.label_names import label_text, several
from lts.cluster.levels import Levels, Telling
from lts.cluster.parts import Parts
from lts.cluster.runs import Run, goes_on
from lts.cluster.traces import trace_to
from lts.cluster.transport import with_workers
from lts.cluster.worker import Job
from lts.errors import LtsError
from lts.formats.parts import FolderWriter
from lts.source import Described, source_of
from lts.state_space.generation import Generation, Statistics
from lts.state_space.settings import DEFAULT, NO_GOALS, OF_GROUPS, Goals, Settings

__all__ = ["generate_parts"]


def generate_parts(
    process: Described,
    folder: str | os.PathLike[str] | None,
    parts: Parts,
    settings: Settings = DEFAULT,
    goals: Goals = NO_GOALS,
    *,
    hide: Iterable[str] = (),
    partial: bool = False,
) -> Generation:
    """Generate a state space in partitions, each of which writes a part of the folder.

    The folder has the states, numbers and transitions of `lts.state_space.explore` in the same
    order, whatever the number of partitions. It is written if the exploration is complete, with
    `partial` in any case; if `folder` is None, nothing is written. Actions and labels of `hide` are
    `tau` there. Other arguments and the result are as for `explore`. Limits of time and memory are
    checked between levels. During the run, logs are in a folder beside the result, as described at
    `Parts`.

    Raises `LtsError` if the run to resume belongs to another task, for `hide` or `partial` without
    a folder, and if workers fail repeatedly; `LimitReached` if the memory limit cannot be observed;
    `OSError` if a folder or a spill file cannot be written; and the errors of `explore`.
    """
    if parts.run is not None or parts.until is not None:
        raise LtsError("the logs of a generation are beside its folder, as long as it takes")
    settings.refuse(*OF_GROUPS, "positions", what="an exploration without a group")
    source = source_of(process)
    if not source.has_values:
        settings.refuse("check", what=source.title)
    if folder is None and (hide or partial):
        raise LtsError("nothing is written, so nothing can be hidden in it, nor be partial")
    limits, find, deadlocks = settings.limits, goals.find, goals.deadlocks
    partitions = parts.partitions
    begun = monotonic()
    names = sorted(set(several(hide)))

    def is_goal(label: bytes) -> bool:
        assert find is not None
        return find(label_text(label))

    most = limits.states
    identity: dict[str, Any] = {
        "partitions": partitions,
        "hide": names,
        "deadlocks": deadlocks,
        "find": find is not None,
        "enough": goals.enough,
        "max_states": most,
        "max_values": limits.values,
        "check": settings.check,
    }
    with ExitStack() as stack:
        stack.enter_context(source.errors(limits))
        files = None if folder is None else stack.enter_context(FolderWriter(folder, partitions))
        run = None
        if files is not None:
            run = stack.enter_context(
                Run(files.path, identity | source.fingerprint(), parts.resume)
            )
        job = Job(
            process=process,
            partitions=partitions,
            directory=None if files is None else files.directory,
            run=None if run is None else run.directory,
            max_values=limits.values,
            first_values=limits.values if most is None else min(limits.values, most + 1),
            traces=goals.any,
            deadlocks=_most(goals.enough) if deadlocks else 0,
            hide=tuple(names),
            check=settings.check,
        )
        transport = parts.transport(job, settings)
        stack.callback(transport.stop)
        levels = Levels(
            Telling(transport),
            partitions,
            # The initial state exists whatever the limit.
            max_states=None if most is None else max(most, 1),
            deadlocks=deadlocks,
            is_goal=None if find is None else is_goal,
            enough=goals.enough,
        )
        begin = functools.partial(_begin, levels)
        for level in [] if run is None else run.levels:
            levels.add(level)
        with_workers(begin, begin, resumes=goes_on(run))
        incomplete = None if levels.cut is None else levels.cut.kind
        statistics = _statistics(levels, begun)
        try:
            while incomplete is None and not levels.done:
                level = with_workers(begin, levels.explore, resumes=goes_on(run))
                if run is not None:
                    run.level(level)
                statistics = _statistics(levels, begun)
                if levels.cut is not None:
                    incomplete = levels.cut.kind
                elif not levels.done:
                    incomplete = levels.passed(limits, begun)
                if settings.progress is not None and incomplete is None:
                    settings.progress(statistics)
        except KeyboardInterrupt:
            # Including an interrupt between levels, while the log is written.
            incomplete = "interrupted"
        if incomplete == "interrupted":
            # Some workers may have finished the level and others not.
            return _result(levels, statistics, incomplete)
        found = with_workers(
            begin, lambda: _result(levels, statistics, incomplete), resumes=goes_on(run)
        )
        if files is not None and (incomplete is None or partial):
            closed = with_workers(begin, lambda: transport.call_all("close"), resumes=goes_on(run))
            files.finish(
                [label_text(label) for label in levels.labels],
                states=levels.states,
                # Readers take `i` as internal by its name; here it is a visible action.
                internal=() if b"i" in levels.labels and b"tau" not in levels.labels else None,
                transitions=levels.transitions,
                incomplete=incomplete,
                files={name: facts for part in closed for name, facts in part.items()},
            )
        parts.report(transport, "the folder was completed")
        if run is not None:
            run.done()
        return found


def _most(enough: int | None) -> int:
    return sys.maxsize if enough is None else enough


def _begin(levels: Levels) -> None:
    """Start workers at the level that the exploration has reached."""
    levels.workers.begin(levels.lengths or [0] * levels.partitions, levels.start)


def _result(levels: Levels, statistics: Statistics, incomplete: str | None) -> Generation:
    """Return the result, with traces."""
    forms: tuple[str, ...] = ()
    traces = []
    if incomplete != "interrupted":
        forms = levels.normal_forms()
        traces = [trace_to(levels.workers, goal) for goal in levels.goals]
    return Generation(
        statistics=statistics,
        incomplete=incomplete,
        labels=tuple(map(label_text, levels.labels)),
        traces=tuple(traces),
        lts=None,
        limit_summand=None if levels.cut is None else levels.cut.summand,
        normal_forms=forms,
    )


def _statistics(levels: Levels, begun: float) -> Statistics:
    return Statistics(
        states=levels.states,
        explored=levels.explored,
        transitions=levels.transitions,
        levels=max(levels.levels, 1),
        deadlocks=levels.dead,
        store=levels.store,
        tables=levels.tables,
        evaluations=0,
        rewriting=0.0,
        time=monotonic() - begun,
        memory=levels.store + levels.tables,
    )

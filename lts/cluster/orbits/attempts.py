"""Attempts of a run: an exploration under a group may have to be repeated in another way.

A run can make several attempts: if a proof fails, parameters are moved in another way; or a
partition may find that some tests must be left out, or that some values are points. Each attempt
has logs of its own, in a subfolder of the run. A resumed run makes the same attempts in the same
order; those that failed fail again as soon as their logs are read.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import replace
from typing import Any

from lts.cluster.logs import DriverLog, OtherRun
from lts.cluster.orbits.worker import OrbitJob
from lts.cluster.runs import Run

__all__ = ["Attempt", "Attempts"]


class Attempts:
    """The attempts of a run, with logs if there is a run."""

    def __init__(self, run: Run | None) -> None:
        self._run = run
        self._count = 0

    def begin(self, job: OrbitJob) -> Attempt:
        """Return the next attempt, started or, if it was started before, resumed."""
        self._count += 1
        if self._run is None:
            return Attempt(job, None)
        directory = os.path.join(self._run.directory, f"attempt-{self._count}")
        about = {"attempt": _digest(job)}
        if self._count > len(self._run.levels):
            self._run.level(about)
        try:
            log = DriverLog(directory, about)
        except (FileNotFoundError, OtherRun):
            shutil.rmtree(directory, ignore_errors=True)
            os.mkdir(directory)
            log = DriverLog(directory, about)
        return Attempt(replace(job, run=directory), log)

    def done(self) -> None:
        """Remove all logs at the end."""
        if self._run is not None:
            self._run.done()


class Attempt:
    """One attempt: the job of its workers, and the levels already finished."""

    def __init__(self, job: OrbitJob, log: DriverLog | None) -> None:
        self.job = job
        self._log = log

    @property
    def levels(self) -> list[dict[str, Any]]:
        """The levels that were finished before."""
        return [] if self._log is None else self._log.levels

    def level(self, level: dict[str, Any]) -> None:
        """Record that a level is finished."""
        if self._log is not None:
            self._log.level(level)

    def close(self) -> None:
        """Close the log."""
        if self._log is not None:
            self._log.close()


def _digest(job: OrbitJob) -> str:
    about = (job.given, job.groups, job.bound, job.points, job.with_quotient)
    return hashlib.sha256(repr(about).encode("utf-8", "surrogatepass")).hexdigest()

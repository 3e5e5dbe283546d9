"""A run: the folder with the logs of an unfinished task."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from importlib.metadata import version
from types import TracebackType
from typing import Any

import lts._engine as _engine
from aut_format.output import target_of
from lts.cluster.locks import locked, remove_locked
from lts.cluster.logs import DriverLog, has_nothing, is_begun
from lts.errors import LtsError

__all__ = ["Run", "goes_on"]


class Run:
    """The logs of a run that writes `path`, started or resumed.

    `identity` has to be the same when the run is resumed.

    The logs are removed at the end, unless the run is interrupted or workers are lost; with
    `until`, they are removed when that is closed, and not if the result could not be written.
    """

    def __init__(
        self, path: str, identity: dict[str, Any], resume: bool, until: ExitStack | None = None
    ) -> None:
        self.directory = target_of(path) + ".run"
        """The folder of the logs."""
        self._shown = path + ".run"
        self._run = identity | {"ltstool": version("ltstool")}
        self._resume = resume
        self._until = until
        self._done = False

    def __enter__(self) -> Run:
        if os.path.islink(self.directory):
            raise LtsError(f"{self._shown} already exists and is a link")
        if not self._resume:
            with suppress(FileExistsError):
                os.mkdir(self.directory, 0o700)
        elif not os.path.isdir(self.directory):
            raise LtsError(f"{self._shown} does not exist: there is no run to resume")
        try:
            self._lock = locked(self.directory)
        except (BlockingIOError, FileNotFoundError):
            raise LtsError(f"{self._shown} belongs to a run in progress") from None
        except NotADirectoryError:
            raise LtsError(f"{self._shown} already exists and is not a folder") from None
        try:
            self._refuse()
            self._log = DriverLog(self.directory, self._run)
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def _refuse(self) -> None:
        """Refuse a folder in which no run can be started or resumed.

        If a run stopped before its first log line, a new one is started.
        """
        if not is_begun(self.directory):
            if not has_nothing(self.directory):
                raise LtsError(f"{self._shown} already exists and does not belong to a run")
        elif not self._resume:
            raise LtsError(
                f"{self._shown} belongs to a run that was stopped: resume it with --resume, or "
                "remove the folder to start again"
            )

    @property
    def levels(self) -> list[dict[str, Any]]:
        """The levels that were finished before."""
        return self._log.levels

    def level(self, level: dict[str, Any]) -> None:
        """Record that a level is finished."""
        self._log.level(level)

    def done(self) -> None:
        """Have the logs removed at the end."""
        self._done = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._log.close()
        # A term without a value would end a resumed run again.
        ended = self._done or isinstance(error, _engine.EvaluationError)
        if not ended and self._log.levels:
            os.close(self._lock)
        elif error is None and self._until is not None:
            self._until.push(self._written)
        else:
            remove_locked(self.directory, self._lock)

    def _written(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            remove_locked(self.directory, self._lock)
        else:
            os.close(self._lock)


def goes_on(run: Run | None) -> bool:
    """Whether a run can be resumed if workers are lost for good: one in which a level is
    finished."""
    return run is not None and bool(run.levels)

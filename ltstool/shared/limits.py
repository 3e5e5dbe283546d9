"""`--timeout` and `--max-memory`: end a command that exceeds one of them, whatever it is doing.

A timer makes the main thread check them in a signal handler, so the check ends all work that an
interrupt ends. Work that ignores signals is ended by the engine, a little later.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

from lts.errors import LimitReached
from ltstool import signals

if TYPE_CHECKING:
    from typing import NoReturn, Self

    from lts.state_space.settings import Limits

LOOK = 0.02
"""Seconds between two checks."""

GRACE = 3.0
"""Seconds that a command has to end by itself."""

SLACK = 1.0
"""Seconds that the engine has to end by itself and report what it has found."""


class Passed(BaseException):
    """A limit of the command is exceeded. Not an `Exception`, so that no handler on the way takes
    it for an error of its own."""

    def __init__(self, error: LimitReached) -> None:
        super().__init__(str(error))
        self.error = error

    def again(self) -> None:
        """Restart the timer: the exception was raised where Python ignores exceptions."""
        _start_timer()


class Watch:
    """Context manager that checks the time and memory of a command.

    `at_start` has the sizes to report if a limit is exceeded before the engine starts to explore;
    empty for a command that explores nothing.
    """

    def __init__(
        self,
        timeout: float | None = None,
        memory: int | None = None,
        at_start: Mapping[str, int] | None = None,
    ) -> None:
        self.timeout = timeout
        self.memory = memory
        self.at_start = at_start or {}
        self.until = None if timeout is None else time.monotonic() + timeout
        self.slack = 0.0
        self.work = ""
        """What is being done, if it has a name."""
        self.passed: LimitReached | None = None
        """The limit that was exceeded; the interrupted work may end in any error."""

    def __enter__(self) -> Self:
        if self.timeout is None and self.memory is None:
            return self
        # Imported now, since a check during its import could not report the limit.
        import lts._engine as _engine
        import lts.state_space.settings  # noqa: F401

        _engine.watch(None if self.timeout is None else self.timeout + GRACE, self.memory)
        with suppress(ValueError):  # not in the main thread
            if hasattr(signal, "SIGALRM"):
                signal.signal(signal.SIGALRM, self._look)
                _start_timer()
        return self

    def __exit__(self, *_: object) -> None:
        if self.timeout is not None or self.memory is not None:
            import lts._engine as _engine

            _stop_timer()
            _engine.watch(None, None)
            self.timeout = self.memory = self.until = None

    @property
    def passed_at_start(self) -> bool:
        """Whether a limit was exceeded before the engine started."""
        return self.passed is not None and not self.slack

    @contextmanager
    def doing(self, work: str) -> Iterator[None]:
        """Name the work inside the context if a limit is exceeded there."""
        before, self.work = self.work, work
        try:
            yield
        finally:
            self.work = before

    def forbid_kill(self) -> None:
        """Do not kill the command when it is late: it has to end its child processes first."""
        if self.until is not None:
            import lts._engine as _engine

            _engine.watch(None, self.memory)

    def limits(self, states: int | None, values: int) -> Limits:
        """Return the limits of an exploration, with these numbers of states and of values of a
        sum."""
        from lts.state_space.settings import Limits

        self._check()
        return Limits(states, values, memory=self.memory, time=self.timeout, until=self.until)

    @contextmanager
    def engine_first(self, *, partial: bool = False) -> Iterator[None]:
        """Let the engine, which can report what it has found so far, check the limits first.

        With `partial`, what was found is written, however long that takes. The rest of the command
        gets this additional time as well, since it reports the engine's result.
        """
        self.slack = math.inf if partial else SLACK
        if partial:
            self.forbid_kill()
        yield

    def _look(self, number: int, frame: FrameType | None) -> None:
        if not signals.deferring():
            self._check()

    def _check(self) -> None:
        if self.until is not None and time.monotonic() > self.until + self.slack:
            assert self.timeout is not None
            self._exceed("time", self.timeout)
        if self.memory is None:
            return
        import lts._engine as _engine

        if (_engine.anonymous_memory() or 0) > self.memory * (1.25 if self.slack else 1):
            self._exceed("memory", self.memory)

    def _exceed(self, kind: str, limit: float) -> NoReturn:
        from lts.state_space.settings import more_than

        _stop_timer()
        message = more_than(kind, limit)
        found = {} if self.slack else self.at_start
        if found:
            message += f" while {self.work}" if self.work else ""
            message += ", before anything was explored"
        self.passed = LimitReached(message, limit=limit, found=dict(found))
        raise Passed(self.passed)


def _start_timer() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)


def _stop_timer() -> None:
    if hasattr(signal, "setitimer"):
        with suppress(ValueError):
            signal.setitimer(signal.ITIMER_REAL, 0)

"""`--timeout` and `--max-memory`: whatever a command is at, it ends when it passes one of them.

A timer has the main thread look, as a signal would: all work that an interrupt ends ends so. Work
that looks at no signal is ended by the engine, a little later.
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

if TYPE_CHECKING:
    from typing import NoReturn, Self

    from lts.state_space.settings import Limits

LOOK = 0.02
"""Seconds between two looks."""

GRACE = 3.0
"""Seconds that a command has to end by itself."""

SLACK = 1.0
"""Seconds that the engine has to end by itself, and to tell what it has found."""


class Passed(BaseException):
    """A limit of the command is passed: nothing on the way takes it for an error of its own."""

    def __init__(self, error: LimitReached) -> None:
        super().__init__(str(error))
        self.error = error

    def again(self) -> None:
        """Look again: it was raised where Python ignores errors, and has ended nothing."""
        _start_timer()


class Watch:
    """Looks at the time and the memory of a command while it is entered.

    `at_start` is what is known before the engine begins, to be told at a limit that is passed then.
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
        self.passed: LimitReached | None = None
        """The limit that was passed: what it interrupts may end in any error."""

    def __enter__(self) -> Self:
        if self.timeout is None and self.memory is None:
            return self
        # A look that comes while this is imported could not tell what was passed.
        import lts.state_space.settings  # noqa: F401
        from lts import _engine

        _engine.watch(None if self.timeout is None else self.timeout + GRACE, self.memory)
        with suppress(ValueError):  # not in the main thread
            if hasattr(signal, "SIGALRM"):
                signal.signal(signal.SIGALRM, self._look)
                _start_timer()
        return self

    def __exit__(self, *_: object) -> None:
        if self.timeout is not None or self.memory is not None:
            from lts import _engine

            _stop_timer()
            _engine.watch(None, None)
            self.timeout = self.memory = self.until = None

    @property
    def passed_at_start(self) -> bool:
        """Whether a limit was passed before the engine began."""
        return self.passed is not None and not self.slack

    def ends_in_order(self) -> None:
        """Have the command end by itself however late: it has processes that it ends before."""
        if self.until is not None:
            from lts import _engine

            _engine.watch(None, self.memory)

    def limits(self, states: int | None, values: int) -> Limits:
        """Return the limits of an exploration, of so many states and values of a sum."""
        from lts.state_space.settings import Limits

        self._check()
        return Limits(states, values, memory=self.memory, time=self.timeout, until=self.until)

    @contextmanager
    def engine_first(self, *, partial: bool = False) -> Iterator[None]:
        """Have the engine, which tells what it has found so far, look first.

        With `partial`, what was found is written, however long that takes. So is the rest of the
        command given more time: it tells what the engine has found.
        """
        self.slack = math.inf if partial else SLACK
        if partial:
            self.ends_in_order()
        yield

    def _look(self, number: int, frame: FrameType | None) -> None:
        self._check()

    def _check(self) -> None:
        if self.until is not None and time.monotonic() > self.until + self.slack:
            assert self.timeout is not None
            self._pass("time", self.timeout)
        if self.memory is None:
            return
        from lts import _engine

        if (_engine.anonymous_memory() or 0) > self.memory * (1.25 if self.slack else 1):
            self._pass("memory", self.memory)

    def _pass(self, kind: str, limit: float) -> NoReturn:
        from lts.state_space.settings import more_than

        _stop_timer()
        message = more_than(kind, limit)
        found = {} if self.slack else self.at_start
        if found:
            message += "; " + " and ".join(f"{found[name]} {name}" for name in [*found][:2])
            message += " were found"
        self.passed = LimitReached(message, limit=limit, found=dict(found))
        raise Passed(self.passed)


def _start_timer() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)


def _stop_timer() -> None:
    if hasattr(signal, "setitimer"):
        with suppress(ValueError):
            signal.setitimer(signal.ITIMER_REAL, 0)

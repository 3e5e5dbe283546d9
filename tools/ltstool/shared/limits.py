"""`--timeout` and `--max-memory`: whatever a command is at, it ends when it passes one of them.

A timer has the main thread look, as a signal would: all work that an interrupt ends ends so. Work
that looks at no signal is ended by the engine, a little later.
"""

from __future__ import annotations

import argparse
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING

from lts.errors import LimitReached
from ltstool.shared.numbers import seconds, size

if TYPE_CHECKING:
    from typing import NoReturn

    from lts.state_space.settings import Limits, Settings

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


class _Watch:
    """What is allowed, and until when."""

    def __init__(self) -> None:
        self.timeout: float | None = None
        self.memory: int | None = None
        self.until: float | None = None
        self.slack = 0.0
        self.at_start: dict[str, int] = {}
        self.passed: LimitReached | None = None


_watch = _Watch()


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add `--timeout` and `--max-memory`."""
    group = parser.add_argument_group(
        "limits of the command", "a run that reaches one ends with exit code 3"
    )
    group.add_argument(
        "--timeout", metavar="SECONDS", type=seconds, help="stop when it takes longer"
    )
    group.add_argument(
        "--max-memory", metavar="SIZE", type=size, help="stop when it takes more: 500M, 4G"
    )


def begin(arguments: argparse.Namespace) -> None:
    """Begin to look, if a limit is given; the time of the command begins now."""
    _watch.timeout, _watch.memory = arguments.timeout, arguments.max_memory
    _watch.until = None if _watch.timeout is None else time.monotonic() + _watch.timeout
    _watch.slack = 0.0
    # Orbits, and parts that are minimised, are told in other numbers.
    is_plain = getattr(arguments, "symmetry", None) is None and not getattr(
        arguments, "reduce", None
    )
    _watch.at_start = getattr(arguments, "found_at_start", {}) if is_plain else {}
    _watch.passed = None
    if _watch.timeout is None and _watch.memory is None:
        return
    from lts import _engine

    until = None if _watch.timeout is None else _watch.timeout + GRACE
    _engine.watch(until, _watch.memory)
    if hasattr(signal, "setitimer"):
        with suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGALRM, _look)
            _start_timer()


def end() -> None:
    """Look no more."""
    if _watch.timeout is None and _watch.memory is None:
        return
    from lts import _engine

    _stop_timer()
    _engine.watch(None, None)
    _watch.timeout = _watch.memory = _watch.until = None


def ends_in_order() -> None:
    """Have the command end by itself however late it is: it has processes that it ends before."""
    if _watch.until is not None:
        from lts import _engine

        _engine.watch(None, _watch.memory)


def of_engine(arguments: argparse.Namespace) -> Limits:
    """Return the limits of an exploration."""
    from lts.state_space.settings import Limits

    _check()
    return Limits(
        arguments.max_states,
        arguments.max_values,
        memory=_watch.memory,
        time=_watch.timeout,
        until=_watch.until,
    )


def settings(
    arguments: argparse.Namespace, progress: Callable[..., object] | None = None
) -> Settings:
    """Return how an exploration goes on, without a group."""
    from lts.state_space.settings import Settings

    return Settings(limits=of_engine(arguments), threads=arguments.threads, progress=progress)


def settings_under(
    arguments: argparse.Namespace, progress: Callable[..., object] | None = None
) -> Settings:
    """Return how an exploration of a specification goes on under a group."""
    return replace(
        settings(arguments, progress),
        strategy=arguments.strategy,
        proof=arguments.symmetry_proof,
        sample=arguments.proof_sample,
    )


@contextmanager
def looked_at_by_engine(*, partial: bool = False) -> Iterator[None]:
    """Have the engine, which tells what it has found so far, look first.

    With `partial`, what was found is written, however long that takes. So is the rest of the
    command given more time: it tells what the engine has found.
    """
    _watch.slack = math.inf if partial else SLACK
    if partial:
        ends_in_order()
    yield


def _look(number: int, frame: FrameType | None) -> None:
    _check()


def _check() -> None:
    if _watch.until is not None and time.monotonic() > _watch.until + _watch.slack:
        assert _watch.timeout is not None
        _stop_timer()
        _pass("time", _watch.timeout)
    if _watch.memory is None:
        return
    from lts import _engine

    if (_engine.anonymous_memory() or 0) > _watch.memory * (1.25 if _watch.slack else 1):
        _stop_timer()
        _pass("memory", _watch.memory)


def _pass(kind: str, limit: float) -> NoReturn:
    from lts.state_space.settings import more_than

    message = more_than(kind, limit)
    found: dict[str, int] = {} if _watch.slack else _watch.at_start
    if found:
        message += "; " + " and ".join([f"{number} {name}" for name, number in found.items()][:2])
        message += " were found"
    _watch.passed = LimitReached(message, limit=limit, found=dict(found))
    raise Passed(_watch.passed)


def passed_at_start() -> bool:
    """Whether a limit was passed before the engine began."""
    return _watch.passed is not None and not _watch.slack


def passed() -> LimitReached | None:
    """Return the limit that was passed, if one was: what it interrupts may end in any error."""
    return _watch.passed


def _start_timer() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)


def _stop_timer() -> None:
    if hasattr(signal, "setitimer"):
        with suppress(ValueError):
            signal.setitimer(signal.ITIMER_REAL, 0)

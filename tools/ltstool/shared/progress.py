"""How far a long command is: one line on a terminal, at most once a second.

Explorations tell themselves what they have found. Of other work, a `phase`, a thread says what it
is, how long it has taken and how much memory is held.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ltstool.shared.streams import show_line

if TYPE_CHECKING:
    from lts.state_space.generation import Statistics

PAUSE = 1.0  # seconds

_wanted: list[bool] = []
"""Not empty where somebody sees it, and wants to."""

_running: list[object] = []
"""What may show a line, the innermost last: only that does."""


def begin(arguments: argparse.Namespace) -> None:
    """Begin a command: with `-q`, where standard error is no terminal, and in a talk with a person
    nothing is shown."""
    _running.clear()
    talks = arguments.command == "simulate"
    _wanted[:] = [True] * (not arguments.quiet and not talks and sys.stderr.isatty())


@contextmanager
def phase(text: str) -> Iterator[None]:
    """Show what is done inside, once it has taken a while."""
    if not _wanted:
        yield
        return
    done = threading.Event()
    shown = threading.Thread(target=_tick, args=(text, done), daemon=True)
    _running.append(done)
    with suppress(RuntimeError):  # no more threads: nothing is shown
        shown.start()
    try:
        yield
    finally:
        done.set()
        _running.remove(done)
        if shown.ident is not None:
            shown.join()


def _tick(text: str, done: threading.Event) -> None:
    begin, empty = time.monotonic(), True
    while not done.wait(PAUSE):
        if _running[-1:] == [done]:
            empty = False
            line = f"{text}, {time.monotonic() - begin:.0f} s{_memory()}"
            show_line(line)
    if not empty:
        show_line()


def _memory() -> str:
    from lts import _engine

    held = _engine.anonymous_memory()
    return "" if held is None else f", {held / 1e6:,.0f} MB"


def summary(begun: float) -> None:
    """Say in a line what a command took that began at this time, if that was long."""
    seconds = time.monotonic() - begun
    if _wanted and seconds >= PAUSE:
        print(f"{seconds:.1f} s{_peak()}", file=sys.stderr)


def _peak() -> str:
    try:
        import resource
    except ImportError:  # not on this system
        return ""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f", at most {most * (1 if sys.platform == 'darwin' else 1024) / 1e6:,.0f} MB"


@contextmanager
def generation_progress(
    arguments: argparse.Namespace,
) -> Iterator[Callable[[Statistics], object] | None]:
    """Give a callable that shows statistics, or None: with `-q`, and where nobody sees it."""
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    shown = _Line()
    try:
        yield shown.tell
    finally:
        shown.clear()


@contextmanager
def quotient_progress(
    arguments: argparse.Namespace,
) -> Iterator[Callable[[int, int], object] | None]:
    """Give a callable that shows orbits found and explored, or None, as `generation_progress`."""
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    line = _Line()
    try:
        yield line.tell_orbits
    finally:
        line.clear()


class _Line:
    """The line, and what it said last: the rate is that since then."""

    def __init__(self) -> None:
        self.time = time.monotonic()
        self.states = 0
        self.empty = True
        _running.append(self)

    def tell(self, statistics: Statistics) -> None:
        self._show(statistics.states, lambda rate: shown(statistics, rate))

    def tell_orbits(self, orbits: int, explored: int) -> None:
        text = f"{orbits:,} orbits, {explored:,} explored"
        self._show(explored, lambda rate: f"{text}, {rate:,.0f} orbits/s")

    def _show(self, states: int, text: Callable[[float], str]) -> None:
        now = time.monotonic()
        if now - self.time < PAUSE:
            return
        rate = (states - self.states) / (now - self.time)
        self.time, self.states, self.empty = now, states, False
        show_line(text(rate))

    def clear(self) -> None:
        _running.remove(self)
        if not self.empty:
            show_line()


def shown(statistics: Statistics, rate: float) -> str:
    """Return the line: states, transitions, level, states a second, memory."""
    return (
        f"{statistics.states:,} states, {statistics.transitions:,} transitions, "
        f"level {statistics.levels}, {rate:,.0f} states/s, {statistics.memory / 1e6:,.0f} MB"
    )

"""Progress of long commands: one line on a terminal, updated at most once a second.

Explorations report what they have found. For other work (a `phase`), a thread shows its
description, its duration and the memory in use.
"""

from __future__ import annotations

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


class Progress:
    """The progress line of a command, shown if `wanted` and standard error is a terminal."""

    def __init__(self, *, wanted: bool = False) -> None:
        self.wanted = wanted and sys.stderr.isatty()
        self.running: list[object] = []
        """The phases under way, innermost last; only the innermost shows a line."""

    @contextmanager
    def phase(self, text: str) -> Iterator[None]:
        """Show a description of the work inside the context, once it has taken a while."""
        if not self.wanted:
            yield
            return
        done = threading.Event()
        shown = threading.Thread(target=self._tick, args=(text, done), daemon=True)
        self.running.append(done)
        with suppress(RuntimeError):  # no more threads: show nothing
            shown.start()
        try:
            yield
        finally:
            done.set()
            self.running.remove(done)
            if shown.ident is not None:
                shown.join()

    def _tick(self, text: str, done: threading.Event) -> None:
        begin, empty = time.monotonic(), True
        while not done.wait(PAUSE):
            if self.running[-1:] == [done]:
                empty = False
                show_line(f"{text}, {time.monotonic() - begin:.0f} s{_memory()}")
        if not empty:
            show_line()

    @contextmanager
    def exploration(self) -> Iterator[Callable[..., None] | None]:
        """Yield the progress callback of an exploration, None if nothing is shown. It is called
        with statistics, or with the numbers of orbits found and explored."""
        if not self.wanted:
            yield None
            return
        line = _Line()
        self.running.append(line)
        try:
            yield line.report
        finally:
            self.running.remove(line)
            if not line.empty:
                show_line()

    def summary(self, begun: float) -> None:
        """Print a line about the cost of a command that started at this time, if it took long."""
        seconds = time.monotonic() - begun
        if self.wanted and seconds >= PAUSE:
            print(f"{seconds:.1f} s{_peak()}", file=sys.stderr)


def _memory() -> str:
    from lts import _engine

    held = _engine.anonymous_memory()
    return "" if held is None else f", {held / 1e6:,.0f} MB"


def _peak() -> str:
    try:
        import resource
    except ImportError:  # not on this system
        return ""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f", at most {most * (1 if sys.platform == 'darwin' else 1024) / 1e6:,.0f} MB"


class _Line:
    """The line and its last contents, from which the current rate is computed."""

    def __init__(self) -> None:
        self.time = time.monotonic()
        self.states = 0
        self.empty = True

    def report(self, found: Statistics | int, explored: int = 0) -> None:
        now = time.monotonic()
        if now - self.time < PAUSE:
            return
        states = explored if isinstance(found, int) else found.states
        rate = (states - self.states) / (now - self.time)
        self.time, self.states, self.empty = now, states, False
        if isinstance(found, int):
            show_line(f"{found:,} orbits, {explored:,} explored, {rate:,.0f} orbits/s")
        else:
            show_line(
                f"{found.states:,} states, {found.transitions:,} transitions, level "
                f"{found.levels}, {rate:,.0f} states/s, {found.memory / 1e6:,.0f} MB"
            )

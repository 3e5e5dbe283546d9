"""Progress of long commands: one line on a terminal, updated at most once a second, or on request
lines in a file or pipe, one every half minute.

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

from ltstool.shared.streams import message, show_line

if TYPE_CHECKING:
    from lts.state_space.generation import Statistics

PAUSE, LINE_PAUSE = 1.0, 30.0
"""Seconds between two updates of the line on a terminal, and between two lines elsewhere."""


class Progress:
    """The progress of a command, shown if `wanted` and standard error is a terminal, or `lines` are
    requested."""

    def __init__(self, *, wanted: bool = False, lines: bool = False) -> None:
        self.on_terminal = sys.stderr.isatty()
        self.wanted = wanted and (self.on_terminal or lines)
        self.pause = PAUSE if self.on_terminal else LINE_PAUSE
        self.running: list[object] = []
        """The phases under way, innermost last; only the innermost shows a line."""

    def show(self, text: str = "") -> None:
        """Show a line, which on a terminal replaces the last one; without a text, take it away."""
        if self.wanted and self.on_terminal:
            show_line(text)
        elif self.wanted and text:
            message("note", text)

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
        while not done.wait(self.pause):
            if self.running[-1:] == [done]:
                empty = False
                self.show(f"{text}, {time.monotonic() - begin:.0f} s{_memory()}")
        if not empty:
            self.show()

    @contextmanager
    def exploration(self) -> Iterator[Callable[..., None] | None]:
        """Yield the progress callback of an exploration, None if nothing is shown. It is called
        with statistics, or with the numbers of orbits found and explored."""
        if not self.wanted:
            yield None
            return
        line = _Line(self)
        self.running.append(line)
        try:
            yield line.report
        finally:
            self.running.remove(line)
            if not line.empty:
                self.show()

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

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.time = time.monotonic()
        self.states = 0
        self.empty = True

    def report(self, found: Statistics | int, explored: int = 0) -> None:
        now = time.monotonic()
        if now - self.time < self.progress.pause:
            return
        states = explored if isinstance(found, int) else found.states
        rate = (states - self.states) / (now - self.time)
        self.time, self.states, self.empty = now, states, False
        if isinstance(found, int):
            self.progress.show(f"{found:,} orbits, {explored:,} explored, {rate:,.0f} orbits/s")
        else:
            self.progress.show(
                f"{found.states:,} states, {found.transitions:,} transitions, level "
                f"{found.levels}, {rate:,.0f} states/s, {found.memory / 1e6:,.0f} MB"
            )

"""Progress of long commands: one line on a terminal, updated at most once a second, or on request
lines in a file or pipe, one every half minute.

Explorations report what they have found. For other work (a `phase`), a thread shows its
description, the stages that the library says it is in, its duration and the memory in use.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ltstool.shared.remaining import Remaining, stage_texts
from ltstool.shared.streams import line_width, message, show_line

if TYPE_CHECKING:
    from lts.state_space.generation import Statistics

PAUSE, LINE_PAUSE = 1.0, 30.0
"""Seconds between two updates of the line on a terminal, and between two lines elsewhere."""


class Progress:
    """The progress of a command, shown if `enabled` and standard error is a terminal, or `lines`
    are requested."""

    def __init__(self, *, enabled: bool = False, lines: bool = False) -> None:
        self.on_terminal = sys.stderr.isatty()
        self.enabled = enabled and (self.on_terminal or lines)
        self.pause = PAUSE if self.on_terminal else LINE_PAUSE
        self.running: list[_Phase] = []
        """The work under way, innermost last; only the innermost shows a line."""

    def show(self, text: str, facts: Sequence[str] = (), others: Sequence[str] = ()) -> None:
        """Show a line, which on a terminal replaces the last one: a text, the most important facts,
        and others as far as there is room."""
        if self.enabled and self.on_terminal:
            show_line(fitted(text, facts, others, line_width()))
        elif self.enabled:
            message("note", ", ".join([text, *facts, *others]))

    def clear(self) -> None:
        """Take the line away."""
        if self.enabled and self.on_terminal:
            show_line()

    @contextmanager
    def phase(self, text: str) -> Iterator[None]:
        """Show a description of the work inside the context, once it has taken a while."""
        if self.enabled:
            # A thread may wake up early.
            with self._shown(_Phase(text, self.pause - PAUSE / 2)):
                yield
        else:
            yield

    @contextmanager
    def _shown(self, work: _Phase) -> Iterator[None]:
        """Show work inside the context, if it is the innermost."""
        done = threading.Event()
        shown = threading.Thread(target=self._tick, args=(work, done), daemon=True)
        self.running.append(work)
        with suppress(RuntimeError):  # no more threads: show nothing
            shown.start()
        try:
            yield
        finally:
            done.set()
            self.running.remove(work)
            if shown.ident is not None:
                shown.join()
            if not work.empty:
                self.clear()

    def _tick(self, work: _Phase, done: threading.Event) -> None:
        import lts._engine as _engine

        begin, remaining = time.monotonic(), Remaining()
        # Also where lines are rare, the rate is measured every second.
        while not done.wait(min(self.pause, PAUSE)):
            now, stages = time.monotonic(), _engine.stages()
            left = remaining.of(stages, now)
            if self.running[-1:] != [work] or now - work.time < work.pause:
                continue
            text, facts = stage_texts(work.text, stages)
            if text:
                facts += [] if left is None else [left]
                self.show(text, facts, [f"{now - begin:.0f} s", *_memory()])
                work.time, work.empty = now, False

    @contextmanager
    def exploration(self) -> Iterator[Callable[..., None] | None]:
        """Yield the progress callback of an exploration, None if nothing is shown. It is called
        with statistics, or with the numbers of orbits found and explored."""
        if not self.enabled:
            yield None
            return
        line = _Exploration(self)
        with self._shown(line):
            yield line.report

    def summary(self, begun: float) -> None:
        """Print a line about the cost of a command that started at this time, if it took long."""
        seconds = time.monotonic() - begun
        if self.enabled and seconds >= PAUSE:
            print(f"{seconds:.1f} s{_peak()}", file=sys.stderr)


def fitted(text: str, facts: Sequence[str], others: Sequence[str], width: int | None) -> str:
    """Return a line of less than `width` characters, if that is known: other facts are left out
    from the end, then a part of the text, and only then facts."""
    others = [*others]
    while True:
        line = ", ".join([text, *facts, *others])
        if width is None or len(line) < width:
            return line
        if not others:
            break
        others.pop()
    room = width - 1 - len(", ".join(["", *facts]))
    if room < len(_CUT) + 8:
        return line
    room -= len(_CUT)
    # A stage is known by the beginning of its name, and a file by the end.
    first = room if ": " in text else min(len(text.partition(" ")[0]) + 1, room // 2)
    return ", ".join([text[:first] + _CUT + text[len(text) - (room - first) :], *facts])


_CUT = "..."


def _memory() -> list[str]:
    import lts._engine as _engine

    held = _engine.anonymous_memory()
    return [] if held is None else [f"{held / 1e6:,.0f} MB"]


def _peak() -> str:
    try:
        import resource
    except ImportError:  # not on this system
        return ""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f", at most {most * (1 if sys.platform == 'darwin' else 1024) / 1e6:,.0f} MB"


class _Phase:
    """Work that is shown with a text, at most every `pause` seconds; `time` is that of its last
    line, and it is `empty` if there is none."""

    def __init__(self, text: str, pause: float) -> None:
        self.text = text
        self.pause = pause
        self.time = time.monotonic()
        self.empty = True


class _Exploration(_Phase):
    """An exploration, which reports itself. What else belongs to it, for instance a check of what
    was found, is shown like a phase once a report is missing."""

    def __init__(self, progress: Progress) -> None:
        super().__init__("", 1.5 * progress.pause)
        self.progress = progress
        self.states, self.then = 0, self.time
        """The states of the last report that was shown, and its time: the current rate is the one
        since then."""

    def report(self, found: Statistics | int, explored: int = 0) -> None:
        now = time.monotonic()
        if now - self.time < self.progress.pause:
            return
        states = explored if isinstance(found, int) else found.states
        if states == self.states:
            return  # what is done now is shown by its stages, such as a proof
        rate = (states - self.states) / (now - self.then)
        self.time, self.states, self.then, self.empty = now, states, now, False
        if isinstance(found, int):
            facts = [f"{explored:,} explored", f"{rate:,.0f} orbits/s"]
            self.progress.show(f"{found:,} orbits", facts)
        else:
            others = [
                f"{found.transitions:,} transitions",
                f"level {found.levels}",
                f"{found.memory / 1e6:,.0f} MB",
            ]
            self.progress.show(f"{found.states:,} states", [f"{rate:,.0f} states/s"], others)

"""How far a long command is: one line on a terminal, at most once a second."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lts.state_space.generation import Statistics

PAUSE = 1.0  # seconds


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
        print(f"\r\033[K{text(rate)}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if not self.empty:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def shown(statistics: Statistics, rate: float) -> str:
    """Return the line: states, transitions, level, states a second, memory."""
    return (
        f"{statistics.states:,} states, {statistics.transitions:,} transitions, "
        f"level {statistics.levels}, {rate:,.0f} states/s, {statistics.memory / 1e6:,.0f} MB"
    )

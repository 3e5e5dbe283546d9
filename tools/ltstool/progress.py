"""How far a long command is: one line on a terminal, at most once a second."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lts.mucrl.generation import Account

PAUSE = 1.0  # seconds


@contextmanager
def generation_progress(
    arguments: argparse.Namespace,
) -> Iterator[Callable[[Account], object] | None]:
    """Give a callable that shows an account, or None: with `-q`, and where nobody sees it."""
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    shown = _Line()
    try:
        yield shown.tell
    finally:
        shown.clear()


class _Line:
    """The line, and what it said last: the rate is that since then."""

    def __init__(self) -> None:
        self.time = time.monotonic()
        self.states = 0
        self.empty = True

    def tell(self, account: Account) -> None:
        now = time.monotonic()
        if now - self.time < PAUSE:
            return
        rate = (account.states - self.states) / (now - self.time)
        self.time, self.states, self.empty = now, account.states, False
        print(f"\r\033[K{shown(account, rate)}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if not self.empty:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def shown(account: Account, rate: float) -> str:
    """Return the line: states, transitions, level, states a second, memory."""
    return (
        f"{account.states:,} states, {account.transitions:,} transitions, level {account.levels}, "
        f"{rate:,.0f} states/s, {account.memory / 1e6:,.0f} MB"
    )

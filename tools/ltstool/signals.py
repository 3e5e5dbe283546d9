"""Signals that end the program: the first has it tidy up and leave, those after it are ignored."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
"""The exit code."""

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
# What is ignored from the start, as by `nohup`, goes on being ignored.
_ENDING = [
    number
    for name in _NAMES
    if (number := getattr(signal, name, None)) is not None
    and signal.getsignal(number) is not signal.SIG_IGN
]


def die_of_signals() -> None:
    """Let a signal end the program at once: there is nothing to tidy up."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)


def handle() -> None:
    """From now on an interrupt raises `KeyboardInterrupt`, and to be told to end `SystemExit`."""
    for number in _ENDING:
        signal.signal(number, _end)


def go_on() -> None:
    """Take signals again: the last was an interrupt that does not end the program."""
    if any(signal.getsignal(number) is signal.SIG_IGN for number in _ENDING):
        handle()


def die_of_closed_pipe() -> None:
    """End as a program does that knows nothing of signals and writes to a closed pipe."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    # A second signal would come while files that are not whole are taken away.
    for other in _ENDING:
        signal.signal(other, signal.SIG_IGN)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(INTERRUPTED)

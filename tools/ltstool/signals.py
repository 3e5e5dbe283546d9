"""Signals that end the program: the first has it tidy up and leave, those after it are ignored."""

from __future__ import annotations

import signal
import sys

# Not `typing`: it takes a while, and until signals are handled Python prints a traceback of them.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
"""The exit code."""

_NAMES = (
    *("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"),
    # What batch systems send before they end a job.
    *("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU"),
)
# What is ignored from the start, as by `nohup`, goes on being ignored.
_ENDING = [
    number
    for name in _NAMES
    if (number := getattr(signal, name, None)) is not None
    and signal.getsignal(number) is not signal.SIG_IGN
]

_SOON = 0.01
"""Seconds until what has ended nothing comes again."""

_come = False


def ignore() -> None:
    """Ignore signals: the program is about to end, and tidies up."""
    # By a handler: Python complains of one that came before it was ignored.
    for number in _ENDING:
        signal.signal(number, _nothing)


def leave() -> None:
    """Let a signal end the program at once: there is nothing to tidy up.

    After the one that ended it others change nothing, and not the exit code."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN if _come else signal.SIG_DFL)


def handle() -> None:
    """From now on an interrupt raises `KeyboardInterrupt`, and to be told to end `SystemExit`."""
    sys.unraisablehook = _again
    for number in _ENDING:
        signal.signal(number, _end)


def _again(ignored: sys.UnraisableHookArgs) -> None:
    """What comes while Python calls back, as it does when an object goes, ends nothing: it has to
    come again. So does what says how, by a method `again`."""
    error = ignored.exc_value
    if _come and isinstance(error, (KeyboardInterrupt, SystemExit)):
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _end)
            signal.setitimer(signal.ITIMER_REAL, _SOON)
    elif (again := getattr(error, "again", None)) is not None:
        again()
    elif not isinstance(error, MemoryError):  # that is told in the end, and needs memory to tell
        sys.__unraisablehook__(ignored)


def go_on() -> None:
    """Take signals again: the last was an interrupt that does not end the program."""
    global _come
    if _come:
        _come = False
        handle()


def die_of_closed_pipe() -> None:
    """End as a program does that knows nothing of signals and writes to a closed pipe."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)


def have_come() -> bool:
    """Return whether a signal has told the program to end."""
    return _come


def _nothing(number: int, frame: FrameType | None) -> None:
    pass


def _end(number: int, frame: FrameType | None) -> NoReturn:
    # A second signal would come while files that are not whole are taken away.
    global _come
    _come = True
    ignore()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(INTERRUPTED)

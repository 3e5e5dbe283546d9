"""Signals that end the program: on the first it cleans up and exits, further ones are ignored."""

from __future__ import annotations

import signal
import sys

# Not imported from `typing`, which takes a while: until signals are handled, Python prints a
# traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
"""The exit code after an interrupt."""

_NAMES = (
    *("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"),
    # Batch systems send these before they end a job.
    *("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU"),
)
# Signals ignored from the start, as by `nohup`, stay ignored.
_ENDING = [
    number
    for name in _NAMES
    if (number := getattr(signal, name, None)) is not None
    and signal.getsignal(number) is not signal.SIG_IGN
]

_SOON = 0.01
"""Seconds until a signal is repeated whose exception was ignored."""

_come = False


def ignore() -> None:
    """Ignore further signals while the program cleans up."""
    # With a handler: Python reports signals that came before SIG_IGN was set.
    for number in _ENDING:
        signal.signal(number, _nothing)


def leave() -> None:
    """Let a signal end the program at once, as there is nothing to clean up.

    If a signal is already ending it, ignore others, so that the exit code does not change.
    """
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN if _come else signal.SIG_DFL)


def handle() -> None:
    """Make an interrupt raise `KeyboardInterrupt`, and other signals `SystemExit`, from now on."""
    sys.unraisablehook = _again
    for number in _ENDING:
        signal.signal(number, _end)


def _again(ignored: sys.UnraisableHookArgs) -> None:
    """Repeat an exception of a signal that Python ignored because it was raised in a callback, such
    as a finaliser. Exceptions with a method `again` define how they are repeated."""
    error = ignored.exc_value
    if _come and isinstance(error, (KeyboardInterrupt, SystemExit)):
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _end)
            signal.setitimer(signal.ITIMER_REAL, _SOON)
    elif (again := getattr(error, "again", None)) is not None:
        again()
    elif not isinstance(error, MemoryError):  # reported at the end; reporting needs memory
        sys.__unraisablehook__(ignored)


def go_on() -> None:
    """Handle signals again after an interrupt that does not end the program."""
    global _come
    if _come:
        _come = False
        handle()


def die_of_closed_pipe() -> None:
    """Die of SIGPIPE, as programs do that do not handle signals and write to a closed pipe."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)


def have_come() -> bool:
    """Return whether a signal has asked the program to end."""
    return _come


def _nothing(number: int, frame: FrameType | None) -> None:
    pass


def _end(number: int, frame: FrameType | None) -> NoReturn:
    # A second signal would arrive while incomplete files are removed.
    global _come
    _come = True
    ignore()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(INTERRUPTED)

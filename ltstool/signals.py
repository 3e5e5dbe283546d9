"""Signals that end the program: on the first it cleans up and exits, further ones are ignored."""

from __future__ import annotations

import os
import signal
import sys

# Not imported from `typing`, which takes a while: until signals are handled, Python prints a
# traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

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
_deferring = False
_deferred: int | None = None
"""The signal that came while signals were deferred."""


class Ended(BaseException):
    """A signal other than an interrupt ends the program. Not a `SystemExit`, which argparse raises
    as well, and not an `Exception`, so that no handler on the way takes it for an error."""


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
    """Make an interrupt raise `KeyboardInterrupt`, and other signals `Ended`, from now on."""
    sys.unraisablehook = _again
    for number in _ENDING:
        signal.signal(number, _end)


def _again(ignored: sys.UnraisableHookArgs) -> None:
    """Repeat an exception of a signal that Python ignored because it was raised in a callback, such
    as a finaliser. Exceptions with a method `again` define how they are repeated."""
    error = ignored.exc_value
    if _come and isinstance(error, (KeyboardInterrupt, Ended)):
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _end)
            signal.setitimer(signal.ITIMER_REAL, _SOON)
    elif (again := getattr(error, "again", None)) is not None:
        again()
    elif not isinstance(error, MemoryError):  # reported at the end; reporting needs memory
        sys.__unraisablehook__(ignored)


def exit_at_once() -> None:
    """Let a signal end the program at once, with the usual exit code, as there is nothing to clean
    up and others catch exceptions of signals."""
    for number in _ENDING:
        signal.signal(number, _exit)


def deferring() -> bool:
    """Whether exceptions of signals are deferred now."""
    return _deferring


class Deferred:
    """Context manager that defers the exceptions of signals to its end, for a step that must not be
    left half done."""

    def __enter__(self) -> None:
        global _deferring
        _deferring = True

    def __exit__(self, *_: object) -> None:
        global _deferring, _deferred
        _deferring = False
        if _deferred is not None:
            number, _deferred = _deferred, None
            _end(number, None)


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


def _exit(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def _nothing(number: int, frame: FrameType | None) -> None:
    pass


def _end(number: int, frame: FrameType | None) -> None:
    global _come, _deferred
    if _deferring:
        _deferred = _deferred or number
        return
    # A second signal would arrive while incomplete files are removed.
    _come = True
    ignore()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Ended

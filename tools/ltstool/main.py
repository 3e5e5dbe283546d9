"""The entry point: parse the command line, run one subcommand, turn errors into exit codes."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

from lts.errors import Defect, LimitReached, LtsError, NotProven, NotSymmetric
from ltstool import signals
from ltstool.fits import check
from ltstool.parser import Command, command, parse
from ltstool.request import Request
from ltstool.shared import streams
from ltstool.shared.errors import as_json, describe
from ltstool.shared.limits import Passed
from ltstool.signals import INTERRUPTED

YES, NO, WRONG, LIMIT, DEFECT, CLOSED_PIPE = 0, 1, 2, 3, 70, 141

REPORT = "this is a defect of ltstool: please report it, with the input and what --debug says of it"
MOST_DIGITS = 100_000
"""Decimal digits of a number."""
NO_MEMORY = "the system gives no more memory"
_NO_OBJECT = (
    "PyObject pointer is null",  # Python could make none for the engine
    "error return without exception set",  # Python could make no frame for a call
)
_NOT_MAPPED = "failed to map segment"  # of a library that is there
NO_THREAD = "the system allows no more threads, or no memory for one"


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv` (without the program's name) and return the exit code."""
    name, request = parse(argv)
    try:
        return _within_limits(command(name), request)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): not our error, and nothing more can be told it.
        return CLOSED_PIPE
    except (LimitReached, Passed) as reached:
        return report_limit(request, reached.error if isinstance(reached, Passed) else reached)
    except NotSymmetric as error:
        # Where 1 answers another question, a symmetry that is none is a wrong argument.
        code = WRONG if request.takes.answers or request.searches else NO
        return report(request, as_json(error), describe(error), code)
    except NotProven as error:
        return report(request, as_json(error), describe(error), LIMIT)
    except Defect as error:
        return report(request, as_json(error), f"{describe(error)}\n{REPORT}", DEFECT)
    except (LtsError, OSError, RecursionError) as error:
        return report(request, as_json(error), describe(error), WRONG)
    except (SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        # Also what the engine raises where it panics, which is no `Exception`.
        if request.watch.passed is not None:
            return report_limit(request, request.watch.passed)
        message, code = unexpected(error)
        return report(request, {"error": message.partition("\n")[0]}, message, code)


def unexpected(error: BaseException) -> tuple[str, int]:
    """Return what to say of an error that nobody has foreseen, and the exit code."""
    if isinstance(error, MemoryError) or any(words in str(error) for words in _NO_OBJECT):
        return NO_MEMORY, LIMIT
    if isinstance(error, ImportError) and _NOT_MAPPED in str(error):
        return NO_MEMORY, LIMIT
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return NO_THREAD, LIMIT
    if signals.have_come():
        # An import that it interrupts may end in any error.
        return "", INTERRUPTED
    return f"{type(error).__name__}: {error}\n{REPORT}", DEFECT


def _within_limits(module: Command, request: Request) -> int:
    begun = time.monotonic()
    check(request)
    with request.watch:
        code = module.run(request)
        sys.stdout.flush()
        request.progress.summary(begun)
        return code


def report_limit(request: Request, error: LimitReached) -> int:
    """Say which limit was reached, and what was found before."""
    found = {"limit": error.limit, "found": error.found, "error": error.message}
    return report(request, found, str(error), LIMIT)


def report(request: Request, found: dict[str, object], message: str, code: int) -> int:
    """Say what went wrong, with `--json` also on standard output, if that takes it."""
    if code == INTERRUPTED:
        return code
    if request.debug:
        import traceback

        traceback.print_exc()
    if request.json:
        with suppress(OSError):
            print(json.dumps(found), flush=True)
    print(f"ltstool: {message}", file=sys.stderr)
    return code


def run() -> int:
    """Run as the `ltstool` program; return the exit code."""
    from aut_format.output import remove_parts
    from lts import _engine

    sys.excepthook = _except_memory
    # Orders of groups of thousands of data are told in full.
    sys.set_int_max_str_digits(MOST_DIGITS)
    streams.prepare()
    try:
        signals.handle()
        _engine.is_program()
        code = _run(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as exit:  # told to end when all was done but this
        code = exit.code if isinstance(exit.code, int) else YES
    # An interrupt may have come while they were taken away.
    remove_parts()
    # All that is left is for the system to clear away: no reason to wait.
    signals.leave()
    if code in (INTERRUPTED, CLOSED_PIPE):
        streams.forget()
    if code == CLOSED_PIPE:
        signals.die_of_closed_pipe()
    return code


def _except_memory(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    # The engine has Python print that it can make no object: it is told in the end.
    if not issubclass(kind, MemoryError):
        sys.__excepthook__(kind, error, trace)


def _run(argv: Sequence[str]) -> int:
    """Run `main`, and have written what it printed."""
    try:
        code = main(argv)
    except SystemExit as exit:  # of argparse, or when told to end
        code = exit.code if isinstance(exit.code, int) else YES
    except Exception as error:
        # Before the command line was read.
        message, code = unexpected(error)
        if message:
            print(f"ltstool: {message}", file=sys.stderr)
    if code in (INTERRUPTED, CLOSED_PIPE):
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        streams.forget()
        if code != YES:
            return code  # what is told already is worse
        if isinstance(error, BrokenPipeError):
            return CLOSED_PIPE
        print(f"ltstool: {describe(error)}", file=sys.stderr)
        return WRONG
    return code

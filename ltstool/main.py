"""The entry point: parse the command line, run one subcommand, turn errors into exit codes."""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

from lts.errors import Defect, LimitReached, LtsError, NotProven, NotSymmetric
from ltstool import signals
from ltstool.options.applicability import check
from ltstool.options.parser import Command, colour_of, command, parse
from ltstool.options.request import Request
from ltstool.shared import streams
from ltstool.shared.errors import as_json, describe
from ltstool.shared.limits import Passed
from ltstool.signals import INTERRUPTED, Ended

YES, NO, WRONG, LIMIT, DEFECT, CLOSED_PIPE = 0, 1, 2, 3, 70, 141

REPORT = "this is a bug in ltstool: please report it, with the input and the output of --debug"
MOST_DIGITS = 100_000
"""Most decimal digits of a printed number."""
NO_MEMORY = "the system gives no more memory"
_NO_OBJECT = (
    "PyObject pointer is null",  # Python could not allocate an object for the engine
    "error return without exception set",  # Python could not allocate a frame for a call
)
_NOT_MAPPED = "failed to map segment"  # loading an existing library
NO_THREAD = "the operating system refused to start another thread: use fewer with --threads"


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv` (without the program's name) and return the exit code."""
    streams.colour_messages(colour_of(argv))
    name, request = parse(argv)
    try:
        return _within_limits(command(name), request)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the output ended (`| head`): not an error of ours, and nobody to report it
        # to.
        return CLOSED_PIPE
    except (LimitReached, Passed) as reached:
        return report_limit(request, reached.error if isinstance(reached, Passed) else reached)
    except NotSymmetric as error:
        # If exit code 1 answers another question, a wrong symmetry is a wrong argument.
        code = WRONG if request.takes.answers or request.searches else NO
        return report(request, as_json(error), describe(error), code)
    except NotProven as error:
        return report(request, as_json(error), describe(error), LIMIT)
    except Defect as error:
        return report(request, as_json(error), f"{describe(error)}\n{REPORT}", DEFECT)
    except (LtsError, OSError, RecursionError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            # The system may refuse memory for reading a folder or starting a program.
            return report(request, {"error": NO_MEMORY}, NO_MEMORY, LIMIT)
        return report(request, as_json(error), describe(error), WRONG)
    except Ended:
        return INTERRUPTED
    except (SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        # This includes panics of the engine, which are not instances of `Exception`.
        if request.watch.passed is not None:
            return report_limit(request, request.watch.passed)
        message, code = unexpected(error)
        return report(request, {"error": message.partition("\n")[0]}, message, code)


def unexpected(error: BaseException) -> tuple[str, int]:
    """Return message and exit code for an unforeseen error."""
    if isinstance(error, MemoryError) or any(words in str(error) for words in _NO_OBJECT):
        return NO_MEMORY, LIMIT
    if isinstance(error, ImportError) and _NOT_MAPPED in str(error):
        return NO_MEMORY, LIMIT
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return NO_THREAD, LIMIT
    if signals.have_come():
        # An interrupted import may end in any error.
        return "", INTERRUPTED
    return f"{type(error).__name__}: {error}\n{REPORT}", DEFECT


def _within_limits(module: Command, request: Request) -> int:
    begun = time.monotonic()
    with request.watch:
        check(request)  # waits for standard input, if its kind depends on what it begins with
        code = module.run(request)
        sys.stdout.flush()
        request.progress.summary(begun)
        return code


def report_limit(request: Request, error: LimitReached) -> int:
    """Report the limit that was reached, and what was found before."""
    found = {"limit": error.limit, "found": error.found, "error": error.message}
    return report(request, found, str(error), LIMIT)


def report(request: Request, found: dict[str, object], message: str, code: int) -> int:
    """Report an error, with `--json` also on standard output; return the exit code."""
    if code == INTERRUPTED:
        return code
    if request.debug:
        import traceback

        traceback.print_exc()
    if request.json:
        with suppress(OSError):
            request.say(found, "")
    is_answer = code == NO and request.takes.asks_symmetry
    streams.message("note" if is_answer else "error", message)
    return code


def run() -> int:
    """Run as the `ltstool` program; return the exit code."""
    import lts._engine as _engine
    from aut_format.output import remove_parts

    sys.excepthook = _except_memory
    # The orders of groups on thousands of data are printed in full.
    sys.set_int_max_str_digits(MOST_DIGITS)
    streams.prepare()
    try:
        signals.handle()
        _engine.is_program()
        code = _run(sys.argv[1:])
    except (KeyboardInterrupt, Ended):  # before or after the work
        code = INTERRUPTED
    # Again, since an interrupt may have come during the first removal.
    remove_parts()
    # From here on nothing needs cleaning up, so a signal may end the program at once.
    signals.leave()
    if code in (INTERRUPTED, CLOSED_PIPE):
        streams.forget()
    if code == CLOSED_PIPE:
        signals.die_of_closed_pipe()
    return code


def _except_memory(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    # Python would print a traceback when it cannot allocate an object; `main` reports this instead.
    if not issubclass(kind, MemoryError):
        sys.__excepthook__(kind, error, trace)


def _run(argv: Sequence[str]) -> int:
    """Run `main`, and flush what it printed."""
    try:
        code = main(argv)
    except SystemExit as exit:  # from argparse
        code = exit.code if isinstance(exit.code, int) else YES
    except Exception as error:
        # Raised before the command line was parsed.
        message, code = unexpected(error)
        if message:
            streams.message("error", message)
    if code in (INTERRUPTED, CLOSED_PIPE):
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        streams.forget()
        if code != YES:
            return code  # the error reported before is more important
        if isinstance(error, BrokenPipeError):
            return CLOSED_PIPE
        streams.message("error", describe(error))
        return WRONG
    return code

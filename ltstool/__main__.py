"""Entry point of `ltstool` and `python -m ltstool`."""

import os
import sys

from ltstool.signals import INTERRUPTED, have_come, leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> None:
    """Run as the `ltstool` program."""
    # Importing the rest takes a while; an interrupt meanwhile should not print a traceback.
    leave()
    # The program has no use for BLAS threads, each of which takes memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from ltstool import main
    except (ImportError, MemoryError) as error:
        # A library exists but could not be mapped for lack of memory.
        if isinstance(error, ImportError) and "map" not in str(error):
            raise
        sys.stderr.write("ltstool: error: the system gives no more memory\n")
        end(3)
    try:
        code = main.run()
    except BaseException:
        if have_come():
            code = INTERRUPTED
        else:  # unforeseen; Python's exit code 1 would be taken for an answer
            sys.excepthook(*sys.exc_info())
            code = 70
    end(code)


def end(code: int) -> "NoReturn":
    """Exit with this code after the exit handlers, skipping the finalisation of libraries, which
    could change it."""
    import atexit
    from contextlib import suppress

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    run()

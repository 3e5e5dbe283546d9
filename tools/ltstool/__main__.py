"""The program, as `ltstool` and `python -m ltstool` start it."""

import os
import sys

from ltstool.signals import leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> None:
    """Run as the `ltstool` program."""
    # Loading the rest takes a while, and an interrupt then is nothing to be told a traceback of.
    leave()
    # Nothing here multiplies matrices, and each thread that might takes memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from ltstool import main
    except (ImportError, MemoryError) as error:
        # A library that is there, and that the system gives no memory for.
        if isinstance(error, ImportError) and "map" not in str(error):
            raise
        sys.stderr.write("ltstool: the system gives no more memory\n")
        end(3)
    try:
        code = main.run()
    except BaseException:  # nobody has foreseen it, and 1 would be an answer
        sys.excepthook(*sys.exc_info())
        code = 70
    end(code)


def end(code: int) -> "NoReturn":
    """End with this exit code, whatever libraries do on their way out: none gets there."""
    import atexit
    from contextlib import suppress

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    run()

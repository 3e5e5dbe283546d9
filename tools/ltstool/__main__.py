"""The program, as `ltstool` and `python -m ltstool` start it."""

import sys

from ltstool.signals import leave


def run() -> None:
    """Run as the `ltstool` program."""
    # Loading the rest takes a while, and an interrupt then is nothing to be told a traceback of.
    leave()
    try:
        from ltstool import main
    except (ImportError, MemoryError) as error:
        # A library that is there, and that the system gives no memory for.
        if isinstance(error, ImportError) and "map" not in str(error):
            raise
        sys.stderr.write("ltstool: the system gives no more memory\n")
        sys.exit(3)
    main.run()


if __name__ == "__main__":
    run()

"""The program, as `ltstool` and `python -m ltstool` start it."""

from ltstool.signals import die_of_signals


def run() -> None:
    """Run as the `ltstool` program."""
    # Loading the rest takes a while, and an interrupt then is nothing to be told a traceback of.
    die_of_signals()
    from ltstool import main

    main.run()


if __name__ == "__main__":
    run()

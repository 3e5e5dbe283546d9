"""`ltstool linearise`: print the linear process of a specification."""

from __future__ import annotations

import argparse

from ltstool.files import open_output
from ltstool.options import add_output
from ltstool.specifications import add_specification, read_specification

HELP = "print the linear process equation of a muCRL specification"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `linearise` takes."""
    add_specification(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the linear process."""
    from lts.mucrl import linearise

    process = linearise(read_specification(arguments.specification, arguments.parameters))
    with open_output(arguments.output) as out:
        out.write(str(process).encode("utf-8", "surrogateescape"))
    return 0

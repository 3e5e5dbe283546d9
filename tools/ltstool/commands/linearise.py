"""`ltstool linearise`: print the linear process of a specification."""

from __future__ import annotations

import argparse

from ltstool.files import write_text
from ltstool.specifications import add_specification, read_specification
from ltstool.options import add_output

HELP = "print the linear process equation of a specification"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_specification(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lts.mucrl.linearise import linearise

    write_text(str(linearise(read_specification(arguments))), arguments.output)
    return 0

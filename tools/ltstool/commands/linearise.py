"""`ltstool linearise`: print the linear process of a specification."""

from __future__ import annotations

import argparse
import sys

from lts.errors import Unsupported
from ltstool.shared.files import open_output
from ltstool.shared.options import add_output, refuse_json_beside, tell_written
from ltstool.shared.specifications import (
    add_simplifications,
    add_specification,
    read_specification,
    simplifications,
)

HELP = "print the linear process equation of a muCRL specification"
EXAMPLES = ("linearise cases/abp.mcrl",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `linearise` takes."""
    add_specification(parser)
    add_output(parser)
    add_simplifications(parser)
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="say what was simplified, and why"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the linear process."""
    from lts.mucrl import linear_text, linearise

    refuse_json_beside(arguments, arguments.output)
    specification = read_specification(arguments, arguments.specification)
    if specification.communications is None:
        raise Unsupported(
            "a linear process is printed in μCRL, which does not have what mCRL2 has; other "
            "commands take this text",
            file=specification.source.file,
        )
    process = linearise(specification, simplifications=simplifications(arguments))
    if arguments.verbose:
        for line in process.remarks or ("nothing could be simplified",):
            print(line, file=sys.stderr)
    with open_output(arguments.output) as out:
        out.write(linear_text(process).encode("utf-8", "surrogateescape"))
    sizes = {"parameters": len(process.parameters), "summands": len(process.summands)}
    tell_written(arguments, **sizes)
    return 0

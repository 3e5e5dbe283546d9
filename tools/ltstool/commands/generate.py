"""`ltstool generate`: from a specification to its state space."""

from __future__ import annotations

import argparse

from ltstool.files import write_lts
from ltstool.options import add_hide, add_output, hide, remark
from ltstool.specifications import add_specification, positive, read_specification

HELP = "generate the labelled transition system of a muCRL specification"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `generate` takes."""
    add_specification(parser)
    add_output(parser)
    add_hide(parser)
    add_limits(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="check that states and labels have values of constructors only, of the right sorts, "
        "and remark on functions that lack equations",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add `--max-states` and `--max-values`."""
    parser.add_argument(
        "--max-states", metavar="N", type=positive, help="stop when there are more states (exit 3)"
    )
    parser.add_argument(
        "--max-values",
        metavar="N",
        type=positive,
        default=1_000_000,
        help="stop when a sum has more values in one state (exit 3; default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Generate and write."""
    from lts.mucrl import generate, missing_cases

    specification = read_specification(arguments.specification, arguments.parameters)
    if arguments.check:
        for case in missing_cases(specification):
            remark(arguments, f"no equation fits `{case}`")
    system = generate(
        specification,
        max_states=arguments.max_states,
        max_values=arguments.max_values,
        check=arguments.check,
    )
    if "i" in system.labels and not system.internal:
        remark(arguments, "the action `i` is not internal here: say `--tau ''` when reading it")
    write_lts(hide(system, arguments), arguments.output)
    return 0

"""`ltstool minimise`: the least system that is equivalent."""

from __future__ import annotations

import argparse

from ltstool.files import open_output, write_lts
from ltstool.options import add_hide, add_input, add_output, add_salvage, add_tau, load

HELP = "minimise an LTS modulo an equivalence"

BLOCK = 1 << 16  # states whose classes are text at a time


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `minimise` takes."""
    add_input(parser)
    add_equivalence(parser)
    add_output(parser)
    add_hide(parser)
    add_tau(parser)
    add_salvage(parser)
    parser.add_argument(
        "--classes",
        metavar="OUT",
        help="write a line `state class` for every state: its state in the result, or `-`",
    )
    parser.add_argument(
        "--keep-unreachable", action="store_true", help="keep states that cannot be reached"
    )
    add_max_states(parser)


def add_max_states(parser: argparse.ArgumentParser) -> None:
    """Add `--max-states N`: where relations that are exponential or cubic by nature stop."""
    parser.add_argument(
        "--max-states",
        type=int,
        metavar="N",
        help="stop (exit code 3) when traces take more sets, or simulations more classes of states",
    )


def add_equivalence(parser: argparse.ArgumentParser) -> None:
    """Add `-e EQUIVALENCE`."""
    parser.add_argument(
        "-e",
        "--equivalence",
        required=True,
        metavar="EQUIVALENCE",
        help=equivalence_help(),
    )


def equivalence_help() -> str:
    """Return what `-e` takes."""
    from lts.equivalence.names import EQUIVALENCES

    return f"one of {', '.join(EQUIVALENCES)}"


def run(arguments: argparse.Namespace) -> int:
    """Minimise and write."""
    from lts.equivalence import DROPPED, minimise, minimise_with_classes

    system = load(arguments, arguments.file)
    options = {"keep_unreachable": arguments.keep_unreachable, "max_states": arguments.max_states}
    if arguments.classes is None:
        least = minimise(system, arguments.equivalence, **options)
    else:
        least, found = minimise_with_classes(system, arguments.equivalence, **options)
        with open_output(arguments.classes) as out:
            for first in range(0, len(found), BLOCK):
                block = enumerate(found[first : first + BLOCK].tolist(), first)
                lines = (f"{s} {'-' if c == DROPPED else c}\n" for s, c in block)
                out.write("".join(lines).encode())
    write_lts(least, arguments.output)
    return 0

"""`ltstool compare`: whether two systems are equivalent."""

from __future__ import annotations

import argparse
import json

from ltstool.commands.minimise import add_equivalence
from ltstool.options import add_hide, add_tau, load

HELP = "compare two LTSs modulo an equivalence: exit code 0 if they are equivalent, else 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `compare` takes."""
    parser.add_argument("left", metavar="A", help=".aut file (`-`: standard input)")
    parser.add_argument("right", metavar="B", help=".aut file (`-`: standard input)")
    add_equivalence(parser)
    add_hide(parser)
    add_tau(parser)
    parser.set_defaults(salvage=False)


def run(arguments: argparse.Namespace) -> int:
    """Compare and say what tells them apart."""
    from lts.equivalence import compare

    left, right = (load(arguments, file) for file in (arguments.left, arguments.right))
    found = compare(left, right, arguments.equivalence)
    if arguments.json:
        print(json.dumps({"equivalent": found.equivalent, "formula": found.formula}))
    elif found.equivalent:
        print("equivalent")
    else:
        print("not equivalent")
        if found.formula is not None:
            print(f"only {arguments.left} has the property\n  {found.formula}")
    return 0 if found.equivalent else 1

"""`ltstool check`: whether a formula holds."""

from __future__ import annotations

import argparse
import json

from ltstool.files import write_lts
from ltstool.options import add_hide, add_tau, load

HELP = "check a formula of the modal mu-calculus: exit code 0 if it holds initially, else 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `check` takes."""
    from lts.logic.check import PROPERTIES

    parser.add_argument("file", metavar="FILE", help=".aut file (`-`: standard input)")
    parser.add_argument(
        "formula",
        metavar="FORMULA",
        help="a formula, as `[send(...)] mu X. <true>true && [!recv(...)]X`, or a property: "
        f"{', '.join(PROPERTIES)}, deterministic",
    )
    parser.add_argument(
        "--evidence",
        metavar="OUT",
        help="write the transitions that show the answer as an .aut file, states numbered anew",
    )
    add_hide(parser)
    add_tau(parser)
    parser.set_defaults(salvage=False)


def run(arguments: argparse.Namespace) -> int:
    """Check and write what shows the answer."""
    from lts.logic import check

    system = load(arguments, arguments.file)
    found = check(system, arguments.formula)
    print(json.dumps({"holds": found.holds}) if arguments.json else str(found.holds).lower())
    if arguments.evidence is not None:
        write_lts(found.evidence.reachable(), arguments.evidence)
    return 0 if found.holds else 1

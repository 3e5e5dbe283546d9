"""`ltstool compare`: whether two systems are equivalent, or one refines the other."""

from __future__ import annotations

import argparse
import json

from lts.errors import LtsError
from ltstool.commands.minimise import add_max_states, equivalence_help
from ltstool.files import is_standard, open_output
from ltstool.options import add_hide, add_tau, hide, load, remark, remark_absent

HELP = "compare two LTSs: exit code 0 if they are equivalent (B refines A), else 1 and evidence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `compare` takes."""
    from lts.equivalence.names import PREORDERS

    parser.add_argument("left", metavar="A", help=".aut file (`-`: standard input)")
    parser.add_argument("right", metavar="B", help=".aut file (`-`: standard input)")
    relation = parser.add_mutually_exclusive_group(required=True)
    relation.add_argument("-e", "--equivalence", metavar="EQUIVALENCE", help=equivalence_help())
    relation.add_argument(
        "--preorder",
        metavar="PREORDER",
        help="whether B refines A: all that B does A may do (A simulates B); one of "
        f"{', '.join(PREORDERS)}",
    )
    add_hide(parser)
    add_tau(parser)
    add_max_states(parser)
    parser.add_argument(
        "--evidence",
        metavar="FILE",
        help="write what shows the difference: a formula, which `check` takes, or a trace",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write a trace that `simulate` replays on the system that has what is shown: the one "
        "that shows the difference, or one along the formula",
    )
    parser.set_defaults(salvage=False)


def run(arguments: argparse.Namespace) -> int:
    """Compare and say what tells them apart."""
    from lts.equivalence import compare, refines, trace_text

    files = arguments.left, arguments.right
    if all(map(is_standard, files)):
        raise LtsError("only one of the two systems can come from standard input")
    as_written = [load(arguments, file, hidden=False) for file in files]
    remark_absent(arguments, [label for system in as_written for label in system.labels])
    left, right = (hide(system, arguments.hide) for system in as_written)
    limit = arguments.max_states
    if arguments.preorder is not None:
        found = refines(left, right, arguments.preorder, max_states=limit)
        verdict = f"{files[1]} {'refines' if found.holds else 'does not refine'} {files[0]}"
        key = "refines"
    else:
        found = compare(left, right, arguments.equivalence, max_states=limit)
        verdict = "equivalent" if found.holds else "not equivalent"
        key = "equivalent"
    evidence = found.evidence
    if arguments.json:
        shown = None if evidence is None else evidence.as_json()
        print(json.dumps({key: found.holds, "evidence": shown}))
    else:
        print(verdict)
        if evidence is not None:
            print(evidence.describe(files[0] if evidence.of_left else files[1]))
        elif not found.holds:
            remark(arguments, "a formula that tells them apart would be too large to be of use")
    if evidence is not None:
        # Hidden actions stand under their own names, so that it replays on the file itself.
        side = 0 if evidence.of_left else 1
        if arguments.evidence is not None:
            write(arguments.evidence, evidence.file_text(as_written[side]))
        if arguments.trace is not None:
            write(arguments.trace, trace_text(evidence, as_written[side]))
    return 0 if found.holds else 1


def write(file: str, text: str) -> None:
    """Write a text file, whole or not at all."""
    with open_output(file) as out:
        out.write(text.encode("utf-8", "surrogateescape"))

"""`ltstool compare`: whether two systems are equivalent, or one refines the other."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from aut_format.output import together
from lts.errors import LtsError
from ltstool.commands.minimise import add_max_states, equivalence_help
from ltstool.shared.files import is_standard, open_output, refuse_same
from ltstool.shared.idle import (
    ALL,
    is_explored,
    reads_specification,
    refuse_alone,
    refuse_idle,
)
from ltstool.shared.options import add_from, add_hide, add_tau, hide, remark, remark_absent
from ltstool.shared.originals import read_encoding
from ltstool.shared.progress import phase
from ltstool.shared.specifications import add_symmetry
from ltstool.shared.systems import SYSTEM, add_system_options, load
from ltstool.symmetric.options import add_strategy

if TYPE_CHECKING:
    from lts.equivalence import Comparison

HELP = "compare two systems: exit code 0 if they are equivalent (B refines A), else 1 and evidence"
EXAMPLES = (
    "compare left.aut right.aut -e branching",
    "compare protocol.mcrl service.mcrl -e weak",
    "compare specification.aut implementation.aut --preorder weak-trace",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `compare` takes."""
    from lts.equivalence.names import PREORDERS

    parser.add_argument("left", metavar="A", help=f"{SYSTEM} (`-`: an .aut on standard input)")
    parser.add_argument(
        "right",
        metavar="B",
        help=f"{SYSTEM} (`-`: an .aut on standard input)",
    )
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
    add_from(parser)
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
    group = parser.add_argument_group(
        "reductions",
        "What is compared are the systems that reductions stand for. With --symmetry A and B are "
        "reductions under the symmetry files that it names, or specifications and networks of "
        "which one state of each orbit is explored; an LTS beside one of these is taken as it is.",
    )
    add_symmetry(
        group,
        required=False,
        help="symmetry file of A, and of B if it has no other; of specifications all that "
        "`generate` takes: one state of each orbit is explored. With --preorder A must be "
        "symmetric from its start",
    )
    group.add_argument("--other-symmetry", metavar="S", help="symmetry of B")
    group.add_argument(
        "--as-such",
        action="store_true",
        help="compare the reductions themselves, rho-steps and all: with --symmetry, if they are "
        "equivalent, so are the systems, but equivalent systems have reductions that are not",
    )
    group = parser.add_argument_group(
        "specifications",
        "The state space of one is generated; with --preorder, that of B is explored as far as "
        "needed, unless the preorder is of simulations.",
    )
    add_system_options(group)
    add_strategy(group)
    group.add_argument("-v", "--verbose", action="store_true", help="say in the end what it took")
    parser.set_defaults(salvage=False)


def run(arguments: argparse.Namespace) -> int:
    """Compare and say what tells them apart."""
    arguments.answers = True
    from lts.equivalence import compare, refines, trace_text

    files = arguments.left, arguments.right
    if arguments.evidence is not None and arguments.trace is not None:
        refuse_same({"--evidence": arguments.evidence, "--trace": arguments.trace})
    refuse_idle(arguments, *files, meant={"max_states": ALL})
    if reads_specification(arguments, files[1]):
        from ltstool.symmetric import refinements

        if refinements.is_meant(arguments):
            return refinements.run(arguments)
    if all(map(is_standard, files)):
        raise LtsError("only one of the two systems can come from standard input")
    if arguments.symmetry is not None:
        return compare_reductions(arguments)
    refuse_alone(arguments)
    if arguments.other_symmetry is not None:
        raise LtsError("--other-symmetry is the symmetry file of B: --symmetry, of A, is missing")
    as_written = [load(arguments, file, hidden=False, reduction="bisimilar") for file in files]
    remark_absent(arguments, [label for system in as_written for label in system.labels])
    left, right = (hide(system, arguments.hide) for system in as_written)
    limit = arguments.max_states
    if arguments.preorder is not None:
        with phase("comparing"):
            found = refines(left, right, arguments.preorder, max_states=limit)
        verdict = f"{files[1]} {'refines' if found.holds else 'does not refine'} {files[0]}"
        key = "refines"
    else:
        with phase("comparing"):
            found = compare(left, right, arguments.equivalence, max_states=limit)
        verdict = "equivalent" if found.holds else "not equivalent"
        key = "equivalent"
    show(arguments, found, verdict, key)
    evidence = found.evidence
    if evidence is not None:
        # Hidden actions stand under their own names, so that it replays on the file itself.
        side = 0 if evidence.of_left else 1
        with together():
            if arguments.evidence is not None:
                write(arguments.evidence, evidence.file_text(as_written[side]))
            if arguments.trace is not None:
                write(arguments.trace, trace_text(evidence, as_written[side]))
    else:
        for file in filter(None, (arguments.evidence, arguments.trace)):
            remark(arguments, f"there is no difference, so {file} is not written")
    return 0 if found.holds else 1


def show(arguments: argparse.Namespace, found: Comparison, verdict: str, key: str) -> None:
    """Print the verdict and the evidence."""
    evidence = found.evidence
    if arguments.json:
        shown = None if evidence is None else evidence.as_json()
        print(json.dumps({key: found.holds, "evidence": shown}))
        return
    print(verdict)
    if evidence is not None:
        print(evidence.describe(arguments.left if evidence.of_left else arguments.right))


def compare_reductions(arguments: argparse.Namespace) -> int:
    """Compare what was reduced, or is explored by orbits, and say what tells it apart."""
    from lts.symmetry import compare_encodings, compare_originals
    from ltstool.symmetric.minimal import compare_explored

    if arguments.equivalence is None or arguments.trace is not None:
        raise LtsError("--symmetry goes with `-e EQUIVALENCE`, and without --trace")
    files = arguments.left, arguments.right
    if any(is_explored(arguments, file) for file in files):
        found = compare_explored(arguments)
    else:
        if arguments.evidence is not None:
            raise LtsError("reductions are compared without files of evidence")
        symmetries = arguments.symmetry, arguments.other_symmetry or arguments.symmetry
        if not all(map(os.path.isfile, symmetries)):
            raise LtsError(
                "--symmetry and --other-symmetry of LTSs are the symmetry files of reductions"
            )
        (left, one), (right, other) = (
            read_encoding(arguments, file, symmetry)
            for file, symmetry in zip(files, symmetries, strict=True)
        )
        if arguments.as_such:
            if arguments.hide:
                raise LtsError("--hide is not for reductions that are compared as such")
            found = compare_encodings(left, one, right, other, arguments.equivalence)
        else:
            found = compare_originals(
                left, one, right, other, arguments.equivalence, hide=arguments.hide
            )
    show(arguments, found, "equivalent" if found.holds else "not equivalent", "equivalent")
    return 0 if found.holds else 1


def write(file: str, text: str) -> None:
    """Write a text file, whole or not at all."""
    with open_output(file) as out:
        out.write(text.encode("utf-8", "surrogateescape"))

"""`ltstool find-symmetry`: all symmetries of an LTS."""

from __future__ import annotations

import argparse
import json

from lts.errors import LtsError
from ltstool.files import is_standard, open_output
from ltstool.options import add_input, add_output, add_salvage, add_tau, load
from ltstool.specifications import is_specification

HELP = "find all symmetries of an LTS: generators, order; exit code 1 if only the identity is one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `find-symmetry` takes."""
    add_input(parser)
    parser.add_argument(
        "-e",
        "--equivalence",
        default="strong",
        help="bisimulation up to which the LTS is symmetric (default: %(default)s)",
    )
    parser.add_argument(
        "--any", action="store_true", help="all permutations of labels, not only those of data"
    )
    add_output(parser)
    add_tau(parser)
    add_salvage(parser)
    parser.add_argument(
        "--node-limit", metavar="N", type=int, default=1_000_000, help="choices of the search"
    )


def run(arguments: argparse.Namespace) -> int:
    """Search, and write a symmetry file."""
    from lts.symmetry import Permutation, Symmetry, find

    if is_specification(arguments.file):
        raise LtsError("symmetries are found in an LTS: generate it first")
    system = load(arguments, arguments.file)
    found = find(
        system,
        arguments.equivalence,
        any_labels=arguments.any,
        node_limit=arguments.node_limit,
    )
    generators = [str(generator) for generator in found.generators]
    if not (arguments.json and is_standard(arguments.output)):
        orbits = "".join(f"# orbit: {' '.join(map(_shown, orbit))}\n" for orbit in found.orbits)
        # The group of the identity alone has a generator too, in a file.
        group = found.generators or (Permutation(()),)
        text = orbits + str(Symmetry(kind="labels", generators=group, order=found.order))
        with open_output(arguments.output) as out:
            out.write(text.encode("utf-8", "surrogateescape"))
    if arguments.json:
        facts = {"order": found.order, "generators": generators, "orbits": found.orbits}
        print(json.dumps(facts))
    return 0 if generators else 1


def _shown(label: str) -> str:
    """Return a label for a comment, in which TOML allows no control characters."""
    return label if label.isprintable() else json.dumps(label)

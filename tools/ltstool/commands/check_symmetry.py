"""`ltstool check-symmetry`: whether a permutation is a symmetry."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lts.errors import LtsError, NotSymmetric
from ltstool.commands.reduce import add_search
from ltstool.options import add_hide, add_input, load
from ltstool.reductions import quotient, refuse_misspelt
from ltstool.specifications import OF_SPECIFICATION, add_symmetry, is_specification, read_symmetry

if TYPE_CHECKING:
    from lts.symmetry import Permutation

HELP = "check a permutation of an LTS or a specification: exit code 0 for a symmetry, else 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `check-symmetry` takes."""
    add_input(parser)
    add_symmetry(parser, required=True, help=OF_SPECIFICATION)
    parser.add_argument(
        "-e",
        "--equivalence",
        metavar="EQUIVALENCE",
        help="whether an LTS is equivalent to its image, modulo a bisimulation such as strong or "
        "weak, instead of whether its states correspond",
    )
    add_hide(parser)
    add_search(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check, and print the orbits or a witness."""
    if is_specification(arguments.file) and (arguments.equivalence or arguments.hide):
        raise LtsError("-e and --hide are for an LTS: generate it first")
    try:
        if arguments.equivalence is not None:
            return check_equivalence(arguments)
        found, generators, _ = quotient(arguments)
    except NotSymmetric as error:
        if arguments.json:
            print(json.dumps({"symmetric": False, "witness": error.witness}))
        else:
            print(error)
        return 1
    states, transitions = found.count()
    facts = {
        "symmetric": True,
        "order": found.order,
        "states": states,
        "state_orbits": found.orbits,
        "transitions": transitions,
        "transition_orbits": found.rows,
    }
    if arguments.json:
        print(json.dumps(facts))
    else:
        print(f"{verdict(generators)} of order {found.order}")
        print(f"states       {states} in {found.orbits} orbits")
        print(f"transitions  {transitions} in {found.rows} orbits")
    return 0


def check_equivalence(arguments: argparse.Namespace) -> int:
    """Check that the LTS is equivalent to its images; print that, or raise `NotSymmetric`."""
    from lts.equivalence.names import equivalence
    from lts.symmetry import check_bisimilar

    generators = read_symmetry(arguments.symmetry).generators
    kind = equivalence(arguments.equivalence)
    if kind.family != "bisimulation":
        raise LtsError(f"symmetry is up to a bisimulation, not {kind.title}")
    system = load(arguments, arguments.file)
    refuse_misspelt(system, generators)
    check_bisimilar(system, generators, kind.name)
    if arguments.json:
        print(json.dumps({"symmetric": True, "equivalence": kind.name}))
    else:
        print(f"{verdict(generators)} up to {kind.title.partition(' (')[0]}")
    return 0


def verdict(generators: Sequence[Permutation]) -> str:
    """Return that permutations are symmetries."""
    shown = ", ".join(f"`{generator}`" for generator in generators)
    return (
        f"{shown} {'is a symmetry' if len(generators) == 1 else 'generate a group of symmetries'}"
    )

"""`ltstool check-symmetry`: whether a permutation is a symmetry."""

from __future__ import annotations

import argparse
import json

from lts.errors import NotSymmetric
from ltstool.commands.reduce import add_search
from ltstool.options import add_input
from ltstool.reductions import quotient
from ltstool.specifications import add_symmetry

HELP = "check a permutation of an LTS or a specification: exit code 0 for a symmetry, else 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `check-symmetry` takes."""
    add_input(parser)
    add_symmetry(parser, required=True, help="permutation such as `(d1 d2 d3)`, or a symmetry file")
    add_search(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check, and print the orbits or a witness."""
    try:
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
        shown = ", ".join(f"`{generator}`" for generator in generators)
        what = "is a symmetry" if len(generators) == 1 else "generate a group of symmetries"
        print(f"{shown} {what} of order {found.order}")
        print(f"states       {states} in {found.orbits} orbits")
        print(f"transitions  {transitions} in {found.rows} orbits")
    return 0

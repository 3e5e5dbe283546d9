"""`ltstool check-symmetry`: whether a permutation is a symmetry."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lts.errors import LtsError, NotSymmetric
from ltstool.commands.reduce import add_search
from ltstool.shared.files import open_output
from ltstool.shared.idle import LTS_FILE, is_explored, refuse_idle
from ltstool.shared.options import add_certificate, add_hide, add_input, hide
from ltstool.shared.specifications import (
    OF_SPECIFICATION,
    add_symmetry,
    read_symmetry,
)
from ltstool.shared.systems import load
from ltstool.symmetric.reductions import quotient, refuse_misspelt

if TYPE_CHECKING:
    from lts._engine import Quotient
    from lts.equivalence.names import Equivalence
    from lts.symmetry import Permutation
    from lts.system import LTS

HELP = (
    "check a permutation of an LTS, a specification or a network: exit code 0 for a symmetry, "
    "else 1"
)
EXAMPLES = (
    "check-symmetry cases/mutex.mcrl --symmetry cases/mutex.sym",
    "check-symmetry system.aut --symmetry '(d1 d2)'",
    "check-symmetry network.exp --symmetry auto",
)


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
    add_certificate(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check, and print the orbits or a witness."""
    of_lts = dict.fromkeys(("equivalence", "hide", "certificate"), (LTS_FILE,))
    refuse_idle(arguments, arguments.file, meant=of_lts)
    if arguments.equivalence is None and not is_explored(arguments, arguments.file):
        # A file says which of the two it means: symmetries of states, or up to an equivalence.
        arguments.equivalence = read_symmetry(arguments.symmetry).equivalence
    if arguments.certificate is not None:
        return certified(arguments)
    try:
        if arguments.equivalence is not None:
            return check_equivalence(arguments)
        found, generators, _ = quotient(arguments)
    except NotSymmetric as error:
        return tell_no(arguments, error)
    return tell(arguments, found, generators)


def tell(arguments: argparse.Namespace, found: Quotient, generators: Sequence[Permutation]) -> int:
    """Print the orbits of a group of symmetries."""
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


def tell_no(arguments: argparse.Namespace, error: NotSymmetric) -> int:
    """Print a witness."""
    if arguments.json:
        print(json.dumps({"symmetric": False, "witness": error.witness}))
    else:
        print(error)
    return 1


def certified(arguments: argparse.Namespace) -> int:
    """Check, and write a certificate for the answer."""
    from lts.certificates import as_text, no_symmetry_certificate, symmetry_certificate, with_hidden
    from lts.symmetry import check, check_bisimilar

    generators = read_symmetry(arguments.symmetry).generators
    as_written = load(arguments, arguments.file, hidden=False, reduction="refused")
    system = hide(as_written, arguments.hide)
    refuse_misspelt(system, generators)
    relation = None if arguments.equivalence is None else bisimulation(arguments.equivalence).name
    found = None
    try:
        if relation is None:
            found = check(system, generators, node_limit=arguments.node_limit)
            certificate = symmetry_certificate(with_hidden(as_written, system), generators, found)
        else:
            check_bisimilar(system, generators, relation)
            raise LtsError(
                "--certificate shows a symmetry of states, not one up to an equivalence: "
                "minimise the system first, and leave out -e"
            )
    except NotSymmetric as error:
        answer = error
        wrong = next(
            (one for one in generators if not _is_symmetric(system, one, relation or "strong")),
            generators[error.which],
        )
        certificate = no_symmetry_certificate(
            with_hidden(as_written, system), wrong, relation or "strong"
        )
    with open_output(arguments.certificate) as out:
        out.write(as_text(certificate))
    return (
        tell_no(arguments, answer) if found is None else tell(arguments, found.quotient, generators)
    )


def bisimulation(name: str) -> Equivalence:
    """Return the bisimulation of this name."""
    from lts.equivalence.names import equivalence

    kind = equivalence(name)
    if kind.family != "bisimulation":
        raise LtsError(f"symmetry is up to a bisimulation, not {kind.title}")
    return kind


def _is_symmetric(system: LTS, permutation: Permutation, relation: str) -> bool:
    from lts.symmetry import check_bisimilar

    try:
        return check_bisimilar(system, permutation, relation)
    except NotSymmetric:
        return False


def check_equivalence(arguments: argparse.Namespace) -> int:
    """Check that the LTS is equivalent to its images; print that, or raise `NotSymmetric`."""
    from lts.symmetry import check_bisimilar

    generators = read_symmetry(arguments.symmetry).generators
    kind = bisimulation(arguments.equivalence)
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

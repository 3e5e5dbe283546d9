"""What the commands about symmetry share: a quotient from either end, and its output."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ltstool.files import open_output, write_lts
from ltstool.options import load
from ltstool.specifications import (
    is_specification,
    output_name,
    read_specification,
    read_symmetry,
)

if TYPE_CHECKING:
    from lts import _engine
    from lts.symmetry import Permutation


def quotient(
    arguments: argparse.Namespace,
) -> tuple[_engine.Quotient, tuple[Permutation, ...], str]:
    """Return the quotient that the arguments ask for, its generators, and what they permute."""
    if is_specification(arguments.file):
        from lts.mucrl import linearise
        from lts.symmetry.specification import certified_quotient

        specification = read_specification(arguments.file, arguments.parameters)
        symmetry = read_symmetry(arguments.symmetry, specification.parameters)
        certified = certified_quotient(
            linearise(specification),
            symmetry.generators,
            max_states=arguments.max_states,
            max_values=arguments.max_values,
        )
        return certified.quotient, symmetry.generators, "sorts"
    from lts.symmetry import check

    symmetry = read_symmetry(arguments.symmetry)
    system = load(arguments, arguments.file)
    found = check(system, symmetry.generators, node_limit=arguments.node_limit)
    return found.quotient, symmetry.generators, "labels"


def write_reduction(arguments: argparse.Namespace) -> int:
    """Reduce, and write the encoding and its symmetry file."""
    from lts.symmetry import encode

    symmetry_out = output_name(arguments.output, arguments.write_symmetry)
    found, generators, kind = quotient(arguments)
    reduction = encode(found, generators, kind=kind, order=arguments.order)
    with open_output(symmetry_out) as out:
        out.write(str(reduction.symmetry).encode())
    write_lts(reduction.encoding, arguments.output)
    return 0

"""What `--symmetry` does to the labels of a system that is shown, wherever the system is from."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ltstool.shared.files import is_network
from ltstool.shared.idle import reads_specification
from ltstool.shared.options import with_tau
from ltstool.shared.specifications import read_symmetry
from ltstool.shared.systems import composed, generated, linear_process, load, read_network
from ltstool.symmetric.reductions import refuse_misspelt
from ltstool.symmetric.subjects import subject_of

if TYPE_CHECKING:
    from lts.linear.process import LinearProcess
    from lts.network import Network
    from lts.symmetry import Permutation
    from lts.system import LTS


def read_system(
    arguments: argparse.Namespace, file: str | None
) -> tuple[LTS, LinearProcess | Network | None]:
    """Return a system, nothing hidden, and what it was generated of; None for an LTS."""
    if reads_specification(arguments, file):
        process = linear_process(arguments, file)
        return with_tau(arguments, file, generated(arguments, file, process)), process
    if file is not None and is_network(file):
        network = read_network(arguments, file)
        return with_tau(arguments, file, composed(arguments, file, network)), network
    return load(arguments, file, hidden=False), None


def permutations_of_labels(
    arguments: argparse.Namespace, system: LTS, source: LinearProcess | Network | None
) -> tuple[Permutation, ...]:
    """Return what `--symmetry` names, as permutations of the labels of a system.

    Of a specification or a network they are proven there, and permute whole labels then: what is a
    number in one place of a label may be a datum that moves in another.
    """
    from lts.symmetry import Permutation, encode

    if source is None:
        generators = read_symmetry(arguments.symmetry).generators
        refuse_misspelt(system, generators)
        return generators
    of = subject_of(arguments, source)
    generators, certified = of.quotient()
    actions = encode(certified.quotient, generators, kind=of.kind).symmetry.actions
    return tuple(
        Permutation(tuple(c for c in action.cycles if c[0].quoted)) for action in actions or ()
    )

"""What the commands about symmetry share: a quotient from either end, and its output."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeAlias

from aut_format.output import together
from ltstool.partitioned import where_orbits_are
from ltstool.shared import originals
from ltstool.shared.files import check_format, open_output, refuse_same
from ltstool.shared.idle import is_explored
from ltstool.shared.options import (
    hide,
    read_as_told,
    refuse_json_beside,
    remark_absent,
    remark_internal,
    tell_written,
    with_tau,
)
from ltstool.shared.progress import phase
from ltstool.shared.specifications import output_name, read_symmetry
from ltstool.shared.systems import load
from ltstool.symmetric.subjects import OfSpecification, subject

if TYPE_CHECKING:
    from lts import _engine
    from lts.symmetry import Permutation, Reduction, Symmetry
    from lts.system import LTS

Found: TypeAlias = "tuple[_engine.Quotient, tuple[Permutation, ...], str]"


def quotient(arguments: argparse.Namespace, in_parts: ExitStack | None = None) -> Found:
    """Return the quotient that the arguments ask for, its generators, and what they permute.

    With `in_parts` a specification is explored in partitions, whose run is there until that is
    closed.
    """
    if is_explored(arguments, arguments.file):
        explored = subject(arguments, arguments.file)
        if in_parts is not None:
            assert isinstance(explored, OfSpecification)
            parts = in_parts.enter_context(where_orbits_are(arguments))
            generators, certified = explored.quotient_in_parts(parts)
        else:
            generators, certified = explored.quotient()
        return certified.quotient, generators, explored.kind
    symmetry = read_symmetry(arguments.symmetry)
    return quotient_of(load(arguments, arguments.file), symmetry, arguments.node_limit)


def encoded_or_explored(arguments: argparse.Namespace) -> tuple[_engine.Quotient, LTS | None]:
    """Return the quotient that a reduction is, or the one that the arguments ask for; and the
    system that it is one of, if that is there."""
    if is_explored(arguments, arguments.file):
        return quotient(arguments)[0], None
    system = read_as_told(arguments, arguments.file)
    symmetry = read_symmetry(arguments.symmetry)
    found = encoded(arguments, system, symmetry)
    if found is not None:
        return found[0], None
    system = originals.original(arguments, arguments.file, system)
    system = with_tau(arguments, arguments.file, system)
    return quotient_of(system, symmetry, arguments.node_limit)[0], system


def encoded(arguments: argparse.Namespace, system: LTS, symmetry: Symmetry) -> Found | None:
    """Return the quotient that a system encodes with a symmetry file, or None if it does not."""
    from lts.symmetry.reduction.rho_encoding import decoded, is_reduction
    from lts.symmetry.reduction.storage import opened_reduction

    if symmetry.rho is None or arguments.as_such:
        return None
    if not originals.is_marked(system) and not is_reduction(system, symmetry):
        return None
    encoding, symmetry = opened_reduction(system, symmetry)
    encoding = with_tau(arguments, arguments.file, encoding)
    return decoded(encoding, symmetry), symmetry.generators, symmetry.kind


def quotient_of(system: LTS, symmetry: Symmetry, node_limit: int) -> Found:
    """Return the quotient of an LTS, the generators of its group, and what they permute."""
    from lts.symmetry import check

    refuse_misspelt(system, symmetry.generators)
    with phase("proving the symmetry"):
        found = check(system, symmetry.generators, node_limit=node_limit)
    return found.quotient, symmetry.generators, "labels"


def refuse_misspelt(system: LTS, generators: Sequence[Permutation]) -> None:
    """Refuse permutations that move no label: they are misspelt."""
    from lts.symmetry.labels.automorphism import reachable_labels
    from lts.symmetry.labels.lift import refuse_idle

    labels = reachable_labels(system)
    for permutation in generators:
        refuse_idle(permutation, labels, system.internal)


def count(arguments: argparse.Namespace, in_parts: ExitStack | None = None) -> dict[str, int]:
    """Return the numbers of orbits, and of the states and transitions that they stand for;
    `in_parts` is that of `quotient`."""
    # Whether a group keeps internal labels shows in the labels, which only a quotient has.
    if is_explored(arguments, arguments.file) and arguments.tau is None:
        found = subject(arguments, arguments.file)
        if in_parts is not None:
            assert isinstance(found, OfSpecification)
            parts = in_parts.enter_context(where_orbits_are(arguments))
            _, explored = found.orbits_in_parts(parts)
        else:
            _, explored = found.orbits()
        more = {"representatives": explored.representatives} if explored.approximate else {}
        return {
            "order": explored.order,
            "orbits": explored.orbits,
            "states": explored.states,
            "transitions": explored.transitions,
            **more,
        }
    whole, _, _ = quotient(arguments, in_parts)
    states, transitions = whole.count()
    return {
        "order": whole.order,
        "orbits": whole.orbits,
        "states": states,
        "transitions": transitions,
    }


def write_reduction(arguments: argparse.Namespace, *, in_parts: bool = False) -> int:
    """Reduce, and write the encoding and its symmetry file; `in_parts` says that a specification is
    explored in partitions."""
    from lts.symmetry import encode

    check_format(arguments.output, only_aut=True)
    refuse_json_beside(arguments, arguments.output)
    symmetry_out = output_name(arguments.output, arguments.write_symmetry)
    if arguments.certificate is not None:
        return write_certified(arguments, symmetry_out)
    with ExitStack() as stack:
        found, generators, kind = quotient(arguments, stack if in_parts else None)
        with phase("choosing states"):
            encoded = encode(found, generators, kind=kind, order=arguments.order)
        return write(arguments, encoded, symmetry_out)


def write_certified(arguments: argparse.Namespace, symmetry_out: str) -> int:
    """Reduce an LTS, and write the encoding, its symmetry file and a certificate."""
    from lts.certificates import as_text, reduction_certificate
    from lts.symmetry import reduce

    refuse_same({"--certificate": arguments.certificate, "the symmetry file": symmetry_out})
    refuse_same({"--certificate": arguments.certificate, "the reduction": arguments.output})
    generators = read_symmetry(arguments.symmetry).generators
    system = load(arguments, arguments.file, reduction="refused")
    refuse_misspelt(system, generators)
    found = reduce(system, generators, order=arguments.order, node_limit=arguments.node_limit)
    certificate = as_text(reduction_certificate(system, found))
    with together(), open_output(arguments.certificate) as out:
        out.write(certificate)
        return write(arguments, found, symmetry_out)


def write_minimal(arguments: argparse.Namespace) -> int:
    """Minimise a reduction, or the quotient of a specification or an LTS, and write the result."""
    from lts.symmetry import encode, minimise_quotient

    check_format(arguments.output, only_aut=True)
    refuse_json_beside(arguments, arguments.output)
    symmetry_out = output_name(arguments.output, arguments.write_symmetry)
    hidden = list(arguments.hide)
    if is_explored(arguments, arguments.file):
        found, generators, kind = quotient(arguments)
    else:
        system = read_as_told(arguments, arguments.file)
        symmetry = read_symmetry(arguments.symmetry)
        reduction = encoded(arguments, system, symmetry)
        if reduction is not None:
            found, generators, kind = reduction
        else:
            system = originals.original(arguments, arguments.file, system)
            system = with_tau(arguments, arguments.file, system)
            # What is hidden in a whole system need not be symmetric before.
            remark_absent(arguments, system.labels)
            system = hide(system, hidden)
            found, generators, kind = quotient_of(system, symmetry, arguments.node_limit)
            hidden = []
    if hidden:
        labels = (label.decode("utf-8", "surrogateescape") for label in found.labels)
        remark_absent(arguments, labels)
    least = minimise_quotient(
        found, arguments.equivalence, hide=hidden, node_limit=arguments.node_limit
    )
    return write(
        arguments, encode(least, generators, kind=kind, order=arguments.order), symmetry_out
    )


def write(arguments: argparse.Namespace, reduction: Reduction, symmetry_out: str) -> int:
    """Write an encoding and its symmetry file, both or neither."""
    from lts.symmetry import count as reduction_size
    from lts.symmetry.reduction.storage import written

    with together(), open_output(symmetry_out) as out:
        pieces, finished = written(reduction.encoding, reduction.symmetry)
        with open_output(arguments.output, packed=True) as file:
            file.writelines(pieces)
        out.write(str(finished()).encode("utf-8", "surrogateescape"))
    remark_internal(arguments, reduction.encoding)
    if arguments.json:
        states, transitions = reduction_size(reduction.encoding, reduction.symmetry)
        order = reduction.symmetry.order
        assert order is not None
        orbits = reduction.encoding.state_count
        tell_written(arguments, order=order, written=orbits, states=states, transitions=transitions)
    return 0

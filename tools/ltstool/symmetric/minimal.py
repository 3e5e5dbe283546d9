"""Comparison of systems that are explored by orbits: of the least systems that are equivalent."""

from __future__ import annotations

import argparse
from copy import copy
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.shared.files import open_output
from ltstool.shared.idle import is_explored
from ltstool.shared.options import hide, remark, remark_absent
from ltstool.shared.originals import read_encoding
from ltstool.shared.progress import phase
from ltstool.shared.systems import load
from ltstool.symmetric.subjects import subject

if TYPE_CHECKING:
    from lts.equivalence import Comparison
    from lts.system import LTS


def compare_explored(arguments: argparse.Namespace) -> Comparison:
    """Compare two systems of which at least one is a specification or a network, and write what
    shows the difference if that is asked for."""
    from lts.equivalence import compare

    if arguments.as_such:
        raise LtsError("--as-such is for reductions")
    if arguments.evidence is not None and arguments.hide:
        raise LtsError("with --symmetry --evidence is a formula about what is seen: without --hide")
    left = minimal(arguments, arguments.left, arguments.symmetry)
    right = minimal(arguments, arguments.right, arguments.other_symmetry or arguments.symmetry)
    with phase("comparing"):
        found = compare(left, right, arguments.equivalence)
    if arguments.evidence is not None:
        if found.evidence is None:
            remark(arguments, f"there is no difference, so {arguments.evidence} is not written")
        else:
            with open_output(arguments.evidence) as out:
                text = found.evidence.file_text(left if found.evidence.of_left else right)
                out.write(text.encode("utf-8", "surrogateescape"))
    return found


def minimal(arguments: argparse.Namespace, file: str, symmetry: str) -> LTS:
    """Return the least system that is equivalent to what a file stands for, or a system itself.

    Of a specification or a network one state of each orbit is explored. A reduction is one if it
    says so, or has a symmetry file of its own.
    """
    from lts.symmetry.reduction.comparison import minimal_original
    from lts.symmetry.reduction.rho_encoding import decoded

    own = copy(arguments)
    own.symmetry = symmetry
    if is_explored(own, file):
        _, certified = subject(own, file).quotient()
        quotient = certified.quotient
    elif arguments.other_symmetry is not None and file == arguments.right:
        quotient = decoded(*read_encoding(own, file, symmetry))
    else:
        system = load(own, file, hidden=False, reduction="bisimilar")
        remark_absent(arguments, system.labels)
        return hide(system, arguments.hide)
    labels = (label.decode("utf-8", "surrogateescape") for label in quotient.labels)
    remark_absent(arguments, labels)
    with phase("minimising"):
        return minimal_original(quotient, arguments.equivalence, hide=arguments.hide)

"""`ltstool compare --preorder` with a specification in the language as implementation."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from aut_format.output import together
from lts.errors import LtsError
from ltstool.shared.files import open_output
from ltstool.shared.limits import looked_at_by_engine, of_engine, settings_under
from ltstool.shared.options import internal_on_the_fly, remark_absent
from ltstool.shared.progress import quotient_progress
from ltstool.shared.specifications import read_specification, simplifications
from ltstool.shared.systems import load
from ltstool.symmetric.given import explore

if TYPE_CHECKING:
    from lts.symmetry import Permutation, Refinement


def is_meant(arguments: argparse.Namespace) -> bool:
    """Whether the specification B is explored while it is compared with A."""
    from lts.equivalence.names import preorder
    from lts.symmetry.data.refinement import RELATIONS

    if arguments.preorder is None:
        return False
    return preorder(arguments.preorder).name in RELATIONS or arguments.symmetry is not None


def run(arguments: argparse.Namespace) -> int:
    """Check whether the process B refines the LTS A, on orbits if there is a symmetry; show it."""
    from lts.mucrl import linearise
    from lts.symmetry import refines_on_orbits

    if arguments.as_such or arguments.other_symmetry is not None:
        raise LtsError("--as-such and --other-symmetry are for reductions")
    allowed = load(arguments, arguments.left, hidden=False)
    specification = read_specification(arguments, arguments.right)
    process = linearise(specification, simplifications=simplifications(arguments))
    actions = [action.name for action in specification.actions]
    remark_absent(arguments, [*allowed.labels, *actions])
    limits = of_engine(arguments)

    def refine(generators: tuple[Permutation, ...]) -> Refinement:
        with quotient_progress(arguments) as progress, looked_at_by_engine():
            return refines_on_orbits(
                allowed,
                process,
                arguments.preorder,
                generators,
                replace(settings_under(arguments, progress), limits=limits),
                internal=internal_on_the_fly(arguments),
            )

    if arguments.symmetry is None:
        found = refine(())
    else:
        _, found = explore(arguments, process, limits, refine)
    tell(arguments, found)
    return 0 if found.holds else 1


def tell(arguments: argparse.Namespace, found: Refinement) -> None:
    """Print the verdict and the counterexample, and write it where asked for."""
    counterexample = found.counterexample
    if arguments.json:
        numbers = {name: getattr(found, name) for name in ("orbits", "pairs", "nodes", "order")}
        evidence = None if counterexample is None else counterexample.as_json()
        print(json.dumps({"refines": found.holds, "evidence": evidence} | numbers))
    else:
        verb = "refines" if found.holds else "does not refine"
        print(f"{arguments.right} {verb} {arguments.left}")
        if counterexample is not None:
            print(counterexample.describe(arguments.right))
    if counterexample is not None:
        text = counterexample.file_text().encode("utf-8", "surrogateescape")
        with together():
            for file in filter(None, (arguments.evidence, arguments.trace)):
                with open_output(file) as out:
                    out.write(text)
    if arguments.verbose:
        sys.stdout.flush()  # the answer comes first, also where both go to one file
        print(shown(found), file=sys.stderr)


def shown(found: Refinement) -> str:
    """Return what was explored, in lines."""
    return "\n".join(
        [
            f"group        {found.known}",
            f"nodes        {found.nodes}",
            f"orbits       {found.orbits} of pairs of a state and a node",
            f"pairs        {found.pairs}",
            f"orbit store  {found.store / 1e6:.1f} MB",
        ]
    )

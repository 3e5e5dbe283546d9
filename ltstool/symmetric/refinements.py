"""`ltstool compare --preorder` with a specification in the language as implementation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from aut_format.output import together
from ltstool.shared import reading
from ltstool.shared.files import write_text
from ltstool.shared.shown import facts
from ltstool.symmetric.given import explore

if TYPE_CHECKING:
    from lts.state_space import Settings
    from lts.symmetry import Permutation, Refinement
    from ltstool.options.request import Request


def is_meant(preorder: str, request: Request) -> bool:
    """Whether the specification B is explored on the fly while it is compared with A."""
    from lts.equivalence.names import preorder_named as named
    from lts.symmetry.data.refinement import RELATIONS

    return named(preorder).name in RELATIONS or request.group.symmetry is not None


def refinement(request: Request, preorder: str) -> Refinement:
    """Check whether the process B refines the LTS A, on orbits if there is a symmetry."""
    from lts.symmetry import refines_on_orbits

    allowed = reading.read_system(request, request.reading.file)
    process = reading.linear_process(request, request.reading.other)
    actions = [action.name for action in process.specification.actions]
    reading.remark_absent(request, [*allowed.labels, *actions])
    internal = reading.internal_on_the_fly(request)

    def refine(generators: tuple[Permutation, ...], settings: Settings) -> Refinement:
        return refines_on_orbits(
            allowed, process, preorder, generators, settings, internal=internal
        )

    if request.group.symmetry is not None:
        return explore(request, process, refine)[1]
    with request.exploration(group=True) as settings:
        return refine((), settings)


def report(request: Request, found: Refinement, files: list[str]) -> int:
    """Print the verdict and the counterexample, and write it to the files; return the exit code."""
    counterexample, right = found.counterexample, request.reading.other or ""
    verb = "refines" if found.holds else "does not refine"
    lines = [f"{right} {verb} {request.reading.file}"]
    evidence = None
    if counterexample is not None:
        evidence = counterexample.as_json()
        lines.append(counterexample.describe(right))
    names = ("orbits", "pairs", "representatives", "nodes", "order")
    request.say(
        {"refines": found.holds, "evidence": evidence}
        | {name: getattr(found, name) for name in names}
        | {"visited_states": found.states, "visited_state_orbits": found.state_orbits}
        | {"proof": found.known.kind},
        "\n".join(lines),
    )
    if counterexample is not None:
        with together():
            for file in files:
                write_text(request, file, counterexample.file_text())
    if request.verbose:
        print(shown(found), file=sys.stderr)
    return 0 if found.holds else 1


def shown(found: Refinement) -> str:
    """Return lines about how much was explored."""
    return facts(
        {
            "group": found.known,
            "nodes": found.nodes,
            "orbits": f"{found.orbits} of pairs of a state and a node of the normal form",
            "pairs": f"{found.pairs}, {found.representatives} of them with a representative state",
            "states": f"{found.states} in {found.state_orbits} orbits",
            "orbit store": f"{found.store / 1e6:.1f} MB",
        }
    )

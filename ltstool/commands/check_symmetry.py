"""`ltstool check-symmetry`: check that permutations are symmetries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lts.errors import LtsError, NotSymmetric
from lts.symmetry.permutation.known import EXPLORATION
from ltstool.options.request import Request, Takes
from ltstool.options.table import ALL, FILES, LTS_FILE, STATE_SPACE, SYMMETRY, option
from ltstool.shared.files import open_output
from ltstool.shared.reading import hidden, load, read_symmetry, read_system
from ltstool.shared.shown import group_shown, rounded
from ltstool.symmetric.explored import Found
from ltstool.symmetric.reductions import quotient, refuse_misspelt

if TYPE_CHECKING:
    from lts.equivalence.names import Relation
    from lts.symmetry import Permutation
    from lts.system.lts import LTS

HELP = (
    "check a permutation of an LTS, a specification or a network: exit code 0 for a symmetry, "
    "else 1"
)
EXAMPLES = (
    "check-symmetry cases/mutex.mcrl --symmetry cases/mutex.sym",
    "check-symmetry system.aut --symmetry '(d1 d2)'",
    "check-symmetry network.exp --symmetry auto",
)


class Checking(Request):
    """The options of `check-symmetry`."""

    equivalence: str | None = option(
        "-e --equivalence EQUIVALENCE",
        "check that an LTS is equivalent to its image, modulo a bisimulation such as strong or "
        "weak, instead of isomorphic to it",
        of=(LTS_FILE,),
    )


TAKES = Takes(
    request=Checking,
    reads=ALL,
    options=(
        *("file", "equivalence", "certificate", "hide", *FILES, *STATE_SPACE),
        *(*SYMMETRY, "node_limit"),
    ),
    changed={"symmetry": {"required": True}, "hide": {"of": (LTS_FILE,)}},
    asks_symmetry=True,
)


def run(request: Checking) -> int:
    """Check, and print the orbits or a witness."""
    equivalence, text = request.equivalence, request.symmetry
    if equivalence is None and not request.is_explored(request.reading.file):
        # A symmetry file states whether its symmetries are of states or up to an equivalence.
        equivalence = read_symmetry(text).equivalence
    relation = None if equivalence is None else bisimulation(equivalence)
    if request.certificate is not None:
        return certified(request, relation, request.certificate)
    try:
        if relation is not None:
            return check_equivalence(request, relation)
        found = quotient(request)
    except NotSymmetric as error:
        return report_no(request, error)
    return report(request, found)


def report(request: Request, found: Found) -> int:
    """Print the orbits of a group of symmetries, what group it is, and how it was proven."""
    from lts.symmetry import structure_of

    quotient, generators, group = found.quotient, found.generators, found.group
    states, transitions = quotient.count()
    structure = structure_of(generators, int(str(group["order"])))
    # One permutation generates a cyclic group, of which the order says all.
    named = "" if structure is None or len(generators) == 1 else f": {structure}"
    facts = {
        "symmetric": True,
        "order": group["order"],
        "structure": structure,
        "proof": group["proof"],
        "states": states,
        "state_orbits": quotient.orbits,
        "transitions": transitions,
        "transition_orbits": quotient.stored,
    }
    request.say(
        facts,
        f"{verdict(generators)} of order {rounded(str(group['order']))}{named}\n"
        f"states       {states} in {quotient.orbits} orbits\n"
        f"transitions  {transitions} in {quotient.stored} orbits\n"
        f"proven       {found.proven}",
    )
    return 0


def report_no(request: Request, error: NotSymmetric) -> int:
    """Print the witness that a permutation is not a symmetry."""
    request.say({"symmetric": False, "witness": error.witness}, str(error))
    return 1


def certified(request: Request, relation: Relation | None, certificate: str) -> int:
    """Check, and write a certificate for the answer."""
    from lts.certificates import as_text, no_symmetry_certificate, symmetry_certificate, with_hidden
    from lts.symmetry import check, check_bisimilar

    generators = read_symmetry(request.symmetry).generators
    as_written = read_system(request, request.reading.file, reduction="refused")
    system = hidden(request, as_written)
    refuse_misspelt(system, generators)
    found, why = None, None
    try:
        if relation is None:
            found = check(system, generators, node_limit=request.node_limit)
        else:
            check_bisimilar(system, generators, relation.name)
            raise LtsError(
                "--certificate is for a symmetry up to isomorphism, not up to an equivalence: "
                "minimise the system first, and leave out -e"
            )
    except NotSymmetric as error:
        why, name = error, "strong" if relation is None else relation.name
        broken = (
            generator for generator in generators if not _is_symmetric(system, generator, name)
        )
        wrong = next(broken, generators[error.which])
    with open_output(request, certificate) as out:
        shown = with_hidden(as_written, system)
        if found is not None:
            out.write(as_text(symmetry_certificate(shown, generators, found)))
        else:
            out.write(as_text(no_symmetry_certificate(shown, wrong, name)))
    if why is not None:
        return report_no(request, why)
    assert found is not None
    return report(request, Found(found.quotient, generators, "labels", system=system))


def bisimulation(name: str) -> Relation:
    """Return the bisimulation with this name."""
    from lts.equivalence.names import equivalence_named

    kind = equivalence_named(name)
    if kind.family != "bisimulation":
        raise LtsError(f"a symmetry is checked up to a bisimulation, not up to {kind.title}")
    return kind


def _is_symmetric(system: LTS, permutation: Permutation, relation: str) -> bool:
    from lts.symmetry import check_bisimilar

    try:
        return check_bisimilar(system, permutation, relation)
    except NotSymmetric:
        return False


def check_equivalence(request: Request, relation: Relation) -> int:
    """Check that the LTS is equivalent to its images; print the result, or raise `NotSymmetric`."""
    from lts.symmetry import check_bisimilar

    generators = read_symmetry(request.symmetry).generators
    system = load(request, request.reading.file)
    refuse_misspelt(system, generators)
    check_bisimilar(system, generators, relation.name)
    said = f"{verdict(generators)} up to {relation.title.partition(' (')[0]}"
    said += "\nproven       by comparing the system with its image"
    facts = {"symmetric": True, "equivalence": relation.name, "proof": EXPLORATION}
    request.say(facts, said)
    return 0


def verdict(generators: Sequence[Permutation]) -> str:
    """Return the sentence that permutations are symmetries."""
    what = "is a symmetry" if len(generators) == 1 else "generate a group of symmetries"
    return f"{group_shown(generators)} {what}"

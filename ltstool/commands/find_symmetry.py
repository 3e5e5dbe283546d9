"""`ltstool find-symmetry`: find all symmetries of an LTS, or symmetries of a specification, network
or net."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lts.symmetry.permutation.known import EXPLORATION, NO_PROOF, TEXT
from ltstool.options import table
from ltstool.options.request import Request, Takes
from ltstool.options.table import option
from ltstool.shared.files import is_standard, write_text
from ltstool.shared.identities import in_words, numbers_of
from ltstool.shared.reading import (
    load,
    read_net,
    read_network,
    read_specification,
    simplifications,
)
from ltstool.symmetric.given import AUTO, broken, sorts_of

if TYPE_CHECKING:
    from lts.mcrl2.identities.naming import Identities
    from lts.network.symmetry.found import NetworkSymmetries
    from lts.petri import NetAction
    from lts.symmetry import Break, Detection, Found

HELP = (
    "find the symmetries of an LTS, a specification, a network or a net: generators, group order, "
    "and what breaks other permutations; exit code 1 if every permutation but the identity is "
    "refuted, 3 if none was found and some is not"
)
EXAMPLES = (
    "find-symmetry cases/peterson.mcrl --set N=4",
    "find-symmetry system.aut -e branching -o system.sym",
    "find-symmetry network.exp",
)


class Finding(Request):
    """The options of `find-symmetry`."""

    equivalence: str | None = option(
        "-e --equivalence EQUIVALENCE",
        "bisimulation up to which an LTS is symmetric (default: strong)",
        of=(table.LTS_FILE,),
    )
    states: bool = option(
        "--states",
        "find only label permutations that are part of an automorphism of the LTS, as `reduce` "
        "needs them: isomorphism instead of an equivalence",
        of=(table.LTS_FILE,),
    )
    any: bool = option(
        "--any",
        "consider all permutations of an LTS's labels, not only those of data",
        of=(table.LTS_FILE, table.NETWORK),
    )


TAKES = Takes(
    request=Finding,
    reads=table.ALL,
    options=(
        *("file", "equivalence", "states", "any", "output", *table.FILES, "node_limit"),
        *(*table.STATE_SPACE, "identities"),
    ),
    changed={
        "tau": {"of": (table.LTS_FILE,)},
        "node_limit": {"of": (table.LTS_FILE,), "needs": ()},
        "identities": {"needs": ()},
    },
    about={"group": ("symmetries", "")},
    against={
        (
            "states",
            "equivalence",
        ): "finds symmetries up to isomorphism, which is finer: leave out -e"
    },
)


def run(request: Finding) -> int:
    """Search, and write a symmetry file."""
    # Identities are chosen as with `--symmetry auto`.
    request = request.but(group=request.group.but(symmetry=AUTO))
    kind = request.kind(request.reading.file)
    if kind == table.SPECIFICATION:
        return find_in_text(request)
    if kind == table.NET:
        return find_in_net(request)
    return find_in_network(request) if kind == table.NETWORK else find_in_system(request)


def find_in_system(request: Finding) -> int:
    """Search in an LTS, and report which symmetries are also symmetries of its states."""
    from lts.equivalence.names import equivalence_named
    from lts.symmetry import find_symmetry, symmetries_of_states
    from lts.symmetry.permutation.description import factors

    relation, most = request.equivalence or "strong", request.node_limit
    system = load(request, request.reading.file, reduction="bisimilar")
    with request.phase("searching for symmetries"):
        found = find_symmetry(system, relation, any_labels=request.any, node_limit=most)
        of_states = symmetries_of_states(system, found, node_limit=most)
    up_to, said = None, "of the states, too: each is part of an automorphism"
    if request.states:
        found = of_states.found
        if not of_states.complete:
            said += "; the search ended at a limit, there may be more"
    elif of_states.found.order < found.order:
        up_to = equivalence_named(relation).name
        some = f"{'' if of_states.complete else 'at least '}{of_states.found.order}"
        said = f"up to {up_to} bisimulation; {some} of them permute the states, too (--states)"
    comments = [f"orbit: {' '.join(map(_shown, orbit))}" for orbit in found.orbits]
    full = (factor for factor in factors(found.generators) if factor.is_symmetric_group)
    comments += [_shown(factor.text({})) for factor in full]
    if found:
        comments.append(said)
    facts = {"orbits": found.orbits, "equivalence": up_to}
    is_decided = of_states.complete or not request.states
    return report(
        request,
        "labels",
        found,
        comments,
        {"proof": EXPLORATION} | facts,
        up_to,
        is_decided=is_decided,
    )


def find_in_text(request: Finding) -> int:
    """Search in a specification, and report what breaks the symmetry of its sorts."""
    from lts.mucrl import linearise
    from lts.state_space.settings import Limits
    from lts.symmetry import breaks, find_in_specification

    specification = read_specification(request, request.reading.file)
    numbers = numbers_of(specification)
    with request.phase("searching for symmetries"):
        found = find_in_specification(
            linearise(specification, simplifications=simplifications(request)),
            limits=Limits(request.exploring.max_states, request.exploring.max_values),
            threads=request.exploring.threads,
        )
    comments = _orbits(found)
    comments += _how(found)
    comments += in_words(numbers, are_chosen=request.group.identities is not None)
    comments += _printable(broken(found.proposal)).splitlines()
    facts = {
        "orbits": found.orbits,
        **_numbers(found),
        "breaks": [_as_json(item) for item in breaks(found.proposal)],
        "refused": [
            {"permutation": str(refusal.permutation), "witness": refusal.witness}
            for refusal in found.proposal.refused
        ],
        **({"numbers": list(map(_of_number, numbers))} if numbers else {}),
    }
    return report(
        request, "sorts", found, comments, {"proof": NO_PROOF} | facts, is_decided=found.is_alone
    )


def find_in_network(request: Finding) -> int:
    """Search in the components and vectors of a network, without composing it."""
    from lts.network import symmetries

    network = read_network(request, request.reading.file)
    found = symmetries(network, any_labels=request.any)
    comments = [f"orbit: {' '.join(map(_shown, orbit))}" for orbit in found.labels]
    orbits = [[number + 1 for number in orbit] for orbit in found.orbits]
    comments += [f"components: {' '.join(map(str, orbit))}" for orbit in orbits]
    if found.whole > found.order:
        comments.append(f"{found.whole} symmetries of the network, {found.order} of its labels")
    facts = {"orbits": found.labels, "components": orbits, "whole": found.whole}
    # The whole system may have symmetries that its components do not show.
    return report(request, "labels", found, comments, {"proof": TEXT} | facts, is_decided=False)


def find_in_net(request: Finding) -> int:
    """Search in the transitions of a net, without exploring it."""
    from lts.petri import action_of

    net = read_net(request, request.reading.file)
    with request.phase("searching for symmetries"):
        action = action_of(net)
    comments = [f"orbit: {' '.join(map(_shown, orbit))}" for orbit in action.orbits]
    facts: dict[str, Any] = {"orbits": action.orbits}
    if action.of_labels < action.order:
        comments.append(f"{action.order} symmetries of the net, {action.of_labels} of its labels")
        facts["whole"] = action.order
    found = replace(action, order=action.of_labels)
    # The state space may have symmetries that the net does not show.
    return report(request, "labels", found, comments, {"proof": TEXT} | facts, is_decided=False)


def report(
    request: Finding,
    kind: str,
    found: Detection | Found | NetworkSymmetries | NetAction,
    comments: list[str],
    facts: dict[str, Any],
    up_to: str | None = None,
    *,
    is_decided: bool,
) -> int:
    """Write a symmetry file, print JSON on request, and return the exit code; if no symmetry was
    found, `is_decided` tells whether the identity is known to be the only one."""
    from lts.symmetry import Permutation, Symmetry, structure_of

    structure = structure_of(found.generators, found.order) if found.generators else None
    if structure is not None:
        comments = [*comments, f"the group is {structure}"]
    if not found.generators:
        none = "the identity is the only one: every permutation that moves something is refuted"
        comments = [*comments, none if is_decided else "none was found; there may be others"]
    if not (request.json and is_standard(request.output)):
        lines = "".join(f"# {comment}".rstrip() + "\n" for comment in comments)
        # A symmetry file has at least one generator, so the trivial group is given by the identity.
        group = found.generators or (Permutation(()),)
        text = lines + str(Symmetry(kind, group, found.order, equivalence=up_to))
        write_text(request, request.output, text)
    if request.json:
        generators = [str(generator) for generator in found.generators]
        shown = {"order": found.order, "structure": structure, "generators": generators, **facts}
        print(json.dumps(shown | ({"proof": NO_PROOF} if found.order == 1 else {})))
    if found.generators:
        return 0
    return 1 if is_decided else 3


def _of_number(one: Identities) -> dict[str, Any]:
    """Return the facts about a class of numbers; `line` and `column` are the place that makes it a
    count."""
    line, column = one.place or (None, None)
    known = {"name": one.name, "sorts": one.sorts, "values": one.literals, "uses": one.uses}
    return known | {"count": one.count, "line": line, "column": column}


def _numbers(found: Found) -> dict[str, int | str]:
    """Return how the group was proven, and how much was explored for the proof."""
    if (explored := found.explored) is None:
        return {}
    proof = {"proof": explored.known.kind}
    if not explored.complete:
        return proof | {"sampled": explored.sampled}
    sizes = {"states": explored.states, "state_orbits": explored.orbits}
    return {**proof, **sizes, "situations": explored.situations}


def _orbits(found: Found) -> list[str]:
    """Describe the orbits of values, and those whose permutations are all symmetries."""
    from lts.symmetry.permutation.description import factors

    full = {
        frozenset(factor.elements): factor
        for factor in factors(found.generators)
        if factor.is_symmetric_group
    }
    sorts = sorts_of(found.proposal)
    return [
        full[frozenset(orbit)].text(sorts)
        if frozenset(orbit) in full
        else f"orbit: {' '.join(orbit)}"
        for orbit in found.orbits
    ]


def _how(found: Found) -> list[str]:
    """Describe in words how the group was proven."""
    explored = found.explored
    if explored is None:
        return []
    if not explored.complete:
        return ["proven from the text alone, and tested in a sample of states"]
    sizes = f"{explored.orbits} orbits of {explored.states} states"
    if explored.proof == "whole":
        return [f"{explored.known.how}: {sizes}"]
    return [f"proven {explored.known.means}; explored: {sizes}"]


def _as_json(item: Break) -> dict[str, Any]:
    known = {name: getattr(item, name) for name in ("sort", "classes", "order", "possible")}
    reasons = [
        {"message": "\n".join(filter(None, (r.message, r.more)))}
        | {name: getattr(r, name) for name in ("file", "line", "column")}
        for r in item.reasons
    ]
    return {**known, "reasons": reasons}


def _printable(text: str) -> str:
    """Return a text for comments, with control characters replaced, as TOML allows none there."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


def _shown(label: str) -> str:
    """Return a label for a comment, with control characters escaped, as TOML allows none there."""
    return label if label.isprintable() else json.dumps(label)

"""`ltstool find-symmetry`: symmetries of an LTS, all of them, of a specification or a network."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from ltstool.shared.files import is_network, is_standard, open_output
from ltstool.shared.identities import add_identities, in_words, numbers_of
from ltstool.shared.idle import LTS_FILE, NETWORK, reads_specification, refuse_idle
from ltstool.shared.options import (
    add_from,
    add_input,
    add_output,
    add_salvage,
    add_tau,
    add_threads,
)
from ltstool.shared.originals import add_as_such
from ltstool.shared.progress import phase
from ltstool.shared.specifications import (
    add_parameters,
    add_simplifications,
    read_specification,
    simplifications,
)
from ltstool.shared.systems import add_limits, load, read_network
from ltstool.symmetric.given import broken
from ltstool.symmetric.options import add_node_limit

if TYPE_CHECKING:
    from lts.mcrl2.identities.naming import Identities
    from lts.network.symmetry.found import NetworkSymmetries
    from lts.symmetry import Break, Detection, Found

HELP = (
    "find the symmetries of an LTS, a specification or a network: generators, order, and what "
    "breaks others; exit code 1 if only the identity is one"
)
EXAMPLES = (
    "find-symmetry cases/peterson.mcrl --set N=4",
    "find-symmetry system.aut -e branching -o system.sym",
    "find-symmetry network.exp",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `find-symmetry` takes."""
    add_input(parser)
    parser.add_argument(
        "-e",
        "--equivalence",
        help="bisimulation up to which an LTS is symmetric (default: strong)",
    )
    parser.add_argument(
        "--states",
        action="store_true",
        help="only permutations of an LTS's labels that go with one of its states, as `reduce` "
        "needs them: isomorphism in place of an equivalence",
    )
    parser.add_argument(
        "--any", action="store_true", help="all permutations of an LTS's labels, not only of data"
    )
    add_output(parser)
    add_tau(parser)
    add_as_such(parser)
    add_salvage(parser)
    add_from(parser)
    add_node_limit(parser)
    of_specification = parser.add_argument_group("specifications")
    add_parameters(of_specification)
    add_identities(of_specification)
    # Numbers are told apart as for a symmetry that is found.
    parser.set_defaults(symmetry="auto")
    add_simplifications(of_specification)
    add_limits(of_specification)
    add_threads(of_specification)


def run(arguments: argparse.Namespace) -> int:
    """Search, and write a symmetry file."""
    of_lts = dict.fromkeys(("tau", "equivalence", "node_limit", "states"), (LTS_FILE,))
    refuse_idle(arguments, arguments.file, meant={**of_lts, "any": (LTS_FILE, NETWORK)})
    if reads_specification(arguments, arguments.file):
        return find_in_text(arguments)
    if is_network(arguments.file):
        return find_in_network(arguments)
    from lts.equivalence.names import equivalence
    from lts.symmetry import find, symmetries_of_states

    if arguments.states and arguments.equivalence is not None:
        raise LtsError("--states is about isomorphism, which is finer: leave out -e")
    system = load(arguments, arguments.file, reduction="bisimilar")
    with phase("searching for symmetries"):
        found = find(
            system,
            arguments.equivalence or "strong",
            any_labels=arguments.any,
            node_limit=arguments.node_limit,
        )
        of_states = symmetries_of_states(system, found, node_limit=arguments.node_limit)
    up_to, said = None, "of the states, too: an automorphism goes with each of them"
    if arguments.states:
        found = of_states.found
        if not of_states.complete:
            said += "; the search ended at a limit, there may be more"
    elif of_states.found.order < found.order:
        up_to = equivalence(arguments.equivalence or "strong").name
        some = f"{'' if of_states.complete else 'at least '}{of_states.found.order}"
        said = f"up to {up_to} bisimulation; {some} of them are of the states, too (--states)"
    comments = [f"orbit: {' '.join(map(_shown, orbit))}" for orbit in found.orbits]
    if found:
        comments.append(said)
    facts = {"orbits": found.orbits, "equivalence": up_to}
    return tell(arguments, "labels", found, comments, facts, up_to)


def find_in_text(arguments: argparse.Namespace) -> int:
    """Search in a specification, and say what breaks the symmetry of its sorts."""
    from lts.mucrl import linearise
    from lts.state_space.settings import Limits
    from lts.symmetry import breaks, find_in_specification

    specification = read_specification(arguments, arguments.file or "-")
    numbers = numbers_of(specification)
    with phase("searching for symmetries"):
        found = find_in_specification(
            linearise(specification, simplifications=simplifications(arguments)),
            limits=Limits(arguments.max_states, arguments.max_values),
            threads=arguments.threads,
        )
    comments = [f"orbit: {' '.join(orbit)}" for orbit in found.orbits]
    comments += _how(found)
    comments += in_words(numbers, are_chosen=arguments.identities is not None)
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
    return tell(arguments, "sorts", found, comments, facts)


def find_in_network(arguments: argparse.Namespace) -> int:
    """Search in the components and vectors of a network, which is not composed."""
    from lts.network import symmetries

    network = read_network(arguments, arguments.file)
    found = symmetries(network, any_labels=arguments.any)
    comments = [f"orbit: {' '.join(map(_shown, orbit))}" for orbit in found.labels]
    orbits = [[number + 1 for number in orbit] for orbit in found.orbits]
    comments += [f"components: {' '.join(map(str, orbit))}" for orbit in orbits]
    if found.whole > found.order:
        comments.append(f"{found.whole} symmetries of the network, for {found.order} of the labels")
    facts = {"orbits": found.labels, "components": orbits, "whole": found.whole}
    return tell(arguments, "labels", found, comments, facts)


def tell(
    arguments: argparse.Namespace,
    kind: str,
    found: Detection | Found | NetworkSymmetries,
    comments: list[str],
    facts: dict[str, Any],
    up_to: str | None = None,
) -> int:
    """Write a symmetry file, print JSON if wanted, and return the exit code."""
    from lts.symmetry import Permutation, Symmetry

    if not (arguments.json and is_standard(arguments.output)):
        lines = "".join(f"# {comment}".rstrip() + "\n" for comment in comments)
        # The group of the identity alone has a generator too, in a file.
        group = found.generators or (Permutation(()),)
        text = lines + str(Symmetry(kind, group, found.order, equivalence=up_to))
        with open_output(arguments.output) as out:
            out.write(text.encode("utf-8", "surrogateescape"))
    if arguments.json:
        generators = [str(generator) for generator in found.generators]
        print(json.dumps({"order": found.order, "generators": generators} | facts))
    return 0 if found.generators else 1


def _of_number(one: Identities) -> dict[str, Any]:
    """Return what is known of a class of numbers; `line` and `column` of what makes it a count."""
    line, column = one.place or (None, None)
    return {
        "name": one.name,
        "sorts": one.sorts,
        "values": one.literals,
        "uses": one.uses,
        "count": one.count,
        "line": line,
        "column": column,
    }


def _numbers(found: Found) -> dict[str, int | str]:
    """Return how the group was proven, and what the proof has seen."""
    explored = found.explored
    if explored is None:
        return {}
    if not explored.complete:
        return {"proof": "text", "sampled": explored.sampled}
    return {
        "proof": "exploration",
        "states": explored.states,
        "state_orbits": explored.orbits,
        "situations": explored.situations,
    }


def _how(found: Found) -> list[str]:
    """Return in words how the group was proven."""
    explored = found.explored
    if explored is None:
        return []
    if not explored.complete:
        return ["proven from the text alone, and compared in some states besides"]
    if explored.proof == "whole":
        return [f"{explored.known.how}: {explored.orbits} orbits of {explored.states} states"]
    return [
        f"proven by exploring {explored.orbits} orbits of {explored.states} states; of "
        f"{explored.summands} summands the text proves {explored.from_text}"
    ]


def _as_json(item: Break) -> dict[str, Any]:
    reasons = [
        {
            "message": f"{r.message}\n{r.more}" if r.more else r.message,
            "file": r.file,
            "line": r.line,
            "column": r.column,
        }
        for r in item.reasons
    ]
    return {
        "sort": item.sort,
        "classes": item.classes,
        "order": item.order,
        "possible": item.possible,
        "reasons": reasons,
    }


def _printable(text: str) -> str:
    """Return a text for comments, in which TOML allows no control characters."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


def _shown(label: str) -> str:
    """Return a label for a comment, in which TOML allows no control characters."""
    return label if label.isprintable() else json.dumps(label)

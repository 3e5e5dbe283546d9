"""Certificates that permutations of labels are symmetries of an LTS, or that one is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lts.certificates.table import moved, reachable_numbers, table
from lts.certificates.tree import tree
from lts.equivalence import minimise_with_classes
from lts.equivalence.names import equivalence_named
from lts.errors import Unsupported
from lts.symmetry import Automorphism, Permutation
from lts.symmetry.labels.automorphism import reachable_labels
from lts.symmetry.labels.lift import lift_labels
from lts.system.lts import LTS

__all__ = ["no_symmetry_certificate", "symmetry_certificate"]


def symmetry_certificate(
    system: LTS, permutations: Sequence[Permutation], found: Automorphism
) -> dict[str, Any]:
    """Return the permutation of states that `check` found for each permutation of labels; null for
    an unreachable state."""
    numbers = reachable_numbers(system)
    generators = []
    for permutation, column in zip(permutations, found.states, strict=True):
        states: list[int | None] = [None] * system.state_count
        for state, image in enumerate(column.tolist()):
            states[numbers[state]] = numbers[image]
        generators.append({"labels": _moved(system, permutation), "states": states})
    return table("symmetry", system) | {"generators": generators}


def no_symmetry_certificate(
    system: LTS, permutation: Permutation, equivalence: str = "strong"
) -> dict[str, Any]:
    """Return a tree that distinguishes a system from its image under a permutation of its labels.

    Raises `Unsupported` if there is none: the image may be equivalent although the permutation is
    not an automorphism, or the equivalence may have no trees.
    """
    name = equivalence_named(equivalence).name
    pairs = _moved(system, permutation)
    images = dict(pairs)
    shift = system.state_count
    transitions = list(system.transitions())
    transitions += [(shift + s, images.get(a, a), shift + t) for s, a, t in transitions]
    both = LTS.from_transitions(transitions, initial=system.initial, state_count=2 * shift)
    both = both.with_internal(system.internal)
    # A split separates states exactly if it separates their classes.
    least, classes = minimise_with_classes(both, name, keep_unreachable=True)
    initial_blocks = classes[system.initial], classes[shift + system.initial]
    if initial_blocks[0] == initial_blocks[1]:
        raise Unsupported(
            "there is no certificate that states do not correspond: the system and its image are "
            "equivalent"
        )
    splits = tree(
        least, name, lambda block_of: block_of[initial_blocks[0]] == block_of[initial_blocks[1]]
    )
    return table("no-symmetry", system) | {
        "equivalence": name,
        "labels": pairs,
        "tree": splits,
    }


def _moved(system: LTS, permutation: Permutation) -> list[list[str]]:
    """Return the visible labels that a permutation moves, with their images."""
    internal = set(system.internal)
    visible = [label for label in reachable_labels(system) if label not in internal]
    pairs = moved(lift_labels(permutation, visible), visible)
    for label, _ in pairs:
        if label in internal:
            raise Unsupported(f"the internal label `{label}` must be fixed")
    return pairs

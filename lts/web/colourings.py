"""Classes of states that a page colours: blocks of equivalences, orbits, truth of formulas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from lts.certificates.table import reachable_numbers
from lts.equivalence.minimisation import classes
from lts.equivalence.names import EQUIVALENCES, equivalence_named
from lts.errors import LimitReached, LtsError, NotSymmetric, Unsupported
from lts.logic.check import satisfying_states
from lts.symmetry.labels.automorphism import check
from lts.symmetry.labels.detection import find_symmetry
from lts.symmetry.labels.orbits import state_orbits
from lts.symmetry.permutation.notation import Permutation
from lts.system.lts import LTS
from lts.web.shown import Colouring

__all__ = ["ORBITS", "blocks", "found_orbits", "orbits", "shared_blocks", "truth"]

ORBITS = "orbits"
"""The name of the colouring by orbits."""
MOST_CHOICES, _LABELS, _GENERATORS = 20_000, 200, 60
"""Limits of the search for symmetries that were not asked for: choices, labels of the system, and
generators checked."""


def blocks(system: LTS, name: str) -> Colouring:
    """Return the blocks of an equivalence, including unreachable states.

    Raises `LtsError` for trace equivalences, which have no blocks of states.
    """
    kind = _with_blocks(name)
    found = classes(system, kind, keep_unreachable=True).tolist()
    return _numbered(f"{kind} blocks", found, "block")


def shared_blocks(left: LTS, right: LTS, name: str) -> list[Colouring]:
    """Return the blocks of two systems side by side: equivalent states are in the same block.

    For a rooted equivalence the blocks are those of the unrooted one, since rootedness concerns
    only initial states.
    """
    kind = _with_blocks(name).removeprefix("rooted-")
    found = classes(_beside(left, right), kind, keep_unreachable=True).tolist()
    both = _numbered(f"{kind} blocks", found, "block")
    first = left.state_count
    return [
        Colouring(both.name, part, both.names, shared=True)
        for part in (both.classes[:first], both.classes[first:])
    ]


def _with_blocks(name: str) -> str:
    kind = equivalence_named(name)
    if kind.family == "traces":
        known = ", ".join(k for k, entry in EQUIVALENCES.items() if entry.family != "traces")
        raise LtsError(f"`{kind.name}` has no blocks of states to show; these have: {known}")
    return kind.name


def _beside(left: LTS, right: LTS) -> LTS:
    """Return the disjoint union of two systems, with the states of the second after those of the
    first.

    All internal labels are merged, as in comparisons.
    """
    import numpy as np

    labels: dict[str, int] = {"tau": 0}
    columns = []
    for system, shift in ((left, 0), (right, left.state_count)):
        internal = set(system.internal)
        # A visible label `tau` must stay distinct from internal steps.
        texts = ["tau" if label in internal else f"={label}" for label in system.labels]
        table = np.array([labels.setdefault(text, len(labels)) for text in texts], dtype=np.uint32)
        label = table[system.label] if texts else system.label
        columns.append((system.source + np.uint32(shift), label, system.target + np.uint32(shift)))
    joined: list[Any] = [np.concatenate(pair) for pair in zip(*columns, strict=True)]
    source, label, target = joined
    count = left.state_count + right.state_count
    both = LTS.from_columns(source, label, target, labels, left.initial, count)
    return both.with_internal(["tau"])


def truth(system: LTS, formula: str, *, file: str = "formula") -> Colouring:
    """Return the states in which a formula holds. Raises the errors of `satisfying_states`."""
    holds = satisfying_states(system, formula, file=file).tolist()
    return Colouring(" ".join(formula.split()), holds, ("does not hold", "holds"))


def orbits(system: LTS, permutations: Sequence[Permutation]) -> Colouring:
    """Return the orbits of the reachable states; every unreachable state is a class of its own.

    Raises `NotSymmetric` and `LimitReached` as `lts.symmetry.check` does.
    """
    reached = state_orbits(system.reachable(), permutations)
    # Numbers of unreachable states start after those of orbits.
    found = [len(reached) + state for state in range(system.state_count)]
    for number, state in enumerate(reachable_numbers(system)):
        found[state] = reached[number]
    return _numbered(ORBITS, found, "orbit")


def found_orbits(system: LTS) -> Colouring | None:
    """Return the orbits of the symmetries found by a short search; None if there are none."""
    if len(system.labels) > _LABELS:
        return None
    symmetries = []
    try:
        generators = find_symmetry(system, node_limit=MOST_CHOICES).generators
        if len(generators) > _GENERATORS:
            return None
        for permutation in generators:
            try:
                check(system, permutation, node_limit=MOST_CHOICES)
            except NotSymmetric:
                continue  # bisimilar to its image, but states do not correspond
            symmetries.append(permutation)
        return orbits(system, symmetries) if symmetries else None
    except (LimitReached, Unsupported):
        return None  # no error: the symmetries were not asked for


def _numbered(name: str, found: Sequence[int], kind: str) -> Colouring:
    """Return a colouring whose classes are numbered by size, the largest first."""
    order = [number for number, _ in Counter(found).most_common()]
    rank = {number: place for place, number in enumerate(order)}
    names = [f"{kind} {place}" for place in range(len(order))]
    return Colouring(name, [rank[number] for number in found], names)

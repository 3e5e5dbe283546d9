"""Symmetry of an LTS under a permutation of its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lts import _engine
from lts.equivalence import compare
from lts.errors import LimitReached, NotSymmetric
from lts.symmetry.lifting import lift_labels
from lts.symmetry.notation import Permutation
from lts.system import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["NODE_LIMIT", "Automorphism", "check", "isomorphic"]

NODE_LIMIT = 1_000_000
"""Choices that the search for an automorphism may make."""


@dataclass(frozen=True, slots=True)
class Automorphism:
    """A symmetry of the reachable part of an LTS: a label permutation with one of the states.

    `order` is that of the pair; it can be a multiple of the label permutation's. `states` (uint32)
    holds the image of every reachable state, numbered breadth first.
    """

    order: int
    states: npt.NDArray[np.uint32]
    quotient: _engine.Quotient


def check(system: LTS, permutation: Permutation, *, node_limit: int = NODE_LIMIT) -> Automorphism:
    """Find a permutation of the states that is an automorphism together with that of the labels.

    Only reachable states count; the initial state stays where it is. Raises `NotSymmetric` with a
    witness, `LimitReached` if `node_limit` choices do not decide it.
    """
    images = lift_labels(permutation, system.labels, system.internal)
    names, numbers = label_table(system.labels, images)
    kind, quotient, states = _engine.quotient_of_lts(system._engine, names, numbers, node_limit)
    if quotient is not None and states is not None:
        import numpy as np

        column = np.frombuffer(memoryview(states), dtype=np.uint32)
        return Automorphism(quotient.order, column, quotient)
    if kind == "undecided":
        raise LimitReached(
            f"{node_limit} choices did not decide whether there is an automorphism",
            limit=node_limit,
            found={"choices": node_limit},
        )
    raise _not_symmetric(system, permutation, images)


def isomorphic(left: LTS, right: LTS, *, node_limit: int = NODE_LIMIT) -> bool:
    """Whether the reachable parts of two systems differ in the names of states only."""
    found = _engine.isomorphic(left._engine, right._engine, node_limit)
    if found is None:
        raise LimitReached(
            f"{node_limit} choices did not decide whether the systems are isomorphic",
            limit=node_limit,
            found={"choices": node_limit},
        )
    return found


def label_table(
    labels: tuple[str, ...], images: Mapping[str, str]
) -> tuple[list[bytes], list[int]]:
    """Return `labels` followed by the images they lack, and the number of each one's image."""
    table = [*labels, *(label for label in images if label not in set(labels))]
    numbers = {label: number for number, label in enumerate(table)}
    names = [label.encode("utf-8", "surrogateescape") for label in table]
    return names, [numbers[images[label]] for label in table]


def _not_symmetric(
    system: LTS, permutation: Permutation, images: Mapping[str, str]
) -> NotSymmetric:
    """Say why: the permuted system is not bisimilar, or it is, but no states correspond."""
    renamed = LTS.from_columns(
        system._engine.source,
        system._engine.label,
        system._engine.target,
        [images[label] for label in system.labels],
        system.initial,
        system.state_count,
    )
    message = f"`{permutation}` is no symmetry"
    comparison = compare(system, renamed.with_internal(system.internal), "strong")
    if comparison.holds:
        return NotSymmetric(
            message,
            witness="bisimilar under the permutation, but no automorphism: states differ in how "
            "often their behaviour occurs; minimise the system first (`-e strong`)",
        )
    if comparison.evidence is None:
        shown = "the system and its image are not bisimilar"
    else:
        shown = comparison.evidence.describe("the system, not its image,")
    return NotSymmetric(message, witness=shown)

"""Symmetry of an LTS under permutations of its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import CHOICES
from lts.equivalence import Comparison, Mismatch, compare
from lts.equivalence.names import equivalence_named
from lts.errors import LimitReached, NotSymmetric, Unsupported
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.known import refuted
from lts.symmetry.permutation.notation import Element, Permutation, as_permutations
from lts.system.lts import LTS, expect_systems

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "Automorphism",
    "automorphism",
    "check",
    "check_bisimilar",
    "explained",
    "isomorphic",
    "reachable_labels",
]


@dataclass(frozen=True, slots=True)
class Automorphism:
    """A group of symmetries of the reachable part of an LTS, acting on labels and states.

    `order` is the order of the group on labels and states together, which can be a multiple of that
    on labels alone. `states` has, for each generator, the image of every reachable state, numbered
    breadth first (uint32).
    """

    order: int
    states: tuple[npt.NDArray[np.uint32], ...]
    quotient: _engine.Quotient

    def __repr__(self) -> str:
        return f"<Automorphism: order {self.order}, {len(self.states)} generators>"


def check(
    system: LTS,
    permutations: Permutation | Sequence[Permutation],
    *,
    node_limit: int = CHOICES.default,
) -> Automorphism:
    """Find, for each permutation of labels, a permutation of states with which it is an
    automorphism.

    Only reachable states count; the initial state is fixed. Raises `NotSymmetric` with a witness,
    and `LimitReached` if `node_limit` choices do not decide it.
    """
    expect_systems(system)
    system = system._with_distinct_labels()
    permutations = as_permutations(permutations)
    used = reachable_labels(system)
    lifted = [lift_labels(p, used, system.internal) for p in permutations]
    table = list(dict.fromkeys([*system.labels, *(label for images in lifted for label in images)]))
    numbers = {label: number for number, label in enumerate(table)}
    points = sorted({e for p in permutations for e in p.images}, key=str)
    point = {element: number for number, element in enumerate(points)}
    generators = [
        (
            [point[p.images.get(element, element)] for element in points],
            [numbers[images.get(label, label)] for label in table],
        )
        for p, images in zip(permutations, lifted, strict=True)
    ]
    names = [_point(element, number) for number, element in enumerate(points, 1)]
    found = automorphism(system, table, names, generators, node_limit=node_limit)
    if isinstance(found, Automorphism):
        return found
    raise explained(system, permutations[found], lifted[found])


def automorphism(
    system: LTS,
    labels: Sequence[str],
    points: Sequence[str],
    generators: Sequence[tuple[list[int], list[int]]],
    *,
    node_limit: int = CHOICES.default,
) -> Automorphism | int:
    """Find permutations of states that match given permutations of points and `labels`; return the
    number of a generator that none matches otherwise. `labels` begins with the label table of the
    system.

    Raises `LimitReached` if `node_limit` choices do not decide it.
    """
    expect_limit(node_limit, "the limit on choices")
    try:
        found = _engine.quotient_of_lts(
            system._engine,
            [label.encode("utf-8", "surrogateescape") for label in labels],
            list(points),
            list(generators),
            node_limit,
        )
    except ValueError as error:
        raise Unsupported(str(error)) from None
    quotient, states = found["quotient"], found["states"]
    if quotient is not None:
        import numpy as np

        permuted = tuple(np.frombuffer(memoryview(images), dtype=np.uint32) for images in states)
        return Automorphism(quotient.order, permuted, quotient)
    if found["kind"] == "undecided":
        raise LimitReached(
            f"{CHOICES.amount(node_limit)} did not decide whether there is an automorphism",
            limit=node_limit,
            found={"choices": node_limit},
        )
    which: int = found["which"]
    return which


def _point(element: Element, number: int) -> str:
    """Return the name of a point: a number for a whole label and for an element that is not valid
    text."""
    is_text = not any("\ud800" <= c <= "\udfff" for c in element.text)
    return element.text if is_text and not element.quoted else f"#{number}"


def check_bisimilar(
    system: LTS, permutations: Permutation | Sequence[Permutation], equivalence: str = "strong"
) -> bool:
    """Return True if an LTS is equivalent to its image under each permutation of the labels.

    A symmetry has this property, modulo every equivalence. The converse holds for the minimal
    system modulo strong bisimulation: a system that is symmetric up to an equivalence has the
    symmetry after minimisation. Raises `NotSymmetric` with a witness: a shortest trace of only one
    of the two systems, or, if they have the same traces, other evidence that they differ.
    """
    expect_systems(system)
    kind = equivalence_named(equivalence)
    permutations = as_permutations(permutations)
    used = reachable_labels(system)
    for permutation in permutations:
        image = _renamed(system, lift_labels(permutation, used, system.internal))
        comparison = compare(system, image, kind.name)
        if comparison.holds:
            continue
        traces = "trace" if kind.counts_internal else "weak-trace"
        # The search for a trace may reach its limit; the formula is evidence enough.
        with suppress(LimitReached):
            by_traces = compare(system, image, traces)
            comparison = by_traces if by_traces.evidence is not None else comparison
        title = kind.title.partition(" (")[0]
        raise refuted(permutation, witness=_shown(comparison), up_to=title)
    return True


def isomorphic(left: LTS, right: LTS, *, node_limit: int = CHOICES.default) -> bool:
    """Whether the reachable parts of two systems are equal up to a renaming of states.

    `lts.compare` modulo isomorphism also concerns unreachable states, and gives the map or a reason
    why there is none. Raises `LimitReached` after `node_limit` wrong choices of states.
    """
    expect_systems(left, right)
    found = compare(left.reachable(), right.reachable(), "isomorphism", max_states=node_limit)
    return found.holds


def explained(system: LTS, permutation: Permutation, images: Mapping[str, str]) -> NotSymmetric:
    """Return why no automorphism induces a permutation: the permuted system is not bisimilar, or it
    is bisimilar but states do not correspond one to one."""
    comparison = compare(system, _renamed(system, images), "strong")
    if comparison.holds:
        return refuted(
            permutation,
            witness="bisimilar under the permutation, but no automorphism: states differ in how "
            "often their behaviour occurs. It is a symmetry up to strong bisimulation: "
            "minimise the system first, or check it with `-e strong`",
        )
    return refuted(permutation, witness=_shown(comparison))


def reachable_labels(system: LTS) -> list[str]:
    """Return the labels on transitions of reachable states; others do not affect the symmetry."""
    if not system.reachable_states().all():
        system = system.reachable()
    return [label for label, count in system.label_counts().items() if count]


def _renamed(system: LTS, images: Mapping[str, str]) -> LTS:
    """Return the system with every label replaced by its image."""
    renamed = LTS.from_columns(
        system._engine.source,
        system._engine.label,
        system._engine.target,
        [images.get(label, label) for label in system.labels],
        system.initial,
        system.state_count,
    )
    return renamed.with_internal(system.internal)


def _shown(comparison: Comparison) -> str:
    """Describe in words what distinguishes a system from its image."""
    if comparison.evidence is None:
        return "the system and its image are not bisimilar"
    assert not isinstance(comparison.evidence, Mismatch)
    sides = ("the system, not its image,", "the image of the system, not the system,")
    return comparison.evidence.describe(sides[not comparison.evidence.of_left])

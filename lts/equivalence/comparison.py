"""Comparison: whether two systems are equivalent, or one refines the other, with evidence if
not."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import COMPARED_PAIRS
from lts.base.label_names import label_text
from lts.equivalence.evidence import Property, Run
from lts.equivalence.isomorphism import WRONG_CHOICES, Mismatch, isomorphism
from lts.equivalence.names import ISOMORPHISM, Relation, compared_named, preorder_named
from lts.errors import LimitReached
from lts.system.lts import LTS, expect_systems
from lts.system.sizes import refuse_large

__all__ = ["MAX_PAIRS", "Comparison", "compare", "equivalent", "refines"]

MAX_PAIRS = COMPARED_PAIRS.default
"""Default limit of the search for a distinguishing trace, refusal or divergence, in pairs of a
state of one system and the set of states that the same trace reaches in the other."""

NEAR = 1 << 19
"""Most pairs and answers explored before the systems are reduced; less than a second of work."""

FAR = 1 << 22
"""Most pairs and answers explored on reduced systems to find a short formula; beyond that, the
formula is built from the steps of partition refinement."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict of a comparison, with evidence of a difference.

    `evidence` has been checked on both original systems. It is None if and only if the relation
    holds. If the systems are isomorphic, and isomorphism was asked for, `images` has the state of
    the right system that corresponds to each state of the left one.
    """

    holds: bool
    evidence: Property | Run | Mismatch | None = None
    images: array[int] | None = None

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        """The difference in words; see also `Property.describe` and `Run.describe`."""
        if self.evidence is None:
            return "there is no difference"
        if isinstance(self.evidence, Mismatch):
            return self.evidence.describe("the left system", "the right system")
        return self.evidence.describe(f"the {'left' if self.evidence.of_left else 'right'} system")


def compare(
    left: LTS, right: LTS, equivalence: str, *, max_states: int | None = None
) -> Comparison:
    """Compare the initial states of two systems modulo an equivalence, with evidence.

    Labels are compared by text, all internal labels as one. Distinguishing traces are shortest.
    Formulas have the least depth among those searched; if the difference is too far from the
    initial states, they are built from the steps of partition refinement. Raises `LimitReached` if
    traces take more than `max_states` pairs (`MAX_PAIRS` by default), or simulations more classes
    (`Relation.limit`).

    Isomorphism also concerns unreachable states. The result has the map or a `Mismatch`; the limit
    is one on wrong choices of corresponding states (`WRONG_CHOICES`).

    >>> one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    >>> found = compare(one, LTS.from_transitions([(1, "a", 0), (0, "b", 1)], initial=1), "iso")
    >>> found.images.tolist()
    [1, 0]
    """
    kind = compared_named(equivalence)
    if kind is not ISOMORPHISM:
        return _compare(left, right, kind, False, max_states)
    expect_systems(left, right)
    refuse_large(
        left.state_count + right.state_count, left.transition_count + right.transition_count
    )
    wrong_choices = WRONG_CHOICES if max_states is None else max_states
    result = isomorphism(left, right, wrong_choices=wrong_choices)
    if isinstance(result, Mismatch):
        return Comparison(False, result)
    return Comparison(True, images=result)


def equivalent(left: LTS, right: LTS, equivalence: str, *, max_states: int | None = None) -> bool:
    """Whether the initial states of two systems are equivalent."""
    return compare(left, right, equivalence, max_states=max_states).holds


def refines(
    specification: LTS, implementation: LTS, preorder: str, *, max_states: int | None = None
) -> Comparison:
    """Decide whether an implementation refines its specification; evidence shows what it adds.

    For traces, failures and so on, those of the implementation must be among those of the
    specification; for simulations, the specification must simulate the implementation. Limits are
    those of `compare`.

    >>> coin = LTS.from_transitions([(0, "coin", 1), (1, "tea", 0), (1, "coffee", 0)])
    >>> either = LTS.from_transitions(
    ...     [(0, "coin", 1), (0, "coin", 2), (1, "tea", 0), (2, "coffee", 0)]
    ... )
    >>> refines(coin, either, "trace").holds
    True
    >>> refines(coin, either, "failures").evidence.refused
    ('coffee',)
    """
    return _compare(specification, implementation, preorder_named(preorder), True, max_states)


def _compare(
    left: LTS, right: LTS, kind: Relation, is_preorder: bool, max_states: int | None
) -> Comparison:
    expect_systems(left, right)
    refuse_large(
        left.state_count + right.state_count, left.transition_count + right.transition_count
    )
    bound = kind.bound if kind.family == "simulation" and kind.bound else COMPARED_PAIRS
    limit = bound.default if max_states is None else max_states
    expect_limit(limit, "the limit on states")
    found = _engine.compare(left._engine, right._engine, kind.name, is_preorder, (NEAR, FAR), limit)
    if found is None:
        message = f"comparison modulo {kind.name} needs {bound.exceeded(limit)}"
        raise LimitReached(
            f"{message}: allow more with --max-states", limit=limit, found={"states": limit}
        )
    holds, of_left = found["holds"], found["of_left"]
    owner, other = (left, right) if of_left else (right, left)
    if found["formula"] is not None:
        text, positions = found["formula"]
        return Comparison(
            holds, Property(of_left, label_text(text), tuple(positions), _labels(owner, positions))
        )
    if found["path"] is not None:
        path = found["path"]
        positions = path["transitions"]
        labels = _labels(owner, positions)
        counts = kind.counts_internal
        trace = tuple(a for a in labels if counts or a not in owner.internal)
        refused, offered, lacks = path["refused"], path["offered"], path["lacks"]
        run = Run(
            of_left,
            tuple(positions),
            labels,
            trace,
            None if refused is None else _names(refused, other),
            path["diverges"],
            None if offered is None else label_text(offered),
            None if lacks is None else tuple(_names(each, other) for each in lacks),
        )
        return Comparison(holds, run)
    return Comparison(holds)


def _labels(owner: LTS, positions: list[int]) -> tuple[str, ...]:
    column = memoryview(owner._engine.label).cast("B").cast("I")
    return tuple(owner.labels[column[position]] for position in positions)


def _names(texts: list[bytes | None], other: LTS) -> tuple[str, ...]:
    """Return labels for the other system, which may have another name for the internal step."""
    return tuple(
        min(other.internal, default="tau") if text is None else label_text(text) for text in texts
    )

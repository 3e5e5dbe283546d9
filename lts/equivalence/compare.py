"""Comparison: whether two systems are equivalent, or one refines the other, and what shows no."""

from __future__ import annotations

from dataclasses import dataclass

from lts import _engine
from lts.equivalence.evidence import Property, Run
from lts.equivalence.minimise import MAX_STATES
from lts.equivalence.names import INTERNAL_COUNTS, equivalence, preorder
from lts.errors import LimitReached
from lts.names import label_text
from lts.system import LTS, expect_systems, refuse_large

__all__ = ["MAX_PAIRS", "Comparison", "compare", "equivalent", "refines"]

MAX_PAIRS = 5_000_000
"""Where the search for a trace, refusal or divergence stops unless told otherwise: pairs of a state
of one system and the set of states of the other that the same trace leads to."""

_NEAR = 1 << 19
"""The most pairs and answers that are looked at before anything is reduced; below a second."""

_FAR = 1 << 22
"""Pairs and answers that are looked at on reduced systems for a short formula; beyond that it comes
from what refinement does, step by step."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict, and what one system has and the other has not.

    `evidence` has been checked on both systems as they were given. It is None if the relation
    holds, and only then.
    """

    holds: bool
    evidence: Property | Run | None = None

    def __bool__(self) -> bool:
        return self.holds


def compare(left: LTS, right: LTS, relation: str, *, max_states: int | None = None) -> Comparison:
    """Compare the initial states of two systems modulo an equivalence, with evidence.

    Labels are compared by text, all internal labels as one. Traces that tell systems apart are
    shortest, formulas of least depth among what is looked at; where differences are far away they
    come from what refinement does, step by step. Raises `LimitReached` where traces take more than
    `max_states` pairs (`MAX_PAIRS` by default) or simulations more classes (`MAX_STATES`).
    """
    return _compare(left, right, equivalence(relation).name, False, max_states)


def equivalent(left: LTS, right: LTS, relation: str, *, max_states: int | None = None) -> bool:
    """Whether the initial states of two systems are equivalent."""
    return compare(left, right, relation, max_states=max_states).holds


def refines(
    specification: LTS, implementation: LTS, relation: str, *, max_states: int | None = None
) -> Comparison:
    """Whether all that an implementation does its specification may do; evidence is what is more.

    Traces, failures, divergences and so on of the implementation are among those of the
    specification; simulations: the specification simulates the implementation. Limits are those of
    `compare`.

    >>> coin = LTS.from_transitions([(0, "coin", 1), (1, "tea", 0), (1, "coffee", 0)])
    >>> either = LTS.from_transitions(
    ...     [(0, "coin", 1), (0, "coin", 2), (1, "tea", 0), (2, "coffee", 0)]
    ... )
    >>> refines(coin, either, "trace").holds
    True
    >>> refines(coin, either, "failures").evidence.refused
    ('coffee',)
    """
    return _compare(specification, implementation, preorder(relation).name, True, max_states)


def _compare(
    left: LTS, right: LTS, name: str, is_preorder: bool, max_states: int | None
) -> Comparison:
    expect_systems(left, right)
    refuse_large(
        left.state_count + right.state_count, left.transition_count + right.transition_count
    )
    limit = MAX_STATES.get(name, MAX_PAIRS) if "simulation" in name else MAX_PAIRS
    limit = limit if max_states is None else max_states
    found = _engine.compare(left._engine, right._engine, name, is_preorder, (_NEAR, _FAR), limit)
    if found is None:
        what = "classes of states" if "simulation" in name else "pairs of states and (large) sets"
        message = f"comparison modulo {name} takes more than {limit} {what}"
        raise LimitReached(
            f"{message}; --max-states allows more", limit=limit, found={"states": limit}
        )
    holds, of_left = found["holds"], found["of_left"]
    owner, other = (left, right) if of_left else (right, left)
    if found["formula"] is not None:
        text, rows = found["formula"]
        return Comparison(
            holds, Property(of_left, label_text(text), tuple(rows), _labels(owner, rows))
        )
    if found["path"] is not None:
        path = found["path"]
        rows = path["rows"]
        labels = _labels(owner, rows)
        counts = name in INTERNAL_COUNTS
        trace = tuple(a for a in labels if counts or a not in owner.internal)
        refused, offered, lacks = path["refused"], path["offered"], path["lacks"]
        run = Run(
            of_left,
            tuple(rows),
            labels,
            trace,
            None if refused is None else _names(refused, other),
            path["diverges"],
            None if offered is None else label_text(offered),
            None if lacks is None else tuple(_names(each, other) for each in lacks),
        )
        return Comparison(holds, run)
    return Comparison(holds)


def _labels(owner: LTS, rows: list[int]) -> tuple[str, ...]:
    column = memoryview(owner._engine.label).cast("B").cast("I")
    return tuple(owner.labels[column[row]] for row in rows)


def _names(texts: list[bytes | None], other: LTS) -> tuple[str, ...]:
    """Return labels of the other system; internal steps are called as they are there."""
    return tuple(
        min(other.internal, default="tau") if text is None else label_text(text) for text in texts
    )

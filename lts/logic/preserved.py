"""Which labels can be hidden, and which equivalences applied, without affecting a formula.

Three things are determined from a formula. A label can be hidden if each set of labels in the
formula contains it if and only if the set contains internal steps (*maximal hiding*). If all
modalities are weak, that is of the forms `<A*.B>f`, `<A*>f`, `<A>@`, `[A*.B]f`, `[A*]f` where A
contains internal steps and B does not, then the formula does not distinguish systems that are
divergence-preserving branching bisimilar: Mateescu and Wijs, Property-dependent reductions adequate
with divergence-sensitive branching bisimilarity (Science of Computer Programming 96, 2014). The
same holds for reachability of a deadlock by A*, `<A*>[true]false`: a state that is bisimilar to a
deadlock reaches one by internal steps, since it has no divergence. So `mu X. <true>true && [A]X` is
weak as well; it says that A* reaches no deadlock and A cannot be repeated forever. Of these forms
only `<A>@` and those with deadlocks depend on divergence: `<A*.B>f`, `<A*>f` and their duals are
about finite sequences of steps, and branching bisimilar systems have the same ones, up to internal
steps in between, which A* allows.

Other modalities `<A>f`, `[A]f` are strong. If A contains no internal steps in any of them, the
formula does not distinguish sharp bisimilar systems, where each step with a label in such an A is
matched by a single step: Lang, Mateescu and Mazzanti, Sharp congruences adequate with temporal
logics combining weak and strong modalities (TACAS 2020).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lts.equivalence.minimisation import SHARP
from lts.logic.acceptance import accepts
from lts.logic.data import LabelData, ReadLabel
from lts.logic.nodes import PATHS, Actions, Call, Formula

__all__ = ["hidden_labels", "strong_labels", "weakest"]

_INTERNAL = ReadLabel.of("tau")
# For each kind of fixed point, its connective and its modality.
_STEPS = {"mu": ("or", "can"), "nu": ("and", "must")}


def hidden_labels(formula: Formula, labels: Iterable[str]) -> frozenset[str]:
    """Return the labels that a formula without data variables treats like internal steps."""
    data = LabelData(formula, ())
    sets = list(dict.fromkeys(what for _, what, _ in formula.nodes if isinstance(what, Actions)))
    internal = [accepts(actions.tree, _INTERNAL, True, data, {}) for actions in sets]
    found = set()
    for label in labels:
        read = ReadLabel.of(label)
        if [accepts(actions.tree, read, False, data, {}) for actions in sets] == internal:
            found.add(label)
    return frozenset(found)


def weakest(formula: Formula, labels: Iterable[str]) -> tuple[str, frozenset[str]]:
    """Return the weakest equivalence known to preserve a formula without data variables.

    It is given by its name in `lts.equivalence`, with the visible labels that must be strong:
    branching bisimulation or its divergence-preserving variant, sharp if there are strong labels;
    or strong bisimulation.
    """
    strong = strong_labels(formula, labels)
    if strong is None:
        return "strong", frozenset()
    return (SHARP if strong or _sees(formula).divergence else "branching"), strong


def strong_labels(formula: Formula, labels: Iterable[str]) -> frozenset[str] | None:
    """Return the visible labels in strong modalities of a formula without data variables.

    Returns None if a strong modality contains internal steps, so that the formula can count them;
    the result is empty if all modalities are weak.
    """
    strong = _sees(formula).strong
    if strong is None:
        return None
    data = LabelData(formula, ())
    read = {label: ReadLabel.of(label) for label in labels}
    return frozenset(
        label
        for label, parts in read.items()
        if any(accepts(actions.tree, parts, False, data, {}) for actions in strong)
    )


class _Seen(NamedTuple):
    """The observations on which a formula depends. `strong` are the actions of strong modalities,
    None if internal steps are among them; `divergence` says whether divergence may matter."""

    strong: list[Actions] | None
    divergence: bool


def _sees(formula: Formula) -> _Seen:
    """Return what an observer of the formula's truth can see: strong actions, and divergence."""
    nodes = formula.nodes
    data = LabelData(formula, ())

    def has_internal(step: int) -> bool:
        what = nodes[step][1]
        assert isinstance(what, Actions)
        return accepts(what.tree, _INTERNAL, True, data, {})

    def is_variable(node: int, binder: int) -> bool:
        what = nodes[node][1]
        return isinstance(what, Call) and what.binder == binder

    def returns(step: int, modality: str, binder: int) -> bool:
        operator, _, parts = nodes[step]
        return operator == modality and is_variable(parts[0], binder)

    def has_variable(node: int, binder: int) -> bool:
        seen, waiting = {node}, [node]
        for one in waiting:  # grows during the loop
            if is_variable(one, binder):
                return True
            new = set(nodes[one][2]) - seen
            seen |= new
            waiting += new
        return False

    def is_deadlock(node: int, modality: str) -> bool:
        """Whether it is `[true]false` (if the modality is `must`), or `<true>true`."""
        operator, what, parts = nodes[node]
        if operator != modality or not isinstance(what, Actions) or what.tree != ("true",):
            return False
        return nodes[parts[0]] == ("or" if modality == "must" else "and", None, ())

    def inside(binder: int) -> tuple[list[int], bool] | None:
        """Return the subformulas of a fixed point that is a weak modality, else None.

        Also return whether the modality depends on divergence.
        """
        operator, _, (inner,) = nodes[binder]
        join, modality = _STEPS[operator]
        other = "must" if modality == "can" else "can"
        parts = nodes[inner][2] if nodes[inner][0] == join else (inner,)
        back = [part for part in parts if returns(part, modality, binder)]
        rest = [part for part in parts if part not in back]
        if back and not any(has_variable(part, binder) for part in rest):
            # The form `<A*>`, and what follows.
            if not any(map(has_internal, back)):
                return None
            others = [part for part in rest if not is_deadlock(part, other)]
            steps = [p for p in others if nodes[p][0] == modality and not has_internal(p)]
            return [nodes[p][2][0] if p in steps else p for p in others], others != rest
        # The form `<A>@`, or its negation.
        dual = nodes[inner][2] if nodes[inner][0] == _STEPS[_DUAL[operator]][0] else (inner,)
        steps = [part for part in dual if not is_deadlock(part, modality)]
        if all(returns(part, other, binder) for part in steps):
            return ([], True) if any(map(has_internal, steps)) else None
        return None

    strong: list[Actions] = []
    divergence = False
    seen, waiting = {formula.root}, [formula.root]
    for node in waiting:  # grows during the loop
        operator, what, parts = nodes[node]
        if operator in PATHS:
            return _Seen(None, True)  # `X` counts steps
        if operator in ("can", "must"):
            if has_internal(node):
                return _Seen(None, True)
            assert isinstance(what, Actions)
            strong.append(what)
        if operator in _STEPS:
            found = inside(node)
            if found is not None:
                parts, divergence = tuple(found[0]), divergence or found[1]
        new = set(parts) - seen
        seen |= new
        waiting += new
    return _Seen(strong, divergence)


_DUAL = {"mu": "nu", "nu": "mu"}

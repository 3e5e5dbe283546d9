"""Comparison: whether two systems are equivalent, and what tells them apart."""

from __future__ import annotations

from dataclasses import dataclass

from lts import _engine
from lts.equivalence.names import equivalence_name
from lts.system import LTS

__all__ = ["Comparison", "compare", "equivalent"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict, and a formula of Hennessy-Milner logic that holds in the left system only.

    `formula` is None if the systems are equivalent, or if it would be too large to explain
    anything. `<a>` is a transition, `<<a>>` one with internal steps before and after. It has been
    checked on both systems.
    """

    equivalent: bool
    formula: str | None = None


def compare(left: LTS, right: LTS, equivalence: str) -> Comparison:
    """Compare the initial states of two systems. Labels are compared by text."""
    name = equivalence_name(equivalence)
    if _engine.equivalent(left._engine, right._engine, name):
        return Comparison(True)
    return Comparison(False, _engine.explain(left._engine, right._engine, name))


def equivalent(left: LTS, right: LTS, equivalence: str) -> bool:
    """Whether the initial states of two systems are equivalent."""
    return _engine.equivalent(left._engine, right._engine, equivalence_name(equivalence))

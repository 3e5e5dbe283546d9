"""Comparison: whether two systems are equivalent."""

from __future__ import annotations

from lts import _engine
from lts.equivalence.names import equivalence_name
from lts.system import LTS

__all__ = ["equivalent"]


def equivalent(left: LTS, right: LTS, equivalence: str) -> bool:
    """Whether the initial states of two systems are equivalent. Labels are compared by text."""
    return _engine.equivalent(left._engine, right._engine, equivalence_name(equivalence))

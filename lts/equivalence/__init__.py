"""Behavioural equivalences and preorders: minimisation and comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.equivalence.comparison import MAX_PAIRS, Comparison, compare, equivalent, refines
    from lts.equivalence.evidence import Property, Run, trace_text
    from lts.equivalence.isomorphism import WRONG_CHOICES, Mismatch, StateClass
    from lts.equivalence.minimisation import (
        DROPPED,
        classes,
        minimise,
        minimise_with_classes,
        without_tau_cycles,
    )
    from lts.equivalence.names import COMPARED, EQUIVALENCES, PREORDERS, Relation

__all__ = [
    "COMPARED",
    "DROPPED",
    "EQUIVALENCES",
    "MAX_PAIRS",
    "PREORDERS",
    "WRONG_CHOICES",
    "Comparison",
    "Mismatch",
    "Property",
    "Relation",
    "Run",
    "StateClass",
    "classes",
    "compare",
    "equivalent",
    "minimise",
    "minimise_with_classes",
    "refines",
    "trace_text",
    "without_tau_cycles",
]

_HOME = {
    "COMPARED": "lts.equivalence.names",
    "Comparison": "lts.equivalence.comparison",
    "DROPPED": "lts.equivalence.minimisation",
    "EQUIVALENCES": "lts.equivalence.names",
    "MAX_PAIRS": "lts.equivalence.comparison",
    "Mismatch": "lts.equivalence.isomorphism",
    "PREORDERS": "lts.equivalence.names",
    "Property": "lts.equivalence.evidence",
    "Relation": "lts.equivalence.names",
    "Run": "lts.equivalence.evidence",
    "StateClass": "lts.equivalence.isomorphism",
    "WRONG_CHOICES": "lts.equivalence.isomorphism",
    "classes": "lts.equivalence.minimisation",
    "compare": "lts.equivalence.comparison",
    "equivalent": "lts.equivalence.comparison",
    "minimise": "lts.equivalence.minimisation",
    "minimise_with_classes": "lts.equivalence.minimisation",
    "refines": "lts.equivalence.comparison",
    "trace_text": "lts.equivalence.evidence",
    "without_tau_cycles": "lts.equivalence.minimisation",
}

__getattr__ = loader("lts.equivalence", _HOME)

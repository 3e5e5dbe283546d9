"""Behavioural equivalences and preorders: minimisation and comparison."""

from lts.equivalence.compare import MAX_PAIRS, Comparison, compare, equivalent, refines
from lts.equivalence.evidence import Property, Run, trace_text
from lts.equivalence.isomorphism import WRONG_CHOICES, Mismatch, StateClass
from lts.equivalence.minimise import (
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

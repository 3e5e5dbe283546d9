"""Behavioural equivalences: minimisation and comparison."""

from lts.equivalence.compare import Comparison, compare, equivalent
from lts.equivalence.minimise import DROPPED, classes, minimise
from lts.equivalence.names import EQUIVALENCES

__all__ = ["DROPPED", "EQUIVALENCES", "Comparison", "classes", "compare", "equivalent", "minimise"]

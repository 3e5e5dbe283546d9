"""Behavioural equivalences: minimisation and comparison."""

from lts.equivalence.compare import equivalent
from lts.equivalence.minimise import DROPPED, classes, minimise
from lts.equivalence.names import EQUIVALENCES

__all__ = ["DROPPED", "EQUIVALENCES", "classes", "equivalent", "minimise"]

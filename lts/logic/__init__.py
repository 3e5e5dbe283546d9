"""Model checking: formulas of the modal mu-calculus on systems."""

from lts.logic.check import PROPERTIES, Verdict, check
from lts.logic.formula import parse

__all__ = ["PROPERTIES", "Verdict", "check", "parse"]

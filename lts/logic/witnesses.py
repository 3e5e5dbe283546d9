"""Quantifiers over infinite sorts, decided by trying the first values.

`exists n: Nat. val(f(n))` holds if f is true for one of the values that are tried. It is refuted
only if the sort is finite and all its values were tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lts.errors import SpecificationError
from lts.logic.data import Data, Value
from lts.logic.nodes import Expression, Formula, Quantifier

__all__ = ["Witnesses"]

MOST_TRIED = 20
"""Values that are tried for each variable of an infinite sort."""

MOST_PARTS = 20_000
"""Most parts of the formula that are evaluated for one quantifier."""


@dataclass(slots=True)
class Witnesses:
    """A search for values that decide a quantifier; `left` more parts may be evaluated."""

    formula: Formula
    data: Data
    left: int = MOST_PARTS

    def decide(self, node: int, values: Mapping[int, Value]) -> bool | None:
        """Return whether a part of a formula holds; None if that is unknown."""
        self.left -= 1
        if self.left < 0:
            return None
        operator, what, parts = self.formula.nodes[node]
        if isinstance(what, Expression):
            try:
                return self.data.holds(what, values)
            except SpecificationError:
                return None
        if operator == "not":
            inner = self.decide(parts[0], values)
            return None if inner is None else not inner
        if isinstance(what, Quantifier):
            return self.quantifier(node, values)
        if operator not in ("and", "or"):
            return None
        return _joined(operator == "or", (self.decide(part, values) for part in parts), True)

    def quantifier(self, node: int, values: Mapping[int, Value]) -> bool | None:
        """Return whether a quantifier holds; None if that is unknown."""
        operator, what, parts = self.formula.nodes[node]
        assert isinstance(what, Quantifier)
        endless = self.data.is_endless(what.slot)
        if endless:
            tried = self.data.first(what.slot, MOST_TRIED)
        else:
            tried = self.data.range(what.slot, values)
        each = (self.decide(parts[0], {**values, what.slot: value}) for value in tried)
        return _joined(operator == "exists", each, not endless)


def _joined(decisive: bool, each: Iterator[bool | None], all_of_them: bool) -> bool | None:
    """Return `decisive` if one of the values is; the opposite if all are, and `all_of_them`; else
    None."""
    for found in each:
        if found == decisive:
            return decisive
        all_of_them &= found is not None
    return not decisive if all_of_them else None

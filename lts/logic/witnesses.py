"""What is true of data as some small value shows it, where nothing bounds the values.

`exists n: Nat. val(f(n))` holds if f is true of one value that is tried, whatever it is of others.
That it does not hold is concluded of sorts only all of whose values are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lts.errors import SpecificationError
from lts.logic.data import Data, Value
from lts.logic.nodes import DataTerm, Formula, Quantifier

__all__ = ["Witnesses"]

MOST_TRIED = 20
"""Values that are tried of each variable whose sort has values without end."""

MOST_CONDITIONS = 5_000
"""Conditions that are looked at for one quantifier."""


@dataclass(slots=True)
class Witnesses:
    """Looks for values that decide a quantifier over data, with a bound on how many are tried."""

    formula: Formula
    data: Data
    left: int = MOST_CONDITIONS

    def decide(self, node: int, values: Mapping[int, Value]) -> bool | None:
        """Return whether a part of a formula holds; None if that is not found."""
        operator, what, parts = self.formula.nodes[node]
        if isinstance(what, DataTerm):
            self.left -= 1
            try:
                return self.data.holds(what, values) if self.left >= 0 else None
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
        """Return whether a quantifier holds, as far as that is found."""
        operator, what, parts = self.formula.nodes[node]
        assert isinstance(what, Quantifier)
        endless = self.data.is_endless(what.slot)
        if endless:
            tried = self.data.first(what.slot, MOST_TRIED)
        else:
            tried = self.data.range(what.slot, values)
        each = (self.decide(parts[0], {**values, what.slot: value}) for value in tried)
        return _joined(operator == "exists", each, not endless)


def _joined(wanted: bool, each: Iterator[bool | None], all_of_them: bool) -> bool | None:
    """Return `wanted` if one of some is; the opposite if all are that, and these are all."""
    for found in each:
        if found == wanted:
            return wanted
        all_of_them &= found is not None
    return not wanted if all_of_them else None

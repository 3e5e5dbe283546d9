"""Ground terms: which of them certainly have different values."""

from __future__ import annotations

import lts._engine as _engine
from lts.specification.signature import Signature
from lts.specification.specification import (
    Application,
    Specification,
    Term,
    Variable,
    substitute,
)
from lts.specification.terms import NUMERAL, applications, variables_of

__all__ = ["GroundTerms"]


class GroundTerms:
    """Evaluates terms that have no variables other than `constants`."""

    def __init__(self, specification: Specification) -> None:
        self.constants: dict[Variable, Term] = {}
        """Parameters that never change, with their values."""
        self._specification = specification
        self._signature: Signature | None = None
        self._data: _engine.Data | None = None
        self._codes: dict[Term, list[int] | None] = {}
        self._differ: dict[tuple[Term, Term], bool] = {}

    def differ(self, one: Term, other: Term) -> bool:
        """Whether two terms certainly have different values; False if too costly to decide."""
        key = one, other
        known = self._differ.get(key)
        if known is None:
            known = self._differ[key] = self._find(one, other)
        return known

    def truth(self, condition: Term) -> bool | None:
        """Whether a condition is certainly true or certainly false; None if unknown."""
        if not isinstance(condition, Application) or not condition.is_ground:
            return None
        true, false = self._specification.true, self._specification.false
        fails, holds = self.differ(condition, true), self.differ(condition, false)
        return holds if fails != holds else None  # an undecided condition differs from both

    def _find(self, one: Term, other: Term) -> bool:
        left, right = self._code(one), self._code(other)
        return left is not None and right is not None and self._engine_data().differ(left, right)

    def _code(self, term: Term) -> list[int] | None:
        """Encode a term for the engine; None if it has variables or undeclared functions."""
        if term not in self._codes:
            closed = term
            if any(variable in self.constants for variable in variables_of(term)):
                closed = substitute(term, self.constants)
            self._codes[term] = self._encoded(closed)
        return self._codes[term]

    def _encoded(self, term: Term) -> list[int] | None:
        if not isinstance(term, Application) or not term.is_ground:
            return None
        self._engine_data()
        assert self._signature is not None
        symbols = self._signature.symbols
        if all(
            part.function in symbols or part.function.native == NUMERAL
            for part, _ in applications(term)
        ):
            return self._signature.term(term)
        return None

    def _engine_data(self) -> _engine.Data:
        if self._data is None:
            self._signature = Signature(self._specification)
            self._data = self._signature.data()
        return self._data

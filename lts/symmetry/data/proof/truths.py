"""Propositional equivalence of terms, whatever the order of their parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import product

from lts.specification.specification import Application, Function, Term

__all__ = ["Truths"]

_ARGUMENTS = 4
"""Most arguments of a function whose truth table is computed."""

_ATOMS = 20
"""Most atoms for which all combinations of values are tried."""


class Truths:
    """Terms of the sort of truth values as Boolean functions of their atoms.

    `evaluate` returns the normal form of a closed term if that is a value; `are_total` tells
    whether all values of given terms are built from constructors alone, which makes them T or F.
    """

    def __init__(
        self,
        true: Application,
        false: Application,
        functions: Sequence[Function],
        evaluate: Callable[[Application], Application | None],
        are_total: Callable[[Sequence[Term]], bool],
    ) -> None:
        self.values = (false, true)
        self.functions = functions
        self.evaluate = evaluate
        self.are_total = are_total

    @cached_property
    def connectives(self) -> Mapping[Function, Sequence[bool]]:
        """The functions from truth values to truth values, with their truth tables: one entry for
        each combination of arguments, False before True."""
        found: dict[Function, Sequence[bool]] = {}
        for function in self.functions:
            sorts = {function.sort, *function.arguments}
            if sorts != {self.values[0].sort} or len(function.arguments) > _ARGUMENTS:
                continue
            rows = product(self.values, repeat=len(function.arguments))
            results = [self.evaluate(Application(function, row)) for row in rows]
            if all(result in self.values for result in results):
                found[function] = [result == self.values[True] for result in results]
        return found

    def are_equal(self, one: Term, other: Term) -> bool:
        """Whether two terms are sure to be true for the same values of their variables."""
        if not self.are_total([one, other]):
            return False
        atoms = list(dict.fromkeys([*self.atoms(one), *self.atoms(other)]))
        if len(atoms) > _ATOMS:
            return False
        # Bit r of a column is the value in row r.
        rows = 1 << len(atoms)
        columns: dict[Term, int] = {}
        for number, atom in enumerate(atoms):
            half = 1 << number
            block = ((1 << half) - 1) << half
            columns[atom] = block * (((1 << rows) - 1) // ((1 << 2 * half) - 1))
        return self.column(one, columns, rows) == self.column(other, columns, rows)

    def joins(self, term: Term) -> bool:
        """Whether the head of a term is a connective."""
        return isinstance(term, Application) and term.function in self.connectives

    def atoms(self, term: Term) -> list[Term]:
        """Return the terms joined by connectives, without constants."""
        found: dict[Term, None] = {}
        seen = {term}
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Application) and part.function in self.connectives:
                new = [argument for argument in part.arguments if argument not in seen]
                seen.update(new)
                waiting += new
            else:
                found[part] = None
        return [*found]

    def column(self, term: Term, columns: dict[Term, int], rows: int) -> int:
        """Return the values of a term in all rows as bits, given the `columns` of its atoms."""
        every = (1 << rows) - 1
        waiting = [term]
        while waiting:
            part = waiting[-1]
            if part in columns:
                waiting.pop()
                continue
            assert isinstance(part, Application)
            missing = [argument for argument in part.arguments if argument not in columns]
            if missing:
                waiting += missing
                continue
            found = 0
            choices = product((False, True), repeat=len(part.arguments))
            for choice, value in zip(choices, self.connectives[part.function], strict=True):
                if value:
                    these = every
                    for chosen, argument in zip(choice, part.arguments, strict=True):
                        these &= columns[argument] if chosen else ~columns[argument]
                    found |= these
            columns[part] = found
            waiting.pop()
        return columns[term]

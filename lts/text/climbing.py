"""Operators between operands, joined by a table of priorities.

Who reads gives operands and operators as they stand; what is left of an operator that binds less is
joined (operator precedence: Floyd, Syntactic analysis and operator precedence, 1963). Nothing here
calls itself, however many priorities there are, and however long a chain is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

__all__ = ["Climb", "climb"]

T = TypeVar("T")
S = TypeVar("S", bound=str)


class Climb(Generic[S, T]):
    """Operands and operators that have been read.

    `joined` gets operators of one priority that stand in a row, and their operands, one more.
    """

    __slots__ = ("joined", "open")

    def __init__(self, joined: Callable[[list[S], list[T]], T]) -> None:
        self.joined = joined
        # Priorities, each larger than the one before, with operators and operands so far.
        self.open: list[tuple[int, list[S], list[T]]] = []

    def add(self, operand: T, operator: S, level: int) -> None:
        """Add an operand, and the operator behind it."""
        operand = self._closed(operand, level)
        if self.open and self.open[-1][0] == level:
            self.open[-1][1].append(operator)
            self.open[-1][2].append(operand)
        else:
            self.open.append((level, [operator], [operand]))

    def level(self, floor: int) -> int:
        """Return the priority of the last operator; `floor` if there is none."""
        return self.open[-1][0] if self.open else floor

    def end(self, operand: T) -> T:
        """Return all of it, with the last operand."""
        return self._closed(operand, -1)

    def _closed(self, operand: T, level: int) -> T:
        """Return what an operand is together with all before it that binds more."""
        while self.open and self.open[-1][0] > level:
            _, operators, operands = self.open.pop()
            operand = self.joined(operators, [*operands, operand])
        return operand


def climb(
    levels: Mapping[str, int],
    operand: Callable[[], T],
    operator: Callable[[Mapping[str, int]], S | None],
    joined: Callable[[list[S], list[T]], T],
) -> T:
    """Return what is read of operands and operators; larger levels bind more.

    `operator` goes on behind one of those that it is given, and returns it; None if none stands
    there.
    """
    found = Climb(joined)
    while True:
        one = operand()
        word = operator(levels)
        if word is None:
            return found.end(one)
        found.add(one, word, levels[word])

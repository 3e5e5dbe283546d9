"""Operator precedence parsing: operands and operators are joined by a table of priorities.

The caller supplies operands and operators in the order of the text. When an operator follows that
binds less than those before it, these are joined first (Floyd, Syntactic analysis and operator
precedence, 1963). Nothing here recurses, however many priorities there are and however long a chain
is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

__all__ = ["Climb", "climb"]

T = TypeVar("T")
S = TypeVar("S", bound=str)


class Climb(Generic[S, T]):
    """The operands and operators read so far.

    `joined` is called with the operators of one priority in a row, and with their operands, which
    are one more.
    """

    __slots__ = ("joined", "open")

    def __init__(self, joined: Callable[[list[S], list[T]], T]) -> None:
        self.joined = joined
        # Priorities in increasing order, each with its operators and operands so far.
        self.open: list[tuple[int, list[S], list[T]]] = []

    def add(self, operand: T, operator: S, level: int) -> None:
        """Add an operand and the operator that follows it."""
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
        """Add the last operand, and return the whole expression."""
        return self._closed(operand, -1)

    def _closed(self, operand: T, level: int) -> T:
        """Join an operand with all operators before it that bind more strongly than `level`."""
        while self.open and self.open[-1][0] > level:
            _, operators, operands = self.open.pop()
            operand = self.joined(operators, [*operands, operand])
        return operand


def climb(
    levels: Mapping[str, int],
    operand: Callable[[int], T],
    operator: Callable[[Mapping[str, int], int], S | None],
    joined: Callable[[list[S], list[T]], T],
    floor: int = 0,
) -> T:
    """Parse operands separated by operators of at least priority `floor`.

    `operand` is given the priority of the operator before it. `operator` is given the table and
    `floor`: it consumes and returns such an operator, or returns None if the next token is none.
    """
    found = Climb(joined)
    while True:
        one = operand(found.level(floor))
        word = operator(levels, floor)
        if word is None:
            return found.end(one)
        found.add(one, word, levels[word])

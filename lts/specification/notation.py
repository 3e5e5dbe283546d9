"""How the terms of a function are written where that is not `name(a,b)`."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Notation", "infix", "prefix"]


@dataclass(frozen=True, slots=True)
class Notation:
    """What stands around and between the arguments: before each one, and behind the last.

    Of a function that puts an element in front of a row, `row` is the constant that is the empty
    one: rows that go on to their end are written between its brackets. If the second argument is
    what is `omitted`, the first stands alone.
    """

    around: tuple[str, ...]
    row: str | None = None
    omitted: str | None = None

    @property
    def is_bracketed(self) -> bool:
        """Whether there are brackets that are not needed where nothing stands beside the term."""
        return self.around[0] == "(" and self.around[-1] == ")"


def infix(sign: str) -> Notation:
    """Return the notation of an operator between its two arguments."""
    return Notation(("(", sign, ")"))


def prefix(sign: str) -> Notation:
    """Return the notation of an operator before its argument."""
    return Notation((sign, ""))

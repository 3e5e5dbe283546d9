"""The notation of functions whose applications are not written as `name(a,b)`."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Notation", "infix", "prefix"]


@dataclass(frozen=True, slots=True)
class Notation:
    """The texts before each argument and after the last one (`around`).

    For a function that puts an element in front of a list, `row` is the name of the empty list: a
    term that ends in it is written as its elements between the two characters of that name. If the
    last argument is written as `omitted`, only the first argument is written.
    """

    around: tuple[str, ...]
    row: str | None = None
    omitted: str | None = None

    @property
    def is_bracketed(self) -> bool:
        """Whether the outer texts are parentheses, which a term that stands alone does not need."""
        return self.around[0] == "(" and self.around[-1] == ")"


def infix(sign: str) -> Notation:
    """Return the notation of an operator between its two arguments."""
    return Notation(("(", sign, ")"))


def prefix(sign: str) -> Notation:
    """Return the notation of an operator before its argument."""
    return Notation((sign, ""))

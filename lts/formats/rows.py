"""Transitions collected while reading any format: growing columns, and a label table."""

from __future__ import annotations

from array import array

from lts.errors import FormatError
from lts.system import LTS

__all__ = ["ISOLATED", "STATES", "Rows"]

STATES = 2**32 - 1
"""The most states an LTS can have, and so the first number that is not a state."""

ISOLATED = 1 << 24
"""The most states that neither a transition mentions nor the text lists: a few bytes that claim
more must not fill the memory."""


class Rows:
    """The columns of the transitions, in the order of the file."""

    def __init__(self) -> None:
        self.source, self.label, self.target = array("I"), array("I"), array("I")
        self.numbers: dict[str, int] = {}

    def add(self, source: int, label: str, target: int) -> None:
        """Add a transition; states fit into 32 bits."""
        self.source.append(source)
        numbers = self.numbers
        self.label.append(numbers.setdefault(label, len(numbers)))
        self.target.append(target)

    def system(self, initial: int, states: int, *, listed: int, name: str | None) -> LTS:
        """Return the LTS; `listed` is the number of its states that the file lists.

        Raises `FormatError` if the number of states is implausible for such a file.
        """
        if states > 2 * len(self.source) + listed + ISOLATED:
            raise FormatError(
                f"{states} states, but only {len(self.source)} transitions: too many states "
                "without transitions",
                file=name,
            )
        return LTS.from_columns(self.source, self.label, self.target, self.numbers, initial, states)

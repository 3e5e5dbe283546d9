"""Transitions as they are read, whatever the format: columns that grow, and labels by number."""

from __future__ import annotations

from array import array

from lts.errors import FormatError
from lts.system import LTS

__all__ = ["ISOLATED", "STATES", "Rows"]

STATES = 2**32 - 1
"""The most states an LTS has, and so the first number that is no state."""

ISOLATED = 1 << 24
"""The most states that no transition mentions and the text does not list: what a few bytes claim
must not fill the memory."""


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
        """Return the LTS; `listed` says how many of its states the file lists.

        Raises `FormatError` for more states than such a file can be about.
        """
        if states > 2 * len(self.source) + listed + ISOLATED:
            raise FormatError(
                f"{states} states, and only {len(self.source)} transitions: that many states "
                "without any are not read",
                file=name,
            )
        return LTS.from_columns(self.source, self.label, self.target, self.numbers, initial, states)

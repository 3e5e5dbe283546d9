"""Transitions collected while reading any format: growing columns, and a label table."""

from __future__ import annotations

from array import array

from lts.base.bounds import ISOLATED_STATES
from lts.errors import FormatError
from lts.system.lts import LTS

__all__ = ["Transitions"]


class Transitions:
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
        if states > 2 * len(self.source) + listed + ISOLATED_STATES.default:
            raise FormatError(
                f"{states} states, but only {len(self.source)} transitions: too many states "
                "without transitions",
                file=name,
            )
        return LTS.from_columns(self.source, self.label, self.target, self.numbers, initial, states)

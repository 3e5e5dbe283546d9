"""The transitions from and to each state of an LTS, from one sorting of all transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.uint32]

__all__ = ["Adjacency"]


class Adjacency:
    """The transitions ordered by the states at one end, `states`; `others` are those at the other
    end, and `label` has the numbers of labels in `labels`."""

    def __init__(
        self, states: Numbers, label: Numbers, others: Numbers, labels: Sequence[str], count: int
    ) -> None:
        import numpy as np

        self.label, self.others, self.labels, self.count = label, others, labels, count
        self.order = np.argsort(states, kind="stable")
        # The index where the transitions of each state begin.
        self.starts = np.zeros(count + 1, dtype=np.intp)
        np.cumsum(np.bincount(states, minlength=count), out=self.starts[1:])

    def of(self, state: int) -> list[tuple[str, int]]:
        """Return the labels of the transitions at a state, and the states at their other ends."""
        if not hasattr(state, "__index__"):
            raise TypeError(f"a state must be a number, not a {type(state).__name__}")
        number = state.__index__()
        if not 0 <= number < self.count:
            raise IndexError(f"no state {number}: states are numbered 0 to {self.count - 1}")
        positions = self.order[self.starts[number] : self.starts[number + 1]]
        pairs = zip(self.label[positions].tolist(), self.others[positions].tolist(), strict=True)
        return [(self.labels[label], other) for label, other in pairs]

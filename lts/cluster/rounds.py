"""Rounds of a minimisation: what all partitions do together, and when blocks stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lts.cluster.transport import Transport

__all__ = ["BLOCKS", "FIRST_PAIRS", "Rounds"]

FIRST_PAIRS = 64
"""Pairs of a signature that are kept at first. While blocks are few and large, states after many
internal steps can do much; what has more is one and the same, and more is kept where nothing else
changes."""

_MORE = 8
"""So many times more is kept then."""

BLOCKS = 1 << 15
"""About so many blocks of each partition are looked at together: of more, a round has pieces."""

_SHARE = 48
"""So many times fewer than there are states are few blocks, too: each piece is a pass over all."""


@dataclass(slots=True)
class Rounds:
    """The rounds so far."""

    workers: Transport
    partitions: int
    states: int
    """States of the system."""
    follows: bool
    """Whether internal steps are followed."""
    divergence: bool
    kept: bool
    """Whether workers have logs: without, those that begin anew have all states in one block."""
    done: bool = False
    rounds: int = 0
    blocks: int = 1
    lengths: list[int] = field(default_factory=list)
    """Bytes of the logs of workers."""
    every: bool = True
    """Whether all blocks are looked at in the next round, and not only where something changed."""
    most: int = field(default_factory=lambda: FIRST_PAIRS)

    def begin(self) -> None:
        """Have workers that have read the system, and are where the rounds are."""
        if not self.kept:
            self.blocks, self.done = 1, False
        self.workers.begin(self.lengths or [0] * self.partitions, 0)
        while any(self._step("load")):
            pass
        for step in ("ask", "link", "count", "counted", "hear"):
            self._step(step)
        # What changed before is with the workers that there were.
        self.every = True

    def explore(self) -> dict[str, Any]:
        """Do a round; return what it added, for JSON."""
        self._trim()
        every, blocks = self.every, self.blocks
        if not every:
            self._step("touch")
            chosen = sum(self._step("choose"))
            # Where nothing is touched, all is looked at once more: that is the proof.
            every = chosen == 0
            blocks = blocks if every else chosen
        new = large = 0
        lengths: list[int] = []
        pieces = self._pieces(blocks)
        for piece in range(pieces):
            if piece > 0:
                self._step("hear")
            large += self._signatures(every, piece, pieces)
            new += sum(self._step("split"))
            self._step("answer")
            lengths = self._step("apply", piece + 1 == pieces)
        self.every = new == 0
        most = self.most
        if every and new == 0 and large:
            most *= _MORE
        level = {
            "new": new,
            "most": most,
            "done": every and new == 0 and not large,
            "lengths": lengths,
        }
        self.add(level)
        return level

    def add(self, level: dict[str, Any]) -> None:
        """Add a round that was ended."""
        self.rounds += 1
        self.blocks += level["new"]
        self.most = level["most"]
        self.lengths = level["lengths"]
        self.done = level["done"]

    def signatures(self) -> Iterator[list[tuple[bytes, bytes, bytes]]]:
        """Yield the signatures of all blocks in pieces, from all workers; there is no round after
        that."""
        self._step("hear")
        self._trim()
        pieces = self._pieces(self.blocks)
        for piece in range(pieces):
            self._signatures(True, piece, pieces)
            yield self.workers.call_all("signatures")

    def _trim(self) -> None:
        """Find out which internal steps without end stay in their blocks."""
        if self.divergence:
            while sum(self._step("trim")):
                pass

    def _pieces(self, blocks: int) -> int:
        together = max(BLOCKS * self.partitions, self.states // _SHARE)
        return max(1, -(-blocks // together))

    def _signatures(self, every: bool, piece: int, pieces: int) -> int:
        """Have signatures where they belong; return how many states have one that is too large."""
        self._step("sign", every, self.most, piece, pieces)
        if self.follows and self.partitions > 1:
            while sum(self._step("spread")):
                pass
        large: int = sum(self._step("offer"))
        self._step("merge")
        return large

    def _step(self, method: str, *arguments: Any) -> list[Any]:
        return self.workers.step(method, [arguments] * self.partitions)

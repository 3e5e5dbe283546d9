"""The refinement of a minimisation: the supersteps of its rounds, until the blocks are stable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lts.cluster.transport import Transport

__all__ = ["BLOCKS", "FIRST_PAIRS", "Refinement"]

FIRST_PAIRS = 64
"""Initial limit on the pairs of a signature. While blocks are few and large, states before long
sequences of internal steps have large signatures. Signatures above the limit are treated as equal;
the limit is raised once nothing else changes."""

_MORE = 8
"""Factor by which the limit is raised."""

BLOCKS = 1 << 15
"""Approximate number of blocks of each partition that are examined at a time; if there are more, a
round has several chunks."""

_SHARE = 48
"""A fraction 1/48 of the states also counts as few blocks, since each chunk is a sweep over all
states."""


@dataclass(slots=True)
class Refinement:
    """The state of a minimisation after the rounds so far."""

    workers: Transport
    partitions: int
    states: int
    """Number of states of the system."""
    follows: bool
    """Whether internal steps are abstracted from."""
    divergence: bool
    logged: bool
    """Whether workers have logs; without logs, restarted workers have all states in one block."""
    done: bool = False
    rounds: int = 0
    blocks: int = 1
    lengths: list[int] = field(default_factory=list)
    """Lengths of the workers' logs in bytes."""
    every: bool = True
    """Whether the next round examines all blocks, and not only those where something changed."""
    most: int = field(default_factory=lambda: FIRST_PAIRS)

    def begin(self) -> None:
        """Start workers, have them read the system, and restore the state after the last round."""
        if not self.logged:
            self.blocks, self.done = 1, False
        self.workers.begin(self.lengths or [0] * self.partitions, 0)
        while any(self._step("load")):
            pass
        for step in ("subscribe", "link", "count", "counted", "receive_blocks"):
            self._step(step)
        # The new workers do not know what changed in the last round.
        self.every = True

    def explore(self) -> dict[str, Any]:
        """Perform a round; return what it added, as JSON data."""
        self._trim()
        every, blocks = self.every, self.blocks
        if not every:
            self._step("touch")
            chosen = sum(self._step("choose"))
            # If nothing changed, all blocks are examined once more: that proves the blocks stable.
            every = chosen == 0
            blocks = blocks if every else chosen
        new = large = 0
        lengths: list[int] = []
        chunks = self._chunk_count(blocks)
        for chunk in range(chunks):
            if chunk > 0:
                self._step("receive_blocks")
            large += self._signatures(every, chunk, chunks)
            new += sum(self._step("split"))
            self._step("answer")
            lengths = self._step("apply", chunk + 1 == chunks)
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
        """Add a finished round."""
        self.rounds += 1
        self.blocks += level["new"]
        self.most = level["most"]
        self.lengths = level["lengths"]
        self.done = level["done"]

    def signatures(self) -> Iterator[list[tuple[bytes, bytes, bytes]]]:
        """Yield the signatures of all blocks in chunks, from all workers; no round may follow."""
        self._step("receive_blocks")
        self._trim()
        chunks = self._chunk_count(self.blocks)
        for chunk in range(chunks):
            self._signatures(True, chunk, chunks)
            yield self.workers.call_all("signatures")

    def _trim(self) -> None:
        """Determine the states with an infinite sequence of internal steps inside their block."""
        if self.divergence:
            while sum(self._step("trim")):
                pass

    def _chunk_count(self, blocks: int) -> int:
        together = max(BLOCKS * self.partitions, self.states // _SHARE)
        return max(1, -(-blocks // together))

    def _signatures(self, every: bool, chunk: int, chunks: int) -> int:
        """Compute signatures and send them to their owners; return the number of states whose
        signature is too large."""
        self._step("sign", every, self.most, chunk, chunks)
        if self.follows and self.partitions > 1:
            while sum(self._step("spread")):
                pass
        large: int = sum(self._step("offer"))
        self._step("merge")
        return large

    def _step(self, method: str, *arguments: Any) -> list[Any]:
        return self.workers.step(method, [arguments] * self.partitions)

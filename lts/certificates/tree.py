"""Distinguishing trees: splits by moves that equivalent states have in common, until all
inequivalent states are separated."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from lts.equivalence.names import equivalence_named
from lts.errors import Unsupported
from lts.system.lts import LTS

__all__ = ["RELATIONS", "Split", "tree"]

RELATIONS = (
    "strong",
    "branching",
    "divergence-preserving-branching",
    "weak",
    "divergence-preserving-weak",
)
"""The equivalences that have certificates."""

Split = dict[str, Any]
"""A split of `block` by a move with a `label` (None: internal) `into` a block, or by divergence."""

Move = tuple[str | None, int, bool]
"""A label, a target block, and whether the move is a divergence."""


def tree(
    system: LTS, equivalence: str, together: Callable[[list[int]], bool] = lambda block_of: True
) -> list[Split]:
    """Return splits that separate all inequivalent states.

    Block 0 has all states; split i divides a block into block 2i+1, the states that have the move,
    and block 2i+2. Splitting continues while `together`, given the block of each state, is true.
    """
    if equivalence not in RELATIONS:
        known = ", ".join(RELATIONS)
        raise Unsupported(f"there are no certificates modulo {equivalence}; known: {known}")
    graph = _Graph(system, equivalence)
    blocks: list[set[int]] = [set(range(system.state_count))]
    block_of = [0] * system.state_count
    splits: list[Split] = []
    changed = {0}
    while changed and together(block_of):
        # Targets are the blocks at the beginning of the round.
        before, parted = block_of.copy(), set(changed)
        changed = set()
        for block in sorted(graph.concerned(parted, blocks, before)):
            if len(blocks[block]) == 1:
                continue
            having = graph.having(blocks[block], before)
            for move in sorted(having, key=_place):
                parts: dict[int, set[int]] = defaultdict(set)
                for state in having[move]:
                    parts[block_of[state]].add(state)
                for number in sorted(parts):
                    own, (label, into, divergent) = blocks[number], move
                    yes = graph.movers(parts[number], own, divergent)
                    if not yes or len(yes) == len(own):
                        continue
                    split: Split = {"block": number, "into": into}
                    split |= {"divergent": True} if divergent else {"label": label}
                    splits.append(split)
                    for part in (yes, own - yes):
                        for state in part:
                            block_of[state] = len(blocks)
                        changed.add(len(blocks))
                        blocks.append(part)
                    changed.discard(number)
    return splits


def _place(move: Move) -> tuple[bool, bool, str, int]:
    label, into, divergent = move
    return divergent, label is None, label or "", into


class _Graph:
    """The moves of a system modulo an equivalence."""

    def __init__(self, system: LTS, equivalence: str) -> None:
        internal = set(system.internal)
        kind = equivalence_named(equivalence)
        self.is_strong = kind.counts_internal
        self.is_weak = equivalence.endswith("weak")
        self.count = system.state_count
        self.after: list[set[tuple[str | None, int]]] = [set() for _ in range(self.count)]
        self.before: list[set[int]] = [set() for _ in range(self.count)]
        self.silent_before: list[set[int]] = [set() for _ in range(self.count)]
        for s, a, t in system.transitions():
            label = None if a in internal else a
            self.after[s].add((label, t))
            self.before[t].add(s)
            if label is None:
                self.silent_before[t].add(s)
        self.silent = [{t for a, t in moves if a is None} for moves in self.after]
        self.reach = [self._closure({s}) for s in range(self.count)] if self.is_weak else []
        self.cycles = self._cycles() if kind.preserves_divergence else set()

    def concerned(
        self, parted: set[int], blocks: Sequence[set[int]], block_of: Sequence[int]
    ) -> set[int]:
        """Return the blocks that the new blocks `parted` may split: themselves, and those with
        moves to them."""
        targets = {state for block in parted for state in blocks[block]}
        if self.is_weak:
            targets = self._back(targets)
        before = {s for t in targets for s in self.before[t]}
        if self.is_weak:
            before = self._back(before)
        return parted | {block_of[state] for state in before}

    def having(self, block: set[int], block_of: Sequence[int]) -> dict[Move, set[int]]:
        """Return the states of a block that have each move, as a map from moves; modulo a branching
        bisimulation, only those with the move itself, without preceding internal steps."""
        found: dict[Move, set[int]] = defaultdict(set)
        for state in block:
            for move in self._moves(state, block_of):
                found[move].add(state)
        return found

    def _moves(self, state: int, block_of: Sequence[int]) -> Iterator[Move]:
        if self.is_weak:
            for middle in self.reach[state]:
                yield None, block_of[middle], False
                if middle in self.cycles:
                    yield from ((None, block_of[end], True) for end in self.reach[middle])
                for a, t in self.after[middle]:
                    if a is not None:
                        yield from ((a, block_of[end], False) for end in self.reach[t])
            return
        own = block_of[state]
        if state in self.cycles:
            yield None, own, True
        for a, t in self.after[state]:
            if self.is_strong or a is not None or block_of[t] != own:
                yield a, block_of[t], False

    def movers(self, having: set[int], block: set[int], divergent: bool) -> set[int]:
        """Return the states of a block that have a move, given those that have it by `having`."""
        if self.is_weak or self.is_strong:
            return having
        if divergent:
            # Cycles of internal steps lie within one block of equivalent states.
            return self._back(self._inside(block), block)
        return self._back(having, block)

    def _inside(self, block: set[int]) -> set[int]:
        return {s for s in block & self.cycles if self._returns(s, block)}

    def _returns(self, state: int, block: set[int]) -> bool:
        first = self.silent[state] & block
        return state in self._closure(first, block.__contains__)

    def _cycles(self) -> set[int]:
        return {s for s in range(self.count) if s in self._closure(self.silent[s])}

    def _closure(
        self, states: Iterable[int], allowed: Callable[[int], bool] = lambda state: True
    ) -> set[int]:
        """Return the states reached from `states` by internal steps through allowed states."""
        return _closed(states, lambda s: filter(allowed, self.silent[s]))

    def _back(self, states: Iterable[int], inside: set[int] | None = None) -> set[int]:
        """Return the states of a block from which internal steps within it lead to `states`."""
        before = self.silent_before
        if inside is None:
            return _closed(states, lambda t: before[t])
        return _closed(states, lambda t: before[t] & inside)


def _closed(states: Iterable[int], following: Callable[[int], Iterable[int]]) -> set[int]:
    found = set(states)
    waiting = deque(found)
    while waiting:
        for state in following(waiting.popleft()):
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found

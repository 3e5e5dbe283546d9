"""Distinguishing trees: splits by moves that equivalent states agree about, until all that are not
equivalent are apart."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lts.errors import Unsupported
from lts.system import LTS

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
"""`block` is parted by a move with a `label` (None: internal) `into` a block, or by divergence."""

Move = tuple[str | None, int, bool]
"""A label, a target block, and whether it is divergence that is asked for."""


def tree(
    system: LTS, relation: str, together: Callable[[list[int]], bool] = lambda homes: True
) -> list[Split]:
    """Return splits that tell all states apart that are not equivalent.

    Block 0 has all states; split i parts a block into 2i+1, the states that have the move, and
    2i+2. It goes on as long as `together` says so of the block of each state.
    """
    if relation not in RELATIONS:
        known = ", ".join(RELATIONS)
        raise Unsupported(f"there are no certificates modulo {relation}; known: {known}")
    graph = _Graph(system, relation)
    blocks: list[set[int]] = [set(range(system.state_count))]
    homes = [0] * system.state_count
    splits: list[Split] = []
    changed = True
    while changed and together(homes):
        changed = False
        signatures = graph.signatures(homes)
        for block in sorted(set(homes)):
            waiting = [block]
            for move in _differing(signatures, blocks[block]):
                for number in list(waiting):
                    label, into, divergent = move
                    own = blocks[number]
                    yes = graph.movers(own, label, blocks[into], divergent)
                    if not yes or yes == own:
                        continue
                    split: Split = {"block": number, "into": into}
                    split |= {"divergent": True} if divergent else {"label": label}
                    splits.append(split)
                    for part in (yes, own - yes):
                        for state in part:
                            homes[state] = len(blocks)
                        waiting.append(len(blocks))
                        blocks.append(part)
                    waiting.remove(number)
                    changed = True
    return splits


def _differing(signatures: list[set[Move]], block: set[int]) -> list[Move]:
    """Return the moves that some states of a block have, and not all."""
    counts: dict[Move, int] = defaultdict(int)
    for state in block:
        for move in signatures[state]:
            counts[move] += 1
    found = (move for move, count in counts.items() if count < len(block))
    return sorted(found, key=lambda move: (move[2], move[0] is None, move[0] or "", move[1]))


class _Graph:
    """The moves of a system modulo a relation."""

    def __init__(self, system: LTS, relation: str) -> None:
        internal = set(system.internal)
        self.relation = relation
        self.divergence = relation.startswith("divergence-preserving")
        self.count = system.state_count
        self.after: list[set[tuple[str | None, int]]] = [set() for _ in range(self.count)]
        self.before: dict[str | None, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        for s, a, t in system.transitions():
            label = None if a in internal else a
            self.after[s].add((label, t))
            self.before[label][t].add(s)
        self.silent = [{t for a, t in moves if a is None} for moves in self.after]
        if not relation.endswith("strong"):
            self.reach = [self._closure({s}) for s in range(self.count)] if self.is_weak else []
            self.cycles = self._cycles() if self.divergence else set()

    @property
    def is_weak(self) -> bool:
        return self.relation.endswith("weak")

    def signatures(self, homes: list[int]) -> list[set[Move]]:
        """Return the moves of every state to the blocks of a partition."""
        if self.relation == "strong":
            return [{(a, homes[t], False) for a, t in moves} for moves in self.after]
        return [set(self._moves(s, homes)) for s in range(self.count)]

    def _moves(self, state: int, homes: list[int]) -> Iterator[Move]:
        if self.is_weak:
            for middle in self.reach[state]:
                yield None, homes[middle], False
                if middle in self.cycles:
                    yield from ((None, homes[end], True) for end in self.reach[middle])
                for a, t in self.after[middle]:
                    if a is not None:
                        yield from ((a, homes[end], False) for end in self.reach[t])
            return
        own = homes[state]
        for middle in self._closure({state}, lambda t: homes[t] == own):
            if middle in self.cycles:
                yield None, own, True
            for a, t in self.after[middle]:
                if a is not None or homes[t] != own:
                    yield a, homes[t], False

    def movers(
        self, block: set[int], label: str | None, target: set[int], divergent: bool
    ) -> set[int]:
        """Return the states of a block that have a move."""
        if self.is_weak:
            found = self._back(target)
            if divergent:
                found = self._back(found & self.cycles)
            elif label is not None:
                found = self._back({s for t in found for s in self.before[label][t]})
            return found & block
        if divergent:
            # Cycles of internal steps lie within one block of equivalent states.
            return self._back(self._inside(block), block)
        direct = {s for t in target for s in self.before[label][t]} & block
        if self.relation == "strong":
            return direct
        return set() if label is None and block & target else self._back(direct, block)

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
        """Return what internal steps to allowed states lead to."""
        return _closed(states, lambda s: filter(allowed, self.silent[s]))

    def _back(self, states: Iterable[int], inside: set[int] | None = None) -> set[int]:
        """Return from where internal steps lead to states, within a block."""
        before = self.before[None]
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

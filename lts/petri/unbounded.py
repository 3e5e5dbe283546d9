"""Places that may have any number of tokens, by a coverability tree (Karp, Miller, JCSS 1969).

A marking that covers an earlier one on its path and differs can be reached again and again with
more tokens: places with more tokens than before are unbounded, and get infinitely many. The tree is
searched depth first, and no marking twice. The work is bounded: what is found is certain, what is
not found may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import numpy.typing as npt

from lts.petri.grounding import GroundNet

__all__ = ["limit_remark", "unbounded_places"]

Tokens = npt.NDArray[np.float64]
"""The tokens of each place, which may be infinitely many."""

MARKINGS = 20_000
"""Most markings of the tree."""

WORK = 300_000_000
"""Most comparisons of numbers of tokens, about a second."""

DEPTH = 5_000
"""The longest path."""


def limit_remark(net: GroundNet) -> str:
    """Return a remark for the message that a limit stopped an exploration: that a place is
    unbounded; empty if none is found."""
    found = next(_unbounded(net, MARKINGS), None)
    return "" if found is None else f"; `{found}` is unbounded, and so is the number of markings"


def unbounded_places(net: GroundNet, markings: int = MARKINGS) -> frozenset[str]:
    """Return the identifiers of places that are found to be unbounded.

    At most `markings` markings are visited. In nets with inhibitor or reset arcs, where covering
    proves nothing, no place is found.
    """
    return frozenset(_unbounded(net, markings))


def _unbounded(net: GroundNet, markings: int) -> Iterator[str]:
    """Yield unbounded places as they are found."""
    if net.has_inhibitors_or_resets:
        return
    found = np.zeros(len(net.spots), dtype=bool)
    for tokens in _Tree(net).markings(markings):
        new = np.isinf(tokens) & ~found
        found |= new
        for number in np.flatnonzero(new).tolist():
            yield net.spots[number][0]


class _Tree:
    """A coverability tree."""

    def __init__(self, net: GroundNet) -> None:
        self.net = net
        self.random = Random(0)
        self.work = 0
        arcs = [(n, *arc) for n, firing in enumerate(net.firings) for arc in firing.takes]
        table = np.array(arcs, dtype=np.int64).reshape(-1, 3)
        self.firing, self.place, self.count = table.T

    def markings(self, most: int) -> Iterator[Tokens]:
        """Yield at most `most` markings of the tree."""
        initial = np.array(self.net.initial, dtype=np.float64)
        seen = {hash(initial.tobytes())}
        path = np.empty((16, len(initial)))
        path[0] = initial
        yield initial
        waiting = [self.enabled(initial)]
        while waiting and len(seen) < most and self.work < WORK:
            if not waiting[-1] or len(waiting) == DEPTH:
                waiting.pop()
                continue
            tokens = self.after(path[: len(waiting)], waiting[-1].pop())
            key = hash(tokens.tobytes())
            if key in seen:
                continue
            seen.add(key)
            yield tokens
            if len(waiting) == len(path):
                path = np.concatenate([path, np.empty_like(path)])
            path[len(waiting)] = tokens
            waiting.append(self.enabled(tokens))

    def enabled(self, tokens: Tokens) -> list[int]:
        """Return the transitions that may occur, in random order: otherwise the first ones might
        keep the search busy."""
        self.work += len(self.firing)
        is_enabled = np.ones(len(self.net.firings), dtype=bool)
        is_enabled[self.firing[tokens[self.place] < self.count]] = False
        found: list[int] = np.flatnonzero(is_enabled).tolist()
        self.random.shuffle(found)
        return found

    def after(self, path: Tokens, number: int) -> Tokens:
        """Return the marking after a transition from the last marking of a path, with infinitely
        many tokens where it covers an earlier one."""
        tokens: Tokens = path[-1].copy()
        firing = self.net.firings[number]
        for place, count in firing.takes:
            tokens[place] -= count
        for place, count in firing.puts:
            tokens[place] += count
        self.work += path.size
        covered = path[(path <= tokens).all(axis=1)]
        tokens[(covered < tokens).any(axis=0)] = np.inf
        return tokens

"""Cycles of internal steps, with shortest paths to them."""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import islice
from typing import TYPE_CHECKING

import lts._engine as _engine
from lts.system.lts import LTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["internal_cycles"]

_AT_ONCE = 100
"""Most states of cycles that are searched for at a time."""


def internal_cycles(
    system: LTS, most: int | None = None
) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Return shortest paths to cycles of internal steps, and the cycles: transitions by position.

    There is one for each strongly connected component of internal steps, the nearest first, up to
    `most`. The cycle is a shortest one through the nearest state of its component.

    >>> system = LTS.from_transitions([(0, "a", 1), (1, "tau", 2), (2, "tau", 1), (1, "b", 0)])
    >>> [(list(path), list(cycle)) for path, cycle in internal_cycles(system)]
    [([0], [1, 2])]
    """
    return [*islice(_cycles(system), most)]


def _cycles(system: LTS) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    import numpy as np
    from bitarray import bitarray

    on_cycle = bitarray(endian="little")
    on_cycle.frombytes(_engine.divergence_states(system._engine)[0])
    del on_cycle[system.state_count :]
    if not on_cycle.any():
        return
    _, column = _engine.tau_cycles(system._engine, False)
    component = np.frombuffer(memoryview(column), dtype=np.uint32)
    internal = [n for n, label in enumerate(system.labels) if label in {*system.internal}]
    source, target = system.source, system.target
    inside = np.isin(system.label, internal) & (component[source] == component[target])
    edges = np.flatnonzero(inside)
    components = component[source[edges]]
    while on_cycle.any():
        done: set[int] = set()
        for state, path in system.nearest(on_cycle, _AT_ONCE):
            own = int(component[state])
            if own not in done:
                done.add(own)
                near = edges[components == own].tolist()
                yield path, _round(state, [(source[row], row, target[row]) for row in near])
        if not done:
            return  # The other cycles are not reachable.
        others = bitarray(endian="little")
        others.pack(np.isin(component, [*done], invert=True).tobytes())
        on_cycle &= others


def _round(state: int, steps: Iterable[tuple[int, int, int]]) -> list[int]:
    """Return the transitions of a shortest cycle from a state, one of a component."""
    following = defaultdict[int, list[tuple[int, int]]](list)
    for source, row, target in steps:
        following[source].append((row, target))
    by: dict[int, tuple[int, int]] = {}
    waiting = deque([state])
    while state not in by:
        at = waiting.popleft()
        for row, target in following[at]:
            if target not in by:
                by[target] = row, at
                waiting.append(target)
    found: list[int] = []
    at = state
    while not found or at != state:
        row, at = by[at]
        found.append(row)
    return found[::-1]

"""Layered layout of small graphs, after Sugiyama, Tagawa and Toda (1981).

Nodes are arranged in columns by their distance from the first one; between two columns of nodes
there is a column for the texts of edges. An edge that crosses a column has a place of its own in
it, so that texts do not overlap. Within columns, places are ordered by the means of their
neighbours, then moved towards these means as far as their sizes permit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["Edge", "Layout", "Place", "layered"]

_SWEEPS = 24
_GAP = 14.0
_COLUMN_GAP = 34.0


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge whose text has the size `width` by `height`; a `level` edge has both ends in one
    column."""

    source: int
    target: int
    width: float
    height: float
    level: bool = False


@dataclass(eq=False, slots=True)
class Place:
    """A node, or the point at which an edge crosses a column: its column, size and centre."""

    column: int
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    left: list[Place] = field(default_factory=list)
    right: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of nodes, the places that each edge crosses in order, and the total size.

    `texts` has the place of each edge's text; None for a loop, whose text is above its node.
    """

    nodes: list[Place]
    routes: list[list[Place]]
    texts: list[Place | None]
    width: float
    height: float


def layered(
    sizes: Sequence[tuple[float, float]],
    edges: Sequence[Edge],
    first: int = 0,
    *,
    columns: Sequence[int] | None = None,
) -> Layout:
    """Lay out nodes of the given widths and heights, all reachable from `first`.

    With `columns`, nodes are put into these columns, numbered from 0, and not by their distance
    from `first`.
    """
    distances = _distances(len(sizes), edges, first) if columns is None else columns
    nodes = [Place(2 * column, *size) for column, size in zip(distances, sizes, strict=True)]
    filled: list[list[Place]] = [[] for _ in range(2 * max(distances) + 2)]
    for node in sorted(range(len(nodes)), key=distances.__getitem__):
        filled[nodes[node].column].append(nodes[node])
    routes, texts = [], []
    for edge in edges:
        route = _route(nodes[edge.source], nodes[edge.target], edge)
        for place in route:
            filled[place.column].append(place)
        routes.append(route)
        texts.append(_text(route))
    filled = [column for column in filled if column]
    _order(filled)
    width = _spread(filled)
    height = _put_in_order(filled)
    return Layout(nodes, routes, texts, width, height)


def _distances(count: int, edges: Sequence[Edge], first: int) -> list[int]:
    """Return distances from `first`; level edges have length 0 in both directions."""
    following: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for edge in edges:
        following[edge.source].append((edge.target, 0 if edge.level else 1))
        if edge.level:
            following[edge.target].append((edge.source, 0))
    found: dict[int, int] = {}
    waiting = deque([(first, 0)])
    while waiting:
        node, distance = waiting.popleft()
        if node in found:
            continue
        found[node] = distance
        for target, length in following[node]:
            if length:
                waiting.append((target, distance + 1))
            else:
                waiting.appendleft((target, distance))
    return [found[node] for node in range(count)]


def _route(source: Place, target: Place, edge: Edge) -> list[Place]:
    """Return the places that an edge crosses, linked with their neighbours."""
    if source is target:
        return []
    if source.column == target.column:
        place = Place(source.column + 1, edge.width, edge.height)
        place.left += [source, target]
        source.right.append(place)
        target.right.append(place)
        return [place]
    step = 1 if source.column < target.column else -1
    route = [Place(c, 0, 4) for c in range(source.column + step, target.column, step)]
    text = _text(route)
    assert text is not None
    text.width, text.height = edge.width, edge.height
    chain = [source, *route, target][::step]
    for one, other in pairwise(chain):
        one.right.append(other)
        other.left.append(one)
    return route


def _text(route: Sequence[Place]) -> Place | None:
    """Return the place of the text: the middle one of the places between columns of nodes."""
    between = route[::2]
    return between[len(between) // 2] if between else None


def _order(columns: list[list[Place]]) -> None:
    """Order each column so that few edges cross, by the best of several sweeps."""
    best, fewest = [list(column) for column in columns], _crossings(columns)
    for sweep in range(_SWEEPS):
        rightwards = sweep % 2 == 0
        for number in range(len(columns)) if rightwards else range(len(columns) - 1, -1, -1):
            column = columns[number]
            ranks = {
                place: rank
                for near in (number - 1, number + 1)
                if 0 <= near < len(columns)
                for rank, place in enumerate(columns[near])
            }
            means = {}
            for rank, place in enumerate(column):
                neighbours = place.left if rightwards else place.right
                near_ranks = [ranks[other] for other in neighbours]
                means[place] = sum(near_ranks) / len(near_ranks) if near_ranks else rank
            column.sort(key=means.__getitem__)
        crossings = _crossings(columns)
        if crossings < fewest:
            best, fewest = [list(column) for column in columns], crossings
    columns[:] = best


def _crossings(columns: list[list[Place]]) -> int:
    """Return the number of pairs of edges between neighbouring columns that cross."""
    total = 0
    for column, following in pairwise(columns):
        ranks = {place: rank for rank, place in enumerate(following)}
        previous: list[int] = []
        for place in column:
            targets = sorted(ranks[other] for other in place.right)
            total += sum(end > target for target in targets for end in previous)
            previous += targets
    return total


def _spread(columns: list[list[Place]]) -> float:
    """Set the x of each column; return the total width."""
    x = 0.0
    for column in columns:
        width = max(place.width for place in column)
        for place in column:
            place.x = x + width / 2
        x += width + _COLUMN_GAP
    return x - _COLUMN_GAP


def _put_in_order(columns: list[list[Place]]) -> float:
    """Set the y of each place near the mean of its neighbours; return the total height."""
    for column in columns:
        _place(column, [0.0] * len(column))
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            desired = []
            for place in column:
                near = place.left + place.right
                desired.append(sum(other.y for other in near) / len(near) if near else place.y)
            _place(column, desired)
    places = [place for column in columns for place in column]
    top = min(place.y - place.height / 2 for place in places)
    for place in places:
        place.y -= top
    return max(place.y + place.height / 2 for place in places)


def _place(column: Sequence[Place], desired: Sequence[float]) -> None:
    """Place a column as close to the desired positions as possible by least squares, in order and
    without overlap.

    After subtracting the sizes, this is isotonic regression: neighbours in the wrong order are
    pooled at their mean.
    """
    offsets, offset = [], 0.0
    for number, place in enumerate(column):
        if number:
            offset += (column[number - 1].height + place.height) / 2 + _GAP
        offsets.append(offset)
    pools: list[tuple[float, int]] = []
    for want, offset in zip(desired, offsets, strict=True):
        total, count = want - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            more, members = pools.pop()
            total, count = total + more, count + members
        pools.append((total, count))
    means = [total / count for total, count in pools for _ in range(count)]
    for place, mean, offset in zip(column, means, offsets, strict=True):
        place.y = mean + offset

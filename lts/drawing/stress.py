"""Nodes as far apart as their distance in the graph, by the descent of Zheng, Pawar and Goodman
(2019): pairs in random order move towards their distance, by less and less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, cos, hypot, pi, sin, sqrt

from lts.drawing.graph import Graph, Node, Size, fitting, readable
from lts.drawing.radial import first_node, neighbours, usual_length

__all__ = ["stressed"]

_ITERATIONS = 30
_MANY = 1200
_TURNS = 36
"""Angles that are tried to make a picture fill the window."""
_SEPARATIONS = 30


def stressed(graph: Graph, size: Size) -> None:
    """Place nodes by the distances of all pairs, ignoring directions."""
    nodes = graph.nodes
    # Distances are those of the page, which numbers nodes from the first one on.
    xs, ys = _descended(*_distances(neighbours(graph), first_node(graph)))
    shortest = _length_apart(nodes, xs, ys)

    def place(room: float) -> None:
        _turn(nodes, xs, ys, max(shortest, usual_length(graph, room)), size)
        _separate(nodes)

    readable(graph, size, place)


def _distances(near: Sequence[Sequence[int]], first: int) -> tuple[list[list[int]], list[int]]:
    """Return the distances of all pairs, line by line in the order of a search from `first`, and
    that order."""
    order = [*_search(near, first)]
    return [[distance[b] for b in order] for distance in (_search(near, a) for a in order)], order


def _search(near: Sequence[Sequence[int]], first: int) -> dict[int, int]:
    """Return the distances from a node."""
    distance = {first: 0}
    waiting = [first]
    for number in waiting:
        for other in near[number]:
            if other not in distance:
                distance[other] = distance[number] + 1
                waiting.append(other)
    return distance


def _descended(
    distance: Sequence[Sequence[int]], order: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Return coordinates, with adjacent nodes about 1 apart; the same for the same distances."""
    count = len(order)
    random = _random_numbers(1)
    xs = [next(random) for _ in order]
    ys = [next(random) for _ in order]
    furthest = max(1, *map(max, distance))
    pairs = [(a, b, distance[a][b]) for a in range(count) for b in range(a + 1, count)]
    iterations = ceil(_ITERATIONS / (3 if count > _MANY else 2 if count > _MANY / 3 else 1))
    first, last = float(furthest**2), 0.1
    for number in range(iterations):
        rate = first * (last / first) ** (number / (iterations - 1))
        for at in range(0 if number and count > _MANY else len(pairs) - 1, 0, -1):
            chosen = int(next(random) * (at + 1))
            pairs[chosen], pairs[at] = pairs[at], pairs[chosen]
        for one, other, goal in pairs:
            dx, dy = xs[one] - xs[other], ys[one] - ys[other]
            length = sqrt(dx * dx + dy * dy) or 1e-6
            move = min(1, rate / (goal * goal)) * (length - goal) / (2 * length)
            xs[one] -= move * dx
            ys[one] -= move * dy
            xs[other] += move * dx
            ys[other] += move * dy
    at_number = {number: at for at, number in enumerate(order)}
    numbers = range(count)
    return [xs[at_number[n]] for n in numbers], [ys[at_number[n]] for n in numbers]


def _random_numbers(state: int) -> Iterator[float]:
    """Yield numbers from 0 to 1 (xorshift; Marsaglia, 2003), those of the page."""
    while True:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        yield state / 4294967296


def _length_apart(nodes: Sequence[Node], xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the length of an arrow with which nine of ten nodes do not touch another."""
    if len(nodes) == 1:
        return 1
    points = [*zip(xs, ys, strict=True)]
    nearest = sorted(
        min(hypot(x - a, y - b) for at, (a, b) in enumerate(points) if at != number)
        for number, (x, y) in enumerate(points)
    )
    room = 2 * max(max(node.w, node.h) for node in nodes) + 12
    return min(3 * room, room / max(0.01, nearest[len(nodes) // 10]))


def _separate(nodes: Sequence[Node]) -> None:
    """Move nodes that still overlap apart."""
    for _ in range(_SEPARATIONS):
        order = sorted(nodes, key=lambda node: node.x)
        moved = False
        for at, one in enumerate(order):
            for other in order[at + 1 :]:
                if other.x - one.x > one.w + other.w + 8:
                    break
                moved = _apart(one, other) or moved
        if not moved:
            return


def _apart(one: Node, other: Node) -> bool:
    """Move two nodes apart along the axis on which they overlap less; return whether they did."""
    dx, dy = other.x - one.x or 0.1, other.y - one.y or 0.1
    near_x, near_y = one.w + other.w + 6 - abs(dx), one.h + other.h + 6 - abs(dy)
    if near_x <= 0.5 or near_y <= 0.5:
        return False
    if near_x < near_y:
        move = near_x / 2 if dx > 0 else -near_x / 2
        one.x, other.x = one.x - move, other.x + move
    else:
        move = near_y / 2 if dy > 0 else -near_y / 2
        one.y, other.y = one.y - move, other.y + move
    return True


def _turn(
    nodes: Sequence[Node], xs: Sequence[float], ys: Sequence[float], length: float, size: Size
) -> None:
    """Turn and scale a picture such that it fills the window; the first node is on its left."""
    first = min(nodes, key=lambda node: node.layer)
    best, turn_of_best = -1.0, 0

    def turn(number: int) -> None:
        sine, cosine = sin(2 * pi * number / _TURNS), cos(2 * pi * number / _TURNS)
        for node, x, y in zip(nodes, xs, ys, strict=True):
            node.x, node.y = length * (x * cosine - y * sine), length * (x * sine + y * cosine)

    for number in range(_TURNS):
        turn(number)
        middle = sum(node.x for node in nodes) / len(nodes)
        scale = fitting(nodes, size) * (1.02 if first.x <= middle else 1)
        if scale > best * 1.005:
            best, turn_of_best = scale, number
    turn(turn_of_best)

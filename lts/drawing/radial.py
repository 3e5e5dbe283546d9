"""Nodes around a centre: a cone seen from above, whose rings are distances, and a single circle."""

from __future__ import annotations

from math import cos, pi, sin

from lts.drawing.graph import Graph, Size, readable

__all__ = ["circled", "coned", "first_node", "neighbours", "usual_length"]


def neighbours(graph: Graph) -> list[list[int]]:
    """Return the neighbours of every node, in both directions, each once."""
    near: list[dict[int, None]] = [{} for _ in graph.nodes]
    for arrow in graph.arrows:
        if not arrow.is_loop:
            near[arrow.source.number][arrow.target.number] = None
            near[arrow.target.number][arrow.source.number] = None
    return [[*each] for each in near]


def usual_length(graph: Graph, room: float) -> float:
    """Return the distance of adjacent nodes, with `room` for most texts of arrows."""
    largest = max(max(node.w, node.h) for node in graph.nodes)
    widths = sorted(arrow.width for arrow in graph.arrows if not arrow.is_loop)
    text = min(120, widths[int(len(widths) * 0.8)]) if widths else 0
    return 2 * largest + 14 + room * (14 + text)


def coned(graph: Graph, size: Size) -> None:
    """Place nodes on rings by their distance from the first one, each among its children."""
    near, nodes = neighbours(graph), graph.nodes
    first = first_node(graph)
    ring, order = {first: 0}, [first]
    children: list[list[int]] = [[] for _ in nodes]
    for number in order:
        for other in near[number]:
            if other not in ring:
                ring[other] = ring[number] + 1
                children[number].append(other)
                order.append(other)
    # The share of the circle that a subtree gets grows with its leaves.
    leaves = [1] * len(nodes)
    for number in reversed(order):
        leaves[number] = max(1, sum(leaves[child] for child in children[number]))
    arcs = [2 * pi * each / leaves[first] for each in leaves]
    start = [-pi / 2] * len(nodes)
    needed = [0.0] * (max(ring.values()) + 1)
    for number in order:
        at = start[number]
        for child in children[number]:
            start[child] = at
            at += arcs[child]
        node = nodes[number]
        if depth := ring[number]:
            length = (2 * max(node.w, node.up) + 10) / (2 * sin(min(pi, arcs[number]) / 2))
            needed[depth] = max(needed[depth], length)

    def place(room: float) -> None:
        gap, radii = usual_length(graph, room), [0.0]
        for least in needed[1:]:
            radii.append(max(least, radii[-1] + gap))
        for number in order:
            angle, radius = start[number] + arcs[number] / 2, radii[ring[number]]
            nodes[number].x, nodes[number].y = radius * cos(angle), radius * sin(angle)

    readable(graph, size, place)


def circled(graph: Graph, size: Size) -> None:
    """Place nodes on one circle, such that many of them are next to a neighbour."""
    near = neighbours(graph)
    line: dict[int, None] = {}
    waiting = [first_node(graph)]

    def left(number: int) -> int:
        return sum(other not in line for other in near[number])

    while waiting:
        number = waiting.pop()
        if number not in line:
            line[number] = None
            # The last one is visited next: the neighbour with the fewest neighbours left.
            rest = [other for other in near[number] if other not in line]
            waiting += sorted(rest, key=lambda other: -left(other))

    def place(room: float) -> None:
        count = len(line)
        length = usual_length(graph, room)
        radius = 0 if count == 1 else max(60.0, count * length / (2 * pi))
        for at, number in enumerate(line):
            angle = pi + 2 * pi * at / count
            node = graph.nodes[number]
            node.x, node.y = radius * cos(angle), radius * sin(angle)

    readable(graph, size, place)


def first_node(graph: Graph) -> int:
    """Return the number of the node of the initial state, or of the first layer."""
    return min(graph.nodes, key=lambda node: node.layer).number

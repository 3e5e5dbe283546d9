"""Nodes in columns by their distance from the initial state, after Sugiyama, Tagawa and Toda
(1981), and such columns folded like a band, alternately to the right and to the left."""

from __future__ import annotations

from collections.abc import Sequence

from lts.drawing.graph import Arrow, Graph, Node, Size, fitting, readable

__all__ = ["banded", "layered"]

_SWEEPS = 12
_LINE_GAP = 34.0
"""Space between the lines of a band."""
_MOST_LINES = 60


def layered(graph: Graph, _: Size) -> None:
    """Place nodes in columns by their layers."""
    columns = _filled(graph)
    _order(columns, graph.arrows)
    _spread(columns, graph.arrows, 1)
    for node in graph.nodes:
        node.line = 0
    _stretch(graph.nodes)
    highest = min(node.y - node.up for node in graph.nodes)
    for node in graph.nodes:
        node.y -= highest


def banded(graph: Graph, size: Size) -> None:
    """Place nodes in columns that are folded into as many lines as fill the window best."""

    def place(room: float) -> None:
        columns = _filled(graph)
        _order(columns, graph.arrows)
        _spread(columns, graph.arrows, room)
        _fold(graph, columns, size)

    readable(graph, size, place)


def _filled(graph: Graph) -> list[list[Node]]:
    """Return the nodes by their layers, without empty ones."""
    columns: dict[int, list[Node]] = {}
    for node in graph.nodes:
        columns.setdefault(node.layer, []).append(node)
    filled = [columns[layer] for layer in sorted(columns)]
    for number, column in enumerate(filled):
        for node in column:
            node.column = number
    return filled


def _order(columns: list[list[Node]], arrows: Sequence[Arrow]) -> None:
    """Order columns by the means of their neighbours, and move nodes towards these means."""
    for column in columns:
        for node in column:
            node.near, node.goal = ([], []), 0.0
        _settle(column)
    for arrow in arrows:
        source, target = arrow.source, arrow.target
        if abs(source.column - target.column) == 1:
            source.near[source.column < target.column].append(target)
            target.near[target.column < source.column].append(source)
    for sweep in range(_SWEEPS):
        rightwards, last = sweep % 2 == 0, sweep >= _SWEEPS - 2
        for column in columns if rightwards else reversed(columns):
            for node in column:
                near = [*node.near[0], *node.near[1]] if last else node.near[not rightwards]
                node.goal = sum(other.y for other in near) / len(near) if near else node.y
            if not last:
                column.sort(key=_goal)
            _settle(column)


def _goal(node: Node) -> float:
    return node.goal


def _settle(column: Sequence[Node]) -> None:
    """Place the nodes of a column in their order, as close to their goals as there is room for.

    This is isotonic regression: neighbours in the wrong order are placed at their mean.
    """
    blocks: list[tuple[list[Node], float]] = []
    offset = 0.0
    for number, node in enumerate(column):
        offset += column[number - 1].h + node.up + 16 if number else 0
        node.offset = offset
        nodes, total = [node], node.goal - offset
        while blocks and blocks[-1][1] / len(blocks[-1][0]) > total / len(nodes):
            before, more = blocks.pop()
            nodes, total = before + nodes, more + total
        blocks.append((nodes, total))
    for nodes, total in blocks:
        for node in nodes:
            node.y = total / len(nodes) + node.offset


def _spread(columns: list[list[Node]], arrows: Sequence[Arrow], room: float) -> None:
    """Place columns from left to right, with `room` for the texts of arrows between them."""
    rooms = [40.0] * len(columns)
    for arrow in arrows:
        left, right = sorted((arrow.source.column, arrow.target.column))
        if right - left == 1:
            rooms[left] = max(rooms[left], min(arrow.width, 200))
    # Arrows between tall columns get steep; but many columns would get too broad.
    most = min(900, 2 * max(map(_extent, columns)) / len(columns))
    x = 0.0
    for number, column in enumerate(columns):
        half = max(node.w for node in column)
        x += half
        for node in column:
            node.x = x
        tallest = max(_extent(column), *map(_extent, columns[number + 1 : number + 2]), 0)
        x += half + max(14 + room * (rooms[number] + 30), min(most, tallest / 7))


def _stretch(nodes: Sequence[Node]) -> None:
    """Stretch a broad picture vertically: there is room for it, and texts overlap less."""
    width = max(node.x for node in nodes) - min(node.x for node in nodes) + 1
    height = max(node.y for node in nodes) - min(node.y for node in nodes) + 1
    factor = max(1, min(2.2, width / height / 1.7))
    for node in nodes:
        node.y *= factor


def _extent(column: Sequence[Node]) -> float:
    return column[-1].y - column[0].y


def _fold(graph: Graph, columns: list[list[Node]], size: Size) -> None:
    """Fold columns that are placed from left to right into the number of lines that fits best."""
    boxes = [(min(n.x - n.w for n in column), max(n.x + n.w for n in column)) for column in columns]
    total = boxes[-1][1]  # the first begins at 0
    before = graph.coordinates()
    best, width = 0.0, total
    for count in range(1, min(len(columns), _MOST_LINES) + 1):
        graph.restore(before)
        _fold_into(columns, boxes, total / count)
        scale = fitting(graph.nodes, size)
        # Few lines are easier to follow than many that are hardly larger.
        if scale > best * 1.03:
            best, width = scale, total / count
    graph.restore(before)
    _fold_into(columns, boxes, width)


def _fold_into(
    columns: list[list[Node]], boxes: Sequence[tuple[float, float]], width: float
) -> None:
    """Fold columns into lines of about a width; every other line runs to the left."""
    lines: list[list[int]] = []
    for number, (left, right) in enumerate(boxes):
        # A column belongs to the line that has most of it.
        if not lines or (right + left) / 2 - boxes[lines[-1][0]][0] > width:
            lines.append([])
        lines[-1].append(number)
    widest = max(boxes[line[-1]][1] - boxes[line[0]][0] for line in lines)
    top = 0.0
    for number, line in enumerate(lines):
        start, end = boxes[line[0]][0], boxes[line[-1]][1]
        # All lines but the last are as broad as the broadest, so that the next starts below its
        # end.
        factor = widest / (end - start) if number < len(lines) - 1 and len(line) > 1 else 1
        inside = [node for column in line for node in columns[column]]
        highest = min(node.y - node.up for node in inside)
        for node in inside:
            x = (node.x - start) * factor
            node.x = widest - x if number % 2 else x
            node.y += top - highest
            node.line = number
        top = max(node.y + node.h for node in inside) + _LINE_GAP

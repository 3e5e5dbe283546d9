"""The texts of arrows: each is on its curve, and none overlaps a node, an arrowhead or a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from lts.drawing.curve import Curve, Point, bows, curves, point_at
from lts.drawing.graph import ENTRANCE, LINE, Arrow, Box, Graph, Node

__all__ = ["Labelled", "arrowhead", "labelled"]

_TIMES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)
"""Where on a curve its text may be, in this order."""
_FACTORS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.4, 3.0)
"""How much a picture is scaled to the least size with room for all texts."""
_USUAL = _FACTORS.index(1.0)
_SEEN = 22.0
"""Least length of an arrow, beside its text, in a picture that is made smaller."""
_HEAD = 8.0
_CELL = 64.0


@dataclass(frozen=True, slots=True)
class Labelled:
    """The curve of every arrow, the centre of its text, and the box around the whole picture."""

    curves: list[Curve]
    texts: list[Point]
    box: Box


def labelled(graph: Graph, *, flows: bool) -> Labelled:
    """Lead the arrows around nodes, and place their texts, in a picture that is as small as there
    is room for them."""
    bends = bows(graph, flows=flows)
    before = graph.coordinates()

    def scaled(number: int) -> tuple[list[Curve], list[Point]] | None:
        graph.stretch(before, _FACTORS[number])
        drawn = curves(graph, bends, flows=flows)
        if number < _USUAL and not all(map(_is_seen, graph.arrows, drawn)):
            return None
        texts = _texts(graph, drawn, number == len(_FACTORS) - 1)
        return None if texts is None else (drawn, texts)

    at = _USUAL
    best = scaled(at)
    if best is None:
        while best is None:
            at += 1
            best = scaled(at)
    else:
        while at and (smaller := scaled(at - 1)) is not None:
            at, best = at - 1, smaller
        graph.stretch(before, _FACTORS[at])
    return Labelled(*best, _around(graph, *best))


def _is_seen(arrow: Arrow, curve: Curve) -> bool:
    """Whether an arrow is longer than its text covers."""
    if arrow.is_loop:
        return True
    dx, dy = curve[3][0] - curve[0][0], curve[3][1] - curve[0][1]
    length = hypot(dx, dy) or 1.0
    return length >= (abs(dx) * arrow.width + abs(dy) * arrow.height) / length + _SEEN


def arrowhead(curve: Curve) -> tuple[Point, Point, Point]:
    """Return the tip and the two other corners of the head of an arrow."""
    (x, y), (bend_x, bend_y) = curve[3], curve[2]
    length = hypot(x - bend_x, y - bend_y) or 1.0
    dx, dy = _HEAD * (x - bend_x) / length, _HEAD * (y - bend_y) / length
    return (x, y), (x - dx - 0.4 * dy, y - dy + 0.4 * dx), (x - dx + 0.4 * dy, y - dy - 0.4 * dx)


class _Boxes:
    """Boxes that do not overlap, by the squares of a grid in which they are."""

    def __init__(self) -> None:
        self.squares: dict[tuple[int, int], list[Box]] = {}

    def add(self, box: Box) -> None:
        for square in _squares(box):
            self.squares.setdefault(square, []).append(box)

    def has_room(self, box: Box) -> bool:
        left, top, right, bottom = box
        return not any(
            other[0] < right and left < other[2] and other[1] < bottom and top < other[3]
            for square in _squares(box)
            for other in self.squares.get(square, ())
        )


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(each // _CELL) for each in box)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _texts(graph: Graph, drawn: list[Curve], last: bool) -> list[Point] | None:
    """Return the centres of all texts; None if nodes overlap, or if texts have no room on their
    curves, which in the `last` case are near them."""
    taken = _Boxes()
    for node in graph.nodes:
        if not last and not taken.has_room(_box_of(node)):
            return None
        taken.add(_box_of(node))
    for node in graph.nodes:
        if node.is_initial:
            taken.add(_entrance(node))
        if node.loops:
            taken.add((node.x - 17, node.y - node.h - 16, node.x + 17, node.y - node.h))
    for curve in drawn:
        taken.add(_hull([*arrowhead(curve)]))
    texts: list[Point] = [(0.0, 0.0)] * len(drawn)
    # Texts with fewer possible centres are first.
    for number in sorted(range(len(drawn)), key=lambda each: not graph.arrows[each].is_loop):
        arrow, curve = graph.arrows[number], drawn[number]
        for centre in _centres(arrow, curve):
            if taken.has_room(box := _text_box(arrow, centre)):
                break
        else:
            if not last:
                return None
            centre = _nearest(arrow, point_at(curve, 0.5), taken)
            box = _text_box(arrow, centre)
        taken.add(box)
        texts[number] = centre
    return texts


def _centres(arrow: Arrow, curve: Curve) -> Iterator[Point]:
    if arrow.is_loop:
        node = arrow.source
        yield node.x, node.y - node.h - 17 - arrow.raised - arrow.height / 2
    else:
        for time in _TIMES:
            yield point_at(curve, time)


def _nearest(arrow: Arrow, point: Point, taken: _Boxes) -> Point:
    """Return a centre near a point with room for the text of an arrow."""
    radius = 0.0
    while True:
        radius += LINE / 2
        for turn in range(16):
            angle = 2 * pi * turn / 16
            centre = point[0] + radius * cos(angle), point[1] + radius * sin(angle)
            if taken.has_room(_text_box(arrow, centre)):
                return centre


def _box_of(node: Node) -> Box:
    return node.x - node.w - 2, node.y - node.h - 2, node.x + node.w + 2, node.y + node.h + 2


def _entrance(node: Node) -> Box:
    """Return the box of the arrow that marks the initial state."""
    left = node.x - node.w
    return left - (ENTRANCE if node.is_initial else 0), node.y - 6, left, node.y + 6


def _text_box(arrow: Arrow, centre: Point) -> Box:
    x, y = centre
    w, h = arrow.width / 2 + 3, arrow.height / 2 + 0.5
    return x - w, y - h, x + w, y + h


def _hull(points: list[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _around(graph: Graph, drawn: list[Curve], texts: list[Point]) -> Box:
    """Return the box around all that is drawn."""
    boxes = [*map(_box_of, graph.nodes), *map(_entrance, graph.nodes)]
    boxes += map(_text_box, graph.arrows, texts)
    boxes += (_hull([point_at(curve, at / 16) for at in range(17)]) for curve in drawn)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)

"""The curves of arrows: cubic Bézier curves from the rim of one node to that of another, which run
around the nodes between them."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, hypot

from lts.drawing.graph import RADIUS, Arrow, Graph, Node

__all__ = ["Bends", "Curve", "Nearby", "Point", "bows", "curves", "point_at"]

Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]
"""Start, two control points, and end."""
Bends = list[float | None]
"""How far each arrow bends to one side, for its length; None as usual in the layout."""

_MOST_NODES, _MOST_ARROWS = 700, 2500
"""Most nodes and arrows of a picture whose arrows are led around nodes."""
_BOWS = (
    *(0.0, 0.08, -0.08, 0.16, -0.16, 0.3, -0.3, 0.45, -0.45),
    *(0.65, -0.65, 0.9, -0.9, 1.2, -1.2),
)
_SAMPLES = 24
_CORNERS = 1.3
_ASIDE = 240.0
_FEW_NODES = 150
"""Most nodes among which an arrow may be led further aside than `_ASIDE`."""


def bows(graph: Graph, *, flows: bool) -> Bends:
    """Return for each arrow the first bend with which it runs through the fewest nodes."""
    bends: Bends = [None] * len(graph.arrows)
    nodes = graph.nodes
    if len(nodes) > _MOST_NODES or len(graph.arrows) > _MOST_ARROWS:
        return bends
    nearby = Nearby(nodes)
    most = _ASIDE if len(nodes) > _FEW_NODES else float("inf")
    for number, arrow in enumerate(graph.arrows):
        if arrow.is_loop:
            continue
        least = _through(arrow, _bent(arrow, flows, None), nearby)
        length = hypot(arrow.target.x - arrow.source.x, arrow.target.y - arrow.source.y)
        for bow in _BOWS:
            if least == 0:
                break
            if abs(bow) * length <= most:
                hits = _through(arrow, _bent(arrow, False, bow), nearby)
                if hits < least:
                    least, bends[number] = hits, bow
    return bends


def curves(graph: Graph, bends: Bends, *, flows: bool) -> list[Curve]:
    """Return the curve of every arrow."""
    return [
        _loop(arrow) if arrow.is_loop else _bent(arrow, flows and bow is None, bow)
        for arrow, bow in zip(graph.arrows, bends, strict=True)
    ]


def _bent(arrow: Arrow, flows: bool, bow: float | None) -> Curve:
    """Return the curve of an arrow, bent by `bow`, or as usual in a layout that flows."""
    source, target, beside = arrow.source, arrow.target, arrow.beside
    dx, dy = target.x - source.x, target.y - source.y
    in_line = flows and source.line == target.line
    one: Point
    other: Point
    if bow is None and in_line and target.column > source.column:
        reach = copysign(max(30.0, abs(dx) * 0.42), dx)
        one = source.x + reach, source.y + 22 * beside
        other = target.x - reach, target.y + 22 * beside
    else:
        usual = 0.12 if arrow.is_mutual else 0.0
        if in_line:
            usual = max(0.18, 46 / (hypot(dx, dy) or 1))
        by = (usual if bow is None else bow) + (0.06 if in_line else 0.12) * beside
        # Between the rims: a point within a node would turn the arrowhead round.
        x0, y0 = _rim(source, (target.x, target.y), 0)
        x1, y1 = _rim(target, (source.x, source.y), 2)
        px, py = 0.3 * (x1 - x0), 0.3 * (y1 - y0)
        one = x0 + px - dy * by, y0 + py + dx * by
        other = x1 - px - dy * by, y1 - py + dx * by
    return _rim(source, one, 0), one, other, _rim(target, other, 2)


def _loop(arrow: Arrow) -> Curve:
    """Return the curve of a loop, which ends below its texts."""
    node = arrow.source
    side = min(node.w, RADIUS) * 0.6
    top = node.y - node.h * 0.8
    reach = 28 + arrow.raised * 4 / 3
    return (
        (node.x - side, top),
        (node.x - side - 12, top - reach),
        (node.x + side + 12, top - reach),
        (node.x + side, top),
    )


def _rim(node: Node, point: Point, gap: float) -> Point:
    """Return the point of a node's rim in the direction of another point."""
    dx, dy = point[0] - node.x, point[1] - node.y
    length = hypot(dx, dy) or 1.0
    reach = RADIUS
    if node.is_box:
        reach = min(node.w / max(abs(dx / length), 1e-9), node.h / max(abs(dy / length), 1e-9))
    part = (reach + gap) / length
    return node.x + dx * part, node.y + dy * part


def point_at(curve: Curve, time: float) -> Point:
    """Return the point of a curve at a parameter from 0 to 1."""
    left = 1 - time
    weights = (left**3, 3 * left**2 * time, 3 * left * time**2, time**3)
    return (
        sum(weight * x for weight, (x, _) in zip(weights, curve, strict=True)),
        sum(weight * y for weight, (_, y) in zip(weights, curve, strict=True)),
    )


def _through(arrow: Arrow, curve: Curve, nearby: Nearby) -> int:
    """Return the number of nodes, other than those of an arrow, that its curve runs through."""
    points = [point_at(curve, number / _SAMPLES) for number in range(_SAMPLES + 1)]
    return nearby.hits(points, (arrow.source, arrow.target))


class Nearby:
    """The centres and sizes of nodes, through which arrows may run."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        import numpy as np

        self.centres = np.array([(node.x, node.y) for node in nodes])
        # As of an ellipse, which for a box is one around most of it.
        sizes = [(node, _CORNERS if node.is_box else 1.0) for node in nodes]
        self.sizes = np.array([(by * node.w + 2, by * node.h + 2) for node, by in sizes])

    def hits(self, points: Sequence[Point], own: Sequence[Node]) -> int:
        """Return the number of nodes, other than `own`, that a sequence of segments runs
        through."""
        import numpy as np

        line = np.array(points)
        near = (self.centres + self.sizes > line.min(axis=0)).all(axis=1)
        near &= (self.centres - self.sizes < line.max(axis=0)).all(axis=1)
        near[[node.number for node in own]] = False
        if not near.any():
            return 0
        # In units of the half sizes of nodes.
        sizes = self.sizes[near][:, None]
        along = (line[1:] - line[:-1]) / sizes
        to_node = (self.centres[near][:, None] - line[:-1]) / sizes
        squares = np.maximum((along**2).sum(axis=2), 1e-12)
        time = np.clip((along * to_node).sum(axis=2) / squares, 0, 1)
        distances = np.hypot(*np.moveaxis(to_node - time[..., None] * along, 2, 0))
        return int((distances < 1).any(axis=1).sum())

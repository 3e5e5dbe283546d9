"""The layouts, how good each is for a picture, and the choice of the best one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, hypot, log, log1p
from typing import TYPE_CHECKING

from lts.base.argument_types import expect_text
from lts.drawing.curve import Nearby
from lts.drawing.graph import READABLE, Arrow, Graph, Size, fitting
from lts.drawing.layered import banded, layered
from lts.drawing.radial import circled, coned
from lts.drawing.stress import stressed
from lts.errors import LtsError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["AUTOMATIC", "FLOWING", "LAYOUTS", "arranged", "expect_layout"]

AUTOMATIC = "automatic"
"""The choice of the layout that is best for a picture."""
_COMPARED = 500
"""How many arrows are compared with each other."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """A layout, and the number of nodes up to which the automatic choice tries it. The page tries
    force up to 2,000 nodes, since a browser's compiled scripts are much faster."""

    place: Callable[[Graph, Size], None]
    tried: int


LAYOUTS = {
    "layers": _Layout(layered, 20_000),
    "band": _Layout(banded, 20_000),
    "cone": _Layout(coned, 3_000),
    "circle": _Layout(circled, 300),
    "force": _Layout(stressed, 120),
}
FLOWING = frozenset({"layers", "band"})
"""Layouts in which steps lead onwards."""


def expect_layout(name: str) -> None:
    """Raise `LtsError` for a name that no layout has."""
    expect_text(name, "the name of a layout")
    if name != AUTOMATIC and name not in LAYOUTS:
        raise LtsError(
            f"unknown layout `{name}`; the layouts are {', '.join([AUTOMATIC, *LAYOUTS])}"
        )


def arranged(graph: Graph, size: Size, name: str) -> str:
    """Place nodes by a layout, or by the best one for `automatic`; return its name."""
    if name != AUTOMATIC:
        LAYOUTS[name].place(graph, size)
        return name
    best, least = "", float("inf")
    coordinates = graph.coordinates()
    fitting_names = [name for name, layout in LAYOUTS.items() if len(graph.nodes) <= layout.tried]
    for tried in fitting_names or [*LAYOUTS][:1]:
        LAYOUTS[tried].place(graph, size)
        cost = _cost(graph, size)
        if cost < least or not best:
            best, least, coordinates = tried, cost, graph.coordinates()
    graph.restore(coordinates)
    return best


def _cost(graph: Graph, size: Size) -> float:
    """Return how hard a picture is to read: it is small, arrows cross each other or run through
    nodes, or some are much longer than others."""
    scale = fitting(graph.nodes, size)
    arrows = [arrow for arrow in graph.arrows if not arrow.is_loop]
    sample = arrows[:: max(1, ceil(len(arrows) / _COMPARED))]
    crossings = _crossings(sample) * max(1, len(arrows) / _COMPARED)
    nearby, through = Nearby(graph.nodes), 0
    for arrow in sample:
        source, target = arrow.source, arrow.target
        points = [(source.x, source.y), (target.x, target.y)]
        through += nearby.hits(points, (source, target))
    lengths = sorted(
        hypot(arrow.source.x - arrow.target.x, arrow.source.y - arrow.target.y) for arrow in sample
    )
    uneven = log1p(lengths[-1] / (lengths[len(lengths) // 2] or 1)) if lengths else 0.0
    count = max(1, len(sample))
    small = log(1 / min(1, scale)) + log(READABLE / min(READABLE, scale))
    return small + 0.6 * log1p(crossings / count) + 1.2 * through / count + 0.45 * uneven


def _crossings(arrows: Sequence[Arrow]) -> int:
    """Return the number of pairs of arrows without a common node whose straight lines cross."""
    import numpy as np

    count = len(arrows)
    numbers = np.array([(a.source.number, a.target.number) for a in arrows]).reshape(count, 2)
    points = np.array(
        [((a.source.x, a.source.y), (a.target.x, a.target.y)) for a in arrows]
    ).reshape(count, 2, 2)
    start, end = points[:, 0], points[:, 1]

    def side(other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return 1 for each point of `other` on the right of each line, -1 on the left."""
        to_end, to_other = (end - start)[:, None], other[None] - start[:, None]
        product = to_end[..., 0] * to_other[..., 1] - to_end[..., 1] * to_other[..., 0]
        return np.asarray(np.sign(product))

    splits = side(start) * side(end) < 0
    common = (numbers[:, None, :, None] == numbers[None, :, None, :]).any(axis=(2, 3))
    return int((splits & splits.T & ~common).sum()) // 2

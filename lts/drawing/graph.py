"""The nodes and arrows of a drawing, their sizes, and the zoom at which they fit into a window.

A graph is laid out as on the page of `lts.web`: `layout`, `layered`, `radial`, `stress` and `curve`
have the names of scripts there (`lts/web/script`), and both give the same coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from unicodedata import combining, east_asian_width

__all__ = [
    "ENTRANCE", "LARGEST", "LINE", "RADIUS", "READABLE", "Arrow", "Box", "Graph", "Node", "Size",
    "box_around", "fitting", "readable", "text_width",
]  # fmt: skip

RADIUS = 15.0
LINE = 14.0
"""Height of a line of text."""
LARGEST = 2.0
READABLE = 0.55
"""The largest zoom to which a picture is fitted, and the zoom at which texts are readable."""
_ROOMS = (2.0, 1.0, 0.6, 0.3, 0.1)
_MARGIN = 18.0
ENTRANCE = 30.0
"""Length of the arrow that marks the initial state."""

Size = tuple[float, float]
"""Width and height."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(eq=False, slots=True)
class Node:
    """A state, or a box: its centre, half its width and height, and its height with its loops.

    `layer` is its distance from the initial state, `column` and `line` are its place in layers and
    bands.
    """

    number: int
    w: float = RADIUS
    h: float = RADIUS
    up: float = RADIUS
    layer: int = 0
    is_initial: bool = False
    is_box: bool = False
    x: float = 0.0
    y: float = 0.0
    column: int = 0
    line: int = 0
    loops: float = 0.0
    offset: float = 0.0
    goal: float = 0.0
    near: tuple[list[Node], list[Node]] = field(default_factory=lambda: ([], []))


@dataclass(eq=False, slots=True)
class Arrow:
    """An arrow with its texts, one a line.

    `beside` counts the arrows before it between the same nodes, `is_mutual` says whether there is
    one back, `raised` is the height of the loops below it.
    """

    source: Node
    target: Node
    texts: tuple[str, ...]
    width: float = 0.0
    beside: int = 0
    is_mutual: bool = False
    raised: float = 0.0

    @property
    def is_loop(self) -> bool:
        """Whether the arrow leads back to its source."""
        return self.source is self.target

    @property
    def height(self) -> float:
        """The height of its texts."""
        return LINE * len(self.texts)


class Graph:
    """Nodes and arrows to be laid out."""

    def __init__(
        self, nodes: Sequence[Node], arrows: Iterable[tuple[int, int, Sequence[str]]]
    ) -> None:
        self.nodes = nodes
        self.arrows: list[Arrow] = []
        pairs: dict[tuple[int, int], int] = {}
        for source, target, texts in arrows:
            arrow = Arrow(nodes[source], nodes[target], tuple(texts))
            arrow.width = max(map(text_width, texts), default=0.0)
            arrow.beside = pairs.get((source, target), 0)
            pairs[source, target] = arrow.beside + 1
            self.arrows.append(arrow)
            if arrow.is_loop:
                node = arrow.source
                arrow.raised = node.loops + (6 if node.loops else 0)
                node.loops = arrow.raised + arrow.height
                node.up = node.h + 28 + node.loops
        for arrow in self.arrows:
            arrow.is_mutual = (arrow.target.number, arrow.source.number) in pairs

    def stretch(self, coordinates: Sequence[tuple[float, float, int]], factor: float) -> None:
        """Put the nodes where they were, with all distances multiplied by a factor."""
        self.restore([(factor * x, factor * y, line) for x, y, line in coordinates])

    def coordinates(self) -> list[tuple[float, float, int]]:
        """Return where the nodes are, and the lines of a band that they are in."""
        return [(node.x, node.y, node.line) for node in self.nodes]

    def restore(self, coordinates: Sequence[tuple[float, float, int]]) -> None:
        """Put the nodes where they were."""
        for node, (x, y, line) in zip(self.nodes, coordinates, strict=True):
            node.x, node.y, node.line = x, y, line


def text_width(text: str) -> float:
    """Return the width of a text at 12 pixels, rounded up: the fonts of readers differ."""
    total = 0.0
    for c in text:
        if combining(c):
            continue
        if east_asian_width(c) in "WF":
            total += 13
        elif c in "mwMW@%…—":
            total += 12
        elif c in "ijl.,:;|!'()[]{}/\\ ftrI\"":
            total += 5.4
        else:
            total += 7.7 if c.isascii() and not c.isupper() else 9.4
    return total


def box_around(nodes: Iterable[Node]) -> Box:
    """Return the box around nodes, with a margin."""
    left = top = float("inf")
    right = bottom = -float("inf")
    for node in nodes:
        start = node.x - node.w - (ENTRANCE if node.is_initial else 0)
        left, right = min(left, start), max(right, node.x + node.w)
        top, bottom = min(top, node.y - node.up), max(bottom, node.y + node.h)
    return left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN


def fitting(nodes: Iterable[Node], size: Size) -> float:
    """Return the zoom at which nodes fit into a window."""
    left, top, right, bottom = box_around(nodes)
    return min(LARGEST, size[0] / (right - left), size[1] / (bottom - top))


def readable(graph: Graph, size: Size, place: Callable[[float], None]) -> None:
    """Place nodes with as much room for the texts of arrows as leaves them readable."""

    def is_readable(room: float) -> bool:
        place(room)
        return fitting(graph.nodes, size) >= (LARGEST / 2 if room > 1 else READABLE)

    # With little room first: a large picture is placed once.
    if is_readable(_ROOMS[-1]):
        next(filter(is_readable, _ROOMS))

"""Systems in a picture, each with the coordinates of its states, arrows and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lts.drawing.curve import Curve, Point
from lts.drawing.graph import Graph, Node, text_width
from lts.drawing.labels import labelled
from lts.drawing.layout import AUTOMATIC, FLOWING, arranged
from lts.drawing.limits import check_size
from lts.system.lts import LTS

__all__ = ["MARGIN", "WINDOW", "Drawing", "DrawnStep", "Panel", "beside", "steps"]

MARGIN = 28.0
WINDOW = 960.0, 640.0
"""The window that a layout fills."""
_LONGEST = 40
"""Characters of the text of a label."""
_LISTED = 16
"""Labels in the text of one arrow."""
_EMPTY = "“”"


@dataclass(frozen=True, slots=True)
class Panel:
    """A system whose states are all reachable, and how to draw it.

    States with the same number in `orbits` have the same colour, states with None have none.
    Transitions whose label is in `jumps` are dashed.
    """

    title: str
    system: LTS
    orbits: tuple[int | None, ...]
    jumps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """All transitions between two states that are drawn as one arrow, by their labels."""

    source: int
    target: int
    labels: tuple[str, ...]
    jump: bool
    internal: bool

    @property
    def texts(self) -> list[str]:
        """The lines of text at the arrow."""
        listed = self.labels if len(self.labels) <= _LISTED else self.labels[: _LISTED - 1]
        left = len(self.labels) - len(listed)
        return [*map(_short, listed), *([f"+{left} more"] if left else [])]


def steps(panel: Panel) -> list[DrawnStep]:
    """Return the arrows between states, without duplicate transitions."""
    internal = set(panel.system.internal)
    labels: dict[tuple[int, int, bool, bool], list[str]] = {}
    for source, label, target in dict.fromkeys(panel.system.transitions()):
        key = (source, target, label in panel.jumps, label in internal)
        labels.setdefault(key, []).append(label)
    return [DrawnStep(s, t, tuple(texts), *looks) for (s, t, *looks), texts in labels.items()]


class Drawing:
    """A panel with coordinates, from its upper left corner: the graph, the curves of its arrows,
    and the centres of their texts."""

    def __init__(self, panel: Panel, layout: str, max_states: int | None) -> None:
        system = panel.system
        check_size(system, max_states)
        self.panel = panel
        self.steps = steps(panel)
        nodes = [
            Node(state, layer=layer, is_initial=state == system.initial)
            for state, layer in enumerate(_layers(system))
        ]
        self.graph = Graph(nodes, [(step.source, step.target, step.texts) for step in self.steps])
        self.layout = arranged(self.graph, WINDOW, layout)
        drawn = labelled(self.graph, flows=self.layout in FLOWING)
        left, top, right, bottom = drawn.box
        x, y = MARGIN - left, 2 * MARGIN - top
        for node in nodes:
            node.x, node.y = node.x + x, node.y + y

        def moved(point: Point) -> Point:
            return point[0] + x, point[1] + y

        self.curves: list[Curve] = [
            (moved(start), moved(one), moved(other), moved(end))
            for start, one, other, end in drawn.curves
        ]
        self.texts = [*map(moved, drawn.texts)]
        title = 1.4 * text_width(panel.title)
        self.width = max(right - left, title) + 2 * MARGIN
        self.height = bottom - top + 3 * MARGIN


def beside(
    panels: Sequence[Panel], *, layout: str = AUTOMATIC, max_states: int | None = None
) -> list[tuple[Drawing, float, float]]:
    """Return drawings side by side with their upper left corners; wide ones are stacked.

    Raises `LtsError` for a system of more than `max_states` states, by default those of
    `DRAWN_STATES`.
    """
    drawings = [Drawing(panel, layout, max_states) for panel in panels]
    is_broad = all(drawing.width > 1.6 * drawing.height for drawing in drawings)
    x = y = 0.0
    corners = []
    for drawing in drawings:
        corners.append((drawing, x, y))
        x, y = (x, y + drawing.height) if is_broad else (x + drawing.width, y)
    return corners


def _layers(system: LTS) -> list[int]:
    """Return the distances of states from the initial state."""
    following: list[list[int]] = [[] for _ in range(system.state_count)]
    for source, _, target in system.transitions():
        following[source].append(target)
    layers = {system.initial: 0}
    waiting = [system.initial]
    for state in waiting:
        for target in following[state]:
            if target not in layers:
                layers[target] = layers[state] + 1
                waiting.append(target)
    return [layers[state] for state in range(system.state_count)]


def _short(label: str) -> str:
    if not label:
        return _EMPTY
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"

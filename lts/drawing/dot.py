"""Small systems in the DOT language of Graphviz."""

from __future__ import annotations

from collections.abc import Sequence

from lts.base.escaping import quoted
from lts.drawing.layout import AUTOMATIC
from lts.drawing.palette import COLOURS, look
from lts.drawing.panel import Panel, beside
from lts.system.lts import LTS

__all__ = ["dumps", "dumps_panels"]

_HEAD = ("digraph {", "  rankdir=LR", "  node [shape=circle]")


def dumps(system: LTS) -> bytes:
    """Return `system` in the DOT language.

    Every transition is an edge, duplicates are drawn once, internal steps are dotted; an arrow
    without a source points at the initial state.
    """
    lines = [
        *_HEAD,
        '  start [shape=point, label=""]',
        f"  start -> {system.initial}",
        *(f"  {state}" for state in range(system.state_count)),
    ]
    lines += _edges(system, "", dict.fromkeys(system.internal, "style=dotted"))
    return _text(lines)


def dumps_panels(
    panels: Sequence[Panel], *, layout: str = AUTOMATIC, max_states: int | None = None
) -> bytes:
    """Return a drawing in the DOT language with one cluster for each panel.

    Internal steps are dotted and grey. States have the coordinates of the other formats, which
    `neato -n` uses.
    """
    lines = [*_HEAD]
    drawings = beside(panels, layout=layout, max_states=max_states)
    bottom = max(y + drawing.height for drawing, _, y in drawings)
    for number, (drawing, x, y) in enumerate(drawings):
        panel, prefix = drawing.panel, f"s{number}_"
        system = panel.system
        points = [(x + node.x, bottom - y - node.y) for node in drawing.graph.nodes]
        left, middle = points[system.initial]
        lines += [
            f"  subgraph cluster_{number} {{",
            f"  label={quoted(panel.title)}",
            f'  start{number} [shape=point, label="", {_position(left - 45, middle)}]',
            f"  start{number} -> {prefix}{system.initial}",
        ]
        lines += [
            f"  {prefix}{state} [{_position(*points[state])}, {_look(state, orbit)}]"
            for state, orbit in enumerate(panel.orbits)
        ]
        styles = dict.fromkeys(system.internal, "style=dotted, color=gray50, fontcolor=gray50")
        styles |= dict.fromkeys(panel.jumps, "style=dashed, constraint=false")
        lines += [*_edges(system, prefix, styles), "  }"]
    return _text(lines)


def _position(x: float, y: float) -> str:
    return f'pos="{x:.0f},{y:.0f}!"'


_SHAPES = ("circle", "hexagon", "diamond", "box")
"""Shapes that distinguish orbits of the same colour, since the DOT language has no hatching."""


def _look(state: int, orbit: int | None) -> str:
    """Return the DOT attributes of a state: its number, and the colour and shape of its orbit."""
    if orbit is None:
        return f'label="{state}", style=filled, fillcolor="#ffffff"'
    colour, _ = look(orbit)
    shape = _SHAPES[orbit // len(COLOURS) % len(_SHAPES)]
    more = "" if shape == "circle" else f", shape={shape}"
    return f'label="{state}", tooltip="orbit {orbit}", style=filled{more}, fillcolor="{colour}"'


def _edges(system: LTS, prefix: str, styles: dict[str, str]) -> list[str]:
    lines = []
    for source, label, target in dict.fromkeys(system.transitions()):
        style = f", {styles[label]}" if label in styles else ""
        ends = f"{prefix}{source} -> {prefix}{target}"
        lines.append(f"  {ends} [label={quoted(label)}{style}]")
    return lines


def _text(lines: Sequence[str]) -> bytes:
    return "\n".join([*lines, "}", ""]).encode("utf-8", "surrogateescape")

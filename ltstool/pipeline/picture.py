"""A picture of a pipeline: its steps, their dependencies, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from lts.base.escaping import quoted
from lts.drawing.graph import Graph, Node, text_width
from lts.drawing.labels import labelled
from lts.drawing.layout import arranged
from lts.drawing.panel import WINDOW
from lts.drawing.svg import xml
from ltstool.pipeline.execution import Outcome
from ltstool.pipeline.steps import Pipeline

__all__ = ["dot", "svg"]

_MARGIN = 24.0
_HEIGHT = 44.0
_INK = "#1f2933"
_FILLS = {"ran": "#cfe8d5", "kept": "#ffffff", "waits": "#e4e7eb", "wrong": "#f7c6c5"}


def _look(outcome: Outcome) -> str:
    wrong = outcome.problem is not None and outcome.record is not None
    return "wrong" if wrong else outcome.state


def _second_line(outcome: Outcome) -> str:
    time = "" if outcome.record is None else f", {outcome.record.seconds:.1f} s"
    return f"{_look(outcome)}{time}"


def _arrows(pipeline: Pipeline, outcomes: Sequence[Outcome]) -> list[tuple[int, int, str]]:
    """Return the dependencies between steps, with the files that cause them."""
    numbers = {outcome.step.name: number for number, outcome in enumerate(outcomes)}
    found = []
    for number, outcome in enumerate(outcomes):
        inputs = {} if outcome.record is None else outcome.record.inputs
        read = {file for file, content in inputs.items() if content is not None}
        for name in outcome.step.needs:
            other = outcomes[numbers[name]].step
            files = [file for file in other.outputs if pipeline.path(file) in read]
            found.append((numbers[name], number, ", ".join(files)))
    return found


def _columns(count: int, arrows: Sequence[tuple[int, int, str]]) -> list[int]:
    """Return the length of the longest path to each step; the steps are in topological order."""
    found = [0] * count
    for source, target, _ in arrows:
        found[target] = max(found[target], found[source] + 1)
    return found


def svg(pipeline: Pipeline, outcomes: Sequence[Outcome]) -> bytes:
    """Return an SVG picture with a box for each step, dependencies from left to right."""
    lines = [(outcome.step.name, _second_line(outcome)) for outcome in outcomes]
    arrows = _arrows(pipeline, outcomes)
    nodes = [
        Node(
            number,
            w=(max(map(text_width, pair)) + 20) / 2,
            h=_HEIGHT / 2,
            up=_HEIGHT / 2,
            layer=layer,
            is_box=True,
        )
        for number, (pair, layer) in enumerate(
            zip(lines, _columns(len(lines), arrows), strict=True)
        )
    ]
    graph = Graph(nodes, [(s, t, [text] if text else []) for s, t, text in arrows])
    arranged(graph, WINDOW, "layers")
    drawn = labelled(graph, flows=True)
    left, top, right, bottom = drawn.box
    body = []
    for curve in drawn.curves:
        start, *bends = (f"{x:.1f},{y:.1f}" for x, y in curve)
        path = f"M{start} C{' '.join(bends)}"
        body.append(f'<path d="{path}" fill="none" stroke="{_INK}" marker-end="url(#a)"/>')
    for arrow, (x, y) in zip(graph.arrows, drawn.texts, strict=True):
        body += [_text(x, y + 4, text) for text in arrow.texts]
    for outcome, (name, second), node in zip(outcomes, lines, nodes, strict=True):
        x, y = node.x - node.w, node.y - node.h
        command = " ".join(outcome.step.words)
        body.append(f"<g><title>{xml(command)}</title>")
        body.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{2 * node.w:.1f}" height="{2 * node.h:.1f}" '
            f'rx="6" fill="{_FILLS[_look(outcome)]}" stroke="{_INK}"/>'
        )
        body.append(_text(node.x, node.y - 4, name, ' font-weight="bold"'))
        body.append(f"{_text(node.x, node.y + 14, second)}</g>")
    width, height = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{_INK}">\n'
        '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        f'markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 Z" fill="{_INK}"/></marker>'
        f'</defs>\n<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>\n'
        f'<g transform="translate({_MARGIN - left:.1f},{_MARGIN - top:.1f})">'
    )
    return "\n".join([head, *body, "</g>", "</svg>", ""]).encode()


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" stroke="#ffffff" stroke-width="3" '
        f'paint-order="stroke"{more}>{xml(text)}</text>'
    )


def dot(pipeline: Pipeline, outcomes: Sequence[Outcome]) -> bytes:
    """Return a picture in the DOT language of Graphviz."""
    lines = ["digraph pipeline {", "  rankdir=LR;", '  node [shape=box, style="rounded,filled"];']
    for number, outcome in enumerate(outcomes):
        label = _label(f"{outcome.step.name}\n{_second_line(outcome)}")
        lines.append(f'  {number} [label={label}, fillcolor="{_FILLS[_look(outcome)]}"];')
    lines += [
        f"  {source} -> {target} [label={_label(text)}];"
        for source, target, text in _arrows(pipeline, outcomes)
    ]
    return "\n".join([*lines, "}", ""]).encode()


def _label(text: str) -> str:
    return quoted(text).replace("\n", "\\n")

"""Pictures of small systems as SVG, with coloured orbits and several systems side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from lts.drawing.graph import ENTRANCE, LINE, RADIUS
from lts.drawing.labels import arrowhead
from lts.drawing.layout import AUTOMATIC
from lts.drawing.palette import look as look_of
from lts.drawing.panel import MARGIN, Drawing, DrawnStep, Panel, beside

if TYPE_CHECKING:
    from lts.drawing.curve import Curve, Point

__all__ = ["svg", "xml"]

_LISTED = 16  # most orbits in the legend
_INK, _DIM = "#1f2933", "#616e7c"
_OUTLINED = f'fill="#ffffff" stroke="{_INK}"'
_JUMP, _INTERNAL = ' stroke-dasharray="7 4"', ' stroke-dasharray="2 3"'


def _fill(orbit: int | None) -> str:
    """Return the fill of an orbit: its colour, or a pattern defined by `_patterns`."""
    if orbit is None:
        return "#ffffff"
    colour, hatching = look_of(orbit)
    return f"url(#hatched-{_pattern(orbit)})" if hatching else colour


def _pattern(orbit: int) -> str:
    colour, hatching = look_of(orbit)
    return f"{colour[1:]}-{len(hatching)}{ord(hatching[0])}"


def svg(
    panels: Sequence[Panel],
    *,
    layout: str = AUTOMATIC,
    max_states: int | None = None,
    with_legend: bool = True,
) -> bytes:
    """Return a picture of systems side by side; wide ones are stacked.

    States and arrows have titles, and ids such as `panel-0-state-3` and `panel-0-step-3-4`. Raises
    `LtsError` for a system of more than `max_states` states, by default those of `DRAWN_STATES`.
    """
    width = height = 0.0
    body: list[str] = []
    for number, (drawing, x, y) in enumerate(beside(panels, layout=layout, max_states=max_states)):
        place = f'id="panel-{number}" transform="translate({x:.1f},{y:.1f})"'
        body += [f"<g {place}>", *_Written(drawing, f"panel-{number}").lines, "</g>"]
        width, height = max(width, x + drawing.width), max(height, y + drawing.height)
    if with_legend:
        lines, width, height = _legend_drawn(panels, width, height)
        body += lines
    titles = "; ".join(panel.title for panel in panels)
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="12" fill="{_INK}">',
        f"<title>{xml(titles)}</title>",
        *_patterns(panels),
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
    ]
    return "\n".join([*head, *body, "</svg>", ""]).encode()


def _orbits(panels: Sequence[Panel]) -> list[int]:
    return sorted({orbit for panel in panels for orbit in panel.orbits if orbit is not None})


def _patterns(panels: Sequence[Panel]) -> Iterator[str]:
    """Yield the definitions of the hatched fills that are used."""
    styles = {_pattern(orbit): look_of(orbit) for orbit in _orbits(panels) if look_of(orbit)[1]}
    for name, (colour, hatching) in styles.items():
        lines = ["M0,0 L8,8"] * (hatching[0] in "\\x") + ["M0,8 L8,0"] * (hatching[0] in "/x")
        yield (
            f'<pattern id="hatched-{name}" width="8" height="8" patternUnits="userSpaceOnUse" '
            f'data-hatching="{xml(hatching)}"><rect width="8" height="8" fill="{colour}"/>'
            f'<path d="{" ".join(lines)}" stroke="#000000" stroke-opacity="0.5"/></pattern>'
        )


def _legend_drawn(
    panels: Sequence[Panel], width: float, height: float
) -> tuple[list[str], float, float]:
    """Return the rows of a legend below a picture of this size, and the total size."""
    lines: list[str] = []
    x = 2 * MARGIN
    y = height
    for shape, text in _legend(panels):
        room = 26 + 7.2 * len(text) + MARGIN
        if x + room > width and x > 2 * MARGIN:
            x, y = 2 * MARGIN, y + 1.6 * LINE
        place = f'class="legend" transform="translate({x:.1f},{y:.1f})"'
        lines += [f"<g {place}>", shape, f'<text x="26" y="4">{text}</text>', "</g>"]
        x += room
        width = max(width, x)
    return lines, width, y + MARGIN if lines else height


def _legend(panels: Sequence[Panel]) -> Iterator[tuple[str, str]]:
    """Yield the shapes and colours that occur, each with a text that explains it."""
    shown = _orbits(panels)
    sizes = Counter(panels[0].orbits)
    for orbit in shown[:_LISTED]:
        size = f" of {sizes[orbit]} states" if sizes[orbit] else ""
        shape = f'<circle cx="8" cy="0" r="8" fill="{_fill(orbit)}" stroke="{_INK}"/>'
        yield shape, f"orbit {orbit}{size}"
    if len(shown) > _LISTED:
        yield "", f"and {len(shown) - _LISTED} orbits more"
    systems = [panel.system for panel in panels]
    if any(system.deadlock_states().any() for system in systems):
        yield f'<rect x="1" y="-7" width="14" height="14" {_OUTLINED}/>', "deadlock"
    line = f'<path d="M0,0 H18" fill="none" stroke="{_DIM}"'
    if any(set(system.internal) & {a for _, a, _ in system} for system in systems):
        yield f"{line}{_INTERNAL}/>", "internal step"
    if any(panel.jumps for panel in panels):
        yield f"{line}{_JUMP}/>", "rho-step"


class _Written:
    """One drawing as lines of SVG."""

    def __init__(self, drawing: Drawing, name: str) -> None:
        self.name = name
        self.names: Counter[str] = Counter()
        panel, system = drawing.panel, drawing.panel.system
        self.deadlocks = system.deadlock_states()
        self.lines = [
            f'<text x="{MARGIN}" y="{MARGIN}" font-size="15" font-weight="bold">'
            f"{xml(panel.title)}</text>"
        ]
        drawn = [*zip(drawing.steps, drawing.curves, drawing.texts, strict=True)]
        # Texts are in front of all lines.
        for step, curve, _ in drawn:
            self.draw_line(step, curve)
        for step, _, text in drawn:
            self.draw_texts(step, text)
        for node in drawing.graph.nodes:
            self.draw_state(node.number, (node.x, node.y), panel)

    def draw_line(self, step: DrawnStep, curve: Curve) -> None:
        self.begin(f"step-{step.source}-{step.target}", step.labels)
        colour = _colour(step)
        dashes = _JUMP if step.jump else _INTERNAL if step.internal else ""
        start, *bends = (f"{x:.1f},{y:.1f}" for x, y in curve)
        self.lines.append(
            f'<path d="M{start} C{" ".join(bends)}" fill="none" stroke="{colour}"{dashes}/>'
        )
        corners = " L".join(f"{x:.1f},{y:.1f}" for x, y in arrowhead(curve))
        self.lines += [f'<path d="M{corners} Z" fill="{colour}"/>', "</g>"]

    def draw_texts(self, step: DrawnStep, centre: Point) -> None:
        x, y = centre
        texts = step.texts
        self.lines.append(f'<g fill="{_colour(step)}" text-anchor="middle">')
        if list(step.labels) != texts:
            self.lines.append(_title(step.labels))
        for number, text in enumerate(texts):
            line = y + LINE * (number + 0.5 - len(texts) / 2) + 4
            self.lines.append(
                f'<text x="{x:.1f}" y="{line:.1f}" stroke="#ffffff" stroke-width="3" '
                f'paint-order="stroke">{xml(text)}</text>'
            )
        self.lines.append("</g>")

    def begin(self, name: str, title: Sequence[str]) -> None:
        """Open a group with an id and a title, which browsers show as a tooltip."""
        self.lines += [f'<g id="{self.unused(f"{self.name}-{name}")}">', _title(title)]

    def unused(self, name: str) -> str:
        """Return an id that is not used yet: visible and internal steps are two arrows."""
        self.names[name] += 1
        return name if self.names[name] == 1 else f"{name}-{self.names[name]}"

    def draw_state(self, state: int, centre: Point, panel: Panel) -> None:
        x, y = centre
        orbit, is_initial = panel.orbits[state], state == panel.system.initial
        details = [f"state {state}", *(["initial"] * is_initial)]
        details += ["deadlock"] * bool(self.deadlocks[state])
        details += [] if orbit is None else [f"orbit {orbit}"]
        self.begin(f"state-{state}", [", ".join(details)])
        if is_initial:
            rim = x - RADIUS - 2
            corners = f"M{rim:.1f},{y:.1f} L{rim - 9:.1f},{y - 4:.1f} L{rim - 9:.1f},{y + 4:.1f} Z"
            self.lines += [
                f'<path d="M{rim - ENTRANCE + 2:.1f},{y:.1f} H{rim - 6:.1f}" stroke="{_INK}" '
                'stroke-width="2"/>',
                f'<path d="{corners}"/>',
            ]
        look = f'fill="{_fill(orbit)}" stroke="{_INK}" stroke-width="{2.5 if is_initial else 1}"'
        if self.deadlocks[state]:
            side = 0.9 * RADIUS
            corner = f'x="{x - side:.1f}" y="{y - side:.1f}"'
            self.lines.append(f'<rect {corner} width="{2 * side}" height="{2 * side}" {look}/>')
        else:
            self.lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" {look}/>')
        halo = ""
        if orbit is not None and look_of(orbit)[1]:
            halo = f' stroke="{look_of(orbit)[0]}" stroke-width="4" paint-order="stroke"'
        self.lines.append(
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle"{halo}>{state}</text>'
        )
        self.lines.append("</g>")


def _colour(step: DrawnStep) -> str:
    return _DIM if step.jump or step.internal else _INK


def xml(text: str) -> str:
    """Return text escaped for XML, with control characters and lone surrogates replaced."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in text))


def _title(labels: Sequence[str]) -> str:
    return "<title>" + "\n".join(map(xml, labels)) + "</title>"

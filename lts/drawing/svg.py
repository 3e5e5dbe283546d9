"""Pictures of small systems as SVG, with coloured orbits and several systems side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from xml.sax.saxutils import escape

from lts.drawing.layered import Edge, Layout, Place, layered
from lts.drawing.limits import check_size
from lts.drawing.palette import look as look_of
from lts.system.lts import LTS

__all__ = ["Arrow", "Panel", "arrows", "fill", "svg", "xml"]

_RADIUS = 14.0
_LINE = 15.0
_CHARACTER = 6.7  # approximate width of one at 12 pixels
_LONGEST = 40
_LOOP = 20.0
_BEND = 20.0  # of an arc, from a state
_MARGIN = 28.0
_LISTED = 16  # most orbits in the legend
_INK, _DIM = "#1f2933", "#7b8794"
_OUTLINED = f'fill="#ffffff" stroke="{_INK}"'


@dataclass(frozen=True, slots=True)
class Panel:
    """A system whose states are all reachable, and how to draw it.

    States with the same number in `orbits` have the same colour, states with None have none.
    Transitions whose label is in `jumps` are dashed, and their two states are drawn in one column.
    """

    title: str
    system: LTS
    orbits: tuple[int | None, ...]
    jumps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrow:
    """All transitions between two states that are drawn alike, by their labels."""

    source: int
    target: int
    labels: tuple[str, ...]
    jump: bool
    internal: bool


def arrows(panel: Panel) -> list[Arrow]:
    """Return the arrows to draw between states, without duplicate transitions."""
    internal = set(panel.system.internal)
    found: dict[tuple[int, int, bool, bool], list[str]] = {}
    for source, label, target in dict.fromkeys(panel.system.transitions()):
        key = (source, target, label in panel.jumps, label in internal)
        found.setdefault(key, []).append(label)
    return [Arrow(s, t, tuple(labels), *looks) for (s, t, *looks), labels in found.items()]


def fill(orbit: int | None) -> str:
    """Return the fill of an orbit: its colour, or a pattern defined by `_patterns`."""
    if orbit is None:
        return "#ffffff"
    colour, hatching = look_of(orbit)
    return f"url(#hatched-{_pattern(orbit)})" if hatching else colour


def _pattern(orbit: int) -> str:
    colour, hatching = look_of(orbit)
    return f"{colour[1:]}-{len(hatching)}{ord(hatching[0])}"


def svg(
    panels: Sequence[Panel], *, max_states: int | None = None, with_legend: bool = True
) -> bytes:
    """Return a picture of systems side by side; wide ones are stacked.

    States and arrows have titles, and ids such as `panel-0-state-3` and `panel-0-step-3-4`. Raises
    `LtsError` for a system of more than `max_states` states, by default those of `DRAWN_STATES`.
    """
    drawn = [_Drawing(panel, number, max_states) for number, panel in enumerate(panels)]
    broad = all(drawing.width > 1.6 * drawing.height for drawing in drawn)
    x, y, width, height = 0.0, 0.0, 0.0, 0.0
    body: list[str] = []
    for number, drawing in enumerate(drawn):
        place = f'id="panel-{number}" transform="translate({x:.1f},{y:.1f})"'
        body += [f"<g {place}>", *drawing.lines, "</g>"]
        width, height = max(width, x + drawing.width), max(height, y + drawing.height)
        x, y = (x, height) if broad else (width, y)
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
    x = 2 * _MARGIN
    y = height
    for shape, text in _legend(panels):
        room = 26 + 7.2 * len(text) + _MARGIN
        if x + room > width and x > 2 * _MARGIN:
            x, y = 2 * _MARGIN, y + 1.6 * _LINE
        place = f'class="legend" transform="translate({x:.1f},{y:.1f})"'
        lines += [f"<g {place}>", shape, f'<text x="26" y="4">{text}</text>', "</g>"]
        x += room
        width = max(width, x)
    return lines, width, y + _MARGIN if lines else height


def _legend(panels: Sequence[Panel]) -> Iterator[tuple[str, str]]:
    """Yield the shapes and colours that occur, each with a text that explains it."""
    shown = _orbits(panels)
    sizes = Counter(panels[0].orbits)
    for orbit in shown[:_LISTED]:
        size = f" of {sizes[orbit]} states" if sizes[orbit] else ""
        shape = f'<circle cx="8" cy="0" r="8" fill="{fill(orbit)}" stroke="{_INK}"/>'
        yield shape, f"orbit {orbit}{size}"
    if len(shown) > _LISTED:
        yield "", f"and {len(shown) - _LISTED} orbits more"
    systems = [panel.system for panel in panels]
    if any(system.deadlock_states().any() for system in systems):
        yield f'<rect x="1" y="-7" width="14" height="14" {_OUTLINED}/>', "deadlock"
    line = f'<path d="M0,0 H18" fill="none" stroke="{_DIM}"'
    if any(set(system.internal) & {a for _, a, _ in system} for system in systems):
        yield f"{line}/>", "internal step"
    if any(panel.jumps for panel in panels):
        yield f'{line} stroke-dasharray="5 3"/>', "rho-step"


class _Drawing:
    """One panel as lines of SVG, with its size."""

    def __init__(self, panel: Panel, number: int, max_states: int | None) -> None:
        system = panel.system
        check_size(system, max_states)
        self.name = f"panel-{number}"
        self.deadlocks = system.deadlock_states()
        self.arrows = arrows(panel)
        self.texts = [[_short(label) for label in arrow.labels] for arrow in self.arrows]
        self.layout = self.laid_out(system)
        self.lines: list[str] = []
        self.names: Counter[str] = Counter()
        title = 14 + 8.2 * len(panel.title)
        self.width = max(self.layout.width + 3 * _MARGIN, title + 2 * _MARGIN)
        self.height = self.layout.height + 3 * _MARGIN
        self.lines.append(
            f'<text x="{_MARGIN}" y="{_MARGIN}" font-size="15" font-weight="bold">'
            f"{xml(panel.title)}</text>"
        )
        self.lines.append(f'<g transform="translate({2 * _MARGIN},{2 * _MARGIN})">')
        self.loops = [0.0] * system.state_count
        for number, arrow in enumerate(self.arrows):
            self.draw_arrow(number, arrow)
        for state in range(system.state_count):
            self.draw_state(state, panel.orbits[state], initial=state == system.initial)
        self.lines.append("</g>")

    def laid_out(self, system: LTS) -> Layout:
        """Compute the layout; loops and their texts increase the height of a state."""
        heights = [2 * _RADIUS] * system.state_count
        widths = [2 * _RADIUS] * system.state_count
        edges = []
        for arrow, texts in zip(self.arrows, self.texts, strict=True):
            width = _CHARACTER * max(map(len, texts)) + 6
            height = _LINE * len(texts)
            edges.append(Edge(arrow.source, arrow.target, width, height, arrow.jump))
            if arrow.source == arrow.target:
                # The loop is above the state; places are symmetric, so the height below is reserved
                # too.
                more = height if heights[arrow.source] > 2 * _RADIUS else height + _LOOP
                heights[arrow.source] += 2 * more
                widths[arrow.source] = max(widths[arrow.source], width)
        return layered(list(zip(widths, heights, strict=True)), edges, system.initial)

    def draw_arrow(self, number: int, arrow: Arrow) -> None:
        nodes, route = self.layout.nodes, self.layout.routes[number]
        source, target = nodes[arrow.source], nodes[arrow.target]
        place = self.layout.texts[number]
        if place is None:
            path, tip, text_x, text_y, anchor = self.loop(arrow, len(self.texts[number]))
        else:
            if source.column == target.column:
                turn = (place.x - place.width / 2, place.y)
                path, tip = _bow(source, turn, target)
                text_x, text_y, anchor = turn[0] + 4, place.y, "start"
                text_y += _LINE / 2 * (1 - len(self.texts[number])) + 4
            else:
                path, tip = _curve(source, route, target)
                text_x, anchor = place.x, "middle"
                text_y = place.y - 4 - _LINE * (len(self.texts[number]) - 1)
        self.begin(f"step-{arrow.source}-{arrow.target}", "\n".join(arrow.labels))
        colour = _DIM if arrow.jump or arrow.internal else _INK
        dashes = ' stroke-dasharray="5 3"' if arrow.jump else ""
        self.lines.append(f'<path d="{path}" fill="none" stroke="{colour}"{dashes}/>')
        self.lines.append(f'<path d="{_head(*tip)}" fill="{colour}"/>')
        for line, (text, label) in enumerate(zip(self.texts[number], arrow.labels, strict=True)):
            whole = f"<title>{xml(label)}</title>" if text != label else ""
            self.lines.append(
                f'<text x="{text_x:.1f}" y="{text_y + line * _LINE:.1f}" text-anchor="{anchor}" '
                f'fill="{colour}" stroke="#ffffff" stroke-width="3" paint-order="stroke">'
                f"{whole}{xml(text)}</text>"
            )
        self.lines.append("</g>")

    def begin(self, name: str, title: str) -> None:
        """Open a group with an id and a title, which browsers show as a tooltip."""
        self.lines.append(f'<g id="{self.unused(f"{self.name}-{name}")}">')
        shown = "\n".join(map(xml, title.split("\n")))
        self.lines.append(f"<title>{shown}</title>")

    def unused(self, name: str) -> str:
        """Return an id that is not used yet: visible and internal steps are two arrows."""
        self.names[name] += 1
        return name if self.names[name] == 1 else f"{name}-{self.names[name]}"

    def loop(
        self, arrow: Arrow, lines: int
    ) -> tuple[str, tuple[float, float, float, float], float, float, str]:
        """Return the path of a loop above its state, its tip, and the position of its text."""
        at = self.layout.nodes[arrow.source]
        y = at.y - _RADIUS
        again = self.loops[arrow.source]
        self.loops[arrow.source] += lines * _LINE + (0 if again else _LOOP)
        text_y = y - again - lines * _LINE + (8 if again else 8 - _LOOP)
        side, up = _RADIUS * 0.6, _RADIUS * 0.2
        reach = 26.0
        path = (
            f"M{at.x - side:.1f},{y + up:.1f} C{at.x - side - 10:.1f},{y - reach:.1f} "
            f"{at.x + side + 10:.1f},{y - reach:.1f} {at.x + side:.1f},{y + up:.1f}"
        )
        return path, (at.x + side, y + up, -0.35, 1.0), at.x, text_y, "middle"

    def draw_state(self, state: int, orbit: int | None, *, initial: bool) -> None:
        place = self.layout.nodes[state]
        x, y = place.x, place.y
        details = [f"state {state}", *(["initial"] * initial)]
        details += ["deadlock"] * bool(self.deadlocks[state])
        details += [] if orbit is None else [f"orbit {orbit}"]
        self.begin(f"state-{state}", ", ".join(details))
        if initial:
            self.lines.append(
                f'<path d="M{x - 34:.1f},{y:.1f} H{x - _RADIUS:.1f}" stroke="{_INK}" '
                'stroke-width="2"/>'
            )
            self.lines.append(f'<path d="{_head(x - _RADIUS, y, 1, 0)}"/>')
        look = f'fill="{fill(orbit)}" stroke="{_INK}" stroke-width="{2.5 if initial else 1}"'
        if self.deadlocks[state]:
            side = 0.88 * _RADIUS
            corner = f'x="{x - side:.1f}" y="{y - side:.1f}"'
            self.lines.append(f'<rect {corner} width="{2 * side}" height="{2 * side}" {look}/>')
        else:
            self.lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" {look}/>')
        halo = ""
        if orbit is not None and look_of(orbit)[1]:
            halo = f' stroke="{look_of(orbit)[0]}" stroke-width="4" paint-order="stroke"'
        self.lines.append(
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle"{halo}>{state}</text>'
        )
        self.lines.append("</g>")


def _curve(
    source: Place, route: Sequence[Place], target: Place
) -> tuple[str, tuple[float, float, float, float]]:
    """Return a path that is horizontal where it crosses a column, and its tip."""
    sign = 1 if route[0].x > source.x else -1
    x, y, dx, dy = _rim(source, route[0].x - sign * route[0].width / 2, route[0].y)
    commands = [f"M{x:.1f},{y:.1f}"]
    bend = (x + dx * _BEND, y + dy * _BEND)
    for place in route:
        start = place.x - sign * place.width / 2
        commands.append(
            f"C{bend[0]:.1f},{bend[1]:.1f} {start - sign * 18:.1f},{place.y:.1f} "
            f"{start:.1f},{place.y:.1f}"
        )
        end = place.x + sign * place.width / 2
        commands.append(f"H{end:.1f}")
        bend = (end + sign * 18, place.y)
    end = route[-1].x + sign * route[-1].width / 2
    x, y, dx, dy = _rim(target, end, route[-1].y)
    commands.append(
        f"C{bend[0]:.1f},{bend[1]:.1f} {x + dx * _BEND:.1f},{y + dy * _BEND:.1f} {x:.1f},{y:.1f}"
    )
    return " ".join(commands), (x, y, -dx, -dy)


def _bow(
    source: Place, turn: tuple[float, float], target: Place
) -> tuple[str, tuple[float, float, float, float]]:
    """Return a path within a column that bends to the right of it, and its tip."""
    x, y, dx, dy = _rim(source, *turn)
    commands = [f"M{x:.1f},{y:.1f}"]
    offset = 12 if target.y > source.y else -12
    commands.append(
        f"C{x + dx * 14:.1f},{y + dy * 14:.1f} {turn[0]:.1f},{turn[1] - offset:.1f} "
        f"{turn[0]:.1f},{turn[1]:.1f}"
    )
    x, y, dx, dy = _rim(target, *turn)
    commands.append(
        f"C{turn[0]:.1f},{turn[1] + offset:.1f} {x + dx * 14:.1f},{y + dy * 14:.1f} {x:.1f},{y:.1f}"
    )
    return " ".join(commands), (x, y, -dx, -dy)


def _rim(node: Place, x: float, y: float) -> tuple[float, float, float, float]:
    """Return the point of a state's circle in the direction of another point, and that
    direction."""
    dx, dy = x - node.x, 0.7 * (y - node.y)
    length = hypot(dx, dy) or 1.0
    dx, dy = dx / length, dy / length
    return node.x + _RADIUS * dx, node.y + _RADIUS * dy, dx, dy


def _head(x: float, y: float, dx: float, dy: float) -> str:
    """Return an arrowhead with its tip at a point."""
    length = hypot(dx, dy)
    dx, dy = 8 * dx / length, 8 * dy / length
    return (
        f"M{x:.1f},{y:.1f} L{x - dx - 0.4 * dy:.1f},{y - dy + 0.4 * dx:.1f} "
        f"L{x - dx + 0.4 * dy:.1f},{y - dy - 0.4 * dx:.1f} Z"
    )


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


def xml(text: str) -> str:
    """Return text escaped for XML, with control characters and lone surrogates replaced."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in text))

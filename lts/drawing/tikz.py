"""Pictures of small systems for LaTeX, by the package TikZ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lts.drawing.graph import ENTRANCE, RADIUS
from lts.drawing.layout import AUTOMATIC
from lts.drawing.palette import look
from lts.drawing.panel import MARGIN, Drawing, Panel, beside

__all__ = ["tikz"]

_CENTIMETRE = 40.0
"""Units of a drawing that are a centimetre."""
_HATCHINGS = {"\\\\": "north west lines", "//": "north east lines", "xx": "crosshatch"}
_HEAD = (
    "% \\usepackage{tikz} \\usetikzlibrary{arrows.meta, patterns}",
    "\\begin{tikzpicture}[>={Stealth[round]}, font=\\footnotesize, "
    "state/.style={draw, circle, inner sep=0pt, minimum size=SIZE}, "
    "deadlock/.style={draw, thick, rectangle, inner sep=0pt, minimum size=SIZE}, "
    "internal/.style={densely dotted}, jump/.style={dashed}, "
    "step label/.style={fill=white, inner sep=1pt, font=\\scriptsize}]".replace(
        "SIZE", f"{2 * RADIUS / _CENTIMETRE}cm"
    ),
)
_ESCAPES = {
    "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}",
    "'": "\\textquotesingle{}", "`": "\\textasciigrave{}", **{c: f"\\{c}" for c in "{}$&#%_"},
}  # fmt: skip
_LINE = "\\\\{}"
"""A new line, after which a bracket is no option."""


def tikz(
    panels: Sequence[Panel], *, layout: str = AUTOMATIC, max_states: int | None = None
) -> bytes:
    """Return a picture of systems side by side, as `svg` does, for LaTeX."""
    drawings = beside(panels, layout=layout, max_states=max_states)
    orbits = {orbit for panel in panels for orbit in panel.orbits if orbit is not None}
    colours = sorted({look(orbit)[0] for orbit in orbits})
    defined = [f"\\definecolor{{{_name(c)}}}{{HTML}}{{{c[1:].upper()}}}" for c in colours]
    lines = [_HEAD[0], *defined, *_HEAD[1:]]
    for number, (drawing, x, y) in enumerate(drawings):
        lines += _lines(drawing, number, x, y)
    return "\n".join([*lines, "\\end{tikzpicture}", ""]).encode("utf-8", "replace")


def _lines(drawing: Drawing, number: int, x: float, y: float) -> Iterator[str]:
    panel, system = drawing.panel, drawing.panel.system
    deadlocks = system.deadlock_states()

    def at(point: tuple[float, float]) -> str:
        across, down = (x + point[0]) / _CENTIMETRE, (y + point[1]) / _CENTIMETRE
        return f"({across:.3f}, {-down:.3f})"

    title = at((MARGIN, MARGIN))
    yield f"  \\node[anchor=west, font=\\bfseries] at {title} {{{_tex(panel.title)}}};"
    for node in drawing.graph.nodes:
        words = ["deadlock" if deadlocks[node.number] else "state", *_fill(panel, node.number)]
        words += ["very thick"] * node.is_initial
        name = f"s{number}-{node.number}"
        yield f"  \\node[{', '.join(words)}] ({name}) at {at((node.x, node.y))} {{{node.number}}};"
        if node.is_initial:
            start = at((node.x - RADIUS - ENTRANCE, node.y))
            yield f"  \\draw[->, very thick] {start} -- ({name});"
    for step, curve in zip(drawing.steps, drawing.curves, strict=True):
        words = ["->", *["jump"] * step.jump, *["internal"] * (step.internal and not step.jump)]
        start, one, other, end = map(at, curve)
        yield f"  \\draw[{', '.join(words)}] {start} .. controls {one} and {other} .. {end};"
    for step, point in zip(drawing.steps, drawing.texts, strict=True):
        texts = _LINE.join(map(_tex, step.texts))
        yield f"  \\node[step label, align=center] at {at(point)} {{{texts}}};"


def _fill(panel: Panel, state: int) -> list[str]:
    orbit = panel.orbits[state]
    if orbit is None:
        return []
    colour, hatching = look(orbit)
    words = [f"fill={_name(colour)}"]
    if hatching:
        words.append(f"postaction={{pattern={_HATCHINGS[hatching]}, pattern color=black!45}}")
    return words


def _name(colour: str) -> str:
    """Return the name of a colour in LaTeX."""
    return f"c{colour[1:]}"


def _tex(text: str) -> str:
    escaped = "".join(_ESCAPES.get(c, c) if c.isprintable() else "\ufffd" for c in text)
    # Two hyphens would become a dash.
    return escaped.replace("--", "-{}-{}")

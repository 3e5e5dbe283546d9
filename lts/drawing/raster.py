"""Pictures as PNG or PDF: the output of `svg`, drawn with matplotlib.

Only the elements and paths that `svg` writes are supported.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from lts.lazy import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["rasterised"]

_SVG = "{http://www.w3.org/2000/svg}"
_POINT = 72 / 96  # of a pixel
_MOST = 20_000
"""Largest side of a PNG in pixels; larger pictures have a lower resolution."""


def rasterised(picture: bytes, kind: str) -> bytes:
    """Return a picture of `svg` as `png`, at 192 dots to the inch, or `pdf`.

    Raises `Unsupported` if matplotlib is not installed.
    """
    optional("matplotlib.figure", f"{kind.upper()} needs", more="; SVG needs no package")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure

    root = ElementTree.fromstring(picture)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    figure = Figure(figsize=(width / 96, height / 96))
    canvas = FigureCanvasPdf(figure) if kind == "pdf" else FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    _Drawn(axes, dict(_patterns(root))).group(root, 0, 0)
    out = io.BytesIO()
    if kind == "pdf":
        canvas.print_figure(out, format="pdf", metadata={"CreationDate": None})
    else:
        dots = min(192.0, _MOST * 96 / max(width, height))
        canvas.print_figure(out, format="png", dpi=dots, metadata={"Software": None})
    return out.getvalue()


def _patterns(root: ElementTree.Element) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the name of each pattern, its colour, and its hatching."""
    for pattern in root.iter(f"{_SVG}pattern"):
        rectangle = pattern.find(f"{_SVG}rect")
        assert rectangle is not None
        name = f"url(#{pattern.attrib['id']})"
        yield name, (rectangle.attrib["fill"], pattern.attrib["data-hatching"])


class _Drawn:
    """Draws elements of SVG."""

    def __init__(self, axes: Axes, patterns: dict[str, tuple[str, str]]) -> None:
        self.axes = axes
        self.patterns = patterns
        self.order = 0

    def group(self, group: ElementTree.Element, x: float, y: float) -> None:
        """Draw the elements of a group in order."""
        for each in group:
            tag = each.tag.removeprefix(_SVG)
            if tag == "g":
                moved = re.match(r"translate\(([-.\d]+),([-.\d]+)\)", each.get("transform", ""))
                dx, dy = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
                self.group(each, x + dx, y + dy)
            elif tag in ("path", "circle", "rect", "text"):
                self.order += 1
                getattr(self, tag)(each, x, y)

    def look(self, each: ElementTree.Element) -> dict[str, Any]:
        """Return fill and stroke as arguments of matplotlib."""
        fill = each.get("fill", "#1f2933")
        colour, hatching = self.patterns.get(fill, (fill, ""))
        stroke = each.get("stroke", "none")
        dashes = (0, (5, 3)) if "stroke-dasharray" in each.attrib else "solid"
        found: dict[str, Any] = {
            "facecolor": colour,
            "edgecolor": stroke,
            "linewidth": float(each.get("stroke-width", "1")) * _POINT if stroke != "none" else 0,
            "linestyle": dashes,
            "zorder": self.order,
        }
        return found | ({"hatch": 2 * hatching[0]} if hatching else {})

    def path(self, each: ElementTree.Element, x: float, y: float) -> None:
        """Draw a path of straight lines and cubic curves."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        points: list[tuple[float, float]] = []
        codes: list[int] = []
        for command, text in re.findall(r"([MLHCZ])([^MLHCZ]*)", each.attrib["d"]):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", text)]
            if command == "Z":
                points.append(points[0])
                codes.append(int(Path.CLOSEPOLY))
                continue
            if command == "H":
                numbers = [numbers[0], points[-1][1] - y]
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            points += [(x + px, y + py) for px, py in pairs]
            code = {"M": Path.MOVETO, "C": Path.CURVE4}.get(command, Path.LINETO)
            codes += [int(code)] * (len(numbers) // 2)
        self.axes.add_patch(PathPatch(Path(points, codes), **self.look(each)))

    def circle(self, each: ElementTree.Element, x: float, y: float) -> None:
        """Draw a circle."""
        from matplotlib.patches import Circle

        centre = (x + float(each.attrib["cx"]), y + float(each.attrib["cy"]))
        self.axes.add_patch(Circle(centre, float(each.attrib["r"]), **self.look(each)))

    def rect(self, each: ElementTree.Element, x: float, y: float) -> None:
        """Draw a rectangle."""
        from matplotlib.patches import Rectangle

        corner = (x + float(each.get("x", "0")), y + float(each.get("y", "0")))
        size = float(each.attrib["width"]), float(each.attrib["height"])
        self.axes.add_patch(Rectangle(corner, *size, **self.look(each)))

    def text(self, each: ElementTree.Element, x: float, y: float) -> None:
        """Draw a text; its title is left out, since a raster picture has no tooltips."""
        from matplotlib.patheffects import Normal, Stroke

        title = each.find(f"{_SVG}title")
        shown = (each.text or "") + ("" if title is None else title.tail or "")
        found = self.axes.text(
            x + float(each.get("x", "0")),
            y + float(each.get("y", "0")),
            shown,
            parse_math=False,
            fontsize=0.92 * float(each.get("font-size", "12")) * _POINT,
            fontweight=each.get("font-weight", "normal"),
            color=each.get("fill", "#1f2933"),
            horizontalalignment={"middle": "center"}.get(each.get("text-anchor", ""), "left"),
            zorder=self.order,
        )
        if "stroke" in each.attrib:
            width = float(each.get("stroke-width", "1")) * _POINT
            halo = Stroke(linewidth=width, foreground=each.attrib["stroke"])
            found.set_path_effects([halo, Normal()])

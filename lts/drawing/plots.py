"""Plots of measurements with matplotlib: lines over sizes, bars by cases; as SVG, PNG or PDF.

The colours are those of `palette`; lines are also distinguished by markers, bars by hatchings.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lts.base.lazy import optional
from lts.drawing.palette import HATCHINGS, look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["bars", "check_installed", "lines"]

_MARKERS = "osD^vPX*"


def lines(
    title: str,
    across: str,
    up: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    kind: str = "svg",
) -> bytes:
    """Return a plot of named series of positive points on logarithmic axes, as `svg`, `png` or
    `pdf`.

    Raises `Unsupported` if matplotlib is not installed.
    """
    figure, axes = _begun(title, 7.6, 4.4)
    for number, (name, points) in enumerate(series.items()):
        xs, ys = zip(*points, strict=True) if points else ((), ())
        marker = _MARKERS[number % len(_MARKERS)]
        axes.plot(xs, ys, color=look(number)[0], marker=marker, markersize=4.5, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(color="#dddddd", linewidth=0.7)
    return _printed(figure, axes, kind)


def bars(
    title: str,
    across: str,
    cases: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    marks: Mapping[str, Sequence[float | None]] | None = None,
    *,
    kind: str = "svg",
) -> bytes:
    """Return a plot with a bar for each case and series on a logarithmic axis, and marks at some
    values.

    None stands for a missing number. Raises `Unsupported` if matplotlib is not installed.
    """
    thick = 0.8 / max(1, len(series))
    figure, axes = _begun(title, 8.4, 1.4 + 0.55 * max(1, len(cases)))
    for number, (name, values) in enumerate(series.items()):
        shown = [(place, value) for place, value in enumerate(values) if value is not None]
        axes.barh(
            [place + (number - (len(series) - 1) / 2) * thick for place, _ in shown],
            [value for _, value in shown],
            height=thick,
            color=look(number)[0],
            hatch=HATCHINGS[number % len(HATCHINGS)],
            edgecolor="#1f2933",
            linewidth=0.5,
            label=name,
        )
    for name, values in (marks or {}).items():
        shown = [(place, value) for place, value in enumerate(values) if value is not None]
        axes.scatter(
            [value for _, value in shown],
            [place - 0.4 + thick / 2 for place, _ in shown],
            marker="D",
            s=26,
            facecolors="#ffffff",
            edgecolors="#1f2933",
            zorder=3,
            label=name,
        )
    axes.set_yticks(range(len(cases)), cases)
    axes.invert_yaxis()
    axes.set_xscale("log")
    numbers = [value for values in series.values() for value in values if value is not None]
    axes.set_xlim(left=min([1.0, *(value / 2 for value in numbers)]))
    axes.set_xlabel(across)
    axes.grid(axis="x", color="#dddddd", linewidth=0.7)
    return _printed(figure, axes, kind)


def check_installed() -> None:
    """Raise `Unsupported` if matplotlib is not installed."""
    optional("matplotlib.figure", "plots need")


def _begun(title: str, width: float, height: float) -> tuple[Figure, Axes]:
    """Return a figure of the given size in inches, and its axes."""
    check_installed()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_axisbelow(True)
    return figure, axes


def _printed(figure: Figure, axes: Axes, kind: str) -> bytes:
    from matplotlib import rc_context

    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside right upper", frameon=False)
    metadata: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    out = io.BytesIO()
    # A fixed salt, so that the same numbers give the same file.
    with rc_context({"svg.hashsalt": "ltstool", "hatch.linewidth": 0.6}):
        figure.savefig(out, format=kind, dpi=150, metadata=metadata)
    return out.getvalue()

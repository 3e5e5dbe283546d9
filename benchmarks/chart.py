"""Line charts as SVG, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 440, 70, 40, 190, 50
COLOURS = [
    "#1b6ca8", "#c44536", "#2e8b57", "#8e5ea2", "#d08700",
    "#3a7d8c", "#a83279", "#6b7a1d", "#5a5a5a", "#e07a5f",
]  # fmt: skip


def lines(
    title: str, across: str, up: str, series: Mapping[str, Sequence[tuple[float, float]]]
) -> str:
    """Return a chart of named series of points (x, y), all positive."""
    points = [point for line in series.values() for point in line]
    xs, ys = ([math.log10(point[i]) for point in points] for i in (0, 1))
    low_x, high_x = math.floor(min(xs)), math.ceil(max(xs))
    low_y, high_y = math.floor(min(ys)), math.ceil(max(ys))
    high_x, high_y = max(high_x, low_x + 1), max(high_y, low_y + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (x - low_x) / (high_x - low_x) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - (y - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="15">{escape(title)}</text>',
        f'<text x="{LEFT}" y="{HEIGHT - 10}">{escape(across)}</text>',
        f'<text x="12" y="{TOP - 8}">{escape(up)}</text>',
    ]
    for x in range(low_x, high_x + 1):
        (at, bottom), (_, top) = place(x, low_y), place(x, high_y)
        parts.append(f'<path d="M{at:.1f} {bottom:.1f}V{top:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{at - 12:.1f}" y="{bottom + 16:.1f}">1e{x}</text>')
    for y in range(low_y, high_y + 1):
        (left, at), (right, _) = place(low_x, y), place(high_x, y)
        parts.append(f'<path d="M{left:.1f} {at:.1f}H{right:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 40:.1f}" y="{at + 4:.1f}">1e{y}</text>')
    for i, (name, line) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        spots = [place(math.log10(x), math.log10(y)) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in spots]
        at = TOP + 18 * i
        left = WIDTH - RIGHT + 14
        parts.append(f'<rect x="{left}" y="{at}" width="14" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{left + 20}" y="{at + 6}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])

"""Representation of an LTS in a notebook."""

from __future__ import annotations

from html import escape

from lts.drawing.svg import Panel, svg
from lts.system.lts import LTS

__all__ = ["as_html"]

DRAWN_STATES, DRAWN_TRANSITIONS = 40, 120
"""Most states of a system that a notebook shows as a picture."""
LISTED = 20
"""Most labels that a notebook lists."""


def as_html(system: LTS) -> str:
    """Return a picture for a notebook, or a summary of a larger system."""
    if system.state_count <= DRAWN_STATES and system.transition_count <= DRAWN_TRANSITIONS:
        whole = system.reachable()
        title = repr(system)[1:-1]
        picture = svg([Panel(title, whole, (None,) * whole.state_count)], with_legend=False)
        return picture.decode("utf-8", "replace").partition("?>")[2] or picture.decode()
    counts = sorted(system.label_counts().items(), key=lambda pair: -pair[1])
    rows = "".join(
        f"<tr><td style='text-align:left'>{escape(label.encode('utf-8', 'replace').decode())}</td>"
        f"<td>{count}</td></tr>"
        for label, count in counts[:LISTED]
    )
    more = len(counts) - LISTED
    rest = f"<p>and {more} more labels</p>" if more > 0 else ""
    return (
        f"<p>{escape(repr(system))}, initial state {system.initial}</p>"
        f"<table><tr><th>label</th><th>transitions</th></tr>{rows}</table>{rest}"
    )

"""The picture of a system as an object, which a notebook shows inline, and how it shows an LTS."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from aut_format.output import writing
from lts.base.argument_types import expect
from lts.drawing.dot import dumps_panels
from lts.drawing.layout import AUTOMATIC, expect_layout
from lts.drawing.panel import Panel
from lts.drawing.svg import svg
from lts.drawing.symmetry import found_panels, panels
from lts.drawing.tikz import tikz
from lts.errors import FormatError
from lts.symmetry.permutation.notation import Permutation, as_permutations
from lts.system.lts import LTS, expect_systems

__all__ = ["FORMATS", "Picture", "as_html", "draw"]

DRAWN_STATES, DRAWN_TRANSITIONS = 40, 120
"""Most states of a system that a notebook shows as a picture."""
LISTED = 20
"""Most labels that a notebook lists."""
FORMATS = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".tex": "tikz"}
"""The formats of pictures by the endings of file names."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of systems beside each other; a notebook displays it, `write` makes a file of it.

    `not_shown` has the permutations of labels under which the system is bisimilar to its image,
    but which do not map its states to states: minimise the system to see their orbits.
    """

    panels: tuple[Panel, ...]
    not_shown: tuple[Permutation, ...] = ()
    with_legend: bool = True
    layout: str = AUTOMATIC

    @property
    def svg(self) -> bytes:
        """The picture as SVG."""
        return svg(
            self.panels,
            layout=self.layout,
            max_states=self._most_states,
            with_legend=self.with_legend,
        )

    @property
    def dot(self) -> bytes:
        """The picture in the DOT language of Graphviz."""
        return dumps_panels(self.panels, layout=self.layout, max_states=self._most_states)

    @property
    def tikz(self) -> bytes:
        """The picture as a figure for LaTeX."""
        return tikz(self.panels, layout=self.layout, max_states=self._most_states)

    @property
    def _most_states(self) -> int:
        return max(panel.system.state_count for panel in self.panels)

    def write(self, file: str | os.PathLike[str]) -> None:
        """Write the picture as .svg, .dot or .gv for Graphviz, or .tex for LaTeX, by the name of
        the file.

        Raises `FormatError` for any other ending.
        """
        expect(file, (str, os.PathLike), "the path of a file")
        path = os.fspath(file)
        end = os.path.splitext(path)[1].lower()
        if end not in FORMATS:
            raise FormatError(
                f"`{path}`: a picture is written as {', '.join(FORMATS)}; other programs, such as "
                "rsvg-convert, make PNG and PDF of SVG"
            )
        data = getattr(self, FORMATS[end])
        with writing(path) as out:
            out.write(data)

    def __repr__(self) -> str:
        return f"<Picture: {'; '.join(panel.title for panel in self.panels)}>"

    def _repr_html_(self) -> str:
        return self.svg.decode("utf-8", "replace")


def draw(
    system: LTS,
    permutations: Permutation | Sequence[Permutation] | None = None,
    *,
    layout: str = AUTOMATIC,
    max_states: int | None = None,
) -> Picture:
    """Return a picture of the reachable part of a system, coloured by the orbits of its symmetries.

    With `permutations` of labels, their reduction is drawn beside it. `layout` is one of
    `lts.drawing.layout.LAYOUTS`, by default the one that is easiest to read. `lts.draw` also takes
    files and specifications. Raises `NotSymmetric` for a permutation that is no symmetry,
    `LtsError` for an unknown layout, and for more than `max_states` states, by default
    `DRAWN_STATES`.

    >>> draw(LTS.from_transitions([(0, "a", 1)]))
    <Picture: 2 states, 1 transition>
    """
    expect_systems(system)
    expect_layout(layout)
    if isinstance(permutations, LTS):
        raise TypeError(
            "permutations of labels are expected, not an object of LTS: lts.view shows two systems "
            "beside each other"
        )
    if permutations is not None:
        given = as_permutations(permutations)
        return Picture(tuple(panels(system, given, max_states=max_states)), layout=layout)
    panel, others = found_panels(system, max_states=max_states)
    return Picture((panel,), tuple(others), layout=layout)


def as_html(system: LTS) -> str:
    """Return a picture for a notebook, or a summary of a larger system."""
    if system.state_count <= DRAWN_STATES and system.transition_count <= DRAWN_TRANSITIONS:
        whole = system.reachable()
        panel = Panel(repr(system)[1:-1], whole, (None,) * whole.state_count)
        return Picture((panel,), with_legend=False)._repr_html_()
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

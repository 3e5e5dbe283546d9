"""`ltstool draw`: draw a small LTS with coloured orbits, and its reduction."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.base.bounds import DRAWN_STATES
from lts.drawing.layout import AUTOMATIC, LAYOUTS
from ltstool.options.request import Request, Takes
from ltstool.options.table import ALL, FILES, OF_SPECIFICATION, STATE_SPACE, option
from ltstool.shared.files import format_of, is_standard, open_output
from ltstool.shared.reading import hidden, hide, read_system, source
from ltstool.symmetric.reductions import permutations_of_labels

if TYPE_CHECKING:
    from lts.drawing.panel import Panel

HELP = "draw a small LTS with coloured orbits, and its reduction, as .svg, .dot or .tex"
EXAMPLES = (
    "draw cases/abp.mcrl -o abp.svg",
    "draw small.aut --to dot",
    "draw ring.aut --layout circle -o ring.tex",
    "draw system.aut --max-states 500 -o system.svg",
)


class Drawing(Request):
    """The options of `draw`."""

    to: str | None = option(
        "--to dot|svg|tikz",
        "the format (default: by the name of OUT, else svg); other programs, such as rsvg-convert "
        "or a browser, make PNG and PDF of SVG",
    )
    layout: str = option(
        f"--layout {'|'.join([AUTOMATIC, *LAYOUTS])}",
        "how states are placed (default: the layout that is easiest to read)",
        default=AUTOMATIC,
    )


TAKES = Takes(
    request=Drawing,
    reads=ALL,
    options=(
        *("file", "output", "to", "layout", "hide", *FILES, *STATE_SPACE),
        *("symmetry", "identities"),
    ),
    changed={
        "max_states": {
            "help": f"draw at most N states (default: {DRAWN_STATES.default}); larger ones are not "
            "drawn (exit 3)",
            "of": ALL,
        },
        "symmetry": {
            "help": f"{OF_SPECIFICATION}; the reduction is drawn too, rho-steps dashed (default: "
            "colour the orbits of all symmetries of data)"
        },
    },
)


def run(request: Drawing) -> int:
    """Draw the system and write the picture."""
    from lts.drawing.notebook import FORMATS, Picture, draw

    kind = request.to or format_of(request.output, FORMATS, "svg")
    of = source(request, request.reading.file)
    whole = read_system(request, request.reading.file, of=of)
    system = hide(request, whole)
    most = request.exploring.max_states
    if request.group.symmetry is None:
        picture = draw(system, layout=request.layout, max_states=most)
        for permutation in picture.not_shown:
            request.note(f"`{permutation}` is not shown: minimise the system first")
    else:
        # A symmetry of a specification is proven before hiding; an LTS only needs to be symmetric
        # after hiding.
        moved = system if of is None else whole
        generators = permutations_of_labels(request, moved, of)
        drawn = draw(moved, generators, max_states=most).panels
        panels = [replace(panel, system=hidden(request, panel.system)) for panel in drawn]
        picture = Picture(tuple(panels), layout=request.layout)
    data: bytes = getattr(picture, kind)
    if not (request.json and is_standard(request.output)):
        with open_output(request, request.output) as out:
            out.write(data)
    if request.json:
        print(json.dumps([as_json(panel) for panel in picture.panels]))
    return 0


def as_json(panel: Panel) -> dict[str, object]:
    """Return the contents of a panel: its title, and the orbits with more than one state, by
    colour."""
    coloured = sorted({colour for colour in panel.orbits if colour is not None})
    return {
        "title": panel.title,
        "states": panel.system.state_count,
        "transitions": panel.system.transition_count,
        "orbits": [
            [state for state, colour in enumerate(panel.orbits) if colour == orbit]
            for orbit in coloured
        ],
    }

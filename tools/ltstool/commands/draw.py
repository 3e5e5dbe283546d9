"""`ltstool draw`: a picture of a small LTS, its orbits coloured, and of its reduction."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.drawing.limits import MAX_STATES
from ltstool.shared.files import format_of, is_standard, open_output
from ltstool.shared.idle import ALL, refuse_idle
from ltstool.shared.numbers import positive
from ltstool.shared.options import (
    add_from,
    add_hide,
    add_input,
    add_output,
    add_salvage,
    add_tau,
    hide,
    hide_given,
    remark,
)
from ltstool.shared.originals import add_as_such
from ltstool.shared.systems import SYSTEM, add_system_options
from ltstool.symmetric.of_labels import permutations_of_labels, read_system
from ltstool.symmetric.options import add_symmetry_of_labels

if TYPE_CHECKING:
    from lts.drawing.svg import Panel

HELP = "draw a small LTS, its orbits coloured, and its reduction: .svg, .png, .pdf, or .dot"

FORMATS = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".dot": "dot", ".gv": "dot"}
EXAMPLES = (
    "draw cases/abp.mcrl -o abp.svg",
    "draw small.aut --to dot",
    "draw system.aut --max-states 500 -o system.pdf",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `draw` takes."""
    add_input(parser, SYSTEM)
    add_output(parser)
    parser.add_argument(
        "--to",
        choices=("dot", "pdf", "png", "svg"),
        help="the format (default: by the name of OUT, else svg); png and pdf need matplotlib",
    )
    add_symmetry_of_labels(
        parser,
        "the reduction is drawn too, rho-steps dashed (default: colour the orbits of all "
        "symmetries of data)",
    )
    add_hide(parser)
    add_tau(parser)
    add_as_such(parser)
    add_salvage(parser)
    add_from(parser)
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=positive,
        help=f"draw so many states (default: {MAX_STATES}); the state space of a specification is "
        "generated up to there (exit 3)",
    )
    group = parser.add_argument_group("FILE as a specification", "its state space is generated")
    add_system_options(group)


def run(arguments: argparse.Namespace) -> int:
    """Draw."""
    from lts.symmetry.labels.picture import found_panels, panels

    refuse_idle(arguments, arguments.file, meant={"max_states": ALL})
    kind = arguments.to or format_of(arguments.output, FORMATS, "svg")
    whole, source = read_system(arguments, arguments.file)
    system = hide_given(arguments, whole)
    most = arguments.max_states
    if arguments.symmetry is None:
        panel, others = found_panels(system, max_states=most)
        drawn = [panel]
        for permutation in others:
            remark(arguments, f"`{permutation}` is not shown: minimise the system first")
    else:
        # What a specification has proven is a symmetry whatever is hidden; of an LTS only what is
        # left has to have it.
        moved = system if source is None else whole
        generators = permutations_of_labels(arguments, moved, source)
        drawn = [
            replace(panel, system=hide(panel.system, arguments.hide))
            for panel in panels(moved, generators, max_states=most)
        ]
    if kind == "dot":
        from lts.drawing import dot

        picture = dot.dumps_panels(drawn)
    else:
        from lts.drawing.svg import svg

        picture = svg(drawn, max_states=most)
        if kind != "svg":
            from lts.drawing.raster import rasterised

            picture = rasterised(picture, kind)
    if not (arguments.json and is_standard(arguments.output)):
        with open_output(arguments.output) as out:
            out.write(picture)
    if arguments.json:
        print(json.dumps([as_json(panel) for panel in drawn]))
    return 0


def as_json(panel: Panel) -> dict[str, object]:
    """Return what a panel shows: its title, and the orbits of several states by colour."""
    coloured = sorted({colour for colour in panel.orbits if colour is not None})
    return {
        "title": panel.title,
        "states": panel.system.state_count,
        "transitions": panel.system.transition_count,
        "orbits": [
            [state for state, colour in enumerate(panel.orbits) if colour == wanted]
            for wanted in coloured
        ],
    }

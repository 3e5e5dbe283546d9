"""`ltstool expand`: the original of a reduction."""

from __future__ import annotations

import argparse
import json
import os

from lts.errors import LtsError
from ltstool.shared.files import check_format, refuse_written, write_lts
from ltstool.shared.idle import is_explored
from ltstool.shared.options import (
    add_from,
    add_input,
    add_output,
    add_salvage,
    add_tau,
    refuse_json_beside,
    remark_internal,
    tell_written,
)
from ltstool.shared.originals import read_encoding
from ltstool.shared.progress import phase
from ltstool.shared.specifications import add_symmetry

HELP = "give back the LTS that a reduction was made from, or its exact size"
EXAMPLES = ("expand reduced.aut -o whole.aut",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `expand` takes."""
    add_input(parser)
    add_symmetry(
        parser,
        required=False,
        help="symmetry file of the reduction (default: FILE.sym)",
        identities=False,
    )
    parser.add_argument(
        "--count", action="store_true", help="print states and transitions without building them"
    )
    add_output(parser)
    add_tau(parser)
    add_salvage(parser)
    add_from(parser)


def run(arguments: argparse.Namespace) -> int:
    """Expand or count."""
    from lts.symmetry import count, expand

    if not arguments.count:
        refuse_json_beside(arguments, arguments.output)
    if arguments.symmetry is None and arguments.file in (None, "-"):
        raise LtsError("the reduction comes from standard input, so `--symmetry S` is needed")
    symmetry_file = arguments.symmetry or f"{arguments.file}.sym"
    is_lone = os.path.exists(str(arguments.file)) and not os.path.exists(symmetry_file)
    if arguments.symmetry is None and is_lone and not is_explored(arguments, arguments.file):
        raise LtsError(
            f"there is no symmetry file `{symmetry_file}` beside it: `{arguments.file}` is no "
            "reduction, or `--symmetry S` has to say which one is its"
        )
    refuse_written([symmetry_file])
    check_format(arguments.output)
    encoding, symmetry = read_encoding(arguments, arguments.file, symmetry_file)
    if not arguments.count:
        with phase("expanding"):
            original = expand(encoding, symmetry)
        remark_internal(arguments, original)
        write_lts(original, arguments.output)
        sizes = {"states": original.state_count, "transitions": original.transition_count}
        tell_written(arguments, **sizes)
        return 0
    states, transitions = count(encoding, symmetry)
    if arguments.json:
        print(json.dumps({"states": states, "transitions": transitions}))
    else:
        print(f"{states} states, {transitions} transitions")
    return 0

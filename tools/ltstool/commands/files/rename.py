"""`ltstool rename`: labels under other names."""

from __future__ import annotations

import argparse
import warnings

from lts.errors import LtsError, NameWarning
from ltstool.shared.files import check_format, write_lts
from ltstool.shared.options import (
    add_from,
    add_output,
    add_salvage,
    add_tau,
    refuse_json_beside,
    remark,
    remark_internal,
    tell_written,
)
from ltstool.shared.originals import add_as_such
from ltstool.shared.systems import load

HELP = "rename the labels of an LTS, by pattern"
EXAMPLES = (
    "rename a.aut send=put -o b.aut",
    "rename a.aut 'c_*(*)=channel(*,*)' 'done=tau' -o b.aut",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `rename` takes."""
    parser.add_argument("file", metavar="FILE", help="file of an LTS (`-`: standard input)")
    parser.add_argument(
        "names",
        metavar="OLD=NEW",
        nargs="+",
        help="an action by its name, a whole label, or a pattern with * and ?; what these stand "
        "for takes the place of the * and ? of NEW, in their order. The first that fits renames",
    )
    add_output(parser)
    add_tau(parser)
    add_as_such(parser)
    add_salvage(parser)
    add_from(parser)


def run(arguments: argparse.Namespace) -> int:
    """Rename and write."""
    names = dict(map(_pair, arguments.names))
    check_format(arguments.output)
    refuse_json_beside(arguments, arguments.output)
    system = load(arguments, arguments.file, reduction="refused")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", NameWarning)
        try:
            renamed = system.rename(names)
        except ValueError as error:
            raise LtsError(str(error)) from None
    for each in said:
        remark(arguments, str(each.message))
    remark_internal(arguments, renamed)
    write_lts(renamed, arguments.output)
    tell_written(arguments, labels=len(renamed.labels))
    return 0


def _pair(text: str) -> tuple[str, str]:
    """Return the two names; the sign between them is the last outside of brackets and quotes."""
    depth, quoted, places = 0, False, []
    for place, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth += (c in "([{") - (c in ")]}")
            if c == "=" and depth <= 0:
                places.append(place)
    if len(places) != 1 or places[0] in (0, len(text) - 1):
        raise LtsError(f"`{text}` is not OLD=NEW")
    return text[: places[0]], text[places[0] + 1 :]

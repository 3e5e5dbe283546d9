"""`ltstool expand`: restore the original of a reduction."""

from __future__ import annotations

import os

from lts.errors import LtsError
from ltstool.options.request import Request, Takes
from ltstool.options.table import LTS_FILE, option
from ltstool.shared.files import also_read, is_standard, symmetry_file, write_lts
from ltstool.shared.reading import read_encoding

HELP = "restore the LTS that a reduction was made from, or print its exact size"
EXAMPLES = ("expand reduced.aut -o whole.aut",)


class Expanding(Request):
    """The options of `expand`."""

    count: bool = option("--count", "print states and transitions without building them")


TAKES = Takes(
    request=Expanding,
    reads=(LTS_FILE,),
    writes=LTS_FILE,
    options=("file", "output", "count", "tau", "salvage", "format", "symmetry"),
    changed={"symmetry": {"help": "symmetry file of the reduction (default: FILE.sym)"}},
    about={"group": ("symmetry", "")},
)


def run(request: Expanding) -> int:
    """Expand, or count without expanding."""
    from lts.symmetry import count, expand

    file, beside = request.reading.file, request.group.symmetry
    if beside is None:
        if file is None or is_standard(file):
            raise LtsError("the reduction comes from standard input, so `--symmetry S` is needed")
        beside = symmetry_file(file)
        if os.path.exists(file) and not os.path.exists(beside):
            raise LtsError(
                f"the symmetry file `{beside}` does not exist: `{file}` is not a reduction, or "
                "`--symmetry S` must name its symmetry file"
            )
    also_read(request, [beside])
    encoding, symmetry = read_encoding(request, file, beside)
    if request.count:
        states, transitions = count(encoding, symmetry)
        facts = {"states": states, "transitions": transitions}
        request.say(facts, f"{states} states, {transitions} transitions")
        return 0
    with request.phase("expanding"):
        original = expand(encoding, symmetry)
    write_lts(request, original, request.output)
    request.written(states=original.state_count, transitions=original.transition_count)
    return 0

"""`ltstool linearise`: print the linear process of a specification, or a net without colours."""

from __future__ import annotations

import sys

from ltstool.options.request import TEXT, Request, Takes
from ltstool.options.table import NET, SPEC, SPECIFICATION, SPECIFICATIONS
from ltstool.shared.files import write_text
from ltstool.shared.reading import linearised, read_net, read_specification

HELP = (
    "print the linear process of a specification, in its language; of a coloured Petri net, the "
    "place/transition net with a place for each colour"
)
EXAMPLES = ("linearise cases/abp.mcrl", "linearise cases/nets/database.pnml -o plain.pnml")
TAKES = Takes(
    reads=(SPECIFICATION, NET),
    writes=TEXT,
    options=("file", "output", "verbose", *SPECIFICATIONS, "net_labels", "net", "confluence"),
    changed={
        "file": {**SPEC, "help": f"{SPEC['help']}, or Petri net (.pnml)"},
        "verbose": {"help": "list the simplifications, with reasons", "of": (SPECIFICATION,)},
        **{name: {"of": (NET,)} for name in ("net_labels", "net")},
    },
)


def run(request: Request) -> int:
    """Print the linear process or the net."""
    if request.kind(request.reading.file) == NET:
        return unfold(request)
    specification = read_specification(request, request.reading.file)
    if specification.communications is None:
        from lts.mcrl2.printing import linear_text
    else:
        from lts.mucrl import linear_text
    process = linearised(request, specification)
    if request.verbose:
        for line in process.remarks or ("nothing could be simplified",):
            print(line, file=sys.stderr)
    write_text(request, request.output, linear_text(process))
    request.written(parameters=len(process.parameters), summands=len(process.summands))
    return 0


def unfold(request: Request) -> int:
    """Print a net without colours."""
    from lts.petri import unfolded
    from lts.petri.unfolding import labels_repeat

    net = read_net(request, request.reading.file)
    write_text(request, request.output, unfolded(net))
    if labels_repeat(net):
        request.note("transitions have the same label: read the net with `--labels name`")
    request.written(places=len(net.spots), transitions=len(net.firings))
    return 0

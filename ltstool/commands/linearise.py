"""`ltstool linearise`: print the linear process of a specification, or write it as a `.lps` file;
print a net without colours."""

from __future__ import annotations

import sys

from lts.errors import LtsError
from ltstool.options.request import TEXT, Request, Takes
from ltstool.options.table import NET, SPEC, SPECIFICATION, SPECIFICATIONS
from ltstool.shared.files import open_output, process_text, write_text
from ltstool.shared.reading import linearised, read_net, read_specification

HELP = (
    "print the linear process of a specification, in its language, or write that of mCRL2 as a "
    ".lps file; of a coloured Petri net, the place/transition net with a place for each colour"
)
EXAMPLES = (
    "linearise cases/abp.mcrl",
    "linearise protocol.mcrl2 -o protocol.lps",
    "linearise protocol.lps",
    "linearise cases/nets/database.pnml -o plain.pnml",
)
TAKES = Takes(
    reads=(SPECIFICATION, NET),
    writes=TEXT,
    options=("file", "output", "verbose", *SPECIFICATIONS, "net_labels", "net", "confluence"),
    changed={
        "file": {**SPEC, "help": f"{SPEC['help']}, or Petri net (.pnml)"},
        "verbose": {"help": "list the simplifications, with reasons", "of": (SPECIFICATION,)},
        "output": {"help": "default: standard output; of mCRL2, also .lps"},
        **{name: {"of": (NET,)} for name in ("net_labels", "net")},
    },
)


def run(request: Request) -> int:
    """Print the linear process or the net."""
    if request.kind(request.reading.file) == NET:
        return unfold(request)
    specification = read_specification(request, request.reading.file)
    language = "muCRL" if specification.communications is not None else "mCRL2"
    is_binary = _is_binary(request, language)
    process = linearised(request, specification)
    if request.verbose:
        for line in process.remarks or ("nothing could be simplified",):
            print(line, file=sys.stderr)
    if is_binary:
        from lts.mcrl2.binary.linear import linear_file

        with open_output(request, request.output) as file:
            file.write(linear_file(process))
    else:
        write_text(request, request.output, process_text(process))
    request.written(parameters=len(process.parameters), summands=len(process.summands))
    return 0


def unfold(request: Request) -> int:
    """Print a net without colours."""
    from lts.petri import unfolded
    from lts.petri.unfolding import labels_repeat

    _is_binary(request, "PNML")
    net = read_net(request, request.reading.file)
    write_text(request, request.output, unfolded(net))
    if labels_repeat(net):
        request.note("transitions have the same label: read the net with `--labels name`")
    request.written(places=len(net.spots), transitions=len(net.firings))
    return 0


def _is_binary(request: Request, language: str) -> bool:
    """Whether the output is a `.lps` file; raise an error if nothing of the language can be one."""
    out = request.output
    is_binary = out is not None and out.lower().endswith(".lps")
    if is_binary and language != "mCRL2":
        message = f"a .lps file contains a linear process of mCRL2, and the input is in {language}"
        raise LtsError(message, file=out)
    return is_binary

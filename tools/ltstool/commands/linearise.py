"""`ltstool linearise`: print the linear process of a specification."""

from __future__ import annotations

import sys

from lts.errors import Unsupported
from ltstool.request import TEXT, Request, Takes
from ltstool.shared.files import write_text
from ltstool.shared.reading import linearised, read_specification
from ltstool.table import SPEC, SPECIFICATION, SPECIFICATIONS

HELP = "print the linear process of a muCRL specification"
EXAMPLES = ("linearise cases/abp.mcrl",)
TAKES = Takes(
    reads=(SPECIFICATION,),
    writes=TEXT,
    options=("file", "output", "verbose", *SPECIFICATIONS, "confluence"),
    changed={
        "file": SPEC,
        "verbose": {"help": "list the simplifications, with reasons"},
    },
)


def run(request: Request) -> int:
    """Print the linear process."""
    from lts.mucrl import linear_text

    specification = read_specification(request, request.reading.file)
    if specification.communications is None:
        raise Unsupported(
            "linearise prints μCRL, which cannot express mCRL2: other commands read this "
            "specification",
            file=specification.source.file,
        )
    process = linearised(request, specification)
    if request.verbose:
        for line in process.remarks or ("nothing could be simplified",):
            print(line, file=sys.stderr)
    write_text(request, request.output, linear_text(process))
    request.written(parameters=len(process.parameters), summands=len(process.summands))
    return 0

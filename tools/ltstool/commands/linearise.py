"""`ltstool linearise`: print the linear process of a specification."""

from __future__ import annotations

import sys

from ltstool.options.request import TEXT, Request, Takes
from ltstool.options.table import SPEC, SPECIFICATION, SPECIFICATIONS
from ltstool.shared.files import write_text
from ltstool.shared.reading import linearised, read_specification

HELP = "print the linear process of a specification, in its language"
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

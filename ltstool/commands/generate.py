"""`ltstool generate`: generate the state space of a specification or a Petri net."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltstool import compositional
from ltstool.options import table
from ltstool.options.request import Request, Takes
from ltstool.options.table import option
from ltstool.shared.explorations import beginning
from ltstool.shared.explorations import run as explore
from ltstool.shared.reading import (
    linearised,
    read_specification,
    remark_reset,
    source,
    split_specification,
)
from ltstool.symmetric import quotient

if TYPE_CHECKING:
    from lts.errors import LtsError
    from lts.network import Network

HELP = "generate the labelled transition system of a specification or a Petri net"
EXAMPLES = (
    "generate cases/abp.mcrl -o abp.aut",
    "generate cases/peterson.mcrl --set N=3 --deadlocks --trace stuck.trace",
    "generate cases/peterson.mcrl --symmetry Pid -o reduced.aut",
    "generate cases/abp.mcrl --reduce branching -o least.aut",
    "generate cases/peterson.mcrl --partitions 4 -o peterson.parts",
)


class Generating(Request):
    """The options of `generate`."""

    check: bool = option(
        "--check",
        "check every value in states and labels, and report all functions that lack equations",
        of=(table.SPECIFICATION,),
    )


_IN_PARTS = ("reduce", "preserve", "nesting", "strong")
"""The options for the parallel components of a specification."""
_WHOLE = (
    "applies to the whole system, which --{} does not build (`ltstool split` writes a network, "
    "for `ltstool compose`)"
)
TAKES = Takes(
    request=Generating,
    reads=tuple(kind for kind, command in table.MAKE.items() if command == "generate"),
    writes=table.LTS_FILE,
    options=(
        *(
            "file",
            "output",
            "verbose",
            "check",
            "hide",
            *table.STATE_SPACE,
            "confluence",
            "partial",
        ),
        *(
            *table.SYMMETRY,
            "node_limit",
            "write_symmetry",
            "reduce",
            "preserve",
            "nesting",
            "strong",
        ),
        *(*table.IN_PARTITIONS, *table.SEARCH),
    ),
    changed={
        "file": {**table.SPEC, "help": f"{table.SPEC['help']}, or Petri net (.pnml)"},
        **{name: {"of": (table.SPECIFICATION,)} for name in _IN_PARTS},
        **dict.fromkeys(table.IN_PARTITIONS, table.OF_PARTS),
    },
    against={
        ("confluence", "search"): "has other traces, without some internal steps: leave it out "
        "with a search",
        ("confluence", "reduce"): "applies to a state space that is generated as a whole: "
        "--reduce leaves out more",
        ("confluence", "preserve"): "applies to a state space that is generated as a whole: "
        "--preserve leaves out more",
        **table.NO_PARTS,
        **table.OF_ALL_STATES,
        **compositional.OF_THE_WHOLE,
        **{
            (name, how): _WHOLE.format(how)
            for how in ("reduce", "preserve")
            for name in ("symmetry", *table.ACTION_GOALS, "trace")
        },
        **quotient.OF_QUOTIENTS,
    },
)


def run(request: Generating) -> int:
    """Generate, write, and report what was found."""
    with beginning(request):
        if request.composing.is_requested:
            return compositional.run(request, lambda: _network(request))
        if request.group.symmetry is not None:
            return quotient.run(request)
        if request.kind(request.reading.file) != table.SPECIFICATION:
            described = source(request, request.reading.file)
            assert described is not None
            return explore(request, described)
        specification = read_specification(request, request.reading.file)
        from lts.mucrl import missing_cases

        if request.check:
            for case in missing_cases(specification):
                request.warn(f"no equation fits `{case}`")
        process = linearised(request, specification, simultaneous=True)
        code = explore(request, process, check=request.check)
        if request.writes:
            remark_reset(request, process)
        return code


def _network(request: Request) -> Network:
    """Return the specification as a network, for compositional minimisation."""

    def joining(name: str, error: LtsError) -> None:
        request.note(f"component `{name}` is generated together with its context: {error.message}")

    return split_specification(request, joining)

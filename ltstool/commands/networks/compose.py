"""`ltstool compose`: generate the state space of a network of components."""

from __future__ import annotations

from ltstool import compositional
from ltstool.options import table
from ltstool.options.request import Request, Takes
from ltstool.shared.explorations import beginning
from ltstool.shared.explorations import run as explore
from ltstool.shared.reading import read_network
from ltstool.symmetric import quotient

HELP = "compose a network of LTSs, in the EXP notation of CADP, into one LTS"
EXAMPLES = (
    "compose network.exp -o whole.aut",
    "compose network.exp --reduce branching -o least.aut --verbose",
    "compose network.exp --partitions 4 -o whole.parts",
)
TAKES = Takes(
    reads=(table.NETWORK,),
    writes=table.LTS_FILE,
    options=(
        *("file", "output", "verbose", "tau_of_components", "hide", "as_such"),
        *(*table.STATE_SPACE, "partial"),
        *("symmetry", *table.PROOF, "node_limit", "write_symmetry"),
        *("reduce", "preserve", "nesting", "strong", *table.IN_PARTITIONS, *table.SEARCH),
    ),
    changed={
        "file": {"flags": "[NETWORK]", "help": "network (.exp; default: standard input)"},
        "symmetry": {
            "help": f"{table.OF_NETWORK}; the result is a reduction, as from `ltstool reduce`"
        },
        **dict.fromkeys(table.IN_PARTITIONS, table.OF_PARTS),
    },
    about={"text": ("components that are specifications", "")},
    against={
        **table.NO_PARTS,
        **table.OF_ALL_STATES,
        **{("symmetry", how): f"and --{how} exclude each other" for how in ("reduce", "preserve")},
        **compositional.OF_THE_WHOLE,
        **quotient.OF_QUOTIENTS,
    },
)


def run(request: Request) -> int:
    """Compose, write, and report what was found."""
    with beginning(request):
        if request.composing.is_requested:
            return compositional.run(
                request, lambda: read_network(request, request.reading.file, minimising=True)
            )
        if request.group.symmetry is not None:
            return quotient.run(request)
        network = read_network(request, request.reading.file)
        return explore(request, network)

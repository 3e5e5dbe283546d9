"""`ltstool split`: turn a specification into the network of its parallel processes."""

from __future__ import annotations

from lts.errors import LtsError
from ltstool.options.request import Request, Takes
from ltstool.options.table import SPEC, SPECIFICATION, STATE_SPACE
from ltstool.shared.files import is_standard
from ltstool.shared.reading import split_specification
from ltstool.shared.shown import aligned, plural

HELP = "split a specification into its components and the network that composes them"
EXAMPLES = (
    "split cases/abp.mcrl -o abp.exp",
    "split cases/peterson.mcrl --set N=3",
)
TAKES = Takes(
    reads=(SPECIFICATION,),
    options=("file", "output", *STATE_SPACE),
    changed={
        "file": SPEC,
        "output": {
            "flags": "-o --output NETWORK",
            "help": "network to write, NAME.exp, with NAME.1.aut and so on next to it (default: "
            "none; components are only listed)",
        },
    },
)


def run(request: Request) -> int:
    """Split, write, and list the components."""
    from lts.network.writer import component_files, write

    out = request.output
    if out is not None and (is_standard(out) or not out.lower().endswith(".exp")):
        raise LtsError("a network is written to several files: name them with -o NAME.exp")
    network = split_specification(request)
    files: tuple[str, ...] = ()
    if out is not None:
        files = component_files(out, len(network.components))
        write(network, out)
    components = [
        {
            "name": name,
            "states": system.state_count,
            "transitions": system.transition_count,
            **({"file": files[n]} if files else {}),
        }
        for n, (name, system) in enumerate(zip(network.names, network.components, strict=True))
    ]
    vectors = len(network.vectors)
    head = ["component", "states", "transitions", *(["file"] if files else [])]
    rows = [head, *([*map(str, each.values())] for each in components)]
    vectors = len(network.vectors)
    shown = f"{aligned(rows, right=(1, 2))}\n{plural(vectors, 'synchronisation vector')}"
    request.say({"components": components, "vectors": vectors}, shown)
    return 0

"""`ltstool split`: a specification as the network of the processes that it runs in parallel."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from ltstool.shared.files import is_standard
from ltstool.shared.options import add_threads
from ltstool.shared.specifications import add_simplifications, add_specification
from ltstool.shared.systems import add_limits, split_specification

if TYPE_CHECKING:
    from lts.network import Network

HELP = "split a specification into its components, and the network that puts them together"
EXAMPLES = (
    "split cases/abp.mcrl -o abp.exp",
    "split cases/peterson.mcrl --set N=3",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `split` takes."""
    add_specification(parser)
    add_simplifications(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="NETWORK",
        help="network that is written, NAME.exp, with NAME.1.aut and so on beside it (default: "
        "none; components are only listed)",
    )
    add_threads(parser)
    limits = parser.add_argument_group(
        "limits", "a component that reaches one ends with exit code 3"
    )
    add_limits(limits)


def run(arguments: argparse.Namespace) -> int:
    """Split, write, and list the components."""
    from lts.network.writer import component_files, write

    out = arguments.output
    if out is not None and (is_standard(out) or not out.lower().endswith(".exp")):
        raise LtsError("a network is written to several files: say -o NAME.exp")
    network = split_specification(arguments, arguments.specification)
    files: tuple[str, ...] = ()
    if out is not None:
        files = component_files(out, len(network.components))
        write(network, out)
    print(json.dumps(as_json(network, files)) if arguments.json else shown(network, files))
    return 0


def shown(network: Network, files: tuple[str, ...]) -> str:
    """Return the components for people, a line each, and the number of vectors."""
    rows = [("component", "states", "transitions", "file" if files else "")]
    for n, (name, system) in enumerate(zip(network.names, network.components, strict=True)):
        sizes = str(system.state_count), str(system.transition_count)
        rows.append((name, *sizes, files[n] if files else ""))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        f"{name:<{widths[0]}}  {states:>{widths[1]}}  {transitions:>{widths[2]}}  {file}".rstrip()
        for name, states, transitions, file in rows
    ]
    count = len(network.vectors)
    return "\n".join([*lines, f"{count} synchronisation vector{'' if count == 1 else 's'}"])


def as_json(network: Network, files: tuple[str, ...]) -> dict[str, Any]:
    """Return the components, and the number of vectors, for JSON."""
    return {
        "components": [
            {
                "name": name,
                "states": system.state_count,
                "transitions": system.transition_count,
                **({"file": files[n]} if files else {}),
            }
            for n, (name, system) in enumerate(zip(network.names, network.components, strict=True))
        ],
        "vectors": len(network.vectors),
    }

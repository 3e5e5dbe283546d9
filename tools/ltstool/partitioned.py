"""`generate` in partitions: in this process, or on the workers of a cluster."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from lts.formats.names import named
from ltstool.shared.files import is_standard
from ltstool.shared.numbers import positive
from ltstool.shared.options import remark

if TYPE_CHECKING:
    from lts.linear.process import LinearProcess
    from lts.state_space.generation import Generation

_OPTIONS = ("partitions", "cluster", "resume")


def add_partitions(parser: argparse.ArgumentParser) -> None:
    """Add `--partitions`, `--cluster` and `--resume`."""
    group = parser.add_argument_group(
        "partitions",
        "explore in partitions, for a folder of as many parts (-o FOLDER.parts); states, their "
        "numbers and transitions are the same for any number of them",
    )
    group.add_argument(
        "--partitions",
        metavar="K",
        type=positive,
        help="how many (default: one, or with --cluster as many as processors)",
    )
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="local",
        help="a worker for each partition, on the cluster of Ray at this address (`auto` finds the "
        "one of this machine), or without an address on this machine alone",
    )
    group.add_argument(
        "--resume",
        action="store_true",
        help="go on with a run that was stopped: its logs are in FOLDER.parts.run",
    )


def is_asked(arguments: argparse.Namespace) -> bool:
    """Whether a folder of parts is to be written."""
    output = arguments.output
    return not is_standard(output) and named(output, reading=False).format.name == "parts"


def refuse_idle(arguments: argparse.Namespace) -> None:
    """Refuse options that would do nothing."""
    parts = is_asked(arguments)
    for option in _OPTIONS:
        if getattr(arguments, option) in (None, False):
            continue
        if not parts:
            raise LtsError(f"--{option} is for a folder of parts: -o FOLDER.parts")
    for option in ("symmetry", "reduce"):
        if parts and getattr(arguments, option) is not None:
            raise LtsError(f"--{option} writes no folder of parts (`ltstool convert` does)")


def explore(
    arguments: argparse.Namespace, process: LinearProcess, options: dict[str, Any]
) -> Generation:
    """Explore in partitions; the folder is there in the end if it is whole, or `--partial`."""
    from lts.cluster import generate_parts

    workers, partitions = None, arguments.partitions or 1
    if arguments.cluster is not None:
        from lts.cluster.on_ray import OnRay, connect

        processors = connect(None if arguments.cluster == "local" else arguments.cluster)
        workers, partitions = OnRay, arguments.partitions or processors
    found = generate_parts(
        process,
        arguments.output,
        partitions=partitions,
        threads=arguments.threads,
        workers=workers,
        hide=arguments.hide,
        deadlocks=arguments.deadlocks,
        enough=arguments.traces,
        partial=arguments.partial,
        resume=arguments.resume,
        **options,
    )
    if found.incomplete == "interrupted" and found.statistics.levels > 1:
        remark(arguments, "--resume goes on with this run")
    return found

"""What is done in partitions: in this process, or on the workers of a cluster."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lts.errors import LtsError
from lts.formats.names import named
from ltstool.shared.files import is_standard
from ltstool.shared.idle import is_explored, reads_specification, refuse_given
from ltstool.shared.limits import ends_in_order
from ltstool.shared.numbers import positive
from ltstool.shared.options import hide_given, remark, with_tau
from ltstool.shared.progress import phase

if TYPE_CHECKING:
    from lts.cluster import Parts
    from lts.cluster.subject import Subject
    from lts.cluster.turns import Spilled
    from lts.state_space import Goals, Settings
    from lts.state_space.generation import Generation
    from lts.system import LTS

_OF_PARTS = dict.fromkeys(
    ("partitions", "cluster", "resume"), "is for a folder of parts: -o FOLDER.parts"
)
_NOT_OF_PARTS = dict.fromkeys(
    ("symmetry", "reduce"), "writes no folder of parts (`ltstool convert` does)"
)

_WHOLE = (
    *("classes", "keep_unreachable", "certificate", "strong", "symmetry", "salvage", "from"),
    *("max_states", "parameters", "language", "strict", "no_simplify"),
)
"""Options of `minimise` that need the whole system, or are of something else."""


def add_partitions(parser: argparse.ArgumentParser) -> None:
    """Add `--partitions`, `--cluster` and `--resume` of a generation."""
    _add(
        parser,
        "explore in partitions, for a folder of as many parts (-o FOLDER.parts); states, their "
        "numbers and transitions are the same for any number of them; with --max-memory they take "
        "turns, and what is too much is in files meanwhile",
        "FOLDER.parts.run",
    )


def add_minimisation(parser: argparse.ArgumentParser) -> None:
    """Add `--partitions`, `--cluster` and `--resume` of a minimisation."""
    _add(
        parser,
        "minimise a folder of parts (FILE is FOLDER.parts) in partitions, modulo strong, branching "
        "or divergence-preserving-branching; only the result has to fit one machine, and it is the "
        "same for any number of them; with --max-memory they take turns, and what is too much is "
        "in files meanwhile",
        "OUT.run",
    )


def add_orbits(parser: argparse.ArgumentParser) -> None:
    """Add `--partitions`, `--cluster`, `--resume` and `--run` of orbits that are explored."""
    group = _add(
        parser,
        "explore one state of each orbit of a specification in partitions; what is written or "
        "counted is the same for any number of them; with --max-memory they take turns, and what "
        "is too much is in files meanwhile; what is written is put together by one machine",
        "NAME.run",
    )
    group.add_argument(
        "--run",
        dest="run_name",
        metavar="NAME",
        help="keep what it takes to go on in NAME.run (default: NAME is OUT of -o OUT)",
    )


def _add(parser: argparse.ArgumentParser, about: str, run: str) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("partitions", about)
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
        help=f"go on with a run that was stopped: its logs are in {run}",
    )
    return group


def is_asked(arguments: argparse.Namespace) -> bool:
    """Whether a folder of parts is to be written."""
    output = arguments.output
    return not is_standard(output) and named(output, reading=False).format.name == "parts"


def refuse_idle(arguments: argparse.Namespace) -> None:
    """Refuse options that would do nothing."""
    refuse_given(arguments, _NOT_OF_PARTS if is_asked(arguments) else _OF_PARTS)


def explore(
    arguments: argparse.Namespace, process: Subject, settings: Settings, goals: Goals
) -> Generation:
    """Explore in partitions; the folder is there in the end if it is whole, or `--partial`."""
    from lts.cluster import generate_parts

    with _parts(arguments) as parts:
        found = generate_parts(
            process,
            arguments.output,
            parts,
            settings,
            goals,
            hide=arguments.hide,
            partial=arguments.partial,
        )
    if found.incomplete == "interrupted" and found.statistics.levels > 1:
        remark(arguments, "--resume goes on with this run")
    return found


@contextmanager
def _parts(arguments: argparse.Namespace) -> Iterator[Parts]:
    """Yield where workers are, and how many."""
    from lts.cluster import Parts

    def spilled(cost: Spilled) -> None:
        remark(arguments, str(cost))

    parts = Parts(arguments.partitions or 1, resume=arguments.resume, spilled=spilled)
    if arguments.cluster is None:
        yield parts
        return
    from lts.cluster.on_ray import OnRay, connected

    address = None if arguments.cluster == "local" else arguments.cluster
    ends_in_order()
    with connected(address) as processors:
        yield replace(parts, workers=OnRay, partitions=arguments.partitions or processors)


def explores_orbits(arguments: argparse.Namespace) -> bool:
    """Whether orbits are to be explored in partitions; refuse what does not go with that."""
    if arguments.partitions is None and arguments.cluster is None:
        for option, given in [("resume", arguments.resume), ("run", arguments.run_name)]:
            if given not in (None, False):
                raise LtsError(f"--{option} is for --partitions or --cluster")
        return False
    if not reads_specification(arguments, arguments.file):
        message = "--partitions and --cluster explore a specification, under a symmetry of its data"
        raise LtsError(message)
    if arguments.resume and _run_of_orbits(arguments) is None:
        raise LtsError("--resume needs to know of which run: -o OUT, or --run NAME")
    return True


def _run_of_orbits(arguments: argparse.Namespace) -> str | None:
    """Return the name that a run goes by, if it is kept."""
    name: str | None = arguments.run_name
    if name is None and not arguments.count and not _is_special(arguments.output):
        name = arguments.output
    return name


@contextmanager
def where_orbits_are(arguments: argparse.Namespace) -> Iterator[Parts]:
    """Yield where orbits are explored, in how many partitions, and where that is kept until this is
    left: what was found is written inside."""
    run = _run_of_orbits(arguments)
    try:
        with _parts(arguments) as parts, ExitStack() as until:
            yield replace(parts, run=run, until=until)
    except KeyboardInterrupt:
        if run is not None:
            remark(arguments, "--resume goes on with this run")
        raise


def minimises(arguments: argparse.Namespace) -> bool:
    """Whether a minimisation is to be one in partitions; refuse what does not go with that."""
    if arguments.partitions is None and arguments.cluster is None:
        if arguments.resume:
            raise LtsError("--resume is for --partitions or --cluster")
        return False
    asked = "cluster" if arguments.partitions is None else "partitions"
    refuse_given(
        arguments, dict.fromkeys(_WHOLE, f"is not for a minimisation in partitions, by --{asked}")
    )
    file = arguments.file
    if (
        is_standard(file)
        or is_explored(arguments, file)
        or named(file, reading=True).format.name != "parts"
    ):
        raise LtsError("--partitions and --cluster minimise a folder of parts: FOLDER.parts")
    if not arguments.as_such and Path(f"{file}.sym").is_file():
        message = f"{file} is a reduction, by {file}.sym: its encoding is minimised with --as-such"
        raise LtsError(message)
    if arguments.resume and is_standard(arguments.output):
        raise LtsError("--resume needs the name of what is written: -o OUT")
    return True


@contextmanager
def minimised(arguments: argparse.Namespace) -> Iterator[LTS]:
    """Minimise in partitions, and yield the result: logs are kept until it is written, inside."""
    from lts.cluster import minimise_parts
    from lts.state_space.settings import Limits, Settings

    def labels(system: LTS) -> LTS:
        return hide_given(arguments, with_tau(arguments, arguments.file, system))

    output = arguments.output
    special = _is_special(output)
    try:
        with _parts(arguments) as parts, ExitStack() as until:
            parts = replace(parts, run=None if special else output, until=until)
            memory = arguments.max_memory if parts.workers is None else None
            settings = Settings(limits=Limits(memory=memory), threads=arguments.threads)
            with phase("minimising"):
                least = minimise_parts(
                    arguments.file, arguments.equivalence, parts, settings, labels=labels
                )
            yield least
    except KeyboardInterrupt:
        if not special:
            remark(arguments, "--resume goes on with this run")
        raise


def _is_special(output: str | None) -> bool:
    """Whether what is written goes to a pipe or a device, beside which is no place for logs."""
    if output is None or is_standard(output):
        return True
    return os.path.exists(output) and not (os.path.isfile(output) or os.path.isdir(output))

"""Systems that commands read: .aut files, and specifications, whose state space is generated."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.shared import limits as command_limits
from ltstool.shared.files import is_standard, refuse_written
from ltstool.shared.numbers import positive
from ltstool.shared.options import add_threads
from ltstool.shared.progress import generation_progress
from ltstool.shared.specifications import (
    add_parameters,
    add_simplifications,
    is_specification,
    read_specification,
    refuse_kind,
    remark_normal_forms,
    simplifications,
)

if TYPE_CHECKING:
    from lts.linear.process import LinearProcess
    from lts.network import Network
    from lts.system import LTS

SYSTEM = ".aut file, specification (.mcrl, .mcrl2), or network (.exp)"
"""What a command that reads a system takes, for its help."""

ON_SPECIFICATION = ("parameters", "language", "strict", "no_simplify")
"""Options that do nothing for an LTS."""
ON_LTS = ("salvage", "as_such", "from")
"""Options that do nothing for a specification."""


def add_system_options(parser: argparse._ActionsContainer) -> None:
    """Add how a specification is read and its state space generated, but for `--max-states`."""
    add_parameters(parser)
    add_simplifications(parser)
    add_max_values(parser)
    add_threads(parser)


def add_limits(parser: argparse._ActionsContainer) -> None:
    """Add `--max-states` and `--max-values`."""
    add_max_states(parser)
    add_max_values(parser)


def add_max_states(parser: argparse._ActionsContainer) -> None:
    """Add `--max-states N` of a generation."""
    parser.add_argument(
        "--max-states", metavar="N", type=positive, help="stop when there are more states (exit 3)"
    )


def add_max_values(parser: argparse._ActionsContainer) -> None:
    """Add `--max-values N`."""
    parser.add_argument(
        "--max-values",
        metavar="N",
        type=positive,
        default=1_000_000,
        help="stop when a sum has more values in one state (exit 3; default: %(default)s)",
    )


def reads_specification(arguments: argparse.Namespace, file: str | None) -> bool:
    """Whether a file is a specification: by its name, or for standard input by `--language`."""
    language = getattr(arguments, "language", None)
    return is_specification(file) or (is_standard(file) and language is not None)


def refuse_idle(arguments: argparse.Namespace, *, specification: bool) -> None:
    """Refuse options that do nothing for a specification, or for an LTS."""
    for option in ON_LTS if specification else ON_SPECIFICATION:
        if getattr(arguments, option, None):
            shown = "set" if option == "parameters" else option.replace("_", "-")
            one, other = ("an LTS", "a specification")
            if not specification:
                one, other = other, one
            raise LtsError(f"--{shown} is for {one}, and what is read is {other}")


def linear_process(arguments: argparse.Namespace, file: str | None) -> LinearProcess:
    """Return the linear process of a specification that is read as the options say."""
    from lts.linear.linearise import linearise

    specification = read_specification(arguments, "-" if file is None else file)
    return linearise(specification, simplifications=simplifications(arguments))


def is_network(file: str | None) -> bool:
    """Whether a file is the text of a network, by its name."""
    return file is not None and file.lower().endswith(".exp")


def read_network(arguments: argparse.Namespace, file: str) -> Network:
    """Read a network; `-` from standard input, its components in the folder where one works."""
    from lts import network
    from ltstool.shared.options import load

    if not is_standard(file):
        refuse_kind(file, "a network")
    specifications = []

    def component(path: str) -> LTS:
        refuse_written([path])
        specifications.extend([path] if is_specification(path) else [])
        return load(arguments, path, hidden=False)

    if is_standard(file):
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        found = network.read_text(text, file="standard input", load=component)
    else:
        found = network.read(file, load=component)
    if getattr(arguments, "parameters", None) and not specifications:
        raise LtsError("--set is for specifications, and no component is one")
    return found


def split_specification(arguments: argparse.Namespace, file: str) -> Network:
    """Return the processes of a specification that run in parallel, as a network."""
    from lts.network.specification import split

    specification = read_specification(arguments, file)
    with command_limits.looked_at_by_engine():
        return split(
            specification,
            limits=command_limits.of_engine(arguments),
            threads=arguments.threads,
            simplifications=simplifications(arguments),
        )


def composed(arguments: argparse.Namespace, file: str, network: Network | None = None) -> LTS:
    """Return the state space of a network; at a limit nothing, and what was found is told.

    The file is not read if the network is there.
    """
    from lts.network.exploration import explore
    from lts.state_space.generation import refuse_network

    network = read_network(arguments, file) if network is None else network
    limits = command_limits.of_engine(arguments)
    with generation_progress(arguments) as progress, command_limits.looked_at_by_engine():
        found = explore(network, limits=limits, threads=arguments.threads, progress=progress)
    if found.incomplete == "interrupted":
        print(f"ltstool: interrupted; {found.statistics} were found", file=sys.stderr)
    if found.incomplete is not None:
        refuse_network(found, limits)
    assert found.lts is not None
    return found.lts


def generated(
    arguments: argparse.Namespace, file: str | None, process: LinearProcess | None = None
) -> LTS:
    """Return the state space of a specification; at a limit nothing, and what was found is told.

    The file is not read if the linear process is there.
    """
    from lts.state_space.generation import explore, refuse

    process = linear_process(arguments, file) if process is None else process
    limits = command_limits.of_engine(arguments)
    with generation_progress(arguments) as progress, command_limits.looked_at_by_engine():
        found = explore(process, limits=limits, threads=arguments.threads, progress=progress)
    remark_normal_forms(arguments, found.normal_forms)
    if found.incomplete == "interrupted":
        print(f"ltstool: interrupted; {found.statistics} were found", file=sys.stderr)
    if found.incomplete is not None:
        refuse(process, found, limits)
    assert found.lts is not None
    return found.lts

"""Systems that commands read: .aut files, and specifications, whose state space is generated."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from lts.text.report import SHOWN
from ltstool.shared import limits as command_limits
from ltstool.shared.files import is_network, is_specification, is_standard, refuse_written
from ltstool.shared.idle import OF_TEXT, given, reads_specification
from ltstool.shared.numbers import positive
from ltstool.shared.options import add_threads, hide_given, read_as_told, remark, with_tau
from ltstool.shared.originals import original, refuse_reduction
from ltstool.shared.progress import generation_progress
from ltstool.shared.specifications import (
    add_parameters,
    add_simplifications,
    read_specification,
    refuse_kind,
    remark_normal_forms,
    simplifications,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lts.linear.process import LinearProcess
    from lts.network import Network
    from lts.state_space import Settings
    from lts.state_space.generation import Generation
    from lts.system import LTS

SYSTEM = ".aut file, specification (.mcrl, .mcrl2, .lps), or network (.exp)"
"""What a command that reads a system takes, for its help."""


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
        help="stop when a sum has more values to try in one state (exit 3; default: %(default)s)",
    )


def load(
    arguments: argparse.Namespace,
    file: str | None,
    *,
    hidden: bool = True,
    reduction: str = "original",
) -> LTS:
    """Read `file` as `--tau`, `--hide` and `--salvage` say, as far as the command has them.

    Of a specification it is the state space, for commands that read one.
    Without `hidden`, `--hide` is left to the caller; `reduction` is that of `loaded`.
    """
    system = with_tau(arguments, file, loaded(arguments, file, reduction=reduction))
    return hide_given(arguments, system) if hidden else system


def loaded(arguments: argparse.Namespace, file: str | None, *, reduction: str = "original") -> LTS:
    """Read `file` as it is, or explore what it specifies.

    Of a reduction it returns the original, or what is strongly bisimilar
    (`reduction="bisimilar"`), unless there is `--as-such`; or it is refused (`"refused"`).
    """
    explores = hasattr(arguments, "no_simplify")
    if explores and reads_specification(arguments, file):
        system = generated(arguments, file)
    elif explores and file is not None and is_network(file):
        system = composed(arguments, file)
    else:
        system = read_as_told(arguments, file)
        if reduction == "refused":
            system = refuse_reduction(arguments, file, system)
        else:
            bisimilar = reduction == "bisimilar"
            system = original(arguments, file, system, bisimilar=bisimilar)
    return system


def linear_process(arguments: argparse.Namespace, file: str | None) -> LinearProcess:
    """Return the linear process of a specification that is read as the options say."""
    from lts.linear.linearise import linearise

    specification = read_specification(arguments, "-" if file is None else file)
    return linearise(specification, simplifications=simplifications(arguments))


def read_network(arguments: argparse.Namespace, file: str, *, minimising: bool = False) -> Network:
    """Read a network; `-` from standard input, its components in the folder where one works.

    What is internal in components is what the text says, or `--tau` of `compose`; the `--tau` of
    other commands is about what comes out. What in the text does nothing is told, and with
    `--strict` refused. Parts that have priorities are composed, or, if `minimising`, minimised
    modulo strong bisimulation, which is a congruence for priorities.
    """
    from lts import network

    if not is_standard(file):
        refuse_kind(file, "a network")
    specifications = []

    def component(path: str) -> LTS:
        refuse_written([path])
        specifications.extend([path] if is_specification(path) else [])
        return loaded(arguments, path)

    def compose(part: Network) -> LTS:
        if not minimising:
            return composed(arguments, file, part)
        count = len(part.components)
        remark(arguments, f"{count} components with priorities: modulo strong bisimulation")
        with command_limits.looked_at_by_engine():
            limits = command_limits.of_engine(arguments)
            return network.reduce(part, "strong", limits=limits, threads=arguments.threads).lts

    how: dict[str, Any] = {
        "load": component,
        "internal": getattr(arguments, "tau_of_components", None),
        "compose": compose,
    }
    if is_standard(file):
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        found = network.read_text(text, file="standard input", **how)
    else:
        found = network.read(file, **how)
    for option, shown in given(arguments).items():
        if option in OF_TEXT and option != "strict" and not specifications:
            raise LtsError(f"{shown} is for specifications, and no component is one")
    tell_idle(arguments, found.remarks)
    return found


def tell_idle(arguments: argparse.Namespace, remarks: tuple[LtsError, ...]) -> None:
    """Say what in the text of a network does nothing; refuse it with `--strict`."""
    if remarks and getattr(arguments, "strict", False):
        first = remarks[0]
        first.others, first.unseen = remarks[1:SHOWN], max(len(remarks) - SHOWN, 0)
        raise first
    for one in remarks[:SHOWN]:
        remark(arguments, f"{one.place}: {one.message}")
    if len(remarks) > SHOWN:
        remark(arguments, f"and {len(remarks) - SHOWN} more that do nothing")


def split_specification(
    arguments: argparse.Namespace,
    file: str,
    joining: Callable[[str, LtsError], object] | None = None,
) -> Network:
    """Return the processes of a specification that run in parallel, as a network; with `joining`,
    those together that cannot be generated by themselves."""
    from lts.network.specification import split

    specification = read_specification(arguments, file)
    with command_limits.looked_at_by_engine():
        return split(
            specification,
            limits=command_limits.of_engine(arguments),
            threads=arguments.threads,
            simplifications=simplifications(arguments),
            joining=joining,
        )


def composed(arguments: argparse.Namespace, file: str, network: Network | None = None) -> LTS:
    """Return the state space of a network; at a limit nothing, and what was found is told.

    The file is not read if the network is there.
    """
    from lts.network.exploration import explore

    network = read_network(arguments, file) if network is None else network
    with generation_progress(arguments) as progress, command_limits.looked_at_by_engine():
        settings = command_limits.settings(arguments, progress)
        found = explore(network, settings)
    return _whole(found, settings)


def generated(
    arguments: argparse.Namespace, file: str | None, process: LinearProcess | None = None
) -> LTS:
    """Return the state space of a specification; at a limit nothing, and what was found is told.

    The file is not read if the linear process is there.
    """
    from lts.state_space.generation import explore

    process = linear_process(arguments, file) if process is None else process
    with generation_progress(arguments) as progress, command_limits.looked_at_by_engine():
        settings = command_limits.settings(arguments, progress)
        found = explore(process, settings)
    remark_normal_forms(arguments, found.normal_forms)
    return _whole(found, settings, process)


def _whole(found: Generation, settings: Settings, process: LinearProcess | None = None) -> LTS:
    """Return what was found, if it is all; what an interrupt has left out is told."""
    from lts.state_space.generation import whole

    if found.incomplete == "interrupted":
        print(f"ltstool: interrupted; {found.statistics} were found", file=sys.stderr)
    return whole(found, settings, process)

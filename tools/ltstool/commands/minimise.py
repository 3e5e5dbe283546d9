"""`ltstool minimise`: the least system that is equivalent."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO

from aut_format.output import together
from lts.errors import LtsError
from ltstool import partitioned
from ltstool.shared.files import check_format, open_output, refuse_same, write_lts
from ltstool.shared.idle import ALL, LTS_FILE, UNDER_SYMMETRY, refuse_alone, refuse_idle
from ltstool.shared.numbers import positive
from ltstool.shared.options import (
    add_certificate,
    add_from,
    add_hide,
    add_input,
    add_output,
    add_salvage,
    add_strong,
    add_tau,
    hide,
    refuse_json_beside,
    remark_absent,
    remark_internal,
    tell_written,
)
from ltstool.shared.originals import add_as_such
from ltstool.shared.progress import phase
from ltstool.shared.specifications import add_symmetry
from ltstool.shared.systems import SYSTEM, add_system_options, load
from ltstool.symmetric.options import add_node_limit, add_reduction_output, add_strategy

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lts.system import LTS

HELP = "minimise an LTS modulo an equivalence, or the original of a reduction modulo bisimulation"

BLOCK = 1 << 16  # states whose classes are text at a time
EXAMPLES = (
    "minimise system.aut -e branching -o least.aut",
    "minimise cases/abp.mcrl -e weak --hide c2,c3",
    "minimise peterson.parts -e branching --partitions 4 -o least.aut",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `minimise` takes."""
    add_input(parser, SYSTEM)
    add_equivalence(parser)
    add_output(parser)
    add_hide(parser)
    add_tau(parser)
    add_as_such(parser)
    add_certificate(parser)
    add_salvage(parser)
    add_from(parser)
    parser.add_argument(
        "--classes",
        metavar="OUT",
        help="write a line `state class` for every state: its state in the result, or `-`",
    )
    parser.add_argument(
        "--keep-unreachable", action="store_true", help="keep states that cannot be reached"
    )
    add_strong(parser)
    add_max_states(parser)
    add_system_options(parser.add_argument_group("FILE as a specification"))
    add_reduction(parser)
    partitioned.add_minimisation(parser)


def add_reduction(parser: argparse.ArgumentParser) -> None:
    """Add what the minimisation of reductions takes."""
    group = parser.add_argument_group(
        "reductions",
        "With --symmetry the result is the reduction of the minimal original, which is not built. "
        "FILE is a reduction, a specification, or an LTS that has the symmetry.",
    )
    add_symmetry(
        group,
        required=False,
        help="symmetry file (of the reduction: FILE.sym), or a permutation such as `(d1 d2 d3)`",
    )
    add_reduction_output(group, "bfs")
    add_node_limit(group)
    add_strategy(group)


def add_max_states(parser: argparse.ArgumentParser) -> None:
    """Add `--max-states N`: where relations that are exponential or cubic by nature stop."""
    parser.add_argument(
        "--max-states",
        type=positive,
        metavar="N",
        help="stop (exit code 3) when traces take more sets, simulations more classes of states, "
        "or a specification has more states, or orbits of them",
    )


def add_equivalence(parser: argparse.ArgumentParser) -> None:
    """Add `-e EQUIVALENCE`."""
    parser.add_argument(
        "-e",
        "--equivalence",
        required=True,
        metavar="EQUIVALENCE",
        help=equivalence_help(),
    )


def equivalence_help() -> str:
    """Return what `-e` takes."""
    from lts.equivalence.names import EQUIVALENCES

    return f"one of {', '.join(EQUIVALENCES)}"


def run(arguments: argparse.Namespace) -> int:
    """Minimise and write."""
    from lts.equivalence import minimise, minimise_with_classes

    check_format(arguments.output, only_aut=arguments.symmetry is not None)
    refuse_json_beside(arguments, arguments.output)
    if partitioned.minimises(arguments):
        with partitioned.minimised(arguments) as least:
            write_lts(least, arguments.output)
        return told(arguments, least)
    if arguments.strong and (arguments.symmetry or arguments.certificate) is not None:
        raise LtsError("--strong is for an LTS, without --symmetry and --certificate")
    refuse_idle(arguments, arguments.file, meant={"max_states": ALL, "certificate": (LTS_FILE,)})
    if arguments.symmetry is not None:
        if arguments.classes is not None or arguments.keep_unreachable:
            raise LtsError("--classes and --keep-unreachable are not for reductions")
        if arguments.certificate is not None:
            raise LtsError("--certificate is about an LTS: minimise without --symmetry")
        from ltstool.symmetric.reductions import write_minimal

        return write_minimal(arguments)
    refuse_alone(arguments, options=(*UNDER_SYMMETRY, "order", "identities"))
    if arguments.certificate is not None:
        return write_certified(arguments)
    states_count = arguments.classes is not None or arguments.keep_unreachable
    reduction = "original" if states_count else "bisimilar"
    system = load(arguments, arguments.file, reduction=reduction)
    remark_absent(arguments, system.labels, "strong")
    options = {
        "keep_unreachable": arguments.keep_unreachable,
        "max_states": arguments.max_states,
        "consume": True,
        "strong": arguments.strong,
    }
    if arguments.classes is None:
        with phase("minimising"):
            least = minimise(system, arguments.equivalence, **options)
        write_lts(least, arguments.output)
    else:
        refuse_same({"--classes": arguments.classes, "the result": arguments.output})
        with phase("minimising"):
            least, found = minimise_with_classes(system, arguments.equivalence, **options)
        with together(), open_output(arguments.classes) as out:
            write_classes(found, out)
            write_lts(least, arguments.output)  # both are there in the end, or neither
    return told(arguments, least)


def told(arguments: argparse.Namespace, least: LTS) -> int:
    """Say what there is to say of the result, which is written."""
    remark_internal(arguments, least)
    tell_written(arguments, states=least.state_count, transitions=least.transition_count)
    return 0


def write_classes(found: npt.NDArray[np.uint32], out: BinaryIO) -> None:
    """Write a line for every state with its class."""
    from lts.equivalence import DROPPED

    for first in range(0, len(found), BLOCK):
        block = enumerate(found[first : first + BLOCK].tolist(), first)
        lines = (f"{s} {'-' if c == DROPPED else c}\n" for s, c in block)
        out.write("".join(lines).encode())


def write_certified(arguments: argparse.Namespace) -> int:
    """Minimise and write, with a certificate; all files are there in the end, or none."""
    from lts.certificates import as_text, minimisation_certificate, with_hidden
    from lts.equivalence import minimise_with_classes

    refuse_same(
        {
            "--certificate": arguments.certificate,
            "--classes": arguments.classes or os.devnull,
            "the result": arguments.output,
        }
    )
    as_written = load(arguments, arguments.file, hidden=False, reduction="refused")
    remark_absent(arguments, as_written.labels)
    system = hide(as_written, arguments.hide)
    least, found = minimise_with_classes(
        system,
        arguments.equivalence,
        keep_unreachable=arguments.keep_unreachable,
        max_states=arguments.max_states,
    )
    certificate = minimisation_certificate(
        with_hidden(as_written, system), least, found, arguments.equivalence
    )
    with together(), ExitStack() as stack:
        if arguments.classes is not None:
            write_classes(found, stack.enter_context(open_output(arguments.classes)))
        stack.enter_context(open_output(arguments.certificate)).write(as_text(certificate))
        write_lts(least, arguments.output)
    return told(arguments, least)

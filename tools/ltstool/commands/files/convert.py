"""`ltstool convert`: the same LTS as another text."""

from __future__ import annotations

import argparse
from pathlib import Path

from lts.errors import FormatError, LtsError
from lts.formats.names import FORMATS, Named, named
from lts.system import LTS
from ltstool.shared.files import check_format, is_standard, open_output, write_lts
from ltstool.shared.numbers import positive
from ltstool.shared.options import (
    add_from,
    add_hide,
    add_input,
    add_output,
    add_salvage,
    add_tau,
    refuse_json_beside,
    remark_internal,
    tell_written,
)
from ltstool.shared.originals import add_as_such
from ltstool.shared.progress import phase
from ltstool.shared.systems import load

HELP = "write an LTS anew, in another format: order and duplicates are as they were"
EXAMPLES = (
    "convert system.aut system.fsm",
    "convert states.dot system.aut.zst",
    "convert system.aut system.parts --partitions 4",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `convert` takes."""
    add_input(parser)
    parser.add_argument("out", nargs="?", metavar="OUT", help="the same as -o OUT")
    add_output(parser)
    parser.add_argument(
        "--to",
        choices=sorted(FORMATS),
        help="the format (default: by the name of OUT, else aut)",
    )
    parser.add_argument(
        "--partitions",
        metavar="K",
        type=positive,
        help="of a folder of parts: how many (default: 1); with more than one, transitions are in "
        "the order of their sources",
    )
    parser.add_argument(
        "--reachable",
        action="store_true",
        help="leave out states that cannot be reached; the others are numbered breadth first",
    )
    parser.add_argument(
        "--tau-cycles",
        choices=["merge", "loop"],
        help="make the states of every cycle of internal steps one: `merge` leaves no internal "
        "loop, `loop` leaves one, so that divergences are kept",
    )
    add_hide(parser)
    add_tau(parser)
    add_as_such(parser)
    add_salvage(parser)
    add_from(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the LTS."""
    if arguments.out is not None and arguments.output is not None:
        raise LtsError("OUT is given twice")
    out = arguments.out if arguments.output is None else arguments.output
    refuse_json_beside(arguments, out)
    if arguments.to is None:
        check_format(out)
    into = named(out or "-", reading=False, format=arguments.to)
    if arguments.partitions is not None and into.format.name != "parts":
        raise LtsError("--partitions is for a folder of parts: OUT.parts")
    if _is_stream(arguments, into):
        return _stream(arguments, out, into)
    if out is not None and _is_text(arguments, into):
        sizes = _parts_of_text(arguments, out)
        if sizes is not None:
            tell_written(arguments, states=sizes[0], transitions=sizes[1])
            return 0
    system = simplified(load(arguments, arguments.file, reduction="refused"), arguments)
    if arguments.to in (None, "aut"):
        remark_internal(arguments, system)
    if into.format.name == "parts" and out is not None:
        from lts.formats import parts

        with phase(f"writing {out}"):
            parts.write(system, out, partitions=arguments.partitions or 1)
    else:
        write_lts(system, out, kind=arguments.to)
    tell_written(arguments, states=system.state_count, transitions=system.transition_count)
    return 0


def _is_changed(arguments: argparse.Namespace) -> bool:
    """Whether more is asked for than another format."""
    return bool(
        arguments.reachable
        or arguments.tau_cycles
        or arguments.hide
        or arguments.tau
        or arguments.salvage
    )


def _is_stream(arguments: argparse.Namespace, into: Named) -> bool:
    """Whether a folder of parts is written as it is: it may be larger than the memory."""
    if _is_changed(arguments) or arguments.file is None or is_standard(arguments.file):
        return False
    if into.format.name != "aut":
        return False
    given = getattr(arguments, "from")
    by_name = arguments.file.rstrip("/").lower().endswith(".parts")
    return given == "parts" or (given is None and by_name)


def _stream(arguments: argparse.Namespace, out: str | None, into: Named) -> int:
    from lts.formats import parts

    found = parts.manifest(arguments.file)
    with open_output(out, packed=into.packing is not None) as file:
        file.writelines(parts.aut_blocks(arguments.file))
    tell_written(arguments, states=found.states, transitions=found.transitions)
    return 0


def _is_text(arguments: argparse.Namespace, into: Named) -> bool:
    """Whether an .aut file becomes a folder as it is: it may be larger than the memory."""
    if _is_changed(arguments) or arguments.as_such or into.format.name != "parts":
        return False
    if arguments.file is None or not Path(arguments.file).is_file():
        return False
    try:
        found = named(arguments.file, reading=True, format=getattr(arguments, "from"))
    except FormatError:
        return False
    return found.format.name == "aut" and found.packing is None


def _parts_of_text(arguments: argparse.Namespace, out: str) -> tuple[int, int] | None:
    """Write the folder, and return the numbers of states and transitions; or None if all has to be
    in memory for that."""
    from aut_format import Reader
    from lts.formats import parts
    from ltstool.shared.originals import refuse_reduction

    with phase(f"writing {out}"):
        found = parts.write_stream(
            Reader(arguments.file),
            out,
            partitions=arguments.partitions or 1,
            accept=lambda system: refuse_reduction(arguments, arguments.file, system),
        )
    return None if found is None else (found[0].state_count, found[1])


def simplified(system: LTS, arguments: argparse.Namespace) -> LTS:
    """Return what is asked for of an LTS."""
    if arguments.reachable:
        system = system.reachable()
    if arguments.tau_cycles:
        from lts.equivalence import without_tau_cycles

        system, _ = without_tau_cycles(system, keep_loops=arguments.tau_cycles == "loop")
    return system

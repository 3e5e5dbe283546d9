"""`ltstool convert`: write an LTS in another format."""

from __future__ import annotations

from pathlib import Path

from lts.errors import FormatError, LtsError
from lts.formats.names import FORMATS, Named, named
from lts.system.lts import LTS
from ltstool.options.request import Request, Takes
from ltstool.options.table import FILES, LTS_FILE, option
from ltstool.shared.files import (
    as_written,
    is_standard,
    open_output,
    remarking,
    symmetry_file,
    write_lts,
)
from ltstool.shared.originals import refuse_reduction
from ltstool.shared.reading import load

HELP = "convert an LTS to another format; the order of transitions and duplicates are preserved"
EXAMPLES = (
    "convert system.aut system.fsm",
    "convert states.dot system.aut.zst",
    "convert system.aut system.parts --partitions 4",
)


class Converting(Request):
    """The options of `convert`."""

    out: str | None = option("[OUT]", "the same as -o OUT", file="written")
    to: str | None = option(
        f"--to {'|'.join(sorted(FORMATS))}",
        "the format (default: by the name of OUT, else aut)",
    )
    reachable: bool = option(
        "--reachable",
        "leave out unreachable states; the others are numbered breadth first",
    )
    tau_cycles: str | None = option(
        "--tau-cycles merge|loop",
        "merge the states of every cycle of internal steps: `merge` removes the cycle, `loop` "
        "leaves an internal loop, which preserves divergence",
    )

    @property
    def target(self) -> str | None:
        """The file that the LTS is written to."""
        if self.out is not None and self.output is not None:
            raise LtsError("OUT is given twice")
        return self.out if self.output is None else self.output

    @property
    def is_changed(self) -> bool:
        """Whether the LTS itself is to be changed, besides its format."""
        reading = self.reading
        is_other = self.reachable or self.tau_cycles or reading.hide or reading.tau
        return bool(is_other or reading.salvage)


TAKES = Takes(
    request=Converting,
    reads=(LTS_FILE,),
    writes=LTS_FILE,
    options=(
        *("file", "out", "output", "to", "reachable", "tau_cycles", "hide", *FILES),
        "partitions",
    ),
    changed={
        "partitions": {
            "help": "number of parts of a folder (default: 1); with more than one, transitions are "
            "ordered by source state"
        }
    },
    about={"partitions": ("partitions", "")},
)


def run(request: Converting) -> int:
    """Write the LTS."""
    out = request.target
    into = named(out or "-", reading=False, format=request.to)
    partitions = request.partitions.partitions
    if partitions is not None and into.format.name != "parts":
        raise LtsError("--partitions applies only to a folder of parts: -o OUT.parts")
    if (sizes := streamed(request, out, into)) is None:
        system = simplified(request, load(request, request.reading.file, reduction="refused"))
        if into.format.name == "parts" and out is not None:
            from lts.formats import parts

            with request.phase(f"writing {out}"):
                parts.write(as_written(request, system, out), out, partitions=partitions or 1)
        else:
            write_lts(request, system, out, kind=request.to)
        sizes = system.state_count, system.transition_count
    request.written(states=sizes[0], transitions=sizes[1])
    return 0


def streamed(request: Converting, out: str | None, into: Named) -> tuple[int, int] | None:
    """Convert between a folder of parts and an .aut file, either of which may be larger than the
    memory. Return the numbers of states and transitions, or None if the LTS has to be loaded."""
    file = request.reading.file
    if request.is_changed or file is None or is_standard(file):
        return None
    try:
        read = named(file, reading=True, format=request.reading.format)
    except FormatError:
        return None
    is_text = read.format.name == "aut" and read.packing is None and Path(file).is_file()
    to_text = read.format.name == "parts" and into.format.name == "aut"
    # A reduction is refused after reading.
    to_text = to_text and (request.reading.as_such or not Path(symmetry_file(file)).is_file())
    to_parts = is_text and into.format.name == "parts" and not request.reading.as_such
    if not to_text and (not to_parts or out is None):
        return None
    from aut_format import Reader
    from lts.formats import parts

    if to_text:
        found = parts.manifest(file)
        with (
            remarking(request),
            open_output(request, out, packed=into.packing is not None) as opened,
        ):
            opened.writelines(parts.aut_blocks(file))
        return found.states, found.transitions
    assert out is not None
    with request.phase(f"writing {out}"):
        written = parts.write_stream(
            Reader(file),
            out,
            partitions=request.partitions.partitions or 1,
            accept=lambda system: refuse_reduction(request, file, system),
        )
    return None if written is None else (written[0].state_count, written[1])


def simplified(request: Converting, system: LTS) -> LTS:
    """Apply the requested simplifications to an LTS."""
    if request.reachable:
        system = system.reachable()
    if request.tau_cycles:
        from lts.equivalence import without_tau_cycles

        system, _ = without_tau_cycles(system, keep_loops=request.tau_cycles == "loop")
    return system

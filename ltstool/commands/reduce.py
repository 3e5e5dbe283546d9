"""`ltstool reduce`: write one state of each orbit with its steps up to symmetry, and the data for
expansion."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from aut_format.output import together
from lts.errors import LtsError
from ltstool import partitioned
from ltstool.options import table
from ltstool.options.request import REDUCTION, RHO, Request, Takes
from ltstool.options.table import SPECIFICATION, option
from ltstool.shared.files import open_output, process_text, refuse_same, write_text
from ltstool.shared.reading import linear_process, load, read_symmetry, source
from ltstool.shared.shown import facts
from ltstool.symmetric import explored, reductions
from ltstool.symmetric.given import explore

if TYPE_CHECKING:
    from lts.cluster import Parts

HELP = (
    "reduce an LTS by a symmetry, or a specification or network on the fly; the symmetry is proven"
)
EXAMPLES = (
    "reduce cases/mutex.mcrl --symmetry cases/mutex.sym -o reduced.aut",
    "reduce system.aut --symmetry '(d1 d2)' -o reduced.aut",
    "reduce network.exp --symmetry auto --count",
    "reduce cases/peterson.mcrl --set N=5 --symmetry Pid --count --partitions 2",
    "reduce model.mcrl --symmetry Pid -o reduced.aut --partitions 8 --max-memory 2G",
    "reduce cases/peterson.mcrl --symmetry Pid --as-process -o reduced.mcrl",
    "reduce cases/peterson.mcrl --symmetry Pid --as-process quotient -o orbits.mcrl",
)


class Reducing(Request):
    """The options of `reduce`."""

    count: bool = option(
        "--count",
        "print the number of orbits, and of the states and transitions that they represent; "
        "write nothing",
    )
    as_process: str | None = option(
        "--as-process [rho|quotient]",
        "write a linear process in place of a reduction, a text in the language of FILE, from "
        "which any tool generates a reduction that `expand` takes back; with `quotient`, one whose "
        "states are the orbits",
        of=(SPECIFICATION,),
    )
    plain: bool = option(
        "--plain",
        "leave out the transition that marks the file as a reduction: for other tools, and for "
        "comparing reductions; `expand` needs only the symmetry file",
    )


_PROCESS = "writes the text of a process"
_IMAGES = (
    "cannot be combined with partitions, where every search for a canonical image is completed"
)

TAKES = Takes(
    request=Reducing,
    reads=table.ALL,
    writes=REDUCTION,
    options=(
        *(
            "file",
            "output",
            "count",
            "as_process",
            "plain",
            "certificate",
            *table.FILES,
            *table.STATE_SPACE,
            "confluence",
        ),
        *(*table.SYMMETRY, "node_limit", "write_symmetry", "order", *table.IN_PARTITIONS, "run"),
    ),
    changed={
        "symmetry": {"required": True},
        "partitions": {"of": table.EXPLORED},
        "cluster": {"of": table.EXPLORED},
    },
    against={
        ("output", "count"): "applies to a reduction, and --count writes none: leave out -o",
        (
            "certificate",
            "count",
        ): "applies to a reduction, and --count writes none: leave out -o and --certificate",
        ("plain", "count"): "applies to a reduction, and --count writes none: leave it out",
        ("as_process", "count"): f"{_PROCESS}, and --count writes nothing",
        ("as_process", "tau"): f"{_PROCESS}, which says itself what is internal: leave out --tau",
        ("order", "as_process"): "applies to a reduction: leave it out with --as-process",
        ("plain", "as_process"): "applies to a reduction: leave it out with --as-process",
        ("certificate", "as_process"): "applies to a reduction: leave it out with --as-process",
        ("as_process", "partitions"): f"{_PROCESS}: leave out --partitions",
        ("as_process", "cluster"): f"{_PROCESS}: leave out --cluster",
        ("node_limit", "partitions"): _IMAGES,
        ("node_limit", "cluster"): _IMAGES,
    },
)


def run(request: Reducing) -> int:
    """Reduce and write, or only count."""
    if request.as_process is not None:
        return write_process(request)
    if request.certificate is not None:
        return write_certified(request, request.certificate)
    symmetry_out = "" if request.count else reductions.symmetry_output(request)
    in_partitions = partitioned.is_requested(request)
    with partitioned.run_of(request) if in_partitions else nullcontext() as parts:
        if not request.count:
            whole = reductions.quotient(request, parts)
            found = reductions.encode(request, whole, request.group.order)
            return reductions.write(request, found, symmetry_out, whole.group, plain=request.plain)
        numbers = counted(request, parts)
        shown = numbers | {"group": f"of order {numbers['order']}"}
        if "representatives" in numbers:
            shown["explored"] = f"{numbers['representatives']}, with approximate canonical images"
        names = ("group", "orbits", "explored", "states", "transitions")
        request.say(numbers, facts({name: shown[name] for name in names if name in shown}))
        return 0


def write_process(request: Reducing) -> int:
    """Write a linear process of a specification: of its orbits, or of a rho-encoding, with the
    symmetry file that expands it."""
    from lts.symmetry import encoding_process, reduced_process

    by_orbits = request.as_process != RHO
    if request.output is not None and request.output.lower().endswith(".lps"):
        raise LtsError(
            "a reduced process is written as a text: `ltstool linearise` makes a .lps file from "
            "one in mCRL2"
        )
    if by_orbits and request.group.write_symmetry is not None:
        raise LtsError(
            "--write-symmetry applies to a reduction: leave it out with --as-process quotient"
        )
    symmetry_out = "" if by_orbits else reductions.symmetry_output(request)
    process = linear_process(request, request.reading.file)
    of_process = reduced_process if by_orbits else encoding_process
    _, found = explore(
        request, process, lambda group, settings: of_process(process, group, settings)
    )
    text = process_text(found.process, found.reasons, found.declared)
    with together():
        if found.symmetry is not None:
            write_text(request, symmetry_out, str(found.symmetry))
        write_text(request, request.output, text)
    sizes = {name: len(getattr(found.process, name)) for name in ("parameters", "summands")}
    request.written(order=found.order, proof=found.explored.known.kind, **sizes)
    return 0


def counted(request: Reducing, parts: Parts | None) -> dict[str, object]:
    """Return the numbers of orbits, and of the states and transitions in them."""
    # Whether a group preserves internal labels can only be checked on the labels of a quotient.
    if request.is_explored(request.reading.file) and request.reading.tau is None:
        of = source(request, request.reading.file)
        assert of is not None
        found = explored.orbits(request, of, parts)
        names = ("order", "orbits", "states", "transitions")
        more = {"representatives": found.representatives} if found.approximate else {}
        numbers = {name: getattr(found, name) for name in names}
        return numbers | more | {"proof": found.known.kind}
    whole = reductions.quotient(request, parts)
    states, transitions = whole.quotient.count()
    sizes = {"orbits": whole.quotient.orbits, "states": states, "transitions": transitions}
    return whole.group | sizes


def write_certified(request: Reducing, certificate: str) -> int:
    """Reduce an LTS, and write the encoding, its symmetry file and a certificate."""
    from lts.certificates import as_text, reduction_certificate
    from lts.symmetry import reduce
    from lts.symmetry.permutation.known import EXPLORATION

    symmetry_out = reductions.symmetry_output(request)
    refuse_same({"--certificate": certificate, "the symmetry file": symmetry_out})
    refuse_same({"--certificate": certificate, "the reduction": request.output})
    generators = read_symmetry(request.symmetry).generators
    system = load(request, request.reading.file, reduction="refused")
    reductions.refuse_misspelt(system, generators)
    found = reduce(system, generators, order=request.group.order, node_limit=request.node_limit)
    shown = as_text(reduction_certificate(system, found))
    with together(), open_output(request, certificate) as out:
        out.write(shown)
        group = {"order": found.symmetry.order, "proof": EXPLORATION}
        return reductions.write(request, found, symmetry_out, group, plain=request.plain)

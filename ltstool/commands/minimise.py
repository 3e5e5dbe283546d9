"""`ltstool minimise`: compute the smallest equivalent system."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO

from aut_format.output import together
from lts.base.label_names import label_text
from lts.equivalence.names import EQUIVALENCES
from ltstool import partitioned
from ltstool.options import table
from ltstool.options.request import Request, Takes
from ltstool.options.table import option
from ltstool.shared import files, reading

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lts.system.lts import LTS

HELP = "minimise an LTS modulo an equivalence, or the original of a reduction modulo bisimulation"
EXAMPLES = (
    "minimise system.aut -e branching -o least.aut",
    "minimise cases/abp.mcrl -e weak --hide c2,c3",
    "minimise peterson.parts -e branching --partitions 4 -o least.aut",
)
KNOWN = f"one of {', '.join(EQUIVALENCES)}"
"""Values of `-e`."""

BLOCK = 1 << 16  # states whose classes are converted to text at a time


class Minimising(Request):
    """The options of `minimise`."""

    equivalence: str = option("-e --equivalence EQUIVALENCE", KNOWN, required=True)
    classes: str | None = option(
        "--classes OUT",
        "write a line `state class` for every state: its class is a state of the result, or `-`",
        file="written",
    )
    keep_unreachable: bool = option("--keep-unreachable", "keep unreachable states")


TAKES = Takes(
    request=Minimising,
    reads=table.ALL,
    writes=table.LTS_FILE,
    options=(
        *("file", "equivalence", "output", "certificate", "classes", "keep_unreachable"),
        *("strong", "hide", *table.FILES, *table.STATE_SPACE),
        *(*table.SYMMETRY, "node_limit", "write_symmetry", "order", *table.IN_PARTITIONS),
    ),
    changed={
        "max_states": table.OF_RELATIONS,
        "strong": {"needs": ()},
        "order": {"default": "bfs"},
    },
    about={
        "composing": ("sharp bisimulation", ""),
        "group": (
            "reductions",
            "With --symmetry, the result is the reduction of the minimal original, which is not "
            "built. FILE is a reduction, a specification, or an LTS that has the symmetry.",
        ),
    },
    against={
        **{
            (name, where): f"cannot be combined with a minimisation in partitions (--{where})"
            for where in ("partitions", "cluster")
            for name in (
                *("classes", "keep_unreachable", "certificate", "strong", "symmetry", "salvage"),
                *("format", "max_states", *table.SPECIFICATIONS),
            )
        },
        **dict.fromkeys(
            [("strong", "symmetry"), ("strong", "certificate")],
            "applies to an LTS, without --symmetry and --certificate",
        ),
        ("classes", "symmetry"): "cannot be used on reductions",
        ("keep_unreachable", "symmetry"): "cannot be used on reductions",
        ("certificate", "symmetry"): "applies to an LTS: leave out --symmetry",
    },
)


def run(request: Minimising) -> int:
    """Minimise and write."""
    if request.group.symmetry is not None and not partitioned.is_requested(request):
        return write_minimal(request)
    if partitioned.is_requested(request):
        with partitioned.minimised(request, request.equivalence) as least:
            files.write_lts(request, least, request.output)
    else:
        least = write_least(request)
    request.written(states=least.state_count, transitions=least.transition_count)
    return 0


def write_least(request: Minimising) -> LTS:
    """Minimise a system and write it, on request with the classes of its states and a certificate;
    all of the files are written or none."""
    from lts.equivalence import minimise, minimise_with_classes

    classes, certificate = request.classes, request.certificate
    named = {"--classes": classes, "--certificate": certificate}
    given = {name: file for name, file in named.items() if file is not None}
    files.refuse_same({**given, "the result": request.output})
    states_count = classes is not None or request.keep_unreachable
    reduction = "refused" if certificate else "original" if states_count else "bisimilar"
    as_written = reading.read_system(request, request.reading.file, reduction=reduction)
    reading.remark_absent(request, as_written.labels)
    system = reading.hidden(request, as_written)
    reading.remark_absent(request, system.labels, strong=True)
    settings: dict[str, Any] = {
        "keep_unreachable": request.keep_unreachable,
        "max_states": request.exploring.max_states,
        "consume": certificate is None,
        "strong": request.composing.strong,
    }
    shown = None
    if certificate is not None:
        from lts.certificates import with_hidden

        shown = with_hidden(as_written, system)
    del as_written  # lets its memory be reused for the result
    if not given:
        with request.phase("minimising"):
            least = minimise(system, request.equivalence, **settings)
        files.write_lts(request, least, request.output)
        return least
    with request.phase("minimising"):
        least, found = minimise_with_classes(system, request.equivalence, **settings)
    # The certificate is about the labels of the file.
    least = files.as_written(request, least, request.output)
    with together(), ExitStack() as stack:
        if classes is not None:
            write_classes(found, stack.enter_context(files.open_output(request, classes)))
        if certificate is not None and shown is not None:
            from lts.certificates import as_text, minimisation_certificate

            proof = minimisation_certificate(shown, least, found, request.equivalence)
            stack.enter_context(files.open_output(request, certificate)).write(as_text(proof))
        files.write_lts(request, least, request.output)
    return least


def write_classes(found: npt.NDArray[np.uint32], out: BinaryIO) -> None:
    """Write one line for every state with its class."""
    from lts.equivalence import DROPPED

    for first in range(0, len(found), BLOCK):
        block = enumerate(found[first : first + BLOCK].tolist(), first)
        lines = (f"{s} {'-' if c == DROPPED else c}\n" for s, c in block)
        out.write("".join(lines).encode())


def write_minimal(request: Minimising) -> int:
    """Minimise a reduction, or the quotient of a specification or an LTS, and write the result."""
    from lts.symmetry import minimise_quotient
    from ltstool.symmetric.reductions import encode, quotient, symmetry_output, write

    symmetry_out = symmetry_output(request)
    found = quotient(request, encodings=True)
    hide: list[str] = []
    if found.system is None:
        hide = [*request.reading.hide]
        reading.remark_absent(request, map(label_text, found.quotient.labels))
    with request.phase("minimising"):
        least = minimise_quotient(
            found.quotient, request.equivalence, hide=hide, node_limit=request.node_limit
        )
    encoding = encode(request, found._replace(quotient=least), request.group.order)
    return write(request, encoding, symmetry_out, found.group)

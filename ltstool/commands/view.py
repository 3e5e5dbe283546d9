"""`ltstool view`: write a web page to explore a system in a browser."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.equivalence.names import EQUIVALENCES
from lts.errors import LtsError
from lts.web.limits import MAX_STATES
from ltstool.options.request import Request, Takes
from ltstool.options.table import ALL, FILES, OF_SPECIFICATION, STATE_SPACE, option
from ltstool.shared import files
from ltstool.shared.originals import reduction
from ltstool.shared.reading import hidden, hide, read_system, remark_absent, source, with_tau
from ltstool.symmetric.reductions import permutations_of_labels

if TYPE_CHECKING:
    from lts.source import Described
    from lts.symmetry import Symmetry
    from lts.system.lts import LTS
    from lts.trace import TraceStep
    from lts.web import Colouring, Values

HELP = "write a web page to explore one system, or two side by side"
EXAMPLES = (
    "view cases/abp.mcrl",
    "view cases/peterson.mcrl --symmetry Pid",
    "view system.aut -e branching --formula '[true*]<true>true' -o page.html",
    "view left.aut right.aut -e strong",
    "view cases/abp.mcrl --replay stuck.trace",
)
MARK = b'<meta name="generator" content="ltstool view">'


class Viewing(Request):
    """The options of `view`."""

    equivalences: Sequence[str] = option(
        "-e --equivalence EQUIVALENCE...",
        f"colour the classes of an equivalence (may be repeated); one of {', '.join(EQUIVALENCES)}",
    )
    formulas: Sequence[str] = option(
        "--formula FORMULA...",
        "colour the states in which a formula holds, as for `check` (may be repeated)",
    )
    replay: str | None = option(
        "--replay TRACE", "the page follows this trace of FILE, step by step", file="read"
    )


TAKES = Takes(
    request=Viewing,
    reads=ALL,
    options=(
        *("file", "other", "output", "equivalences", "formulas", "replay", "hide", *FILES),
        *(*STATE_SPACE, "symmetry", "identities"),
    ),
    changed={
        "other": {
            "help": "a second system, shown next to it; with -e, the difference is highlighted in "
            "both"
        },
        "output": {
            "flags": "-o --output PAGE",
            "help": "default: the name of FILE with .html, in the current folder",
        },
        "symmetry": {
            "help": f"{OF_SPECIFICATION}; the orbits are coloured (default for small systems: the "
            "orbits of all symmetries of data)"
        },
        "max_states": {
            "help": "stop when a system has more states (exit 3; default: %(default)s)",
            "default": MAX_STATES,
            "of": ALL,
        },
    },
    against={("symmetry", "other"): "applies to one system; for two, only -e EQUIVALENCE does"},
)


def run(request: Viewing) -> int:
    """Write the page, and print its location."""
    systems = request.systems
    if len(systems) > 1 and all(map(files.is_standard, systems)):
        raise LtsError("only one of the two systems can come from standard input")
    out = request.output if request.output is not None else default_name(systems)
    suffix = "" if files.is_standard(out) else Path(out).suffix.lower()
    if suffix not in ("", ".html", ".htm"):
        raise LtsError(f"`{out}`: a page is named .html; `ltstool draw` makes pictures")
    page, facts = compared(request, systems) if len(systems) > 1 else single(request)
    with files.open_output(request, out) as opened:
        opened.write(page)
    if not files.is_standard(out):
        request.say({"page": out, **facts}, f"{out}: open it in a browser")
    return 0


def default_name(systems: Sequence[str | None]) -> str:
    """Return the name of a page in the current directory; refuse to overwrite a file that is not a
    page."""
    stems = [
        "stdin" if file is None or files.is_standard(file) else Path(file).stem for file in systems
    ]
    name = f"{'-'.join(stems)}.html"
    if os.path.exists(name):
        with open(name, "rb") as opened:
            if MARK not in opened.read(4096):
                raise LtsError(
                    f"`{name}` exists and is not a page of ltstool: choose another name with "
                    "`-o PAGE`"
                )
    return name


def single(request: Viewing) -> tuple[bytes, dict[str, object]]:
    """Return the page of one system, or of a reduction with its original."""
    from lts.web import orbits, page, reduced, replaying

    file, most = request.reading.file, request.exploring.max_states or MAX_STATES
    if (found := reduction_of(request, file)) is not None:
        encoding, symmetry = found
        if {"equivalences", "formulas", "symmetry", "hide"} & {*request.given}:
            raise LtsError(
                f"{files.shown(file)} is a reduction, shown next to its original: -e, "
                "--formula, --symmetry and --hide apply to a single system (use --as-such, or "
                "`ltstool expand` first)"
            )
        title = f"{files.shown(file)} and its original"
        encoding = with_tau(request, file, encoding)
        if request.replay is not None:
            raise LtsError("--replay applies to a system, and not to a reduction and its original")
        with request.phase("making the page"):
            made = reduced(encoding, symmetry, title=title, max_states=most)
        return made, {"states": encoding.state_count}
    of = source(request, file)
    whole = read_system(request, file, of=of)
    system = hide(request, whole)
    trace = trace_of(request, system)
    colourings: list[Colouring] = []
    if request.group.symmetry is not None:
        # A symmetry of a specification is proven before hiding; an LTS only needs to be symmetric
        # after hiding.
        moved = system if of is None else whole
        colourings.append(orbits(moved, permutations_of_labels(request, moved, of)))
    values = data_of(request, whole, of)
    with request.phase("making the page"):
        made = page(
            system,
            title=titled(request, file, of),
            equivalences=request.equivalences,
            formulas=formulas(request),
            colourings=colourings,
            values=values,
            max_states=most,
        )
    return replaying(made, trace), {
        "states": system.state_count,
        "transitions": system.transition_count,
    }


def compared(request: Viewing, systems: Sequence[str | None]) -> tuple[bytes, dict[str, object]]:
    """Return the page of two systems."""
    from lts.web import beside, replaying
    from lts.web import compared as page_of_two

    if len(request.equivalences) > 1:
        raise LtsError("two systems are compared modulo one equivalence: give -e once")
    sources = [source(request, file) for file in systems]
    left, right = (
        read_system(request, file, of=of) for file, of in zip(systems, sources, strict=True)
    )
    remark_absent(request, [*left.labels, *right.labels])
    settings: dict[str, Any] = {
        "titles": tuple(map(titled, [request] * 2, systems, sources)),
        "values": (data_of(request, left, sources[0]), data_of(request, right, sources[1])),
        "formulas": formulas(request),
        "max_states": request.exploring.max_states,
    }
    both = hidden(request, left), hidden(request, right)
    trace = trace_of(request, both[0])
    with request.phase("making the page"):
        if not request.equivalences:
            return replaying(beside(*both, **settings), trace), {}
        whole, found = page_of_two(*both, request.equivalences[0], **settings)
    return replaying(whole, trace), {"equivalent": found.holds}


def titled(request: Request, file: str | None, of: Described | None) -> str:
    """Return the name of a file, with the parameters that its specification is read with."""
    parameters = [] if of is None else [f"{name}={n}" for name, n in request.text.parameters]
    return ", ".join([files.shown(file), *parameters])


def reduction_of(request: Request, file: str | None) -> tuple[LTS, Symmetry] | None:
    """Return encoding and symmetry file of a reduction; None if the file is to be read as an
    LTS."""
    if request.reading.as_such or request.is_explored(file) or files.is_standard(file):
        return None
    if not Path(files.symmetry_file(file)).is_file():
        return None
    return reduction(request, file, files.read_lts(request, file))


def data_of(request: Request, system: LTS, of: Described | None) -> Sequence[Values]:
    """Return the data of the states of a system, if it was generated from a source that has
    them."""
    from lts.web import state_data

    if of is None:
        return ()
    with request.phase("finding the data of states"):
        return state_data(system, of)


def trace_of(request: Viewing, system: LTS) -> Sequence[TraceStep]:
    """Return the trace that the page follows, with every choice; refuse one that is impossible."""
    if request.replay is None:
        return ()
    from lts.simulation import Simulation
    from ltstool.shared.traces import read_trace

    simulation = Simulation.of_lts(system)
    simulation.replay(read_trace(request.replay))
    return simulation.trace


def formulas(request: Viewing) -> list[str]:
    """Return the formulas, reading those given as files."""
    named = {formula: files.formula_file(formula) for formula in request.formulas}
    files.also_read(request, filter(None, named.values()))
    return [formula if file is None else files.text_of(file) for formula, file in named.items()]

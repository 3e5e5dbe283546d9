"""`ltstool tables`: recompute the tables of the report, and show the published figures beside."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from ltstool.request import Request, Takes
from ltstool.shared.files import format_of, is_standard, open_output
from ltstool.shared.shown import aligned
from ltstool.table import option

if TYPE_CHECKING:
    from ltstool.cases import Complete, Counted, Measured, OtherGroup

HELP = "compute the tables of a folder of case studies, next to the published figures"
EXAMPLES = (
    "tables cases",
    "tables cases --plot sizes.svg",
)

PLOTS = {".svg": "svg", ".png": "png", ".pdf": "pdf"}


@dataclass(frozen=True, kw_only=True)
class Tabling(Request):
    """The options of `tables`."""

    folder: str = option("FOLDER", "folder of case studies, such as `cases`")
    plot: str | None = option(
        "--plot FILE",
        "also plot the sizes: .svg, .png or .pdf; needs matplotlib",
        file="written",
    )


TAKES = Takes(request=Tabling, options=("folder", "plot"))


def run(request: Tabling) -> int:
    """Compute all rows and print the tables; return 1 if an expansion is not as it must be, or a
    number is not the known one."""
    from ltstool.cases import count_all, measure_all, read_cases

    # Checked before the long computation.
    kind = None if request.plot is None else plot_format(request.plot)
    cases, counted_cases = read_cases(request.folder)
    if kind is not None and not cases:
        raise LtsError("there is nothing to plot: no case study of the folder has a table `sizes`")
    measured, counted = [], []
    for row in measure_all(cases):
        measured.append(row)
        request.progress.show(f"{row.title}, N={row.n}")
    for one in count_all(counted_cases):
        counted.append(one)
        request.progress.show(f"{one.title}, {parameters(one)}")
    request.progress.clear()
    if request.json:
        rows = [*map(asdict, measured), *map(asdict, counted)]
        print(json.dumps(rows, indent=2))
    else:
        show(measured)
        show_counted(counted)
    if kind is not None:
        with open_output(request, request.plot) as out:
            out.write(plot(measured, kind))
    holds = [*(row.holds for row in measured), *(one.holds for one in counted)]
    return 0 if all(holds) else 1


def plot_format(file: str) -> str:
    """Return the format of a plot by the suffix of its file."""
    from lts.drawing.plots import check_installed

    if is_standard(file):
        raise LtsError("the tables are printed to standard output: name a file for the plot")
    check_installed()
    return format_of(file, PLOTS, "svg")


def plot(measured: list[Measured], kind: str) -> bytes:
    """Return a plot of the number of states of every original, its reduction, and its orbits."""
    from lts.drawing.plots import bars

    published = [row.published.get("original") for row in measured]
    return bars(
        "Case studies and their reductions",
        "states",
        [f"{row.title}, N={row.n}" for row in measured],
        {
            "original": [row.original[0] for row in measured],
            "encoded reduction": [row.encoding[0] for row in measured],
            "orbits": [row.orbits for row in measured],
            "minimal, strong": [row.minimal["strong"].original[0] for row in measured],
            "minimal, weak": [row.minimal["weak"].original[0] for row in measured],
        },
        {"original, as published": [None if size is None else size[0] for size in published]},
        kind=kind,
    )


def show(measured: list[Measured]) -> None:
    """Print the tables, with published figures in brackets."""
    if not measured:
        return
    print_table(
        "Reductions of the case studies (Table 2)",
        ("case", "N", "original", "orbits", "group", "encoded reduction", "rho-cycles", "expands"),
        [
            (
                row.title,
                str(row.n),
                beside(row.original, row.published.get("original")),
                str(row.orbits),
                f"{row.group}, order {row.order}",
                beside(row.encoding, row.published.get("reduction")),
                cycles(row),
                "yes" if row.expands and row.counted else "NO",
            )
            for row in measured
        ],
    )
    for number, equivalence in ((3, "strong"), (4, "weak")):
        print()
        print_table(
            f"Minimised modulo {equivalence} bisimulation (Table {number})",
            ("case", "N", "original", "reduction", "expansion", "%", *COMPLETE),
            [minimised(row, equivalence) for row in measured],
        )
    rows = [other_group(row, group) for row in measured for group in row.groups]
    if rows:
        print()
        print_table(
            "Complete minimisation under other groups, modulo strong and weak bisimulation",
            ("case", "N", "group", "order", "orbits", *COMPLETE, *COMPLETE),
            rows,
        )
    print()
    print(EXPLANATION)


def show_counted(counted: list[Counted]) -> None:
    """Print the numbers of states and orbits of further cases."""
    if not counted:
        return
    print()
    print_table(
        "States and orbits of the other case studies",
        ("case", "parameters", "group", "states", "orbits"),
        [
            (
                row.title,
                parameters(row),
                f"order {row.order}",
                known(row, row.states, "full"),
                known(row, row.orbits, "quotient"),
            )
            for row in counted
        ],
    )
    print()
    print(EXPLANATION_OF_COUNTS)


def parameters(row: Counted) -> str:
    """Return the parameters of a case as one text."""
    return ", ".join(f"{name}={value}" for name, value in row.parameters.items()) or "-"


def known(row: Counted, ours: int, name: str) -> str:
    """Return a number with the known one, if that differs, and with the printed one."""
    shown = f"{ours:,}"
    if row.known.get(name, ours) != ours:
        shown += f" DIFFERS from {row.known[name]:,}"
    return f"{shown} [{row.printed[name]}]" if name in row.printed else shown


def cycles(row: Measured) -> str:
    """Return the number of rho-cycles of each kind, with the published numbers."""
    shown = ", ".join(f"{number} {kind}" for kind, number in row.rho.items()) or "none"
    return f"{shown} ({row.published['rho']})" if "rho" in row.published else shown


EXPLANATION = """\
States/transitions, in brackets as published, misprints included, as are rho-cycles
[length,period]. Reductions in Tables 3 and 4 count their rho-steps. A reduction expands if its
expansion is isomorphic to the original and was counted right before it was built. % is of the
states that minimisation takes from the original. Behind that, complete minimisation: from the
reduction to that of the minimal original, how many orbits it has and what it expands to,
compared with the original's minimum."""

EXPLANATION_OF_COUNTS = """\
Counted on one state of each orbit, and compared with the numbers that are known for the same model
from a formula, a source or another program: it is said where they differ. In brackets is what a
source prints, which may be rounded or of another model."""

COMPLETE = ("orbits", "complete", "%")


def minimised(row: Measured, equivalence: str) -> tuple[str, ...]:
    """Return a row of Table 3 or 4."""
    ours, published = row.minimal[equivalence], row.published.get(equivalence, {})
    percent = rounded(ours.percent)
    if "percent" in published:
        percent += f" [{published['percent']}]"
    return (
        row.title,
        str(row.n),
        beside(ours.original, published.get("original")),
        beside(ours.encoding, published.get("reduction")),
        beside(ours.expansion, published.get("expansion")),
        percent,
        *complete(row.complete[equivalence]),
    )


def other_group(row: Measured, group: OtherGroup) -> tuple[str, ...]:
    """Return a row of the table of other groups."""
    found = [cell for equivalence in group.complete.values() for cell in complete(equivalence)]
    return (row.title, str(row.n), group.title, str(group.order), str(group.orbits), *found)


def complete(found: Complete) -> tuple[str, ...]:
    """Return the columns of a complete minimisation."""
    wrong = "" if found.exact else " NOT MINIMAL"
    return (str(found.orbits), beside(found.expansion, None) + wrong, rounded(found.percent))


def rounded(percent: float | None) -> str:
    """Return a percentage without decimals."""
    return "-" if percent is None else f"{percent:.0f}"


def beside(ours: tuple[int, int] | None, published: Any) -> str:
    """Return `states/transitions`, with the published figures in brackets."""
    shown = "-" if ours is None else "/".join(map(str, ours))
    return shown if published is None else f"{shown} [{'/'.join(map(str, published))}]"


def print_table(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print aligned columns under a title."""
    print(f"{title}\n\n{aligned([head, *rows], rule=True)}")

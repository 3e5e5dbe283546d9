"""`ltstool tables`: recompute the tables of the report, and show the published figures beside."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.options.request import Request, Takes
from ltstool.options.table import option
from ltstool.shared.files import format_of, is_standard, open_output
from ltstool.shared.numbers import natural_number
from ltstool.shared.shown import aligned

if TYPE_CHECKING:
    from ltstool.cases import Complete, Counted, Measured, OtherGroup

HELP = "compute the tables of a folder of case studies, next to the published figures"
EXAMPLES = (
    "tables cases",
    "tables cases --plot sizes.svg",
)

PLOTS = {".svg": "svg", ".png": "png", ".pdf": "pdf"}


class Tabling(Request):
    """The options of `tables`."""

    folder: str = option("FOLDER", "folder of case studies, such as `cases`")
    most_orbits: int = option(
        "--most-orbits N",
        "count the states of a case only if it is known to have at most so many orbits (default: "
        "5000)",
        type=natural_number,
        default=5_000,
    )
    plot: str | None = option(
        "--plot FILE",
        "also plot the sizes: .svg, .png or .pdf; needs matplotlib",
        file="written",
    )


TAKES = Takes(request=Tabling, options=("folder", "most_orbits", "plot"))


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
    for counts in count_all(counted_cases, request.most_orbits):
        counted.append(counts)
        request.progress.show(f"{counts.title}, {parameters(counts)}")
    request.progress.clear()
    if request.json:
        rows = [*map(asdict, measured), *map(asdict, counted)]
        print(json.dumps(rows, indent=2))
    else:
        show(measured)
        show_counted(counted)
        left = sum(len(case.rows) for case in counted_cases) - len(counted)
        if left:
            print(f"\nRows with more orbits than `--most-orbits {request.most_orbits}`: {left}.")
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

    return bars(
        "Case studies and their reductions",
        "states",
        [f"{row.title}, N={row.n}" for row in measured],
        {
            "original": [row.original[0] for row in measured],
            "reduction": [row.encodings["bfs"].encoding[0] for row in measured],
            "smaller reduction": [row.encodings["greedy"].encoding[0] for row in measured],
            "orbits": [row.orbits for row in measured],
            "minimal, strong": [row.minimal["strong"][0] for row in measured],
            "minimal, weak": [row.minimal["weak"][0] for row in measured],
        },
        {"original, as published": [published_states(row) for row in measured]},
        kind=kind,
    )


def published_states(row: Measured) -> int | None:
    """Return the published number of states of the original."""
    printed = (cell.printed for cell in row.cells if cell.name == "original")
    return next((int(size.partition("/")[0]) for size in printed), None)


def show(measured: list[Measured]) -> None:
    """Print the tables, with published figures in brackets."""
    if not measured:
        return
    print_table(
        "Reductions of the case studies (Table 2)",
        TABLE_2,
        [
            (
                row.title,
                str(row.n),
                cell(row, "original", str(row.original)),
                str(row.orbits),
                f"{row.group}, order {row.order}",
                cell(row, "reduction", str(row.encodings["bfs"].encoding)),
                cell(row, "rho", row.encodings["bfs"].cycles),
                str(row.encodings["greedy"].encoding),
                "yes" if all(e.expands and e.counted for e in row.encodings.values()) else "NO",
            )
            for row in measured
        ],
    )
    for number, equivalence in ((3, "strong"), (4, "weak")):
        print()
        print_table(
            f"Minimised modulo {equivalence} bisimulation (Table {number})",
            ("case", "N", "original", "reduction", "expansion", "%", *SMALLER, *COMPLETE),
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
    show_differences(measured)


def show_differences(measured: list[Measured]) -> None:
    """Print which figures differ from the published ones, and why."""
    cells = [(row, cell) for row in measured for cell in row.cells]
    if not cells:
        return
    agreeing = sum(cell.agrees for _, cell in cells)
    print(f"\n{agreeing} of {len(cells)} published figures agree.")
    others = [(row, cell) for row, cell in cells if not (cell.agrees and cell.holds)]
    if others:
        print("\nThe others, and why they differ:\n")
    for row, cell in others:
        reason = cell.reason or "NO REASON IS KNOWN"
        if cell.agrees:
            reason = f"THEY AGREE, but a reason is given: {reason}"
        print(
            f"- {row.title}, N={row.n}, {cell.name}: {cell.computed} for {cell.printed}: {reason}"
        )


def show_counted(counted: list[Counted]) -> None:
    """Print the numbers of states and orbits of further cases."""
    from ltstool.cases import FIGURES

    if not counted:
        return
    print()
    print_table(
        "States and orbits of the other case studies",
        (
            *("case", "parameters", "order", "states", "transitions", "orbits"),
            *("their transitions", "pairs", "their orbits", "representatives", "%"),
        ),
        [
            (
                row.title,
                parameters(row),
                *(known(row, name) for name in FIGURES),
                in_brackets(f"{row.percent:.2f}", row.printed.get("percent")),
            )
            for row in counted
        ],
    )
    print()
    print(EXPLANATION_OF_COUNTS)


def parameters(row: Counted) -> str:
    """Return the parameters of a case as one text."""
    return ", ".join(f"{name}={value}" for name, value in row.parameters.items()) or "-"


def known(row: Counted, name: str) -> str:
    """Return a figure with the known one, if that differs, and with the printed one."""
    if name not in row.figures:
        return "-"
    if name == "pairs" and not row.refines:
        return "DOES NOT REFINE ITS CALLS"
    ours = row.figures[name]
    shown = f"{ours:,}"
    if row.known.get(name, ours) != ours:
        shown += f" DIFFERS from {row.known[name]:,}"
    return in_brackets(shown, row.printed.get(name))


def in_brackets(computed: str, printed: str | None) -> str:
    """Return a computed figure, with the printed one in brackets if there is one."""
    return computed if printed is None else f"{computed} [{printed}]"


EXPLANATION = """\
States/transitions of the reductions by the report's rule (`reduce --order bfs`), which keeps the
first transition of each orbit breadth first, in the order of the summands; then of the smaller ones
(`--order greedy`, the default). +n are rho-steps; rho-cycles are [length,period]. In brackets are
the published figures, misprints included. Reductions expand if the expansions are isomorphic to the
original and were counted right before they were built. Expansions of minimised reductions are
counted by Lemma 6.8. % is of the states that minimisation takes from the original. Behind that,
complete minimisation: from the reduction to that of the minimal original, how many orbits it has
and what it expands to, compared with the original's minimum."""

EXPLANATION_OF_COUNTS = """\
Counted on one state of each orbit, and compared with the numbers that are known for the same model
from a formula, a source or another program: it is said where they differ. In brackets is what a
source prints, which may be rounded or of another model. The transitions of orbits are triples of a
representative, a label, and the representative of the target; % is of orbits among the states.
Pairs have a state and a node of the normalised specification by calls and returns, which the case
refines; representatives are the pairs whose state is the representative of its orbit."""

TABLE_2 = (
    *("case", "N", "original", "orbits", "group"),
    *("reduction", "rho-cycles", "smaller", "expand"),
)
SMALLER = ("smaller", "expansion", "%")
COMPLETE = ("orbits", "complete", "%")


def minimised(row: Measured, equivalence: str) -> tuple[str, ...]:
    """Return a row of Table 3 or 4."""
    ours, smaller = (row.encodings[order].minimal[equivalence] for order in ("bfs", "greedy"))
    return (
        row.title,
        str(row.n),
        cell(row, f"{equivalence}.original", str(row.minimal[equivalence])),
        cell(row, f"{equivalence}.reduction", ours.reduction),
        cell(row, f"{equivalence}.expansion", str(ours.expansion or "-")),
        cell(row, f"{equivalence}.percent", rounded(ours.percent)),
        smaller.reduction,
        str(smaller.expansion or "-"),
        rounded(smaller.percent),
        *complete(row.complete[equivalence]),
    )


def cell(row: Measured, name: str, computed: str) -> str:
    """Return a computed figure, with the published one in brackets if there is one."""
    printed = next((figure.printed for figure in row.cells if figure.name == name), None)
    return in_brackets(computed, printed)


def other_group(row: Measured, group: OtherGroup) -> tuple[str, ...]:
    """Return a row of the table of other groups."""
    found = [cell for equivalence in group.complete.values() for cell in complete(equivalence)]
    return (row.title, str(row.n), group.title, str(group.order), str(group.orbits), *found)


def complete(found: Complete) -> tuple[str, ...]:
    """Return the columns of a complete minimisation."""
    wrong = "" if found.exact else " NOT MINIMAL"
    return (str(found.orbits), str(found.expansion) + wrong, rounded(found.percent))


def rounded(percent: float | None) -> str:
    """Return a percentage without decimals."""
    return "-" if percent is None else f"{percent:.0f}"


def print_table(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print aligned columns under a title."""
    print(f"{title}\n\n{aligned([head, *rows], rule=True)}")

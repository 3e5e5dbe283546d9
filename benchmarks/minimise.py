"""Cost per transition of reading and minimisation, on families of systems of growing size.

    python benchmarks/minimise.py [--quick] [--json FILE] [--chart FILE.svg]
                                  [--sizes 1e4,1e5,...] [--families A,B] [--repeat N]

Every run is a process of its own that reads a file and minimises; the runs alternate between the
equivalences. Times are wall-clock time on all processors, of minimisation without reading; `growth`
is the time per transition divided by that of the next smaller size, and `machine` is the time in
seconds of a fixed piece of Python at that moment. Memory is the peak of the allocations of the
process, including reading, in bytes per transition; the column beside it has 24 bytes per
transition and 24 per state for comparison.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from families import FAMILIES
from measure import Measured, calibration, run_once

import aut_format
from lts import LTS, mucrl
from lts.drawing import plots

EQUIVALENCES = ("strong", "branching", "weak")
PETERSON = Path(__file__).parents[1] / "cases" / "peterson.mcrl"
ONCE = Path(__file__).with_name("minimise_once.py")
QUICK = {"sizes": "300,3e3", "repeat": 1, "peterson": (2, 3)}
USUAL = {"sizes": "1e4,1e5,1e6,1e7", "repeat": 5, "peterson": (4, 5, 6)}
TIMEOUT = 300.0


def measured(file: Path, system: LTS, repeat: int) -> dict[str, dict[str, object] | None]:
    """Return the medians of some runs of every equivalence, None for one that takes too long.

    The runs alternate, so that other work of the machine affects all equivalences alike.
    """
    runs: dict[str, list[Measured]] = {name: [] for name in EQUIVALENCES}
    slow: set[str] = set()
    for _ in range(repeat):
        for name in [name for name in EQUIVALENCES if name not in slow]:
            command = [sys.executable, str(ONCE), str(file), name]
            try:
                runs[name].append(run_once(command, timeout=TIMEOUT))
            except subprocess.TimeoutExpired:
                slow.add(name)
    return {n: None if n in slow else medians(some, system) for n, some in runs.items()}


def medians(runs: list[Measured], system: LTS) -> dict[str, object]:
    """Return the medians of some runs."""
    for each in runs:
        if each.status != 0:
            raise RuntimeError(each.errors.decode(errors="replace"))
    figures = [json.loads(each.output) for each in runs]
    count = system.transition_count
    return {
        "read_per_second": count / statistics.median(each["read"] for each in figures),
        "microseconds": statistics.median(each["minimise"] for each in figures) / count * 1e6,
        "bytes": max(each.memory for each in runs) / count,
        "states": figures[0]["states"],
        "transitions": figures[0]["transitions"],
    }


def peterson(processes: int) -> LTS:
    """Return the state space of Peterson's algorithm, with all labels except `wait` and `crit`
    internal."""
    specification = mucrl.read(PETERSON, parameters={"N": processes})
    return mucrl.generate(specification).hide(["setturn", "setflag"])


def ladder(arguments: argparse.Namespace) -> list[tuple[str, list[int]]]:
    """Return the families with their sizes; those of `peterson` are numbers of processes."""
    usual = QUICK if arguments.quick else USUAL
    sizes = [int(float(size)) for size in (arguments.sizes or usual["sizes"]).split(",")]
    names = arguments.families.split(",") if arguments.families else ["peterson", *FAMILIES]
    return [(name, list(usual["peterson"]) if name == "peterson" else sizes) for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small systems, to see that it runs")
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    parser.add_argument("--chart", metavar="FILE", help="write a plot: .svg, .png or .pdf")
    parser.add_argument("--sizes", help="numbers of transitions, separated by commas")
    parser.add_argument("--families", help="names, separated by commas")
    parser.add_argument("--repeat", type=int, help="runs of which the median counts")
    arguments = parser.parse_args()
    repeat = arguments.repeat or (QUICK if arguments.quick else USUAL)["repeat"]
    rows = []
    print(
        f"{'family':12} {'states':>9} {'rows':>9} {'machine':>7} {'reads/s':>8} | "
        + " | ".join(f"{name:>9} us growth bytes" for name in EQUIVALENCES)
        + " | 24m+24n"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "system.aut"
        for family, sizes in ladder(arguments):
            before: dict[str, float] = {}
            for size in sizes:
                system = peterson(size) if family == "peterson" else FAMILIES[family](size)
                aut_format.write(system, file)
                row = {
                    "family": family,
                    "size": size,
                    "states": system.state_count,
                    "transitions": system.transition_count,
                    "calibration": calibration(),
                }
                cells = []
                for name, found in measured(file, system, repeat).items():
                    row[name] = found
                    if found is None:
                        cells.append(f"{'-':>12} {'':6} {'':5}")
                        continue
                    cost = found["microseconds"]
                    growth = f"{cost / before[name]:6.2f}" if name in before else " " * 6
                    before[name] = cost
                    cells.append(f"{cost:12.3f} {growth} {found['bytes']:5.1f}")
                states, count = system.state_count, system.transition_count
                reads = max(row[name]["read_per_second"] for name in EQUIVALENCES if row[name])
                row["read_per_second"] = reads
                limit = 24 + 24 * states / count
                print(
                    f"{family:12} {states:9} {count:9} {row['calibration']:7.3f} "
                    f"{reads / 1e6:6.1f} M | "
                    f"{' | '.join(cells)} | {limit:7.1f}",
                    flush=True,
                )
                rows.append(row)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if arguments.chart:
        kind = Path(arguments.chart).suffix[1:]
        Path(arguments.chart).write_bytes(chart(rows, kind))


def chart(rows: list[dict], kind: str) -> bytes:
    """Return a plot of the cost of strong minimisation by size, with a line for each family."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row["strong"]:
            point = (row["transitions"], row["strong"]["microseconds"])
            series.setdefault(row["family"], []).append(point)
    up = "microseconds a transition"
    return plots.lines("Strong bisimulation", "transitions", up, series, kind=kind)


if __name__ == "__main__":
    main()

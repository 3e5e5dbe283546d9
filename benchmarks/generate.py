"""Speed and memory of state space generation.

    python benchmarks/generate.py [--quick] [--threads N] [--repeat K] [--json FILE] [--chart FILE]

Case studies for growing N; a server with a list of cells, where rewriting handles a large local
state; a chain of queues; a chain of thousands of control states; and, as the worst case, conditions
that read all parameters, so that no local situation occurs twice. Each run is the whole command
line, from the start of Python to the file. Sizes known from `cases/` are checked.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from measure import PROGRAM, calibration, measure

from lts.drawing import plots

HERE = Path(__file__).resolve().parent
CASES = HERE.parent / "cases"
SPECS = HERE / "specs"
RUNS = [
    ("peterson", CASES, (4, 5, 6)),
    ("philosophers", CASES, (3, 4, 5)),
    ("store", SPECS, (4, 5, 6)),
    ("queues", SPECS, (3, 4, 5)),
    ("chain", SPECS, (4000, 8000, 16000)),
    ("everything", SPECS, (8, 10, 12)),
]
QUICK = [
    ("peterson", CASES, (3,)),
    ("store", SPECS, (1, 2)),
    ("chain", SPECS, (250, 500)),
    ("everything", SPECS, (2,)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small systems, once each")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the median counts")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument(
        "--chart", metavar="FILE", help="plot of states a second: .svg, .png or .pdf"
    )
    arguments = parser.parse_args()
    repeat = 1 if arguments.quick else arguments.repeat
    print(f"calibration: {calibration():.3f} s of pure Python")
    print(
        f"{'system':12} {'N':>5} {'states':>10} {'transitions':>12} {'seconds':>8} {'grows':>6} "
        f"{'states/s':>10} {'steps/s':>10} {'rewriting':>9} {'B/state':>7} "
        f"{'tables':>8} {'peak':>8}"
    )
    rows: list[dict[str, Any]] = []
    for name, folder, sizes in QUICK if arguments.quick else RUNS:
        before = None
        for n in sizes:
            row = run(name, folder, n, arguments.threads, repeat)
            show(row, before)
            rows.append(row)
            before = row
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=2), encoding="utf-8")
    if arguments.chart:
        series: dict[str, list[tuple[float, float]]] = {}
        for row in rows:
            point = (row["states"], row["states"] / row["time"])
            series.setdefault(row["name"], []).append(point)
        kind = Path(arguments.chart).suffix[1:]
        plot = plots.lines("Generation", "states", "states a second", series, kind=kind)
        Path(arguments.chart).write_bytes(plot)


def run(name: str, folder: Path, n: int, threads: int, repeat: int) -> dict[str, Any]:
    """Generate one system and return the figures of the run with the median time: seconds,
    bytes."""
    runs = []
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "out.aut"
        command = [*PROGRAM, "generate", folder / f"{name}.mcrl", "--set", f"N={n}", "--json"]
        for _ in range(repeat):
            # Otherwise writing back this file to disk would slow down the next run.
            file.unlink(missing_ok=True)
            found = measure([*command, "--threads", str(threads), "-o", file], repeat=1)
            runs.append((json.loads(found.output), found))
        size = file.stat().st_size
    runs.sort(key=lambda run: run[0]["time"])
    statistics, found = runs[len(runs) // 2]
    case = folder / f"{name}.toml"
    confirmed = tomllib.loads(case.read_text()).get("confirmed", []) if case.exists() else []
    for each in confirmed:
        if each["N"] == n and each["original"] != [statistics["states"], statistics["transitions"]]:
            raise SystemExit(f"{name}, N={n}: {each['original']} is confirmed, not {statistics}")
    return {
        "name": name,
        "n": n,
        "threads": threads,
        "file": size,
        "wall": found.wall,
        "times": [statistics["time"] for statistics, _ in runs],
        "peak": max(found.memory for _, found in runs),
        **statistics,
    }


def show(row: dict[str, Any], before: dict[str, Any] | None) -> None:
    """Print a row; `grows` is the time for each state divided by that of the previous row."""
    growth = ""
    if before is not None:
        ratio = (row["time"] / row["states"]) / (before["time"] / before["states"])
        growth = f"{ratio:.2f}x"
    print(
        f"{row['name']:12} {row['n']:>5} {row['states']:>10} {row['transitions']:>12} "
        f"{row['wall']:>8.2f} {growth:>6} {row['states'] / row['time']:>10,.0f} "
        f"{row['transitions'] / row['time']:>10,.0f} {row['rewriting'] / row['time']:>9.0%} "
        f"{row['store'] / row['states']:>7.1f} {row['tables'] / 1e6:>6.1f}MB "
        f"{row['peak'] / 1e6:>6.0f}MB",
        flush=True,
    )


if __name__ == "__main__":
    main()

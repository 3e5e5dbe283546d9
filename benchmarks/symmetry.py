"""Exploration with and without symmetry: time and memory for every known size of the cases.

For each row of `cases/*.toml` whose quotient is not too large, one state of each orbit is explored
with every strategy, and, if there are not too many, every state without symmetry. All sizes are
compared with the known ones; exit code 1 means that one differs.

Then mutual exclusion of Peterson's algorithm is decided by weak traces, on one pair of each orbit
and on all pairs; pairs, nodes and verdicts must agree. Formulas are checked as described in
`symmetry_formulas.py`.

    python benchmarks/symmetry.py --json symmetry.json --chart symmetry.svg
    python benchmarks/symmetry.py --cases peterson_turns --most-orbits 5e6 --threads 2
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from measure import calibration
from measured_tasks import figures, run
from symmetry_formulas import checks

from lts.drawing import plots
from lts.state_space.generation import Output
from lts.state_space.settings import Goals, Internal, Settings
from ltstool.cases import read_cases

CASES = Path(__file__).resolve().parents[1] / "cases"
STRATEGIES = ("refine", "enumerate")
MOST_ELEMENTS = 65536
REFINEMENTS = (
    ("peterson_statements", 3),
    ("peterson_statements", 4),
    ("peterson_turns", 4),
    ("peterson_turns", 5),
    ("peterson_turns", 6),
)
CRITICAL = """%@ include Enum of p1..p{n} as Pid
act enter,leave: Pid
proc One = sum(i:Pid, enter(i).leave(i)).One
init One
"""


def rows(names: list[str]) -> list[dict[str, Any]]:
    """Return the known sizes of the cases, one row each, smaller sizes of a case first."""
    _, cases = read_cases(str(CASES))
    return [
        {
            "case": case.name,
            "specification": str(case.specification),
            **row,
            "symmetry": str(row["symmetry"]),
        }
        for case in cases
        if not names or case.name in names
        for row in case.rows
    ]


def process_of(row: dict[str, Any]) -> Any:
    """Return the linear process of a row."""
    from lts.mucrl import linearise, read

    return linearise(read(row["specification"], parameters=row["parameters"]))


def full(row: dict[str, Any]) -> dict[str, Any]:
    """Explore every state."""
    from lts.mucrl import explore

    statistics = explore(process_of(row), output=Output(columns=False)).statistics
    return {"states": statistics.states, "transitions": statistics.transitions}


def quotient(row: dict[str, Any], strategy: str, threads: int) -> dict[str, Any]:
    """Explore one state of each orbit."""
    from lts.symmetry import count_orbits, parse_symmetry_file

    text = Path(row["symmetry"]).read_text(encoding="utf-8")
    process = process_of(row)
    symmetry = parse_symmetry_file(text, parameters=process.specification.parameters)
    found = count_orbits(
        process, symmetry.generators, settings=Settings(strategy=strategy, threads=threads)
    )
    return {
        "orbits": found.orbits,
        "steps": found.steps,
        "states": found.states,
        "transitions": found.transitions,
        "order": found.order,
        "summands": found.summands,
        "from_text": found.from_text,
        "situations": found.situations,
        "proving": found.proving,
        "bytes": found.store / found.orbits,
    }


def order(row: dict[str, Any]) -> int:
    """Return the order of a row's group."""
    from lts.symmetry import count_orbits, parse_symmetry_file

    process = process_of(row)
    text = Path(row["symmetry"]).read_text(encoding="utf-8")
    symmetry = parse_symmetry_file(text, parameters=process.specification.parameters)
    one = count_orbits(
        process, symmetry.generators, goals=Goals(deadlocks=True, find=lambda label: True, enough=1)
    )
    return one.order


def measured(row: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """Return a row with its measurements."""
    done: dict[str, Any] = {key: row[key] for key in ("case", "parameters", "quotient", "by")}
    done["full"] = row.get("full")
    done["order"] = order(row)
    is_small = row.get("full", float("inf")) <= arguments.most_states
    done["without"] = run(lambda: full(row), arguments) if is_small else None
    for strategy in STRATEGIES:
        is_possible = strategy == "refine" or (
            done["order"] <= MOST_ELEMENTS
            and done["order"] * row["quotient"] <= arguments.most_images
        )
        task = lambda s=strategy: quotient(row, s, arguments.threads)  # noqa: E731
        done[strategy] = run(task, arguments) if is_possible else None
    wrong = []
    for name in ("without", *STRATEGIES):
        found = done[name]
        if found is None:
            continue
        if "full" in row and found["states"] != row["full"]:
            wrong.append(f"{name}: {found['states']} states, known {row['full']}")
        if found.get("orbits", row["quotient"]) != row["quotient"]:
            wrong.append(f"{name}: {found['orbits']} orbits, known {row['quotient']}")
    done["wrong"] = wrong
    return done


def refinement(case: str, n: int, threads: int, *, symmetric: bool) -> dict[str, Any]:
    """Decide mutual exclusion on orbits or on all pairs."""
    from lts.mucrl import generate, read_text
    from lts.symmetry import parse_symmetry_file, refines_on_orbits

    row = {"specification": str(CASES / f"{case}.mcrl"), "parameters": {"N": n}}
    process = process_of(row)
    specification = process.specification
    text = (CASES / f"{case}.sym").read_text(encoding="utf-8")
    symmetry = parse_symmetry_file(text, parameters=specification.parameters)
    found = refines_on_orbits(
        generate(read_text(CRITICAL.format(n=n))),
        process,
        "weak-trace",
        symmetry.generators if symmetric else (),
        internal=Internal(
            labels=tuple(
                Internal(
                    hidden=tuple(
                        [a.name for a in specification.actions if a.name not in ("enter", "leave")]
                    )
                )
            )
        ),
        settings=Settings(threads=threads),
    )
    return {
        "holds": found.holds,
        "orbits": found.orbits,
        "pairs": found.pairs,
        "nodes": found.nodes,
        "bytes": found.store / found.orbits,
    }


def refinements(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure and print the refinement checks."""
    print(
        f"\n{'refinement':<24} {'pairs':>18} {'orbits':>9} {'nodes':>10} "
        f"{'all pairs':>20} {'one of each orbit':>20}"
    )
    done = []
    for case, n in REFINEMENTS:
        if arguments.cases and case not in arguments.cases:
            continue
        task = lambda case=case, n=n, **kind: refinement(case, n, arguments.threads, **kind)  # noqa: E731
        orbits = run(lambda task=task: task(symmetric=True), arguments)
        if orbits is None or orbits["orbits"] > arguments.most_orbits:
            continue
        is_small = orbits["pairs"] <= arguments.most_states
        every = run(lambda task=task: task(symmetric=False), arguments) if is_small else None
        same = ("holds", "pairs", "nodes")
        wrong = [
            f"{key}: {orbits[key]} on orbits, {every[key]} on all pairs"
            for key in same
            if every is not None and every[key] != orbits[key]
        ]
        row = {"case": case, "N": n, "every": every, "orbits": orbits, "wrong": wrong}
        done.append(row)
        print(
            f"{case + ' ' + str(n):<24} {orbits['pairs']:>18} {orbits['orbits']:>9} "
            f"{orbits['nodes']:>10} {figures(every)} {figures(orbits)}"
            + "".join(f"  WRONG {text}" for text in wrong),
            flush=True,
        )
    return done


def shown(row: dict[str, Any]) -> str:
    """Return a row as a line of the table."""
    name = row["case"] + " " + ",".join(f"{v}" for v in row["parameters"].values())
    best = row["refine"] or row["enumerate"]
    states = best["states"] if best else row["full"]
    return (
        f"{name:<24} {states or 0:>18} {row['quotient']:>9} {row['order']:>10} "
        f"{figures(row['without'])} {figures(row['refine'])} {figures(row['enumerate'])}"
        + "".join(f"  WRONG {text}" for text in row["wrong"])
    )


def main() -> int:
    """Measure, print a table, and write JSON and a chart on request."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=lambda text: text.split(","), default=[])
    number = lambda text: int(float(text))  # noqa: E731
    parser.add_argument("--most-orbits", type=number, default=300_000)
    parser.add_argument("--most-states", type=number, default=2_000_000)
    parser.add_argument("--most-images", type=number, default=30_000_000)
    parser.add_argument("--largest", type=int, default=5, help="processes that formulas are about")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--json")
    parser.add_argument("--chart")
    arguments = parser.parse_args()
    print(
        f"{'case':<24} {'states':>18} {'orbits':>9} {'order':>10} {'without symmetry':>20} "
        f"{'refine':>20} {'enumerate':>20}"
    )
    done = []
    for row in rows(arguments.cases):
        if row["quotient"] <= arguments.most_orbits:
            done.append(measured(row, arguments))
            print(shown(done[-1]), flush=True)
    checked = refinements(arguments)
    formulas = checks(arguments) if not arguments.cases else []
    if arguments.json:
        table = {
            "calibration": calibration(),
            "threads": arguments.threads,
            "rows": done,
            "refinements": checked,
            "formulas": formulas,
        }
        Path(arguments.json).write_text(json.dumps(table, indent=1), encoding="utf-8")
    if arguments.chart:
        series: dict[str, list[tuple[float, float]]] = {}
        for row in done:
            for name in ("without", *STRATEGIES):
                if row[name]:
                    size = row[name]["states"]
                    series.setdefault(name, []).append((size, row[name]["wall"]))
        plot = plots.lines(
            "Exploration with and without symmetry",
            "states of the system",
            "seconds",
            {name: sorted(points) for name, points in series.items()},
            kind=Path(arguments.chart).suffix[1:],
        )
        Path(arguments.chart).write_bytes(plot)
    return 1 if any(row["wrong"] for row in [*done, *checked, *formulas]) else 0


if __name__ == "__main__":
    sys.exit(main())

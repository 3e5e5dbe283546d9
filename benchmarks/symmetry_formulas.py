"""Formulas on orbits: part of `benchmarks/symmetry.py`.

Peterson's algorithm by turns is checked for mutual exclusion, for progress under weak fairness, for
a property of a single process, and for mutual exclusion in a variant that ignores the turn. Each
formula is decided with both strategies, with one and two threads, and on the whole system if that
is small.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from measured_tasks import figures, run

from lts.state_space.settings import Settings

CASE = Path(__file__).resolve().parents[1] / "cases" / "peterson_turns"
STRATEGIES = ("refine", "enumerate")
FAIR = (
    "(forall q:Pid. WF((exists k:Nat. raise(q,k) || sign(q,k) || pass(q,k)) || enter(q) || "
    "leave(q) || lower(q))) && WF(first(...))"
)
EXCLUSION = (
    "[true*] forall p:Pid. [enter(p)] forall q:Pid. val(p != q) => [(!leave(p))*.enter(q)]false"
)

UNGUARDED = ("or(eq(flags,1),not(eq(last,i)))", "not(eq(last,none))")
"""The replacement that makes the variant: a process passes as soon as it has signed."""


class Checked(NamedTuple):
    """A formula, the fairness assumed of paths, and a replacement in the specification."""

    name: str
    formula: str
    holds: bool
    fair: str | None = None
    change: tuple[str, str] = ("", "")
    most: int = 7
    """The largest N that fits into memory."""


FORMULAS = (
    Checked("exclusion", EXCLUSION, True),
    Checked("gets in, fair", "A G forall p:Pid. (raise(p,1) => F enter(p))", True, FAIR),
    Checked("p3 may get in first", "<(!enter(...))*.enter(p3)>true", True),
    Checked("broken", EXCLUSION, False, change=UNGUARDED),
)  # fmt: skip


def check(checked: Checked, n: int, strategy: str | None, threads: int) -> dict[str, Any]:
    """Decide a formula, on orbits if a strategy is named."""
    from lts.logic import check_process
    from lts.mucrl import linearise, read_text
    from lts.symmetry import parse_symmetry_file

    text = CASE.with_suffix(".mcrl").read_text(encoding="utf-8").replace(*checked.change)
    process = linearise(read_text(text, parameters={"N": n}))
    file = CASE.with_suffix(".sym").read_text(encoding="utf-8")
    symmetry = parse_symmetry_file(file, parameters=process.specification.parameters)
    found = check_process(
        process,
        checked.formula,
        symmetry.generators if strategy is not None else (),
        settings=Settings(strategy=strategy, threads=threads),
        fair=checked.fair,
    )
    return {"holds": found.holds, "looked_at": found.explored, "pairs": found.pairs}


def checks(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure and print the checks of formulas."""
    print(
        f"\n{'formula':<22} {'N':>2} {'orbits':>10} {'whole system':>20} "
        + " ".join(f"{f'{s}, {t} thread' + 's' * (t > 1):>20}" for s in STRATEGIES for t in (1, 2))
    )
    done = []
    for checked in FORMULAS:
        for n in range(3, min(checked.most, arguments.largest) + 1):
            row: dict[str, Any] = {"formula": checked.name, "N": n, "wrong": []}
            if n <= 5:
                row["every"] = run(lambda c=checked, n=n: check(c, n, None, 1), arguments)
            for strategy in STRATEGIES:
                for threads in (1, 2):
                    task = lambda c=checked, n=n, s=strategy, t=threads: check(c, n, s, t)  # noqa: E731
                    row[f"{strategy} {threads}"] = run(task, arguments)
            found = [value for value in row.values() if isinstance(value, dict)]
            if any(result["holds"] != checked.holds for result in found):
                row["wrong"].append(f"{checked.name} is to be {checked.holds}")
            done.append(row)
            of = [row.get("every"), *(row[f"{s} {t}"] for s in STRATEGIES for t in (1, 2))]
            orbits = next((result["looked_at"] for result in of[1:] if result is not None), "-")
            print(
                f"{checked.name:<22} {n:>2} {orbits:>10} " + " ".join(map(figures, of))
                + "".join(f"  WRONG {text}" for text in row["wrong"]),
                flush=True,
            )  # fmt: skip
    return done

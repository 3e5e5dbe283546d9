"""Time for each orbit with growing numbers of interchangeable identities, whole commands.

python benchmarks/identities.py [--quick] [--json FILE]

`reduce --count` explores one state of each orbit under all permutations of N identities, and counts
the states that the orbits represent; `find-symmetry` finds and proves that group from the text. The
counts are compared with formulas. Times are of all processors, memory is the peak.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from growth import CASES, run
from measure import PROGRAM, measure

FAMILIES = {
    "mutex": (
        lambda n: 2 * n + 1,
        lambda n: 2**n + n * 2 ** (n - 1),
        (5, 10, 20, 50, 100, 200, 500, 1000),
    ),
    "shared_memory": (
        lambda n: 2 * n * n + 1,
        lambda n: 3**n + n * (n - 1) * 3 ** (n - 1),
        (5, 10, 20, 30, 50, 100),
    ),
}


def rows(title: str, numbers: Sequence[int], repeat: int, folder: Path) -> Iterator[dict[str, Any]]:
    """Measure one family."""
    orbits, states, _ = FAMILIES[title]
    for n in numbers:
        text = [CASES / f"{title}.mcrl", "--set", f"N={n}"]
        group = ["--symmetry", CASES / f"{title}.sym"]
        counted = measure([*PROGRAM, "reduce", *text, *group, "--count", "--json"], repeat=repeat)
        sizes = json.loads(counted.output)
        if (sizes["orbits"], sizes["states"]) != (orbits(n), states(n)):
            raise SystemExit(
                f"{title}, N = {n}: {sizes['orbits']} orbits, {sizes['states']} states"
            )
        to = folder / "found.sym"
        found = measure([*PROGRAM, "find-symmetry", *text, "-o", to, "--json"], repeat=repeat)
        if json.loads(found.output)["order"] != sizes["order"]:
            raise SystemExit(f"{title}, N = {n}: another group is found")
        yield {
            "family": title,
            "N": n,
            "orbits": sizes["orbits"],
            "count": counted.as_dict(),
            "find": found.as_dict(),
        }


def shown(row: dict[str, Any]) -> str:
    """Return a row as a line of the table."""
    seconds, finding = row["count"]["processor"], row["find"]["processor"]
    return (
        f"{row['family']:14} {row['N']:5} {row['orbits']:7,} {seconds:7.2f} s "
        f"{1e6 * seconds / row['orbits']:7.0f} us {row['count']['memory'] / 1e6:6.0f} MB "
        f"{finding:7.2f} s"
    )


if __name__ == "__main__":
    run(
        __doc__,
        FAMILIES,
        rows,
        f"{'family':14} {'N':>5} {'orbits':>7} {'count':>9} {'an orbit':>10} {'memory':>9} "
        f"{'find':>9}",
        shown,
    )

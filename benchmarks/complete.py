"""Cost of complete minimisation of a reduction, and of minimising the original, for growing N.

python benchmarks/complete.py [--quick] [--json FILE]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import growth
from growth import CASES, sizes
from measure import PROGRAM, Measured, measure

from lts.symmetry import parse_symmetry_file

WEAK = ["-e", "weak", "--hide", "setturn,setflag,wait"]
FAMILIES = {
    "Peterson, rotations, strong": ("peterson", "peterson.sym", ["-e", "strong"], (2, 3, 4, 5)),
    "Peterson, rotations, weak": ("peterson", "peterson.sym", WEAK, (2, 3, 4, 5)),
    "Peterson, all, strong": ("peterson", "peterson_all.sym", ["-e", "strong"], (2, 3, 4, 5)),
    "mutex, all, strong": ("mutex", "mutex.sym", ["-e", "strong"], (4, 6, 8, 10, 12)),
}
"""Case, group, relation, and values of N."""


def run(*words: str | Path) -> Measured:
    """Run a command of the program once."""
    return measure([*PROGRAM, *words], repeat=1)


def rows(title: str, numbers: Sequence[int], repeat: int, folder: Path) -> Iterator[dict[str, Any]]:
    """Measure one family: memory in bytes and processor time of both methods."""
    case, group, relation, _ = FAMILIES[title]
    reduced, full, out = (folder / name for name in ("reduced.aut", "full.aut", "out.aut"))
    for n in numbers:
        specification = [str(CASES / f"{case}.mcrl"), "--set", f"N={n}"]
        run("reduce", *specification, "--symmetry", CASES / group, "-o", reduced)
        run("generate", *specification, "-o", full)
        symmetry = Path(f"{reduced}.sym")
        complete = [*PROGRAM, "minimise", *relation, "--symmetry", symmetry, reduced, "-o", out]
        direct = [*PROGRAM, "minimise", *relation, full, "-o", folder / "direct.aut"]
        ways = {name: measure(way, repeat=repeat) for name, way in (("a", complete), ("b", direct))}
        least = parse_symmetry_file(Path(f"{out}.sym").read_text(encoding="utf-8"))
        before = parse_symmetry_file(symmetry.read_text(encoding="utf-8"))
        yield {
            "family": title,
            "N": n,
            "order": before.order,
            "original": [before.states, before.transitions],
            "reduced": sizes(reduced)[0],
            "minimal": [least.states, least.transitions],
            "complete": {"memory": ways["a"].memory, "processor": ways["a"].processor},
            "direct": {"memory": ways["b"].memory, "processor": ways["b"].processor},
        }


def shown(row: dict[str, Any]) -> str:
    """Return a row as a line."""
    ways = " ".join(
        f"{row[way]['memory'] / 2**20:7.1f} MB {row[way]['processor']:6.2f} s"
        for way in ("complete", "direct")
    )
    states = f"{row['original'][0]:9} {row['reduced']:8} {row['minimal'][0]:8}"
    return f"{row['family']:28} {row['N']:3} {states} {ways}"


HEAD = "family                         N  original  reduced  minimal  complete          direct"

if __name__ == "__main__":
    growth.run(__doc__, FAMILIES, rows, HEAD, shown)

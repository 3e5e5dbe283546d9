"""Cost of expanding a reduction to its original, and of generating the original, for growing N.

python benchmarks/expand.py [--quick] [--json FILE]

Both are whole commands, from the start of Python to the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from growth import CASES, run, sizes
from measure import PROGRAM, measure

FAMILIES = {
    "Peterson, rotations": ("peterson", "peterson.sym", (4, 5, 6)),
    "Peterson, all permutations": ("peterson", "peterson_all.sym", (4, 5)),
    "mutex, all permutations": ("mutex", "mutex.sym", (8, 12, 16)),
}
"""Case, group, and values of N."""


def rows(title: str, numbers: Sequence[int], repeat: int, folder: Path) -> Iterator[dict[str, Any]]:
    """Measure one family: wall-clock time in seconds, and memory in bytes."""
    case, group, _ = FAMILIES[title]
    reduced, full, again = (folder / name for name in ("reduced.aut", "full.aut", "again.aut"))
    for n in numbers:
        specification = [str(CASES / f"{case}.mcrl"), "--set", f"N={n}"]
        reducing = ["reduce", *specification, "--symmetry", CASES / group, "-o", reduced]
        measure([*PROGRAM, *reducing], repeat=1)
        row: dict[str, Any] = {"family": title, "N": n}
        ways = {
            "generate": ["generate", *specification, "-o", full],
            "expand": ["expand", reduced, "-o", again],
        }
        for name, words in ways.items():
            found = measure([*PROGRAM, *words], repeat=repeat)
            row[name] = {"seconds": found.wall, "memory": found.memory}
        if sizes(full) != sizes(again):
            raise RuntimeError(f"{title}, N={n}: {sizes(full)} became {sizes(again)}")
        row |= {"original": sizes(full), "reduced": sizes(reduced)}
        yield row


def shown(row: dict[str, Any]) -> str:
    """Return a row as a line."""
    ways = " ".join(
        f"{row[way]['seconds']:8.2f} s {row[way]['memory'] / 2**20:4.0f} MB"
        for way in ("generate", "expand")
    )
    states, count = row["original"]
    speed = count / row["expand"]["seconds"] / 1e6
    return f"{row['family']:28} {row['N']:2} {states:9} {count:9} {ways} {speed:5.1f} M"


HEAD = f"{'family':28} {'N':>2} {'states':>9} {'rows':>9} {'generate':>18} {'expand':>18}  rows/s"

if __name__ == "__main__":
    run(__doc__, FAMILIES, rows, HEAD, shown)

"""What giving back the original of a reduction takes, beside generating it, for growing N.

python benchmarks/expand.py [--quick] [--json FILE]

Both are whole commands, from the start of Python to the file.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import PROGRAM, measure

CASES = Path(__file__).parents[1] / "cases"
FAMILIES = {
    "Peterson, rotations": ("peterson", "peterson.sym", (4, 5, 6)),
    "Peterson, all permutations": ("peterson", "peterson_all.sym", (4, 5)),
    "mutex, all permutations": ("mutex", "mutex.sym", (8, 12, 16)),
}
"""Case, group, and values of N."""


def rows(title: str, numbers: tuple[int, ...], repeat: int, folder: Path) -> Iterator[dict]:
    """Measure one family: seconds of the clock, and memory in bytes."""
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
        sizes = []
        for file in (full, again, reduced):
            with file.open(encoding="utf-8") as text:
                _, transitions, states = text.readline().partition(")")[0].split(",")
            sizes.append([int(states), int(transitions)])
        if sizes[0] != sizes[1]:
            raise RuntimeError(f"{title}, N={n}: {sizes[0]} became {sizes[1]}")
        row |= {"original": sizes[0], "reduced": sizes[2]}
        yield row


def main() -> None:
    """Measure and print a table, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only show that it runs")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    found = []
    head = f"{'family':28} {'N':>2} {'states':>9} {'rows':>9}"
    print(f"{head} {'generate':>18} {'expand':>18}  rows/s")
    with tempfile.TemporaryDirectory() as folder:
        for title, (*_, numbers) in FAMILIES.items():
            wanted = numbers[:1] if arguments.quick else numbers
            repeat = 1 if arguments.quick else arguments.repeat
            for row in rows(title, wanted, repeat, Path(folder)):
                found.append(row)
                shown = " ".join(
                    f"{row[way]['seconds']:8.2f} s {row[way]['memory'] / 2**20:4.0f} MB"
                    for way in ("generate", "expand")
                )
                states, count = row["original"]
                speed = count / row["expand"]["seconds"] / 1e6
                print(
                    f"{title:28} {row['N']:2} {states:9} {count:9} {shown} {speed:5.1f} M",
                    flush=True,
                )
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

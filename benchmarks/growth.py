"""Common frame of benchmarks that measure families of cases for growing N."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "cases"


def run(
    description: str | None,
    families: Mapping[str, Sequence[Any]],
    rows: Callable[[str, Sequence[int], int, Path], Iterator[dict[str, Any]]],
    head: str,
    shown: Callable[[dict[str, Any]], str],
) -> None:
    """Measure, print a table with the lines of `shown`, and write JSON on request.

    The last component of a family is its values of N. `rows` is called with the title of a family,
    some of these values, the number of repetitions, and a folder.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="only show that it runs")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    found = []
    print(head)
    with tempfile.TemporaryDirectory() as folder:
        for title, (*_, numbers) in families.items():
            wanted = numbers[:1] if arguments.quick else numbers
            repeat = 1 if arguments.quick else arguments.repeat
            for row in rows(title, wanted, repeat, Path(folder)):
                found.append(row)
                print(shown(row), flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def sizes(file: Path) -> tuple[int, int]:
    """Return the states and transitions in the header of an .aut file."""
    with file.open(encoding="utf-8") as text:
        _, transitions, states = text.readline().partition(")")[0].split(",")
    return int(states), int(transitions)

"""Write the tables of docs/benchmarks.md from the figures in benchmarks/figures.toml.

Run by `make figures`; a test fails if a table of the page is not current.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"
FIGURES = ROOT / "benchmarks" / "figures.toml"
TABLE = re.compile(r"^<!-- figures: (\w+) -->\n(?:\|.*\n)*", re.M)


def figures() -> dict[str, dict[str, Any]]:
    """Return the `columns` and `rows` of each table, by its name."""
    return tomllib.loads(FIGURES.read_text(encoding="utf-8"))


def line(cells: list[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |\n"


def page() -> str:
    """Return the page with its tables as in the figures."""
    known = figures()

    def table(match: re.Match[str]) -> str:
        columns, rows = known[match[1]]["columns"], known[match[1]]["rows"]
        lines = [line(columns), "|" + "---|" * len(columns) + "\n", *map(line, rows)]
        return f"<!-- figures: {match[1]} -->\n{''.join(lines)}"

    return TABLE.sub(table, PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

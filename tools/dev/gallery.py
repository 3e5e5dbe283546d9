"""Write the table of docs/cases.md and its pictures: a row for each case study, with its group, its
sizes, and what its source prints.

Run by `make gallery`; a test computes the rows again, but for the times.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lts import mucrl
from lts.equivalence import minimise
from lts.symmetry import count_orbits
from ltstool.cases import CountedCase, read_cases
from ltstool.main import main as ltstool
from ltstool.shared.reading import read_symmetry

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "cases.md"
PICTURES = ROOT / "docs" / "pictures" / "gallery"

MOST = 25_000
"""Most states of the system in a row: it is generated and minimised."""
DRAWN = {
    "mutex": {"N": 3},
    "phonebook": {"N": 2},
    "managers": {"N": 3},
    "scheduler": {"N": 2},
    "lamps": {"N": 4},
    "butler": {"N": 3},
}
"""The systems in pictures, with their parameters."""

TABLE = (
    "| `cases/` | parameters | order | states | orbits | % | minimal | s | printed |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
)


class Row(NamedTuple):
    """A row of the table, as texts; `seconds` is measured."""

    system: str
    parameters: str
    order: str
    states: str
    orbits: str
    percent: str
    minimal: str
    seconds: str
    printed: str

    @property
    def computed(self) -> tuple[str, ...]:
        """All but the time."""
        return (*self[:-2], self.printed)


def main() -> int:
    """Write the table and the pictures."""
    shown = "".join(f"| {' | '.join(row)} |\n" for row in rows())
    text = PAGE.read_text(encoding="utf-8")
    text = text.replace(table(text), TABLE + shown)
    PAGE.write_text(text[: text.index("## Pictures")] + pictures(), encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    for name in DRAWN:
        draw(name, PICTURES / f"{name}.svg")
    return 0


def table(text: str) -> str:
    """Return the table of the page, which begins with the line of TABLE."""
    head = re.escape(TABLE.partition("\n")[0])
    [found] = re.findall(rf"^{head}\n(?:\|.*\n)*", text, re.MULTILINE)
    return found


def rows() -> list[Row]:
    """Return the rows of all case studies, computed."""
    return [row(*entry) for entry in entries()]


def entries() -> Iterator[tuple[Path, Path, dict[str, int], dict[str, str]]]:
    """Yield the subject of each row: specification, symmetry and parameters of a case study, and
    the sizes that its source prints."""
    cases, counted = read_cases(str(ROOT / "cases"))
    for case in cases:
        sizes = {
            n: figures["original"][0]
            for n, figures in case.published.items()
            if "original" in figures
        }
        n, states = max((n, size) for n, size in sizes.items() if size <= MOST)
        yield case.specification, case.symmetry, {"N": n}, {"full": f"{states:,}"}
    for one in counted:
        last = largest(one)
        printed = last.get("printed", {})
        yield one.specification, last["symmetry"], last["parameters"], printed


def largest(case: CountedCase) -> dict[str, Any]:
    """Return the row with the most states that are few enough, or else that with the least."""
    known = sorted((row for row in case.rows if "full" in row), key=lambda one: int(one["full"]))
    return next((row for row in reversed(known) if row["full"] <= MOST), known[0])


def row(
    specification: Path,
    symmetry: Path,
    parameters: dict[str, int],
    printed: dict[str, str],
) -> Row:
    """Compute a row."""
    started = time.perf_counter()
    text = mucrl.read(specification, parameters=parameters)
    process = mucrl.linearise(text)
    found = count_orbits(process, read_symmetry(str(symmetry), text.parameters).generators)
    seconds = time.perf_counter() - started
    minimal = minimise(mucrl.generate(process), "strong").state_count
    sizes = [printed[name] for name in ("full", "quotient") if name in printed]
    return Row(
        f"`{specification.stem}`",
        ", ".join(f"{name}={value}" for name, value in parameters.items()) or "none",
        f"{found.order:,}",
        f"{found.states:,}",
        f"{found.orbits:,}",
        f"{100 * found.orbits / found.states:.1f}",
        f"{minimal:,}",
        f"{seconds:.2f}",
        " / ".join(sizes),
    )


def pictures() -> str:
    """Return the part of the page with pictures."""
    _, counted = read_cases(str(ROOT / "cases"))
    titles = {case.name: case.title for case in counted}
    found = [
        "## Pictures\n\nStates of one orbit have one colour. Beside each system is its reduction,"
    ]
    found.append(" as `ltstool draw` shows it.\n")
    for name, parameters in DRAWN.items():
        shown = ", ".join(f"{key} = {value}" for key, value in parameters.items())
        title = f"{titles[name]}, {shown}"
        found.append(f"\n### {title[0].upper()}{title[1:]}\n\n")
        found.append(f"![{title}](pictures/gallery/{name}.svg)\n")
    return "".join(found)


def draw(name: str, out: Path) -> None:
    """Draw a case study with its orbits, and its reduction."""
    options = [word for key, value in DRAWN[name].items() for word in ("--set", f"{key}={value}")]
    case = ROOT / "cases" / name
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "picture.svg"
        code = ltstool(
            ["draw", f"{case}.mcrl", "--symmetry", f"{case}.sym", "-q", "-o", str(made), *options]
        )
        if code:
            raise SystemExit(f"{name} could not be drawn")
        out.write_bytes(made.read_bytes())


if __name__ == "__main__":
    sys.exit(main())

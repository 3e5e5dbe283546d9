"""The figures of benchmarks are in one file, and pages show those."""

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "dev"))
figures = importlib.import_module("figures")
sys.path.pop(0)


def test_tables_are_current():
    text = figures.PAGE.read_text(encoding="utf-8")
    assert figures.page() == text, "run `make figures`"
    assert sorted(figures.TABLE.findall(text)) == sorted(figures.figures())


def test_every_column_has_a_cell():
    for name, table in figures.figures().items():
        for row in table["rows"]:
            assert len(row) == len(table["columns"]), (name, row)


def test_readme_quotes_the_figures():
    table = figures.figures()["generation"]
    row = next(row for row in table["rows"] if row[:2] == ["Peterson", "6"])
    of = dict(zip(table["columns"], row, strict=True))
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"{of['states']} states, is generated in {of['command']} and {of['peak']}" in text

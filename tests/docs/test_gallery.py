"""docs/cases.md has a row for each case study, as it is computed, and its pictures."""

import importlib
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "dev"))
gallery = importlib.import_module("gallery")
sys.path.pop(0)

PAGE = gallery.PAGE.read_text(encoding="utf-8")
ROWS = [
    gallery.Row(*(cell.strip() for cell in line[1:-1].split("|")))
    for line in gallery.table(PAGE).splitlines()[2:]
]
ENTRIES = list(gallery.entries())
FEW = 3_000
"""Rows with more states are computed by `make gallery` alone."""


def test_every_case_study_is_in_the_gallery():
    assert [row.system for row in ROWS] == [f"`{entry[0].stem}`" for entry in ENTRIES]


@pytest.mark.parametrize("number", range(len(ENTRIES)))
def test_gallery_figures_are_current(number):
    row, (_, _, parameters, printed) = ROWS[number], ENTRIES[number]
    assert row.parameters == (", ".join(f"{k}={v}" for k, v in parameters.items()) or "none")
    assert row.printed == " / ".join(printed[n] for n in ("full", "quotient") if n in printed)
    if int(row.states.replace(",", "")) <= FEW:
        assert row.computed == gallery.row(*ENTRIES[number]).computed


def test_gallery_pictures_have_captions():
    for name, parameters in gallery.DRAWN.items():
        shown = ", ".join(f"{key} = {value}" for key, value in parameters.items())
        [title] = re.findall(rf"!\[([^]]*)\]\(pictures/gallery/{name}\.svg\)", PAGE)
        assert title.endswith(shown)
        picture = (gallery.PICTURES / f"{name}.svg").read_text(encoding="utf-8")
        assert "original:" in picture
        assert "reduction:" in picture

"""Colours that can be told apart, however one sees."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from lts.drawing.palette import COLOURS, HATCHINGS, look

ROOT = Path(__file__).resolve().parents[2]
# What is seen with a missing kind of cones (Machado, Oliveira and Fernandes, 2009), of linear RGB.
SIGHTS = {
    "usual": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def lab(colour, sight):
    """Return a colour as it is seen, in the space CIELAB."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(SIGHTS[sight]) @ linear, 0, 1)
    x, y, z = np.cbrt(np.maximum(np.array(XYZ) @ seen / [0.9505, 1, 1.089], 1e-6))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_differ_under_colour_blindness(sight):
    for one, other in combinations(COLOURS, 2):
        # A difference of 2.3 is just seen.
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 10, (one, other)


def test_pages_have_the_same_colours():
    script = (ROOT / "lts" / "web" / "script" / "palette.js").read_text()
    listed = re.search(r"const COLOURS = \[(.*?)\];", script, re.DOTALL)[1]
    assert tuple(re.findall(r'"(#\w+)"', listed)) == COLOURS
    assert f"const HATCHINGS = {len(HATCHINGS)};" in script


def test_first_32_classes_have_different_styles():
    assert len({look(number) for number in range(32)}) == 32
    assert look(32) == look(0)

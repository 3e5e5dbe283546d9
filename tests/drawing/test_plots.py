"""Plots of measurements."""

import re
from xml.etree import ElementTree

import pytest

from lts.drawing.palette import COLOURS
from lts.drawing.plots import bars, lines

SERIES = {"one": [(10, 1.5), (1000, 20.0)], "<other> & $x_2": [(20, 2.0)], "none": []}


def test_lines_have_their_points_and_names():
    picture = lines("A title", "states", "seconds", SERIES)
    text = picture.decode()
    ElementTree.fromstring(text)
    for name in ("A title", "states", "seconds", "one", "&lt;other&gt; &amp; $x_2"):
        assert f"<!-- {name} -->" in text
    assert COLOURS[0] in text
    assert lines("A title", "states", "seconds", SERIES) == picture


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_other_formats(kind, start):
    picture = bars("t", "states", ["a", "b"], {"x": [1, 10]}, {"known": [None, 9]}, kind=kind)
    assert picture.startswith(start)
    assert lines("t", "x", "y", SERIES, kind=kind).startswith(start)


def test_bars_are_as_long_as_their_numbers():
    text = bars("t", "states", ["a", "b"], {"x": [10, 1000], "y": [None, 100]}).decode()
    boxes = [
        [float(number) for number in re.findall(r"[-\d.]+", path)]
        for path in re.findall(r'<g id="patch_\d+">\s*<path d="([^"]*)" clip-path', text)
    ]
    # They come from far to the left of the axis, which is logarithmic.
    one, two, three = sorted(max(box[::2]) for box in boxes if min(box[::2]) < -1000)
    assert three - two == pytest.approx(two - one, rel=0.001)
    assert two - one > 10

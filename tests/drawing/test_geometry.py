"""Pictures by their geometry: nothing overlaps, nothing is outside of the canvas."""

import math
import random
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from unicodedata import east_asian_width
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lts
from lts import LTS, FormatError, LtsError
from lts.drawing import layout
from lts.drawing.graph import RADIUS
from lts.drawing.panel import Drawing, Panel
from shapes import chain, grid, hanoi, ring, star, tree
from strategies import examples, systems

SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = ("layers", "band", "cone", "circle", "force")
PARALLEL = LTS.from_transitions([(0, f"label({n})", 1) for n in range(12)] + [(1, "back", 0)])
EMPTY = LTS.from_transitions([(0, "", 1), (1, "tau", 0)])
LONG = LTS.from_transitions([(0, "x" * 300, 1), (1, "M" * 40, 1), (1, "z" * 60, 0)])
LOOPS = LTS.from_transitions(
    [(0, f"loop{n}", 0) for n in range(5)] + [(0, "tau", 0), (0, "go", 1), (1, "i", 1)]
)
OTHER_SCRIPTS = LTS.from_transitions(
    [(0, "日本語のラベル", 1), (1, "приём", 2), (2, "שלום→", 0), (1, "é̀", 1), (2, "🚀" * 12, 2)]
)
SYSTEMS = {
    "star": star(24),
    "ring": ring(50),
    "grid": grid(8),
    "hanoi": hanoi(4),
    "tree": tree(3),
    "chain": chain(60),
    "parallel": PARALLEL,
    "empty": EMPTY,
    "long": LONG,
    "loops": LOOPS,
    "scripts": OTHER_SCRIPTS,
    "single": LTS.from_transitions([(0, "a", 0)]),
}


class Drawn:
    """The boxes of an SVG picture, in the coordinates of its canvas."""

    def __init__(self, svg):
        self.root = ElementTree.fromstring(svg)
        self.size = float(self.root.get("width")), float(self.root.get("height"))
        self.nodes, self.texts, self.heads, self.lines = {}, [], [], []
        self.visit(self.root, 0, 0)

    def visit(self, group, x, y):
        move = re.match(r"translate\(([\d.-]+),([\d.-]+)\)", group.get("transform", ""))
        if move:
            x, y = x + float(move[1]), y + float(move[2])
        is_state = "-state-" in group.get("id", "")
        for each in group:
            tag = each.tag.removeprefix(SVG)
            if tag == "g" and each.get("class") != "legend":
                self.visit(each, x, y)
            elif tag == "circle" and is_state:
                centre, r = (x + float(each.get("cx")), y + float(each.get("cy"))), 15
                self.nodes[group.get("id")] = (*(c - r for c in centre), *(c + r for c in centre))
            elif tag == "rect" and is_state:
                left, top = x + float(each.get("x")), y + float(each.get("y"))
                self.nodes[group.get("id")] = left, top, left + 27, top + 27
            elif tag == "text" and not is_state:
                self.texts.append(text_box(each, x, y, group.get("text-anchor")))
            elif tag == "path" and not is_state:
                points = [(x + float(a), y + float(b)) for a, b in pairs(each.get("d"))]
                (self.heads if each.get("d").endswith("Z") else self.lines).append(points)


def pairs(path):
    return re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)


def text_box(text, x, y, anchor):
    """Return the box of a text in Helvetica, rounded up for other fonts, with the text itself."""
    size, content = float(text.get("font-size", 12)), "".join(text.itertext())
    width = sum(size if east_asian_width(c) in "WF" else 0.53 * size for c in content)
    if content.isupper():
        width = 0.83 * size * len(content)
    left = x + float(text.get("x")) - (width / 2 if anchor else 0)
    base = y + float(text.get("y"))
    return left, base - 0.75 * size, left + width, base + 0.2 * size


def point(curve, time):
    left = 1 - time
    weights = left**3, 3 * left**2 * time, 3 * left * time**2, time**3
    return tuple(sum(w * p[axis] for w, p in zip(weights, curve, strict=True)) for axis in (0, 1))


def overlapping(boxes):
    return [
        (a, b)
        for a, b in combinations(boxes, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def hull(points):
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def check(drawn):
    nodes, heads = [*drawn.nodes.values()], [hull(points) for points in drawn.heads]
    assert overlapping([*nodes, *drawn.texts]) == []
    for head in heads:
        assert all(overlapping([head, text]) == [] for text in drawn.texts)
    curves = [hull([point(line, n / 50) for n in range(51)]) for line in drawn.lines]
    for left, top, right, bottom in [*nodes, *drawn.texts, *heads, *curves]:
        assert 0 <= left < right <= drawn.size[0]
        assert 0 <= top <= bottom <= drawn.size[1]


@pytest.mark.parametrize("name", SYSTEMS)
def test_boxes_are_disjoint_and_on_the_canvas(name):
    check(Drawn(lts.draw(SYSTEMS[name]).svg))


@settings(max_examples=examples(2), deadline=None)
@given(systems())
def test_boxes_of_small_systems_are_disjoint(system):
    check(Drawn(lts.draw(system).svg))


@settings(max_examples=examples(2), deadline=None)
@given(systems(), st.sampled_from(LAYOUTS))
def test_arrows_join_the_states_of_their_transitions(system, layout):
    system = system.reachable()
    panel = Panel("", system, (None,) * system.state_count)
    drawing = Drawing(panel, layout, None)
    nodes = drawing.graph.nodes
    drawn = [(step.source, label, step.target) for step in drawing.steps for label in step.labels]
    assert Counter(drawn) == Counter(set(system.transitions()))
    for step, (start, *_, end) in zip(drawing.steps, drawing.curves, strict=True):
        for state, tip in ((step.source, start), (step.target, end)):
            distance = math.dist(tip, (nodes[state].x, nodes[state].y))
            assert RADIUS - 0.01 <= distance <= RADIUS + 3, (step, distance)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["star", "parallel", "loops", "tree"])
def test_boxes_of_each_layout_are_disjoint(name, layout):
    check(Drawn(lts.draw(SYSTEMS[name], layout=layout).svg))


def centres(name, layout="automatic"):
    return centres_of(SYSTEMS[name], layout)


def centres_of(system, layout):
    boxes = Drawn(lts.draw(system, layout=layout).svg).nodes
    numbers = {int(key.rpartition("-")[2]): box for key, box in boxes.items()}
    return [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for _, box in sorted(numbers.items())]


def test_automatic_layout_shows_the_shape():
    # The centre of a star has the same distance from all arms.
    middle, *arms = centres("star")
    lengths = [math.dist(middle, arm) for arm in arms]
    assert max(lengths) < 1.01 * min(lengths)
    # A ring is a circle.
    around = centres("ring")
    middle = tuple(sum(axis) / len(around) for axis in zip(*around, strict=True))
    lengths = [math.dist(middle, each) for each in around]
    assert max(lengths) < 1.01 * min(lengths)
    # Steps of a grid have about one length, those in one direction about one angle.
    at = centres("grid")
    steps = [(at[s], at[t], a) for s, a, t in grid_of_breadth()]
    lengths = [math.dist(a, b) for a, b, _ in steps]
    assert max(lengths) < 1.2 * min(lengths)
    for label in ("right", "down"):
        angles = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b, each in steps if each == label]
        assert max(angles) - min(angles) < 0.2


@pytest.mark.parametrize("layout", ["layers", "band"])
def test_parents_are_drawn_between_their_children(layout):
    children = {parent: range(3 * parent + 1, 3 * parent + 4) for parent in range(4)}
    steps = [(parent, "a", child) for parent, own in children.items() for child in own]
    at = [y for _, y in centres_of(LTS.from_transitions(steps), layout)]
    for parent, own in children.items():
        assert at[own[0]] < at[parent] < at[own[-1]]


@pytest.mark.parametrize("states", [30, 60, 150])
def test_a_chain_is_folded_to_the_shape_of_a_window(states):
    width, height = Drawn(lts.draw(chain(states), layout="band").svg).size
    assert height < width < 2 * height


def grid_of_breadth():
    return SYSTEMS["grid"].reachable().transitions()


def test_hanoi_is_a_triangle():
    """The three perfect configurations are corners: all other states are inside of their hull."""
    system = SYSTEMS["hanoi"]
    at = centres("hanoi")
    far = [s for s in range(system.state_count) if len({t for _, t in system.successors(s)}) == 2]
    corners = [at[state] for state in far]
    assert len(corners) == 3
    sides = [math.dist(a, b) for a, b in combinations(corners, 2)]
    assert max(sides) < 1.15 * min(sides)
    a, b, c = corners

    def area(p, q, r):
        return abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2

    for each in at:
        split = area(a, b, each) + area(b, c, each) + area(a, c, each)
        assert split < 1.15 * area(a, b, c)


def test_parallel_transitions_share_an_arrow_with_a_list():
    drawn = Drawn(lts.draw(PARALLEL).svg)
    assert len(drawn.lines) == len(drawn.heads) == 2
    assert len(drawn.texts) == 1 + 13
    middles = Counter(round(box[0] + box[2]) for box in drawn.texts)
    assert max(middles.values()) == 12
    many = LTS.from_transitions([(0, f"a({n})", 1) for n in range(40)])
    texts = ["".join(text.itertext()) for text in Drawn(lts.draw(many).svg).root.iter(f"{SVG}text")]
    assert "a(14)" in texts
    assert "+25 more" in texts
    assert "a(15)" not in texts


def test_empty_labels_are_visible():
    svg = lts.draw(EMPTY).svg.decode()
    assert "“”</text>" in svg
    assert "{“”}" in lts.draw(EMPTY).tikz.decode()


def test_internal_steps_are_dotted_in_every_format(tmp_path):
    picture = lts.draw(EMPTY)
    assert picture.svg.decode().count('stroke-dasharray="2 3"') == 2  # the step and the legend
    assert 'label="tau", style=dotted' in picture.dot.decode()
    assert "\\draw[->, internal]" in picture.tikz.decode()
    assert "internal/.style={densely dotted}" in picture.tikz.decode()
    lts.write(EMPTY, tmp_path / "a.dot")
    assert 'label="tau", style=dotted' in (tmp_path / "a.dot").read_text()


@pytest.mark.parametrize("name", ["star", "empty", "loops"])
def test_formats_have_the_same_coordinates(name, tmp_path):
    picture = lts.draw(SYSTEMS[name])
    boxes = Drawn(picture.svg).nodes
    centre = {
        int(key.rpartition("-")[2]): ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        for key, box in boxes.items()
    }
    dot = {
        int(n): (float(x), float(y))
        for n, x, y in re.findall(r's0_(\d+) \[pos="(-?\d+),(-?\d+)!"', picture.dot.decode())
    }
    tex = {
        int(n): (float(x), float(y))
        for n, x, y in re.findall(
            r"\(s0-(\d+)\) at \((-?[\d.]+), (-?[\d.]+)\)", picture.tikz.decode()
        )
    }
    assert centre.keys() == dot.keys() == tex.keys()
    for one, other in combinations(centre, 2):
        distance = math.dist(centre[one], centre[other])
        assert math.isclose(math.dist(dot[one], dot[other]), distance, abs_tol=2)
        assert math.isclose(40 * math.dist(tex[one], tex[other]), distance, abs_tol=0.5)
    picture.write(tmp_path / "a.dot")
    assert lts.read(tmp_path / "a.dot").state_count == SYSTEMS[name].state_count


def test_tikz_escapes_labels(tmp_path):
    system = LTS.from_transitions([(0, "a_b%{c}--d\\e$", 1), (1, "x&#^~<|>'`", 0)])
    text = lts.draw(system).tikz.decode()
    assert r"{a\_b\%\{c\}-{}-{}d\textbackslash{}e\$}" in text
    escaped = r"{x\&\#\textasciicircum{}\textasciitilde{}\textless{}\textbar{}\textgreater{}"
    assert escaped + r"\textquotesingle{}\textasciigrave{}}" in text
    assert text.count("{") == text.count("}") - text.count(r"\}") + text.count(r"\{")
    lts.draw(system).write(tmp_path / "a.tex")
    assert (tmp_path / "a.tex").read_text() == text
    with pytest.raises(FormatError, match=r"\.svg, \.dot, \.gv, \.tex"):
        lts.draw(system).write(tmp_path / "a.pdf")


def test_unknown_layouts_are_refused():
    with pytest.raises(
        LtsError, match="unknown layout `spring`; the layouts are automatic, layers"
    ):
        lts.draw(EMPTY, layout="spring")
    with pytest.raises(TypeError, match="the name of a layout"):
        lts.draw(EMPTY, layout=["force"])


def test_pictures_are_reproducible():
    choose = random.Random(3)
    rows = [(choose.randrange(20), choose.choice("abc"), choose.randrange(20)) for _ in range(40)]
    system = LTS.from_transitions(rows, state_count=20)
    assert lts.draw(system).svg == lts.draw(system).svg


def test_more_states_than_any_layout_tries_are_laid_out(monkeypatch):
    monkeypatch.setattr(
        layout, "LAYOUTS", {name: replace(each, tried=5) for name, each in layout.LAYOUTS.items()}
    )
    check(Drawn(lts.draw(SYSTEMS["ring"]).svg))

"""Layouts serve the shape of a system, and arrows, labels and states can be told apart."""

import math
import random
from itertools import combinations, pairwise

import pytest

from chromium import WINDOWS, Keys
from lts import LTS, mucrl
from lts.linear.linearise import linearise
from lts.state_space.generation import generate
from lts.web import beside, page
from shapes import chain, grid, hanoi, ring, square, star, tree

RADIUS = 15
NODES = "app.active.picture.nodes.map((n) => [n.x, n.y, n.w, n.h])"
ARROWS = """app.active.picture.arrows.map((a) => [a.curve,
    app.active.picture.nodes.indexOf(a.source), app.active.picture.nodes.indexOf(a.target)])"""

SHAPES = {
    "chain": (lambda: chain(300), {"band"}),
    "star": (lambda: star(10), {"cone"}),
    "square": (square, {"cone", "force", "circle"}),
    "ring": (lambda: ring(60), {"circle"}),
    "grid": (lambda: grid(15), {"force"}),
    "tree": (lambda: tree(4), {"cone"}),
    "hanoi": (lambda: hanoi(5), {"force"}),
}


def point(curve, time):
    x0, y0, x1, y1, x2, y2, x3, y3 = curve
    left = 1 - time
    weights = left**3, 3 * left**2 * time, 3 * left * time**2, time**3
    return tuple(
        sum(w * c for w, c in zip(weights, line, strict=True))
        for line in ((x0, x1, x2, x3), (y0, y1, y2, y3))
    )


def crossed(shown):
    """Return the arrows that run through a node which is none of their ends."""
    nodes = shown.run(NODES)
    found = []
    for curve, *ends in shown.run(ARROWS):
        points = [point(curve, n / 100) for n in range(101)]
        for number, (x, y, _, _) in enumerate(nodes):
            if number not in ends and min(math.dist(p, (x, y)) for p in points) < RADIUS:
                found.append((ends, number))
    return found


def overlapping(shown):
    nodes = shown.run(NODES)
    return [
        pair
        for pair in combinations(range(len(nodes)), 2)
        if math.dist(nodes[pair[0]][:2], nodes[pair[1]][:2]) < 2 * RADIUS - 1
    ]


def touching(boxes):
    return [
        (a, b)
        for a, b in combinations(boxes, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", SHAPES)
def test_layout_fills_the_window(opened, name, window):
    made, layouts = SHAPES[name]
    shown = opened(page(made()), window)
    if window == WINDOWS[0]:
        assert shown.run("app.active.used") in layouts
        assert f"automatic: {shown.run('app.active.used')}" in shown.text("#layout")
    zoom, size = shown.run("app.active.transform.k"), shown.run("app.active.size()")
    places = [shown.run(f"app.active.placeOf({n})") for n in range(shown.states())]
    spans = [max(axis) - min(axis) for axis in zip(*places, strict=True)]
    shares = sorted([spans[0] / size["width"], spans[1] / size["height"]])
    assert all(0 < x < size["width"] and 0 < y < size["height"] for x, y in places)
    assert shares[1] > 0.7 or zoom == shown.run("LARGEST")
    assert shares[0] > 0.35
    # A state is 6 pixels wide at least on a phone, and its number is readable on a screen.
    assert 2 * RADIUS * zoom > (10 if window == WINDOWS[0] else 6)
    assert overlapping(shown) == []


def test_band_layout_alternates_direction(opened):
    shown = opened(page(chain(100)))
    assert shown.run("app.active.used") == "band"
    places = [node[:2] for node in shown.run(NODES)]
    lengths = sorted(math.dist(a, b) for a, b in pairwise(places))
    assert lengths[-1] < 1.5 * lengths[50]
    # Unreachable states are below the others.
    rows = [*chain(100).transitions(), (101, "other", 102)]
    shown = opened(page(LTS.from_transitions(rows)))
    shown.choose("#layout", "band")
    places = [node[1] for node in shown.run(NODES)]
    assert min(places[101:]) > max(places[:101])


def test_states_do_not_overlap_in_force_layout(opened):
    system = generate(linearise(mucrl.read("cases/peterson.mcrl", parameters={"N": 3})))
    shown = opened(page(system))
    shown.choose("#layout", "force")
    assert overlapping(shown) == []


@pytest.mark.parametrize("name", ["star", "square", "ring", "tree"])
def test_arrows_run_around_states(opened, name):
    shown = opened(page(SHAPES[name][0]()))
    assert crossed(shown) == []
    shown.choose("#layout", "layers")
    if name in ("star", "square"):
        assert crossed(shown) == []


def test_arrows_of_small_systems_run_around_states(opened):
    for seed in range(10):
        choose = random.Random(seed)
        count = choose.randint(3, 14)
        rows = [
            (choose.randrange(count), "abc"[n % 3], choose.randrange(count))
            for n in range(choose.randint(4, 26))
        ]
        shown = opened(page(LTS.from_transitions(rows, state_count=count)))
        for layout in ("automatic", "layers", "band", "cone", "circle", "force"):
            shown.run(f"app.arrange('{layout}')")
            assert crossed(shown) == [], (seed, layout)


def test_layouts_are_switched(opened):
    shown = opened(page(tree(3)))
    seen = {}
    for name in ("layers", "band", "cone", "circle", "force"):
        shown.choose("#layout", name)
        assert shown.run("app.active.used") == name
        seen[name] = shown.run(NODES)
        assert all(math.isfinite(x) and math.isfinite(y) for x, y, _, _ in seen[name])
        assert overlapping(shown) == []
        x, y = shown.run("app.active.placeOf(0)")
        size = shown.run("app.active.size()")
        assert 0 < x < size["width"]
        assert 0 < y < size["height"]
    assert len({str(places) for places in seen.values()}) == 5
    # A cone has each depth on a ring, a circle all states; columns are those of the depths.
    depths = shown.run("[...app.active.system.depth]")
    (x0, y0), cone = seen["cone"][0][:2], seen["cone"]
    radii = {(d, round(math.dist(n[:2], (x0, y0)))) for d, n in zip(depths, cone, strict=True)}
    assert len(radii) == 4
    assert len({(d, n[0]) for d, n in zip(depths, seen["layers"], strict=True)}) == 4
    shown.choose("#layout", "automatic")
    assert shown.run("app.active.used") in ("cone", "force")


def test_a_layout_that_is_too_slow_is_not_offered(opened):
    shown = opened(page(tree(6)))
    options = "[...document.querySelectorAll('#layout option')].filter((o) => o.disabled)"
    assert shown.run(f"{options}.map((o) => o.value)") == ["circle"]
    shown.choose("#layout", "circle")
    assert shown.run("app.active.used") != "circle"


def test_a_window_of_another_shape_is_filled(opened):
    shown = opened(page(chain(120)))
    places = "app.active.picture.nodes.map((n) => [n.x, n.y])"
    before = shown.run(places)
    shown.resize(WINDOWS[1])
    shown.until(f"String({places}) !== arguments[0]", ",".join(f"{x},{y}" for x, y in before))
    shown.until("app.active.placedFor.width === app.active.size().width")
    right = max(shown.run(f"app.active.placeOf({n})[0]") for n in range(121))
    assert 0.75 * 390 < right < 390
    # Who has zoomed in keeps the place.
    shown.press("+")
    zoom = shown.run("app.active.transform.k")
    shown.resize(WINDOWS[0])
    shown.painted()
    assert shown.run("app.active.transform.k") == zoom


def test_texts_do_not_overlap_and_are_thinned(opened):
    # Where there are more texts than room, some are left out.
    choose = random.Random(1)
    rows = [(choose.randrange(12), f"label {n}", choose.randrange(12)) for n in range(60)]
    shown = opened(page(LTS.from_transitions(rows)))
    written = "app.active.written.map(({ box }) => box)"
    shown.painted()
    boxes = shown.run(written)
    assert 0 < len(boxes) < shown.run("app.active.picture.arrows.length")
    assert touching(boxes) == []
    shown = opened(page(grid(12)))
    counts = []
    for zoom in (3, 1, 0.45, 0.3):
        shown.run(f"app.active.move(d3.zoomIdentity.translate(20, 20).scale({zoom}))")
        shown.painted()
        boxes = shown.run(written)
        counts.append(len(boxes))
        assert touching(boxes) == []
    assert counts[0] > 0
    assert counts[1] > counts[0]
    assert counts[2:] == [0, 0]
    # What is selected can be read however small the rest is.
    shown.run("app.select(app.active, 40)")
    shown.painted()
    boxes = shown.run(written)
    assert boxes
    assert all((box[3] - box[1]) * 0.3 > 12 for box in boxes)


def test_a_label_is_shown_in_full_under_the_pointer(opened):
    label = "a_label_that_is_far_too_long_for_its_arrow(with, many, arguments)"
    shown = opened(page(LTS.from_transitions([(0, label, 1), (1, "b", 2)])))
    shown.painted()
    middle = (
        "((a) => app.active.transform.apply(pointAt(a.curve, 0.9)))(app.active.picture.arrows[0])"
    )
    shown.move_to(shown.run(middle))
    assert shown.text("#tip") == label
    assert shown.run("app.active.hovered === app.active.picture.arrows[0]")
    shown.move_to(shown.run("app.active.placeOf(1)"))
    assert shown.text("#tip").splitlines()[1:] == ["b → 2"]
    shown.move_to((5, 5))
    assert not shown.find("#tip").is_displayed()


def test_states_are_dragged_and_pinned(opened):
    shown = opened(page(star(6)))
    before = shown.run("app.active.placeOf(3)")
    where = [before[0] + 60, before[1] + 40]
    others = shown.run("app.active.placeOf(4)")
    shown.drag(before, where)
    assert shown.run("app.active.placeOf(3)") == pytest.approx(where, abs=2)
    assert shown.run("app.active.placeOf(4)") == others
    # A drag selects nothing, and arrows follow.
    assert shown.run("app.active.selected") is None
    ends = "app.active.picture.arrows.filter((a) => a.target.state === 3)[0]"
    x, y = shown.run(f"app.active.transform.apply({ends}.curve.slice(6))")
    assert math.dist((x, y), where) < 2.2 * RADIUS * shown.run("app.active.transform.k")
    # It stays there in every layout, until it is released.
    node = "app.active.picture.nodes[3]"
    place = shown.run(f"[{node}.x, {node}.y]")
    shown.choose("#layout", "layers")
    assert shown.run(f"[{node}.x, {node}.y]") == place
    assert shown.run(f"{node}.pinned")
    shown.press("u")
    assert shown.run(f"[{node}.x, {node}.y]") != place
    assert not shown.run(f"{node}.pinned")
    # A click during which the pointer trembles is a click.
    where = shown.run("app.active.placeOf(3)")
    shown.drag(where, (where[0] + 2, where[1] + 1))
    assert shown.run("app.active.selected") == 3
    assert not shown.run(f"{node}.pinned")
    # Dragging what is no state moves the view.
    shown.drag((8, 300), (58, 320))
    assert shown.run("[...app.active.picture.pins]") == []
    assert not shown.run("app.active.isFitted")


def test_zooming_to_the_selection(opened):
    shown = opened(page(grid(15)))
    whole = shown.run("app.active.transform.k")
    shown.run("app.select(app.active, 112)")
    shown.press("z")
    assert shown.run("app.active.transform.k") > 2 * whole
    size = shown.run("app.active.size()")
    for state in (112, 97, 111, 113, 127):
        x, y = shown.run(f"app.active.placeOf({state})")
        assert 0 < x < size["width"]
        assert 0 < y < size["height"]
    shown.press("f", Keys.ESCAPE, "/", "depth >= 27")
    shown.press(Keys.TAB)
    shown.run("document.activeElement.blur()")
    shown.press("z")
    places = [shown.run(f"app.active.placeOf({state})") for state in (209, 223, 224)]
    assert all(0 < x < size["width"] and 0 < y < size["height"] for x, y in places)
    assert shown.run("app.active.transform.k") > whole


HEADS = """app.active.painter.inView.map((arrow) => headOf(arrow.curve, 8))
    .map((corners) => [0, 1].flatMap((at) => corners.map((each) => each[at])))"""


@pytest.mark.parametrize("name", ["star", "square", "tree"])
def test_texts_keep_clear_of_arrowheads(opened, name):
    shown = opened(page(SHAPES[name][0]()))
    shown.painted()
    boxes = shown.run("app.active.written.map(({ box }) => box)")
    heads = [
        (min(points[:3]), min(points[3:]), max(points[:3]), max(points[3:]))
        for points in shown.run(HEADS)
    ]
    assert boxes
    assert heads
    assert not any(touching([box, head]) for box in boxes for head in heads)


def test_arrowheads_of_near_states_point_at_them(opened):
    shown = opened(page(grid(12)))
    shown.choose("#grouping", "parts: depth")
    for layout in ("band", "layers"):
        shown.choose("#layout", layout)
        arrows = "app.active.picture.arrows.filter((a) => a.source !== a.target)"
        for curve, x, y in shown.run(f"{arrows}.map((a) => [a.curve, a.target.x, a.target.y])"):
            tip, bend = curve[6:], curve[4:6]
            towards = (tip[0] - bend[0]) * (x - tip[0]) + (tip[1] - bend[1]) * (y - tip[1])
            assert towards > 0


def test_two_systems_have_one_layout(opened):
    shown = opened(beside(ring(40), grid(6)))
    used = shown.run("app.panes.map((pane) => pane.used)")
    assert used[0] == used[1]
    alone = {opened(page(system)).run("app.active.used") for system in (ring(40), grid(6))}
    assert len(alone) == 2
    shown = opened(beside(ring(40), grid(6)))
    shown.choose("#layout", "cone")
    assert shown.run("app.panes.map((pane) => pane.used)") == ["cone", "cone"]
    shown.choose("#layout", "automatic")
    shown.resize(WINDOWS[1])
    shown.until("app.panes[0].size().width < 300")
    shown.until("app.panes[0].used === app.panes[1].used")

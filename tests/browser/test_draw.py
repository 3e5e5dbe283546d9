"""Pictures of `ltstool draw` in a browser: they are laid out as on a page, and no text overlaps."""

import random
from itertools import combinations

import pytest

import lts
from lts import LTS
from lts.drawing.graph import Graph, Node
from lts.drawing.layout import LAYOUTS, arranged
from lts.web import page
from shapes import grid, hanoi, ring, star, tree

WINDOW = 960, 640
PLACED = """((layout, widths) => {
  const { picture } = app.active;
  measure(picture, (text) => widths[text]);
  const used = arranged(picture, { width: 960, height: 640 }, layout);
  return [used, picture.nodes.map((node) => [node.x, node.y])];
})"""


def random_system(seed):
    choose = random.Random(seed)
    rows = [(n // 2, "go", n + 1) for n in range(11)]
    rows += [(choose.randrange(12), choose.choice("abc"), choose.randrange(12)) for _ in range(9)]
    return LTS.from_transitions(rows)


SYSTEMS = {
    "star": star(10),
    "ring": ring(20),
    "grid": grid(5),
    "tree": tree(3),
    "hanoi": hanoi(3),
    **{f"random {seed}": random_system(seed) for seed in range(4)},
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_draw_lays_out_as_the_page(opened, name):
    system = SYSTEMS[name].reachable()
    shown = opened(page(system))
    picture = "app.active.picture"
    arrows = shown.run(f"{picture}.arrows.map((a) => [a.source.state, a.target.state, a.texts])")
    layers = shown.run("[...app.active.system.layer]")
    for layout in ("automatic", *LAYOUTS):
        nodes = [Node(n, layer=at, is_initial=n == 0) for n, at in enumerate(layers)]
        graph = Graph(nodes, arrows)
        widths = {}
        for arrow in graph.arrows:
            widths.update(dict.fromkeys(arrow.texts, arrow.width))
        used = arranged(graph, WINDOW, layout)
        theirs, places = shown.run(f"{PLACED}(arguments[0], arguments[1])", layout, widths)
        assert theirs == used
        for node, (x, y) in zip(nodes, places, strict=True):
            assert (layout, node.x, node.y) == (layout, pytest.approx(x), pytest.approx(y))


BOXES = """[...document.querySelectorAll(arguments[0])].map((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return [left, top, right, bottom];
})"""
PICTURES = {
    "star": star(24),
    "hanoi": hanoi(4),
    "parallel": LTS.from_transitions([(0, f"label({n})", 1) for n in range(12)] + [(1, "b", 0)]),
    "scripts": LTS.from_transitions(
        [(0, "日本語", 1), (1, "приём(Ж)", 2), (2, "ΩΣ→", 0), (1, "É", 1), (2, "W" * 50, 2)]
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_rendered_texts_are_disjoint_and_on_the_canvas(browser, tmp_path, name):
    file = tmp_path / "a.svg"
    lts.draw(PICTURES[name]).write(file)
    browser.get(file.as_uri())
    [canvas] = browser.execute_script(f"return {BOXES}", "svg")
    nodes = browser.execute_script(f"return {BOXES}", "[id*=-state-] > circle")
    # Half of the stroke around a text is included in its box.
    texts = [
        (left + 1.5, top + 1.5, right - 1.5, bottom - 1.5)
        for left, top, right, bottom in browser.execute_script(
            f"return {BOXES}", "g[text-anchor] > text"
        )
    ]
    assert len(texts) >= PICTURES[name].reachable().transition_count
    for a, b in combinations([*nodes, *texts], 2):
        # A line of a list touches the next.
        assert not (a[0] < b[2] and b[0] < a[2] and a[1] + 1 < b[3] and b[1] + 1 < a[3])
    for left, top, right, bottom in [*nodes, *texts]:
        assert canvas[0] <= left < right <= canvas[2]
        assert canvas[1] <= top < bottom <= canvas[3]

"""A large system: a small page that is shown at once, as clusters that are opened by clicks."""

from itertools import pairwise

import pytest

from lts import mucrl
from lts.linear.linearise import linearise
from lts.state_space.generation import generate
from lts.web import page, state_data
from shapes import chain, grid, tree

NODES = "app.active.picture.nodes"


@pytest.fixture(scope="module")
def large():
    process = linearise(mucrl.read("cases/peterson.mcrl", parameters={"N": 5}))
    system = generate(process)
    return system, page(system, title="large", values=state_data(system, process))


def test_a_page_of_many_states_is_small(large):
    system, content = large
    assert system.state_count == 288_162
    assert len(content) < 5 * 2**20


@pytest.mark.parametrize("window", [(1280, 800), (390, 844)])
def test_the_first_picture_fills_the_window(opened, large, window):
    system, content = large
    shown = opened(content, window)
    shown.painted()
    assert "288,162 states, 953,470 transitions" in shown.text("#title")
    # Clusters by depth fill the window; their sizes are those of the depths.
    assert shown.run(f"{NODES}.every((node) => node.part !== undefined)")
    assert shown.run(f"{NODES}.reduce((sum, node) => sum + node.size, 0)") == system.state_count
    assert shown.run("app.active.used") == "band"
    size = shown.run("app.active.size()")
    boxes = shown.run(f"{NODES}.map((n) => [...app.active.transform.apply([n.x, n.y]), n.w, n.h])")
    assert max(x for x, *_ in boxes) - min(x for x, *_ in boxes) > 0.6 * size["width"]
    assert max(y for _, y, *_ in boxes) - min(y for _, y, *_ in boxes) > 0.6 * size["height"]
    assert min(w for *_, w, _ in boxes) * shown.run("app.active.transform.k") > 15


def test_clusters_are_divided_and_opened_by_clicks(opened, large):
    _, content = large
    shown = opened(content)
    part = shown.run(f"{NODES}.find((node) => node.text === 'depth 30').part")
    whole = shown.run(f"{NODES}.find((node) => node.part === {part}).size")
    shown.point_at(shown.part_place(part))
    assert f"depth 30 · {whole:,} states" in shown.text("#details")
    shown.point_at(shown.part_place(part))
    # It is divided by the colours; its pieces are the states of it.
    pieces = f"{NODES}.filter((node) => app.active.picture.isWithin(node, {part}))"
    sizes = shown.run(f"{pieces}.map((node) => node.size)")
    assert len(sizes) > 1
    assert sum(sizes) == whole
    texts = shown.run(f"{pieces}.map((node) => node.text)")
    assert all(text.startswith("depth 30, ") for text in texts)
    classes = """(n) => new Set([...app.active.picture.clusters.of.keys()]
        .filter((state) => app.active.picture.clusters.of[state] === n.part)
        .map((state) => app.active.colouring.classes[state])).size"""
    assert shown.run(f"{pieces}.map({classes})") == [1] * len(sizes)
    # A piece is divided again, by other data, until its states are drawn.
    for _ in range(8):
        small = shown.run(f"{pieces}.reduce((a, b) => (b.size < a.size ? b : a)).part ?? null")
        if small is None:
            break
        shown.run(f"app.showPart(app.active, {NODES}.find((node) => node.part === {small}))")
        shown.press("o")
    states = shown.run(f"{pieces}.filter((node) => node.part === undefined).map((n) => n.state)")
    assert states
    depth = shown.run("app.active.system.depth[arguments[0]]", states[0])
    assert depth == 30
    # And all is closed again.
    for _ in range(20):
        at = shown.run(
            f"{pieces}.map((node) => node.part ?? app.active.picture.clusters.of[node.state])"
        )
        if at == [part]:
            break
        shown.run("app.closePart(app.active, arguments[0])", max(at))
    assert shown.run(f"{pieces}.map((node) => node.size)") == [whole]


def test_deep_states_are_searchable(opened, large):
    system, content = large
    shown = opened(content)
    shown.type("#search", "depth = 51 and not deadlock")
    states = shown.run("app.active.matchStates")
    shown.press("\ue007")
    assert shown.run("app.active.selected") == states[0]
    shown.click("#path")
    assert shown.run("app.active.trace.length") == 51
    rows = shown.run(
        "app.active.trace.map((r) => [app.active.system.source[r], app.active.system.target[r]])"
    )
    assert rows[0][0] == system.initial
    assert all(a[1] == b[0] for a, b in pairwise(rows))
    assert all(t in {t for _, t in system.successors(s)} for s, t in rows)


def test_a_small_cluster_shows_its_states_at_once(opened, large):
    _, content = large
    shown = opened(content)
    part = shown.run(f"{NODES}.find((node) => node.text === 'depth 2').part")
    shown.run(f"app.showPart(app.active, {NODES}.find((node) => node.part === {part}))")
    shown.press("o")
    states = shown.run(f"{NODES}.filter((node) => node.state !== undefined).map((n) => n.state)")
    assert len(states) == 15
    assert {shown.run(f"app.active.system.depth[{state}]") for state in states} == {2}
    shown.run(f"app.select(app.active, {states[3]})")
    shown.press("o")
    assert shown.run(f"{NODES}.find((node) => node.part === {part}).size") == 15


@pytest.mark.parametrize("grouping", ["depth × Process_p1: n", "Memory: f"])
def test_many_clusters_are_dots(opened, large, grouping):
    system, content = large
    shown = opened(content)
    shown.choose("#grouping", f"parts: {grouping}")
    assert shown.run(f"{NODES}.length") > 200
    assert shown.run("app.active.picture.hasDots")
    shown.painted()
    assert shown.run("app.active.written.length") == 0
    assert shown.run(f"{NODES}.reduce((sum, node) => sum + node.size, 0)") == system.state_count
    # Larger clusters are larger dots, and none covers another.
    nodes = shown.run(f"{NODES}.map((n) => [n.size, n.w, n.x, n.y])")
    ordered = sorted(nodes)
    assert all(a[1] <= b[1] for a, b in pairwise(ordered))
    boxes = shown.run(f"{NODES}.map((n) => [n.x - n.w, n.y - n.h, n.x + n.w, n.y + n.h])")
    boxes.sort()
    for at, box in enumerate(boxes):
        for other in boxes[at + 1 : at + 40]:
            assert other[0] >= box[2] or other[1] >= box[3] or other[3] <= box[1]
    size, zoom = shown.run("app.active.size()"), shown.run("app.active.transform.k")
    spans = [max(n[axis] for n in nodes) - min(n[axis] for n in nodes) for axis in (2, 3)]
    assert max(spans[0] * zoom / size["width"], spans[1] * zoom / size["height"]) > 0.7
    assert min(spans[0] * zoom / size["width"], spans[1] * zoom / size["height"]) > 0.3
    # One is opened as others are.
    part = shown.run(f"{NODES}.reduce((a, b) => (b.size < a.size ? b : a)).part")
    shown.run(f"app.toggle(app.active, {part})")
    assert shown.run(f"{NODES}.some((node) => node.state !== undefined)")


def test_clusters_by_depth_and_class(opened):
    shown = opened(page(tree(8)))
    shown.choose("#grouping", "parts: depth × strong blocks")
    texts = shown.run(f"{NODES}.map((node) => node.text)")
    assert len(texts) == 9
    assert all(text.startswith("depth ") and ", block " in text for text in texts)
    assert shown.run(f"{NODES}.map((node) => node.size)") == [3**n for n in range(9)]


def peterson(count):
    return generate(linearise(mucrl.read("cases/peterson.mcrl", parameters={"N": count})))


def test_hairballs_are_shown_as_clusters(opened):
    system = peterson(3)
    assert system.state_count == 668
    content = page(system)
    shown = opened(content)
    assert shown.run("app.active.picture.grouping.name").startswith("depth")
    assert shown.run(f"{NODES}.length") < 120
    # All states are shown on request, and that is in the address.
    shown.choose("#grouping", "all states")
    assert shown.run(f"{NODES}.length") == 668
    shown.run("app.address.write()")
    again = opened(content, fragment=shown.run("location.hash"))
    assert again.run(f"{NODES}.length") == 668
    # A regular system of that size is no hairball, nor is a small one.
    for regular in (grid(20), chain(400), peterson(2)):
        shown = opened(page(regular))
        assert shown.run("app.active.picture.clusters") is None


def test_search_counts_matches_in_clusters(opened):
    system = peterson(3)
    shown = opened(page(system))
    label = system.labels[0]
    shown.type("#search", label)
    shown.painted()
    texts = shown.run(f"{NODES}.map((node) => [app.active.foundText(node), node.part])")
    counts = {part: int(text.split()[0]) for text, part in texts}
    parts = shown.run("[...app.active.picture.clusters.of]")
    expected = dict.fromkeys(counts, 0)
    for source, a, _ in set(system.transitions()):
        expected[parts[source]] += a == label
    assert counts == expected
    assert sum(counts.values()) == int(shown.text("#found").split()[0]) > 0
    assert {text.split(" ", 1)[1] for text, _ in texts} <= {"step found", "steps found"}
    # The counts are in the boxes, and under the pointer.
    svg = "svgOf(app.active)"
    assert all(f">{text}</text>" in shown.run(svg) for text, _ in texts)
    part = next(part for part, count in counts.items() if count)
    shown.move_to(shown.part_place(part))
    shown.until(f"document.getElementById('tip').textContent.includes(', {counts[part]} step')")
    shown.type("#search", "depth = 2")
    texts = shown.run(f"{NODES}.map((node) => app.active.foundText(node))")
    deep = shown.run("app.active.system.depth.filter((depth) => depth === 2).length")
    assert sorted(texts)[-1] == f"{deep} states found"
    assert sum(int(text.split()[0]) for text in texts) == deep

"""Pictures: orbits of a system and of its reduction; places that do not meet; smooth arcs."""

import re
from collections import defaultdict
from itertools import pairwise
from math import dist, hypot

from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS
from lts.drawing.layered import Edge, layered
from lts.drawing.svg import Panel, svg
from lts.drawing.symmetry import panels
from lts.symmetry import check, parse_permutation
from strategies import examples, systems


@st.composite
def rotating_systems(draw):
    """Draw a system over copies of states that are rotated with the data."""
    free = draw(st.integers(0, 3))
    states = [(-1, 0)] + [(i, k) for i in range(free) for k in range(3)]
    turn = {(i, k): (i, (k + 1) % 3) if i >= 0 else (i, k) for i, k in states}
    label = st.sampled_from(["tau", "a(0)", "a(1)", "b(2)", "c"])
    row = st.tuples(st.sampled_from(states), label, st.sampled_from(states))
    rows = set(draw(st.lists(row, max_size=6)))
    for _ in range(2):
        rows |= {(turn[s], a.translate(str.maketrans("012", "120")), turn[t]) for s, a, t in rows}
    numbers = {state: number for number, state in enumerate(states)}
    triples = sorted((numbers[s], a, numbers[t]) for s, a, t in rows)
    return LTS.from_transitions(triples, state_count=len(states))


def orbits_of(system, permutation):
    """Return the orbit of every state: what the powers of the automorphism lead to."""
    image = check(system, permutation).states[0].tolist()
    found = []
    for state in range(system.state_count):
        orbit, at = {state}, image[state]
        while at != state:
            orbit.add(at)
            at = image[at]
        found.append(frozenset(orbit))
    return found


@settings(max_examples=examples(1.5))
@given(rotating_systems())
def test_colours_are_orbits(system):
    permutation = parse_permutation("(0 1 2)")
    original, reduction = panels(system, [permutation])
    orbits = orbits_of(original.system, permutation)
    colour_of = dict(zip(orbits, original.orbits, strict=True))
    for orbit, colour in zip(orbits, original.orbits, strict=True):
        assert colour == colour_of[orbit]
        assert (colour is None) == (len(orbit) == 1)
    colours = [colour for colour in colour_of.values() if colour is not None]
    assert len(colours) == len(set(colours))
    # Each stored transition is one between orbits of these colours, by a label of its orbit.
    known = {
        (original.orbits[s], a.translate(str.maketrans("12", "00")), original.orbits[t])
        for s, a, t in original.system.transitions()
    }
    for s, a, t in reduction.system.transitions():
        one, other = reduction.orbits[s], reduction.orbits[t]
        if a in reduction.jumps:
            assert one == other
        else:
            assert (one, a.translate(str.maketrans("12", "00")), other) in known
    assert set(reduction.orbits) == set(original.orbits)
    assert svg([original, reduction]) == svg(panels(system, [permutation]))


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 8))
    edges = [(draw(st.integers(0, node - 1)), node) for node in range(1, count)]
    node = st.integers(0, count - 1)
    edges += draw(st.lists(st.tuples(node, node), max_size=10))
    size = st.floats(1, 80)
    return [(draw(size), draw(size)) for _ in range(count)], [
        Edge(s, t, draw(size), draw(size), draw(st.booleans())) for s, t in edges
    ]


@settings(max_examples=examples(2))
@given(graphs())
def test_layout_boxes_do_not_overlap(graph):
    sizes, edges = graph
    layout = layered(sizes, edges)
    places = layout.nodes + [place for route in layout.routes for place in route]
    for number, one in enumerate(places):
        assert one.x - one.width / 2 >= -1e-6
        assert one.x + one.width / 2 <= layout.width + 1e-6
        assert one.y - one.height / 2 >= -1e-6
        assert one.y + one.height / 2 <= layout.height + 1e-6
        for other in places[:number]:
            apart_x = abs(one.x - other.x) - (one.width + other.width) / 2
            apart_y = abs(one.y - other.y) - (one.height + other.height) / 2
            assert max(apart_x, apart_y) > -1e-6
    for edge, text in zip(edges, layout.texts, strict=True):
        assert (text is None) == (edge.source == edge.target)
        if text is not None:
            assert (text.width, text.height) == (edge.width, edge.height)
        if edge.level:
            assert layout.nodes[edge.source].column == layout.nodes[edge.target].column


def segments(path):
    """Return the segments of a path, each with its points."""
    found, at = [], None
    for kind, numbers in re.findall(r"([MCH])([^MCH]*)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if kind == "H":
            numbers.append(at[1])
        points = [*zip(numbers[::2], numbers[1::2], strict=True)]
        if at is not None:
            found.append([at, *points])
        at = points[-1]
    return found


@given(systems())
def test_arcs_leave_and_enter_states_straight_and_are_smooth(system):
    system = system.reachable()
    drawn = svg([Panel("", system, (None,) * system.state_count)]).decode()
    number = (
        r'<g id="panel-0-state-\d+">(?:(?!</g>).)*<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>(\d+)<'
    )
    middle = {s: (float(x), float(y) - 4) for x, y, s in re.findall(number, drawn, re.DOTALL)}
    arcs = re.findall(r'<g id="panel-0-step-(\d+)-(\d+)[-\d]*">(.*?)</g>', drawn, re.DOTALL)
    assert {(s, t) for s, t, _ in arcs} == {(str(s), str(t)) for s, _, t in system.transitions()}
    lines_above = defaultdict(list)
    for source, target, shown in arcs:
        parts = segments(re.search(r'<path d="([^"]*)"', shown)[1])
        start, end = parts[0][0], parts[-1][-1]
        assert abs(dist(start, middle[source]) - 14) < 0.2
        assert abs(dist(end, middle[target]) - 14) < 0.2
        if source == target:
            lines_above[source] += map(float, re.findall(r'<text x="[^"]*" y="([^"]*)"', shown))
            continue
        # The directions in which the arc comes to each of its points and goes on.
        pairs = [(middle[source], start)]
        for points in parts:
            pairs += [points[:2], points[-2:]] if points[0] != points[-1] else []
        pairs.append((end, middle[target]))
        ways = [(x - a, y - b) for (a, b), (x, y) in pairs]
        for (a, b), (x, y) in zip(ways[::2], ways[1::2], strict=True):
            size = hypot(a, b) * hypot(x, y)
            assert abs(a * y - b * x) < 0.04 * size
            assert a * x + b * y > 0
    # The texts of the loops of a state are lines above each other, and above the loop.
    for state, lines in lines_above.items():
        lines.sort(reverse=True)
        assert 40 < middle[state][1] - lines[0] < 42
        assert all(abs(below - above - 15) < 0.2 for below, above in pairwise(lines))

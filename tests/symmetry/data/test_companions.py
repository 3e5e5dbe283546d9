"""Symmetries that move constants of sorts that no state or label has: directions of a topology.

By definition a permutation of the nodes keeps the topology if some permutation of the directions
goes with it.
"""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import Unsupported
from lts.mucrl import generate, linearise, read_text
from lts.symmetry import certified_quotient, check, find_in_specification, symmetric_sorts
from naive.groups import closure
from strategies import examples

NODES, DIRECTIONS = 5, 3


def text(ways, marked):
    """A token that moves along the ways that leave a node, and says whether it is at a mark."""
    rules = [f"to(n{n},d{d}) = n{ways[d][n]}" for d in range(DIRECTIONS) for n in range(NODES)]
    rules += [f"is_marked(n{n}) = {'T' if n in marked else 'F'}" for n in range(NODES)]
    return f"""sort Bool Node Way func T,F:->Bool {",".join(f"n{n}" for n in range(NODES))}:->Node
    {",".join(f"d{d}" for d in range(DIRECTIONS))}:->Way
    map to:Node#Way->Node is_marked:Node->Bool rew {" ".join(rules)}
    act go,start:Node mark:Node
    proc P(n:Node) = sum(w:Way, go(to(n,w)).P(to(n,w))) + mark(n).P(n) <| is_marked(n) |> delta
    init sum(n:Node, start(n).P(n))"""


def conjugate(way, images):
    found = [0] * NODES
    for n, image in images.items():
        found[image] = images[way[n]]
    return found


@st.composite
def topologies(draw):
    """Ways of each direction, often images of each other, and marked nodes."""
    way = st.lists(st.integers(0, NODES - 1), min_size=NODES, max_size=NODES)
    first = draw(way)
    n0, n1, n2, n3, n4 = draw(st.permutations(range(NODES)))
    kind = draw(st.sampled_from(["turn", "mirror", "any"]))
    if kind == "any":
        ways = [first, draw(way), draw(way)]
    elif kind == "turn":
        turned = {n0: n1, n1: n2, n2: n0, n3: n3, n4: n4}
        second = conjugate(first, turned)
        ways = [first, second, conjugate(second, turned)]
    else:
        mirror = {n0: n1, n1: n0, n2: n3, n3: n2, n4: n4}
        alike = [[*range(NODES)], [mirror[n] for n in range(NODES)], [n4] * NODES]
        ways = [first, conjugate(first, mirror), draw(st.sampled_from(alike))]
    return ways, draw(st.sets(st.integers(0, NODES - 1), max_size=2))


def test_nodes_move_with_directions():
    reached = Counter()

    @settings(max_examples=examples(0.5), deadline=None)
    @given(topologies())
    def group_preserves_the_topology(case):
        ways, marked = case
        kept, alone = set(), set()
        for g in itertools.permutations(range(NODES)):
            if {g[n] for n in marked} != marked:
                continue
            for h in itertools.permutations(range(DIRECTIONS)):
                if all(
                    ways[h[d]][g[n]] == g[ways[d][n]]
                    for d in range(DIRECTIONS)
                    for n in range(NODES)
                ):
                    kept.add(g)
                    if h == tuple(range(DIRECTIONS)):
                        alone.add(g)
        process = linearise(read_text(text(ways, marked)))
        found = find_in_specification(process)
        moved = [
            {one.text: other.text for one, other in g.images.items()} for g in found.generators
        ]
        images = [tuple(int(one.get(f"n{n}", f"n{n}")[1:]) for n in range(NODES)) for one in moved]
        group = closure([tuple(range(NODES))], images)
        assert kept <= group
        assert found.order == len(group)
        system = generate(process)
        for generator in found.generators:
            check(system, generator)
        if found:
            certified_quotient(process, found.generators)
        reached["all"] += 1
        reached["by directions"] += len(kept) > len(alone)
        reached["directions are told"] += any("d0" in one or "d1" in one for one in moved)

    group_preserves_the_topology()
    if reached["all"] >= 40:
        assert 20 * reached["by directions"] >= reached["all"], reached
        assert 20 * reached["directions are told"] >= reached["all"], reached


def test_directions_alone_are_not_permuted():
    process = linearise(read_text(text([[1, 2, 3, 4, 0]] * 3, set())))
    with pytest.raises(Unsupported, match="`Way` is in no state or label"):
        symmetric_sorts(process, ["Way"])
    found = find_in_specification(process)
    assert [str(generator) for generator in found.generators] == ["(n0 n1 n2 n3 n4)"]


def grid(rows, columns, *, around):
    """The edges between neighbours in rows and columns, which may lead around."""
    place = [[row * columns + column for column in range(columns)] for row in range(rows)]
    lines = [*place, *map(list, zip(*place, strict=True))]
    edges = [pair for line in lines for pair in itertools.pairwise(line)]
    return edges + [(line[-1], line[0]) for line in lines if around]


@pytest.mark.parametrize(
    ("nodes", "edges", "order"),
    [
        (12, [(n, (n + 1) % 12) for n in range(12)], 24),
        (9, grid(3, 3, around=False), 8),
        (12, grid(3, 4, around=False), 4),
        (12, grid(3, 4, around=True), 48),
        (16, grid(4, 4, around=True), 384),
        (25, grid(5, 5, around=True), 200),
        (31, [((n - 1) // 2, n) for n in range(1, 31)], 2**15),
        (16, [(n, n ^ bit) for n in range(16) for bit in (1, 2, 4, 8) if n < n ^ bit], 384),
        (7, [(0, n) for n in range(1, 7)], 720),
    ],
    ids=["ring", "square", "rectangle", "torus", "even torus", "5x5 torus", "tree", "cube", "star"],
)
def test_search_finds_all_symmetries_of_known_graphs(nodes, edges, order):
    both = {*edges, *((b, a) for a, b in edges)}
    rules = [
        f"near(n{a},n{b}) = {'T' if (a, b) in both else 'F'}"
        for a, b in itertools.product(range(nodes), repeat=2)
    ]
    names = ",".join(f"n{n}" for n in range(nodes))
    process = linearise(
        read_text(f"""sort Bool Node func T,F:->Bool {names}:->Node
    map near:Node#Node->Bool rew {" ".join(rules)}
    act go,start:Node proc P(n:Node) = sum(m:Node, go(m).P(m) <| near(n,m) |> delta)
    init sum(n:Node, start(n).P(n))""")
    )
    found = find_in_specification(process)
    assert found.order == order
    certified_quotient(process, found.generators)

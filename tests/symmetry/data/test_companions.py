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


def closure(generators):
    found = {tuple(range(NODES))}
    waiting = [*found]
    while waiting:
        one = waiting.pop()
        for other in generators:
            product = tuple(other[x] for x in one)
            if product not in found:
                found.add(product)
                waiting.append(product)
    return found


def test_nodes_move_with_directions():
    reached = Counter()

    @settings(max_examples=examples(0.5), deadline=None)
    @given(topologies())
    def what_keeps_the_topology_is_found(case):
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
        assert kept <= closure(images)
        assert found.order == len(closure(images))
        system = generate(process)
        for generator in found.generators:
            check(system, generator)
        if found:
            certified_quotient(process, found.generators)
        reached["all"] += 1
        reached["by directions"] += len(kept) > len(alone)
        reached["directions are told"] += any("d0" in one or "d1" in one for one in moved)

    what_keeps_the_topology_is_found()
    if reached["all"] >= 40:
        assert 20 * reached["by directions"] >= reached["all"], reached
        assert 20 * reached["directions are told"] >= reached["all"], reached


def test_directions_alone_are_not_permuted():
    process = linearise(read_text(text([[1, 2, 3, 4, 0]] * 3, set())))
    with pytest.raises(Unsupported, match="`Way` is in no state or label"):
        symmetric_sorts(process, ["Way"])
    found = find_in_specification(process)
    assert [str(one) for one in found.generators] == ["(n0 n4 n3 n2 n1)"]

"""The group of a network, against all permutations of its components."""

import itertools
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from composition_expressions import networks
from lts import LTS, LimitReached
from lts.base.bounds import NETWORK_FACTS
from lts.equivalence import minimise
from lts.network import Network, compose, read_text, symmetries
from lts.symmetry import check
from naive.networks import written
from strategies import systems


def used_part(number, system, network):
    """What can be reached by labels that are in vectors: states, and rows."""
    used = {label for vector in network.vectors for k, label in vector.moves if k == number}
    states, rows = {system.initial}, set()
    while True:
        found = {
            (s, a, t)
            for s, a, t in zip(system.source, system.label, system.target, strict=True)
            if s in states and a in used
        }
        if found == rows:
            return sorted(states), rows
        rows = found
        states |= {t for _, _, t in rows}


def isomorphisms(left, right, initials):
    """All pairs of maps, of states and of labels, that make one system the other."""
    (states, rows), (others, images) = left, right
    labels = sorted({a for _, a, _ in rows})
    others_labels = sorted({a for _, a, _ in images})
    if (len(states), len(rows), len(labels)) != (len(others), len(images), len(others_labels)):
        return
    for chosen in itertools.permutations(others):
        on_states = dict(zip(states, chosen, strict=True))
        if on_states[initials[0]] != initials[1]:
            continue
        for names in itertools.permutations(others_labels):
            on_labels = dict(zip(labels, names, strict=True))
            if {(on_states[s], on_labels[a], on_states[t]) for s, a, t in rows} == images:
                yield on_states, on_labels


def by_definition(network, action):
    """How many symmetries there are, and the images of components and of what comes out."""
    count = len(network.components)
    parts = [used_part(k, system, network) for k, system in enumerate(network.components)]
    vectors = {
        (frozenset(moves), result)
        for moves, result in network.vectors
        if all(any(a == label for _, a, _ in parts[k][1]) for k, label in moves)
    }
    results = sorted({result for _, result in vectors if result != "tau"})
    whole, on_components, on_results = 0, set(), set()
    for order in itertools.permutations(range(count)):
        ways = [
            list(
                isomorphisms(
                    parts[k],
                    parts[image],
                    (network.components[k].initial, network.components[image].initial),
                )
            )
            for k, image in enumerate(order)
        ]
        for chosen in itertools.product(*ways):
            for names in itertools.permutations(results):
                name = {"tau": "tau", **dict(zip(results, names, strict=True))}
                if any(action(a) != action(b) for a, b in name.items()):
                    continue
                moved = {
                    (frozenset((order[k], chosen[k][1][a]) for k, a in moves), name[result])
                    for moves, result in vectors
                }
                if moved == vectors:
                    whole += 1
                    on_components.add(order)
                    on_results.add(names)
    return whole, on_components, on_results, results


def closed(count, generators):
    group = {tuple(range(count))}
    while True:
        more = {tuple(g[k] for k in one) for one in group for g in generators} | group
        if more == group:
            return group
        group = more


@st.composite
def small_networks(draw):
    """Some equal components, and vectors over them."""
    kinds = draw(
        st.lists(
            systems(max_states=2, labels=("a", "b"), max_transitions=3), min_size=1, max_size=2
        )
    )
    components = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    moves = st.dictionaries(
        st.integers(0, len(components) - 1), st.sampled_from("ab"), min_size=1, max_size=3
    )
    results = st.sampled_from(("x(1)", "x(2)", "y(1)", "tau", "z"))
    vectors = draw(st.lists(st.tuples(moves, results), max_size=5))
    if draw(st.booleans()):
        # The same for all: what makes a large group.
        vectors += [({k: "a"}, f"x({k})") for k in range(len(components))]
    least = [minimise(component.with_internal([]), "strong") for component in components]
    return Network.of(least, vectors)


@given(small_networks(), st.booleans())
def test_symmetry_group_matches_definition(network, any_labels):
    found = symmetries(network, any_labels=any_labels)

    def action(label):
        return label == "tau" if any_labels else label.partition("(")[0]

    whole, components, results, names = by_definition(network, action)
    assert found.whole == whole
    assert closed(len(network.components), found.components) == components
    assert found.order == len(results)
    moved = {
        tuple(sorted(orbit))
        for orbit in (
            {names[images[k]] for images in ([names.index(x) for x in r] for r in results)}
            for k in range(len(names))
        )
        if len(orbit) > 1
    }
    assert {tuple(sorted(orbit)) for orbit in found.labels} == moved


@given(networks(most=4))
def test_network_symmetries_equal_state_space_symmetries(network):
    expression, files = network
    made = read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])
    whole = minimise(compose(made), "strong")
    for generator in symmetries(made, any_labels=True).generators:
        check(whole, generator)


def clients(count):
    user = LTS.from_transitions([(0, "ask", 1), (1, "done", 0)])
    vectors = [
        ({k: name, count: name}, f"{name}({k})") for k in range(count) for name in ("ask", "done")
    ]
    return Network.of([user] * (count + 1), vectors)


@pytest.mark.parametrize("count", [2, 5, 20])
def test_clients_of_a_server_are_interchangeable(count):
    found = symmetries(clients(count))
    assert found.order == found.whole == factorial(count)
    assert found.orbits == (tuple(range(count)),)


def test_a_component_may_have_symmetries_of_its_own():
    switch = LTS.from_transitions([(0, "left", 1), (1, "left", 0), (0, "right", 2),
                                   (2, "right", 0)])  # fmt: skip
    network = Network.of([switch], [({0: "left"}, "go(l)"), ({0: "right"}, "go(r)")])
    found = symmetries(network)
    assert (found.order, found.orbits, found.labels) == (2, (), (("go(l)", "go(r)"),))
    hidden = symmetries(network.hide(["go"]))
    assert (hidden.order, hidden.whole, hidden.generators) == (1, 2, ())
    assert not hidden


def test_networks_without_vectors_or_components():
    assert symmetries(Network.of([], [])).whole == 1
    one = LTS.from_transitions([(0, "a", 1)])
    assert symmetries(Network.of([one, one], [])).whole == 2


def test_components_are_compared_after_minimisation():
    # A tree with 2^10 leaves has more symmetries than can be listed, none of which matters.
    tree = LTS.from_transitions(
        [(s, "a", 2 * s + k) for s in range(1, 1 << 10) for k in (0, 1)], initial=1
    )
    path = LTS.from_transitions([(s, "a", s + 1) for s in range(10)])
    found = symmetries(Network.of([tree, path], [({0: "a"}, "x(1)"), ({1: "a"}, "x(2)")]))
    assert (found.whole, str(*found.generators)) == (2, "(1 2)")


def test_too_many_network_facts_reach_a_limit(lower):
    lower(NETWORK_FACTS, 10)
    with pytest.raises(LimitReached, match="more than 10 transitions"):
        symmetries(clients(5))

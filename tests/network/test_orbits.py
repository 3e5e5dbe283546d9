"""Orbits of networks, against the networks themselves and against naive groups."""

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from composition_expressions import networks
from lts import LTS, LimitReached, NotProven
from lts.equivalence import compare
from lts.network import (
    Network,
    action_of,
    compose,
    explore,
    network_orbits,
    network_quotient,
    read_text,
    simulate,
)
from lts.network.symmetry.orbits import quotient_of_whole
from lts.state_space.generation import Output
from lts.state_space.settings import Goals, Limits, Settings
from lts.symmetry import encode, expand, parse_permutation
from lts.symmetry.labels.detection import written as written_as
from naive.networks import written
from naive.systems import isomorphic
from strategies import systems

MOST = 300


@st.composite
def repeated(draw):
    """Some components, several of them alike but for the numbers of their states and labels."""
    kinds = draw(
        st.lists(
            systems(max_states=3, labels=("a", "b"), max_transitions=5), min_size=1, max_size=2
        )
    )
    count = draw(st.integers(2, 4))
    components = []
    for _ in range(count):
        one = draw(st.sampled_from(kinds)).with_internal([])
        order = draw(st.permutations(range(one.state_count)))
        rows = [(order[s], a, order[t]) for s, a, t in one.transitions()]
        components.append(
            LTS.from_transitions(
                draw(st.permutations(rows)),
                initial=order[one.initial],
                state_count=one.state_count,
            )
        )
    vectors = []
    for label in draw(st.sets(st.sampled_from("ab"))):
        vectors += [({k: label}, f"{label}({k})") for k in range(count)]
    if draw(st.booleans()):
        pairs = itertools.combinations(range(count), 2)
        vectors += [({j: "a", k: "b"}, "tau") for j, k in pairs]
        vectors += [({k: "a", j: "b"}, "tau") for j, k in itertools.combinations(range(count), 2)]
    if draw(st.booleans()):
        vectors += [({k: "a", (k + 1) % count: "b"}, f"pass({k})") for k in range(count)]
    moves = st.dictionaries(st.integers(0, count - 1), st.sampled_from("ab"), min_size=1)
    results = st.sampled_from(("x(0)", "x(1)", "tau", "z z", 'q"'))
    vectors += draw(st.lists(st.tuples(moves, results), max_size=2))
    return Network.of(components, vectors)


def rows(system):
    return sorted(system.transitions())


@settings(max_examples=200)
@given(repeated(), st.sampled_from(("enumerate", "refine", None)), st.sampled_from((1, 2)))
def test_quotient_expands_to_the_whole_system(network, strategy, threads):
    whole = compose(network)
    assume(whole.state_count <= MOST)
    action = action_of(network)
    found = network_quotient(action, settings=Settings(strategy=strategy, threads=threads))
    if action.by == "isomorphism":
        states, transitions = whole.state_count, len(set(whole.transitions()))
        assert (found.explored.states, found.explored.transitions) == (states, transitions)
        assert found.quotient.count() == (states, transitions)
    reduction = encode(found.quotient, action.permutations, kind="labels")
    expanded = expand(reduction.encoding, reduction.symmetry)
    if action.by == "isomorphism":
        assert isomorphic(expanded, whole)
    assert compare(expanded, whole, "strong")


@settings(max_examples=100)
@given(repeated())
def test_vector_proof_agrees_with_tested_steps(network):
    assume(compose(network).state_count <= MOST)
    action = action_of(network)
    by_vectors = network_orbits(action)
    by_steps = network_orbits(action, settings=Settings(proof="tested", sample=0))
    counted = ("orbits", "states", "transitions", "deadlocks", "order")
    for name in counted:
        assert getattr(by_vectors, name) == getattr(by_steps, name)


@settings(max_examples=100)
@given(repeated())
def test_state_orbits_match_enumeration(network):
    """Orbits by the moves of the action, on vectors of states, without the engine's group."""
    whole = compose(network)
    assume(whole.state_count <= MOST)
    action = action_of(network)
    acted = action.network
    initial = tuple(system.initial for system in acted.components)
    reached, waiting = {initial}, [initial]
    following = [{} for _ in acted.components]
    for table, system in zip(following, acted.components, strict=True):
        columns = zip(system.source, system.label, system.target, strict=True)
        for source, label, target in columns:
            table.setdefault((source, label), set()).add(target)
    while waiting:
        state = waiting.pop()
        for moves, _ in acted.vectors:
            targets = [following[k].get((state[k], label), ()) for k, label in moves]
            for chosen in itertools.product(*targets):
                new = list(state)
                for (k, _), target in zip(moves, chosen, strict=True):
                    new[k] = target
                if tuple(new) not in reached:
                    reached.add(tuple(new))
                    waiting.append(tuple(new))
    seen, orbits = set(), 0
    for state in reached:
        if state in seen:
            continue
        orbits += 1
        seen.add(state)
        waiting = [state]
        while waiting:
            one = waiting.pop()
            for moves in action.moves:
                image = [0] * len(one)
                for k, part in enumerate(one):
                    to, moved = moves.states[k, part]
                    image[to] = moved
                if tuple(image) not in seen:
                    seen.add(tuple(image))
                    waiting.append(tuple(image))
    found = network_orbits(action)
    assert (found.orbits, found.states) == (orbits, len(reached))


@settings(max_examples=100)
@given(repeated())
def test_traces_replay_in_the_network(network):
    whole = compose(network)
    assume(whole.state_count <= MOST)
    labels = sorted({label for _, label, _ in whole.transitions()})
    assume(labels)
    action = action_of(network)
    assume(action.by == "isomorphism")
    flat = explore(
        network,
        goals=Goals(deadlocks=True, find=lambda label: label == labels[-1]),
        output=Output(columns=False),
    )
    found = network_orbits(
        action, goals=Goals(deadlocks=True, find=lambda label: label == labels[-1])
    )
    assert bool(found.traces) == bool(flat.traces)
    shortest = {}
    for trace in flat.traces:
        last = "deadlock" if trace.deadlock else trace.steps[-1].label
        shortest[last] = min(shortest.get(last, len(trace.steps)), len(trace.steps))
    for trace in found.traces:
        walk = simulate(network)
        walk.replay(trace.steps)
        assert not trace.deadlock or not walk.steps
        last = "deadlock" if trace.deadlock else trace.steps[-1].label
        assert len(trace.steps) >= shortest[last]
    lengths = [len(t.steps) for t in found.traces if t.deadlock]
    assert not lengths or min(lengths) == shortest["deadlock"]


@settings(max_examples=100)
@given(repeated(), st.data())
def test_label_permutations_are_lifted_or_refuted(network, data):
    """Against the group of all symmetries, by what it does to what comes out."""
    every = action_of(network, any_labels=True)
    results = sorted({v.result for v in every.network.vectors} - {"tau"})
    assume(len(results) > 1)
    group = {tuple(results)}
    while True:
        more = {
            tuple(move.labels[label] for label in labels)
            for labels in group
            for move in every.moves
        } | group
        if more == group:
            break
        group = more
    some = st.sampled_from(sorted(group))
    images = data.draw(st.one_of(some, st.permutations(results).map(tuple)))
    moved = dict(zip(results, images, strict=True))
    expected = [written_as(moved, dict.fromkeys(results))]
    assume(expected[0].cycles)
    if images in group:
        [one] = action_of(network, expected).moves
        assert one.labels == moved
    else:
        with pytest.raises(NotProven, match=r"(?s)not proven.*(no image|of none|fit)"):
            action_of(network, expected)


@given(networks(most=4))
def test_orbits_of_expressions(network):
    expression, files = network
    made = read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])
    whole = compose(made)
    action = action_of(made)
    found = network_orbits(action)
    if action.by == "isomorphism":
        assert found.states == whole.state_count


USER = LTS.from_transitions([(0, "ask", 1), (1, "work", 2), (2, "done", 0)])
LOCK = LTS.from_transitions([(0, "ask", 1), (1, "done", 0)])


def users(count):
    """Users of one lock."""
    vectors = []
    for k in range(count):
        vectors += [({k: label, count: label}, f"{label}({k})") for label in ("ask", "done")]
        vectors.append(({k: "work"}, f"work({k})"))
    return Network.of([*[USER] * count, LOCK], vectors)


def test_elements_are_permutations_of_components():
    found = network_quotient(action_of(users(3)))
    assert found.quotient.points == ["1", "2", "3", "4"]
    assert found.explored.order == 6
    assert (found.explored.orbits, found.explored.states) == (3, 7)


def test_group_elements_are_separated_by_states():
    buffer = LTS.from_transitions(
        [(0, "in 0", 1), (0, "in 1", 2), (1, "out 0", 0), (2, "out 1", 0)]
    )
    vectors = [({0: f"{way} {d}"}, f"{way}({d})") for way in ("in", "out") for d in range(2)]
    network = Network.of([buffer], vectors)
    action = action_of(network)
    found = network_quotient(action)
    assert found.explored.order == 2
    assert (found.explored.orbits, found.explored.states) == (2, 3)
    reduction = encode(found.quotient, action.permutations, kind="labels")
    assert isomorphic(
        expand(reduction.encoding, reduction.symmetry),
        buffer.rename({f"{way} {d}": f"{way}({d})" for way in ("in", "out") for d in range(2)}),
    )


def test_components_that_are_only_bisimilar():
    long = LTS.from_transitions([(0, "ask", 1), (1, "work", 2), (2, "done", 3), (3, "ask", 1)])
    network = users(2)
    mixed = Network((USER, long, LOCK), network.vectors, network.names)
    action = action_of(mixed)
    assert action.by == "bisimulation"
    found = network_quotient(action)
    assert (found.explored.order, found.explored.states) == (2, 5)
    assert compose(mixed).state_count > 5


def test_the_vector_that_breaks_a_symmetry():
    network = users(3)
    broken = Network.of(
        network.components,
        [
            *(
                ({k: network.components[k].labels[a] for k, a in moves}, result)
                for moves, result in network.vectors
            ),
            ({0: "work", 3: "ask"}, "both"),
        ],
    )
    with pytest.raises(NotProven) as refused:
        action_of(broken, [parse_permutation("(0 1)")])
    assert 'the vector "work" * _ * _ * "ask" -> "both" has no image' in str(refused.value)
    action_of(broken, [parse_permutation("(1 2)")])
    with pytest.raises(
        NotProven, match=r"`ask\(0\)` is the result of a vector, but its image .ask\(7\)"
    ):
        action_of(network, [parse_permutation("(0 7)")])


def test_system_symmetry_need_not_preserve_vectors():
    """Two do the same: what the first could do besides waits for itself, in a circle."""
    odd = LTS.from_transitions([(0, "a", 1), (1, "never", 2), (2, "late", 0)])
    even = LTS.from_transitions([(0, "a", 1)])
    switch = LTS.from_transitions([(0, "yes", 1), (1, "no", 0)])
    vectors = [({0: "a"}, "a(0)"), ({1: "a"}, "a(1)")]
    vectors += [({0: "never", 2: "no"}, "x"), ({0: "late", 2: "yes"}, "y")]
    network = Network.of([odd, even, switch], vectors)
    expected = [parse_permutation("(0 1)")]
    with pytest.raises(NotProven) as refused:
        action_of(network, expected)
    found = quotient_of_whole(network, expected, refused.value)
    assert found.explored.proof == "whole"
    assert (found.explored.orbits, found.explored.states) == (3, 4)


def test_limits():
    with pytest.raises(LimitReached, match="more than 2 orbits"):
        network_orbits(action_of(users(3)), settings=Settings(limits=Limits(states=2)))

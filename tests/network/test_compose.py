"""Composition against the operational rules of every operator."""

from pathlib import Path

import pytest
from hypothesis import assume, given

from composition_expressions import networks
from lts import LTS, LimitReached, ParseError, SpecificationError, Unsupported, mucrl
from lts.equivalence import minimise
from lts.mucrl import generate
from lts.network import Network, compose, explore, read_text, reduce, simulate
from lts.state_space.generation import Output
from lts.state_space.settings import Goals
from naive.networks import Circular, composed, initial, steps, written
from naive.systems import isomorphic

ROOT = Path(__file__).parents[2]


def network_of(expression, files):
    return read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])


@given(networks(priorities=True))
def test_composition_matches_operational_rules(network):
    expression, files = network
    try:
        expected = composed(expression, files, 200)
    except Circular:
        with pytest.raises(SpecificationError, match="the priorities are not an order"):
            network_of(expression, files)
        return
    assume(expected is not None)
    triples, count = expected
    found = compose(network_of(expression, files))
    # By sizes first: that is quick to tell.
    assert (found.state_count, found.transition_count) == (count, len(triples))
    assert isomorphic(found, LTS.from_transitions(triples, state_count=count))


@given(networks(most=4, priorities=True), networks(most=3))
def test_inclusion_equals_inline_text(tmp_path_factory, network, other):
    expression, files = network
    folder = tmp_path_factory.mktemp("included")
    part = written(("network", None, (), other[0][-1]))
    (folder / "part.exp").write_text(part)

    def found(text):
        def load(path):
            return files[path.rpartition("/")[2].removesuffix(".aut")]

        try:
            made = read_text(text, folder=str(folder), load=load)
        except (ParseError, SpecificationError) as error:
            return type(error)
        return made.names, set(made.vectors)

    text = written(expression)
    included = text.replace('"three.aut"', '"part.exp"')
    assert found(included) == found(text.replace('"three.aut"', f" {part} "))


@given(networks())
def test_results_do_not_depend_on_threads(network):
    made = network_of(*network)
    one, two = (compose(made, threads=threads) for threads in (1, 2))
    assert list(one.transitions()) == list(two.transitions())


@given(networks(most=4))
def test_simulation_matches_operational_rules(network):
    expression, files = network
    walk = simulate(network_of(expression, files))
    state = initial(expression, files)
    for _ in range(4):
        allowed = steps(expression, state, files)
        assert sorted(step.label for step in walk.steps) == sorted(label for label, _ in allowed)
        labels = [step.label for step in walk.steps]
        single = [n for n, label in enumerate(labels) if labels.count(label) == 1]
        if not single:
            return
        state = next(target for label, target in allowed if label == labels[single[0]])
        walk.take(single[0])


A = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])


def test_vectors_of_the_library():
    made = Network.of([A, A], [({0: "a", 1: "a"}, "a"), ({0: "b"}, "x"), ({1: "none"}, "y")])
    assert sorted(compose(made).transitions()) == [(0, "a", 1), (1, "x", 2)]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([({}, "a")], "needs at least one component"),
        ([({2: "a"}, "a")], "no component 2"),
        ([({0: "tau"}, "a")], "`tau` is internal"),
    ],
)
def test_wrong_vectors_are_refused(vectors, message):
    with pytest.raises(SpecificationError, match=message):
        Network.of([A, A], vectors)


def test_a_visible_tau_is_refused():
    with pytest.raises(Unsupported, match="visible"):
        Network.of([LTS.from_transitions([(0, "tau", 0)]).with_internal([])], [])


def test_empty_network_has_one_state():
    found = compose(Network.of([], []))
    assert (found.state_count, found.transition_count) == (1, 0)


def test_network_without_vectors_has_no_steps():
    found = compose(Network.of([A, A], []))
    assert (found.state_count, found.transition_count) == (1, 0)


def test_labels_may_be_any_text():
    odd = ['say "hi"', "a|b", "", "x#1|y#0", "é", "\udcff", "a,b", "-> *"]
    one = LTS.from_transitions([(0, label, n) for n, label in enumerate(odd)])
    vectors = [({0: label}, label) for label in odd]
    assert set(compose(Network.of([one], vectors)).labels) == set(odd)


def test_many_components():
    loop = LTS.from_transitions([(0, "a", 0), (0, "b", 1)])
    everyone = dict.fromkeys(range(300), "a")
    found = compose(Network.of([loop] * 300, [(everyone, "all"), ({299: "b"}, "b")]))
    assert sorted(found.transitions()) == [(0, "all", 0), (0, "b", 1)]


def test_limits_and_searches_are_those_of_generation():
    # Ten counters side by side have 2^10 states.
    flip = LTS.from_transitions([(0, "up", 1)])
    made = Network.of([flip] * 10, [({n: "up"}, f"up({n})") for n in range(10)])
    with pytest.raises(LimitReached) as caught:
        compose(made, max_states=100)
    assert caught.value.found["states"] >= 100
    found = explore(
        made,
        goals=Goals(deadlocks=True, find=lambda label: label == "up(3)"),
        output=Output(columns=False),
    )
    assert {(trace.deadlock, len(trace.steps)) for trace in found.traces} == {
        (True, 10),
        (False, 1),
    }


def test_vector_of_many_components_needs_few_evaluations():
    # A barrier of twelve: nearly every vector of states is one in which it cannot happen.
    part = LTS.from_transitions([(0, "work", 1), (1, "sync", 0)])
    vectors = [({n: "work"}, f"work({n})") for n in range(12)]
    made = Network.of([part] * 12, [*vectors, (dict.fromkeys(range(12), "sync"), "sync")])
    found = explore(made, output=Output(columns=False))
    assert found.statistics.states == 2**12
    assert found.statistics.evaluations < 100


@pytest.mark.parametrize("count", range(3, 9))
def test_network_equals_its_specification(count):
    text = (ROOT / "benchmarks" / "specs" / "forks.mcrl").read_text()
    specified = generate(mucrl.read_text(text, parameters={"N": count}))
    philosopher = LTS.from_transitions(
        [(0, "left", 1), (1, "right", 2), (2, "eat", 3), (3, "back", 4), (4, "back too", 0)]
    )
    fork = LTS.from_transitions([(0, "take", 1), (1, "put", 0)])
    vectors = []
    for n in range(count):
        own, other = count + n, count + (n + 1) % count
        vectors += [
            ({n: "left", own: "take"}, f"take(p{own - count + 1})"),
            ({n: "right", other: "take"}, f"take(p{other - count + 1})"),
            ({n: "eat"}, f"eat(p{n + 1})"),
            ({n: "back", own: "put"}, f"put(p{own - count + 1})"),
            ({n: "back too", other: "put"}, f"put(p{other - count + 1})"),
        ]
    made = Network.of([philosopher] * count + [fork] * count, vectors)
    flat = compose(made)
    assert (flat.state_count, flat.transition_count) == (
        specified.state_count,
        specified.transition_count,
    )
    assert count > 5 or isomorphic(flat, specified)
    for equivalence in ("strong", "branching", "weak"):
        hidden = specified.hide(["take", "put"])
        least = reduce(made.hide(["take", "put"]), equivalence).lts
        assert list(least.transitions()) == list(minimise(hidden, equivalence).transitions())

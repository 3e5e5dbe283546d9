"""Traces of what was minimised on the way are done by the network itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from composition_expressions import networks
from lts import LTS, LtsError
from lts.network import Network, read_text, reduce, simulate
from lts.network.reduction import CONGRUENCES
from lts.network.runs import exact_trace
from naive.networks import initial, steps, written
from tree_arbiter import tree


@given(networks(), st.sampled_from(CONGRUENCES), st.data())
def test_traces_of_the_minimal_system_replay_in_the_network(network, equivalence, data):
    expression, files = network
    made = read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])
    found = reduce(made, equivalence)
    labels, state = [], found.lts.initial
    rows = list(found.lts.transitions())
    for _ in range(data.draw(st.integers(0, 6))):
        possible = [(a, t) for s, a, t in rows if s == state]
        if not possible:
            break
        label, state = data.draw(st.sampled_from(possible))
        labels += [label] if label != "tau" else []
    run = found.run(labels)
    assert [step.label for step in run if step.label != "tau"] == labels
    # By the rules of the operators: some state is reached by these labels.
    reached = {initial(expression, files)}
    for step in run:
        reached = {
            target
            for state in reached
            for label, target in steps(expression, state, files)
            if label == step.label
        }
    assert reached
    walk = simulate(made)
    walk.replay(exact_trace(made, run))
    assert [step.label for step in walk.trace] == [step.label for step in run]


def test_impossible_traces_are_refused():
    one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    found = reduce(Network.of([one], [({0: "a"}, "a"), ({0: "b"}, "b")]), "weak")
    with pytest.raises(LtsError, match="cannot do"):
        found.run(["b"])
    with pytest.raises(LtsError, match="cannot do"):
        found.run(["a", "c"])
    assert found.run([]) == ()
    assert reduce(Network.of([], []), "weak").run([]) == ()


def test_trace_of_one_client_replays_on_the_tree_arbiter():
    made = tree(256, lambda n: n == 77)
    found = reduce(made, "branching")
    run = found.run(["enter(77)", "leave(77)", "enter(77)"])
    # Eight levels of cells and the root: requests up, grants down, releases up between the two.
    assert len(run) == 3 + 5 * 9
    trace = exact_trace(made, run)
    assert [step.label for step in trace if step.label != "tau"][-1] == "enter(77)"

"""Compositional minimisation gives what minimising the whole gives."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from composition_expressions import content, networks
from lts import LTS, LimitReached, LtsError, SpecificationError, Unsupported
from lts.equivalence import minimise
from lts.equivalence.minimisation import SHARP
from lts.network import Network, compose, read_text, reduce
from lts.network.reduction import CONGRUENCES, STRATEGIES, parse_order
from lts.state_space.settings import Limits
from naive.networks import UNARY, written
from tree_arbiter import tree


def network_of(expression, files):
    return read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])


@given(networks(), st.sampled_from(CONGRUENCES))
def test_compositional_result_equals_monolithic_result(network, equivalence):
    made = network_of(*network)
    assert content(reduce(made, equivalence).lts) == content(minimise(compose(made), equivalence))


@given(networks(), st.sets(st.sampled_from("abcd")))
def test_sharp_bisimulation_is_a_congruence(network, strong):
    made = network_of(*network)
    found = reduce(made, SHARP, strong=strong).lts
    assert content(found) == content(minimise(compose(made), SHARP, strong=strong))


@st.composite
def orders(draw, members):
    """A nested order of some of these."""
    if len(members) < 2:
        return tuple(members)
    count = draw(st.integers(1, len(members)))
    cuts = draw(st.lists(st.integers(0, len(members)), min_size=count, max_size=count))
    ends = [0, *sorted(cuts), len(members)]
    groups = [members[b:e] for b, e in pairwise(ends) if b < e]
    if len(groups) == 1:
        return tuple(members)
    return tuple(draw(orders(group)) if draw(st.booleans()) else group[0] for group in groups)


@given(networks(most=4), st.sampled_from(CONGRUENCES), st.data())
def test_every_order_gives_the_same_result(network, equivalence, data):
    made = network_of(*network)
    members = data.draw(st.permutations(range(len(made.components))))
    order = data.draw(orders(members[: data.draw(st.integers(0, len(members)))]))
    found = reduce(made, equivalence, order=order).lts
    assert content(found) == content(reduce(made, equivalence).lts)


@given(networks(), st.sampled_from(CONGRUENCES))
def test_hiding_commutes_with_reduction(network, equivalence):
    made = network_of(*network)
    whole = compose(made)
    hidden = reduce(made.hide(["a", "d"]), equivalence).lts
    assert content(hidden) == content(minimise(whole.hide(["a", "d"]), equivalence))


def with_minimal_components(made, equivalence):
    """A network with its components minimised one by one, labels as they are."""
    known = {}
    least = [
        known.setdefault(id(component), minimise(component, equivalence, keep_unreachable=False))
        for component in made.components
    ]
    vectors = [
        ({k: made.components[k].labels[label] for k, label in moves}, result)
        for moves, result in made.vectors
        if not any(made.components[k].labels[n] in made.components[k].internal for k, n in moves)
    ]
    return Network.of(least, vectors)


@given(networks(most=4), st.sampled_from(CONGRUENCES), st.sampled_from(STRATEGIES))
def test_minimisation_strategy_does_not_change_the_result(network, equivalence, strategy):
    made = network_of(*network)
    found = reduce(made, equivalence, order=strategy)
    if strategy != "leaf":
        assert content(found.lts) == content(minimise(compose(made), equivalence))
        return
    # Components have labels hidden before that nobody else needs, so they are no larger.
    by_hand = compose(with_minimal_components(made, equivalence))
    assert found.lts.state_count <= by_hand.state_count
    assert content(minimise(found.lts, equivalence)) == content(minimise(by_hand, equivalence))


def nested(expression):
    """Which components the operators of an expression put together, in turns from the innermost."""
    kind, *rest = expression
    if kind == "file":
        return 1, []
    if kind in UNARY:
        count, inside = nested(rest[-1])
        return (1, []) if kind == "prio" else (count, inside)
    count, groups, first = 0, [], []
    for operand in rest[-1]:
        size, inside = nested(operand)
        groups += [[n + count for n in group] for group in inside]
        first.append(count)
        count += size
    return count, [*groups, [*range(count)]] if count > 1 and len(first) > 1 else groups


@given(networks(most=5, priorities=True))
def test_each_operator_composes_its_operands(network):
    try:
        made = network_of(*network)
    except SpecificationError:
        return
    found = reduce(made, "strong", order="node")
    several = [[*step.components] for step in found.steps if len(step.components) > 1]
    _, groups = nested(network[0][-1])
    # Infix operators may stand side by side or within each other: what they join is the same.
    assert {*map(tuple, several)} <= {*map(tuple, groups)}
    assert len(several) >= (len(made.components) > 1)


def test_strategies_minimise_the_documented_nodes():
    one = LTS.from_transitions([(0, "a", 1), (1, "tau", 2), (2, "b", 0)])
    text = "(x |[a]| x) ||| (x |[b]| x)"
    made = read_text(text, load=lambda path: one)
    assert made.nesting == ((0, 1), (2, 3))
    by_steps = {
        "node": [[0], [1], [2], [3], [0, 1], [2, 3], [0, 1, 2, 3]],
        "leaf": [[0], [1], [2], [3], [0, 1, 2, 3]],
        "root leaf": [[0], [1], [2], [3], [0, 1, 2, 3]],
        "root": [[0, 1, 2, 3]],
    }
    for strategy, expected in by_steps.items():
        found = reduce(made, "branching", order=strategy)
        assert [[*step.components] for step in found.steps] == expected
    last = reduce(made, "branching", order="root").steps[-1]
    assert last.states > last.minimal_states
    last = reduce(made, "branching", order="leaf").steps[-1]
    assert last.states == last.minimal_states
    with pytest.raises(LtsError, match="`first`: use"):
        reduce(made, "branching", order="first")


@pytest.mark.parametrize("clients", [2, 4, 8])
def test_tree_arbiter_equals_its_flat_composition(clients):
    for named in (lambda n: n < 2, lambda n: n == clients - 1, lambda n: True):
        made = tree(clients, named)
        found = reduce(made, "divergence-preserving-branching")
        flat = minimise(compose(made), "divergence-preserving-branching")
        assert content(found.lts) == content(flat)


def test_equal_subtrees_are_minimised_once():
    found = reduce(tree(1024, lambda n: n == 777), "branching")
    assert content(found.lts) == (0, 2, [(0, "enter(777)", 1), (1, "leave(777)", 0)])
    assert found.largest < 30
    # On each level the tree with the client that has a name, and all others, which are equal.
    assert found.built < 60 < len(found.steps)


def test_isomorphic_components_are_minimised_once():
    first = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    other = LTS.from_transitions([(0, "y", 1), (1, "x", 0)])
    made = Network.of([first, other], [({0: "a", 1: "x"}, "go"), ({0: "b", 1: "y"}, "tau")])
    found = reduce(made, "strong")
    assert [step.known for step in found.steps] == [False, True, False]


def test_labels_of_files_may_resemble_slots():
    one = LTS.from_transitions([(0, "1", 1), (1, "0", 2), (2, "tau", 3), (3, "i", 0)])
    made = Network.of([one, one], [({0: "1"}, "0"), ({1: "0"}, "1"), ({0: "0", 1: "1"}, "x")])
    assert content(reduce(made, "branching").lts) == content(minimise(compose(made), "branching"))


def test_vectors_of_400_components():
    one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    count = 400
    everyone = dict.fromkeys(range(count), "a")
    made = Network.of([one] * count, [(everyone, "go"), *(({n: "b"}, "tau") for n in range(count))])
    assert content(reduce(made, "branching").lts) == (0, 1, [(0, "go", 0)])


def test_limits_hold_for_intermediate_compositions():
    counter = LTS.from_transitions([(n, "up", n + 1) for n in range(30)])
    vectors = [({n: "up"}, f"up({n})") for n in range(3)]
    with pytest.raises(LimitReached, match="more than 100 states"):
        reduce(Network.of([counter] * 3, vectors), "strong", limits=Limits(states=100))


def test_empty_networks_and_networks_without_vectors():
    assert content(reduce(Network.of([], []), "branching").lts) == (0, 1, [])
    one = LTS.from_transitions([(0, "a", 1)])
    assert content(reduce(Network.of([one, one], []), "weak").lts) == (0, 1, [])


def test_other_equivalences_are_refused():
    with pytest.raises(Unsupported, match="modulo trace only the whole"):
        reduce(Network.of([], []), "trace")
    with pytest.raises(Unsupported, match="strong labels need"):
        reduce(Network.of([], []), "branching", strong=["a"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(1 2", "unclosed bracket"),
        ("1)", "unmatched bracket"),
        ("()", "unmatched bracket"),
        ("1 a", "not `a`"),
        ("0", "not `0`"),
    ],
)
def test_invalid_orders_are_refused(text, message):
    with pytest.raises(LtsError, match=message):
        parse_order(text)


@pytest.mark.parametrize(("order", "message"), [("1 3", "no component 3"), ("(1 2) 1", "twice")])
def test_orders_of_unknown_components_are_refused(order, message):
    one = LTS.from_transitions([(0, "a", 1)])
    with pytest.raises(LtsError, match=message):
        reduce(Network.of([one, one], []), "weak", order=parse_order(order))

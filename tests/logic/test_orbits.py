"""Formulas on orbits of networks: the answers are those of the whole."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS, NotSymmetric, Unsupported
from lts.logic import check, check_orbits
from lts.logic.orbits import orbit_graph, sets_of
from lts.network import Network, action_of, compose, network_quotient
from lts.symmetry import parse_permutation
from strategies import systems

MET = Counter()
SETS = ("true", "tau", "!tau", "a(...)", "!a(...)", "a(0)", "!b(1)", "b(...) || tau", "c", "b(0)")


@st.composite
def clients(draw):
    """Equal components beside another one, that all do the same with it or hide it."""
    one = draw(systems(max_states=3, labels=("a", "b", "tau"), min_transitions=2))
    other = draw(systems(max_states=2, labels=("a", "c"), min_transitions=1))
    count = draw(st.integers(2, 3))
    waits = draw(st.booleans())
    vectors = [({count: "c"}, "c")]
    for k in range(count):
        together = {k: "a", count: "a"} if waits else {k: "a"}
        vectors += [(together, f"a({k})"), ({k: "b"}, f"b({k})")]
    if draw(st.booleans()):
        vectors.append((dict.fromkeys(range(count), "b"), "c"))
    return Network.of([one] * count + [other], vectors)


@st.composite
def formulas(draw, depth=3):
    if depth == 0:
        return draw(st.sampled_from(("true", "false")))
    inner = f"({draw(formulas(depth - 1))})"
    one, other = (f"({draw(st.sampled_from(SETS))})" for _ in range(2))
    return draw(
        st.sampled_from(
            (
                f"<{one}>{inner}",
                f"[{one}]{inner}",
                f"<{one}*.{other}>{inner}",
                f"[{one}*.{other}]{inner}",
                f"!{inner}",
                f"<{one}>@",
                f"{inner} && <{other}*>[true]false",
                f"nu Z. ([{one}]Z && (<{other}>true || {inner}))",
                f"A G (!{one} || F {other})",
                f"E F {one}",
            )
        )
    )


@settings(max_examples=300)
@given(clients(), formulas())
def test_answers_on_orbits_are_those_of_the_whole(network, formula):
    sets = sets_of(formula)
    action = action_of(network, keeping=sets)
    found = check_orbits(network_quotient(action).quotient, formula)
    whole = compose(network)
    assert found.holds == check(whole, formula).holds
    assert found.states <= whole.state_count
    MET["moved"] += found.order > 1
    MET["smaller group"] += found.order < network_quotient(action_of(network)).explored.order
    MET["fewer"] += found.orbits < found.states


def test_random_networks_have_symmetries_that_formulas_keep_and_break():
    assert MET["moved"] > 10
    assert MET["smaller group"] > 5
    assert MET["fewer"] > 10


CLIENT = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
USERS = Network.of([CLIENT] * 12, [({k: x}, f"{x}({k})") for k in range(12) for x in "ab"])


def test_a_formula_about_one_of_many_leaves_the_others_exchangeable():
    found = network_quotient(action_of(USERS, keeping=sets_of("[true*.a(3)]<b(3)>true")))
    verdict = check_orbits(found.quotient, "[true*.a(3)]<b(3)>true")
    # 11! of 12!: the other eleven, and the one.
    assert (verdict.holds, verdict.orbits, verdict.states) == (True, 24, 2**12)
    assert verdict.order == 39916800
    assert not check_orbits(found.quotient, "[true*.a(3)]<a(3)>true")


def test_a_formula_that_the_group_changes_is_refused():
    action = action_of(USERS, [parse_permutation("(3 4)")])
    with pytest.raises(NotSymmetric, match="the formula is not symmetric") as caught:
        check_orbits(network_quotient(action).quotient, "<a(3)>true")
    assert "`a(3)` becomes `a(4)`" in caught.value.witness
    assert check_orbits(network_quotient(action).quotient, "<a(5)>true")


def test_what_is_not_decided_on_orbits():
    for formula in ("deterministic", "exists d:0..3. <a(d)>true"):
        with pytest.raises(Unsupported):
            sets_of(formula)
    found = network_quotient(action_of(USERS)).quotient
    assert check_orbits(found, "[true*.c]false").unknown == ("c",)


def test_the_graph_of_orbits_has_a_state_for_each():
    graph = orbit_graph(network_quotient(action_of(USERS)).quotient)
    assert (graph.state_count, graph.initial) == (13, 0)
    assert graph.transition_count == 24

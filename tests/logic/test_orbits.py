"""Formulas on orbits of networks: the answers are those of the whole."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS, NotSymmetric, Unsupported
from lts.logic import check, check_orbits
from lts.logic.orbits import orbit_graph, sets_of
from lts.network import Network, action_of, compose, network_quotient
from lts.symmetry import parse_permutation
from strategies import systems

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


def is_part(system, whole):
    """Whether each state of a system does what some state of the whole does, from the start on."""
    pairs = set(product(range(system.state_count), range(whole.state_count)))
    steps = list(system.transitions())
    possible = set(whole.transitions())
    by_label = {}
    for source, label, target in possible:
        by_label.setdefault((source, label), []).append(target)
    gone = True
    while gone:
        gone = {
            (one, other)
            for one, other in pairs
            for source, label, target in steps
            if source == one
            and all((target, t) not in pairs for t in by_label.get((other, label), ()))
        }
        pairs -= gone
    return (system.initial, whole.initial) in pairs


def test_orbit_verdicts_equal_verdicts_of_the_whole():
    met = Counter()

    @settings(max_examples=300)
    @given(clients(), formulas())
    def are_those_of_the_whole(network, formula):
        sets = sets_of(formula)
        action = action_of(network, keeping=sets)
        found = check_orbits(network_quotient(action).quotient, formula, max_evidence=1000)
        whole = compose(network)
        assert found.holds == check(whole, formula).holds
        if found.evidence is not None:  # it may have too many transitions
            assert is_part(found.evidence, whole)
            assert check(found.evidence, formula).holds == found.holds
        if found.path is not None:
            path = LTS.from_transitions(found.path.steps)
            assert is_part(path, whole)
            met["path"] += 1
            if found.path.again is not None:
                met["again"] += 1
                # A run decides a formula that speaks of one path only.
                is_of_paths = formula.startswith(("A ", "E "))
                assert not is_of_paths or check(path, formula).holds == found.holds
            met["moved path"] += found.order > 1 and len(found.path.steps) > 1
        assert found.states <= whole.state_count
        met["moved"] += found.order > 1
        met["smaller group"] += found.order < network_quotient(action_of(network)).explored.order
        met["fewer"] += found.orbits < found.states

    are_those_of_the_whole()
    # The networks have symmetries that formulas keep and break, and paths that the group moves.
    assert met["moved"] > 10
    assert met["smaller group"] > 5
    assert met["fewer"] > 10
    assert met["path"] > 10
    assert met["moved path"] > 5
    assert met["again"] > 2


CLIENT = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
USERS = Network.of([CLIENT] * 12, [({k: x}, f"{x}({k})") for k in range(12) for x in "ab"])


def test_formula_on_one_client_keeps_the_other_symmetries():
    found = network_quotient(action_of(USERS, keeping=sets_of("[true*.a(3)]<b(3)>true")))
    verdict = check_orbits(found.quotient, "[true*.a(3)]<b(3)>true")
    # 11! of 12!: the other eleven, and the one.
    assert (verdict.holds, verdict.orbits, verdict.states) == (True, 24, 2**12)
    assert verdict.order == 39916800
    assert not check_orbits(found.quotient, "[true*.a(3)]<a(3)>true")


def test_asymmetric_formulas_are_refused():
    action = action_of(USERS, [parse_permutation("(3 4)")])
    with pytest.raises(NotSymmetric, match="the formula is not symmetric") as caught:
        check_orbits(network_quotient(action).quotient, "<a(3)>true")
    assert "treats `a(3)` and `a(4)` differently" in caught.value.witness
    assert check_orbits(network_quotient(action).quotient, "<a(5)>true")


def test_formulas_not_for_orbits_are_refused():
    for formula in ("deterministic", "exists d:0..3. <a(d)>true"):
        with pytest.raises(Unsupported):
            sets_of(formula)
    found = network_quotient(action_of(USERS)).quotient
    assert check_orbits(found, "[true*.c]false").unknown == ("c",)


def test_orbit_graph_has_one_state_per_orbit():
    graph = orbit_graph(network_quotient(action_of(USERS)).quotient)
    assert (graph.state_count, graph.initial) == (13, 0)
    assert graph.transition_count == 24


def test_orbit_loops_are_unrolled_to_concrete_loops():
    """A token goes round: one step of the orbits is a quarter of the way."""
    rows = [(0, "get", 1), (1, "pass", 0)]
    station = LTS.from_transitions(rows)
    moves = [({k: "pass", (k + 1) % 4: "get"}, f"pass({k})") for k in range(4)]
    # Who has it first is drawn, so that the initial state is symmetric.
    start = LTS.from_transitions([(0, "take", 1)])
    takes = [({4: "take", k: "get"}, f"take({k})") for k in range(4)]
    ring = Network.of([station] * 4 + [start], [*moves, *takes])
    found = network_quotient(action_of(ring)).quotient
    assert (found.order, found.orbits) == (4, 2)
    verdict = check_orbits(found, "A F win", max_evidence=100)
    assert not verdict.holds
    assert (len(verdict.path.steps), verdict.path.again) == (5, 1)
    assert is_part(LTS.from_transitions(verdict.path.steps), compose(ring))
    assert (verdict.evidence.state_count, verdict.evidence.transition_count) == (5, 8)
    assert check_orbits(found, "A F win", max_evidence=7).evidence is None


def test_restriction_needs_ascending_existing_transitions():
    found = network_quotient(action_of(USERS)).quotient
    for rows in ([1, 0], [0, 0], [24]):
        with pytest.raises(ValueError, match="not in ascending order"):
            found.restricted(rows)
    with pytest.raises(ValueError, match="not a path"):
        found.lifted([24], None, 10)
    with pytest.raises(ValueError, match="not a path"):
        found.lifted([0], 1, 10)
    assert found.lifted([0], None, 0) is None
    assert found.restricted(range(24)).count() == found.count()
    assert found.restricted([]).count() == (1, 0)

"""Formulas on networks, in parts and flat; and what of a system a formula does not look at."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from composition_expressions import networks
from lts import LTS, Unsupported
from lts.equivalence import minimise
from lts.logic import check, check_network
from lts.logic.check import PROPERTIES, read
from lts.logic.preserved import hidden_labels, strong_labels, weakest
from lts.network import Network, compose, read_text
from naive.networks import written
from strategies import systems
from tree_arbiter import tree

SETS = ("true", "a", "!a", "b", "tau", "!tau", "a || b", "!(a || b)", "a || tau", "c", "!b && !c")


@st.composite
def formulas(draw, depth=3):
    """Formulas of weak and of other modalities, mixed."""
    if depth == 0:
        return draw(st.sampled_from(("true", "false")))
    inner = f"({draw(formulas(depth - 1))})"
    one, other = (f"({draw(st.sampled_from(SETS))})" for _ in range(2))
    path = draw(
        st.sampled_from(
            (f"{one}*.{other}", f"{one}*", one, f"{one}.{other}", f"({one}*.{other})*", f"{one}+")
        )
    )
    return draw(
        st.sampled_from(
            (
                f"<{path}>{inner}",
                f"[{path}]{inner}",
                f"!{inner}",
                f"<{one}>@",
                f"{inner} && <{path}>true",
                f"{inner} || [{path}]false",
                f"nu Z. (<{path}>Z && {inner})",
                f"mu Z. ([{one}]Z || {inner})",
                f"mu Z. (<{one}>Z || {inner} || <{other}>{inner})",
                f"nu Z. (<{one}>Z || <{other}>Z)",
                f"[{one}*](<true>true)",
                f"<{one}*>([true]false) || {inner}",
                f"mu Z. (<true>true && [{one}]Z)",
                f"mu Z. (<true>true && [{one}]Z && {inner})",
                f"mu Z. ([true]false || <{one}>Z || <{other}>{inner})",
            )
        )
    )


def test_hiding_and_minimisation_preserve_verdicts():
    reached = Counter()

    @settings(max_examples=600)
    @given(systems(max_states=6, labels=("a", "b", "c", "tau")), formulas())
    def example(system, formula):
        parsed = read(formula, "formula")
        visible = [label for label in system.labels if label not in system.internal]
        hidden = hidden_labels(parsed, visible)
        less = system.hide(sorted(hidden)) if hidden else system
        expected = check(system, formula).holds
        assert check(less, formula).holds == expected
        equivalence, strong = weakest(parsed, set(visible) - hidden)
        least = minimise(less, equivalence, strong=strong)
        assert check(least, formula).holds == expected
        reached[equivalence, bool(strong)] += 1

    example()
    assert reached["branching", False] > 3
    assert reached["divergence-preserving-branching", False] > 3
    assert reached["divergence-preserving-branching", True] > 3


def divergent(system):
    """Whether there is a cycle of internal steps, which branching bisimulation does not see."""
    return system.tau_cycle_states().any()


@st.composite
def finite(draw, depth=3):
    """Formulas about finite sequences of steps, with internal ones between."""
    if depth == 0:
        return draw(st.sampled_from(("true", "false")))
    inner = f"({draw(finite(depth - 1))})"
    way = draw(st.sampled_from(("true", "tau", "!a", "a || tau", "!(b || c)")))
    step = draw(st.sampled_from(("a", "b", "c", "!tau", "a || b")))
    path = draw(st.sampled_from((f"({way})*.({step})", f"({way})*")))
    both = f"{inner} && ({draw(finite(depth - 1))})"
    return draw(st.sampled_from((f"<{path}>{inner}", f"[{path}]{inner}", f"!{inner}", both)))


def test_finite_sequence_formulas_ignore_divergence():
    reached = Counter()

    @settings(max_examples=200)
    @given(systems(max_states=6, labels=("a", "b", "tau", "tau"), min_transitions=4), finite())
    def example(system, formula):
        equivalence, strong = weakest(read(formula, "formula"), ("a", "b"))
        assert (equivalence, strong) == ("branching", frozenset())
        least = minimise(system, equivalence)
        assert check(least, formula).holds == check(system, formula).holds
        reached["divergent"] += divergent(system)

    example()
    assert reached["divergent"] > 10


@settings(max_examples=150)
@given(networks(most=4), formulas(2))
def test_compositional_and_flat_verdicts_agree(network, formula):
    expression, files = network
    made = read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])
    assert check_network(made, formula).holds == check(compose(made), formula).holds


WEAK = (
    "[true*.a]false",
    "<(!a)*.b>true",
    "[true*]!<tau>@",
    "<true>@",
    "[true*.a]<true*.b>true",
    "[true*.a.(!c)*.d]false",
    "nu X. <true*.a>X",
    "A before B",
    "action A possible",
    "let X = <true*.a>true in X && [true*]X",
    "deadlock-free",
    "A inevitable",
    "<true*.a>(<(!b)*>[true]false)",
    "mu X. <true>true && [!a]X",
    "mu X. (<a>X || <tau>X || <b>true)",
    "nu X. ([tau]X && [a]X && [b]false)",
)
STRONG = (
    "<true>true",
    "<a>@",
    "[true]false",
    "mu X. <true>true && [a]X",
    "<true*.a>[true]false",
    "[true*]<!a>true",
    "mu X. <true>true || [!a]X",
    "nu X. [a]X",
    "<true*.tau>true",
    "<a.b>true",
    "<(true*.a)*.b>true",
    "mu X. (<true>X || <a>X && <b>true)",
    "mu X. (<true>(X || <true>X) || <a>true)",
    "nu X. (<tau>X && <a>X)",
)


@pytest.mark.parametrize("formula", WEAK)
def test_weak_modalities_are_seen(formula):
    assert strong_labels(read(formula, "formula"), "abc") == set()


SEES_DIVERGENCE = {
    "[true*]!<tau>@",
    "<true>@",
    "deadlock-free",
    "A inevitable",
    "<true*.a>(<(!b)*>[true]false)",
    "mu X. <true>true && [!a]X",
}


@pytest.mark.parametrize("formula", WEAK)
def test_chosen_bisimulation_sees_divergence_if_the_formula_does(formula):
    sees = formula in SEES_DIVERGENCE
    name = "divergence-preserving-branching" if sees else "branching"
    assert weakest(read(formula, "formula"), "abc") == (name, frozenset())
    # So it does: a state that goes on internally forever, and one that stops.
    loop, stop = (LTS.from_transitions([(0, "tau", end)], state_count=2) for end in (0, 1))
    if not sees:
        assert check(loop, formula).holds == check(stop, formula).holds


@pytest.mark.parametrize("formula", STRONG)
def test_non_weak_modalities_need_strong_labels(formula):
    assert strong_labels(read(formula, "formula"), "abc") != set()


MIXED = {
    "[a]false": "a",
    "<a || b>true": "ab",
    "[true*.a]<b>true": "b",
    "[true*](<!(a || tau)>true || [b]false)": "bc",
    "mu X. ([b]X && <true*.c>true)": "b",
    "nu X. <!tau>X": "abc",
    "[(!a)*.b]<true*.a>true || [c]false": "c",
    "[true*.a]false": "",
    "[true*.a]<true>true": None,
    "[true*]<!a>true": None,
}


@pytest.mark.parametrize("formula", MIXED)
def test_strong_labels_are_those_of_non_weak_modalities(formula):
    expected = MIXED[formula]
    found = strong_labels(read(formula, "formula"), "abc")
    assert found == (None if expected is None else set(expected))


def test_named_properties_need_no_strong_labels():
    for name in PROPERTIES:
        assert strong_labels(read(name, "formula"), "abc") == set(), name


def test_a_mixed_formula_is_decided_modulo_sharp_bisimulation():
    """Only what may be counted stays as it is: the other clients are next to nothing."""
    arbiters = tree(256, lambda n: True)
    found = check_network(arbiters, "[true*.enter(7)]<leave(7)>true")
    assert (found.holds, found.strong) == (True, {"leave(7)"})
    assert found.equivalence == "divergence-preserving-branching"
    assert found.reduction.largest < 200
    assert not check_network(arbiters, "[true*.leave(7)]<enter(7)>true")


def test_a_property_of_one_of_many_clients():
    arbiters = tree(1024, lambda n: True)
    found = check_network(arbiters, "[true*.enter(777)]<true*.leave(777)>true")
    assert found.holds
    assert found.equivalence == "branching"
    assert (found.hidden, found.reduction.largest < 100) == (2046, True)
    assert not check_network(arbiters, "[(!enter(777))*.enter(3)]false")
    assert check_network(arbiters, "[true*.enter(777).(!leave(777))*.enter(3)]false")
    found = check_network(arbiters, "[true*.entr(777)]false")
    assert (found.holds, found.unknown) == (True, ("entr(777)",))


def test_formulas_not_for_networks_are_refused():
    network = Network.of([LTS.from_transitions([(0, "a", 1)])], [({0: "a"}, "a(1)")])
    for formula in ("deterministic", "exists d:0..3. <a(d)>true"):
        with pytest.raises(Unsupported):
            check_network(network, formula)

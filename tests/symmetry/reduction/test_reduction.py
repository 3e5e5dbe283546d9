"""Symmetry of systems: found when planted, reduced without loss, counted without building."""

import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive.systems
from lts import LTS, FormatError, LtsError, NotSymmetric
from lts.symmetry import (
    ORDERS,
    check,
    count,
    encode,
    expand,
    isomorphic,
    parse_permutation,
    parse_symmetry_file,
    reduce,
)
from planted import expand_identity, reachable, written
from strategies import examples, symmetric_systems, systems


@given(symmetric_systems())
def test_check_accepts_a_planted_symmetry(planted):
    system, images = planted
    found = check(system, written(images))
    sigma = found.states[0].tolist()
    assert sigma[0] == 0
    assert sorted(sigma) == list(range(len(reachable(system)[0])))
    # The states are numbered breadth first: the same automorphism on the renumbered system.
    renumbered = expand_identity(system)
    rows = set(renumbered.transitions())
    assert {(sigma[s], images[a], sigma[t]) for s, a, t in rows} == rows


@settings(max_examples=examples(3))
@given(symmetric_systems(), st.sampled_from(ORDERS))
def test_a_reduction_expands_to_the_original(planted, order):
    system, images = planted
    reduction = reduce(system, written(images), order=order)
    original = expand(reduction.encoding, reduction.symmetry)
    assert naive.systems.isomorphic(original, system)
    states, rows = reachable(system)
    assert (original.state_count, original.transition_count) == (len(states), len(rows))
    assert count(reduction.encoding, reduction.symmetry) == (len(states), len(rows))
    assert (reduction.symmetry.states, reduction.symmetry.transitions) == (len(states), len(rows))


@settings(max_examples=examples(3))
@given(symmetric_systems())
def test_one_transition_of_each_orbit_is_stored(planted):
    system, images = planted
    permutation = written(images)
    sigma = check(system, permutation).states[0].tolist()
    rows = set(expand_identity(system).transitions())
    orbits = set()
    for s, a, t in rows:
        orbit = set()
        while (s, a, t) not in orbit:
            orbit.add((s, a, t))
            s, a, t = sigma[s], images[a], sigma[t]
        orbits.add(frozenset(orbit))
    for order in ORDERS:
        reduction = reduce(system, permutation, order=order)
        rho = reduction.symmetry.rho
        stored = [row for row in reduction.encoding.transitions() if not row[1].startswith(rho)]
        assert len(stored) == reduction.stored == len(orbits)
        assert reduction.encoding.state_count >= reduction.orbits


@settings(max_examples=examples(3))
@given(symmetric_systems(), st.integers())
def test_transitions_of_representatives(planted, seed):
    """Their number does not depend on which members of the orbits are the representatives."""
    system, images = planted
    found = check(system, written(images))
    sigma = found.states[0].tolist()
    orbit = list(range(len(sigma)))
    for state in range(len(sigma)):
        at = sigma[state]
        while at != state:
            orbit[at] = min(orbit[at], orbit[state])
            at = sigma[at]
    members = {one: [s for s, own in enumerate(orbit) if own == one] for one in orbit}
    chosen = {random.Random(seed + one).choice(states) for one, states in members.items()}
    rows = expand_identity(system).transitions()
    steps = {(s, a, orbit[t]) for s, a, t in rows if s in chosen}
    assert found.quotient.representative_transitions() == len(steps)


@given(symmetric_systems(), st.integers())
def test_the_order_of_the_input_does_not_change_the_size(planted, seed):
    system, images = planted
    rows = list(system.transitions())
    random.Random(seed).shuffle(rows)
    shuffled = LTS.from_transitions(rows, state_count=system.state_count)
    one, other = (reduce(s, written(images)) for s in (system, shuffled))
    assert one.symmetry.states == other.symmetry.states
    if one.symmetry.order == other.symmetry.order and one.orbits == other.orbits:
        assert one.stored == other.stored


@given(symmetric_systems())
def test_symmetry_file_suffices_for_expansion(planted):
    system, images = planted
    reduction = reduce(system, written(images))
    symmetry = parse_symmetry_file(str(reduction.symmetry))
    assert symmetry == reduction.symmetry
    assert isomorphic(expand(reduction.encoding, symmetry), system)


@settings(max_examples=examples(3))
@given(systems(max_states=5, labels=("a", "b"), max_transitions=8))
def test_check_accepts_exactly_the_automorphisms(system):
    """Against all permutations of at most five states."""
    images = {"a": "b", "b": "a"}
    part = expand_identity(system)
    rows = set(part.transitions())
    exists = any(
        {((0, *sigma)[s], images[a], (0, *sigma)[t]) for s, a, t in rows} == rows
        for sigma in permutations(range(1, part.state_count))
    )
    if exists:
        assert check(system, written(images)).order in (1, 2, 4, 6)
    else:
        with pytest.raises(NotSymmetric) as refused:
            check(system, written(images))
        assert refused.value.witness


@settings(max_examples=examples(3))
@given(systems(max_states=5), st.randoms(use_true_random=False), st.booleans())
def test_isomorphism_agrees_with_networkx(system, rng, change):
    names = list(range(system.state_count))
    rng.shuffle(names)
    rows = [(names[s], a, names[t]) for s, a, t in system.transitions()]
    if change and rows:
        s, a, t = rows.pop()
        rows.append((t, a, s))
    other = LTS.from_transitions(
        rows, initial=names[system.initial], state_count=system.state_count
    )
    assert isomorphic(system, other) == naive.systems.isomorphic(system, other)


def test_the_order_is_that_of_the_pair():
    """Lemma 4.11(ii) of the report is false: here only permutations of order 4 belong to (a b)."""
    rows = [(0, "tau", i) for i in range(1, 5)]
    rows += [(i, "c", i % 4 + 1) for i in range(1, 5)]
    rows += [(1, "a", 1), (3, "a", 3), (2, "b", 2), (4, "b", 4)]
    found = check(LTS.from_transitions(rows), parse_permutation("(a b)"))
    assert found.order == 4


def test_twin_states_do_not_enlarge_the_order():
    rows = [(0, "a", i) for i in range(1, 8)]
    assert check(LTS.from_transitions(rows), parse_permutation('("x" "y")')).order == 1


def test_bisimilar_but_without_automorphism():
    rows = [(0, "a", 1), (0, "b", 2), (0, "b", 3)]
    with pytest.raises(NotSymmetric, match="bisimilar under the permutation, but no automorphism"):
        check(LTS.from_transitions(rows), parse_permutation("(a b)"))


def test_witness_formula_holds_on_one_side():
    system = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "c", 0)])
    with pytest.raises(NotSymmetric) as refused:
        check(system, parse_permutation("(a b)"))
    assert "<a><c>true" in refused.value.witness


def test_the_printed_expansion_rule_of_the_report_is_wrong():
    """Relating <i,rho(i)s> with <i+1,s> only, whatever k rho has, loses identifications."""
    encoding = LTS.from_transitions([(0, "rho(1)", 0), (0, "a", 1), (1, "rho(2)", 1)])
    symmetry = parse_symmetry_file(
        'version = 1\nkind = "labels"\ngenerators = ["(a b c d)"]\norder = 4\nrho = "rho"\n'
        'cycles = [\'("a" "b" "c" "d")\']\n'
    )
    original = expand(encoding, symmetry)
    # State 1 has period 2: two copies, each reached with two labels.
    assert (original.state_count, original.transition_count) == (3, 4)
    assert count(encoding, symmetry) == (3, 4)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, "rho(1)", 0), (0, "a", 1), (1, "rho(4)", 1)], "not between 1 and 3"),
        ([(0, "rho(1)", 0), (0, "a", 1), (1, "rho(0)", 1)], "not between 1 and 3"),
        ([(0, "rho(1)", 0), (0, "a", 1), (1, "rho(3)", 1)], "does not divide"),
        ([(0, "rho(1)", 0), (0, "a", 1), (1, "rho(1)", 2)], "does not divide|cycle"),
        ([(0, "rho(1)", 0), (0, "rho(2)", 1)], "two rho-steps"),
        ([(0, "rho(1)", 0), (0, "a", 1), (1, "rho(1)", 0)], "two rho-steps lead to"),
        ([(0, "a", 1)], "is not fixed"),
    ],
)
def test_invalid_encodings_are_refused(rows, message):
    symmetry = parse_symmetry_file(
        'version = 1\nkind = "labels"\ngenerators = ["(a b c d)"]\norder = 4\nrho = "rho"\n'
        'cycles = [\'("a" "b" "c" "d")\']\n'
    )
    with pytest.raises(FormatError, match=message):
        expand(LTS.from_transitions(rows), symmetry)


def test_rho_labels_do_not_collide_with_actions():
    system = LTS.from_transitions([(0, "rho(1)", 1), (0, "rho(2)", 2)])
    reduction = reduce(system, parse_permutation('("rho(1)" "rho(2)")'))
    assert reduction.symmetry.rho == "rho_"
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)


def test_internal_labels_must_be_fixed():
    system = LTS.from_transitions([(0, "tau", 1), (0, "a", 2)])
    with pytest.raises(LtsError, match="internal label `tau` must be fixed"):
        check(system, parse_permutation('("tau" "a")'))


def test_an_unknown_order_is_refused():
    quotient = check(LTS.from_transitions([(0, "a", 1)]), parse_permutation("(a)")).quotient
    with pytest.raises(LtsError, match="unknown order `best`"):
        encode(quotient, parse_permutation("(a)"), kind="labels", order="best")

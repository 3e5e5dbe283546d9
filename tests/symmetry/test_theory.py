"""The statements that symmetry rests on, each by a test: here, or where the table says.

| statement | test |
| --- | --- |
| a certified permutation of data is an automorphism | test_certificate.test_what_is_proven_holds |
| an automorphism implies permutation bisimulation | test_permutation_bisimulation |
| on a minimal system it is the only one, of such an order | test_permutation_bisimulation |
| actions are on the left | test_permutations_act_on_the_left |
| a quotient with stabilisers loses nothing, exact counts | test_groups |
| one stored transition of each orbit, for every choice | test_reduction.test_one_transition_of_.. |
| rho-steps are least, cycles sum to the period | test_cycles_of_rho_steps |
| a next member in any other order is wrong | test_members_in_another_order_are_refused |
| a group needs the loops of a stabiliser | test_without_loops_states_are_not_identified |
| rho-steps count for what can be reached | test_rho_steps_are_needed_to_reach_the_rest |
| counting formulas for a cyclic group | test_counting_a_cyclic_group |
| classes come in orbits; complete minimisation | test_minimise |
| equivalence of reductions is sound, not complete | test_comparison |
| erratum: Lemma 4.11(ii), orders of the pair | test_reduction.test_the_order_is_that_of_the_pair |
| erratum: Table 1, expansion | test_reduction.test_the_printed_expansion_rule_.. |
| erratum: Lemma 6.8(ii), counting | test_counting_as_printed_is_wrong |
| erratum: Table 2, cycles for N=2 | test_cycles_of_the_case_studies |
| erratum: Tables 3 and 4, ABP | test_the_minimised_encoding_of_the_protocol |
| erratum: one normal form of an array | test_specification.test_reductions_have_the_.. |
| failures-divergences: chaos | equivalence/test_compare.test_what_diverges_is_chaos |
"""

from itertools import product
from math import lcm
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles
from lts import LTS, FormatError
from lts.equivalence import minimise
from lts.mucrl import linearise, read
from lts.symmetry import (
    ORDERS,
    check,
    count,
    encode,
    expand,
    parse_permutation,
    parse_symmetry_file,
    reduce,
)
from lts.symmetry.reduction import rho_cycles
from lts.symmetry.specification import certified_quotient
from planted import reachable, written
from strategies import group_symmetric_systems, symmetric_systems

CASES = Path(__file__).parents[2] / "cases"


def cycles(reduction):
    """The members of the orbits in an encoding under a cyclic group, each with its period."""
    order, prefix = reduction.symmetry.order, f"{reduction.symmetry.rho}("
    steps = {
        s: (int(a[len(prefix) : -1]), t)
        for s, a, t in reduction.encoding.transitions()
        if a.startswith(prefix)
    }
    found, seen = [], set()
    for start in range(reduction.encoding.state_count):
        members, period, at = [], 0, start
        while at not in seen and at in steps:
            seen.add(at)
            members.append(at)
            period += steps[at][0]
            at = steps[at][1]
        if start not in steps:
            members, period = [start], order
        if members:
            assert at == start
            found.append((members, period))
    return found


def periods_of_labels(reduction):
    images = {e.text: image.text for e, image in reduction.symmetry.actions[0].images.items()}

    def period(label):
        at, length = images.get(label, label), 1
        while at != label:
            at, length = images[at], length + 1
        return length

    return period


@given(group_symmetric_systems())
def test_permutations_act_on_the_left(planted):
    """The automorphism of gh is that of g after that of h, where there is only one for each."""
    system, generators = planted
    least = minimise(system, "strong")
    sigmas = [check(least, written(images)).states[0].tolist() for images in generators]
    for (g, sigma), (h, tau) in product(zip(generators, sigmas, strict=True), repeat=2):
        images = {label: g[h[label]] for label in g}
        both = check(least, written(images)).states[0].tolist()
        assert both == [sigma[tau[state]] for state in range(len(tau))]


@settings(max_examples=300)
@given(symmetric_systems(), st.sampled_from(ORDERS))
def test_cycles_of_rho_steps(planted, order):
    """One cycle of the members of each orbit; its steps sum to the size of the orbit."""
    system, images = planted
    reduction = reduce(system, written(images), order=order)
    found = cycles(reduction)
    assert len(found) == reduction.orbits
    assert sum(period for _, period in found) == len(reachable(system)[0])
    assert sorted(s for members, _ in found for s in members) == list(
        range(reduction.encoding.state_count)
    )
    for members, period in found:
        assert reduction.symmetry.order % period == 0
        assert len(members) <= period


@settings(max_examples=300)
@given(symmetric_systems(), st.sampled_from(ORDERS))
def test_counting_a_cyclic_group(planted, order):
    """Lemmas 6.7 and 6.8, the second with n-k for k-1."""
    system, images = planted
    reduction = reduce(system, written(images), order=order)
    states, rows = reachable(system)
    n, found = reduction.symmetry.order, cycles(reduction)
    repeated = sum(n * len(members) - period for members, period in found)
    assert len(states) == n * reduction.encoding.state_count - repeated
    period = {s: period for members, period in found for s in members}
    label_period = periods_of_labels(reduction)
    stored = [
        lcm(period[s], label_period(a), period[t])
        for s, a, t in reduction.encoding.transitions()
        if not a.startswith(f"{reduction.symmetry.rho}(")
    ]
    assert len(rows) == sum(stored) == n * len(stored) - sum(n - k for k in stored)


def test_counting_as_printed_is_wrong():
    """Lemma 6.8(ii) with k-1: four transitions of period 2 and one of period 1 under n = 2."""
    rows = [(0, "a(1)", 1), (0, "a(2)", 2), (1, "b(1)", 3), (2, "b(2)", 3), (3, "c", 0)]
    reduction = reduce(LTS.from_transitions(rows), parse_permutation("(1 2)"))
    assert (reduction.stored, reduction.symmetry.transitions) == (3, 5)
    periods = [2, 2, 1]
    assert 2 * 3 - sum(2 - k for k in periods) == 5
    assert 2 * 3 - sum(k - 1 for k in periods) != 5


def encoding_of_three(steps):
    rows = [(0, "rho(1)", 0), (0, "a", 1), (1, "b", 2), (1, "c", 3), *steps]
    symmetry = parse_symmetry_file(
        'version = 1\nkind = "labels"\ngenerators = ["(a a2 a3)"]\norder = 3\nrho = "rho"\n'
        'cycles = [\'("a" "a2" "a3")\', \'("b" "b2" "b3")\', \'("c" "c2" "c3")\']\n'
    )
    return LTS.from_transitions(rows), symmetry


def test_members_in_another_order_are_refused():
    assert count(*encoding_of_three([(1, "rho(1)", 2), (2, "rho(1)", 3), (3, "rho(1)", 1)])) == (
        4,
        9,
    )
    with pytest.raises(FormatError, match="has the sum"):
        count(*encoding_of_three([(1, "rho(2)", 3), (3, "rho(2)", 2), (2, "rho(2)", 1)]))


def test_without_loops_states_are_not_identified():
    """State 1 is fixed by (2 3); without the loop that says so it has six images, not three."""
    system = LTS.from_transitions([(0, f"a({i})", i) for i in (1, 2, 3)])
    reduction = reduce(system, [parse_permutation("(1 2)"), parse_permutation("(1 2 3)")])
    rows = list(reduction.encoding.transitions())
    assert count(reduction.encoding, reduction.symmetry) == (4, 3)
    without = LTS.from_transitions([(s, a, t) for s, a, t in rows if s != t or s == 0])
    assert count(without, reduction.symmetry) == (7, 6)


@given(group_symmetric_systems())
def test_without_loops_less_is_known(planted):
    """Encodings of groups that lose a loop stand for a system that is larger, or for none."""
    system, generators = planted
    reduction = reduce(system, [written(images) for images in generators])
    assume(reduction.symmetry.points)
    prefix = f"{reduction.symmetry.rho}("
    rows = list(reduction.encoding.transitions())
    without = LTS.from_transitions(
        [row for row in rows if not (row[1].startswith(prefix) and row[0] == row[2])],
        state_count=reduction.encoding.state_count,
    )
    try:
        states, transitions = count(without, reduction.symmetry)
    except FormatError:
        return
    assert states >= reduction.symmetry.states
    assert transitions >= reduction.symmetry.transitions


def test_rho_steps_are_needed_to_reach_the_rest():
    """Of the two members of an orbit one can be reached, and the other one goes on."""
    rows = [(0, "rho(1)", 0), (0, "a", 1), (1, "rho(1)", 2), (2, "rho(1)", 1), (2, "c", 3)]
    symmetry = parse_symmetry_file(
        'version = 1\nkind = "labels"\ngenerators = ["(a b)"]\norder = 2\nrho = "rho"\n'
        'cycles = [\'("a" "b")\']\n'
    )
    original = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "c", 3), (2, "c", 4)])
    assert oracles.isomorphic(expand(LTS.from_transitions(rows), symmetry), original)
    without = LTS.from_transitions([row for row in rows if not row[1].startswith("rho(")])
    assert "c" not in {a for _, a, _ in without.reachable().transitions()}


def reduction_of(case, n, permutation, order):
    process = linearise(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    generator = parse_permutation(permutation)
    found = certified_quotient(process, generator)
    return encode(found.quotient, generator, kind="sorts", order=order)


@pytest.mark.parametrize(
    ("case", "permutation", "wanted"),
    [
        ("abp", "(d1 d2)", {"[1,1]": 3}),
        ("peterson", "(p1 p2)", {"[1,1]": 2, "[2,2]": 2}),
    ],
)
def test_cycles_of_the_case_studies(case, permutation, wanted):
    """[length,period]; the report's Table 2 has another last column for N=2."""
    reduction = reduction_of(case, 2, permutation, "greedy")
    assert rho_cycles(reduction.encoding, reduction.symmetry) == wanted


def test_fixed_states_of_the_philosophers():
    """Six states of period 1 for any choice; 493 orbits, and a cycle [2,2] for each state more."""
    for order in ORDERS:
        reduction = reduction_of("philosophers", 2, "(p1 p2)", order)
        found = rho_cycles(reduction.encoding, reduction.symmetry)
        assert found["[1,1]"] == 6
        assert found["[2,2]"] == reduction.encoding.state_count - 493


@pytest.mark.parametrize(("n", "size"), [(2, (70, 88)), (3, (104, 132))])
def test_the_minimised_encoding_of_the_protocol(n, size):
    """The report prints 106 states for N=3; both are more than the 68 and 100 of the minimum."""
    reduction = reduction_of("abp", n, f"(d1 .. d{n})", "greedy")
    encoding = minimise(reduction.encoding, "strong")
    assert count(encoding, reduction.symmetry) == size

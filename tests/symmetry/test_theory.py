"""The statements that symmetry rests on, each by a test: here, or where the table says.

| statement | test |
| --- | --- |
| a certified permutation of data is an automorphism | test_certificate.test_certified_.. |
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
| erratum: Tables 3 and 4, philosophers | test_the_minimised_encoding_of_the_philosophers |
| erratum: one normal form of an array | test_specification.test_reductions_have_the_.. |
| a path of the quotient untwists to one of the original | test_paths_of_reductions_untwist, |
| the same under any group, by cosets | test_paths_of_quotients_untwist; test_quotient_search |
| erratum: Theorem 16, minimising sets | test_minimising_sets_need_one_block_order |
| erratum: wreath products, complements | test_wreath_products_need_a_complement_in_order |
| erratum: rules of arrays that do not end | mucrl/test_rewriting.test_looping_rule_is_named |
| failures-divergences: the trace clause | equivalence/test_compare.test_a_trace_of_an_unstable_.. |
| failures-divergences: chaos | equivalence/test_compare.test_divergence_is_chaos_.. |
"""

from dataclasses import replace
from itertools import permutations, product
from math import lcm
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lts import LTS, FormatError
from lts.equivalence import minimise
from lts.mucrl import linearise, read, read_text
from lts.state_space.settings import Settings
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
from lts.symmetry.data.certify import STRATEGIES, certified_quotient, count_orbits
from lts.symmetry.reduction.rho_encoding import rho_cycles
from naive.systems import isomorphic
from planted import expand_identity, reachable, written
from strategies import examples, group_symmetric_systems, symmetric_systems

CASES = Path(__file__).parents[2] / "cases"


def unstated(symmetry):
    """Return a symmetry that says nothing of the size of its original: another one is expected."""
    return replace(symmetry, states=None, transitions=None)


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


@settings(max_examples=examples(3))
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


@settings(max_examples=examples(3))
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
    assert count(without, unstated(reduction.symmetry)) == (7, 6)


@given(group_symmetric_systems())
def test_encodings_without_loops_are_larger_or_refused(planted):
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
        states, transitions = count(without, unstated(reduction.symmetry))
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
    assert isomorphic(expand(LTS.from_transitions(rows), symmetry), original)
    without = LTS.from_transitions([row for row in rows if not row[1].startswith("rho(")])
    assert "c" not in {a for _, a, _ in without.reachable().transitions()}


def reduction_of(case, n, permutation, order):
    process = linearise(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    generator = parse_permutation(permutation)
    found = certified_quotient(process, generator)
    return encode(found.quotient, generator, kind="sorts", order=order)


@pytest.mark.parametrize(
    ("case", "permutation", "expected"),
    [
        ("abp", "(d1 d2)", {"[1,1]": 3}),
        ("peterson", "(p1 p2)", {"[1,1]": 2, "[2,2]": 2}),
    ],
)
def test_cycles_of_the_case_studies(case, permutation, expected):
    """[length,period]; the report's Table 2 has another last column for N=2."""
    reduction = reduction_of(case, 2, permutation, "greedy")
    assert rho_cycles(reduction.encoding, reduction.symmetry) == expected


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
    assert count(encoding, unstated(reduction.symmetry)) == size


@pytest.mark.parametrize("order", ORDERS)
def test_the_minimised_encoding_of_the_philosophers(order):
    """The report prints 14916 states for N=3, all there are, from an encoding that has lost 12.

    What is merged there is merged in the expansion as well.
    """
    reduction = reduction_of("philosophers", 3, "(p1 p2 p3)", order)
    assert reduction.symmetry.states == 14916
    encoding = minimise(reduction.encoding, "strong")
    lost = reduction.encoding.state_count - encoding.state_count
    states, _ = count(encoding, unstated(reduction.symmetry))
    assert lost > 0
    assert 14856 <= states <= 14916 - lost


def power(images, k):
    """Return the k-th power of a permutation, a dict; k may be negative."""
    if k < 0:
        images, k = {image: x for x, image in images.items()}, -k
    found = {x: x for x in images}
    for _ in range(k):
        found = {x: images[y] for x, y in found.items()}
    return found


def is_path(rows, state, labels):
    """Whether transitions lead from a state with these labels, one after the other."""
    at = {state}
    for label in labels:
        at = {t for s, a, t in rows if s in at and a == label}
    return bool(at)


@settings(max_examples=examples(3))
@given(symmetric_systems(), st.data())
def test_paths_of_reductions_untwist(planted, data):
    """Where rho-steps lead on by k the labels behind them are moved back by k; with any further
    power of the permutation the path is one from the image of the state."""
    system, images = planted
    reduction = reduce(system, written(images), order=data.draw(st.sampled_from(ORDERS)))
    steps = list(reduction.encoding.transitions())
    rho, order = f"{reduction.symmetry.rho}(", reduction.symmetry.order
    at, forward, labels = reduction.encoding.initial, 0, []
    for _ in range(data.draw(st.integers(0, 12))):
        outgoing = [(a, t) for s, a, t in steps if s == at]
        if not outgoing:
            break
        label, at = data.draw(st.sampled_from(outgoing))
        if label.startswith(rho):
            forward += int(label[len(rho) : -1])
        else:
            labels.append(power(images, -forward % order)[label])
    _, rows = reachable(system)
    for k in range(order):
        moved = power(images, k)
        assert is_path(rows, system.initial, [moved[label] for label in labels])


@settings(max_examples=examples(3))
@given(group_symmetric_systems(), st.data())
def test_paths_of_quotients_untwist(planted, data):
    """Label i is that of the quotient under k_0 k_1 .. k_(i-1), state i the representative."""
    system, generators = planted
    sigmas = check(system, [written(images) for images in generators]).states
    rows = set(expand_identity(system).transitions())
    pairs = [
        (dict(enumerate(sigma.tolist())), images)
        for sigma, images in zip(sigmas, generators, strict=True)
    ]
    states = {s for s, _, _ in rows} | {t for _, _, t in rows} | {0}
    unit = ({s: s for s in states}, {label: label for label in generators[0]})
    representative = {}  # of every state, and an element that leads from it to the state
    for s in sorted(states):
        waiting = [(s, unit)]
        while waiting:
            t, (sigma, images) = waiting.pop()
            if t not in representative:
                representative[t] = s, (sigma, images)
                waiting += [
                    (
                        g[t],
                        ({x: g[y] for x, y in sigma.items()}, {a: h[b] for a, b in images.items()}),
                    )
                    for g, h in pairs
                ]
    first = data.draw(st.sampled_from(sorted(states)))
    at, (sigma, images) = representative[first]
    real = first
    for _ in range(data.draw(st.integers(0, 8))):
        outgoing = sorted((a, t) for s, a, t in rows if s == at)
        if not outgoing:
            break
        label, target = data.draw(st.sampled_from(outgoing))
        twisted = images[label]
        at, (shift, moved) = representative[target]
        sigma = {x: sigma[y] for x, y in shift.items()}
        images = {a: images[b] for a, b in moved.items()}
        assert (real, twisted, sigma[at]) in rows
        real = sigma[at]


COMPONENTS = """sort Bool func T,F:->Bool
sort Pid func {names}:->Pid
act a,b,c,d:Pid
proc P(i:Pid) = a(i).b(i).P(i)
     Q(i:Pid) = c(i).d(i).Q(i)
init {init}
"""


def orbits_found(init, names, generators):
    """How many orbits there are of components that stand in this order, by every strategy."""
    text = COMPONENTS.format(names=",".join(names), init="||".join(init))
    process = linearise(read_text(text))
    permutations = [parse_permutation(generator) for generator in generators]
    found = {
        count_orbits(process, permutations, settings=Settings(strategy=s)).orbits
        for s in STRATEGIES
    }
    assert len(found) == 1
    return found.pop()


def test_minimising_sets_need_one_block_order():
    """Donaldson, Theorem 16: the exchanges of two columns do not lead to the least state if the
    columns are in another order in another orbit; sorted tuples do, and so does what is found."""
    columns = [(0, 4), (2, 1), (3, 5)]

    def moved(order, state):
        image = [0] * 6
        for column, to in enumerate(order):
            for place, other in zip(columns[column], columns[to], strict=True):
                image[other] = state[place]
        return tuple(image)

    group = list(permutations(range(3)))
    exchanges = [order for order in group if sum(i != x for i, x in enumerate(order)) == 2]
    stuck, orbits, sorted_columns = set(), set(), set()
    for state in product(range(2), repeat=6):
        least = min(moved(order, state) for order in group)
        orbits.add(least)
        if state != least and all(moved(order, state) >= state for order in exchanges):
            stuck.add(state)
        sorted_columns.add(tuple(sorted((state[x], state[y]) for x, y in columns)))
    assert (0, 0, 1, 0, 0, 1) in stuck
    assert len(sorted_columns) == len(orbits) == 20
    init = ["P(p1)", "Q(p2)", "P(p2)", "P(p3)", "Q(p1)", "Q(p3)"]
    names = ["p1", "p2", "p3"]
    assert orbits_found(init, names, ["(p1 p2)", "(p1 p2 p3)"]) == 20


def test_wreath_products_need_a_complement_in_order():
    """Least blocks, then the least order of blocks: not one state of each orbit, if what exchanges
    the blocks turns them round."""
    inner = [(1, 0, 2, 3), (0, 1, 3, 2)]
    blocks = {"in order": (2, 3, 0, 1), "turned": (3, 2, 1, 0)}

    def moved(order, state):
        return tuple(state[x] for x in order)

    for name, outer in blocks.items():
        found = set()
        for start in product(range(3), repeat=4):
            state = start
            for order in [*inner, outer]:
                state = min(state, moved(order, state))
            found.add(state)
        # Pairs of pairs without order: 6 of pairs, 21 of those.
        assert (len(found) == 21) == (name == "in order")
    names = ["p1", "p2", "p3", "p4"]
    generators = ["(p1 p2)", "(p3 p4)", "(p1 p4) (p2 p3)"]
    # Components have two local states here: 3 pairs, 6 of those.
    assert orbits_found([f"P({name})" for name in names], names, generators) == 6


POINTERS = """sort Bool func T,F:->Bool
sort Pid func {names}:->Pid
act point,tell:Pid#Pid
proc P(i:Pid,r:Pid) = sum(j:Pid,point(i,j).P(i,j)) + tell(i,r).P(i,r)
init {init}
"""


@pytest.mark.parametrize(("n", "classes"), [(2, 3), (3, 7), (4, 19)])
def test_sorting_by_references_needs_a_fixed_point(n, classes):
    """Processes that point at one another, sorted by whom they point at and then renamed, are not
    sorted any more: one pass is not idempotent, and finds several states of an orbit. Functions of
    n points to themselves up to renaming are A001372 of the encyclopedia of integer sequences."""

    def renamed(state, order):
        place = {old: new for new, old in enumerate(order)}
        return tuple(place[state[old]] for old in order)

    def one_pass(state):
        return renamed(state, sorted(range(n), key=lambda i: (state[i], i)))

    states = list(product(range(n), repeat=n))
    orbits = {min(renamed(state, order) for order in permutations(range(n))) for state in states}
    assert len(orbits) == classes
    found = {one_pass(state) for state in states}
    if n > 2:
        assert any(one_pass(state) != state for state in found)
        assert len(found) > classes
    names = [f"p{i}" for i in range(1, n + 1)]
    init = " || ".join(f"P({name},{name})" for name in names)
    process = linearise(read_text(POINTERS.format(names=",".join(names), init=init)))
    group = [parse_permutation("(p1 p2)"), parse_permutation(f"({' '.join(names)})")]
    for strategy in STRATEGIES:
        explored = count_orbits(process, group, settings=Settings(strategy=strategy))
        assert (explored.orbits, explored.states) == (classes, n**n)

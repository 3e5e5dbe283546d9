"""Strong and weak bisimulation against the definitions, and the laws they obey."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from lts import LTS, LtsError
from lts.equivalence import DROPPED, classes, equivalent, minimise
from strategies import systems

KINDS = pytest.mark.parametrize("kind", ["strong", "weak"])


def naive_steps(system, kind):
    return oracles.strong_steps(system) if kind == "strong" else oracles.weak_steps(system)


def union(left, right):
    shift = left.state_count
    rows = [*left.transitions(), *((s + shift, a, t + shift) for s, a, t in right.transitions())]
    return LTS.from_transitions(rows, initial=left.initial, state_count=shift + right.state_count)


@KINDS
@settings(max_examples=500)
@given(system=systems())
def test_classes_are_those_of_the_greatest_bisimulation(kind, system):
    related = oracles.bisimulation(system.state_count, naive_steps(system, kind))
    found = classes(system, kind, keep_unreachable=True).tolist()
    assert DROPPED not in found
    for s in range(system.state_count):
        for t in range(system.state_count):
            assert (found[s] == found[t]) == ((s, t) in related)


@KINDS
@settings(max_examples=500)
@given(system=systems())
def test_the_minimal_system_has_the_least_size_and_is_equivalent(kind, system):
    least = minimise(system, kind)
    assert (least.state_count, least.transition_count) == oracles.minimal_sizes(system, kind)
    both = union(system, least)
    related = oracles.bisimulation(both.state_count, naive_steps(both, kind))
    assert (system.initial, system.state_count + least.initial) in related


@KINDS
@given(left=systems(max_states=4), right=systems(max_states=4))
def test_comparison_agrees_with_the_definition(kind, left, right):
    both = union(left, right)
    related = oracles.bisimulation(both.state_count, naive_steps(both, kind))
    expected = (left.initial, left.state_count + right.initial) in related
    assert equivalent(left, right, kind) == expected


@KINDS
@given(system=systems())
def test_minimising_twice_changes_nothing(kind, system):
    once = minimise(system, kind)
    twice = minimise(once, kind)
    assert (twice.state_count, twice.transition_count) == (once.state_count, once.transition_count)
    assert equivalent(once, twice, "strong")


@given(system=systems())
def test_weak_merges_what_strong_merges(system):
    strong = classes(system, "strong", keep_unreachable=True).tolist()
    weak = classes(system, "weak", keep_unreachable=True).tolist()
    assert len(set(zip(strong, weak, strict=True))) == len(set(strong))
    assert minimise(system, "weak").transition_count <= minimise(system, "strong").transition_count


@KINDS
@given(system=systems(), random=st.randoms(use_true_random=False))
def test_the_order_of_states_and_transitions_does_not_matter(kind, system, random):
    names = list(range(system.state_count))
    random.shuffle(names)
    rows = [(names[s], a, names[t]) for s, a, t in system.transitions()]
    random.shuffle(rows)
    shuffled = LTS.from_transitions(
        rows, initial=names[system.initial], state_count=system.state_count
    )
    one, other = minimise(system, kind), minimise(shuffled, kind)
    assert equivalent(one, other, kind)
    assert (one.state_count, one.transition_count) == (other.state_count, other.transition_count)


def test_branching_time_is_told_from_linear_time():
    late = LTS.from_transitions([(0, "a", 1), (1, "b", 2), (1, "c", 2)])
    early = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)])
    assert not equivalent(late, early, "strong")
    assert not equivalent(late, early, "weak")


def test_internal_steps_are_unseen_by_weak_bisimulation_only():
    direct = LTS.from_transitions([(0, "a", 1)])
    delayed = LTS.from_transitions([(0, "tau", 1), (1, "tau", 0), (1, "a", 2)])
    assert equivalent(direct, delayed, "weak")
    assert not equivalent(direct, delayed, "strong")


def test_all_internal_labels_are_one():
    system = LTS.from_transitions([(0, "x", 1), (1, "y", 2), (2, "a", 3)])
    least = minimise(system.with_internal(["x", "y"]), "weak")
    assert (least.state_count, least.transition_count) == (2, 1)


def test_long_internal_chains_need_no_recursion():
    n = 200_000
    system = LTS.from_transitions([(i, "tau", i + 1) for i in range(n)] + [(n, "a", n)])
    assert minimise(system, "weak").state_count == 1


def test_an_unknown_equivalence_is_refused_with_a_hint():
    with pytest.raises(LtsError, match="did you mean `strong`"):
        minimise(LTS.from_transitions([]), "stron")


@KINDS
def test_internal_steps_are_equal_whatever_they_are_called(kind):
    ours = LTS.from_transitions([(0, "tau", 1), (0, "a", 2)])
    theirs = LTS.from_transitions([(0, "i", 1), (0, "a", 2)])
    assert equivalent(ours, theirs, kind)
    assert not equivalent(ours, theirs.with_internal([]), "strong")

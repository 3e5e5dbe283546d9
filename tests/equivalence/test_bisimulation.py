"""Strong and weak bisimulation against the definitions, and the laws they obey."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aut_format import dumps
from lts import LTS, LtsError, Unsupported
from lts.equivalence import (
    DROPPED,
    classes,
    equivalent,
    minimise,
    without_tau_cycles,
)
from naive import relations
from naive.systems import minimal_sizes
from strategies import systems

ALL = [
    "strong",
    "branching",
    "divergence-preserving-branching",
    "weak",
    "divergence-preserving-weak",
]
ROOTED = {"rooted-branching": "branching", "rooted-weak": "weak"}
KINDS = pytest.mark.parametrize("kind", ["strong", "weak"])
EVERY = pytest.mark.parametrize("kind", ALL)
EVEN_ROOTED = pytest.mark.parametrize("kind", [*ALL, *ROOTED])


def naively_equivalent(left, right, kind):
    return relations.holds(kind, left, right, preorder=False)


@EVERY
@settings(max_examples=150)
@given(system=systems())
def test_classes_match_the_greatest_bisimulation(kind, system):
    related = relations.related(system, kind)
    found = classes(system, kind, keep_unreachable=True).tolist()
    assert DROPPED not in found
    for s in range(system.state_count):
        for t in range(system.state_count):
            assert (found[s] == found[t]) == ((s, t) in related)


@EVEN_ROOTED
@settings(max_examples=100)
@given(system=systems(max_states=6))
def test_quotient_is_equivalent_and_reduced(kind, system):
    least = minimise(system, kind)
    assert naively_equivalent(system, least, kind)
    assert least.state_count == least.reachable().state_count
    assert least.transition_count <= system.transition_count or kind not in ALL
    related = relations.related(least, ROOTED.get(kind, kind))
    alike = [(s, t) for s, t in related if s < t]
    if kind == "rooted-branching":
        # The root may be a state of its own beside that of its class.
        assert all(s == least.initial for s, _ in alike)
        assert len(alike) <= 1
    else:
        assert alike == []


@EVEN_ROOTED
@given(system=systems(), random=st.randoms(use_true_random=False))
def test_equivalent_systems_give_equal_files(kind, system, random):
    """Several copies of every state, steps to any of them, all shuffled; more is unreachable."""
    copies = 3
    names = list(range(copies * system.state_count + 2))
    random.shuffle(names)
    rows = [
        (names[copies * s + i], a, names[copies * t + random.randrange(copies)])
        for s, a, t in system.transitions()
        for i in range(copies)
    ]
    rows += [(names[-1], "a", names[0]), (names[-1], "d", names[-2])]
    random.shuffle(rows)
    other = LTS.from_transitions(
        rows, initial=names[copies * system.initial], state_count=len(names)
    )
    assert dumps(minimise(system, kind)) == dumps(minimise(other, kind))


@EVEN_ROOTED
@given(system=systems(), copies=st.integers(2, 4), random=st.randoms(use_true_random=False))
def test_copied_states_have_one_class(kind, system, copies, random):
    """Strong bisimulation merges most of the copies before the other equivalences begin."""
    rows = [
        (copies * s + i, a, copies * t + random.randrange(copies))
        for s, a, t in system.transitions()
        for i in range(copies)
    ]
    random.shuffle(rows)
    copied = LTS.from_transitions(
        rows, initial=copies * system.initial, state_count=copies * system.state_count
    )
    expected = classes(system, kind).tolist()
    for state, found in enumerate(classes(copied, kind).tolist()):
        # A root may have a state of its own, and its copies another.
        copy_of_root = state // copies == system.initial and state != copied.initial
        if found != DROPPED and not (kind in ROOTED and copy_of_root):
            assert found == expected[state // copies]


@pytest.mark.parametrize("kind", ["branching", "divergence-preserving-branching", "weak"])
@given(system=systems())
def test_initial_internal_step_preserves_the_quotient(kind, system):
    first = system.state_count
    rows = [*system.transitions(), (first, "tau", system.initial)]
    delayed = LTS.from_transitions(rows, initial=first)
    assert dumps(minimise(system, kind)) == dumps(minimise(delayed, kind))
    assert not equivalent(system, delayed, "rooted-branching") or (
        naively_equivalent(system, delayed, "rooted-branching")
    )


@given(system=systems())
def test_finer_equivalences_refine_coarser_equivalences(system):
    finer = [
        ("strong", "divergence-preserving-branching"),
        ("divergence-preserving-branching", "branching"),
        ("divergence-preserving-branching", "divergence-preserving-weak"),
        ("branching", "weak"),
        ("divergence-preserving-weak", "weak"),
    ]
    found = {kind: classes(system, kind, keep_unreachable=True).tolist() for kind in ALL}
    for one, other in finer:
        assert len(set(zip(found[one], found[other], strict=True))) == len(set(found[one]))
    sizes = {kind: minimise(system, kind) for kind in ALL}
    for one, other in finer:
        assert sizes[other].state_count <= sizes[one].state_count
        assert sizes[other].transition_count <= sizes[one].transition_count


@given(left=systems(max_states=4), right=systems(max_states=4))
def test_equivalences_imply_each_other(left, right):
    found = {kind: equivalent(left, right, kind) for kind in [*ALL, *ROOTED]}
    assert found["strong"] <= found["rooted-branching"] <= found["branching"] <= found["weak"]
    assert found["rooted-branching"] <= found["rooted-weak"] <= found["weak"]
    assert found["strong"] <= found["divergence-preserving-branching"] <= found["branching"]
    assert found["divergence-preserving-branching"] <= found["divergence-preserving-weak"]
    assert found["divergence-preserving-weak"] <= found["weak"]


@KINDS
@settings(max_examples=500)
@given(system=systems())
def test_quotient_has_minimal_size_and_is_equivalent(kind, system):
    least = minimise(system, kind)
    assert (least.state_count, least.transition_count) == minimal_sizes(system, kind)
    assert naively_equivalent(system, least, kind)


@EVEN_ROOTED
@given(left=systems(max_states=4), right=systems(max_states=4))
def test_comparison_matches_definition(kind, left, right):
    assert equivalent(left, right, kind) == naively_equivalent(left, right, kind)


@EVEN_ROOTED
@given(system=systems())
def test_minimisation_is_idempotent(kind, system):
    once = minimise(system, kind)
    assert dumps(minimise(once, kind)) == dumps(once)


@pytest.mark.parametrize("kind", ["strong", "branching", "weak"])
@given(system=systems())
def test_unreachable_states_have_classes(kind, system):
    kept = minimise(system, kind, keep_unreachable=True)
    found = classes(system, kind, keep_unreachable=True).tolist()
    assert set(found) == set(range(kept.state_count))
    assert dumps(minimise(kept, kind)) == dumps(minimise(system, kind))
    assert dumps(minimise(kept, kind, keep_unreachable=True)) == dumps(kept)


@given(system=systems())
def test_removing_internal_cycles_preserves_equivalence(system):
    """Their states become one: branching bisimilar, and with loops kept even when it diverges."""
    for keep, kind in [(False, "branching"), (True, "divergence-preserving-branching")]:
        merged, found = without_tau_cycles(system, keep_loops=keep)
        loops = sum(s == t and a == "tau" for s, a, t in merged.transitions())
        assert len(merged.tau_cycle_states()) == merged.state_count
        assert merged.tau_cycle_states().count() == loops
        assert keep or loops == 0
        assert equivalent(system, merged, kind)
        least, other = classes(system, kind, keep_unreachable=True), found.tolist()
        assert len(set(zip(other, least.tolist(), strict=True))) == merged.state_count


def test_branching_time_differs_from_linear_time():
    late = LTS.from_transitions([(0, "a", 1), (1, "b", 2), (1, "c", 2)])
    early = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)])
    assert not equivalent(late, early, "strong")
    assert not equivalent(late, early, "weak")


def test_only_weak_equivalences_ignore_internal_steps():
    direct = LTS.from_transitions([(0, "a", 1)])
    delayed = LTS.from_transitions([(0, "tau", 1), (1, "tau", 0), (1, "a", 2)])
    assert equivalent(direct, delayed, "weak")
    assert not equivalent(direct, delayed, "strong")


def test_internal_labels_are_identified():
    system = LTS.from_transitions([(0, "x", 1), (1, "y", 2), (2, "a", 3)])
    least = minimise(system.with_internal(["x", "y"]), "weak")
    assert (least.state_count, least.transition_count) == (2, 1)


def test_long_internal_chains_need_no_recursion():
    n = 200_000
    system = LTS.from_transitions([(i, "tau", i + 1) for i in range(n)] + [(n, "a", n)])
    assert minimise(system, "weak").state_count == 1


def test_rooted_equivalences_see_the_first_internal_step():
    direct = LTS.from_transitions([(0, "a", 1)])
    delayed = LTS.from_transitions([(0, "tau", 1), (1, "a", 2)])
    later = LTS.from_transitions([(0, "a", 1), (1, "tau", 2)])
    for kind, rooted in [("branching", "rooted-branching"), ("weak", "rooted-weak")]:
        assert equivalent(direct, delayed, kind)
        assert not equivalent(direct, delayed, rooted)
        assert equivalent(direct, later, rooted)
        least = minimise(delayed, rooted)
        assert equivalent(delayed, least, rooted)
        assert minimise(delayed, kind).state_count == 2
    # Weakly a loop is enough; modulo branching bisimulation the root has no step a.
    assert list(minimise(delayed, "rooted-weak").transitions()) == [(0, "a", 1), (0, "tau", 0)]
    assert minimise(delayed, "rooted-branching").state_count == 3


def test_divergence_preserving_kinds_see_divergence():
    waits = LTS.from_transitions([(0, "tau", 0), (0, "a", 1)])
    acts = LTS.from_transitions([(0, "a", 1)])
    for kind in ("branching", "weak"):
        assert equivalent(waits, acts, kind)
        assert not equivalent(waits, acts, f"divergence-preserving-{kind}")
        least = minimise(waits, f"divergence-preserving-{kind}")
        assert (least.state_count, least.transition_count) == (2, 2)


@EVEN_ROOTED
def test_the_smallest_systems(kind):
    for rows in ([], [(0, "tau", 0)], [(0, "a", 0), (0, "a", 0)]):
        least = minimise(LTS.from_transitions(rows), kind)
        assert least.state_count == 1
        assert least.transition_count <= 1
    lonely = LTS.from_transitions([], state_count=5, initial=3)
    assert minimise(lonely, kind).state_count == 1
    assert classes(lonely, kind).tolist()[3] == 0


def test_an_unknown_equivalence_is_refused_with_a_hint():
    with pytest.raises(LtsError, match="did you mean `strong`"):
        minimise(LTS.from_transitions([]), "stron")


@KINDS
def test_internal_labels_are_equal_under_any_name(kind):
    ours = LTS.from_transitions([(0, "tau", 1), (0, "a", 2)])
    theirs = LTS.from_transitions([(0, "i", 1), (0, "a", 2)])
    assert equivalent(ours, theirs, kind)
    assert not equivalent(ours, theirs.with_internal([]), "strong")


@EVEN_ROOTED
@given(system=systems())
def test_consume_gives_the_same_result_and_frees_the_input(kind, system):
    least = dumps(minimise(system, kind))
    copy = system.reachable().with_internal(system.internal)
    for consumed in (LTS(system._engine), copy):
        assert dumps(minimise(consumed, kind, consume=True)) == least
        with pytest.raises(Unsupported, match="its memory was handed over"):
            _ = consumed.state_count


@given(system=systems(), random=st.randoms(use_true_random=False))
def test_consume_accepts_unsorted_transitions(system, random):
    rows = list(system.transitions())
    random.shuffle(rows)
    shuffled = LTS.from_transitions(
        rows, initial=system.initial, state_count=system.state_count
    ).with_internal(system.internal)
    for kind in ("strong", "weak"):
        least = dumps(minimise(system, kind))
        assert dumps(minimise(shuffled, kind)) == least
        assert dumps(minimise(LTS(shuffled._engine), kind, consume=True)) == least

"""Minimisation modulo traces, tau*.a and simulations, against the definitions."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aut_format import dumps
from lts import LTS, LimitReached, Unsupported
from lts.equivalence import DROPPED, classes, minimise
from naive import relations
from strategies import systems

TRACES = ["trace", "weak-trace"]
SIMULATIONS = ["simulation", "ready-simulation", "coupled-simulation", "weak-simulation"]
CLASSES = [*SIMULATIONS, "tau-star-a"]
ALL = pytest.mark.parametrize("kind", [*TRACES, *CLASSES])


@pytest.mark.parametrize("kind", CLASSES)
@given(system=systems())
def test_classes_match_definition(kind, system):
    found = classes(system, kind, keep_unreachable=True).tolist()
    related = relations.equivalent_pairs(kind, relations.steps_of(system))
    kept = [s for s in range(system.state_count) if found[s] != DROPPED]
    for s, t in product(kept, repeat=2):
        assert (found[s] == found[t]) == ((s, t) in related)
    assert len(kept) == system.state_count


@ALL
@given(system=systems(max_states=6))
def test_the_minimum_is_equivalent_and_canonical(kind, system):
    least = minimise(system, kind)
    assert relations.equivalent(kind, system, least)
    assert same(minimise(least, kind), least)


@ALL
@given(
    system=systems(max_states=5, max_transitions=8),
    random=st.randoms(use_true_random=False),
    other=systems(max_states=4, max_transitions=6),
)
def test_equivalent_systems_have_one_minimum(kind, system, random, other):
    names = list(range(system.state_count))
    random.shuffle(names)
    rows = [(names[s], a, names[t]) for s, a, t in system.transitions()]
    random.shuffle(rows)
    shuffled = LTS.from_transitions(
        rows, initial=names[system.initial], state_count=system.state_count
    )
    assert same(minimise(shuffled, kind), minimise(system, kind))
    found = same(minimise(other, kind), minimise(system, kind))
    assert found == relations.equivalent(kind, system, other)


def same(left, right):
    """Whether two systems are one file, byte for byte."""
    return dumps(left) == dumps(right)


@ALL
@settings(max_examples=60)
@given(system=systems(max_states=3, labels=("tau", "a"), max_transitions=5))
def test_no_smaller_system_is_equivalent(kind, system):
    """Fewer states: none is. As many states: none with fewer transitions, where that is claimed."""
    least = minimise(system, kind)
    states, rows = least.state_count, least.transition_count
    if kind in TRACES:
        return check_deterministic(kind, least)
    if states > 3:
        return None
    every = list(product(range(states), ["tau", "a"], range(states)))
    fewest = kind in ("simulation", "ready-simulation")
    for count in range(min(rows, 4) if fewest else 0):
        for chosen in combinations(every, count):
            smaller = LTS.from_transitions(chosen, state_count=states)
            assert not relations.equivalent(kind, system, smaller)
    every = list(product(range(states - 1), ["tau", "a"], range(states - 1)))
    for count in range(min(len(every), 4) + 1) if states > 1 else ():
        for chosen in combinations(every, count):
            smaller = LTS.from_transitions(chosen, state_count=states - 1)
            assert not relations.equivalent(kind, system, smaller)


def check_deterministic(kind, least):
    """Return None: a deterministic system is minimal if its states differ (Nerode)."""
    assert least.nondeterministic_states().count() == 0
    assert kind == "trace" or "tau" not in least.labels
    related = relations.equivalent_pairs(kind, relations.steps_of(least))
    assert len(related) == least.state_count


@given(system=systems())
def test_finer_equivalences_refine_coarser_equivalences(system):
    finer = {
        "strong": ["ready-simulation", "tau-star-a", "weak"],
        "weak": ["coupled-simulation"],
        "ready-simulation": ["simulation"],
        "simulation": ["weak-simulation"],
        "tau-star-a": ["weak-simulation"],
        "coupled-simulation": ["weak-simulation"],
    }
    for fine, coarse in ((fine, coarse) for fine, many in finer.items() for coarse in many):
        small = classes(system, fine, keep_unreachable=True).tolist()
        large = classes(system, coarse, keep_unreachable=True).tolist()
        assert len(set(zip(small, large, strict=True))) == len(set(small))


@given(
    left=systems(max_states=4, max_transitions=7), right=systems(max_states=4, max_transitions=7)
)
def test_equivalences_respect_their_lattice(left, right):
    def equal(kind):
        return same(minimise(left, kind), minimise(right, kind))

    order = [
        ("ready-simulation", "simulation"),
        ("simulation", "trace"),
        ("trace", "weak-trace"),
        ("simulation", "weak-simulation"),
        ("tau-star-a", "weak-simulation"),
        ("coupled-simulation", "weak-simulation"),
        ("weak-simulation", "weak-trace"),
    ]
    for fine, coarse in order:
        assert not equal(fine) or equal(coarse)


def test_ready_simulation_separates_similar_states():
    may = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 3)])
    must = LTS.from_transitions([(0, "a", 1), (1, "b", 2)])
    assert same(minimise(may, "simulation"), minimise(must, "simulation"))
    assert not same(minimise(may, "ready-simulation"), minimise(must, "ready-simulation"))


def test_a_choice_made_gradually_is_coupled_similar():
    gradual = [(0, "tau", 1), (0, "tau", 4), (1, "tau", 2), (1, "tau", 3)]
    at_once = [(0, "tau", 2), (0, "tau", 3), (0, "tau", 4)]
    offers = [(2, "a", 5), (3, "b", 5), (4, "c", 5)]
    one, other = (LTS.from_transitions(rows + offers) for rows in (gradual, at_once))
    assert same(minimise(one, "coupled-simulation"), minimise(other, "coupled-simulation"))
    assert not same(minimise(one, "weak"), minimise(other, "weak"))


def test_exponential_minimisation_reaches_a_limit():
    # After n more steps it is known whether the label n steps ago was `a`: 2^n sets.
    rows = [(0, "a", 0), (0, "b", 0), (0, "a", 1)]
    rows += [(i, label, i + 1) for i in range(1, 12) for label in "ab"] + [(12, "c", 12)]
    system = LTS.from_transitions(rows)
    with pytest.raises(LimitReached, match="more than 1000 sets of states"):
        minimise(system, "trace", max_states=1000)
    assert minimise(system, "trace").state_count >= 2**11
    with pytest.raises(LimitReached, match="more than 3 classes"):
        minimise(system, "simulation", max_states=3)
    with pytest.raises(LimitReached, match="more than 3 classes"):
        minimise(system, "coupled-simulation", max_states=3)


@st.composite
def deterministic_systems(draw, max_states=7, labels=("tau", "a", "b"), more=0):
    """Return an LTS with at most one step of each label from every state, and then up to `more`
    further ones."""
    count = draw(st.integers(1, max_states))
    state = st.integers(0, count - 1)
    steps = draw(st.dictionaries(st.tuples(state, st.sampled_from(labels)), state, max_size=14))
    rows = [(s, a, t) for (s, a), t in steps.items()]
    rows += draw(st.lists(st.tuples(state, st.sampled_from(labels), state), max_size=more))
    return LTS.from_transitions(rows, initial=draw(state), state_count=count)


@pytest.mark.parametrize("kind", ["simulation", "ready-simulation", "weak-simulation"])
def test_deterministic_systems_are_minimised_within_limits(kind):
    reached = Counter()

    @settings(max_examples=200)
    @given(system=st.one_of(deterministic_systems(), deterministic_systems(more=2)))
    def against_the_definition(system):
        steps = relations.steps_of(system)
        related = relations.equivalent_pairs(kind, steps)
        found = classes(system, kind, keep_unreachable=True).tolist()
        pairs = product(range(system.state_count), repeat=2)
        assert all((found[s] == found[t]) == ((s, t) in related) for s, t in pairs)
        assert relations.equivalent(kind, system, minimise(system, kind))
        is_plain = kind != "weak-simulation" or "tau" not in system.labels
        if is_plain and not system.nondeterministic_states().count():
            reached["deterministic", len(set(found)) < system.state_count] += 1
            assert classes(system, kind, keep_unreachable=True, max_states=0).tolist() == found
        elif system.nondeterministic_states().count():
            # The limit is that on classes: never one too early, for what is known in advance.
            reached["nearly", len(set(found)) < system.state_count] += 1
            classes(system, kind, keep_unreachable=True, max_states=system.state_count)

    against_the_definition()
    assert min(reached["deterministic", False], reached["deterministic", True]) >= 1
    assert min(reached["nearly", False], reached["nearly", True]) >= 1


LITTLE_BROTHER = [(0, "a", 2), (0, "a", 3), (1, "a", 3), (2, "b", 4), (3, "b", 4), (3, "c", 4)]
"""State 2 is simulated by state 3, so that 0 and 1 are equivalent, but not bisimilar."""


@given(system=systems(max_states=6))
@example(system=LTS.from_transitions(LITTLE_BROTHER))
def test_class_limit_is_not_exceeded_early(system):
    """The bound that is computed in advance is at most the number of classes."""
    for kind in ("simulation", "ready-simulation"):
        small = minimise(system, "strong", keep_unreachable=True)
        found = classes(small, kind, keep_unreachable=True)
        count = len(set(found.tolist()))
        if small.state_count > count:
            # During the refinement there are never more blocks than in the end.
            classes(small, kind, keep_unreachable=True, max_states=count)


@pytest.mark.parametrize("kind", ["simulation", "ready-simulation"])
def test_long_chains_are_minimised_or_refused_at_once(kind):
    count = 200_000
    rows = [(s, "a", s + 1) for s in range(count)]
    chain = LTS.from_transitions(rows)
    assert minimise(chain, kind).state_count == count + 1
    with pytest.raises(LimitReached, match="more than 20000 classes"):
        minimise(LTS.from_transitions([*rows, (7, "a", 9)]), kind)


def test_classes_modulo_traces_are_refused():
    with pytest.raises(Unsupported, match="sets of states"):
        classes(LTS.from_transitions([]), "trace")


@ALL
def test_internal_labels_are_identified(kind):
    two = LTS.from_transitions([(0, "x", 1), (0, "y", 2), (2, "a", 3)]).with_internal(["x", "y"])
    one = LTS.from_transitions([(0, "tau", 1), (0, "tau", 2), (2, "a", 3)])
    sizes = [(m.state_count, m.transition_count) for m in (minimise(s, kind) for s in (one, two))]
    assert sizes[0] == sizes[1]


@ALL
def test_the_order_of_internal_labels_does_not_matter(kind):
    rows = [(0, "y", 1), (0, "x", 2), (2, "a", 3), (1, "b", 0), (3, "y", 0)]
    systems = [LTS.from_transitions(order) for order in (rows, rows[::-1])]
    left, right = [minimise(system.with_internal(["x", "y"]), kind) for system in systems]
    assert (left, left.internal) == (right, right.internal)


@ALL
def test_an_empty_system_is_one_state(kind):
    for rows in ([], [(1, "a", 2)]):
        least = minimise(LTS.from_transitions(rows), kind)
        assert (least.state_count, least.initial, least.transition_count) == (1, 0, 0)

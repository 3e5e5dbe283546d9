"""Sharp bisimulation: branching bisimulation with some steps that are matched as they are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aut_format import dumps
from lts import LTS, Unsupported
from lts.equivalence import EQUIVALENCES, classes, minimise
from lts.equivalence.minimisation import SHARP
from naive import relations
from strategies import systems

LABELS = ("a", "b")
STRONG = st.sets(st.sampled_from(LABELS))


def same(numbers, other):
    return len({*zip(numbers, other, strict=True)}) == len({*numbers}) == len({*other})


@settings(max_examples=1000)
@given(systems(max_states=7, labels=("tau", "tau", *LABELS), max_transitions=20), STRONG)
def test_classes_match_definition(system, strong):
    found = classes(system, SHARP, strong=strong, keep_unreachable=True).tolist()
    assert same(found, relations.sharp(relations.steps_of(system), strong))


@settings(max_examples=300)
@given(systems(), STRONG)
def test_the_result_is_minimal_and_equivalent(system, strong):
    least = minimise(system, SHARP, strong=strong)
    steps, one, other = relations.union(system, least)
    number = relations.sharp(steps, strong)
    assert number[one] == number[other]
    own = relations.sharp(relations.steps_of(least), strong)
    assert len({*own}) == least.state_count
    assert dumps(minimise(least, SHARP, strong=strong)) == dumps(least)


@given(systems(), st.permutations(range(7)), STRONG)
def test_result_is_independent_of_state_numbers(system, numbers, strong):
    rows = [(numbers[s], a, numbers[t]) for s, a, t in system.transitions()]
    other = LTS.from_transitions(
        rows[::-1], initial=numbers[system.initial], state_count=len(numbers)
    )
    expected = dumps(minimise(system, SHARP, strong=strong))
    assert dumps(minimise(other, SHARP, strong=strong)) == expected


@given(systems(), STRONG, STRONG)
def test_more_strong_actions_give_finer_classes(system, some, more):
    def number(strong):
        return classes(system, SHARP, strong=strong, keep_unreachable=True).tolist()

    fine, coarse = number(some | more), number(some)
    assert len({*zip(fine, coarse, strict=True)}) == len({*fine})
    strong = classes(system, "strong", keep_unreachable=True).tolist()
    assert len({*zip(strong, fine, strict=True)}) == len({*strong})


@given(systems(max_states=6, labels=("tau", "tau", "a"), max_transitions=12))
def test_definition_without_strong_actions_is_branching(system):
    """Two definitions: signatures with divergence, and pairs that answer each other's paths."""
    steps = relations.steps_of(system)
    assert relations.pairs(relations.sharp(steps, ())) == relations.branching_with_divergence(steps)


@given(systems())
def test_no_strong_actions_gives_branching_bisimulation(system):
    assert dumps(minimise(system, SHARP, strong=["none"])) == dumps(minimise(system, SHARP))


def test_internal_steps_before_strong_steps_are_visible():
    system = LTS.from_transitions([(0, "tau", 1), (1, "a", 2)])
    assert minimise(system, SHARP).state_count == 2
    assert minimise(system, SHARP, strong=["b"]).state_count == 2
    assert minimise(system, SHARP, strong=["a"]) == system


def test_strong_actions_separate_states_of_internal_cycles():
    system = LTS.from_transitions([(0, "tau", 1), (1, "tau", 0), (1, "a", 2), (0, "b", 2)])
    assert minimise(system, SHARP).state_count == 2
    assert minimise(system, SHARP, strong=["a"]).state_count == 3


def test_names_are_those_of_actions_and_patterns():
    system = LTS.from_transitions([(0, "tau", 1), (1, "put(1)", 2), (1, "get(1)", 2)])
    for names in (["put"], ["p*"], ["put(1)"], ["put(...)"]):
        assert minimise(system, SHARP, strong=names).state_count == 3
    assert minimise(system, SHARP, strong=["put(2)"]).state_count == 2


def test_an_internal_step_is_not_strong():
    system = LTS.from_transitions([(0, "tau", 1), (1, "a", 0)])
    with pytest.raises(Unsupported, match="`tau` is internal"):
        minimise(system, SHARP, strong=["tau"])
    with pytest.raises(TypeError, match="several names"):
        minimise(system, SHARP, strong="a")


@pytest.mark.parametrize("name", sorted(set(EQUIVALENCES) - {SHARP}))
def test_other_equivalences_are_refused(name):
    system = LTS.from_transitions([(0, "a", 1)])
    with pytest.raises(Unsupported, match="strong labels need"):
        minimise(system, name, strong=["a"])

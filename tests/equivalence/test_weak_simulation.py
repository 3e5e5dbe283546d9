"""Weak simulation: its two definitions, verdicts on random pairs, and what it merges."""

import random

import pytest
from hypothesis import given

from lts import LTS
from lts.equivalence import compare, minimise, refines
from naive import relations
from randoms import pairs
from strategies import systems


@given(system=systems())
def test_weak_simulation_is_the_safety_preorder(system):
    steps = relations.steps_of(system)
    assert relations.weak_simulation(steps) == relations.safety(steps)


@pytest.mark.parametrize("preorder", [True, False])
def test_verdicts_match_definition(preorder):
    answers = []
    for left, right in pairs(random.Random(17), 400):
        expected = relations.holds("weak-simulation", left, right, preorder)
        found = (refines if preorder else compare)(left, right, "safety")
        assert found.holds == expected
        answers.append(expected)
    assert min(answers.count(True), answers.count(False)) >= 40


def test_internal_steps_and_little_brothers_are_removed():
    late = LTS.from_transitions([(0, "a", 1), (1, "b", 2), (1, "c", 2)])
    noisy = LTS.from_transitions(
        [(0, "tau", 1), (1, "a", 2), (1, "a", 3), (2, "tau", 3), (3, "b", 4), (2, "c", 4)]
    )
    assert minimise(noisy, "weak-simulation") == minimise(late, "weak-sim") == late
    found = refines(noisy, LTS.from_transitions([(0, "a", 1), (1, "b", 2), (2, "b", 2)]), "safety")
    assert found.evidence.formula == "<tau*.a><tau*.b><tau*.b>true"

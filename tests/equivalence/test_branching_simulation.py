"""Branching simulation: verdicts on random pairs, and what tells systems apart."""

import random

from lts import LTS
from lts.equivalence import compare, refines
from naive import relations
from randoms import pairs

EXTERNAL = LTS.from_transitions([(0, "a", 1), (0, "b", 2)])
INTERNAL = LTS.from_transitions([(0, "tau", 1), (0, "tau", 2), (1, "a", 3), (2, "b", 3)])


def test_verdicts_match_definition():
    answers, not_simulated = [], 0
    for left, right in pairs(random.Random(23), 400):
        expected = relations.holds("branching-simulation", left, right, True)
        assert refines(left, right, "branching-sim").holds == expected
        answers.append(expected)
        if compare(left, right, "branching").holds:
            assert expected
        if expected:
            assert refines(left, right, "weak-simulation").holds
            not_simulated += not refines(left, right, "simulation").holds
    assert min(answers.count(True), answers.count(False)) >= 40
    assert not_simulated >= 10


def test_branching_simulation_sees_choices_before_a_step():
    found = refines(INTERNAL, EXTERNAL, "branching-simulation")
    assert found.evidence.formula == "<((<tau*.b>true)?.tau)*.(<tau*.b>true)?.a>true"
    assert refines(EXTERNAL, INTERNAL, "branching-simulation").holds
    assert refines(INTERNAL, EXTERNAL, "weak-simulation").holds

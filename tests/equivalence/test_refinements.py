"""Refinements told apart by what they see: verdicts on random pairs, and known small systems."""

import random

import pytest

from lts import LTS
from lts.equivalence import refines
from naive import relations
from randoms import pairs


@pytest.mark.parametrize("name", ["failures", "strong-failures"])
def test_both_answers_are_those_of_the_definition(name):
    answers = []
    for left, right in pairs(random.Random(name), 400):
        expected = relations.holds(name, left, right, preorder=True)
        assert refines(left, right, name).holds == expected
        answers.append(expected)
    assert min(answers.count(True), answers.count(False)) >= 40


def test_strong_failures_have_internal_steps_as_steps():
    """As mCRL2's `failures`; its `weak-failures` and FDR's stable failures look past them."""
    late = LTS.from_transitions([(0, "a", 1), (1, "i", 2), (2, "b", 3)]).with_internal(["i"])
    early = LTS.from_transitions([(0, "a", 1), (1, "b", 2)])
    for one, other in ((late, early), (early, late)):
        assert refines(one, other, "failures").holds
        assert not refines(one, other, "strong-failures").holds
    found = refines(early, late, "strong-failures").evidence
    assert (found.trace, found.refused) == (("a",), ("b",))
    found = refines(late, early, "strong-failures").evidence
    assert (found.trace, found.refused) in [(("a",), ("i",)), (("a", "b"), None)]
    unstable = LTS.from_transitions([(0, "tau", 0), (0, "a", 1)])
    loop = LTS.from_transitions([(0, "tau", 0)])
    assert not refines(unstable, loop, "strong-failures").holds
    assert refines(unstable, loop, "weak-failures").holds

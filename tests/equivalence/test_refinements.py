"""Refinements told apart by what they see: verdicts on random pairs, and known small systems."""

import random

import pytest

from lts import LTS
from lts.equivalence import refines
from naive import refinements, relations
from randoms import pairs


@pytest.mark.parametrize("name", ["failures", *refinements.MODELS])
def test_verdicts_match_definition(name):
    answers = []
    for left, right in pairs(random.Random(name), 400):
        expected = relations.holds(name, left, right, preorder=True)
        assert refines(left, right, name).holds == expected
        answers.append(expected)
    assert min(answers.count(True), answers.count(False)) >= 40


def test_strong_failures_count_internal_steps():
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


@pytest.mark.parametrize("name", ["impossible-futures", "strong-impossible-futures"])
def test_impossible_futures_are_reflexive_on_internal_cycles(name):
    rows = [(0, "tau", 1), (1, "tau", 1), (1, "tau", 2), (2, "tau", 1), (2, "b", 2)]
    system = LTS.from_transitions(rows)
    assert refines(system, system, name).holds


def test_only_impossible_futures_see_later_possibilities():
    """Whether `b` can still be later, which failures do not see."""
    # After `a` there is a choice, and `b` or `c` after each way; or the choice has been made.
    still = [(0, "a", 1), (1, "x", 2), (2, "b", 3), (2, "c", 3)]
    made = [(0, "a", 4), (4, "x", 5), (5, "b", 3), (0, "a", 6), (6, "x", 7), (7, "c", 3)]
    open_, closed = LTS.from_transitions(still), LTS.from_transitions(still + made)
    parted = LTS.from_transitions(
        [*still, (0, "a", 8), (8, "x", 9), (8, "x", 10), (9, "b", 3), (10, "c", 3)]
    )
    assert refines(parted, closed, "weak-trace").holds
    for name in ("impossible-futures", "strong-impossible-futures"):
        assert not refines(open_, closed, name).holds
        found = refines(parted, closed, name).evidence
        assert (found.trace, found.lacks) in [
            (("a",), (("x", "c"),)),
            (("a",), (("x", "b"),)),
        ]
    assert refines(parted, closed, "failures").holds
    assert refines(parted, closed, "revivals").holds
    shown = "only it can be, after the trace\n  a\nin a state without the trace\n"
    assert found.describe("it").startswith(shown)
    assert found.as_json()["lacks"] == [list(found.lacks[0])]


def test_revivals_separate_offers_with_refusals():
    """What one does only before it is stable the other offers in a stable state."""
    may = LTS.from_transitions([(0, "tau", 1), (0, "tau", 2), (1, "a", 3), (0, "b", 3)])
    does = LTS.from_transitions([(0, "tau", 1), (1, "a", 3), (1, "b", 3)])
    assert refines(may, does, "failures").holds
    found = refines(may, does, "revivals").evidence
    assert (found.trace, found.offered, found.refused) == ((), "b", ())
    assert found.describe("it") == (
        "only it has a stable state that offers b after the trace\n  (the empty trace)"
    )
    assert found.as_json()["offers"] == "b"

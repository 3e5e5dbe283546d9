"""What a run that was limited says is true of the whole system: states and steps so far, verdicts,
and where values of sums sufficed."""

from collections import Counter

from hypothesis import assume, given
from hypothesis import strategies as st

from lts import LimitReached
from lts.logic import check_process
from lts.mucrl import explore, generate, linearise, read_text
from lts.state_space.settings import Limits, Settings
from mucrl import test_values
from naive import formulas as naive_formulas
from naive import relations
from naive.systems import bisimilar
from specifications import specifications

MOST = 200


def whole(specification):
    try:
        return generate(specification, max_states=MOST)
    except LimitReached:
        assume(False)


def assert_reached(reached, *besides):
    if reached["all"] >= 50:  # few tell little
        for what in ("stopped", "done", *besides):
            assert 10 * reached[what] >= reached["all"], reached


def test_limited_runs_give_a_prefix_of_the_states():
    reached = Counter()

    @given(specifications(), st.integers(1, 12), st.sampled_from([None, 1e-9, 60]), st.booleans())
    def are_the_first(text, most, seconds, several):
        specification = read_text(text)
        system = whole(specification)
        limits = Limits(states=most, time=seconds)
        found = explore(
            linearise(specification), settings=Settings(limits=limits, threads=1 + several)
        )
        reached["all"] += 1
        if found.incomplete is None:
            reached["done"] += 1
            assert [*found.lts.transitions()] == [*system.transitions()]
            assert system.state_count <= most
            return
        reached["stopped"] += 1
        assert found.incomplete == "states" or seconds == 1e-9
        if found.incomplete == "states":
            assert system.state_count > most
        assert found.statistics.states <= system.state_count
        assert found.statistics.transitions <= system.transition_count
        rows = [*found.lts.transitions()]
        assert rows == [*system.transitions()][: len(rows)]

    are_the_first()
    assert_reached(reached)


def test_limited_verdicts_equal_those_of_the_whole():
    reached = Counter()

    @given(specifications(), naive_formulas.trees(), st.integers(0, 2), st.integers(1, 4))
    def is_that_of_all(text, tree, shape, most):
        specification = read_text(text)
        system = whole(specification)
        reached["all"] += 1
        try:
            asked = naive_formulas.text(tree)
            # The last is true, which takes a look at all states.
            asked = (asked, f"[true*]({asked})", f"[true*](({asked}) || [true*]<true*>true)")[shape]
            found = check_process(
                specification, asked, settings=Settings(limits=Limits(states=most))
            )
        except LimitReached:
            reached["stopped"] += 1
            assert system.state_count > most
            return
        reached["done"] += 1
        reached["early"] += system.state_count > most
        expected = naive_formulas.where(tree, relations.steps_of(system), {}, {})
        everywhere = len(expected) == system.state_count
        assert found.holds == (system.initial in expected, everywhere, True)[shape]

    is_that_of_all()
    assert_reached(reached, "early")


def test_limited_values_give_the_system_or_a_limit():
    reached = Counter()

    @given(test_values.texts(), st.integers(0, 12))
    def is_no_other(text, most):
        text, used = text
        specification = read_text(text)
        reached["all"] += 1
        try:
            found = generate(specification, max_values=most, max_states=1000)
        except LimitReached:
            reached["stopped"] += 1
            return
        by_terms = test_values.Memoised(specification)
        if used <= by_terms.ended:
            reached["done"] += 1
            assert bisimilar(found, by_terms.system(1000))

    is_no_other()
    assert_reached(reached)

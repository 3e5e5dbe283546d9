"""Steps of several parallel processes at once that are left to the engine, by the operational
rules."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.errors import LimitReached, SpecificationError, Unsupported
from lts.linear import linearise as linearising
from lts.logic import check_process
from lts.mcrl2 import read_text
from lts.mcrl2.binary.linear import linear_file
from lts.mcrl2.printing import linear_text
from lts.mucrl import generate, linearise
from lts.state_space.generation import COLUMNS, explore
from lts.state_space.settings import Limits, Settings
from lts.symmetry import certified_quotient, find_in_specification, parse_permutation
from mcrl2_compositions import (
    COMPONENTS,
    DECLARED,
    FILTERED,
    STEPS,
    blocking,
    by_rules,
    communicating,
    hiding,
    put_around,
    renamings,
)
from naive.systems import bisimilar
from strategies import examples

operators = st.lists(st.one_of(renamings(), hiding, blocking), max_size=2)


def together(steps):
    """Names of actions that some steps have together."""
    return "|".join(name for step in steps for name in re.findall(r"\b[abfghrst]\b", step))


@st.composite
def compositions(draw):
    """Operators on names around an `allow`, around a `comm`, around parallel processes; the two may
    be missing, and nested processes are."""
    steps = st.lists(st.sampled_from(STEPS), min_size=1, max_size=3)
    processes = draw(st.lists(steps, min_size=2, max_size=3))
    texts = [draw(st.sampled_from([" . ", " + "])).join(own) for own in processes]
    text = " || ".join(f"({one})" for one in texts)
    if len(texts) == 3 and draw(st.booleans()):
        text = f"({texts[0]}) || (({texts[1]}) || ({texts[2]}))"
    if draw(st.integers(0, 2)):
        one_of_each = st.tuples(*map(st.sampled_from, processes))
        some = one_of_each.flatmap(lambda own: st.permutations(own).map(lambda all: all[:2]))
        own = draw(st.lists(some.map(together), min_size=1, max_size=4))
        text = f"({text})"
        if draw(st.booleans()):
            text = put_around((draw(communicating), text))
        names = dict.fromkeys(one for one in ["f", "t", *own] if one)
        text = f"allow({{{', '.join(names)}}}, {text})"
    for operator in draw(operators):
        text = put_around((operator, text))
    return text


@pytest.fixture
def separate(monkeypatch):
    """Leaves every simultaneous step to the engine, as far as possible."""
    monkeypatch.setattr(linearising, "MOST_WRITTEN_OUT", 0)


def takes_part(process):
    return any(summand.takes_part for summand in process.summands)


def test_simultaneous_steps_match_operational_rules(separate):
    counts = Counter()

    @settings(max_examples=examples(8))
    @given(compositions())
    def check(process):
        specification = read_text(f"{FILTERED} init {process};")
        linear = linearise(specification, simultaneous=True)
        found = generate(linear)
        assert bisimilar(found, by_rules(specification))
        if takes_part(linear):
            is_joint = any("|" in label for label in found.labels)
            kind = "all" if linear.admitted is None else "some"
            counts[kind, "comm" in process, is_joint] += 1

    check()
    assert counts["all", False, True] > 10, counts
    assert counts["some", False, True] > 5, counts
    assert counts["some", True, True] > 3, counts


@given(st.lists(st.sampled_from(COMPONENTS), min_size=2, max_size=3))
@settings(max_examples=examples(2))
def test_parameters_of_processes_are_combined(processes):
    process = " || ".join(f"({one})" for one in processes)
    specification = read_text(f"{DECLARED} init {process};")
    linear = linearise(specification, simultaneous=True)
    assert bisimilar(generate(linear), by_rules(specification))


def test_communications_are_not_left_to_the_engine(separate):
    text = f"{DECLARED} init allow({{t, a|b, c}}, comm({{r|s -> t}}, Wait || s(d1) || a || b));"
    specification = read_text(text)
    linear = linearise(specification, simultaneous=True)
    assert takes_part(linear)
    assert linear.admitted == {("a", "b"), ("c",), ("t",)}
    assert bisimilar(generate(linear), by_rules(specification))


@pytest.mark.parametrize(
    "process",
    [
        "comm({a|b -> c}, a || b)",
        "allow({c}, hide({d}, allow({a|d}, a || d)))",
        "block({d}, comm({a|b -> c}, allow({a|b}, a || b)))",
        "allow({a}, hide({b}, a || b))",
    ],
)
def test_other_operators_are_written_out(separate, process):
    specification = read_text(f"{DECLARED} init {process};")
    linear = linearise(specification, simultaneous=True)
    assert not takes_part(linear)
    assert bisimilar(generate(linear), by_rules(specification))


def test_all_summands_are_written_out_unless_requested(separate):
    specification = read_text(f"{DECLARED} init a || b;")
    assert not takes_part(linearise(specification))
    assert takes_part(linearise(specification, simultaneous=True))


def test_few_combinations_are_written_out():
    specification = read_text(f"{DECLARED} init a || b;")
    assert not takes_part(linearise(specification, simultaneous=True))


MANY = """act {};
proc P(n: Nat) = {};
init {};
"""


def many(processes, actions):
    """Processes with so many actions each, of which one is enabled in each state."""
    declared = ", ".join(f"a{n}" for n in range(actions))
    steps = " + ".join(f"(n == {n}) -> a{n}.P({(n + 1) % actions})" for n in range(actions))
    return MANY.format(declared, steps, " || ".join(["P(0)"] * processes))


def test_many_multi_actions_need_no_summand_each():
    # (40 + 1)^4 - 1 summands, more than are written out.
    linear = linearise(read_text(many(4, 40)), simultaneous=True)
    assert len(linear.summands) == 2 * 4 * 40
    found = explore(linear, Settings(limits=Limits(2_000)), output=COLUMNS)
    assert found.statistics.states == 2_000


def test_limits_hold_for_simultaneous_steps(separate):
    linear = linearise(read_text(many(3, 4)), simultaneous=True)
    # Two or three of three processes step at the same time in four ways.
    message = "the steps of several processes at once have more than 3 values"
    with pytest.raises(LimitReached, match=message):
        generate(linear, max_values=3)
    assert generate(linear, max_values=4).state_count == 4**3


def test_formulas_are_checked_with_simultaneous_steps(separate):
    specification = read_text(f"{DECLARED} init Clock(0) || Ends;")
    for formula in ("<exists k: Nat. n(k)|a>true", "[true*]<true>true", "[b|n(0)]false"):
        found = check_process(linearise(specification, simultaneous=True), formula)
        assert found.holds == check_process(linearise(specification), formula).holds


def test_errors_in_simultaneous_steps_name_the_summand(separate):
    text = """map f: Nat -> Bool; act a, b;
    proc P = f(1) -> a.P; init allow({a|b}, P || b.delta);"""
    with pytest.raises(SpecificationError, match="neither `true` nor `false`"):
        generate(linearise(read_text(text), simultaneous=True))


@pytest.mark.parametrize(
    ("process", "states"),
    [
        # No process has another `t`, or a `b` with `r`: their steps stay out, and their data too.
        ("allow({a, t|t, b|b}, Counter(0) || b || b)", 2),
        ("allow({a, r|b, c|c}, Received || a || c || c)", 4),
        # Three of the names that are admitted together are possible, but never the fourth.
        ("allow({t, t|t|t|r}, Large || Large || Large || (false -> r(d1)))", 1),
    ],
)
def test_steps_without_partners_take_no_part(separate, process, states):
    declared = """sort D = struct d1 | d2; act a, b, c; t, n: Nat; r: D;
    proc Counter(n: Nat) = a.Counter(n + 1) + t(n).Counter(n);
         Received = sum n: Nat. n(n).Received;
         Large = sum n: Nat. (n < 700) -> t(n).Large;
    """
    text = f"{declared} init {process};".replace("r|b", "n|b")
    linear = linearise(read_text(text), simultaneous=True)
    assert generate(linear, max_states=10).state_count == states


def test_internal_steps_are_combined_by_the_engine():
    steps = " + ".join(f"(n == {k}) -> tau.P({(k + 1) % 40})" for k in range(40))
    text = f"act a, b; proc P(n: Nat) = {steps}; init allow({{a}}, P(0) || P(1) || P(2) || a);"
    linear = linearise(read_text(text), simultaneous=True)
    assert len(linear.summands) < 300
    with pytest.raises(LimitReached):
        generate(linear, max_states=100)


def test_declarations_of_one_name_are_distinguished(separate):
    for process in ("x(2, 3) || x(true)", "x(true) || x(2, 3) || x(4)", "x(true)|x(1)"):
        specification = read_text(f"act x: Nat; x: Bool; x: Nat # Nat; init {process};")
        for linear in (linearise(specification, simultaneous=True), linearise(specification)):
            assert check_process(linear, "<true>true").holds


@pytest.mark.parametrize(
    "use",
    [
        lambda process: linear_text(process),
        lambda process: linear_file(process),
        lambda process: find_in_specification(process),
        lambda process: certified_quotient(process, parse_permutation("(d1 d2)")),
    ],
)
def test_uses_that_need_all_summands_are_refused(separate, use):
    text = "sort D = struct d1 | d2; act a, b: D; init (sum x: D. a(x)) || (sum x: D. b(x));"
    linear = linearise(read_text(text), simultaneous=True)
    assert takes_part(linear)
    with pytest.raises(Unsupported, match="no summands: linearise without `simultaneous`"):
        use(linear)

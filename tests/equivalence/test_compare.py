"""Comparison against the definitions, its evidence by what it means, and known traps."""

import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formulas
from lts import LTS, LimitReached, LtsError
from lts.equivalence import (
    COMPARED,
    EQUIVALENCES,
    PREORDERS,
    Property,
    compare,
    minimise,
    refines,
    trace_text,
)
from lts.logic import check
from lts.simulation import Simulation
from lts.trace import TraceStep, parse_trace
from naive import refinements, relations
from strategies import systems

QUESTIONS = [(name, False) for name in COMPARED if name in relations.BISIMULATIONS]
QUESTIONS += [(name, False) for name in COMPARED if name in relations.PREORDERS]
QUESTIONS += [(name, True) for name in PREORDERS]
ASKED = pytest.mark.parametrize(("name", "preorder"), QUESTIONS)
TRACE_LIKE = {"trace", "weak-trace", "failures", "failures-divergences"} | {*refinements.MODELS}
COUNTS = {"trace", *(name for name in refinements.MODELS if name.startswith("strong-"))}


def ask(name, preorder, left, right):
    return (refines if preorder else compare)(left, right, name)


@st.composite
def pairs(draw, **kinds):
    """Return two systems, often almost the same."""
    left = draw(systems(max_states=5, max_transitions=9, **kinds))
    if draw(st.booleans()):
        return left, draw(systems(max_states=4, max_transitions=7, **kinds))
    rows = list(left.transitions())
    kept = [row for row in rows if draw(st.integers(0, 7))]
    more = draw(systems(max_states=left.state_count, max_transitions=2, **kinds))
    rows = kept + list(more.transitions())
    return left, LTS.from_transitions(rows, initial=left.initial, state_count=left.state_count)


@ASKED
@given(both=pairs(), near=st.sampled_from([0, 1 << 19]), far=st.sampled_from([0, 1 << 25]))
def test_verdict_and_evidence_match_definition(name, preorder, both, near, far):
    """On systems as they are, with `near=0` on reduced ones, with `far=0` by refinement."""
    left, right = both
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["lts.equivalence.comparison"], "NEAR", near)
        patch.setattr(sys.modules["lts.equivalence.comparison"], "FAR", far)
        found = ask(name, preorder, left, right)
    assert found.holds == relations.holds(name, left, right, preorder)
    assert (found.evidence is None) == found.holds
    if found.holds:
        return
    owner, other = (left, right) if found.evidence.of_left else (right, left)
    # Ready simulation also asks for what the specification can do and the implementation cannot.
    assert not preorder or owner is right or name == "ready-simulation"
    if isinstance(found.evidence, Property):
        assert name not in TRACE_LIKE
        assert not found.evidence.formula.startswith("!")
        text = found.evidence.formula
        assert formulas.holds(text, relations.steps_of(owner), owner.initial)
        assert not formulas.holds(text, relations.steps_of(other), other.initial)
        check_fragment(name, text)
        check_walk(found.evidence, owner)
    else:
        assert name in TRACE_LIKE
        check_run(name, found.evidence, owner, other)
    check_replay(found.evidence, owner)


def check_walk(evidence, owner):
    """Assert that the run goes along the formula, step by step."""
    walk = [owner.initial]
    for row, label in zip(evidence.rows, evidence.labels, strict=True):
        s, a, t = owner.source[row], owner.labels[owner.label[row]], owner.target[row]
        assert (s, a) == (walk[-1], label)
        walk += [label, int(t)]
    assert formulas.along(formulas.parse(evidence.formula), relations.steps_of(owner), walk)


def check_replay(evidence, owner):
    """Assert that the simulator replays the trace file in the system that has it."""
    simulation = Simulation.of_lts(owner)
    simulation.replay(parse_trace(trace_text(evidence, owner)))
    end = owner.target[evidence.rows[-1]] if evidence.rows else owner.initial
    assert (simulation.state, len(simulation.trace)) == (end, len(evidence.rows))


def check_fragment(name, text):
    """Assert that a formula is one that the relation respects, by its form."""
    if name in ("simulation", "weak-simulation", "branching-simulation"):
        assert "!" not in text
    if name == "ready-simulation":
        assert all(rest.partition(">")[2].startswith("true") for rest in text.split("!")[1:])
    if name in ("strong", "simulation", "ready-simulation"):
        assert "*" not in text
        assert "@" not in text
    else:
        assert name.startswith("divergence") or "@" not in text
    if name in ("tau-star-a", "weak-simulation"):
        assert "?" not in text


def check_run(name, run, owner, other):
    """Assert that one system has a run and what follows, by the definition, and the other not."""
    state = owner.initial
    for row, label in zip(run.rows, run.labels, strict=True):
        s, a, t = owner.source[row], owner.labels[owner.label[row]], owner.target[row]
        assert (s, a) == (state, label)
        state = t
    assert run.trace == tuple(a for a in run.labels if name in COUNTS or a != "tau")
    steps, against = relations.steps_of(owner), relations.steps_of(other)
    reach = relations.silent(against)
    counts = name in COUNTS
    moves = against if counts else relations.delayed(against)
    reached = [frozenset({other.initial})]
    for label in run.trace:
        reached.append(relations.after(moves, reached[-1], label))
    endless = [
        s for s in range(len(against)) if any(("tau", t) in against[u] and u in reach[t]
        for u in reach[s] for a, t in against[u] if a == "tau")
    ]  # fmt: skip
    if name == "failures-divergences":
        assert not any(states & set(endless) for states in reached)
    ours = relations.silent(steps)
    if run.diverges:
        assert any(u in ours[t] for u in ours[state] for a, t in steps[u] if a == "tau")
    elif run.lacks is not None:
        mine, theirs = (steps, against) if counts else map(relations.delayed, (steps, against))
        assert not any(has_trace(mine, state, trace) for trace in run.lacks)
        there = reached[-1] if counts else {t for s in reached[-1] for t in reach[s]}
        assert all(any(has_trace(theirs, s, trace) for trace in run.lacks) for s in there)
        for lack in run.lacks:
            rest = [trace for trace in run.lacks if trace != lack]
            assert any(not any(has_trace(theirs, s, trace) for trace in rest) for s in there)
    elif run.refused is None:
        assert not reached[-1]
    else:
        refused = set(run.refused)
        own = relations.offers(steps, state)
        assert not own & refused
        stable = reached[-1]
        if not counts:
            assert "tau" not in own
            stable = {t for s in reached[-1] for t in reach[s]}
            stable = {s for s in stable if "tau" not in relations.offers(against, s)}
        theirs = [relations.offers(against, s) for s in stable]
        if run.offered is not None:
            assert name == "revivals"
            assert run.offered in own
            theirs = [offered for offered in theirs if run.offered in offered]
        assert all(offered & refused for offered in theirs)


def has_trace(moves, state, trace):
    states = {state}
    for label in trace:
        states = relations.after(moves, states, label)
    return bool(states)


@given(both=pairs(), preorder=st.booleans())
def test_distinguishing_trace_does_not_replay_in_the_other(both, preorder):
    found = ask("trace", preorder, *both)
    if not found.holds:
        other = both[1] if found.evidence.of_left else both[0]
        plain = [TraceStep(label) for label in found.evidence.trace]
        with pytest.raises(LtsError, match=f"step {len(plain)} of the trace"):
            Simulation.of_lts(other).replay(plain)


NEAR = [
    # Two ways to one state, of which the one with internal steps has the shorter trace.
    (
        "weak-trace",
        [(0, "a", 0)],
        [(0, "a", 2), (0, "tau", 1), (1, "tau", 2), (2, "b", 3)],
        ("b",),
    ),
    # What is refused after the empty trace comes after what is a longer one.
    ("failures", [(0, "a", 0)], [(0, "b", 1), (0, "tau", 2)], ()),
]


@pytest.mark.parametrize(("name", "large", "small", "trace"), NEAR)
def test_internal_steps_do_not_make_a_trace_longer(name, large, small, trace):
    large, small = map(LTS.from_transitions, (large, small))
    assert refines(large, small, name).evidence.trace == trace


@pytest.mark.parametrize("name", sorted(TRACE_LIKE))
@given(both=pairs())
def test_traces_are_shortest(name, both):
    found = refines(*both, name)
    length = refinements.shortest(name, *both)
    assert found.holds == (length is None)
    if not found.holds:
        assert len(found.evidence.trace) == length


@given(both=pairs())
def test_finer_preorders_imply_coarser_preorders(both):
    finer = [
        ("ready-simulation", "simulation"),
        ("ready-simulation", "failures"),
        ("simulation", "trace"),
        ("simulation", "branching-simulation"),
        ("branching-simulation", "weak-simulation"),
        ("coupled-simulation", "weak-simulation"),
        ("weak-simulation", "weak-trace"),
        ("trace", "weak-trace"),
        ("failures", "weak-trace"),
        ("ready-simulation", "strong-failures"),
        ("strong-failures", "trace"),
        ("ready-simulation", "revivals"),
        ("revivals", "failures"),
        ("impossible-futures", "weak-trace"),
        ("strong-impossible-futures", "strong-failures"),
        ("coupled-simulation", "impossible-futures"),
    ]
    for fine, coarse in finer:
        assert not refines(*both, fine).holds or refines(*both, coarse).holds


def lts(*rows):
    return LTS.from_transitions(rows)


def test_a_trace_of_an_unstable_state_is_a_difference():
    """The published search for failures-divergences overlooks it."""
    stop, may = lts(), lts((0, "a", 1), (0, "tau", 2))
    assert refines(may, stop, "failures-divergences").holds
    found = refines(stop, may, "failures-divergences")
    assert not found.holds
    assert (found.evidence.trace, found.evidence.refused) == (("a",), None)


def test_divergence_is_chaos_in_failures_divergences():
    chaos = lts((0, "a", 1), (1, "tau", 1))
    anything = lts((0, "a", 1), (1, "b", 2), (2, "c", 3), (3, "tau", 3))
    assert refines(chaos, anything, "failures-divergences").holds
    assert not refines(chaos, anything, "failures").holds
    found = refines(lts((0, "a", 1)), chaos, "failures-divergences")
    assert found.evidence.diverges
    assert found.evidence.trace == ("a",)


def test_unstable_states_have_no_refusals():
    unstable = lts((0, "tau", 0), (0, "a", 1))
    stable = lts((0, "a", 1))
    assert refines(stable, unstable, "failures").holds
    found = refines(unstable, stable, "failures")
    assert found.evidence.refused == ()
    assert "stable state" in found.evidence.describe("B")


def test_refusals_name_no_more_than_needed():
    either = lts((0, "tau", 1), (0, "tau", 2), (1, "a", 3), (2, "b", 3))
    both = lts((0, "a", 1), (0, "b", 1))
    found = refines(both, either, "failures")
    assert found.evidence.trace == ()
    assert found.evidence.refused in (("a",), ("b",))
    assert refines(either, both, "failures").holds


@ASKED
def test_systems_without_labels(name, preorder):
    assert ask(name, preorder, lts(), lts()).holds
    loop = lts((0, "tau", 0))
    assert ask(name, preorder, loop, loop).holds
    expected = relations.holds(name, lts(), loop, preorder)
    assert ask(name, preorder, lts(), loop).holds == expected


@ASKED
def test_internal_labels_are_equal_under_any_name(name, preorder):
    ours = lts((0, "tau", 1), (1, "tau", 1), (0, "a", 2))
    theirs = lts((0, "i", 1), (1, "i", 1), (0, "a", 2))
    assert ask(name, preorder, ours, theirs).holds


@ASKED
def test_visible_labels_differ_from_internal_namesakes(name, preorder):
    visible = lts((0, "tau", 1), (1, "i", 2))
    internal = lts((0, "i", 1), (1, "i", 2))
    found = [
        ask(name, preorder, *both).holds for both in ((visible, internal), (internal, visible))
    ]
    assert not all(found)


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("a(d1,f(0))", "a(d1,f(0))"),
        ("tau", '"tau"'),
        ("true", '"true"'),
        ('say "a b"\\', r'"say \"a b\"\\"'),
        ("a(1", '"a(1"'),
        ("a(1)b", '"a(1)b"'),
        ("", '""'),
    ],
)
def test_labels_that_are_no_names_are_quoted(label, shown):
    odd = lts((0, label, 1)).with_internal([])
    assert compare(odd, lts(), "strong").evidence.formula == f"<{shown}>true"


@pytest.mark.parametrize("name", ["strong", "simulation", "ready-simulation", "weak"])
def test_large_systems_are_compared_without_minimisation(name):
    n = 60_000
    rows = [(i, "ab"[i % 7 == 0], (i * 3 + 1) % n) for i in range(n)]
    rows += [(i, "c", (i * 5 + 2) % n) for i in range(n)]
    state = 0
    for _ in range(3):
        state = (state * 3 + 1) % n
    left = LTS.from_transitions(rows)
    right = LTS.from_transitions([row for row in rows if row[:2] != (state, "c")])
    found = compare(left, right, name)
    assert not found.holds
    assert len(found.evidence.formula) < 200


def test_deep_differences_are_explained():
    def chain(n):
        return lts(*((i, "a", i + 1) for i in range(n)))

    found = compare(chain(3000), chain(2999), "strong")
    assert found.evidence.formula == "<a>" * 3000 + "true"
    assert refines(chain(2999), chain(3000), "weak-trace").evidence.trace == ("a",) * 3000
    found = compare(chain(3000), chain(2999), "simulation")
    assert found.evidence.formula == "<a>" * 3000 + "true"


@pytest.mark.parametrize("name", ["strong", "weak", "simulation"])
def test_distinguishing_long_chains_is_linear(name):
    n = 300_000
    source = np.arange(n, dtype=np.uint32)
    target = source + np.uint32(1)
    chain = LTS.from_columns(source, np.zeros(n, np.uint32), target, ["a"], 0, n + 1)
    looping = target.copy()
    looping[-1] = n - 1
    loop = LTS.from_columns(source, np.zeros(n, np.uint32), looping, ["a"], 0, n + 1)
    found = compare(chain, loop, name)
    assert not found.evidence.of_left or name != "simulation"
    assert found.evidence.formula.count("<") in (n, n + 1)
    assert len(found.evidence.rows) >= n - 1


REFINED = [name for name in EQUIVALENCES if name not in TRACE_LIKE]
REFINED = pytest.mark.parametrize("name", REFINED)


@pytest.fixture
def by_refinement(monkeypatch):
    """Let no game find a formula."""
    for bound in ("NEAR", "FAR"):
        monkeypatch.setattr(sys.modules["lts.equivalence.comparison"], bound, 0)


@REFINED
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_formulas_from_refinement_distinguish_the_systems(name, by_refinement, data):
    """Larger systems that differ in one transition, so that it takes several rounds."""
    rows = systems(max_states=14, max_transitions=30)
    left = data.draw(rows.filter(lambda system: system.transition_count > 0))
    rows = list(left.transitions())
    s, a, t = rows.pop(data.draw(st.integers(0, len(rows) - 1)))
    if data.draw(st.booleans()):
        rows.append((s, a, (t + 1) % left.state_count))
    right = LTS.from_transitions(rows, initial=left.initial, state_count=left.state_count)
    found = compare(left, right, name)
    if found.holds:
        return
    text, of_left = found.evidence.formula, found.evidence.of_left
    for system, expected in ((left, of_left), (right, not of_left)):
        assert formulas.holds(text, relations.steps_of(system), system.initial) == expected
        assert check(system, text).holds == expected
    check_fragment(name, text)
    check_walk(found.evidence, left if of_left else right)
    check_replay(found.evidence, left if of_left else right)


def test_blocks_left_by_internal_steps_are_refined_again(by_refinement):
    """What its states could do behind these steps they can no longer, though no target is new."""
    common = [(0, "b", 2), (3, "b", 2), (3, "tau", 3), (0, "a", 2), (2, "tau", 0), (1, "b", 0)]
    common += [(2, "a", 0), (0, "b", 0), (1, "tau", 2), (1, "tau", 3), (2, "a", 1), (3, "b", 0)]
    common += [(2, "a", 3), (3, "a", 0), (3, "a", 2), (2, "tau", 3)]
    left, right = lts(*common, (1, "a", 3), (1, "a", 1)), lts(*common, (1, "a", 1), (1, "a", 0))
    evidence = compare(left, right, "divergence-preserving-branching").evidence
    for system, expected in ((left, evidence.of_left), (right, not evidence.of_left)):
        assert formulas.holds(evidence.formula, relations.steps_of(system), 0) == expected


def ladder(n, last, silent):
    """Return n rungs of two states: the first leads to both of the next rung, the second to one."""
    rows = [(n, last, n), (2 * n + 1, "c", n)]
    for i in range(n):
        label = "tau" if silent and i % 3 else "a"
        rows += [(i, label, i + 1), (i, label, n + i + 2), (n + i + 1, label, n + i + 2)]
        rows += [(i, "d", 0), (n + i + 1, "d", 0), (n + i + 1, "e", i)]
    return lts(*rows)


@REFINED
@pytest.mark.parametrize("size", [3, 60])
def test_far_differences_are_explained_by_refinement(name, size, by_refinement):
    """Formulas grow with the distance, not with the number of pairs or of ways there."""
    left, right = (ladder(size, last, silent=name != "strong") for last in ("b", "bb"))
    evidence = compare(left, right, name).evidence
    for system, expected in ((left, evidence.of_left), (right, not evidence.of_left)):
        assert formulas.holds(evidence.formula, relations.steps_of(system), 0) == expected
        assert check(system, evidence.formula).holds == expected
    assert len(evidence.formula) < 100 * size


def test_exponential_comparison_reaches_a_limit():
    def nth_from_the_end(n, last):
        rows = [(0, "a", 0), (0, "b", 0), (0, "a", 1)]
        rows += [(i, label, i + 1) for i in range(1, n) for label in "ab"]
        return lts(*rows, (n, last, n))

    left, right = nth_from_the_end(14, "c"), nth_from_the_end(15, "c")
    with pytest.raises(LimitReached, match="more than 1000 pairs"):
        refines(left, right, "trace", max_states=1000)
    assert not refines(left, right, "trace").holds


def test_unknown_names_are_refused_with_a_hint():
    with pytest.raises(LtsError, match="did you mean `failures`"):
        refines(lts(), lts(), "failure")
    with pytest.raises(LtsError, match="unknown equivalence `branching-simulation`"):
        compare(lts(), lts(), "branching-simulation")
    with pytest.raises(LtsError, match="equivalence is only compared, and has no minimal systems"):
        minimise(lts(), "failures")

"""Model checking against the meaning of formulas, computed set by set."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import formulas
from lts import LTS, LimitReached, ParseError
from lts.base.bounds import VALUE_LETTERS, VALUES_LETTERS
from lts.equivalence import compare
from lts.logic import PROPERTIES, Lasso, check, satisfying_states
from lts.simulation import Simulation
from lts.trace import TraceStep
from naive import relations
from strategies import systems

LABELS = ("tau", "a", "b")
ACTIONS = {
    "true": set(LABELS),
    "false": set(),
    "tau": {"tau"},
    "a": {"a"},
    '"b"': {"b"},
    "!a": {"tau", "b"},
    "(a || b)": {"a", "b"},
    "(!a && !b)": {"tau"},
    "(a => b)": {"tau", "b"},
    "(b => a => tau)": set(LABELS),
}


@st.composite
def paths(draw, depth, variables):
    kind = draw(
        st.sampled_from(["step"] * 3 + ["seq", "choice", "star", "plus", "test"] * (depth > 0))
    )
    if kind == "step":
        return kind, draw(st.sampled_from(sorted(ACTIONS)))
    if kind == "test":
        return kind, draw(trees(depth - 1, variables))
    if kind in ("star", "plus"):
        return kind, draw(paths(depth - 1, variables))
    return kind, draw(paths(depth - 1, variables)), draw(paths(depth - 1, variables))


@st.composite
def trees(draw, depth=4, variables=()):
    """Return a formula as a tree; `variables` are those that may stand here, with their sign."""
    usable = [name for name, sign in variables if sign]
    kinds = ["true", "false"] + ["var"] * (3 * bool(usable))
    if depth > 0:
        kinds += ["not", "and", "or", "implies", "can", "must", "mu", "nu", "forever"] * 2
    kind = draw(st.sampled_from(kinds))
    flipped = tuple((name, not sign) for name, sign in variables)
    inner = depth - 1
    match kind:
        case "true" | "false":
            return (kind,)
        case "var":
            return kind, draw(st.sampled_from(usable))
        case "not":
            return kind, draw(trees(inner, flipped))
        case "and" | "or":
            return kind, draw(trees(inner, variables)), draw(trees(inner, variables))
        case "implies":
            return kind, draw(trees(inner, flipped)), draw(trees(inner, variables))
        case "can" | "must":
            # Tests stand negated in boxes: no variables in them.
            return kind, draw(paths(min(inner, 2), ())), draw(trees(inner, variables))
        case "forever":
            return kind, draw(paths(min(inner, 2), ()))
    name = f"X{depth}"
    known = tuple((n, s) for n, s in variables if n != name)
    return kind, name, draw(trees(inner, (*known, (name, True))))


def text(tree):
    match tree:
        case ("true" | "false" as word,):
            return word
        case ("var", name):
            return name
        case ("not", inner):
            return f"!({text(inner)})"
        case ("and", left, right):
            return f"({text(left)} && {text(right)})"
        case ("or", left, right):
            return f"(({text(left)}) || {text(right)})"
        case ("implies", left, right):
            return f"({text(left)} => ({text(right)}))"
        case ("can", path, inner):
            return f"<{path_text(path)}>({text(inner)})"
        case ("must", path, inner):
            return f"[{path_text(path)}]({text(inner)})"
        case ("forever", path):
            return f"<{path_text(path)}>@"
        case (kind, name, inner):
            return f"({kind} {name}. {text(inner)})"
    raise AssertionError(tree)


def path_text(path):
    match path:
        case ("step", action):
            return action
        case ("seq", left, right):
            return f"({path_text(left)}.{path_text(right)})"
        case ("choice", left, right):
            return f"({path_text(left)}|{path_text(right)})"
        case ("star", inner):
            return f"({path_text(inner)})*"
        case ("plus", inner):
            return f"({path_text(inner)})+"
        case ("test", formula):
            return f"({text(formula)})?"
    raise AssertionError(path)


def where(tree, steps, known):
    """Return the states where a formula holds, `known` the states of its variables."""
    every = set(range(len(steps)))
    match tree:
        case ("true",):
            return every
        case ("false",):
            return set()
        case ("var", name):
            return known[name]
        case ("not", inner):
            return every - where(inner, steps, known)
        case ("and", left, right):
            return where(left, steps, known) & where(right, steps, known)
        case ("or", left, right):
            return where(left, steps, known) | where(right, steps, known)
        case ("implies", left, right):
            return (every - where(left, steps, known)) | where(right, steps, known)
        case ("can", path, inner):
            goal = where(inner, steps, known)
            return {s for s, t in successors_by(path, steps, known) if t in goal}
        case ("must", path, inner):
            goal = where(inner, steps, known)
            return every - {s for s, t in successors_by(path, steps, known) if t not in goal}
        case ("forever", path):
            related, left = successors_by(path, steps, known), every
            while (kept := {s for s, t in related if s in left and t in left}) != left:
                left = kept
            return left
        case (kind, name, inner):
            found = set() if kind == "mu" else every
            while (more := where(inner, steps, known | {name: found})) != found:
                found = more
            return found
    raise AssertionError(tree)


def successors_by(path, steps, known):
    """Return the pairs of states that a path leads from and to."""
    states = range(len(steps))
    match path:
        case ("step", action):
            return {(s, t) for s in states for a, t in steps[s] if a in ACTIONS[action]}
        case ("seq", left, right):
            return formulas.compose(
                successors_by(left, steps, known), successors_by(right, steps, known)
            )
        case ("choice", left, right):
            return successors_by(left, steps, known) | successors_by(right, steps, known)
        case ("test", formula):
            return {(s, s) for s in where(formula, steps, known)}
        case (kind, inner):
            once = successors_by(inner, steps, known)
            found = once if kind == "plus" else once | {(s, s) for s in states}
            while (more := found | formulas.compose(found, once)) != found:
                found = more
            return found
    raise AssertionError(path)


@given(system=systems(labels=LABELS), tree=trees())
def test_verdicts_match_the_semantics(system, tree):
    found = check(system, text(tree))
    steps = relations.steps_of(system)
    assert found.holds == (system.initial in where(tree, steps, {}))


@given(system=systems(labels=LABELS), tree=trees())
def test_all_states_where_a_formula_holds(system, tree):
    found = satisfying_states(system, text(tree))
    assert len(found) == system.state_count
    assert set(found.search(1)) == where(tree, relations.steps_of(system), {})


@given(system=systems(labels=LABELS))
def test_satisfying_states_of_deterministic(system):
    for state, holds in enumerate(satisfying_states(system, "deterministic")):
        columns = (system.source, system.label, system.target, system.labels)
        there = LTS.from_columns(*columns, state, system.state_count)
        assert bool(holds) == check(there, "deterministic").holds


def test_satisfying_states_obey_limits():
    with pytest.raises(LimitReached, match="more than 3 pairs"):
        satisfying_states(lts((0, "a", 1), (1, "a", 2), (2, "a", 3)), "<a>true", max_positions=3)
    with pytest.raises(ParseError):
        satisfying_states(lts((0, "a", 1)), "<a")


@given(system=systems(labels=LABELS, max_states=5), tree=trees(depth=6))
def test_nested_fixed_points(system, tree):
    steps = relations.steps_of(system)
    assert check(system, text(tree)).holds == (system.initial in where(tree, steps, {}))


@given(system=systems(labels=LABELS))
def test_alternating_fixed_points(system):
    steps = relations.steps_of(system)
    often = ("mu", "X", ("or", ("can", ("step", "a"), ("var", "Y")),
                         ("can", ("step", "!a"), ("var", "X"))))  # fmt: skip
    # The same, its least fixed point written as what is no greatest one.
    seldom = ("nu", "X", ("not", ("or", ("can", ("step", "a"), ("var", "Y")),
                                  ("can", ("step", "!a"), ("not", ("var", "X"))))))  # fmt: skip
    for inner in (often, ("not", seldom)):
        for tree in (("nu", "Y", inner), ("not", ("nu", "Y", inner))):
            expected = system.initial in where(tree, steps, {})
            assert check(system, text(tree)).holds == expected


@given(system=systems(labels=LABELS), tree=trees())
def test_the_evidence_is_a_part_of_the_system(system, tree):
    """Of what has only diamonds a part is enough; nothing else is needed for the answer yes."""
    found = check(system, text(tree))
    assert set(found.evidence.transitions()) <= set(system.transitions())
    if found.holds and not ({"must", "not", "implies"} & set(words(tree))):
        assert check(found.evidence, text(tree)).holds


def words(tree):
    for part in tree:
        if isinstance(part, tuple):
            yield from words(part)
        else:
            yield part


@given(system=systems(labels=LABELS), tree=trees())
def test_evidence_path_alone_has_the_same_verdict(system, tree):
    found = check(system, text(tree))
    if found.path is None:
        return
    steps = found.path.steps
    assert {*steps} == {*found.evidence.transitions()}
    assert [source for source, _, _ in steps] == [system.initial, *(t for _, _, t in steps)][:-1]
    if found.path.again is not None:
        assert steps[-1][2] == steps[found.path.again][0]
    alone = LTS.from_transitions(steps, initial=system.initial, state_count=system.state_count)
    assert check(alone, text(tree)).holds == found.holds


def again_and_again(path, length):
    """Return the first steps of a path that repeats its end."""
    loop = path.steps[path.again :]
    return (path.steps[: path.again] + loop * length)[:length]


STEPS = st.sampled_from([(0, "a", 0), (0, "b", 0)])


@given(
    before=st.lists(STEPS, max_size=4),
    loop=st.lists(STEPS, min_size=1, max_size=3),
    times=st.integers(1, 3),
    more=st.integers(0, 3),
)
def test_lassos_are_minimal(before, loop, times, more):
    longer = (before + loop * (times + more))[: len(before) + len(loop) * times + more]
    again = len(longer) - len(loop) * times
    path, far = Lasso.of(longer, again), 60
    meant = tuple((longer + longer[again:] * far)[:far])
    assert again_and_again(path, far) == meant
    shorter = (
        (start, period)
        for start in range(len(longer))
        for period in range(1, len(longer) - start + 1)
        if all(meant[i] == meant[i + period] for i in range(start, far - period))
    )
    start, period = min(shorter, key=lambda pair: (sum(pair), pair))
    assert (path.again, len(path.steps)) == (start, start + period)


@given(left=systems(max_states=4), right=systems(max_states=4), data=st.data())
def test_distinguishing_formulas_hold_in_one_system(left, right, data):
    name = data.draw(st.sampled_from(["strong", "weak", "simulation", "coupled-simulation"]))
    found = compare(left, right, name)
    if not found.holds:
        answers = [check(system, found.evidence.formula).holds for system in (left, right)]
        assert answers == ([True, False] if found.evidence.of_left else [False, True])


def lts(*rows):
    return LTS.from_transitions(rows)


def test_properties_by_name():
    protocol = lts((0, "send(1)", 1), (1, "tau", 2), (2, "recv(1)", 0), (1, "tau", 1))
    holds = {
        "deadlock-free": True,
        "livelock-free": False,
        "action recv(1) possible": True,
        "action recv(2) possible": False,
        "recv(...) inevitable": False,
        "send(...) inevitable": True,
        "action send(...) inevitable": True,
        "send(1) possible": True,
        "action send(1) before recv(1)": True,
        "send(1) before recv(1)": True,
        "recv(1) before send(1)": False,
        "send(2) before recv(1) || send(1)": False,
    }
    for name, expected in holds.items():
        assert check(protocol, name).holds == expected, name
    assert len(PROPERTIES) == 5
    named = lts((0, "action", 1))
    assert check(named, "action inevitable").holds
    assert check(named, "action action inevitable").holds
    assert not check(protocol, "deterministic").holds
    assert check(lts((0, "a", 1), (2, "b", 0), (2, "b", 1)), "deterministic").holds


def test_nondeterminism_evidence_is_reachable():
    rows = [(0, "a", 1), (0, "b", 3), (1, "c", 2), (2, "d", 2), (2, "i", 0), (2, "tau", 1)]
    system = lts(*rows).with_internal(["tau", "i"])
    found = check(system, "deterministic")
    assert not found.holds
    expected = [rows[number] for number in (0, 2, 4, 5)]
    assert sorted(found.evidence.transitions()) == expected
    simulation = Simulation.of_lts(found.evidence)
    simulation.replay([TraceStep("a"), TraceStep("c")])
    assert [step.target for step in simulation.steps] == [0, 1]


@given(system=systems(labels=LABELS))
def test_determinism_and_its_evidence(system):
    steps = relations.steps_of(system)
    graph = system.to_networkx()
    reached = {system.initial} | networkx.descendants(graph, system.initial)
    chosen = [
        s for s in reached if any(a == b and t != u for a, t in steps[s] for b, u in steps[s])
    ]
    found = check(system, "deterministic")
    assert found.holds == (not chosen)
    shown = list(found.evidence.transitions())
    assert set(shown) <= set(system.transitions())
    if chosen:
        *way, (s, _, t), (also, _, u) = shown
        assert s == also
        assert s in chosen
        assert t != u
        at = system.initial
        for source, _, target in way:
            assert source == at
            at = target
        assert at == s
        assert not check(found.evidence, "deterministic").holds


def test_deadlock_freedom_counterexample_reaches_a_deadlock():
    rows = [(0, "a", 0), (0, "a", 1), (1, "b", 2), (1, "b", 0), (2, "c", 3), (2, "d", 0)]
    found = check(lts(*rows), "deadlock-free")
    assert not found.holds
    assert sorted(found.evidence.transitions()) == [(0, "a", 1), (1, "b", 2), (2, "c", 3)]


def test_large_formulas_on_large_systems_need_no_product():
    n = 300_000
    source = np.arange(n, dtype=np.uint32)
    columns = source, np.zeros(n, np.uint32), source + np.uint32(1)
    chain = LTS.from_columns(*columns, ["a"], 0, n + 1)
    assert check(chain, "<a>" * n + "!<a>true").holds


def test_long_formulas_and_limits():
    n = 20_000
    chain = lts(*((i, "a", i + 1) for i in range(n)))
    assert check(chain, "<a>" * n + "!<a>true").holds
    assert not check(chain, "<a>" * (n + 1) + "true").holds
    with pytest.raises(LimitReached, match="more than 10 pairs"):
        check(chain, "[true*]true", max_positions=10)


@given(system=systems(labels=LABELS), inner=trees(depth=2), outer=trees(depth=2))
def test_definitions_equal_their_expansion(system, inner, outer):
    shared = f"let F = {text(inner)} in F && ({text(outer)}) || !F"
    plain = f"({text(inner)}) && ({text(outer)}) || !({text(inner)})"
    assert check(system, shared).holds == check(system, plain).holds


@pytest.mark.parametrize(("labels", "formula", "expected"), [
    (["B", "A"], "B before A", True),
    (["B", "A"], "A before B", False),
    (["A(B)", "A", "B"], "A(B) before B", True),
    (["A(B)", "A", "B"], "B before A", False),
    (["A", "B"], "A before B % B before A", True),
    (["A", "B"], "action\n A inevitable", True),
    (["A(B)"], 'action "A(B)" inevitable', True),
    (["before", "b"], "before before b", True),
    (["a"], "exists B:1..2. a || b(B) possible", True),
])  # fmt: skip
def test_named_properties_accept_any_action_names(labels, formula, expected):
    chain = LTS.from_transitions([(n, label, n + 1) for n, label in enumerate(labels)])
    assert check(chain, formula).holds == expected


@pytest.mark.parametrize("formula", [
    "nu X(p:D = d). [true]X(f(p))",
    "nu X(p:D = d). [true]X(g(p,p))",
    "nu X(n:Nat = 2). [true]X(n * n)",
])  # fmt: skip
def test_growing_data_reach_a_limit(formula, lower):
    lower(VALUE_LETTERS, 10_000)
    lower(VALUES_LETTERS, 1_000_000)
    with pytest.raises(LimitReached):
        check(LTS.from_transitions([(0, "a", 0)]), formula)


@pytest.mark.parametrize(("formula", "expected"), [
    ("<l([1, 2])>true", True), ("<l([0+1,2])>true", True), ("<l([2,1])>true", False),
    ("<s({1,2})>true", True), ("<s({2,1})>true", False), ("<b({1:1,2:1+1})>true", True),
    ("<r(2/4)>true", True), ("<r(1/2)>true", True), ("<l([])>true", False),
    ("<e([])>true", True), ("<g({:})>true", True), ("<n(6 div 2 * 3)>true", True),
])  # fmt: skip
def test_arguments_on_systems_are_the_texts_of_labels(formula, expected):
    labels = ["l([1,2])", "s({1, 2})", "b({1:1,2:2})", "r(1/2)", "e([])", "g({:})", "n(1)"]
    system = LTS.from_transitions([(0, label, 0) for label in labels])
    assert check(system, formula).holds == expected


@pytest.mark.parametrize("formula", ["<a(1 2)>true", "<a({1:})>true"])
def test_an_argument_that_is_no_term_is_an_error(formula):
    with pytest.raises(ParseError, match="labels in quotation marks"):
        check(LTS.from_transitions([(0, "a(1)", 0)]), formula)

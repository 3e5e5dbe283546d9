"""Formulas about paths: what they say is what all paths, or some, satisfy."""

from contextlib import ExitStack, contextmanager, nullcontext
from functools import reduce
from itertools import permutations, product
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import exchangeable
import strategies
from lts import LTS, ParseError
from lts.equivalence import refines
from lts.errors import LimitReached, LtsError, SpecificationError
from lts.logic import check, check_network, check_process, parse, satisfying_states
from lts.logic.data import LabelData
from lts.logic.paths import tableau
from lts.logic.paths.modal import without_paths
from lts.logic.paths.quantifiers import Normaliser
from lts.logic.paths.tableau import automaton
from lts.logic.paths.walks import as_walks
from lts.mucrl import generate, read_text
from lts.network import Network
from lts.symmetry import parse_permutation
from naive import relations
from naive.paths import closed, core, guesses, holding, some_path, written

MOST_GUESSED = 6


def trees(labels, variables=(), values=()):
    """Formulas about paths with these labels, in which (p) is a variable, or a value."""

    def of(scope):
        places = [*scope, *values] or [""]
        texts = sorted({text.replace("(p)", f"({p})") for text in labels for p in places})
        text = st.sampled_from(texts)
        atoms = [text.map(lambda t: ("label", t)), text.map(lambda t: ("can", t))]
        atoms += [st.just(("true",)), text.map(lambda t: ("WF", t)), text.map(lambda t: ("SF", t))]
        if len(places) > 1:
            place = st.sampled_from(places)
            atoms.append(st.tuples(st.just("same"), place, place))
        return st.recursive(
            st.one_of(atoms),
            lambda part: st.one_of(
                st.tuples(st.sampled_from(["not", "X", "F", "G", "F", "G", "A", "E"]), part),
                st.tuples(st.sampled_from(["and", "or", "U", "W", "R"]), part, part),
            ),
            max_leaves=3,
        )

    def bound(names, scope):
        if not names:
            return of(scope)
        name, *rest = names
        inner = bound(rest, [*scope, name])
        one = st.tuples(st.sampled_from(["forall", "exists"]), st.just(name), inner)
        above = st.sampled_from(["F", "G", "X", "not"])
        pair = st.tuples(st.sampled_from(["and", "or", "U"]), one, bound([], scope))
        return st.one_of(one, st.tuples(above, one), pair)

    return bound(list(variables), [])


SYSTEMS = st.integers(1, 4).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.tuples(st.integers(0, n - 1), st.sampled_from("abc"), st.integers(0, n - 1)),
            max_size=7,
        ),
    )
)
QUANTIFIERS = st.sampled_from("AE")


@given(SYSTEMS, QUANTIFIERS, trees("ab"))
@example((1, [(0, "a", 0), (0, "b", 0)]), "A", ("A", ("label", "a")))
def test_a_formula_holds_where_its_paths_say(system, quantifier, tree):
    states, steps = system
    meant = closed((quantifier, tree), ())
    assume(guesses(core(meant)) <= MOST_GUESSED)
    text = written((quantifier, tree))
    known = LTS.from_transitions(steps, state_count=states)
    found = satisfying_states(known, text)
    assert {s for s in range(states) if found[s]} == holding(steps, states, meant)
    verdict = check(known, text)
    assert verdict.holds == bool(found[0])
    if verdict.holds == (quantifier == "E") and verdict.path is None:
        # The evidence has a path that shows it.
        path = core(meant[1] if quantifier == "E" else ("not", meant[1]))
        kept = list(verdict.evidence.transitions())
        assert 0 in some_path(list(dict.fromkeys(steps)), kept, states, path)
    # What shows the answer is a system of which the formula says the same.
    kept = list(verdict.evidence.transitions())
    assert (0 in holding(kept, states, meant)) == verdict.holds


NESTED = st.sampled_from(["a", "b", "c"]).map(lambda text: ("label", text))
NESTED |= NESTED.map(lambda label: ("not", label))
WORDS = st.sampled_from("URW")


@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.integers(0, 2)), max_size=6),
    QUANTIFIERS,
    st.tuples(WORDS, NESTED, st.tuples(WORDS, NESTED, NESTED)),
)
@example(
    [(0, "c", 1), (1, "b", 1)],
    "E",
    ("R", ("label", "b"), ("R", ("not", ("label", "b")), ("label", "c"))),
)
@example(
    [(0, "c", 1), (1, "a", 0)], "E", ("U", ("label", "c"), ("U", ("label", "b"), ("label", "a")))
)
def test_one_until_inside_another(steps, quantifier, tree):
    meant = closed((quantifier, tree), ())
    assume(guesses(core(meant)) <= MOST_GUESSED)
    found = satisfying_states(
        LTS.from_transitions(steps, state_count=3), written((quantifier, tree))
    )
    assert {s for s in range(3) if found[s]} == holding(steps, 3, meant)


def fairly(tree, fair):
    """A formula where all paths are to be fair."""
    word, *parts = (fairly(part, fair) if isinstance(part, tuple) else part for part in tree)
    if word == "A":
        return ("A", ("or", ("not", fair), parts[0]))
    return ("E", ("and", fair, parts[0])) if word == "E" else (word, *parts)


@given(SYSTEMS, QUANTIFIERS, trees("ab"), trees("ab"))
def test_fairness_is_what_all_paths_satisfy(system, quantifier, tree, fair):
    states, steps = system
    meant = closed(fairly((quantifier, tree), fair), ())
    assume(guesses(core(meant)) <= MOST_GUESSED)
    known = LTS.from_transitions(steps, state_count=states)
    found = satisfying_states(known, written((quantifier, tree)), fair=written(fair))
    assert {s for s in range(states) if found[s]} == holding(steps, states, meant)


NUMBERED = ["a(1)", "a(2)", "b(1)", "b(2)", "c"]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(NUMBERED), st.integers(0, 3)), max_size=7
    ),
    QUANTIFIERS,
    st.integers(1, 2).flatmap(lambda n: trees(["a(p)", "b(p)", "c"], ["p", "q"][:n], ["1"])),
)
# A variable takes its values again and again: what is to be shown then is the same.
@example(
    [(0, "b(1)", 1), (0, "b(2)", 1), (1, "a(1)", 0)],
    "E",
    ("U", ("forall", "p", ("WF", "b(p)")), ("R", ("label", "a(1)"), ("label", "a(1)"))),
)
def test_variables_range_over_all_values(steps, quantifier, tree):
    meant = closed((quantifier, tree), ("1", "2"))
    assume(guesses(core(meant)) <= MOST_GUESSED)
    found = satisfying_states(
        LTS.from_transitions(steps, state_count=4), written((quantifier, tree))
    )
    assert {s for s in range(4) if found[s]} == holding(steps, 4, meant)


def said(texts):
    return texts | texts.map(lambda text: ("not", text))


STEP = said(st.sampled_from(["a(p)", "a(p)", "b(p)", "c"]).map(lambda text: ("label", text)))
CONDITION = said(st.sampled_from("112").map(lambda value: ("same", "p", value)))
CONDITION |= CONDITION | said(st.sampled_from(["a(p)", "b(p)"]).map(lambda text: ("can", text)))


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from(NUMBERED), st.integers(0, 1)), max_size=5
    ),
    QUANTIFIERS,
    st.lists(st.sampled_from(["X", "F", "G", "not"]), max_size=1),
    st.sampled_from([("exists", "and"), ("forall", "or"), ("exists", "and"), ("forall", "and")]),
    st.tuples(STEP, st.lists(CONDITION, min_size=1, max_size=2)),
    st.sampled_from([("1", "2"), ("1", "2"), ("1", "2"), ()]),
)
def test_values_of_a_step_and_conditions_on_them(steps, quantifier, above, kind, parts, values):
    """What is said for all values, or for some, of a step and of the state before it."""
    inner = reduce(lambda one, other: (kind[1], one, other), parts[1], parts[0])
    tree = reduce(lambda part, word: (word, part), above, (kind[0], "p", inner))
    meant = closed((quantifier, tree), values)
    assume(guesses(core(meant)) <= MOST_GUESSED)
    text = written((quantifier, tree), "1..2" if values else "2..1")
    found = satisfying_states(LTS.from_transitions(steps, state_count=2), text)
    assert {s for s in range(2) if found[s]} == holding(steps, 2, meant)


OFTEN = [("G", ("F", ("label", "a(p)"))), ("WF", "a(p)"), ("SF", "b(p)"), ("F", ("can", "a(p)"))]


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(NUMBERED), st.integers(0, 2)), max_size=6
    ),
    QUANTIFIERS,
    trees(["a(1)", "b(2)", "c"]),
    st.sampled_from(["forall", "forall", "exists"]),
    st.sampled_from(OFTEN),
    st.sampled_from([("1", "2"), ("1", "2"), ("1",), ()]),
)
@example([(0, "c", 0)], "E", ("G", ("not", ("label", "c"))), "forall", OFTEN[0], ())
def test_fairness_to_all_values(steps, quantifier, tree, kind, often, values):
    fair = (kind, "p", often)
    meant = closed(fairly((quantifier, tree), fair), values)
    assume(guesses(core(meant)) <= MOST_GUESSED)
    found = satisfying_states(
        LTS.from_transitions(steps, state_count=3),
        written((quantifier, tree)),
        fair=written(fair, f"1..{len(values)}"),
    )
    assert {s for s in range(3) if found[s]} == holding(steps, 3, meant)


def satisfies(steps, states, lasso, f):
    """Whether a path satisfies a core formula; what is possible is possible in the whole system."""
    ends = [t for _, _, t in lasso.steps]
    walked = [lasso.steps[0][0] if lasso.steps else 0, *ends]
    count = len(lasso.steps)
    places = [(k, a, k + 1) for k, (_, a, _) in enumerate(lasso.steps)]
    if lasso.again is not None:
        assert walked[-1] == walked[lasso.again]
        places[-1] = (count - 1, places[-1][1], lasso.again)
        walked.pop()
    possible = [
        (k, a, len(walked)) for k, state in enumerate(walked) for s, a, _ in steps if s == state
    ]
    loose = [(len(walked), "other", len(walked))]
    allowed = list(places)
    if lasso.again is None:
        # However it goes on from there.
        allowed += [row for row in possible if row[0] == count] + loose
    return 0 in some_path([*places, *possible, *loose], allowed, len(walked) + 1, f)


def words(tree):
    return {tree[0]}.union(*(words(part) for part in tree if isinstance(part, tuple)))


def only_paths(tree):
    """Whether nothing in a formula is about all paths or some."""
    return tree[0] not in "AE" and all(only_paths(t) for t in tree if isinstance(t, tuple))


TRUE = ["true", "(nu X. X)", "(!mu Y. Y)", "(nu Y. Y || <a>Y)"]
"""What holds everywhere, also where a fixed point is to be found without any step."""


@given(SYSTEMS, QUANTIFIERS, trees("ab"), trees("ab"), st.sampled_from(TRUE))
@example((2, [(0, "a", 1), (1, "b", 0)]), "E", ("G", ("true",)), ("true",), TRUE[1])
@example((1, []), "E", ("G", ("true",)), ("true",), TRUE[1])
@example((1, [(0, "a", 0)]), "A", ("F", ("not", ("true",))), ("true",), TRUE[1])
def test_the_path_that_is_shown(system, quantifier, tree, fair, true):
    states, steps = system
    assume(only_paths(tree) and only_paths(fair))
    meant = closed(fairly((quantifier, tree), fair), ())
    assume(guesses(core(meant)) <= MOST_GUESSED)
    found = check(
        LTS.from_transitions(steps, state_count=states),
        written((quantifier, tree)).replace("true", true),
        fair=written(fair),
    )
    assert found.holds == (0 in holding(steps, states, meant))
    if found.holds != (quantifier == "E"):
        assert found.path is None
        return
    if found.path is None:
        assert true != "true"  # a game that ends without a step shows it, not a path
        return
    assert set(found.path.steps) <= set(steps)
    assert {*found.path.steps} <= {*found.evidence.transitions()}
    path = core(meant[1] if quantifier == "E" else ("not", meant[1]))
    assert satisfies(steps, states, found.path, path)


@pytest.mark.parametrize(("bound", "each"), [
    ("A exists p:1..2. X a(p)", "A (X a(1) || X a(2))"),
    ("A forall p:1..2. X a(p)", "A (X a(1) && X a(2))"),
    ("E forall p:1..2. X !a(p)", "E (X !a(1) && X !a(2))"),
    ("E exists p:1..2. X a(p)", "E (X a(1) || X a(2))"),
    ("E forall p:1..2. (!a(p) U b)", "E ((!a(1) U b) && (!a(2) U b))"),
    ("A exists p:1..2. (a(p) R !b)", "A ((a(1) R !b) || (a(2) R !b))"),
    ("E forall p:1..2. (b R !a(p))", "E ((b R !a(1)) && (b R !a(2)))"),
    ("E forall p:1..2. (F b || a(p))", "E ((F b || a(1)) && (F b || a(2)))"),
    ("E exists p:1..2. (a(p) && X a(p))", "E ((a(1) && X a(1)) || (a(2) && X a(2)))"),
    ("A exists p:1..2. (a(p) U X a(p))", "A ((a(1) U X a(1)) || (a(2) U X a(2)))"),
    ("A [] <> b", "A G F b"), ("E <> [] !b", "E F G !b"), ("E []<> (b && <> b)", "E G F b"),
    ("E F (a(...) && !a(1))", "E F a(2)"),
    ("A F ((a(1) || b) && (b || a(2)))", "A F b"),
    ("E forall p:1..2. F exists q:1..2. (a(q) && X (a(q) || a(p)))",
     "E ((F (a(1) && X a(1) || a(2) && X a(...))) && (F (a(1) && X a(...) || a(2) && X a(2))))"),
    ("E X (!a(...) && !a(2))", "E X !(a(1) || a(2))"),
    ("E !(false || G b)", "E F !b"), ("A (b && false || F b)", "A F b"),
])  # fmt: skip
@given(strategies.systems(max_states=4, labels=("a(1)", "a(2)", "b"), max_transitions=7))
def test_what_is_said_of_values_is_said_of_each(bound, each, system):
    assert satisfying_states(system, bound) == satisfying_states(system, each)


SWAP, TURN = parse_permutation("(p1 p2)"), parse_permutation("(p1 p2 p3)")
FIRST = exchangeable.STEP.map(lambda step: (0, "u", None, step[3], ("some(p)", "a")))
STEPS = st.tuples(FIRST, st.lists(exchangeable.STEP, max_size=4)).map(lambda p: [p[0], *p[1]])


@given(
    STEPS,
    QUANTIFIERS,
    trees(["u(p)", "v(p)", "h"], ["p"], ["p1"]),
    st.sampled_from([(), (SWAP,), (TURN,), (SWAP, TURN)]),
    st.booleans(),
)
def test_specifications_and_orbits(steps, quantifier, tree, group, played):
    """Also where the paths of a formula are not searched, and it is `played` as a game."""
    specification = read_text(exchangeable.text(steps))
    system = generate(specification)
    meant = closed((quantifier, tree), ("p1", "p2", "p3"))
    assume(guesses(core(meant)) <= MOST_GUESSED)
    rows = [(s, label, t) for s, each in enumerate(relations.steps_of(system)) for label, t in each]
    expected = system.initial in holding(rows, system.state_count, meant)
    text = written((quantifier, tree), "P")
    with games_alone() if played else nullcontext():
        found = check_process(specification, text, group, evidence=True)
    assert found.holds == expected
    assert refines(system, found.evidence, "simulation").holds
    if found.path is not None:
        assert found.holds == (quantifier == "E")
        kept = {*found.evidence.transitions()}
        if words(tree) & {"can", "WF", "SF", "A", "E"}:
            assert {*found.path.steps} <= kept
        else:
            assert {*found.path.steps} == kept
    # What shows the answer is a system of which the formula says the same.
    kept = list(found.evidence.transitions())
    assert (0 in holding(kept, found.evidence.state_count, meant)) == expected


@pytest.mark.parametrize("word", ["G", "F", "F G", "true U", "a U", "a R", "false R"])
@pytest.mark.parametrize("inner", ["G F a", "F G a", "G F a || F G !a", "G F a && G F b"])
def test_what_holds_of_the_end_of_a_path_is_not_said_again(word, inner):
    system = read_text("sort Bool func T,F:->Bool act a,b proc X = a.Y + b.X Y = b.X + a.Y init X")
    for quantifier in "AE":
        again, once = (
            check_process(system, f"{quantifier} ({text})") for text in (f"{word} ({inner})", inner)
        )
        assert (again.holds, again.positions) == (once.holds, once.positions)


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("F (G F a || b)", True), ("F (G F b && a)", True), ("G (G F a || a)", False),
        ("G (F G b || a)", True), ("a U (G F b && b)", True), ("b R (F G a || a)", False),
    ],
)  # fmt: skip
def test_what_is_only_in_part_about_the_end_is_said_again(formula, holds):
    """Of the path a b b b .."""
    system = read_text("sort Bool func T,F:->Bool act a,b proc X = a.Y Y = b.Y init X")
    for quantifier in "AE":
        assert check_process(system, f"{quantifier} ({formula})").holds == holds
        assert check_process(system, f"{quantifier} !({formula})").holds != holds


@pytest.mark.parametrize(("formula", "promised"), [
    ("E G (a => F (b && F a))", 2), ("E (G (F a || X b) && F G (F b || a))", 2),
    ("A (G F (a && X b) => G F (b && X b))", 1),
])  # fmt: skip
def test_paths_that_promise_too_much_to_be_searched_are_played(formula, promised, monkeypatch):
    system = LTS.from_transitions([(0, "a", 0), (0, "b", 1), (1, "a", 0)])
    holds = [check(system, formula).holds]
    for most in (promised, promised - 1):
        monkeypatch.setattr("lts.logic.paths.walks.MOST_PROMISES", most)
        parsed = parse(formula)
        assert (as_walks(parsed, LabelData(parsed, system.labels)) is None) == (most < promised)
        holds.append(check(system, formula).holds)
    assert len({*holds}) == 1


def test_paths_of_too_many_values_to_be_searched_are_played():
    """A search has a state for each value, and no more than 4,096 states."""
    formula = "E exists n:0..4999. (X a(n) && X X b(n))"
    steps = [(0, "a(1)", 1), (0, "a(4900)", 1), (1, "b(4900)", 0)]
    assert not check(LTS.from_transitions(steps), formula).holds
    process = read_text(
        "%@ include Nat\nact a,b:Nat proc X = a(1).Y + a(4900).Y Y = b(4900).X init X"
    )
    found = check_process(process, formula)
    with games_alone():
        played = check_process(process, formula)
    assert (found.holds, found.positions) == (played.holds, played.positions)
    assert not found.holds


def test_a_search_for_a_path_has_a_limit():
    system = LTS.from_transitions([(0, "a", 0), (0, "b", 1), (1, "a", 0)])
    formula = "E (G F a && F (b && X a))"
    assert check(system, formula, max_positions=5).holds
    with pytest.raises(
        LimitReached, match="more than 4 pairs of a part of the formula and a state"
    ):
        check(system, formula, max_positions=4)


@pytest.mark.parametrize(("formula", "holds"), [("A F c", False), ("E G F c", True)])
def test_what_is_shown_has_a_size(formula, holds, monkeypatch):
    system = read_text(
        "sort Bool func T,F:->Bool act a,b,c proc X = a.Y + b.X Y = b.X + a.Z Z = c.X + b.Z init X"
    )
    pairs = check_process(system, formula).pairs
    for most in (pairs, pairs - 1):
        monkeypatch.setattr("lts.logic.processes.MAX_EVIDENCE", most)
        found = check_process(system, formula, evidence=True)
        assert found.holds == holds
        assert (found.path is not None) == (found.evidence is not None) == (most == pairs)


@contextmanager
def games_alone():
    """Paths are not searched: what is asked of them is played as a game, which is slower."""
    with ExitStack() as patched:
        for search in ("as_walks", "one_player"):
            patched.enter_context(patch(f"lts.logic.processes.{search}", lambda *_: None))
        yield


@pytest.mark.parametrize(("formula", "holds"), [
    ("E (G F a && G F b)", True), ("A (F G a || F G b)", False),
])  # fmt: skip
def test_a_path_is_all_that_is_shown(formula, holds):
    """One that goes to `a` and `b` in turn, though both can be reached from each of its states."""
    system = read_text("sort Bool func T,F:->Bool act a,b proc X = a.Y + b.X Y = b.X + a.Y init X")
    searched = check_process(system, formula, evidence=True)
    with games_alone():
        played = check_process(system, formula, evidence=True)
    for found in (searched, played):
        assert found.holds == holds
        assert {*found.path.steps} == {*found.evidence.transitions()}


@pytest.mark.parametrize("formula", [
    "E (a && X b)", "E (a && X (b && <b>true))", "E (a && X (b && E (b && X true)))",
    "A (a => X !b)", "E (E (a && X b) && a && X b && X X G d)", "<a.b>true",
])  # fmt: skip
def test_what_is_shown_is_in_the_order_of_the_system(formula):
    others = [(0, f"c{number}", 0) for number in range(7)]
    steps = [others[0], (1, "b", 2), *others[1:], (0, "a", 1), (2, "d", 2)]
    found = check(LTS.from_transitions(steps), formula)
    assert found.holds == (formula[0] != "A")
    shown = [*found.evidence.transitions()]
    assert {(0, "a", 1), (1, "b", 2)} <= {*shown}
    assert shown == [step for step in steps if step in shown]


def test_labels_of_what_is_shown_are_in_the_order_in_which_they_are_met():
    text = "sort Bool N func T,F:->Bool 0,1,2,3,4,5,6,7,8,9:->N act a:N b:N"
    specification = read_text(f"{text} init sum(n:N, a(n).sum(m:N, a(m).b(m).delta))")
    found = check_process(specification, "<a(8).a(1)>true", evidence=True)
    assert found.evidence.labels == ("a(1)", "a(8)")
    assert [*found.evidence.transitions()] == [(0, "a(8)", 1), (1, "a(1)", 2)]


TURNS = """sort Bool D func T,F:->Bool 1,2:->D act a:D b,c
proc P = a(1).Q + a(2).R Q = b.P + tau.delta R = c.R init P"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        # What is said of the end of a path, and of the step to it.
        ("E F !X true", True),
        ("A F !X true", False),
        ("E G X true", True),
        ("E !X true", False),
        ("E F (b && !X true)", False),
        ("E F (c && X !X true)", False),
        ("A F (c || !X true)", False),
        ("A G (tau => X !X true)", True),
        ("A G (a(1) => X (b || tau))", True),
        ("A G (a(1) => X b)", False),
        ("E (a(2) && X G c)", True),
        ("A (b R !c)", False),
        # Labels, and none.
        ("E F tau", True),
        ("A F tau", False),
        ("E G !tau", True),
        ('E F "a(1)"', True),
        ('A G !"c"', False),
        ("<tau|tau>true", False),
        ("<a(1)><tau|tau>true", True),
        ("<a(1)><tau|b>true", True),
        # Steps and conditions on data in one, for all values and for some.
        ("A forall n:D. (val(n == 1) || a(n))", False),
        ("E forall n:D. (val(n == 1) || a(n))", True),
        ("A forall n:D. (val(n == 1) || !a(n))", False),
        ("A exists n:D. (val(n == 1) && a(n))", False),
        ("E exists n:D. (val(n == 1) && a(n))", True),
        ("E exists n:D. (val(n == 2) && !a(n))", True),
        ("A exists n:D. (val(n == 2) && !a(n))", False),
        ("A forall n:D. (<a(n)>true || a(n))", True),
        ("E F forall n:D. [a(n)]false", True),
        ("E forall n:D. F (a(n) || b)", True),
        ("A forall n:D. exists m:D. F (a(n) || a(m))", True),
        # Fixed points of which one player has all choices, also where they go round without a step.
        ("mu X. exists n:D. !([a(n)]!X) || [true]false", False),
        ("mu X. exists n:D. !([a(n)]!(<b>X || <c>true))", True),
        ("nu X. exists n:D. <a(n)>nu Y. (<b>X || <c>Y)", True),
        ("mu X. mu Y. (<a(1)>X || <b>Y || <tau>true)", True),
        ("nu X. (val(true) && (nu Y. <a(1)>(<b>X && val(true))))", True),
        ("mu X. ([c]false && (mu Y. (X || <a(1)><tau>true)))", True),
        ("nu X. (val(true) && (mu Y. (X || Y)))", True),
        ("mu X. (val(true) && (mu Y. (X || Y)))", False),
        ("nu X. [a(2)]false && (nu Y. (X && Y))", False),
        ("nu X. <a(2)>true && (nu Y. (X && Y))", True),
        ("nu X. (X || <a(1)>X)", True),
        ("nu X. exists n:D. (X || <a(n)>X)", True),
        ("mu X. exists n:D. (X || <a(n)>X)", False),
        # Of states on a path, more than what the next step can be.
        ("E F <a(1)><b>true", True),
        ("E G <a(1)><b>true", False),
        ("A G [a(1)][b]true", True),
        ("A G [a(1)][b]false", False),
    ],
)
def test_searches_and_games_agree(formula, holds):
    system = read_text(TURNS)
    assert check_process(system, formula).holds == holds
    with games_alone():
        assert check_process(system, formula).holds == holds


def automaton_of(formula):
    parsed = parse(formula)
    normaliser = Normaliser(parsed, LabelData(parsed, ["a", "b"]))
    return automaton(normaliser, normaliser.normal(parsed.nodes[parsed.root][2][0], True))[1]


@given(trees("ab"))
def test_no_edge_is_needless(tree):
    """None asks for more than another one that leads to the same and promises no more."""
    for edges in automaton_of(written(("E", tree))).values():
        for one, other in permutations(edges, 2):
            assert not (
                one.target == other.target
                and {*one.moment.states} <= {*other.moment.states}
                and one.moment.wanted in (None, other.moment.wanted)
                and (one.ends or not other.ends)
                and (one.has_step or not other.has_step)
                and one.promised <= other.promised
            )


@pytest.mark.parametrize("said", ["a || b || c", "!a && !b && !c", "a || !b || !c || b"])
def test_what_is_said_of_one_step_is_one_set_of_labels(said):
    for edges in automaton_of(f"E G ({said})").values():
        assert len([edge for edge in edges if edge.has_step]) == 1


def test_a_state_has_so_many_edges_at_most(monkeypatch):
    """They are counted before those that are needless go."""
    ways = " || ".join(f"({now} && X a)" for now in ("a", "b", "!a", "!b", "X b"))
    [*edges] = map(len, automaton_of(f"E ({ways})").values())
    assert (len(edges), max(edges)) == (4, 5)
    monkeypatch.setattr(tableau, "MOST_STATES", 5)
    assert list(map(len, automaton_of(f"E ({ways})").values())) == edges
    monkeypatch.setattr(tableau, "MOST_STATES", 4)
    with pytest.raises(LimitReached, match="more than 4 states, or edges of one"):
        automaton_of(f"E ({ways})")
    assert len(automaton_of("E X X a")) == 4
    monkeypatch.setattr(tableau, "MOST_STATES", 3)
    with pytest.raises(LimitReached, match="more than 3 states, or edges of one"):
        automaton_of("E X X a")


SENDERS = """sort Bool P func T,F:->Bool p1,p2:->P act a,b:P c
proc X = sum(p:P, a(p).Y(p)) + c.X Y(p:P) = b(p).X + sum(q:P, a(q).Y(p))
init X
"""


@pytest.mark.parametrize(("formula", "fair", "most"), [
    ("A G F c", None, 6),
    ("E G F c", None, 4),
    ("A F G c", None, 4),
    ("E F G c", None, 4),
    ("A G (c || X c)", None, 6),
    ("E (G F c && G F b(p1))", None, 4),
    ("A (G F a(p1) || F G c)", None, 6),
    ("A (c U b(p1))", None, 2),
    ("E (c U (b(p1) || a(p1)))", None, 2),
    ("A (c W a(p1))", None, 2),
    ("A (a(p1) R !c)", None, 3),
    ("A X X c", None, 8),
    ("E X X c", None, 8),
    ("A G (a(p1) => F b(p1))", None, 6),
    ("E G (a(p1) => X a(p2))", None, 6),
    ("A forall p:P. G (a(p) => F b(p))", None, 9),
    ("E exists p:P. F b(p)", None, 4),
    ("A exists p:P. F b(p)", None, 3),
    ("E forall p:P. G F b(p)", None, 4),
    ("E forall p:P. F b(p)", None, 11),
    ("A forall p:P. (G F a(p) => G F b(p))", None, 13),
    ("E G (exists p:P. a(p))", None, 3),
    ("E G (forall p:P. !b(p))", None, 3),
    ("A G (forall p:P. a(p) => X !c)", None, 5),
    ("E F (exists p:P. a(p) && X b(p))", None, 6),
    ("A F E G c", None, 18),
    ("E G A F c", None, 25),
    ("A G (<c>true => F c)", None, 6),
    ("E (F G <c>true && G F !c)", None, 6),
    ("A WF(c)", None, 5),
    ("E SF(b(p1))", None, 4),
    ("A forall p:P. WF(a(p))", None, 9),
    ("E (G F c && F G !b(p1) && F a(p2))", None, 13),
    ("A ((F a(p1)) U c)", None, 6),
    ("E ((G F c) R (F a(p1)))", None, 12),
    ("E G G F F c", None, 4),
    ("A (F c && G (c => X c))", None, 9),
    ("E (F a(p1) && F a(p2) && F c)", None, 21),
    ("A (X true => F c)", None, 4),
    ("E F (c && X false)", None, 1),
    ("A G (c || X true)", None, 3),
    ("E G (c => F (a(p1) && F b(p1)))", None, 12),
    ("A G ((a(p1) U c) || b(p1))", None, 4),
    ("E G (F c && X F a(p1))", None, 4),
    ("A G F b(p1)", "forall p:P. WF(a(p))", 6),
    ("A F c", "forall p:P. WF(a(p))", 3),
    ("E F G c", "forall p:P. WF(a(p))", 4),
    ("A forall p:P. F a(p)", "forall p:P. WF(a(p))", 5),
    ("A G F b(p1)", "G F c", 6),
    ("A F c", "G F c", 3),
    ("E F G c", "G F c", 4),
    ("A forall p:P. F a(p)", "G F c", 5),
    ("A G F b(p1)", "SF(c)", 6),
    ("A F c", "SF(c)", 3),
    ("E F G c", "SF(c)", 4),
    ("A forall p:P. F a(p)", "SF(c)", 5),
    ("A G F b(p1)", "forall p:P. SF(b(p))", 6),
    ("A F c", "forall p:P. SF(b(p))", 3),
    ("E F G c", "forall p:P. SF(b(p))", 4),
    ("A forall p:P. F a(p)", "forall p:P. SF(b(p))", 5),
    ("A G F b(p1)", "WF(c)", 6),
    ("A F c", "WF(c)", 3),
    ("E F G c", "WF(c)", 4),
    ("A forall p:P. F a(p)", "WF(c)", 5),
    ("A G F b(p1)", "forall p:P. G F a(p)", 6),
    ("A F c", "forall p:P. G F a(p)", 3),
    ("E F G c", "forall p:P. G F a(p)", 4),
    ("A forall p:P. F a(p)", "forall p:P. G F a(p)", 5),
])  # fmt: skip
def test_no_more_is_looked_at_than_before(formula, fair, most):
    """What makes the automaton of a formula larger is no mistake of the answer, but of the work."""
    found = check_process(read_text(SENDERS), formula, fair=fair)
    assert found.positions <= most
    with games_alone():
        assert check_process(read_text(SENDERS), formula, fair=fair).holds == found.holds


@pytest.mark.parametrize(("formula", "holds"), [
    ("E (G !c && G F a(p1))", True), ("E (G !b(p1) && G F (a(p1) && X b(p1)))", False),
    ("E (G !a(p1) && G F b(p1))", False), ("E (G !a(p1) && G F (b(p1) || c))", True),
    ("E (G c && G F a(p1))", False), ("E (F G c && G F !a(...))", True),
    ("E G F ((a(p1) && X b(p1)) || (<c>true && b(p1)))", True),
    ("E G F ((<c>true && b(p1)) || (<b(p1)>true && b(p2)))", False),
    ("A (G (a(...) || b(...)) => G F a(...))", True), ("A (G !c => G F b(p1))", False),
])  # fmt: skip
def test_a_step_does_all_that_is_asked_of_it(formula, holds):
    """Of a step that may not be everything, and is to be something again and again."""
    assert check_process(read_text(SENDERS), formula).holds == holds
    with games_alone():
        assert check_process(read_text(SENDERS), formula).holds == holds


LAWS = [
    ("A G b", "!E F !b"),
    ("A (a U b)", "A (b R (a || b)) && A F b"),
    ("A (a W b)", "A (b R (a || b))"),
    ("A G F a", "A G (true U a)"),
    ("A X a", "A (!<true>true || X a) && <true>true"),
    ("E F (b && X a)", "<true*.b.a>true"),
    ("E F <b>true", "<true*.b>true"),
    ("A (SF(a) => WF(a))", "true"),
    ("A [] (a => <> b)", "A G (a => F b)"),
    ("A a U b && A G a", "(A (a U b)) && (A (G a))"),
]


@given(SYSTEMS, st.sampled_from(LAWS))
def test_laws(system, law):
    known = LTS.from_transitions(system[1], state_count=system[0])
    one, other = (satisfying_states(known, formula) for formula in law)
    assert one == other


@pytest.mark.parametrize(("formula", "same"), [
    ("A(G(a => F(b)))", "A (G ((a) => (F b)))"),
    ("A a U b U c", "A (a U (b U c))"), ("E a R b W c U b", "E (a R (b W (c U b)))"),
    ("E (a W b R c && !a)", "E ((a W (b R c)) && !a)"), ("E !a R b", "E ((!a) R b)"),
    ("E (a && b || c => a)", "E (((a && b) || c) => a)"), ("A X a U b", "A ((X a) U b)"),
    ("E (a => b => c)", "E (a => (b => c))"), ("A (F a || G b && c)", "A ((F a) || ((G b) && c))"),
    ("A (a U b && c)", "A ((a U b) && c)"),
    ("A G a => <b>true", "(A G a) => <b>true"),
    ("A (<a>true U b)", "A ((<a>true) U (b))"),
    ("E(!a U(b))", "E ((!a) U b)"),
    ("let B = <a>true in A G B", "A G <a>true"),
    ("mu A. <a>A", "mu B. <a>B"),
    ("A WF(a)", "A G F (!<a>true || a)"),
    ("A G [a]<b>true", "A G ([a](<b>true))"),
    ("[a]A X b", "[a](A X b)"),
])  # fmt: skip
def test_what_binds_more(formula, same):
    data = [LabelData(parse(text), ["a", "b", "c"]) for text in (formula, same)]
    one, other = (without_paths(one.formula, one) for one in data)
    # A state for each word of at most four letters, from which only that word can be done.
    words = ["".join(word) for size in range(5) for word in product("abc", repeat=size)]
    steps = [(words.index(word), word[0], words.index(word[1:])) for word in words if word]
    system = LTS.from_transitions(steps)
    assert satisfying_states(system, formula) == satisfying_states(system, same)
    assert [node[0] for node in one.nodes] == [node[0] for node in other.nodes]


@pytest.mark.parametrize(("formula", "fair", "message"), [
    ("G a", None, "1:1: `G` is about paths: say `A G ..` of all, or `E G ..` of some"),
    ("G(a => F b)", None, "1:1: `G` is about paths"),
    ("<a>F b", None, "1:4: `F` is about paths"),
    ("A (a => F )", None, "1:11: expected a formula about paths, not `)`"),
    ("A (a U )", None, "1:8: expected a formula about paths, not `)`"),
    ("A", None, "1:2: expected a formula about paths, not the end"),
    ("A G(a", None, "1:4: this bracket is never closed"),
    ("A (a b)", None, "1:6: expected `)`, not `b`"),
    ("nu Y. A F Y", None, "1:11: `Y` is a fixed point around `A` or `E`"),
    ("A forall p:1..2. F p", None, "1:20: `p` is data; what it says of truth"),
    ("<a>true", "WF(a)", "fairness is about paths: say `A ..` of all"),
    ("A F a", "WF(a", "2:3: this bracket is never closed"),
    ("A F a", "WF(a) b", "2:7: expected an operator or the end"),
    ("A F a", "", "2:1: expected a formula about paths, not the end"),
])  # fmt: skip
def test_errors_say_where_and_what(formula, fair, message):
    with pytest.raises(ParseError) as caught:
        check(LTS.from_transitions([(0, "a", 1)]), formula, fair=fair)
    assert message in str(caught.value)


@pytest.mark.parametrize(("formula", "expected"), [
    ("forall p:1..2. exists q:1..p. <a(q)>true", {0}),
    ("exists p:1..2. forall q:1..p. <a(q)>true", {0}),
    ("exists p:2..2. exists q:1..p. <a(q)>true", {0, 1}),
    ("forall p:1..2. <exists q:1..p. a(q) && val(q == p)>true", {0}),
    ("mu X(p:Nat = 1). <b>true || exists q:p..p. <a(q)>X(q + 1)", {0, 2}),
    # Of no value nothing is so, and everything of each.
    ("exists p:2..2. E exists q:p..1. !a(q)", set()),
    ("exists p:2..2. E forall q:p..1. a(q)", {0, 1, 2}),
    ("exists p:1..1. E exists q:p..2. !a(q)", {0, 1, 2}),
    ("exists p:1..1. A exists q:p..1. !a(q)", {1, 2}),
])  # fmt: skip
def test_bounds_that_depend_on_data(formula, expected):
    steps = [(0, "a(1)", 1), (0, "a(2)", 1), (1, "a(2)", 2), (2, "b", 2)]
    found = satisfying_states(LTS.from_transitions(steps), formula)
    assert {state for state in range(3) if found[state]} == expected


@pytest.mark.parametrize("formula", [
    "E forall p:1..2. F exists q:1..p. a(q)",
    "A exists p:1..2. G forall q:1..p. F a(q)",
    "E G exists p:1..2. (X a(p) && F exists q:1..p. X a(q))",
    "E forall p:1..2. F forall q:1..p. X true",
])  # fmt: skip
def test_bounds_that_depend_on_values_taken_one_by_one(formula):
    system = LTS.from_transitions([(0, "a(1)", 0), (0, "a(2)", 1)])
    check(system, formula.replace("..p.", "..2."))
    with pytest.raises(SpecificationError, match="no bounds may depend on `p` here"):
        check(system, formula)


def test_bounds_that_depend_on_data_around_a_path():
    system = LTS.from_transitions([(0, "a(1)", 0)])
    with pytest.raises(SpecificationError, match="1:25: the bounds of `p` may not depend on data"):
        check(system, "exists q:1..2. E forall p:1..q. F a(p)")


def test_variables_without_end():
    text = """sort Bool Nat func T,F:->Bool 0:->Nat S:Nat->Nat map lt:Nat#Nat->Bool var n,m:Nat
    rew lt(n,0)=F lt(0,S(m))=T lt(S(n),S(m))=lt(n,m)
    act send,recv:Nat proc X = sum(n:Nat,send(n).recv(n).X <| lt(n,S(S(S(0)))) |> delta) init X"""
    specification = read_text(text)
    assert check_process(specification, "A G (forall n:Nat. send(n) => X recv(n))").holds
    assert not check_process(specification, "A F exists n:Nat. recv(n) && val(n == S(0))").holds
    with pytest.raises(SpecificationError, match="formula:1:10"):
        check_process(specification, "E forall n:Nat. F send(n)")


def test_networks_and_other_properties():
    door = LTS.from_transitions([(0, "open", 1), (1, "close", 0)])
    network = Network.of([door] * 2, [({k: x}, f"{x}({k})") for k in (0, 1) for x in door.labels])
    formula = "A G (open(0) => F close(0))"
    assert not check_network(network, formula).holds
    assert check_network(network, formula, fair="WF(close(0))").holds
    with pytest.raises(LtsError, match="says nothing of them"):
        check(door, "deterministic", fair="WF(open)")
    with pytest.raises(ParseError, match="fairness is about paths"):
        check(door, "deadlock-free", fair="WF(open)")

"""Formulas about paths: what they say is what all paths, or some, satisfy."""

from contextlib import nullcontext
from functools import reduce
from itertools import product

import networkx as nx
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import exchangeable
import strategies
from lts import LTS, ParseError
from lts.equivalence import refines
from lts.errors import LtsError, SpecificationError
from lts.logic import check, check_network, check_process, parse, satisfying_states
from lts.logic.data import LabelData
from lts.logic.paths.modal import without_paths
from lts.mucrl import generate, read_text
from lts.network import Network
from lts.symmetry import parse_permutation
from naive import relations
from naive.paths import closed, core, guesses, holding, some_path, written
from path_formulas import games_alone, trees

MOST_GUESSED = 6


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
def test_path_formulas_match_the_semantics(system, quantifier, tree):
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
def test_nested_until_operators(steps, quantifier, tree):
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
def test_fairness_equals_an_implication_on_paths(system, quantifier, tree, fair):
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
def test_quantified_step_conditions(steps, quantifier, above, kind, parts, values):
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
    return {*(part for part in tree if isinstance(part, str))}.union(
        *(words(part) for part in tree if isinstance(part, tuple))
    )


def reached(steps):
    """The states reachable from state 0."""
    return {0, *nx.descendants(nx.MultiDiGraph([(s, t) for s, _, t in [*steps, (0, "", 0)]]), 0)}


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
    # An assumption about what never happens, or of no path, is refused (test_vacuous_fairness).
    assume({"a", "b"} & words(fair) <= {label for _, label, _ in steps})
    assume(holding(steps, states, closed(("E", fair), ())) & reached(steps))
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
def test_bound_variables_equal_their_expansion(bound, each, system):
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
def test_equivalences_of_path_formulas(system, law):
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
def test_operator_precedence_in_path_formulas(formula, same):
    data = [LabelData(parse(text), ["a", "b", "c"]) for text in (formula, same)]
    one, other = (without_paths(one.formula, one) for one in data)
    # A state for each word of at most four letters, from which only that word can be done.
    words = ["".join(word) for size in range(5) for word in product("abc", repeat=size)]
    steps = [(words.index(word), word[0], words.index(word[1:])) for word in words if word]
    system = LTS.from_transitions(steps)
    assert satisfying_states(system, formula) == satisfying_states(system, same)
    assert [node[0] for node in one.nodes] == [node[0] for node in other.nodes]


@pytest.mark.parametrize(("formula", "fair", "message"), [
    ("G a", None, "1:1: `G` is about paths: write `A G ..` for all paths, or `E G ..`"),
    ("G(a => F b)", None, "1:1: `G` is about paths"),
    ("<a>F b", None, "1:4: `F` is about paths"),
    ("A (a => F )", None, "1:11: expected a formula about paths, not `)`"),
    ("A (a U )", None, "1:8: expected a formula about paths, not `)`"),
    ("A", None, "1:2: expected a formula about paths, not the end"),
    ("A G(a", None, "1:4: this `(` is never closed"),
    ("A (a b)", None, "1:6: expected `)`, not `b`"),
    ("nu Y. A F Y", None, "1:11: the fixed point `Y` is outside `A` or `E`"),
    ("A forall p:1..2. F p", None, "1:20: `p` is data; write"),
    ("<a>true", "WF(a)", "fairness is about paths: write `A ..` for all"),
    ("A F a", "WF(a", "2:3: this `(` is never closed"),
    ("A F a", "WF(a) b", "2:7: expected an operator or the end"),
    ("A F a", "", "2:1: expected a formula about paths, not the end"),
])  # fmt: skip
def test_errors_have_position_and_message(formula, fair, message):
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
    with pytest.raises(SpecificationError, match="bounds must not depend on `p` here"):
        check(system, formula)


def test_bounds_that_depend_on_data_around_a_path():
    system = LTS.from_transitions([(0, "a(1)", 0)])
    with pytest.raises(SpecificationError, match="1:25: the bounds of `p` must not depend on data"):
        check(system, "exists q:1..2. E forall p:1..q. F a(p)")


def test_variables_over_infinite_sorts():
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
    with pytest.raises(LtsError, match="not about paths"):
        check(door, "deterministic", fair="WF(open)")
    with pytest.raises(ParseError, match="fairness restricts paths"):
        check(door, "deadlock-free", fair="WF(open)")

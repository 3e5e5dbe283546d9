"""Formulas with sets, lists, bags and functions of identities, and with overloaded actions: their
verdicts are those of the definition, with and without symmetry."""

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lts import LTS, mcrl2, mucrl
from lts.errors import LtsError, NotProven, SpecificationError
from lts.linear.linearise import linearise
from lts.logic import check, check_process
from lts.symmetry.permutation.notation import parse_permutation
from lts.text.source import Source
from naive import containers

EXCHANGED = tuple(map(parse_permutation, ("(p1 p2)", "(p1 p2 p3)")))
EXCHANGED_DATA = tuple(map(parse_permutation, ("(d1 d2)", "(d1 d2 d3)")))
MOST_STATES = 40
SHAPES = {
    "sets": r"\{p", "lists": r"\[p", "bags": ": 1", "functions": "lambda", "parameters": "u X",
    "overloaded": r"\bc\(", "updates": r"\[[^]]* -> ", "comprehensions": r" \| ",
    "further arguments": r", \.\.\.\)",
    "quantified containers": r": (FSet\(P\)|P -> Bool)\. ",
}  # fmt: skip


def test_verdicts_match_definition():
    reached = Counter()

    @given(
        st.lists(st.sampled_from([*containers.SUMMANDS]), min_size=2, max_size=5, unique=True),
        st.lists(containers.formulas(), min_size=6, max_size=6),
    )
    def example(kinds, formulas):
        text, steps = containers.process(kinds)
        assume(len(steps) <= MOST_STATES)
        process = linearise(mcrl2.read_text(text))
        for formula, where in formulas:
            expected = 0 in where(steps, {}, {})
            assert check_process(process, formula).holds == expected, (text, formula)
            reached["all"] += 1
            try:
                found = check_process(process, formula, EXCHANGED)
            except NotProven:
                reached["refused"] += 1
                continue
            assert found.holds == expected, (text, formula)
            for shape, sign in SHAPES.items():
                reached[shape, expected] += bool(re.search(sign, formula))

    example()
    for shape in SHAPES:
        assert reached[shape, True] + reached[shape, False] >= 1, reached
    assert reached["refused"] * 50 <= reached["all"], reached


OVERLOADED = """sort D = struct d1 | d2; E = struct e | n(Nat); act c: D; c: E; c; c: List(D);
  c: List(E);
init c(e) . c(d1) . c(n(3)) . c . (c(d2)|c(e)) . delta;"""
OVERLOADED_MUCRL = """sort Bool func T, F: -> Bool sort D func d1, d2: -> D sort E func e: -> E
act c: D c: E c proc X = c(e) . c(d1) . c . delta init X"""


OF_BOTH = [
    ("<c(d1)>true", False), ("<true*.c(d1)>true", True), ("[c(d1)]false", True),
    ("exists x: D. <c(x)>true", False), ("exists x: E. <c(x)>true", True),
    ("<true>exists x: D. <c(x)>true", True), ("forall x: E. [true][c(x)]false", True),
    ("<exists x: D. c(x)>true", False), ("<exists x: E. c(x)>true", True),
    ("A F <c(d1)>true", True), ("E G !<c(d1)>true", False), ("A G [c(d2)]false", True),
    ("<{c !d1}>true", False), ("<{c !e}>true", True), ("<{c ?x:E}>val(x == e)", True),
    ("<{c ?x:D}>true", False), ("<{c ?any}.{c ?x:D}>val(x == d1)", True), ("<{c}>true", False),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "expected"), [
    *OF_BOTH, ("<c(e).c(d1).c(n(3)).c>true", True), ("<true*.c([])>true", False),
    ("<true.true>exists m:0..5. <c(n(m))>val(m == 3)", True),
    ("<c([d1]) || c([e]) || c(e)>true", True),
])  # fmt: skip
def test_overloaded_actions_are_resolved_by_arguments(formula, expected):
    assert check_process(mcrl2.read_text(OVERLOADED), formula).holds == expected


@pytest.mark.parametrize(("formula", "expected"), OF_BOTH)
def test_overloaded_actions_in_mucrl(formula, expected):
    assert check_process(mucrl.read_text(OVERLOADED_MUCRL), formula).holds == expected


@pytest.mark.parametrize(("formula", "expected"), [
    ("<true* . c(d2)|c(e)>true", True), ("<true* . c(e)|c(d2)>true", True),
    ("<true* . c(e)|c(d1)>true", False), ("<true* . c(d2)|c(d2)>true", False),
    ("<true* . exists x: D, y: E. c(x)|c(y)>true", True),
    ("<true* . exists x, y: D. c(x)|c(y)>true", False),
])  # fmt: skip
def test_overloaded_actions_of_one_step(formula, expected):
    process = mcrl2.read_text(OVERLOADED)
    assert check_process(process, Source(formula, "f.mcf")).holds == expected


ONE_TEXT = """sort D = struct d1 | d2; act c: Pos; c: Nat; c: List(D); c: List(Nat); b;
init sum n: Nat. (n == 1) -> c(n) . sum p: Pos. (p == 1) -> c(p) . c(tail([d1])) . c(tail([4]))|b . delta;
"""  # noqa: E501


@pytest.mark.parametrize(("formula", "expected"), [
    # A `Pos` is a `Nat`, too.
    ("exists n: Nat. <c(n)>true", True), ("exists p: Pos. <c(p)>true", True),
    ("<true>exists n: Nat. <c(n)>true", False), ("<true>exists p: Pos. <c(p)>true", True),
    ("<exists n: Nat. c(n)>true", True), ("<true>(<exists n: Nat. c(n)>true)", False),
    ("<true>forall n: Nat. [c(n)]false", True), ("<true>forall p: Pos. [c(p)]false", False),
    ("<true.true>exists l: List(D). <c(l)>true", True),
    ("<true.true>exists l: List(Nat). <c(l)>true", False), ("<c(1).c(1).c([])>true", True),
    ("<true.true.true>(<exists l: List(D). c(l)|b>true)", False),
    ("<true.true.true>(<exists l: List(Nat). c(l)|b>true)", True),
    ('<"c(1)"."c(1)"."c([])"."b|c([])">true', True),
])  # fmt: skip
def test_labels_of_equal_text_keep_their_declarations(formula, expected):
    process = linearise(mcrl2.read_text(ONE_TEXT))
    for group in ((), parse_permutation("(d1 d2)")):
        found = check_process(process, Source(formula, "f.mcf"), group, evidence=not group)
        assert found.holds == expected
        if found.evidence is not None:
            assert {*found.evidence.labels} <= {"c(1)", "c([])", "b|c([])"}


def test_overloaded_arguments_match_every_declaration():
    process = mcrl2.read_text(
        "act c: Pos; c: Nat; c: List(Nat); c: List(Bool); init c(tail([1])) . c(0);"
    )
    assert check_process(process, "<c([])><c(0)>true").holds
    assert check_process(process, "exists l: List(Nat). <c(l)>val(l == [])").holds
    assert not check_process(process, "exists l: List(Bool). <c(l)>true").holds
    assert not check_process(process, "<true>exists p: Pos. <c(p)>true").holds


def test_arguments_that_fit_no_declaration_are_refused():
    with pytest.raises(SpecificationError, match=r"there is no action `c\(Pos\)`"):
        check_process(mcrl2.read_text(OVERLOADED), "<c(3)>true")
    with pytest.raises(LtsError, match="which these arguments do not fit"):
        check_process(mcrl2.read_text(OVERLOADED), "<{c !3}>true")
    with pytest.raises(LtsError, match="which 2 arguments do not fit"):
        check_process(mucrl.read_text(OVERLOADED_MUCRL), "<{c !d1 !d1}>true")


CHOICES = """sort D = struct d1 | d2 | d3; act put, get: D; all: FSet(D); two: List(D);
proc X(s: FSet(D)) = sum d: D. !(d in s) -> put(d) . X(s + {d})
  + sum d: D. (d in s) -> get(d) . X({}) + (#s == 3) -> all(s) . X({})
  + sum d, e: D. (d in s && d != e) -> two([d, e]) . X(s);
init X({});"""


@pytest.mark.parametrize(("formula", "expected"), [
    ('<true*>(<"all({d1,d2,d3})">true)', True), ("<true*.all({d3, d1, d2})>true", True),
    ("<true*.all({d1, d2})>true", False), ("[put(d1)]<two([d1, d2])>true", True),
    ("[put(d1)]<two([d2, d1])>true", False),
    ("exists l: List(D). <true*.two(l)>val(d1 in l)", True),
    ("forall l: List(D). [true*.two(l)]val(head(l) != l . 1)", True),
    ("nu X(f: D -> Nat = lambda d: D. 0). forall d: D. "
     "[put(d)](val(f(d) == 0) && X(f[d -> 1])) && [get(d)]X(lambda c: D. 0) "
     "&& [all({d1, d2, d3})]X(lambda c: D. 0)", True),
    ("nu X(b: Bag(D) = {:}). forall d: D. "
     "[put(d)](val(count(d, b) == 0) && X(b + {d: 1})) && [get(d)]X({:}) "
     "&& [two([d, d])]false", True),
    ("val(exists s: FSet(D). #s == 2 && !(d2 in s))", True),
    ("nu X(n: Nat = exp(2, 70)). forall d: D. [put(d)]X(n)", True),
])  # fmt: skip
def test_verdicts_with_values_are_invariant_under_symmetry(formula, expected):
    process = linearise(mcrl2.read_text(CHOICES))
    for group in ((), EXCHANGED_DATA):
        assert check_process(process, formula, group).holds == expected


@pytest.mark.parametrize(("formula", "reason"), [
    ("forall d: D. val(d < d2 || d != d1 || true)", "`<"),
    ("exists f: D # D -> Bool. val(f(d1, d2))", "@apply"),
    ("nu X(f: Nat -> D = lambda n: Nat. d1). val(f(0) == d1) && [all({})]X(f)", "constructor term"),
])  # fmt: skip
def test_formulas_separating_data_are_refused_by_name(formula, reason):
    process = linearise(mcrl2.read_text(CHOICES))
    assert check_process(process, formula).holds
    with pytest.raises(LtsError, match=reason):
        check_process(process, formula, tuple(map(parse_permutation, ("(d1 d2 d3)", "(d1 d2)"))))


def test_constructors_of_moved_values_are_tested_on_all_values():
    process = linearise(mcrl2.read_text(
        "sort D = struct n(Bool); act a: D; init sum d: D. a(d) . delta;"
    ))  # fmt: skip
    exchanged = (parse_permutation("(n(true) n(false))"),)
    formula = "exists b: Bool. val(b) && <a(n(b))>true"
    assert check_process(process, formula).holds
    with pytest.raises(NotProven, match=r"`n\(true\)` is `n\(true\)`, and the image"):
        check_process(process, formula, exchanged)


def test_control_characters_in_labels_are_literal():
    system = LTS.from_transitions([(0, "c\x1f0(1)", 1)])
    for formula, holds in (("<c(1)>true", False), ('<"c\x1f0(1)">true', True)):
        assert check(system, formula).holds == holds


IDENTITIES = """act put: Pos; all: List(Pos); some: FSet(Pos); pair: Pos # List(FSet(Pos));
proc X(id: Pos) = put(id) . X(id) + all([id, 3]) . X(id) + some({id}) . X(id) + pair(id, [{id}, {}]) . X(id);
init X(1) || X(2);"""  # noqa: E501


@pytest.mark.parametrize(("formula", "expected"), [
    ("<all([1, 3])>true", True), ("<all([3, 1])>true", False), ("<all([])>true", False),
    ("<some({2})>true", True), ("<some({1, 2})>true", False), ("<some({2, 2})>true", True),
    ("<all([2, 3])>(<put(1)>true)", True), ("<pair(2, [{2}, {}])>true", True),
    ("<pair(2, [{1}, {}])>true", False), ("[pair(1, [{1}, {}])]<all([2, 3])>true", True),
])  # fmt: skip
def test_lists_and_sets_of_numbers_that_are_identities(formula, expected):
    process = linearise(mcrl2.read_text(IDENTITIES, identities=["X.id"]))
    for group in ((), parse_permutation("(X.id(1) X.id(2))")):
        assert check_process(process, formula, group).holds == expected


def test_variables_that_are_no_identities_are_refused():
    process = linearise(mcrl2.read_text(IDENTITIES, identities=["X.id"]))
    exchanged = parse_permutation("(X.id(1) X.id(2))")
    for formula, sort in (
        ("exists n: Nat. val(n == 1) && <put(n)>true", "Nat"),
        ("exists n: 1..2. <put(n + 1)>true", "Pos"),
    ):
        assert check_process(process, formula).holds
        with pytest.raises(NotProven, match=f"`{sort}` occurs where numbers have sort `X.id`"):
            check_process(process, formula, exchanged)


def test_unused_numbers_are_no_terms():
    process = linearise(mcrl2.read_text(IDENTITIES, identities=["X.id"]))
    with pytest.raises(LtsError, match="is not a term of the specification"):
        check_process(process, "<put(1)>true", parse_permutation("(1 2)"))


BODIES = (
    "d", "d1", "if(d == d2, d1, d)", "head([d, d3])", "whole(pair(d, 3))", "if(is_none(m), d, d2)",
    "whole(if(d == d3, m, pair(d, 1)))", "v(pair(d, 2), d)", "(lambda n: Nat. d)(2)", "one(m)(0)",
    "head([d] <| d1)", "d whr k = [d, d2] end", "whole(pair(v(m, d), 0))", "pick({d, d3})",
)  # fmt: skip
OF_TEXTS = """sort D = struct d1 | d2 | d3; M = struct pair(whole: D, count: Nat) | none ? is_none;
act a: D; b: M;
map u, v: M # D -> D; one: M -> Nat -> D; var d: D; m: M; n: Nat;
eqn u(m, d) = {0}; v(m, d) = {1}; {2}
proc X(m: M) = sum d: D. a(d) . X(pair(d, 1)) + b(m) . X(none);
init X(none);"""
ONES = ("one(pair(d, n)) = lambda k: Nat. d;", "one(m) = lambda k: Nat. d2;", "")
USES = (
    "forall d: D. [a(d)](val(u(pair(d, 1), d) == d) || <a(v(none, d))>true)",
    "forall m: M. [b(m)](val(is_none(m) || count(m) > 0 && u(m, whole(m)) == whole(m)))",
    "exists d: D. <a(d)>(val(u(pair(d, 2), d) != d))", "forall d: D. val(v(none, d) != d1)",
    "forall d, e: D. [a(d).a(e)](val(u(pair(d, 0), e) == e) && <b(pair(v(none, e), 1))>true)",
)  # fmt: skip


def test_user_functions_commute_if_their_equations_do():
    random, reached = Random(5), Counter()
    for _ in range(40):
        text = OF_TEXTS.format(*random.choices(BODIES, k=2), random.choice(ONES))
        try:
            process = linearise(mcrl2.read_text(text))
        except LtsError:
            reached["unsupported"] += 1
            continue
        for formula in USES:
            try:
                expected = check_process(process, formula).holds
            except LtsError:
                reached["undecided"] += 1
                continue
            try:
                found = check_process(process, formula, EXCHANGED_DATA).holds
            except NotProven:
                reached["refused"] += 1
                continue
            assert found == expected, (text, formula)
            reached["decided", found] += 1
    assert min(reached["decided", True], reached["decided", False], reached["refused"]) >= 10, (
        reached
    )

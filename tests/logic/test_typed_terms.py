"""Arguments in formulas on mCRL2 texts: a term is what it is equal to, however it is written."""

from collections import Counter
from contextlib import nullcontext
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcrl2_values
from lts import LTS, LimitReached, mcrl2
from lts.base.bounds import RANGE_OF_VALUES
from lts.errors import ParseError, SpecificationError, Unsupported
from lts.logic import check, check_process
from lts.symmetry import parse_permutation
from lts.text.source import Source

NAMES = {sort: f"a{place}" for place, sort in enumerate(mcrl2_values.SORTS)}
ACTIONS = "act " + " ".join(f"{name}: {sort};" for sort, name in NAMES.items()) + "\n"


@st.composite
def offers(draw):
    """Some steps of several actions each, and one that a formula asks for, with its text."""
    action = st.sampled_from(mcrl2_values.SORTS).flatmap(
        lambda sort: mcrl2_values.values(sort).map(lambda value: (sort, value))
    )
    steps = draw(st.lists(st.lists(action, min_size=1, max_size=2), min_size=1, max_size=3))
    asked = draw(st.sampled_from(steps) | st.lists(action, min_size=1, max_size=2))
    return steps, draw(st.permutations(asked)), draw(st.data())


def said(actions):
    return "|".join(f"{NAMES[sort]}({mcrl2_values.plain(sort, value)})" for sort, value in actions)


def test_arguments_match_equal_terms():
    reached: Counter[str] = Counter()

    @given(offers())
    def holds_where_it_is_offered(given_offers):
        steps, asked, data = given_offers
        text = f"{mcrl2_values.DECLARED}{ACTIONS}init {' + '.join(map(said, steps))};"
        terms = [data.draw(mcrl2_values.written(sort, value)) for sort, value in asked]
        shown = "|".join(
            f"{NAMES[sort]}({term})" for (sort, _), term in zip(asked, terms, strict=True)
        )
        expected = Counter(asked) in [Counter(step) for step in steps]
        specification = mcrl2.read_text(text)
        assert check_process(specification, Source(f"<{shown}>true", "f.mcf")).holds == expected
        assert check_process(specification, Source(f"[{shown}]false", "f.mcf")).holds != expected
        plain = [mcrl2_values.plain(sort, value) for sort, value in asked]
        reached["all"] += 1
        reached["written otherwise and offered"] += expected and terms != plain
        reached["several at once"] += len(asked) > 1 and expected

    holds_where_it_is_offered()
    # The test is about these, and worth nothing without.
    assert 10 * reached["written otherwise and offered"] >= reached["all"]
    assert 25 * reached["several at once"] >= reached["all"]


SPECIFICATION = """
sort D = struct d1 | d2;
map low: Nat -> Bool; var n: Nat; eqn low(n) = n < 2;
map N: Nat; eqn N = 3;
map even, odd: Nat -> Bool; var n: Nat;
eqn even(n) = n == 0 || odd(Int2Nat(n - 1)); odd(n) = n > 0 && even(Int2Nat(n - 1));
act n: Nat; l: List(Nat); d: D; c, e; b: Bool;
init n(1) . l([2,1]) . delta + n(2) . d(d1) . delta + (n(3)|d(d2)) . c . delta + c|c|e . delta;
"""


@pytest.mark.parametrize(("formula", "expected"), [
    ("<n(N - 2)><l(2 |> [1])>true", True),
    ("forall k: Nat. val(k <= 2 && k > 0) => <n(k)>true", True),
    ("forall k: Nat. val(k <= 3 && k > 0) => <n(k)>true", False),
    ("exists k: Nat. val(k in [5,2]) && <n(k)><d(d1)>true", True),
    ("exists k: Nat. val(even(k)) && <n(k)>true", True),
    ("exists k: Nat. val(odd(k)) && <n(k)>[true]false", False),
    ("exists k: Nat. val(low(k)) && <n(k)>true && [n(k)]<l([2,1])>true", True),
    ("forall k: Nat. val(!low(k) && k < 3) => <n(k)>true", True),
    ("exists k: Nat. val((k < 2 || k < 3) && k * k == 4)", True),
    ("<exists k: Nat, x: D. val(k >= N) && n(k)>true", False),
    ("<exists k: Nat, x: D. val(k >= N) && n(k)|d(x)>true", True),
    ("<exists x: D, k: Nat. d(x)|n(k)><c>true", True),
    ("<forall k: Nat. !n(k)>true", True),
    ("[forall k: Nat. !n(k)]<true>true", False),
    ("forall k: Nat. [n(k)](val(k == 1) => <l([k + 1, k])>true)", True),
    ("nu X(s: Set(Nat) = {}). forall k: Nat. [n(k)](val(!(k in s)) && X(s + {k}))", True),
    ("nu X(s: List(Nat) = []). val(#s < 1) && forall k: Nat. [n(k)]X(k |> s)", False),
    ("<c|c|e>true", True), ("<c|e>true", False), ("<tau|c>true", False),
    ("<c|e|c>true", True), ("<c|c|c>true", False),
    ("<n(...)>true", True), ("<c>true", False), ("[!n(...)]<c>true", False),
    ("exists f: D -> Bool. val(f(d1) && !f(d2))", True),
    ("val(forall k: Nat. k < 5 => k + 1 <= 5)", True),
    ("exists s: List(Nat). val(#s < 2) && val(#s > 2)", False),
    ("exists s: List(Nat). val(#s == 2) || val(#s < 0)", True),
    # What binds more, and how far quantifiers reach.
    ("val(!forall x: Bool. x && false)", False),
    ("!forall x: Bool. val(x) && false", False),
    ("val(false && exists x: Bool. x || true)", True),
    ("false && mu X. X || true", True), ("true || nu X. X => false", False),
    ("[l([9])]exists x: Bool. val(x) && false", False), ("[l([9])](mu X. X && false)", True),
    ("true => nu X. X || false", True), ("true && mu X. X && true", False),
    ("<!exists x: Bool. val(x) || true>true", True),
    ("<!(exists x: Bool. val(x) || c)>true", False),
    ("val(12 div 2 * 3 == 2)", True), ("val(1 |> [2] ++ [3] == [1,2,3])", True),
    ("val(false && false || true)", True), ("val(false => false => false)", True),
    ("[n(1)]false || true", True), ("!true && false", False), ("![n(1)]false || false", True),
    ("false && false => false", True), ("<c>true => <c>true && false", True),
    ("mu X. false || true && <n(1)>true", True), ("<n(1) + c|c|e . c>true", True),
    ("<n(1) . l([2,1]) + c>true", True), ("<!(c) && !(c|c|e) || c>true", True),
    ("<(n(1)|d(d1)) + n(2) . d(d1)>true", True), ("<n(2) . d(d1)* . d(d1)>true", True),
])  # fmt: skip
def test_listed_verdicts_hold(formula, expected):
    found = check_process(mcrl2.read_text(SPECIFICATION), Source(formula, "f.mcf"))
    assert found.holds == expected


DEFINED = """act n: Nat; map low, some: Nat -> Bool; at, same: Nat # Nat -> Bool; var k: Nat;
eqn low(k) = k < 2; some(k) = low(k) && k > 0; at(k, 1) = k < 2; same(k, k) = k < 2;
init n(1) . n(2) . delta;
"""


@pytest.mark.parametrize(("formula", "holds"), [
    ("exists k: Nat. val(low(k) && k * k == 1)", True),
    ("exists k: Nat. val(low(k) && k * k == 4)", False),
    ("exists k: Nat. val(some(k)) && <n(k)>true", True),
    ("forall k: Nat. val(!low(k)) || val(k * k == k)", True),
    ("forall k: Nat. val(!some(k) || k == 1)", True),
    # What has an equation for some arguments only says nothing of the others.
    ("exists k: Nat. val(at(k, 3))", None),
    ("exists k: Nat. val(same(3, k))", None),
])  # fmt: skip
def test_definitions_bound_the_relevant_values(formula, holds):
    specification, source = mcrl2.read_text(DEFINED), Source(formula, "f.mcf")
    if holds is not None:
        assert check_process(specification, source).holds == holds
        return
    with pytest.raises(SpecificationError, match="infinitely many values"):
        check_process(specification, source)


@pytest.mark.parametrize(("condition", "holds"), [
    ("k == head([])", None), ("head([]) == k", None), ("k in [head([])]", None),
    ("k in [1, head([])]", True),
    ("k == 1 && k == head([])", None), ("k == 2 && k == head([])", None),
    ("k == 1", True), ("k in [3, 1]", True), ("k in {3, 2}", False), ("k == j", True),
    ("k in [j, 2]", True), ("k == j + 1", False), ("Nat2Int(k) == 1", True),
])  # fmt: skip
def test_undecided_equalities_give_no_verdict(condition, holds):
    """Which values matter is seen from conditions; one that has no truth value says nothing."""
    specification = mcrl2.read_text("act n: Nat; init n(1) . delta;")
    formula = f"exists j: Nat, k: Nat. val(j == 1 && {condition}) && <n(k)>true"
    source = Source(formula, "f.mcf")
    if holds is not None:
        assert check_process(specification, source).holds == holds
        return
    with pytest.raises(SpecificationError, match="is not a truth value"):
        check_process(specification, source)


@pytest.mark.parametrize(("formula", "error", "message"), [
    ("<n([1])>true", SpecificationError, "has sort `List\\(Pos\\)` instead of `Nat`"),
    ("<n(1,2)>true", SpecificationError, "takes 1 argument"),
    ("<n(x)>true", SpecificationError, "`x` is not a variable or constant in scope"),
    ("<n(1 2)>true", ParseError, "expected `\\)`"),
    ("<n(1 +)>true", ParseError, "expected an expression"),
    ("<l([1,)>true", ParseError, "`\\[`"),
    ("val(1)", SpecificationError, "must have sort `Bool`"),
    ("forall k: Nut. <n(k)>true", SpecificationError, "`Nut`"),
    ("forall k: Nat. <n(k + 1)>true || <c>true", SpecificationError, "infinitely many"),
    ("nu X(k: Nat = []). X(k)", SpecificationError, "must have sort `Nat`"),
    ("nu X(k: Nat = 0). X(true)", SpecificationError, "must have sort `Nat`"),
    ("<n(head([]))>true", SpecificationError, "is unknown"),
    ("exists x: Real. val(0 < x && x < 1)", SpecificationError, "infinitely many"),
    ("forall x: Real. val(0 < x && x < 1 => x == 2)", SpecificationError, "infinitely many"),
    ("<n(1)| >true", ParseError, "expected an action"),
    ("exists f: Nat -> Bool. val(f == f)", (SpecificationError, Unsupported), "functions"),
    ("exists k. <n(k)>true", ParseError, "`k` needs a sort, as in `k:D`"),
    ("exists k. <c>true", SpecificationError, "`k` needs a sort, as in `k:D`"),
])  # fmt: skip
def test_invalid_terms_are_errors_with_position(formula, error, message):
    with pytest.raises(error, match=message) as raised:
        check_process(mcrl2.read_text(SPECIFICATION), Source(formula, "f.mcf"))
    assert (raised.value.file, raised.value.line) == ("f.mcf", 1)


def test_terms_of_a_strict_text_have_values():
    text = """sort D = struct d1 | d2(of: Nat); map f: Nat -> Nat; var k: Nat; eqn f(0) = 1;
    act n: Nat; d: D; init n(f(0)) . d(d2(1)) . delta;"""
    specification = mcrl2.read_text(text, strict=True)
    assert check_process(specification, "<n(f(0))><d(d2(f(0)))>true && !<n(1)><d(d2(2))>true").holds
    for formula, value in (("<n(f(1))>true", "f(1)"), ("val(f(1) == 2)", "(f(1) == 2)")):
        with pytest.raises(SpecificationError) as raised:
            check_process(specification, formula)
        assert raised.value.message == f"this does not reduce to a value, but to `{value}`"


def test_bars_are_alternatives_outside_mcf_files():
    specification = mcrl2.read_text(SPECIFICATION)
    assert check_process(specification, "<n(9) | n(1)>true").holds
    assert not check_process(specification, Source("<n(9) | n(1)>true", "f.mcf")).holds
    assert check_process(specification, '<"c|c|e">true').holds


def test_actions_of_one_step_are_matched_in_any_order():
    for order in permutations(["n(3)", "d(d2)"]):
        text = SPECIFICATION.replace("(n(3)|d(d2))", f"({'|'.join(order)})")
        for asked in permutations(["n(1 + 2)", "d(d2)"]):
            found = check_process(
                mcrl2.read_text(text), Source(f"<{'|'.join(asked)}>true", "f.mcf")
            )
            assert found.holds


IDENTITIES = """
act a, b: Pos;
proc P(id: Pos) = a(id) . b(id) . P(id);
init P(1) || P(2) || P(3);
"""


@pytest.mark.parametrize(("formula", "expected"), [
    ("<a(1 + 1)>true", True), ("<b(3)>true", False), ("[true*.a(2).(!b(2))*.b(1)]false", False),
    ("<true*.a(head([3]))>true", True), ('<true*."b(2)">true', True),
])  # fmt: skip
def test_verdicts_under_number_permutations(formula, expected):
    specification = mcrl2.read_text(IDENTITIES, identities=["P.id"])
    group = [parse_permutation("(P.id(1) P.id(2))"), parse_permutation("(P.id(1) P.id(2) P.id(3))")]
    found = check_process(specification, formula, group)
    assert found.holds == check_process(mcrl2.read_text(IDENTITIES), formula).holds == expected
    assert found.order == 6


@pytest.mark.parametrize(("formula", "expected"), [
    ("<a({})>true", True), ("<a({:})>true", False), ("<b({:})>true", True),
    ("<b({})>true", False), ("<c([])>true", True), ("<c({})>true", False),
    ("<d({1:2})>true", True), ("<d({1:1 + 1})>true", True), ("<d({1:1})>true", False),
    ("<d([1,2])>true", False), ("<e({2,1})>true", True), ("<e([2,1])>true", False),
])  # fmt: skip
def test_lists_sets_and_bags_as_labels_have_them(formula, expected):
    labels = ["a({})", "b({:})", "c([])", "d({1:2})", "e({2,1})"]
    system = LTS.from_transitions([(0, label, 0) for label in labels])
    assert check(system, formula, file="f.mcf").holds == expected


def test_number_of_values_in_labels_is_limited(lower):
    lower(RANGE_OF_VALUES, 3)
    for count in (3, 4):
        system = LTS.from_transitions([(0, f"a({number})", 0) for number in range(count)])
        with nullcontext() if count == 3 else pytest.raises(LimitReached, match="more than 3"):
            assert check(system, "exists n:Nat. <a(n)>true").holds

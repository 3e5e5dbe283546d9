"""Variables of formulas on specifications: their values are terms, of whatever sort."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import mcrl2, mucrl
from lts.errors import LtsError, ParseError, SpecificationError
from lts.logic import check_process
from lts.text.source import Source

SMALL = st.integers(0, 4)


def holds(text, formula):
    return check_process(mcrl2.read_text(text), Source(formula, "f.mcf")).holds


def test_functions_as_fixed_point_parameters():
    """The same is computed step by step, with a table in place of the function."""
    reached = Counter()

    @settings(max_examples=max(100, settings.default.max_examples))
    @given(st.lists(SMALL, max_size=5), SMALL, SMALL, SMALL, SMALL)
    def check(numbers, first, added, step, most):
        table: dict[int, int] = {}
        expected = True
        for number in numbers:
            expected = expected and table.get(number, first) <= most
            table[number + step] = table.get(number, first) + added
        steps = "".join(f"n({number})." for number in numbers)
        found = holds(
            f"act n: Nat; init {steps} delta;",
            f"nu X(f: Nat -> Nat = lambda k: Nat. {first}). forall k: Nat. "
            f"[n(k)](val(f(k) <= {most}) && X(f[k + {step} -> f(k) + {added}]))",
        )
        assert found == expected
        reached[expected and len(numbers) > 1] += 1

    check()
    assert min(reached[True], reached[False]) >= 3, reached


def test_infinite_sets_as_fixed_point_parameters():
    """The same is computed step by step, with what is added and what is taken away."""
    reached = Counter()

    @settings(max_examples=max(100, settings.default.max_examples))
    @given(st.lists(SMALL, max_size=5), SMALL, SMALL, st.booleans())
    def check(numbers, bound, step, removes):
        changed: dict[int, bool] = {}
        expected = True
        for number in numbers:
            expected = expected and not changed.get(number, number > bound)
            changed[number + step] = not removes
        steps = "".join(f"n({number})." for number in numbers)
        found = holds(
            f"act n: Nat; init {steps} delta;",
            f"nu X(s: Set(Nat) = {{k: Nat | k > {bound}}}). forall k: Nat. "
            f"[n(k)](val(!(k in s)) && X(s {'-' if removes else '+'} {{k + {step}}}))",
        )
        assert found == expected
        reached[expected and len(numbers) > 1] += 1

    check()
    assert min(reached[True], reached[False]) >= 3, reached


OF_SORTS = "act n: Nat; i: Int; p: Pos; init n(1).i(1).p(1).delta;"


@pytest.mark.parametrize(("formula", "expected"), [
    ("exists k: Nat. val(Nat2Int(k) == 1 && k == 1) && <n(k)>true", True),
    ("exists k: Nat. val(k == 1 && k in {1} && {k} == {1})", True),
    ("exists k: Int, j: Nat. val(j == 1 && k == j && k in {1}) && <n(j).i(k)>true", True),
    ("exists k: Nat. <n(k)><i(k)><p(k)>true", True), ("exists k: Nat. val(k == -1)", False),
    ("exists k: Pos. <n(k)><i(k)><p(k)>val(k in {1})", True),
    ("exists k: Int. val(k in [1]) && <n(k)><i(k)><p(k)>val({k} == {1})", True),
    ("exists k: Nat, r: Real. val(r == 1) && val(k == r) && <n(k)>val(k in {1})", True),
])  # fmt: skip
def test_numbers_of_different_sorts_are_equal(formula, expected):
    """What says which number is meant may be of a larger sort, or a smaller one."""
    assert holds(OF_SORTS, formula) == expected


TWO_TERMS = """sort S = struct f(Nat) | f(Pos); map n: Nat; p: Pos; eqn n = 1; p = 1;
act s: S; init s(f(n)) . s(f(p)) . delta;"""


@pytest.mark.parametrize("formula", [
    "exists x: S. val(x == f(n)) && <s(x)>true", "exists x: S. val(x == f(p)) && <s(x)>true",
    "forall x: S. [s(x)]val(x == f(n))", "forall x: S. val(x == f(p)) => [s(x)]false",
    "<exists x: S. s(x) && val(x != f(n))>true",
])  # fmt: skip
def test_ambiguous_labels_give_no_verdict(formula):
    assert holds(TWO_TERMS, "exists x: S. <s(x)><s(x)>true")
    with pytest.raises(SpecificationError, match=r"unknown which value|cannot stand"):
        holds(TWO_TERMS, formula)


@pytest.mark.parametrize(("formula", "expected"), [
    ("exists n: Nat. val(n == plus(9999999999999999, 1)) && <n(n)>true", True),
    ("forall n: Nat. [n(n)]val(n == plus(9999999999999999, 1))", True),
    ("exists n: Nat. val(n == plus(9999999999999999, 2)) && <n(n)>true", False),
    ("<exists n: Nat. n(n) && val(n == plus(9999999999999999, 1))>true", True),
    ("<exists n: Nat. n(n) && val(n == 9999999999999999)>true", False),
])  # fmt: skip
def test_large_numbers_in_labels_match_computed_numbers(formula, expected):
    """It is no more than a text, and may be any number that is computed."""
    text = "%@ include Nat\nact n: Nat\ninit n(plus(9999999999999999, 1)).delta"
    assert check_process(mucrl.read_text(text), formula).holds == expected


WORDS = """
sort Bool List
func T,F: -> Bool
     end,whr: -> List
     List: List -> List
map  in,mod: List#List -> Bool
     forall,lambda: List -> Bool
     true: -> List
     2: -> List
var  x,y: List
rew  in(x,y)=T
     mod(x,y)=F
     forall(x)=T
     lambda(x)=F
     true=end
     2=whr
act  a: List
init a(end).a(List(whr)).delta
"""


@pytest.mark.parametrize(("formula", "expected"), [
    ("<a(end)>true", True), ("<a(whr)>true", False), ("<a(end).a(List(whr))>true", True),
    ("val(in(end, whr))", True), ("val(mod(end, whr))", False), ("val(forall(end))", True),
    ("val(lambda(List(end)))", False), ("val(true == end)", True), ("val(2 == whr)", True),
    ("exists x: List. val(x == List(y) whr y = whr end) && <a(end)><a(x)>true", True),
    ("exists x: List. val(x == List(y) whr y = end end) && <a(end)><a(x)>true", False),
    ("nu X(x: List = end). [a(x)]val(x == end) && [true][a(List(2))]false", False),
    ("val(x == x whr x = List(whr) end)", True),
])  # fmt: skip
def test_mucrl_names_may_be_mcrl2_keywords(formula, expected):
    specification = mucrl.read_text(WORDS)
    assert check_process(specification, formula).holds == expected


OF_NUMBERS = """
%@ parameter LOW = 2
%@ parameter HIGH = 3
%@ include Nat
act n: Nat
init n(@{HIGH}).delta
"""


@pytest.mark.parametrize(("formula", "expected"), [
    ("<n(HIGH)>true", True), ("<n(1 + 2)>true", True), ("<n(HIGH - 1)>true", False),
    ("val(LOW + HIGH == 1)", True), ("val(LOW < 0)", True), ("val(LOW * LOW == S(HIGH))", True),
    ("val(n + n == 6 whr n = HIGH end)", True), ("val(7 div 2 == HIGH && 7 mod 2 == 1)", True),
    ("exists n: Nat. <n(n)>val(n == HIGH)", True), ("forall n: LOW..2. <n(n)>true", False),
    ("exists n: 0..HIGH. <n(n)>true", True), ("val(plus(HIGH, 2) - 6 == -1)", True),
    ("nu X(n: Nat = 0). val(n < 5) && [true]X(n + 1)", True),
    ("nu X(n: Nat = 5). val(n != 4 - 5) && [true]X(n - 2)", True),
])  # fmt: skip
def test_operators_on_numbers_of_mucrl(formula, expected):
    specification = mucrl.read_text(OF_NUMBERS, parameters={"LOW": -2})
    assert check_process(specification, formula).holds == expected


@pytest.mark.parametrize(("formula", "column", "message"), [
    ("val(plus(LOW, 1) == 0)", 5, "values such as `-2` cannot stand in terms of a formula"),
    ("val(plus(1, T) == 0)", 13, "argument 2 of `plus:Nat#Nat->Nat`"),
    ("val(HIGH div (3 - HIGH) == 0)", 5, "`div` by 0"),
    ("val(n(1))", 5, "`n` is an action, not a function"),
    ("forall m: Nat. [n(m)]val(m(1))", 26, "`m` is a variable, so it takes no arguments"),
    ("forall m: List(Nat). true", 11, "a sort in muCRL must be a name"),
    ("val((1 == 2) == 3)", 6, "`==` compares different sorts, `Bool` and `Nat`"),
    ("<n(T)>true", 4, "`n` takes (Nat), not (Bool)"),
    ("val(1 in 2)", 7, "`in` can be used only in terms for an mCRL2 specification"),
])  # fmt: skip
def test_unsupported_mucrl_terms_are_refused_with_position(formula, column, message):
    with pytest.raises((SpecificationError, ParseError), match=re.escape(message)) as refused:
        check_process(mucrl.read_text(OF_NUMBERS, parameters={"LOW": -2}), formula)
    assert (refused.value.line, refused.value.column) == (1, column)


def test_redefined_numbers_are_successor_terms():
    """Where the text has rules of its own for the numbers of the library, they are terms."""
    own = "map half: Nat -> Nat\nvar x: Nat\nrew half(x)=0 plus(0,x)=x\nact"
    text = OF_NUMBERS.replace("act", own)
    specification = mucrl.read_text(text)
    assert not specification.numbers
    assert check_process(specification, "<n(3)>true && !<n(2)>true").holds
    assert check_process(specification, "<n(S(plus(1, 1)))>val(half(3) == 0)").holds
    with pytest.raises(LtsError, match="the specification has no numbers"):
        check_process(specification, "<n(1 + 2)>true")

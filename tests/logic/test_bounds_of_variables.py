"""Variables without an end of values: those that are tried are all that matter.

By definition a quantifier asks of each number. Conditions here compare with numbers below 9, and
labels have numbers below 9, so that 9 stands for all larger ones.
"""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import SpecificationError, mcrl2, mucrl
from lts.logic import check_process
from lts.state_space.settings import Internal
from lts.text.source import Source
from strategies import examples

NUMBERS = range(10)
LABELS = [("send", 2), ("send", 7), ("recv", 2), ("recv", 4), ("skip", None), ("tau", None)]
COMPARED = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
    "==": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
}


@cache
def process():
    steps = [name if number is None else f"{name}({number})" for name, number in LABELS]
    return mcrl2.read_text(f"act send, recv: Nat; skip; init ({' + '.join(steps)}) . delta;")


NUMBER = st.integers(0, 8)
ATOMS = st.tuples(st.just("compare"), st.sampled_from([*COMPARED]), NUMBER, st.booleans())
ATOMS |= st.tuples(st.just("in"), st.lists(NUMBER, max_size=2))
OFFERS = st.tuples(st.just("offers"), st.sampled_from(["send", "recv"]))
OFFERS |= st.tuples(st.just("is"), st.sampled_from(["skip", "tau", "true", "false"]))


def trees(atoms, joined=("and", "or")):
    return st.recursive(
        atoms,
        lambda inner: (
            st.tuples(st.just("not"), inner) | st.tuples(st.sampled_from(joined), inner, inner)
        ),
        max_leaves=4,
    )


CONDITIONS = trees(ATOMS, ("and", "or", "or", "=>"))


def holds(tree, number, label=None):
    match tree:
        case ("compare", operator, other, True):
            return COMPARED[operator](number, other)
        case ("compare", operator, other, False):
            return COMPARED[operator](other, number)
        case ("in", numbers):
            return number in numbers
        case ("offers", name):
            return label == (name, number)
        case ("is", name):
            return name == "true" or name == label[0]
        case ("not", inner):
            return not holds(inner, number, label)
        case (operator, one, other):
            left, right = holds(one, number, label), holds(other, number, label)
            return {"and": left and right, "or": left or right, "=>": not left or right}[operator]
    raise AssertionError(tree)


def said(tree, operators):
    match tree:
        case ("compare", operator, other, is_first):
            return f"n {operator} {other}" if is_first else f"{other} {operator} n"
        case ("in", numbers):
            return f"n in {numbers}"
        case ("offers", name):
            return f"{name}(n)"
        case ("is", name):
            return name
        case ("value", inner):
            return f"val({said(inner, operators)})"
        case ("not", inner):
            return f"!({said(inner, operators)})"
        case (operator, *parts):
            return operators[operator].join(f"({said(part, operators)})" for part in parts)
    raise AssertionError(tree)


WRITTEN = {"and": " && ", "or": " || ", "=>": " => "}


def has_or(tree):
    """Whether one of several is enough, somewhere, whichever way it is asked."""
    return tree[0] in ("and", "or", "=>") or any(
        has_or(part) for part in tree[1:] if isinstance(part, tuple)
    )


def answered(reached, formula, expected, tree):
    reached["all"] += 1
    assert check_process(process(), formula).holds == expected, formula
    reached["joined"] += has_or(tree)


def assert_reached(reached):
    if reached["all"] >= 40:  # few tell little
        assert 10 * reached["joined"] >= reached["all"], reached


def test_conditions_give_bounds():
    reached = Counter()

    @settings(max_examples=examples(1))
    @given(CONDITIONS, st.booleans(), st.sampled_from(["send", "recv"]), st.integers(0, 2))
    def as_every_number_says(condition, is_some, name, shape):
        kind, each = ("exists", any) if is_some else ("forall", all)
        text = f"val({said(condition, WRITTEN)})"
        if shape:  # a step beside the condition: bounds of the one or the other
            step = f"<{name}(n)>true" if is_some else f"[{name}(n)]false"
            text = f"({text}) {'&&' if is_some else '||'} {step}"
            if shape == 2:  # two steps: only the condition gives bounds
                text += " && <skip>true" if is_some else " || [skip]false"
        expected = each(
            holds(condition, number)
            if not shape
            else (holds(condition, number) and (name, number) in LABELS)
            if is_some
            else (holds(condition, number) or (name, number) not in LABELS)
            for number in NUMBERS
        )
        answered(reached, f"{kind} n:Nat. {text}", expected, condition)

    as_every_number_says()
    assert_reached(reached)


def test_labels_give_bounds_inside_of_sets():
    reached = Counter()
    parts = OFFERS | OFFERS | st.tuples(st.just("value"), CONDITIONS)

    def true_of(tree, number, label):
        match tree:
            case ("value", inner):
                return holds(inner, number)
            case ("not", inner):
                return not true_of(inner, number, label)
            case ("and" | "or" as operator, *both):
                return (all if operator == "and" else any)(
                    true_of(part, number, label) for part in both
                )
        return holds(tree, number, label)

    @settings(max_examples=examples(1))
    @given(trees(parts), st.booleans(), st.booleans())
    def as_every_number_says(tree, is_some, is_possible):
        kind, each = ("exists", any) if is_some else ("forall", all)
        inside = f"{kind} n:Nat. {said(tree, WRITTEN)}"
        expected = any(each(true_of(tree, number, label) for number in NUMBERS) for label in LABELS)
        formula = f"<{inside}>true" if is_possible else f"[{inside}]false"
        answered(reached, formula, expected == is_possible, tree)

    as_every_number_says()
    assert_reached(reached)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("exists n:Nat. <exists m:0..1. {a}(n)>true", {True}),
        ("exists n:Nat. <!(forall m:0..1. !{a}(n))>true", {True}),
        ("exists n:Nat. <!(forall m:0..1. !{a}(n)) && val(n > 8)>true", {False}),
        ("forall n:Nat. [!(forall m:0..1. !{a}(n))]val(n < 9)", {True}),
        # Of no values everything holds, whatever `n` is.
        ("exists n:Nat. <forall m:1..0. {a}(n)>val(n > 8)", {True, None}),
        ("exists n:Nat. <!(exists m:1..0. {a}(n))>val(n > 8)", {True, None}),
        ("exists n:Nat. <exists m:1..0. {a}(n)>true", {False}),
    ],
)
def test_quantifiers_within_sets_of_labels_give_bounds(formula, expected):
    name = LABELS[0][0]
    try:
        found = check_process(process(), formula.format(a=name)).holds
    except SpecificationError as error:
        if "has infinitely many values" not in str(error):
            raise
        found = None
    assert found in expected


ALL_SORTS = """sort S = struct p | q(v: Nat); map small, big: Nat -> Bool; var n: Nat;
eqn small(n) = n < 3; n > 5 -> big(n) = true; n <= 5 -> big(n) = false;
act a: Nat; b: Int; c: List(Nat); d: S; e; f: Pos # Nat;
init a(1) . (a(3)|e) . b(-2) . c([1,2]) . d(q(4)) . tau . f(2,3) . delta;"""


@cache
def all_sorts():
    return mcrl2.read_text(ALL_SORTS)


@pytest.mark.parametrize(
    "formula",
    [
        "exists n:Nat. val(n == 2 && n < 3)",
        "exists n:Nat. val(!(n != 2 || n > 5))",
        "exists n:Nat. val(!(n < 3 => n < 1))",
        "exists n:Nat. val(!(n > 1 => n > 3))",
        "forall n:Nat. val(n < 3 => n < 5)",
        "exists n:Nat. val((n == 1 || n == 7) && n > 5)",
        "exists n:Nat. val(n in [1,2,7] && n > 5)",
        "exists n:Nat. val(n in {1:2,7:1} && n > 5)",
        "exists n:Nat. val(!(n in [1,2]) && n < 4 && n > 2)",
        "exists n:Nat. val((n < 3 || n == 7) && n > 5)",
        "exists n:Nat. val((n < 3 || n in []) && n > 1)",
        "exists l:List(Nat). val((l == [] || l == [1]) && l != [])",
        "exists l:List(Nat). val(l == [1] || l in [[2]])",
        "exists i:Int. val(i < 3 && i > -2 && i + i == -2)",
        "exists p:Pos. val(p < 3 && p == 2)",
        "forall p:Pos. val(p < 3 => p > 0)",
        "exists p:Pos. val(p in [1,2] && p > 1)",
        "exists n:Nat. val(n < 100000 && n + 1 == 100000)",
        "exists n:Nat. val(n != 3 && n < 2)",
        "exists r:Real. val(r < 3 && r == 1/2)",
        "exists n:Nat. val(small(n) && n > 1)",
        "exists n:Nat. val(big(n) && n < 8)",
        "exists n:Nat. val(3 > n && 1 < n)",
        "exists n:Nat. val(2 == n)",
        "exists n:Nat. val(3 >= n && n >= 3)",
        "exists n:Nat. val(3 <= n && n <= 3)",
        '<exists n:Nat. (a(n) && "a(1)")>true',
        "<exists n:Nat. (a(n) && a(...))>true",
        "<exists n:Nat. (a(n) && !tau)>true",
        "<exists n:Nat. (val(n < 3) && (tau || a(n)))>true",
        "<exists n:Nat. ((tau && val(n < 3)) || a(n))>true",
        "<forall n:Nat. (!a(n) || val(n == 1))>true",
        "<true*.exists p:Pos, n:Nat. (f(p,n) && val(p < n))>true",
        "<true*.exists p:Pos. f(p,p+1)>true",
        "<true*.exists i:Int. (b(i) && val(i < 0))>true",
        "<true*.exists l:List(Nat). (c(l) && val(#l == 2))>true",
        "<true*.exists s:S. d(s)>true",
        "exists n:Nat. <a(n)>true",
        "exists n:Nat. (<a(n)>true && val(small(n)))",
        "forall n:Nat. ([a(n)]false || val(n == 1))",
        "forall n:Nat. [a(n)]val(n == 1)",
        "exists b:Bool, n:Nat. (<a(n)>val(b) && val(n == 1))",
        "forall b:Bool, n:Nat. ([a(n)]val(b) || val(n == 1))",
        "exists n:Nat. val(n < 3) && <a(n)>true",
        "exists n:Pos. <a(n)>true",
        "exists n:0..5. <a(n+1)>true",
        "exists n:Nat. val(forall k:Nat. k < 3 => k < n) && val(n < 5)",
        "exists s:S. val(s == p)",
        "exists s:S. val(s in [p,q(1)] && s != p)",
        "exists x:Set(Nat). val(x == {1,2} && 1 in x)",
        "exists x:Bag(Nat). val(x == {1:2} && count(1,x) == 2)",
        "exists x:Bag(Nat). val(x in [{1:2},{:}] && x != {:})",
        "exists n:Nat. val(n in { k:Nat | k < 3 } && n > 1)",
        "exists n:Nat. val((n == 2 || n == 5 || (n > 6 && n < 9)) && n < 3)",
        "exists n:Nat. val(((n == 2 || n == 7) || (n > 3 && n < 5)) && n > 5)",
        "exists n:Nat. val(((n == 2 || n == 7) || (n > 3 && n < 5)) && n < 3)",
        "exists n:Nat. val((n >= 4 => n < 3) && n == 3)",
        "exists n:Nat. val(n >= 4 => n < 3)",
        "exists n:Nat. val(n > 3 && n > 999990 && n < 999995)",
        "exists n:Nat. val(n > 999990 && n > 3 && n < 999995)",
        "exists n:Nat. val(n < 5 && n < 9999999)",
        "exists n:Nat. val(n < 9999999 && n < 5)",
        "exists n:Nat, m:Nat. val(m < 3 && n in [m] && n < 2)",
        "<exists n:Nat. (!true || a(n))>true",
        "<exists n:Nat. (!false && a(n))>true",
        "<a(1)><true>exists i:Int. <b(i)>true",
        "!<a(1)><true>exists n:Nat. <b(n)>true",
        "exists r:Real. val(r == 1/2 && r < 5/2)",
        "exists n:Nat, b:Bool. <a(n)>val(b && n == 1)",
        "forall n:Nat, b:Bool. [a(n)]val(b || n == 1)",
        # One value stands for all that the labels of a state do not have.
        "exists n:Nat. [a(n)]false",
        "exists n:Pos. !<a(n)>true",
        "<a(1)><true>exists i:Int. [b(i)]val(i > 0) && val(i < 0)",
        "<a(1)><true><true>exists l:List(Nat). [c(l)]false && val(l != [] && l != [1,2])",
        "<a(1)><true><true><true>exists s:S. [d(s)]false",
        "exists m,n:Nat. val(m != n) && [a(m)]false && [a(n)]false",
        "forall n:Nat. exists m:Nat. val(m != n && m > 6) && [a(m)]false",
        "exists n:Nat. <a(n)>true && val(n * n == n)",
        "exists n:Nat. val(n * n == n) && exists m:Nat. <a(n)>true && val(m == n) && <a(m)>true",
        "[!(exists n:Nat. (a(n) || val(n == 7)) && val(n < 3))]false",
        "[!(exists m,n:Pos. val(m <= 3) => a(n))]false",
        "<exists n:Nat. !a(n)>true",
        "exists x:Real. true",
        "forall x: Pos. true",
        # What one value shows.
        "exists n:Nat. exists b:Bool. val(!b && n * n == n + 20)",
        "!(forall n:Nat. forall b:Bool. val(b || n * n != n + 20))",
        # What has no value says nothing where the rest decides.
        "val(head([]) == 1) || val(1 == 1)",
        "!(val(head([]) == 1) && val(1 == 2))",
        "exists n:Nat. <a(n)>(val(head([]) == n) && val(n < 1) || val(n == 1))",
        # Here the labels of the whole system tell the values.
        "exists s:S. <true*.d(s)>val(s == q(4))",
        "exists n:Nat. [true*.a(n)]false && val(n > 1 && n < 3)",
        "forall n:Nat. val(n == 1) || [true*.a(n)]false",
        "exists n:Nat. <!a(n)>true && <!a(n)>val(n == 2)",
        "exists n:Nat. nu X. [true]X && [a(n)]mu Y. <true>Y || <b(-2)>true",
        "exists m:Nat, i:Int. <a(m)><true><b(i)>val(i == -2)",
    ],
)
def test_true_quantified_formulas_over_numbers(formula):
    assert check_process(all_sorts(), formula).holds


@pytest.mark.parametrize(
    "formula",
    [
        "forall n:Nat. val(n < 3 => n < 2)",
        "forall n:Nat. val(n >= 3 || n < 2)",
        "exists n:Nat. val(n in {1,2} && n > 5)",
        "exists n:Nat. val(n in [])",
        "exists i:Int. val(i > 3 && i < 2)",
        "exists p:Pos. val(p <= 0)",
        "exists n:Nat. val(small(n) && big(n))",
        '<exists n:Nat. (a(n) && !"a(1)")>true',
        "<exists n:Nat. (a(n) && !a(...))>true",
        "<exists n:Nat. (a(n) && tau)>true",
        "<exists n:Nat. (tau && val(n < 3))>true",
        "<forall n:Nat. (val(n < 3) => !a(n))>true",
        "<forall n:Nat. !a(n)>true",
        "[forall n:Nat. (!a(n) || val(n == 1))]false",
        "exists n:Nat. val(n in {1:0})",
        "forall n:Nat. <a(n)>true",
        "forall n:Nat. [a(n)]false || val(n != 1)",
        "exists m,n:Nat. val(m != n) && <a(m)>true && <a(n)>true",
        "<a(1)><true>forall i:Int. [b(i)]false || val(i > -2)",
        "exists n:Nat. <a(n)>true && val(n * n == n + 2)",
        "<forall n:Nat. !a(n) && val(n < 3)>true",
        "[exists n:Nat. !a(n)]false",
        "exists s:S. <true*.d(s)>val(s == p)",
        "exists n:Nat. <!a(n)><a(n)>true",
        "exists n:Nat. <true*.a(n)>val(n > 3)",
        "forall n:Nat. val(n <= 1) || <true*.a(n)>true",
        "forall l:List(Nat). [true*.c(l)]false",
    ],
)
def test_false_quantified_formulas_over_numbers(formula):
    assert not check_process(all_sorts(), formula).holds


@pytest.mark.parametrize(
    "formula",
    [
        "exists l:List(Nat). val(l == [] || #l < 3)",
        "exists l:List(Nat). val((l == [1] || false) && #l == 1)",
        "exists i:Int. val(i < 3 && i*i == 9)",
        "exists n:Nat. val(n < 200000 && n + 1 == 150000)",
        "exists n:Nat. val(n <= 100000 && n + 1 == 100000)",
        "forall l:List(Nat). val(l != [] || #l < 3)",
    ],
)
def test_pure_data_conditions_are_solved(formula):
    assert check_process(all_sorts(), formula).holds
    opposite = (
        formula.replace("exists", "all").replace("forall", "exists").replace("all ", "forall ")
    )
    said, _, term = opposite.rpartition("val(")
    assert not check_process(all_sorts(), f"{said}val(!({term})").holds


@pytest.mark.parametrize(
    "formula",
    [
        "exists r:Real. val(r < 3)",
        "exists r:Real. val((r == 1/2 || r == 3) || (r > 1 && r < 2))",
        "<true*.exists i:Int. b(-i)>true",
        "<true*.exists n:Nat. d(q(n))>true",
        "exists n:Nat. <true*.d(q(n))>true",
        "exists n:Nat. [true*.a(n + 1)]false",
        "exists n:Nat. val(n + 1 == 2) && [a(n)]false",
        "exists m,n:Nat. val(m + m < n) && [a(m)]false && [a(n)]false",
        "exists n:Nat. nu X(m:Nat = n). [a(m)]X(m)",
        "exists n:Nat. <a(n+1)>true",
        "exists n:Nat. val(n + 1 == 2) && <a(n+1)>true",
    ],
)
def test_unbounded_variables_are_refused(formula):
    message = r"1:\d+: nothing bounds `.+`, and `.+` has infinitely many values, or none"
    with pytest.raises(SpecificationError, match=message):
        check_process(all_sorts(), formula)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("nu X(n:Pos = 1). [a(n)]X(n-1)", "0, which is not a `Pos`"),
        ("nu X(n:Pos = 2). val(n > 0) && X(n-1)", "0, which is not a `Pos`"),
        ("nu X(n:Nat = 1). val(n >= 0) && X(Int2Nat(n-1))", "-1, which is not a `Nat`"),
    ],
)
def test_ill_sorted_fixed_point_arguments_are_refused(formula, value):
    with pytest.raises(SpecificationError, match=f"`n` is given {value}"):
        check_process(all_sorts(), formula)


@pytest.mark.parametrize(("actions", "holds"), [
    ("a(n)|e", True), ("e|a(n)", True), ("a(n)|e && val(n > 3)", False), ("a(n)|a(n)", False),
    ("a(n)|e && !tau", True), ("a(n)", False), ("a(n)|e|tau", True),
])  # fmt: skip
def test_steps_of_several_actions_give_bounds(actions, holds):
    formula = Source(f"<a(1)><exists n:Nat. {actions}>true", "several.mcf")
    assert check_process(all_sorts(), formula).holds == holds


OF_ONE_NAME = "act a; a: Nat; a: Nat # Nat; b: Int; init (a + a(1) + a(1,2) + b(0)) . a . delta;"


@pytest.mark.parametrize(("formula", "hidden", "holds"), [
    ("exists n:Nat. <a(n)>val(n == 1)", (), True),
    ("exists m, n:Nat. <a(m,n)>val(m < n)", (), True),
    ("exists n:Nat. <a(n)>val(n == 2)", (), False),
    ("<exists n:Nat. (a(n) && val(n < 2))>true", (), True),
    ("exists n:Pos. <b(n)>true", (), False),
    ("exists n:Nat. <b(n)>true", (), True),
    # An internal step has no name and no arguments.
    ("<exists n:Nat. (tau && a(n))>true", ("a",), False),
    ("exists n:Nat. <a(n)>true", ("a",), False),
    ('<exists n:Nat. ("a(1)" && val(n < 1))>true', (), True),
    ('<exists n:Nat. ("a(1)" && val(n < 1))>true', ("a",), False),
    ("<exists n:Nat. (a(...) && val(n < 1))>true", ("a",), False),
    ("<exists n:Nat. ((a(...) || val(n < 1)) && val(n < 1))>true", ("a",), True),
    ("<tau|tau>true", ("a",), True), ("<tau|tau>true", (), False),
])  # fmt: skip
def test_actions_of_one_name_and_internal_steps(formula, hidden, holds):
    specification = mcrl2.read_text(OF_ONE_NAME)
    internal = Internal(hidden=[*hidden])
    found = check_process(specification, Source(formula, "one.mcf"), internal=internal)
    assert found.holds == holds


OTHER_FUNCTIONS = {
    "mcrl2": """map Pos2Nat, Nat2Int: Nat -> Nat; var n: Nat;
    eqn Pos2Nat(n) = n + 1; Nat2Int(n) = n + 1; act a: Nat; init a(2) . delta;""",
    "mucrl": """%@ include Bool
    %@ include Nat
    map Pos2Nat, Nat2Int: Nat -> Nat var n: Nat rew Pos2Nat(n) = S(n) Nat2Int(n) = S(n)
    act a: Nat init a(2) . delta""",
}


@pytest.mark.parametrize("language", ["mcrl2", "mucrl"])
@pytest.mark.parametrize("name", ["Pos2Nat", "Nat2Int"])
def test_user_functions_differ_from_predefined_namesakes(language, name):
    specification = {"mcrl2": mcrl2, "mucrl": mucrl}[language].read_text(OTHER_FUNCTIONS[language])
    for number, holds in ((2, False), (3, True), (4, False)):
        formula = f"exists n:Nat. val({name}(n) == {number}) && <a(n)>true"
        assert check_process(specification, formula).holds == holds
        assert check_process(specification, formula.replace(":Nat.", ":0..9.")).holds == holds


NAMED_IN = """%@ include Bool
%@ include Nat
map in: -> Bool in: Nat -> Bool in: Nat # Nat -> Bool var n, m: Nat
rew in = T in(n) = T in(n,m) = eq(n,2)
act a: Nat init a(2).delta
"""


@pytest.mark.parametrize("condition", ["in", "in(n)", "in(n,7)", "in(7)", "!in(7,7)"])
def test_functions_may_have_names_of_mcrl2_operators(condition):
    specification = mucrl.read_text(NAMED_IN)
    assert check_process(specification, f"exists n:Nat. val({condition}) && <a(n)>true").holds
    assert check_process(specification, f"exists n:0..3. val({condition}) && <a(n)>true").holds

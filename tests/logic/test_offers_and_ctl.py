"""Notations of CADP and of textbooks: patterns of offers, `AG`, `A[p U q]` and `deadlock`."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS, ParseError, SpecificationError, generate, mcrl2, mucrl
from lts.logic import check, check_process, parse
from lts.symmetry import parse_permutation
from strategies import examples

STATES = st.integers(0, 3)
LABELS = st.sampled_from(["a(1)", "a(2)", "b(1)", "b(2)", "c(1,2)", "c(2,2)", "tau"])
SYSTEMS = st.lists(st.tuples(STATES, LABELS, STATES), min_size=1, max_size=10)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("AG <a>true", "A G <a>true"),
        ("AG(<a>true)", "A G (<a>true)"),
        ("EF AG EX true", "E F A G E X true"),
        ("A[<a>true U <b>true]", "A (<a>true U <b>true)"),
        ("E[(true) U(<b>true)]", "E ((true) U (<b>true))"),
        ("A[<a>true W <b>true && <c>true]", "A (<a>true W <b>true && <c>true)"),
        ("!AF AX <a>true && EG true", "!A F A X <a>true && E G true"),
        ("deadlock || EF deadlock", "[true]false || E F [true]false"),
        ("nu AG. [true]AG", "nu Y. [true]Y"),
        ("A [a]true", "A ([a]true)"),
        ("let deadlock = true in deadlock", "true"),
    ],
)
def test_ctl_operators_parse_as_path_formulas(written, meant):
    assert parse(written).nodes == parse(meant).nodes


@given(rows=SYSTEMS)
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("<{a !1}>true", "<a(1)>true"),
        ("<{a !(1 + 1)}>true", "<a(2)>true"),
        ("<{c ?any !2}>true", "<c(1,2) || c(2,2)>true"),
        ("<true*.{a ?x:Nat}.{b !x}>true", "<true*>(<a(1)><b(1)>true || <a(2)><b(2)>true)"),
        ("[true*.{a ?x:Nat}.!{b !x}]false",
         "[true*]([a(1)][!b(1)]false && [a(2)][!b(2)]false)"),
        ("<{a ?x:Nat where x > 1}.{b !x}>true", "<a(2)><b(2)>true"),
        ("<({a ?x:Nat}.{b !x})*.tau>true", "<(a(1).b(1) | a(2).b(2))*.tau>true"),
        ("[{a ?x:Nat}]<b(x)>true", "[a(1)]<b(1)>true && [a(2)]<b(2)>true"),
        ("<{a ?x:Nat} | {b ?y:Nat where y == 2}>true", "<a(1) | a(2) | b(2)>true"),
        ("<{a ?x:Nat}.({b ?y:Nat where x != y})+>true",
         "<a(1)><b(2)+>true || <a(2)><b(1)+>true"),
        ("<!({a ?any} || {b !1})>true", "<tau || b(2) || c(...)>true"),
    ],
)  # fmt: skip
def test_offer_patterns_match_label_arguments(rows, written, meant):
    system = LTS.from_transitions(rows)
    # Values that no label has are none of a variable.
    assert check(system, written).holds == check(system, meant).holds
    offers = LTS.from_transitions(
        (s, re.sub(r"(\w)\((.*)\)", lambda m: f"{m[1]} !{m[2].replace(',', ' !')}", label), t)
        for s, label, t in rows
    )
    assert check(offers, written).holds == check(system, meant).holds


@st.composite
def begun(draw):
    """An action formula `a(1, x, ...)`, with or without dots, and what it means."""
    name = draw(st.sampled_from("ab"))
    given = draw(st.lists(st.sampled_from("x12"), min_size=1, max_size=2))
    dots = draw(st.sampled_from([["..."], ["..."], []]))

    def has(label, x):
        own = [x if one == "x" else one for one in given]
        return (
            label[0] == name
            and list(label[1:][: len(own)]) == own
            and (bool(dots) or len(label) == 1 + len(own))
        )

    return f"{name}({', '.join([*given, *dots])})", has


def test_further_arguments_of_labels():
    reached: Counter[str] = Counter()

    @settings(max_examples=examples(20))
    @given(
        st.lists(st.tuples(st.sampled_from("ab"), st.lists(st.sampled_from("12"), max_size=3)),
                 min_size=1, max_size=4),
        begun(), begun(), st.sampled_from(["", "", "&&", "&& !", "||"]), st.booleans(),
        st.booleans(),
    )  # fmt: skip
    def hold_where_the_first_ones_are_these(steps, one, other, operator, dialect, some):
        labels = [(name, *arguments) for name, arguments in steps]
        written = [
            name + "".join(f" !{each}" for each in arguments) if dialect or not arguments
            else f"{name}({','.join(arguments)})" for name, *arguments in labels
        ]  # fmt: skip
        system = LTS.from_transitions((0, label, 1) for label in written)
        (a, has), (b, has_too) = one, other
        # A variable over a sort has the values that labels have.
        sort = "D" if not operator and "x" in a else "1..2"
        text = f"({a} {operator}({b}))" if operator else a
        expected = any(
            {"": has(label, x), "&&": has(label, x) and has_too(label, x),
             "&& !": has(label, x) and not has_too(label, x),
             "||": has(label, x) or has_too(label, x)}[operator]
            for label in labels for x in "12"
        )  # fmt: skip
        formula = f"exists x:{sort}. <{text}>true" if some else f"forall x:{sort}. [{text}]false"
        assert check(system, formula).holds == (expected == some), (written, formula)
        reached["all"] += 1
        reached["of a sort", expected] += sort == "D" and ", ..." in text
        reached["dots", expected] += ", ..." in text

    hold_where_the_first_ones_are_these()
    for what in ("of a sort", "dots"):
        for truth in (True, False):
            assert reached[what, truth] >= 1, reached


TEXT = mcrl2.read_text("""sort D = struct d1 | d2; act a, b: D; e: Nat # D; o: Nat; o: D;
proc P(n: Nat) = sum d: D. a(d) . b(d) . e(n, d) . P((n + 1) mod 3); init P(0);""")


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("[true*.{a ?d:D}]<{b !d}>true", True),
        ("[true*.{a ?d:D}]<{b !d1}>true", False),
        ("<true*.{e ?n:Nat ?d:D where n == 2 && d == d1}>true", True),
        ("<true*.{e ?n:Nat ?any where n > 2}>true", False),
        ("[true*.{a ?d:D}.true.{e ?any ?f:D}]val(d == f)", True),
        ("AG [{a !d1}] AF <{b !d1}>true", True),
        ("<true.true.e(0, ...)>true", True),
        ("<true.true.e(1, ...)>true", False),
        ("<true.true.e(0, *)>true", True),
        ("<true.true.e(0, d1 , ... )>true", True),
        ("A G (a(d1, ...) => X b(d1, ...))", True),
        ("A G (a(d1, ...) => X b(d2, ...))", False),
        ("exists n: Nat. <true.true.e(n, ...)>val(n > 0)", False),
        ("<true*>(<exists n: Nat. val(n > 1) && e(n, ...)>true)", True),
        ("<true*>(<exists n: Nat. val(n > 2) && e(n, ...)>true)", False),
        ("forall d: D. [a(d, ...)]<b(d, ...)>true", True),
    ],
)
def test_offers_of_a_specification(formula, holds):
    assert check_process(TEXT, formula).holds == holds
    if "Nat" not in formula:
        swap = parse_permutation("(d1 d2)")
        assert check_process(TEXT, formula, [swap]).holds == holds


IN_TURN = """sort Bool Id func T, F: -> Bool p, q: -> Id act a: Id a: Id # Bool b: Id # Bool
proc X = sum(i: Id, a(i) . a(i, T) . X + b(i, F) . X) init X"""


@pytest.mark.parametrize(("formula", "fair", "holds"), [
    ("<a(p, ...).a(p, ...)>true", None, True), ("<a(p, ...).a(q, ...)>true", None, False),
    ("<a(p).b(p, ...)>true", None, False), ("<b(p, F, ...)>true", None, True),
    ("A G F a(p, T)", None, False), ("A G F a(p, T)", "SF(a(q, ...))", False),
    ("A G F a(p, T)", "SF(a(p)) && WF(a(p, ...))", True),
    ("A F b(p, ...)", "forall i: Id. SF(b(i, ...))", True),
    ("A (G F a(p, ...) => G F a(p, T))", "forall i: Id. SF(b(i, ...))", True),
])  # fmt: skip
def test_further_arguments_of_a_mucrl_specification(formula, fair, holds):
    process = mucrl.read_text(IN_TURN)
    assert check_process(process, formula, fair=fair).holds == holds
    swap = parse_permutation("(p q)")
    assert check_process(process, formula, [swap], fair=fair).holds == holds
    assert check(generate(process), formula.replace(": Id", ":Id"), fair=fair).holds == holds


def test_further_arguments_of_one_action_of_several():
    system = LTS.from_transitions([(0, "a(1,2)|b(1)", 1)])
    source = "<a(1, ...)|b(...)>true && [a(2, ...)|b(...)]false && [a(1, 2, 3, ...)|b(1)]false"
    assert check(system, source, file="a.mcf").holds


def test_unmatched_argument_prefixes_are_reported():
    system = LTS.from_transitions([(0, "a(1,2)", 1)])
    found = check(system, "[a(2, ...) || a(1, ...) || c(1, ...)]true")
    assert found.unknown == ("a(2, ...)", "c(1, ...)")


@pytest.mark.parametrize(
    ("formula", "column", "message"),
    [
        ("<{a !d1 !d2}>true", 3, "`a` takes (D)"),
        ("<{z !d1}>true", 3, "there is no action `z`"),
        ("<{a ?n:Nat}>true", 6, "this is a `D`, not a `Nat`"),
        ("<!{a ?n:D}>true", 7, "write `?any`"),
        ("<e(3, d1, d1, ...)>true", 2, "takes 2 arguments, not 3"),
        ("<e(d1, ...)>true", 4, "argument 1 of `e:Nat#D` has sort `D` instead of `Nat`"),
        ("<o(true, ...)>true", 2, "there is no action `o(Bool)`; there are `o:Nat` and `o:D`"),
        ("<e(, ...)>true", 4, "expected an expression"),
        ("<e(..., d1)>true", 4, "expected an expression"),
        ("<({a ?n:D})*.b(n)>true", 16, "`n` is not a variable"),
        ("<{a !d1>true", 2, "this `{` is never closed"),
        ("<{a !d1 d1}>true", 9, "expected `!` and a term"),
        ("<{a ! }>true", 7, "expected a term"),
        ("<{a !(d1}>true", 9, "expected `)` for the `(` of line 1, found `}`"),
    ],
)
def test_wrong_offers_are_refused_with_position(formula, column, message):
    with pytest.raises((ParseError, SpecificationError)) as refused:
        check_process(TEXT, formula)
    assert message in refused.value.message
    assert refused.value.column == column

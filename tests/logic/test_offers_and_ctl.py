"""Notations of CADP and of textbooks: patterns of offers, `AG`, `A[p U q]` and `deadlock`."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, ParseError, SpecificationError, mcrl2
from lts.logic import check, check_process, parse

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
def test_what_ctl_writes_is_about_paths(written, meant):
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
def test_offers_are_what_stands_in_labels(rows, written, meant):
    system = LTS.from_transitions(rows)
    # Values that no label has are none of a variable.
    assert check(system, written).holds == check(system, meant).holds
    offers = LTS.from_transitions(
        (s, re.sub(r"(\w)\((.*)\)", lambda m: f"{m[1]} !{m[2].replace(',', ' !')}", label), t)
        for s, label, t in rows
    )
    assert check(offers, written).holds == check(system, meant).holds


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
    ],
)
def test_offers_of_a_specification(formula, holds):
    assert check_process(TEXT, formula).holds == holds


@pytest.mark.parametrize(
    ("formula", "column", "message"),
    [
        ("<{a !d1 !d2}>true", 3, "`a` takes (D)"),
        ("<{z !d1}>true", 3, "there is no action `z`"),
        ("<{a ?n:Nat}>true", 6, "this is a `D`, not a `Nat`"),
        ("<!{a ?n:D}>true", 7, "write `?any`"),
        ("<({a ?n:D})*.b(n)>true", 16, "`n` is not a variable"),
        ("<{a !d1>true", 8, "expected `!` and a term"),
        ("<{a ! }>true", 7, "expected a term"),
        ("<{a !(d1}>true", 6, "this bracket is never closed"),
    ],
)
def test_what_is_wrong_with_offers(formula, column, message):
    with pytest.raises((ParseError, SpecificationError)) as refused:
        check_process(TEXT, formula)
    assert message in refused.value.message
    assert refused.value.column == column

"""Applied lambdas, and quantifiers: compared with substitution by the definition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lts
from lts.logic import check_process
from lts.mcrl2 import read_text
from lts.state_space import generate
from mcrl2_files import (
    action,
    app,
    call,
    integer,
    listed,
    lps,
    nat,
    op,
    pos,
    sort,
    summand,
    var,
    written,
)

DECLARED = "map u: Bool; k: Nat; v: Nat -> Bool; w: Bool # Bool -> Bool;\n"
"""Nothing is known of these, so that terms with them are stuck."""

BOOLS = st.sampled_from(["true", "false", "u", "v(k)", "v(2)"])


@st.composite
def expressions(draw, variables=(), depth=3):
    """Draw an expression: a text, or a tuple of a kind and its parts.

    Kinds are `w`, `apply` with a variable, body and argument, and quantifiers.
    """
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(variables) | BOOLS if variables else BOOLS)
    kind = draw(st.sampled_from(["w", "apply", "apply", "forall", "exists"]))
    if kind == "w":
        return ("w", *(draw(expressions(variables, depth - 1)) for _ in range(2)))
    name = f"x{len(variables)}"
    if kind == "apply":
        body = draw(expressions((*variables, name), depth - 1))
        return ("apply", name, body, draw(expressions(variables, depth - 1)))
    # The variable of a quantifier does not occur, or takes every value of a small sort.
    sort = draw(st.sampled_from(["Nat", "Pos", "List(Nat)", "Nat -> Nat", "Bool"]))
    inner = (*variables, name) if sort == "Bool" else variables
    return (kind, name, draw(expressions(inner, depth - 1)), sort)


def text(expression):
    match expression:
        case str():
            return expression
        case "w", one, other:
            return f"w({text(one)}, {text(other)})"
        case "apply", name, body, argument:
            return f"(lambda {name}: Bool. {text(body)})({text(argument)})"
        case kind, name, body, sort:
            return f"({kind} {name}: {sort}. {text(body)})"


def reduced(expression, values):
    """Return an expression without binders, by substitution."""
    match expression:
        case str():
            return values.get(expression, expression)
        case "w", one, other:
            return ("w", reduced(one, values), reduced(other, values))
        case "apply", name, body, argument:
            return reduced(body, {**values, name: reduced(argument, values)})
        case kind, name, body, sort:
            if sort != "Bool":
                return reduced(body, values)
            one, other = (reduced(body, {**values, name: b}) for b in ("false", "true"))
            return one if one == other else ("&&" if kind == "forall" else "||", one, other)


def plain(expression):
    match expression:
        case str():
            return expression
        case "w", one, other:
            return f"w({plain(one)}, {plain(other)})"
        case sign, one, other:
            return f"({plain(one)} {sign} {plain(other)})"


def label(expression):
    (found,) = generate(read_text(f"{DECLARED}act a: Bool; init a({expression}) . delta;")).labels
    return found


def kinds(expression):
    """Return how often an expression has each kind; `stuck` counts lambdas with stuck arguments."""
    found = Counter()
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            found[part[0]] += 1
            found["stuck"] += part[0] == "apply" and part[3] in ("u", "v(k)")
            found["unused"] += part[0] in ("forall", "exists") and part[3] != "Bool"
            waiting += [inner for inner in part[1:] if isinstance(inner, tuple)]
    return found


def test_binders_are_reduced_as_by_substitution():
    reached = Counter()

    @settings(max_examples=max(settings.default.max_examples, 100))
    @given(expressions())
    def check(expression):
        reached.update(kinds(expression))
        found = label(text(expression))
        assert found == label(plain(reduced(expression, {})))
        assert "@" not in found

    check()
    assert min(reached[kind] for kind in ("apply", "stuck", "unused", "w")) >= 10


@pytest.mark.parametrize(
    ("expression", "reduct"),
    [
        ("(lambda x: Bool. true)(u)", "true"),
        ("(lambda x: Bool. lambda y: Bool. x)(u)(v(k))", "u"),
        ("(lambda x, y: Nat. v(x))(k, 3)", "v(k)"),
        ("(lambda f: Nat -> Bool. f(k))(v)", "v(k)"),
        ("(lambda f: Nat -> Bool. f(k))(lambda n: Nat. w(v(n), u))", "w(v(k), u)"),
        ("w(f(u), f(true)) whr f = lambda x: Bool. w(x, x) end", "w(w(u, u), w(true, true))"),
        ("forall x: Pos. true", "true"),
        ("exists x: Pos, y: Nat. u", "u"),
        ("exists x: Pos. v(k) || x > x", "v(k)"),
        ("forall x: Pos. v(k) || x > x", "v(k)"),
        ("forall n: Nat. (lambda x: Nat. u)(n)", "u"),
    ],
)
def test_lambdas_reduce_to_listed_terms(expression, reduct):
    assert label(expression) == label(reduct)


@pytest.mark.parametrize(
    "of",
    [
        "Bool: exists x: Nat. v(x)", "Bool: forall x: Nat, b: Bool. v(x) || b", "Bool: h(k)(3)",
        "Set(Bool): {x: Bool | w(x, u)}", "Bag(Nat): {1: k, 2: 3}", "Bag(Bool): {x: Bool | k}",
        "Set(Nat): {3} - {k}", "Real: k / 3", "Real: floor(r) / 2", "Nat: k mod 3",
        "Int: pred(k)", "Pos: succ(k)", "Set(Nat): {k, 3} * {4}", "Nat: sqrt(k)", "Nat: exp(k, 3)",
    ],
)  # fmt: skip
def test_labels_show_no_internal_names(of):
    sort, _, term = of.partition(": ")
    text = f"{DECLARED}map r: Real; h: Nat -> Nat -> Bool; act a: {sort}; init a({term}) . delta;"
    (found,) = generate(read_text(text)).labels
    assert "@" not in found


@pytest.mark.parametrize(
    "term", ["k * L", "L * k", "k + L", "exp(k, L)", "k * L + L", "(k + 1) * L"]
)
@pytest.mark.parametrize("large", [1001, 10**8, 10**40])
def test_large_numbers_reduce_without_unary_steps(term, large):
    text = f"map k: Nat; act a: Nat; init a({term.replace('L', str(large))}) . delta;"
    (found,) = generate(read_text(text)).labels
    assert str(large) in found


@pytest.mark.parametrize(
    ("sort", "used"),
    [
        ("Nat -> Nat", "g(3) == g(4)"), ("Bool -> D", "g(true) == g(false)"),
        ("D -> D", "g(d) == g(d)"), ("Nat -> Nat -> List(Nat)", "g(1)(2) == g(2)(1)"),
        ("Nat # Bool -> Bool", "g(1, true) == g(2, true)"), ("D", "g == g"),
        ("F", "get(g)(1) == get(g)(2)"), ("List(Nat -> Nat)", "#g == 0"),
    ],
)  # fmt: skip
def test_global_variables_of_any_sort_have_a_value(sort, used):
    text = f"""sort D; F = struct c(get: Nat -> Nat); map d: D;
    glob g: {sort}; act a; init ({used}) -> a . delta;"""
    assert generate(read_text(text)).labels == ("a",)


REAL = "Int # Int -> Real"


@given(st.integers(-20, 20), st.integers(-20, 20).filter(bool), st.integers(0, 30))
def test_internal_functions_of_linear_processes(tmp_path_factory, x, y, n):
    down = Fraction(abs(y), max(n, 1))
    rows = [
        (call("@redfrac", REAL, integer(x), integer(y)), Fraction(x, y)),
        (
            call("@redfracwhr", "Pos # Int # Nat -> Real", pos(abs(y)), integer(x), nat(n)),
            x + Fraction(n, abs(y)),
        ),
        (
            call("@redfracwhr", "Nat # Int # Nat -> Real", nat(abs(y)), integer(x), nat(n)),
            x + Fraction(n, abs(y)),
        ),
        (
            call(
                "@redfrachlp", "Real # Int -> Real",
                call("@redfrac", REAL, integer(abs(y)), integer(max(n, 1))), integer(x),
            ),
            x + 1 / down,
        ),
    ]  # fmt: skip
    numbers = [
        (call("@natpred", "Nat -> Nat", nat(n)), max(0, n - 1)),
        (call("sqrt", "Nat -> Nat", nat(n)), isqrt(n)),
        (call("@monus", "Nat # Nat -> Nat", nat(n), nat(abs(x))), max(0, n - abs(x))),
        (call("@pospred", "Pos -> Pos", pos(abs(y))), max(1, abs(y) - 1)),
    ]
    truths = [
        (call("@equals_zero", "Nat -> Bool", nat(n)), n == 0),
        (call("@not_equals_zero", "Nat -> Bool", nat(n)), n != 0),
        (call("@equals_one", "Pos -> Bool", pos(abs(y))), abs(y) == 1),
    ]
    summands = [
        summand(action("a", term, sorts=[of]))
        for of, found in (
            ("Real", rows),
            ("Nat", numbers[:3]),
            ("Pos", numbers[3:]),
            ("Bool", truths),
        )
        for term, _ in found
    ]
    acts = [("a", of) for of in ("Real", "Nat", "Pos", "Bool")]
    file = tmp_path_factory.mktemp("internal") / "f.lps"
    file.write_bytes(written(lps([], [], summands, acts=acts)))
    expected = [str(value) for _, value in rows + numbers]
    expected += [str(value).lower() for _, value in truths]
    assert {*lts.generate(file).labels} == {f"a({value})" for value in expected}


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("<exists n: Real. a(1)>true", True), ("<exists n: Real, m: Nat. a(m)>true", True),
        ("[forall n: Nat, r: Real. a(1)]false", False), ("exists f: Nat -> Nat. <a(1)>true", True),
        ("<exists n: 5..4. a(1)>true", False), ("<exists n: Nat. b>true", False),
    ],
)  # fmt: skip
def test_unused_variables_of_formulas(formula, holds):
    system = read_text("act a: Nat; b; init a(1) . b . delta;")
    assert check_process(system, formula).holds == holds


@given(st.integers(0, 4), st.frozensets(st.integers(0, 5), max_size=3), st.booleans())
def test_sets_of_functions_and_finite_sets(tmp_path_factory, bound, elements, named):
    # `@set(f, s)` has what either f or s has.
    x, n = var("x", "Nat"), var("n", "Nat")
    of = ("SortArrow", listed(sort("Nat -> Bool"), sort("FSet Nat")), sort("Set Nat"))
    add = ("SortArrow", listed(sort("Nat"), sort("FSet Nat")), sort("FSet Nat"))
    less = call("<", "Nat # Nat -> Bool", x, nat(bound))
    finite = op("{}", "FSet Nat")
    for element in elements:
        finite = call("@fset_insert", add, nat(element), finite)
    f = op("f", "Nat -> Bool") if named else ("Binder", ("Lambda",), listed(x), less)
    whole = call("@set", of, f, finite)
    is_in = ("SortArrow", listed(sort("Nat"), sort("Set Nat")), sort("Bool"))
    summands = [
        summand(action("a", nat(k), call("in", is_in, nat(k), whole), sorts=["Nat", "Bool"]))
        for k in range(7)
    ]
    acts = [("a", "Nat", "Bool")]
    eqns = [([x], None, app(op("f", "Nat -> Bool"), x), less)]
    file = tmp_path_factory.mktemp("set") / "f.lps"
    found = lps([n], [nat(0)], summands, acts=acts, maps=[("f", "Nat -> Bool")], eqns=eqns)
    file.write_bytes(written(found))
    assert {*lts.generate(file).labels} == {
        f"a({k},{str((k < bound) != (k in elements)).lower()})" for k in range(7)
    }

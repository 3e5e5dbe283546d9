"""The rules of the predefined functions, against Python's own numbers and lists."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts.mcrl2 import read_text
from lts.mcrl2.data.signatures import MONOMORPHIC
from lts.mcrl2.data.symbols import function
from lts.state_space import generate
from naive.rewriting import Rewriter, value

SMALL = st.integers(-12, 12)
LISTS = st.lists(st.integers(0, 3), max_size=4)


def evaluated(sort, text, declarations=""):
    """The value of an expression."""
    specification = read_text(f"{declarations} act a: {sort}; init a({text});")
    (term,) = specification.initial.arguments
    return value(Rewriter(specification).normal(term))


def several(sort, texts, declarations=""):
    """The values of expressions, from one specification."""
    specification = read_text(f"{declarations} act a: {sort}; init {'+'.join(texts)};")
    rewriter = Rewriter(specification)
    return [
        value(rewriter.normal(action.arguments[0])) for action in specification.initial.alternatives
    ]


COMPARED = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


def sort_of(number):
    return "Pos" if number > 0 else "Nat" if number == 0 else "Int"


def literals(number):
    """Ways to write a number, so that every sort it has is taken."""
    yield f"({number})"
    if number >= 0:
        yield f"Nat2Int({number})" if number == 0 else f"Pos2Int({number})"
    if number > 0:
        yield f"Pos2Nat({number})"


@given(SMALL, SMALL)
def test_arithmetic(x, y):
    for literal in literals(x):
        for other in literals(y):
            texts = [f"a({literal} {op} {other})" for op in ("+", "-", "*")]
            texts += [f"a(max({literal},{other}))", f"a(min({literal},{other}))"]
            assert several("Int", texts) == [x + y, x - y, x * y, max(x, y), min(x, y)]


@given(st.integers(1, 5), st.integers(-5, 5))
def test_results_of_narrower_sorts(x, y):
    pairs = [(f"{x}", "Pos", f"Pos2Int({y})" if y > 0 else f"({y})")]
    pairs.append((f"Pos2Nat({x})", "Nat", pairs[0][2] if y else "Nat2Int(0)"))
    if y >= 0:
        pairs.append((f"{x}", "Pos", f"Pos2Nat({y})" if y else "0"))
    for one, sort, other in pairs:
        texts = [f"a(max({one}, {other}))", f"a(max({other}, {one}))"]
        assert several(sort, texts) == [max(x, y)] * 2
    assert evaluated("Pos", f"succ({x})") == x + 1
    if y >= 0:
        texts = [f"a({x} + Int2Nat({y}))", f"a(Int2Nat({y}) + {x})"]
        assert several("Pos", texts) == [x + y] * 2


@given(SMALL, SMALL)
def test_comparisons(x, y):
    for literal in literals(x):
        for other in literals(y):
            texts = [f"a({literal} {op} {other})" for op in COMPARED]
            assert several("Bool", texts) == [compare(x, y) for compare in COMPARED.values()]


@given(SMALL, st.integers(1, 6))
def test_division_takes_the_floor(x, y):
    for literal in literals(x):
        assert several("Int", [f"a({literal} div {y})", f"a({literal} mod {y})"]) == [x // y, x % y]


@given(st.integers(-4, 4), st.integers(0, 3))
def test_powers(x, n):
    for literal in literals(x):
        assert evaluated("Int", f"exp({literal}, {n})") == x**n


@given(SMALL)
def test_functions_of_one_number(x):
    for literal in literals(x):
        texts = [f"a({f}({literal}))" for f in ("succ", "pred", "abs", "-")]
        texts.append(f"a(-({literal} + {literal}))")
        assert several("Int", [*texts, "a(0)"]) == [x + 1, x - 1, abs(x), -x, -2 * x, 0]


@given(SMALL)
def test_conversions(x):
    if x >= 0:
        assert evaluated("Nat", f"Int2Nat(Nat2Int({x}))") == x
    if x > 0:
        assert evaluated("Pos", f"Int2Pos(Pos2Int({x}))") == x
        assert evaluated("Pos", f"Nat2Pos(Pos2Nat({x}))") == x
        assert evaluated("Nat", f"Int2Nat(Pos2Int({x}))") == x


@given(st.integers(0, 150))
def test_numerals_in_decimals(number):
    assert evaluated("Nat", str(number)) == number
    assert evaluated("Int", f"-{number}") == -number


@given(LISTS, LISTS)
def test_lists(one, other):
    texts = [f"a({one} ++ {other})", f"a({one} <| 3)", f"a(3 |> {one})"]
    assert several("List(Nat)", texts) == [one + other, [*one, 3], [3, *one]]
    texts = [f"a({one} {op} {other})" for op in COMPARED]
    texts += [f"a({n} in {one})" for n in range(3)]
    expected = [compare(one, other) for compare in COMPARED.values()]
    # Without elements, nothing says what sort they have; `Nat` is as good as any.
    texts = [text.replace("[]", "tail([0])") for text in texts]
    assert several("Bool", texts) == expected + [n in one for n in range(3)]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_parts_of_lists(elements):
    texts = [f"a({f}({elements}))" for f in ("head", "rhead", "#")]
    texts += [f"a({elements}.{n})" for n in range(len(elements))]
    assert several("Nat", texts) == [elements[0], elements[-1], len(elements), *elements]
    texts = [f"a({f}({elements}))" for f in ("tail", "rtail")]
    assert several("List(Nat)", texts) == [elements[1:], elements[:-1]]


def test_large_numbers_are_computed_without_rules():
    x, y = 10**30 + 7, 10**29 + 3
    texts = {
        f"{x} + {y}": x + y, f"{x} - {y}": x - y, f"-{x}": -x, f"{x} * {y}": x * y,
        f"{x} div {y}": x // y, f"{x} mod {y}": x % y, f"exp({x}, 3)": x**3, f"abs(-{x})": x,
        f"min({x}, {y})": y, f"max({x}, {y})": x, f"succ({x})": x + 1, f"pred({x})": x - 1,
        f"Int2Nat({x}) + 0": x, f"Nat2Pos({x}) + 0": x, f"Int2Pos({x}) + 0": x,
    }  # fmt: skip
    compared = {f"{x} {op} {y}": compare(x, y) for op, compare in COMPARED.items()}
    calls = [f"a({at}, {text})" for at, text in enumerate(texts)]
    calls += [f"b({at}, {text})" for at, text in enumerate(compared)]
    declared = "act a: Nat # Int; b: Nat # Bool;"
    found = generate(read_text(f"{declared} init {'.'.join(calls)}.delta;")).labels
    assert set(found) == {
        *(f"a({at},{number})" for at, number in enumerate(texts.values())),
        *(f"b({at},{str(truth).lower()})" for at, truth in enumerate(compared.values())),
    }
    of_numbers = [f for own in MONOMORPHIC.values() for f in own if {"Pos", "Nat", "Int"} >= {
        f.sort, *f.arguments} and f.name != "sqrt" and not f.name.startswith("@")]  # fmt: skip
    assert len(of_numbers) > 40
    assert all(f.native for f in of_numbers)
    assert all(function(name, ("Nat", "Nat"), "Bool").native for name in COMPARED)


def test_undefined_applications_are_normal_forms():
    assert evaluated("Nat", "head([])") == "head([])"
    assert evaluated("Nat", "[0].1") == "[].0"
    assert evaluated("Nat", "Int2Nat(-1)") == "Int2Nat(-1)"
    assert evaluated("Pos", "Nat2Pos(0)") == "Nat2Pos(0)"


LOGIC = {
    "&&": operator.and_,
    "||": operator.or_,
    "=>": lambda x, y: not x or y,
    **COMPARED,
}


@pytest.mark.parametrize("x", [False, True])
@pytest.mark.parametrize("y", [False, True])
def test_booleans(x, y):
    one, other = str(x).lower(), str(y).lower()
    texts = [f"a({one} {op} {other})" for op in LOGIC]
    texts += [f"a(!{one})", f"a(if({one}, {other}, !{other}))"]
    expected = [f(x, y) for f in LOGIC.values()]
    assert several("Bool", texts) == [*expected, not x, y if x else not y]


STRUCTURE = """
sort D = struct k | l(first: Nat, second: Bool) ? is_l | m(first: Nat) ? is_m | n;
"""
NUMBERS = st.integers(0, 2)
VALUES = st.one_of(
    st.just((0,)),
    st.tuples(st.just(1), NUMBERS, st.booleans()),
    st.tuples(st.just(2), NUMBERS),
    st.just((3,)),
)


def written(of_structure):
    name, fields = "klmn"[of_structure[0]], of_structure[1:]
    return name + (f"({','.join(str(f).lower() for f in fields)})" if fields else "")


@given(VALUES, VALUES)
def test_structures_are_ordered_by_constructor_then_by_arguments(x, y):
    texts = [f"a({written(x)} {op} {written(y)})" for op in COMPARED]
    texts += [f"a(is_l({written(x)}))", f"a(is_m({written(x)}))"]
    expected = [compare(x, y) for compare in COMPARED.values()]
    assert several("Bool", texts, STRUCTURE) == [*expected, x[0] == 1, x[0] == 2]


def test_projections():
    assert evaluated("Nat", "first(l(2,true))", STRUCTURE) == 2
    assert evaluated("Nat", "first(m(1))", STRUCTURE) == 1
    assert evaluated("Nat", "first(k)", STRUCTURE) == "first(k)"


def test_conditions_and_order_of_equations():
    text = """
    map f: Nat -> Nat; g: List(Nat) -> Nat;
    var n: Nat; l: List(Nat);
    eqn n < 3 -> f(n) = 0;
        n < 5 -> f(n) = 1;
        f(7) = 2;
        g([]) = 0; g([n]) = 1; g(n |> l) = 1 + g(l);
    """
    assert several("Nat", [f"a(f({n}))" for n in (2, 4, 7)], text) == [0, 1, 2]
    assert evaluated("Nat", "f(6)", text) == "f(6)"
    assert evaluated("Nat", "g([5,6,7])", text) == 3


def test_equations_of_the_text_come_first():
    text = "sort D; cons c, d: D; eqn c < d = true;"
    texts = ["a(c < d)", "a(d > c)", "a(c < c)", "a(c == d)", "a(d < c)"]
    assert several("Bool", texts, text) == [True, True, False, False, "d < c"]


def test_only_used_functions_have_rules():
    assert read_text("act a; init a;").rules == ()
    assert len(read_text("sort D = struct c | d; act a: Bool; init a(c == d);").rules) == 2
    assert len(read_text("act a: Nat; init sum n: Nat. a(n);").functions) == 4


def test_names_of_predefined_functions_at_other_sorts():
    text = """
    sort D = struct c | d;
    map tail: Nat -> List(Nat); head: D -> Nat; if: Bool # D # Nat -> D;
        succ: D -> D; min: D # D -> D;
    var k: Nat; b: Bool; x, y: D;
    eqn tail(k) = [k, k]; head(x) = 7; if(b, x, k) = d; succ(x) = d; min(x, y) = x;
    """
    assert several("List(Nat)", ["a(tail(2))", "a(tail([2, 3]))"], text) == [[2, 2], [3]]
    assert several("Nat", ["a(head(c))", "a(head([2, 3]))"], text) == [7, 2]
    texts = ["a(if(true, c, 1))", "a(if(true, c, d))", "a(succ(c))", "a(min(d, c))"]
    assert several("D", texts, text) == ["d", "c", "d", "d"]

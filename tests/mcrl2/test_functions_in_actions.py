"""Functions that actions have as arguments, and predefined functions as values."""

import pytest

from lts import SpecificationError
from lts.mcrl2 import read_text
from lts.mucrl import generate

TWO = """map f, g: Nat -> Nat; var n: Nat; eqn f(n) = n + 1; g(n) = 1 + n;
act a, b, c: Nat -> Nat; m: List(Nat -> Nat);
"""


def labels(text):
    return [label for _, label, _ in generate(read_text(text)).transitions()]


def test_functions_in_labels_are_shown_as_written():
    steps = "a(f) . a(lambda x: Nat. x) . a(f[1 -> 3]) . m([f, g]) . m([])"
    assert labels(f"{TWO} init {steps};") == [
        "a(f)", "a((lambda x:Nat. x))", "a(f[1 -> 3])", "m([f,g])", "m([])",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("f", "f", "c(f)"),
        ("f[1 -> 3]", "f[1 -> 1 + 2]", "c(f[1 -> 3])"),
        ("f[1 -> 3][2 -> 4]", "f[2 -> 4][1 -> 3]", "c(f[1 -> 3][2 -> 4])"),
        # Both are the same function, and yet do not look so.
        ("f", "g", None),
        ("f[1 -> 3]", "g[1 -> 3]", None),
        ("f", "g[1 -> 3]", None),
        ("f[1 -> 3]", "f[2 -> 7]", None),
    ],
)
def test_possibly_equal_functions_may_communicate(one, other, together):
    text = f"{TWO} init allow({{c}}, comm({{a|b -> c}}, a({one}) || b({other})));"
    if together is None:
        with pytest.raises(SpecificationError, match="no equation fits"):
            labels(text)
    else:
        assert labels(text) == [together]


def test_constructors_distinguish_terms_with_functions():
    text = """sort S = struct s(Nat -> Nat) | t; map f, g: Nat -> Nat; act a, b, c: S;
    init allow({{c}}, comm({{a|b -> c}}, a(s(f)) || b({})));"""
    assert labels(text.format("t")) == []
    assert labels(text.format("s(f)")) == ["c(s(f))"]
    with pytest.raises(SpecificationError):
        labels(text.format("s(g)"))


@pytest.mark.parametrize(
    ("sort", "function", "term", "value"),
    [
        ("Nat # Nat -> Nat", "max", "h(2, 3)", "3"),
        ("Nat -> Pos", "succ", "h(2)", "3"),
        ("Pos -> Pos", "succ", "h(2)", "3"),
        ("Int # Int -> Int", "min", "h(-2, 3)", "-2"),
        ("Real -> Int", "floor", "h(7 / 2)", "3"),
        ("Pos -> Int", "Pos2Int", "h(4)", "4"),
    ],
)
def test_predefined_functions_are_values(sort, function, term, value):
    result = sort.rpartition("-> ")[2]
    text = f"act a: {result}; proc P(h: {sort}) = a({term}) . delta; init P({function});"
    assert labels(text) == [f"a({value})"]


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("[] == []", "true"),
        ("{} == {}", "true"),
        ("#[] == 0", "true"),
        ("[[]] == [[], []]", "false"),
        ("(lambda x: Bool. [])(true) == []", "true"),
        ("(lambda x: Bool. []) == (lambda x: Bool. [[]])", "false"),
    ],
)
def test_empty_collections_have_any_sort(term, value):
    assert labels(f"act a: Bool; init a({term});") == [f"a({value})"]


@pytest.mark.parametrize(
    ("equations", "one", "other", "equal"),
    [
        ("d1 == d2 = false;", "d1", "d2", False),
        ("d1 == d2 = true;", "d1", "d2", True),
        ("d1 == d2 = true;", "d2", "d1", None),
        ("", "d1", "d2", None),
        ("d2 == d1 = f(true); f(true) = false; f(false) = true;", "d2", "d1", False),
    ],
)
def test_equality_of_values_without_constructors_needs_equations(equations, one, other, equal):
    declared = f"sort D; map d1, d2: D; f: Bool -> Bool; {'eqn' if equations else ''} {equations}"
    compared = f"{declared} act a: Bool; init a({one} == {other}) . a({one} != {other});"
    together = f"""{declared} act a, b, c: D;
    init allow({{c}}, comm({{a|b -> c}}, a({one}) || b({other})));"""
    if equal is None:
        for text in (
            compared.replace(f"a({one} == {other}) .", f"({one} == {other}) ->"),
            together,
        ):
            with pytest.raises(SpecificationError, match="no equation fits"):
                labels(text)
    else:
        assert labels(compared) == [f"a({str(equal).lower()})", f"a({str(not equal).lower()})"]
        assert labels(together) == ([f"c({one})"] if equal else [])


def test_redundant_equality_equations_are_accepted():
    text = """sort D; cons d: D; c: D # Nat -> D; var x, y: D; n, m: Nat; b: Bool;
    eqn c(x, n) == d = false; c(x, n) == c(y, m) = n == m && x == y; x == x = true;
        if(b, x, y) == d = if(b, x == d, y == d);
    act a: Bool; e: D;
    init a(c(d, 1) == c(d, 2)) . a(c(d, 1) == c(d, 1)) .
        sum x: D. (if(x == d, c(d, 1), d) == d && x == c(d, 3)) -> e(x);"""
    assert labels(text) == ["a(false)", "a(true)", "e(c(d,3))"]


def test_ignores_time_drops_times_with_a_remark():
    text = """act a, b: Nat; proc P(t: Real) = sum n: Nat. (n < 2) -> a(n)@(t + n) . P(t + 1);
    init P(0) + (b(1) @ 3 << b(2)) + sum t: Real. b(5) @ t . delta @ (t + 1);"""
    read = read_text(text, ignores_time=True)
    assert ["times are ignored" in remark for remark in read.remarks] == [True]
    assert {label for _, label, _ in generate(read).transitions()} == {
        "a(0)", "a(1)", "b(1)", "b(5)",
    }  # fmt: skip

"""How values and terms are written: as the language does, and as people do."""

import pytest

from lts.mcrl2 import read_text
from lts.mucrl import linearise, simulate
from lts.specification.values import Values
from lts.state_space import explore


def labels(text):
    return explore(linearise(read_text(text))).lts.labels


@pytest.mark.parametrize(
    ("sort", "term", "shown"),
    [
        ("Nat", "3 + 4", "7"),
        ("Int", "1 - 8", "-7"),
        ("Real", "10 / 4", "5/2"),
        ("Real", "4 / 2", "2"),
        ("List(Nat)", "[1] ++ [2, 3]", "[1,2,3]"),
        ("List(Bool)", "[]", "[]"),
        ("Set(D)", "{c, b}", "{b,c}"),
        ("Bag(D)", "{c: 2, b: 1}", "{b:1,c:2}"),
        ("D -> Nat", "lambda d: D. if(d == b, 5, 0)", "{b -> 5,c -> 0}"),
        ("D -> Nat", "(lambda d: D. 1)[c -> 2]", "{b -> 1,c -> 2}"),
        (
            "D # D -> Bool",
            "lambda d, e: D. d == e",
            "{(b,b) -> true,(b,c) -> false,(c,b) -> false,(c,c) -> true}",
        ),
        (
            "D -> (Bool -> D)",
            "lambda d: D. lambda x: Bool. if(x, d, b)",
            "{b -> {false -> b,true -> b},c -> {false -> b,true -> c}}",
        ),
        ("D -> List(Nat)", "lambda d: D. [1, 2]", "{b -> [1,2],c -> [1,2]}"),
        ("Set(Nat)", "!{1, 2}", "!{1,2}"),
        ("Set(Nat)", "{n: Nat | n mod 2 == 0}", "{n:Nat | (n mod 2) == 0}"),
        ("Nat", "head([])", "head([])"),
        ("Real", "1 / 0", "(1/0)"),
    ],
)
def test_labels(sort, term, shown):
    text = f"sort D = struct b | c; act a: ({sort}); init a({term});"
    assert labels(text) == (f"a({shown})",)


def test_equal_texts_are_one_label():
    even = "{n: Nat | n mod 2 == 0}"
    assert len(labels(f"act a: Set(Nat); init a({even}) . a({even});")) == 1


def test_captured_variables_are_shown_in_whr():
    text = "act a: Set(Nat); proc P(k: Pos) = a({n: Nat | n mod k == 0}).delta; init P(3);"
    assert labels(text) == ("a(({n:Nat | (n mod k) == 0} whr k=3 end))",)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("a(n + 1, f, s, [n] ++ [2])", "a(n+1,f,s,[n]++[2])"),
        ("a(n * (n + 1), f[c -> 3], s + {b}, n |> [])", "a(n*(n+1),f[c -> 3],s+{b},[n])"),
        ("(n < 2 && !(n == 1)) -> a(f(b), f, s * s, [])", "a(f(b),f,s*s,[])"),
    ],
)
def test_remaining_terms_substitute_known_parameters(body, shown):
    text = (
        "sort D = struct b | c; act a: Nat # (D -> Nat) # Set(D) # List(Nat);"
        f"proc P(n: Nat, f: D -> Nat, s: Set(D)) = {body}.delta;"
        "init P(1, lambda d: D. 0, {});"
    )
    read = read_text(text)
    [(_, process)] = read.definitions.values()
    assert shown in str(process)


def test_the_data_of_states():
    text = (
        "sort D = struct b | c; act a;"
        "proc P(f: D -> Nat, g: Nat -> Bool, s: Set(Nat)) ="
        " a . P(f[b -> 3], g[4 -> true], s + {7});"
        "init P(lambda d: D. 0, lambda n: Nat. n > 5, {n: Nat | n > 9});"
    )
    walk = simulate(read_text(text))
    [component] = walk.components(walk.state)
    assert component.values == {
        "f": "{b -> 0,c -> 0}",
        "g": "(lambda n:Nat. n > 5)",
        "s": "{n:Nat | n > 9}",
    }
    walk.take(0)
    [component] = walk.components(walk.state)
    assert component.values["f"] == "{b -> 3,c -> 0}"
    assert component.values["g"] == "(lambda n:Nat. n > 5)[4 -> true]"


@pytest.mark.parametrize(
    ("sort", "text"),
    [
        ("(D->Nat)", "{b -> 5,c -> 0}"),
        ("(D->(Bool->D))", "{b -> {false -> b,true -> c},c -> {false -> b,true -> c}}"),
        ("List((D->Nat))", "[{b -> 5,c -> 0},{b -> 1,c -> 12}]"),
        ("Set(D)", "{b,c}"),
        ("Int", "-3"),
    ],
)
def test_values_are_read_back(sort, text):
    read = read_text(
        "sort D = struct b | c; act a: (D -> Nat) # (D -> (Bool -> D)) # List(D -> Nat) # Set(D)"
        " # Int; init delta;"
    )
    values = Values(read)
    assert str(values.value(text, sort)) == text
    assert values.value(text + "}", sort) is None


def test_invalid_value_texts_give_none():
    values = Values(read_text("sort D = struct b | c; act a: (D -> Nat); init delta;"))
    for text in ("{b -> 5}", "{b -> 5,c -> 0,b -> 1}", "{b -> e,c -> 0}", "{}", ""):
        assert values.value(text, "(D->Nat)") is None

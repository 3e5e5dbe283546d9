"""Texts that are nested deeper than Python's stack, and long ones."""

import pytest

from lts import LimitReached, ParseError, Unsupported
from lts.mcrl2 import read_text
from lts.state_space import generate

MANY = 3000


@pytest.mark.parametrize("operator", ["+", ".", "||", "||_", "|"])
def test_long_processes(operator):
    read_text(f"act a; init {operator.join(['a'] * MANY)};")


@pytest.mark.parametrize("operator", ["+", "*", "-"])
def test_long_expressions(operator):
    read_text(f"act a: Int; init a({operator.join(['1'] * MANY)});")


@pytest.mark.parametrize("front", ["max(1,", "f(", "(", "-(", "if(true,1,", "succ("])
def test_deep_expressions(front):
    inner = f"{front * MANY}1{')' * MANY}"
    read_text(f"map f: Int -> Int; act a: Int; init a({inner});")


def test_long_lists():
    read_text(f"act a: List(Int); init a([{','.join(['1'] * MANY)}]);")
    read_text(f"act a: List(Int); init a({'1 |> ' * MANY}[]);")


@pytest.mark.parametrize(
    ("front", "back"),
    [
        ("(", ")"),
        ("sum x: Bool. ", ""),
        ("true -> ", ""),
        ("true -> a <> ", ""),
        ("hide({a}, ", ")"),
        ("comm({a|a -> a}, ", ")"),
        ("a . (", ")"),
    ],
)
def test_deep_processes(front, back):
    read_text(f"act a; init {front * MANY}a{back * MANY};")


def test_deep_sorts():
    read_text(f"sort D = {'List(' * 500}Nat{')' * 500}; init delta;")
    aliases = "".join(f"A{n} = A{n + 1};" for n in range(MANY))
    read_text(f"sort {aliases} A{MANY} = Nat; init delta;")
    read_text(f"sort D = {'struct c(' * 300}Nat{')' * 300}; init delta;")


@pytest.mark.parametrize("condition", ["d1 in {if(false, y, d2), d2}", "eq(y, y)"])
def test_values_that_share_their_parts(condition):
    """The values of `y` have twice as many parts in each state, if all of them are counted."""
    text = f"""sort D = struct d0 | d1 | d2;
map f: D -> D; eq: D # D -> Bool; var x: D; eqn eq(x, x) = true;
act a: Bool;
proc X(y: D) = a({condition}) . X(if(d0 == y, f(f(y)), f([y] . 2)));
init X(d1);"""
    with pytest.raises(LimitReached, match="more than 200 states"):
        generate(read_text(text), max_states=200)


@pytest.mark.parametrize("text", ["(" * MANY, "f(" * MANY, "[" * MANY, "{" * MANY])
def test_unclosed_brackets_are_parse_errors(text):
    with pytest.raises(ParseError, match="never closed"):
        read_text(f"act a: Nat; init a({text}")


def test_long_numbers():
    (term,) = read_text(f"act a: Nat; init a({'7' * 4000});").initial.arguments
    assert term.function.name == "7" * 4000
    with pytest.raises(Unsupported, match="more than 4000 digits"):
        read_text(f"act a: Nat; init a({'7' * 5000});")

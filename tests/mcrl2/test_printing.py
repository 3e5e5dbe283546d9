"""Linear processes printed in mCRL2: read again, they do what the rules say of the original."""

from collections import Counter

import pytest
from hypothesis import given, settings

from lts.mcrl2 import read_text
from lts.mcrl2.printing import linear_text
from lts.mucrl import generate, linearise
from ltstool.main import main
from mcrl2_compositions import DECLARED, by_rules, processes
from naive.systems import bisimilar


def printed(text, **parameters):
    return linear_text(linearise(read_text(text, parameters=parameters)))


def test_printed_compositions_do_what_the_rules_say():
    seen = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @given(processes)
    def one(process):
        specification = read_text(f"{DECLARED} init {process};")
        text = linear_text(linearise(specification))
        assert bisimilar(generate(read_text(text)), by_rules(specification))
        for word in (" ->", " == ", "|"):
            seen[word] += word in text.partition("proc ")[2] or word in text.partition("struct")[2]

    one()
    assert min(seen[word] for word in (" ->", " == ", "|")) > 0, seen


CONSTRUCTS = {
    "the data of a terminated process": (
        "act a: Nat; b; proc P(n: Nat) = sum m: Nat. (m < 3) -> a(m) . Q(m); "
        "Q(n: Nat) = a(n) . b . R; R = b . P(0); init P(0);",
        "map unset",
    ),
    "lists, sets and bags": (
        "act l: List(Nat); s: Set(Nat); b: Bag(Bool); "
        "proc P(x: List(Nat), y: Set(Nat), z: Bag(Bool)) = (#x < 3) -> "
        "(l(x) . P(1 |> x, y + {#x}, z) + s(y) . P(x ++ [2], {}, z + {true: 1})) + b(z) . "
        "P([], y, {:}); init P([], {}, {:});",
        "|>",
    ),
    "tables": (
        "sort D = struct d1 | d2 | d3; act a: D # Nat; "
        "proc P(f: D -> Nat) = sum d: D. (f(d) < 2) -> a(d, f(d)) . P(f[d -> f(d) + 1]); "
        "init P(lambda d: D. 0);",
        "(lambda x",
    ),
    "tables of two arguments": (
        "sort D = struct d1 | d2; act a: D # D; t; "
        "proc P(f: D # D -> Bool) = sum d, e: D. f(d, e) -> a(d, e) . "
        "P(lambda x, y: D. f(x, y) && !(x == d && y == e)) + "
        "(forall d, e: D. !f(d, e)) -> t . delta; init P(lambda x, y: D. x == y || x == d1);",
        " && ",
    ),
    "a parameter of a process with a sort in its name": (
        "act a: List(Nat); proc P(l: List(Nat)) = a(l) . P(l); init P([1]) || P([2]);",
        "[1]",
    ),
    "reals and numbers": (
        "act r: Real; n: Int; p: Pos; proc P(x: Real, i: Int, q: Pos) = (x < 3) -> "
        "r(x) . P(x + 1 / 2, i - 2, q + 1) + n(i) . P(x, -i, q) + "
        "(q < 5) -> p(q) . P(x, i, q * 2); init P(1 / 3, 1, 1);",
        "1/2",
    ),
    "structured values": (
        "sort E = struct e(first: Nat, second: Bool)?is_e | none; act a: E; b: Nat; "
        "proc P(x: E) = a(x) . P(if(is_e(x), none, e(1, true))) + "
        "(x != none && second(x)) -> b(first(x)) . P(none); init P(none);",
        "second(",
    ),
    "communications of data": (
        "sort D = struct d1 | d2; act s, r, c: D; proc S(d: D) = s(d) . S(d); "
        "R = sum d: D. r(d) . R; init allow({c}, comm({s|r -> c}, S(d1) || R || S(d2)));",
        "c(d1)",
    ),
    "a variable with the name of a constant of the other process": (
        "map n: Nat; eqn n = 2; act a, b: Nat; proc P = sum n: Nat. (n < 2) -> a(n) . P; "
        "Q = b(n) . Q; init allow({a|b}, P || Q);",
        "b(n)",
    ),
    "multi-actions": (
        "act a: Nat; b, c; proc P(n: Nat) = (n < 2) -> a(n)|b|a(n + 1) . P(n + 1) <> c . P(0); "
        "init P(0);",
        "|b",
    ),
    "quantifiers": (
        "act a: Nat; proc P(n: Nat) = sum m: Nat. (m < 4 && exists k: Nat. k + 1 == m) "
        "-> a(m) . P((n + 1) mod 3); init P(0);",
        "exists",
    ),
    "local definitions": (
        "act a: Nat; proc P(n: Nat) = a(x + x whr x = n + 1 end) . P((n + 1) mod 3); init P(0);",
        "a(",
    ),
    "processes that end": (
        "act a, b, c; proc P = a . b; Q = c . Q; init P || P || Q;",
        "struct",
    ),
}


@pytest.mark.parametrize(("text", "part"), CONSTRUCTS.values(), ids=list(CONSTRUCTS))
def test_each_construct_is_printed(text, part):
    found = printed(text)
    assert part in found
    again = read_text(found)
    assert len(again.definitions) == 1
    assert bisimilar(generate(again), generate(read_text(text)))


def test_a_stack_of_calls_is_a_sort():
    text = "act a, b: Nat; proc P(n: Nat) = (n < 4) -> a(n) . P(n + 1) . b(n) <> b(n); init P(0);"
    found = printed(text)
    assert bisimilar(generate(read_text(found)), generate(read_text(text)))


def test_constants_have_the_values_that_were_given():
    text = (
        "map N: Pos; % how many\n eqn N = % two;\n 2 ; act a: Nat;\n"
        "proc P(n: Nat) = (n < N) -> a(n) . P(n + 1); init P(0);"
    )
    found = printed(text, N=5)
    assert "eqn N = % two;\n 5 ;" in found
    assert "% how many" in found
    assert generate(read_text(found)).state_count == 6


def test_the_command(tmp_path, capsys):
    file, out = tmp_path / "a.mcrl2", tmp_path / "b.mcrl2"
    file.write_text(CONSTRUCTS["tables"][0])
    assert main(["linearise", str(file), "-o", str(out), "-q"]) == 0
    assert main(["compare", str(file), str(out), "-e", "strong", "-q"]) == 0
    assert capsys.readouterr().out == "equivalent\n"
    # A linear process is linear.
    assert main(["linearise", str(out), "-q"]) == 0
    assert "proc X" in capsys.readouterr().out

"""Linear processes printed in mCRL2: read again, they do what the rules say of the original."""

from collections import Counter

import pytest
from hypothesis import given, settings

from lts import Unsupported
from lts.base.bounds import BINARY_EXPRESSION
from lts.mcrl2 import read_text
from lts.mcrl2.binary.linear import linear_file
from lts.mcrl2.printing import linear_text
from lts.mucrl import generate, linearise
from ltstool.main import main
from mcrl2_compositions import DECLARED, by_rules, processes
from mcrl2_files import action, call, lps, nat, op, summand, written
from mcrl2_texts import CONSTRUCTS
from naive.systems import bisimilar


def printed(text, **parameters):
    return linear_text(linearise(read_text(text, parameters=parameters)))


def test_printed_compositions_match_operational_rules():
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


@pytest.mark.parametrize(("text", "part"), CONSTRUCTS.values(), ids=list(CONSTRUCTS))
def test_each_construct_is_printed(text, part):
    found = printed(text)
    assert part in found
    again = read_text(found)
    assert len(again.definitions) == 1
    assert bisimilar(generate(again), generate(read_text(text)))


def test_call_stacks_are_printed_as_a_sort():
    text = "act a, b: Nat; proc P(n: Nat) = (n < 4) -> a(n) . P(n + 1) . b(n) <> b(n); init P(0);"
    found = printed(text)
    assert bisimilar(generate(read_text(found)), generate(read_text(text)))


def test_printed_constants_have_the_given_values():
    text = (
        "map N: Pos; % how many\n eqn N = % two;\n 2 ; act a: Nat;\n"
        "proc P(n: Nat) = (n < N) -> a(n) . P(n + 1); init P(0);"
    )
    found = printed(text, N=5)
    assert "eqn N = % two;\n 5 ;" in found
    assert "% how many" in found
    assert generate(read_text(found)).state_count == 6


def test_linearise_prints_mcrl2(tmp_path, capsys):
    file, out = tmp_path / "a.mcrl2", tmp_path / "b.mcrl2"
    file.write_text(CONSTRUCTS["tables"][0])
    assert main(["linearise", str(file), "-o", str(out), "-q"]) == 0
    assert main(["compare", str(file), str(out), "-e", "strong", "-q"]) == 0
    assert capsys.readouterr().out == "equivalent\n"
    # So is the one of a binary file.
    binary, text = tmp_path / "a.lps", tmp_path / "c.mcrl2"
    assert main(["linearise", str(file), "-o", str(binary), "-q"]) == 0
    assert main(["linearise", str(binary), "-o", str(text), "-q"]) == 0
    assert main(["compare", str(file), str(text), "-e", "strong", "-q"]) == 0
    assert capsys.readouterr().out == "equivalent\n"
    # A linear process is linear.
    assert main(["linearise", str(out), "-q"]) == 0
    assert "proc X" in capsys.readouterr().out


def of_binary(text, **parameters):
    """Return a specification from the binary file of a text, whose process is not simplified."""
    process = linearise(read_text(text), simplifications=())
    data = linear_file(process).decode("utf-8", "surrogateescape")
    return read_text(data, file="x.lps", parameters=parameters)


DECLARATIONS = """
sort E; F = struct f1 | f2(one: E, Nat) ? is_f2; L = List(F); M = E # L -> Bool;
cons e1, e2: E;
map N: Nat; g: M; h: (E -> Nat) # Bool -> Nat; k: List(Nat) -> Set(Nat); b: Bag(E); r: Real -> Real;
var e: E; l: L; w: E -> Nat; c: Bool; ns: List(Nat); x: Real;
eqn N = 2;
    (e == e1) -> g(e, l) = #l > 0;
    (e != e1) -> g(e, l) = exists n: Nat. n < #l && n mod 2 == 1;
    h(w, c) = if(c, w(e1), m + w(e2) whr m = 1 end);
    k(ns) = {n: Nat | n in ns || n == 0};
    b = {e1: 2, e2: 1};
    r(x) = -x / 3;
act a: Nat; d: F; s: Set(Nat); t: Bool; u: Real;
proc P(n: Nat, l: L) =
  (n < N) -> a(h(lambda e: E. n + if(e == e1, 0, 1), n == 0)) . P(n + 1, f2(e1, n) |> l)
  + sum e: E. (n == N && g(e, l)) -> d(if(e == e1, f1, head(l))) . P(0, [])
  + t(count(e1, b) == 2 && {:} < b && {} != {n}) . delta
  + s({n}) . delta + u(r(n)) . delta;
init P(0, []);
"""


def test_a_binary_file_is_printed_with_its_declarations():
    expected = generate(read_text(DECLARATIONS))
    assert expected.state_count == 4
    found = linear_text(linearise(of_binary(DECLARATIONS)))
    assert bisimilar(generate(read_text(found)), expected)
    for part in ("F = struct f1 | f2(one: E, Nat) ? is_f2;", "cons e1: E;", "% summand 1\n"):
        assert part in found
    # Its declarations are those of a text: printing that again changes none.
    again = linear_text(linearise(read_text(found)))
    assert again.startswith(found.partition("\n\n")[0])
    other = linear_text(linearise(of_binary(DECLARATIONS, N=3)))
    assert "N = 3;" in other
    changed = DECLARATIONS.replace("N = 2;", "N = 3;")
    assert bisimilar(generate(read_text(other)), generate(read_text(changed)))
    assert not bisimilar(generate(read_text(other)), expected)


def test_parameters_that_were_removed_are_comments():
    text = (
        "act a, b: Nat; proc P(s: Nat, n: Nat, k: Nat, u: Nat) = (s == 0) -> sum m: Nat. (m < 2)"
        " -> a(m) . P(1, m, k, m) + (s == 1) -> b(n) . P(0, n, k, u); init P(0, 0, 5, 0);"
    )
    for found in (printed(text), linear_text(linearise(of_binary(text)))):
        comments = [line for line in found.splitlines() if line.startswith("% parameter")]
        for name, said in (("k", "is always `5`"), ("u", "is never"), ("n", "is reset where it")):
            assert any(f"_{name}` {said}" in line for line in comments)
    assert "% parameter" not in linear_text(linearise(read_text(text), simplifications=()))


def test_expressions_that_are_large_only_written_out_are_refused(lower):
    lower(BINARY_EXPRESSION, 50)
    with pytest.raises(Unsupported, match="printed with more than 50 characters"):
        linear_text(linearise(of_binary(DECLARATIONS)))


def test_an_overloaded_function_is_the_one_that_is_meant():
    """A number of a text has the smallest sort, which may choose another function."""
    text = (
        "map h: Nat -> Bool; h: Pos -> Bool; k: Int # Nat -> Bool; k: Nat # Pos -> Bool;\n"
        "   r: Real -> Bool; r: Nat -> Bool; twice: Nat -> Bool;\n"
        "var n: Nat; p: Pos; i: Int; x: Real; eqn h(n) = false; h(p) = true; k(i, n) = false;\n"
        "k(n, p) = true; r(x) = false; r(n) = true;\n"
        "twice(n) = h(n) && (n > 3 || h(n)); act u: Bool;\n"
        "proc P(p: Pos, n: Nat, i: Int, x: Real) = u(h(n)) . u(h(p)) . u(k(i, n)) . u(k(n, p))\n"
        " . u(r(x)) . u(r(n)) . u(twice(n + n)) . delta; init P(3, 3, 3, 3);"
    )
    expected = generate(read_text(text))
    assert expected.label_counts() == {"u(false)": 4, "u(true)": 3}
    assert bisimilar(generate(read_text(printed(text))), expected)
    assert bisimilar(generate(read_text(linear_text(linearise(of_binary(text))))), expected)
    # A quantifier of the process is none of the equations, whatever it applies.
    more = text.replace("u(h(n)) .", "u(exists m: Nat. m < 3 && h(m)) .")
    found = linear_text(linearise(of_binary(more)))
    assert bisimilar(generate(read_text(found)), generate(read_text(more)))


def test_an_equation_that_means_another_function_as_a_text_is_refused():
    truth, of_nat = op("true", "Bool"), call("h", "Nat -> Bool", nat(3))
    declared = {
        "maps": [("h", "Nat -> Bool"), ("h", "Pos -> Bool"), ("q", "Bool")],
        "eqns": [([], None, op("q", "Bool"), of_nat), ([], None, of_nat, truth)],
    }
    outputs = lps(
        *([], [], [summand(action("u", op("q", "Bool"), sorts=["Bool"]))]),
        acts=[("u", "Bool")],
        **declared,
    )
    data = written(outputs).decode("utf-8", "surrogateescape")
    process = linearise(read_text(data, file="x.lps"))
    with pytest.raises(Unsupported, match="of the same name: several are called `h`"):
        linear_text(process)

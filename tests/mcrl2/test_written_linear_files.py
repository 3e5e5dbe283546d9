"""Linear processes written as `.lps` files.

Each is read by the independent reader of the tests, which checks the sorts of all terms, and by the
product: the system is that of the text, which an interpreter of texts computes.
"""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, Unsupported, mucrl
from lts.linear.simplify import SIMPLIFICATIONS
from lts.mcrl2 import read_text
from lts.mcrl2.binary.linear import linear_file
from lts.mcrl2.printing import linear_text
from lts.mucrl import generate, linearise
from ltstool.main import main
from mcrl2_compositions import DECLARED, by_rules, processes
from mcrl2_files import (
    TRUE,
    action,
    app,
    call,
    listed,
    lps,
    nat,
    op,
    outputs_of,
    pos,
    struct,
    summand,
    var,
    written,
)
from mcrl2_texts import CONSTRUCTS, random_text
from mcrl2_types import Process, fits, sort
from naive.mcrl2_text import Interpreter
from naive.systems import bisimilar
from strategies import examples

MOST = 40


def of_bytes(data):
    return read_text(data.decode("utf-8", "surrogateescape"), file="x.lps")


def checked(process):
    """Return the bytes of a process, after a check of all sorts."""
    data = linear_file(process)
    Process(outputs_of(data))
    return data


def same(text, **options):
    """Write the process of a text, and compare the systems; return the parts of the file."""
    specification = read_text(text)
    process = linearise(specification, **options)
    data = checked(process)
    found, expected = generate(of_bytes(data)), generate(specification)
    assert {*found.labels} == {*expected.labels}
    assert bisimilar(found, expected)
    again = checked(linearise(of_bytes(data)))
    assert bisimilar(generate(of_bytes(again)), expected)
    printed = linear_text(linearise(of_bytes(data)))
    assert bisimilar(generate(read_text(printed)), expected)
    return Process(outputs_of(data))


MORE = {
    "finite sets and bags": (
        "map g: FSet(Nat) -> Nat; var s: FSet(Nat); eqn g(s) = #s; act a: FSet(Bool) # Nat; b: Nat;"
        "proc P(s: FSet(Nat), t: Set(Nat), u: FBag(Bool)) = (#s < 3) -> sum f: FSet(Bool). "
        "(0 in t) -> a(f, g(s) + #(s + {3})) . P(s + {#s}, t + s, u + {true: 1}) "
        "+ b(#u) . P({}, {}, {:}); init P({}, !{1}, {:});"
    ),
    "lists of finite sets": (
        "act a: List(FSet(Nat)); b: Nat; proc P(l: List(FSet(Nat)), s: FSet(Nat)) = (#l < 3) -> "
        "a(tail(s |> l) ++ [s]) . P(l <| s, s + {#l}) + (s in l) -> b(#head(l <| s)) . P(l, l.0); "
        "init P([], {});"
    ),
    "a chain of conditions on elements": (
        "sort D = struct d1 | d2 | d3 | d4 | d5 | d6 | d7 | d8 | d9 | d10 | d11 | d12; "
        "map o: D -> Set(D); var d: D; eqn o(d) = {e: D | exists f: D. f != d && e != f}; "
        "act a: Bool; proc P = sum d: D. a(d1 in o(d)) . P; init P;"
    ),
    "aliases of sorts": (
        "sort L = List(B); B = Bool; S = struct s(L)?is | t; act a: L # S; "
        "proc P(l: L, u: S) = (#l < 2) -> a(l, u) . P(true |> l, s(true |> l)); init P([], t);"
    ),
    "structured sorts without a name": (
        "act a: struct x | y(Nat); proc P(s: struct x | y(Nat)) = a(s) . P(if(s == x, y(2), x)); "
        "init P(x);"
    ),
    "a global variable of a sort without values": (
        "sort E; glob e: E; map f: E -> Nat; act a: E; b: Nat; init a(e) . b(f(e));"
    ),
    "functions as values": (
        "map f: Nat -> Nat; var n: Nat; eqn f(n) = n + 1; act a: Nat; "
        "proc P(g: Nat -> Nat) = a(g(1)) . P(g[1 -> 5]) + a(g(2)) . P(lambda n: Nat. n * 2); "
        "init P(f);"
    ),
    "comprehensions": (
        "act a: Bool; b: Set(Nat); proc P(n: Nat, s: Set(Nat)) = "
        "a(3 in s) . P((n + 1) mod 3, {m: Nat | m < n}) + (n == 0) -> b({1, n}) . P(n, s); "
        "init P(0, {});"
    ),
    "quantified conditions": (
        "act a; proc P(n: Nat) = (forall b: Bool. b => n < 3) -> a . P(n + 1); init P(0);"
    ),
    "overloaded functions and actions": (
        "sort D = struct c | d; map f: Nat -> Nat; f: D -> Nat; var n: Nat; x: D; eqn f(n) = n; "
        "f(x) = if(x == c, 7, 8); act a: Nat; a: D; proc P = a(f(c)) . a(d) . a(f(3)) . P; init P;"
    ),
    "names that are those of functions": (
        "map n: Nat; eqn n = 2; act a: Nat; proc P(m: Nat) = sum n: Nat. (n < m) -> a(n) . P(m); "
        "init P(n);"
    ),
    "nothing": "init delta;",
    "a process that begins once": "act a, b; init a . b;",
    "larger numbers": f"act a: Pos; b: Int; init a({2**64 + 3}) . a({2**200}) . b(-{2**70});",
}


@pytest.mark.parametrize("text", [text for text, _ in CONSTRUCTS.values()] + [*MORE.values()],
                         ids=[*CONSTRUCTS, *MORE])  # fmt: skip
@pytest.mark.parametrize("simplifications", [SIMPLIFICATIONS, ()], ids=["simplified", "whole"])
def test_each_construct_is_written(text, simplifications):
    same(text, simplifications=simplifications)


def test_random_texts_are_written():
    reached = Counter()

    @settings(max_examples=examples(1), suppress_health_check=[*HealthCheck])
    @given(st.integers(0, 10**9))
    def check(seed):
        text = random_text(Random(seed))
        try:
            data = checked(linearise(read_text(text)))
            found = generate(of_bytes(data), max_states=10 * MOST)
        except LimitReached:
            return
        expected = Interpreter(text).transitions(MOST)
        if expected is None:
            return
        transitions, count = expected
        plain = [(s, "|".join(sorted(a.replace(" ", "").split("|"))), t) for s, a, t in found]
        left = LTS.from_transitions(plain, state_count=found.state_count)
        assert bisimilar(left, LTS.from_transitions(transitions, state_count=count)), text
        reached["compared"] += 1
        parts = Process(outputs_of(data))
        reached["sums"] += any(over for over, *_ in parts.summands)
        reached["multi-actions"] += any(
            actions[0] != "<empty_list>" and actions[2][0] != "<empty_list>"
            for _, _, actions, _ in parts.summands
        )
        reached["several states"] += count > 4

    check()
    assert min(reached[one] for one in ("sums", "multi-actions", "several states")) > 0, reached


def test_compositions_are_written():
    @settings(max_examples=examples(3))
    @given(processes)
    def check(process):
        specification = read_text(f"{DECLARED} init {process};")
        data = checked(linearise(specification))
        assert bisimilar(generate(of_bytes(data)), by_rules(specification))

    check()


def test_call_stacks_are_written_as_a_sort():
    text = "act a, b: Nat; proc P(n: Nat) = (n < 4) -> a(n) . P(n + 1) . b(n) <> b(n); init P(0);"
    parts = same(text)
    assert len(parts.structures) == 2


def test_finite_sets_are_written_as_fset():
    """Typed specifications have one sort for both; only mCRL2's finite sets have a size."""
    parts = same(MORE["finite sets and bags"])
    assert parts.parameters == {
        "s": ("FSet", "Nat"), "t": ("Set", "Nat"), "u": ("FBag", "Bool"),
    }  # fmt: skip
    assert parts.summands[0][0] == {"f": ("FSet", "Bool")}


def test_conditions_on_elements_do_not_grow_exponentially():
    data = linear_file(linearise(read_text(MORE["a chain of conditions on elements"])))
    assert len(data) < 10_000


def test_rewritten_lps_file_keeps_its_terms(tmp_path):
    """A process of one component keeps its parameters' names, its conditions and its declarations,
    so that what mCRL2 linearised is written as it was."""
    n, x = var("n", "Nat"), var("x", "Nat")
    f = op("f", "Nat -> Nat")
    less = call("<", "Nat # Nat -> Bool", n, nat(3))
    more = call("Pos2Nat", "Pos -> Nat", call("+", "Nat # Pos -> Pos", n, pos(1)))
    outputs = lps(
        [n, var("d", "D")],
        [nat(0), op("d1", "D")],
        [
            summand(
                action("b", var("d", "D"), sorts=["D"]), action("a", app(f, n), sorts=["Nat"]),
                when=less, then=[(n, more)],
            ),
            summand(
                action("a", var("m", "Nat"), sorts=["Nat"]), over=[var("m", "Nat")],
                when=call("<", "Nat # Nat -> Bool", var("m", "Nat"), n),
                then=[(var("d", "D"), op("d2", "D"))],
            ),
        ],
        acts=[("a", "Nat"), ("b", "D")],
        sorts=["E"],
        aliases=[("D", struct(("d1", "?is_d1"), ("d2",)))],
        cons=[("e", "E")],
        maps=[("f", "Nat -> Nat")],
        eqns=[([x], None, app(f, x), call("+", "Nat # Nat -> Nat", x, x))],
    )  # fmt: skip
    process = linearise(of_bytes(written(outputs)), simplifications=["constants"])
    found = outputs_of(checked(process))
    expected = [*outputs]
    place = expected.index(listed(action("b", var("d", "D"), sorts=["D"]),
                                  action("a", app(f, n), sorts=["Nat"])))  # fmt: skip
    expected[place] = listed(action("a", app(f, n), sorts=["Nat"]),
                             action("b", var("d", "D"), sorts=["D"]))  # fmt: skip
    assert found == expected


def test_terms_without_lps_counterpart_are_refused():
    text = (
        "act a: Nat; proc P(s: Set(Nat), t: FSet(Nat)) = a(#(t * s)) . P(!s, t); init P({}, {1});"
    )
    message = r"`!P_s`, a term of the linear process, has no counterpart in a \.lps file of mCRL2"
    with pytest.raises(Unsupported, match=message):
        linear_file(linearise(read_text(text)))
    other = mucrl.linearise(mucrl.read_text("sort Bool func T,F:->Bool act a init a.delta"))
    with pytest.raises(Unsupported, match="linear process of mCRL2, and this one is of muCRL"):
        linear_file(other)


TEXT = MORE["a process that begins once"]


def test_the_command_writes_a_file_by_its_suffix(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.mcrl2").write_text(TEXT, encoding="utf-8")
    assert main(["linearise", "x.mcrl2", "-o", "x.lps", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summands"] == 2
    Process(outputs_of((tmp_path / "x.lps").read_bytes()))
    assert main(["compare", "x.mcrl2", "x.lps", "-e", "strong"]) == 0
    assert main(["linearise", "x.lps", "-o", "Y.LPS"]) == 0
    assert main(["compare", "x.mcrl2", "Y.LPS", "-e", "strong"]) == 0
    assert main(["linearise", "x.lps", "-o", "x.lps"]) == 2


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("x.mcrl", "sort Bool func T,F:->Bool act a init a.delta", "muCRL"),
        ("x.pnml", None, "PNML"),
    ],
)
def test_the_command_refuses_other_languages(name, text, language, tmp_path, monkeypatch, capsys):
    if text is None:
        name = "cases/nets/database.pnml"
    else:
        monkeypatch.chdir(tmp_path)
        (tmp_path / name).write_text(text, encoding="utf-8")
    out = tmp_path / "y.lps"
    assert main(["linearise", name, "-o", str(out)]) == 2
    assert f"linear process of mCRL2, and the input is in {language}" in capsys.readouterr().err
    assert not out.exists()


def test_sort_check_rejects_ill_typed_files():
    n = var("n", "Nat")
    right = lps([n], [nat(0)], [summand(action("a", n, sorts=["Nat"]))], acts=[("a", "Nat")])
    Process(right)
    for wrong in (
        lps([n], [pos(1)], []),
        lps([n], [nat(0)], [summand(when=n)]),
        lps([n], [nat(0)], [summand(action("a", TRUE, sorts=["Nat"]))], acts=[("a", "Nat")]),
        lps([n], [nat(0)], [summand(over=[n])]),
        lps([n], [nat(0)], [summand(then=[(n, call("#", "Set Nat -> Nat", op("{}", "Set Nat")))])]),
        lps([n], [nat(0)], [summand(then=[(n, call("f", "Nat -> Nat", n))])]),
    ):
        with pytest.raises((AssertionError, KeyError)):
            Process(wrong)
    assert fits(sort("S # FSet S -> FSet S"), sort("Nat # FSet Nat -> FSet Nat"), {})
    assert not fits(sort("S # FSet S -> FSet S"), sort("Pos # FSet Nat -> FSet Nat"), {})

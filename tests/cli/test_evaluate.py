"""`ltstool evaluate`: normal forms, against the labels that an interpreter of texts computes."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import mcrl2, mucrl
from ltstool.main import main
from mcrl2_files import lps, nat, op, var, written
from mcrl2_texts import ARGUMENTS, HEAD, data
from mcrl2_texts import written as text_of
from naive.mcrl2_text import Interpreter
from strategies import examples

SPEC = """
sort D = struct d1 | d2(get: Nat)?is2; map f, g: Nat -> Nat; odd: D -> D; N, loop: Nat; var n: Nat;
eqn f(n) = n + 1; N = 3; loop = loop + 1; act a; glob x: D; init a;
"""


@pytest.fixture
def spec(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.mcrl2").write_text(SPEC, encoding="utf-8")
    return "x.mcrl2"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2", "3"),
        ("-3", "-3"),
        ("f(N)", "4"),
        ("tail([1, 2]) ++ [3]", "[2,3]"),
        ("{1, 2} + {2, 3}", "{1,2,3}"),
        ("{true: 2}", "{true:2}"),
        ("2 / 4", "1/2"),
        ("f[1 -> 7](1) + f(2)", "10"),
        ("(lambda y: Nat. y * y)(3)", "9"),
        ("lambda y: Nat. y", "(lambda y:Nat. y)"),
        ("y + z whr y = 5, z = 2 end", "7"),
        ("exists y: Nat. y < 3 && y > 1", "true"),
        ("{y: Nat | y < 3}", "{0,1,2}"),
        ("is2(d2(4)) && get(d2(4)) == 4", "true"),
        ("f", "f"),
        ("[]", "[]"),
        # What no equation fits is its own normal form.
        ("g(f(1))", "g(2)"),
        ("head([])", "head([])"),
        ("odd(if(1 < 2, d1, d2(1)))", "odd(d1)"),
    ],
)
def test_values_and_other_normal_forms(spec, expression, value, capsys):
    assert main(["evaluate", spec, expression]) == 0
    assert capsys.readouterr().out == f"{value}\n"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("1 + true", "term:1:3: there is no `+` of `Pos` and `Bool`"),
        ("1 +", "term:1:4: expected an expression, found the end of the text"),
        ("1 2", "term:1:3: expected an operator or the end, found `2`"),
        ("", "term:1:1: expected an expression"),
        ("a", "term:1:1: `a` is an action, not data"),
        ("f(y)", "term:1:3: "),
        ("f(1", "term:1:2: this `(` is never closed"),
        ("1 \u20ac 2", "term:1:3: "),
        ("y whr y = y end", "term:1:11: "),
    ],
)
def test_wrong_expressions(spec, expression, message, capsys):
    assert main(["evaluate", spec, expression]) == 2
    assert message in capsys.readouterr().err


def test_options(spec, capsys):
    assert main(["evaluate", spec, "N + 1", "--set", "N=9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"value": "10", "sort": "Pos", "steps": 2}
    assert main(["evaluate", spec, "odd(d1)", "--strict"]) == 2
    assert "`odd(d1)` does not reduce to a value" in capsys.readouterr().err
    assert main(["evaluate", spec, "d2(f(1))", "--strict", "-v"]) == 0
    out, messages = capsys.readouterr()
    assert (out, messages.split()) == ("d2(2)\n", ["sort", "D", "steps", "2"])
    assert main(["evaluate", spec, "loop"]) == 3
    message = "x.mcrl2: stopped after 10000000 rewrite steps in one value, most of them by the rule"
    assert message in capsys.readouterr().err


def test_other_languages(tmp_path, capsys):
    assert main(["evaluate", "cases/abp.mcrl", "invert(invert(invert(0)))"]) == 0
    assert capsys.readouterr().out == "1\n"
    assert main(["evaluate", "cases/abp.mcrl", "invert(T)"]) == 2
    assert "declares no function `invert:Bool`" in capsys.readouterr().err
    f, x = op("f", "Nat -> Nat"), var("x", "Nat")
    outputs = lps([], [], [], maps=[("f", "Nat -> Nat")],
                  eqns=[([x], None, ("DataAppl", f, x), nat(7))])  # fmt: skip
    file = tmp_path / "x.lps"
    file.write_bytes(written(outputs))
    assert main(["evaluate", str(file), "f(3) + 1"]) == 0
    assert capsys.readouterr().out == "8\n"
    assert main(["evaluate", "cases/nets/database.pnml", "1"]) == 2
    assert "is a net, by its name" in capsys.readouterr().err


def test_values_equal_those_in_labels():
    reached = Counter()
    specification = mcrl2.read_text(f"{HEAD} init delta;")

    @settings(max_examples=examples(5))
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        name = random.choice([one for one, sorts in ARGUMENTS.items() if len(sorts) == 1])
        text = text_of(data(random, ARGUMENTS[name][0], [], random.randrange(5)), random)
        found = mucrl.evaluate(specification, text)
        expected = Interpreter(f"{HEAD} init {name}({text});").transitions(5)
        if expected is None:
            return
        ((_, label, _),) = expected[0]
        assert label.replace(" ", "") == f"{name}({found})".replace(" ", ""), text
        reached[ARGUMENTS[name][0]] += 1

    check()
    assert len(reached) == len({sorts[0] for sorts in ARGUMENTS.values() if len(sorts) == 1})

"""How far quantifiers and fixed points reach, and where that is remarked on."""

import pytest

from lts import LTS
from lts.logic import check
from lts.logic.text.formula import operator_ending_scope
from ltstool.main import main

ONE = LTS.from_transitions([(0, "a", 1)])


@pytest.mark.parametrize(
    ("formula", "operator"),
    [
        ("!mu X. <a>X && <b>true", "&&"),
        ("true && forall b: Bool. true || false", "||"),
        ("[a](nu Y. <b>mu X. <a>X || Y) && true", "||"),
        ("(<a>mu X. <a>X && true) && <b>mu X. [a]X", "&&"),
        ("true || nu X(n: Nat = 0). true && false => true", "=>"),
        # What is behind the operator has what the binder declares: mCRL2 refuses it.
        ("[true*]mu X. <true>true && [!a]X", None),
        ("true && forall b: Bool. val(b) || val(!b)", None),
        ("false || exists x: D. <a(x)>true => <b(x)>true", None),
        ("!nu X(n: Nat = 0). true && val(n == 0)", None),
        # Nothing is behind it, or what binds as much.
        ("mu X. <true>X || <a>true", None),
        ("true || mu X. <a>X && true", None),
        ("!(mu X. <a>X) && true", None),
        ("[a]nu X. <b>X", None),
    ],
)
def test_operators_ending_binder_scope_in_mcrl2(formula, operator):
    assert operator_ending_scope(formula) == operator


def test_ambiguous_binder_scope_gives_a_remark(tmp_path, capsys):
    system = tmp_path / "one.aut"
    system.write_text('des (0,1,2)\n(0,"a",1)\n')
    formula = "!mu X. <a>X && false"
    # `!(mu X. (<a>X && false))`, and `(!mu X. <a>X) && false`.
    assert check(ONE, formula).holds
    assert not check(ONE, formula, file="f.mcf").holds
    assert main(["check", str(system), formula]) == 0
    assert "extends to the right over `&&`" in capsys.readouterr().err
    (tmp_path / "f.mcf").write_text(formula)
    assert main(["check", str(system), str(tmp_path / "f.mcf")]) == 1
    assert "reaches" not in capsys.readouterr().err
    assert main(["check", str(system), "!(mu X. <a>X && false)"]) == 0
    assert "reaches" not in capsys.readouterr().err

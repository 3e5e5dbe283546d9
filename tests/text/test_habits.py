"""What users of other tools write by habit is answered with what to write here."""

import pytest

from lts import LTS, LtsError, check, mcrl2
from lts.text.habits import COMMANDS, HABITS
from ltstool.main import main
from ltstool.options.parser import command_names

HEAD = "sort D = struct d | e; act a, b, c; do: Nat;\n"
DOOR = LTS.from_transitions([(0, "a", 1), (1, "c", 0)])

FORMULAS = [
    ("A G (a -> F c)", "a -> b"),
    ("[a]ff", "tt, ff"),
    ("tt", "tt, ff"),
    ("always a", "always a"),
    ("A (a until c)", "always a"),
    ("[]<>a", "[]<>a"),
    ("<>a", "[]<>a"),
    ("a U c", "a U b"),
    ("a(1) W c", "a U b"),
    ("[true*.a]", "[a]"),
    ("([a]) && <c>true", "[a]"),
    ("<a> || [c]false", "[a]"),
    ("<->true", "<->, [-]"),
    ("[-]false", "<->, [-]"),
    ("<a>true /\\ <c>true", "a /\\ b"),
    ("<a>true \\/ <c>true", "a /\\ b"),
    ("~<a>true", "~a"),
    ("min X. <a>X", "min X. a"),
    ("<a;c>true", "a;b"),
    ("nodeadlock", "nodeadlock"),
]
TEXTS = [
    ("proc P(n: Nat) = (n <> 3) -> a . P(n); init P(0);", "a <> b"),
    ("proc P(n: Nat) = (n < 3 and n > 1) -> a . P(n); init P(0);", "a and b"),
    ("init (not true) -> a;", "a and b"),
    ("proc P(n: Nat) = if n < 3 then a . P(n) else delta; init P(0);", "if b then p else q"),
    ("sort F = struct f, g; init a;", "struct a, b"),
    ("sort F = enum f | g; init a;", "enum a, b"),
    ("proc P = a ; P; init P;", "a; P;"),
    ("proc P := a . P; init P;", "P := a"),
    ("process P = a; init P;", "process P"),
    ("init a [] b;", "p [] q"),
    ("init do(5 % 2);", "x % 2"),
    ("// a note\ninit a;", "// note"),
    ("-- a note\ninit a;", "// note"),
    ("init (1 == 1) && a;", "b && a"),
    ("init a . skip;", "skip, stop"),
    ("init STOP;", "skip, stop"),
    ("init a <| true |> b;", "b <| c |> d"),
]


def here(written):
    [habit] = [each for each in HABITS if each.written == written]
    return habit.here


@pytest.mark.parametrize(("formula", "written"), FORMULAS)
def test_foreign_formula_syntax_gives_a_hint(formula, written):
    with pytest.raises(LtsError) as found:
        check(DOOR, formula)
    assert found.value.message.endswith(f"; {here(written)}")
    assert found.value.message.count("; ") == here(written).count("; ") + 1


@pytest.mark.parametrize(("text", "written"), TEXTS)
def test_foreign_specification_syntax_gives_a_hint(text, written):
    with pytest.raises(LtsError) as found:
        mcrl2.read_text(HEAD + text)
    assert found.value.message.endswith(f"; {here(written)}")


def test_every_hint_has_an_example():
    assert {written for _, written in FORMULAS + TEXTS} == {habit.written for habit in HABITS}


@pytest.mark.parametrize(
    "text",
    [
        "init a . unknown; % tt -> and or",
        "init a . P(skip());",
        "proc P(n: Nat) = (n == 3 -> a . P(n); init P(0);",
        "act or; init b . orr;",
    ],
)
def test_other_errors_have_no_syntax_hint(text):
    with pytest.raises(LtsError) as found:
        mcrl2.read_text(HEAD + text)
    assert not any(habit.here in found.value.message for habit in HABITS)


def test_path_operators_are_no_truth_values():
    with pytest.raises(LtsError) as found:
        check(DOOR, "A G F )")
    assert "write `true`" not in found.value.message


def test_long_lines_are_not_searched():
    text = "init " + "a . " * 300 + "skip;"
    with pytest.raises(LtsError) as found:
        mcrl2.read_text(HEAD + text)
    assert "`delta` does nothing" not in str(found.value)


@pytest.mark.parametrize(("theirs", "ours"), COMMANDS.items())
def test_foreign_commands_give_a_hint(theirs, ours, capsys):
    assert ours in command_names()
    with pytest.raises(SystemExit) as ended:
        main([theirs, "x.lps"])
    assert ended.value.code == 2
    how = " SPEC FORMULA`, without a file of equations" if "pbes" in theirs else "`"
    message = f"there is no command `{theirs}`; here it is `ltstool {ours}{how}"
    assert message in capsys.readouterr().err


def test_parameters_as_options_give_a_hint(capsys):
    with pytest.raises(SystemExit):
        main(["info", "-N", "3", "x.mcrl"])
    assert "the parameter N of a specification is `--set N=..`" in capsys.readouterr().err

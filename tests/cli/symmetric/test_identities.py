"""`--symmetry` and `--identities` for numbers of a specification in mCRL2."""

import json

import pytest

from ltstool.main import main
from numbered_components import SAMPLES


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mcrl2").write_text(SAMPLES["around a mutex"][0])
    (tmp_path / "one.mcrl2").write_text(SAMPLES["one is special"][0])
    return tmp_path


def test_identity_symmetry_reduces_and_expands(files, capsys):
    assert main(["find-symmetry", "m.mcrl2", "-o", "m.sym"]) == 0
    assert main(["check-symmetry", "m.mcrl2", "--symmetry", "m.sym"]) == 0
    assert "order 6" in capsys.readouterr().out
    assert main(["reduce", "m.mcrl2", "--symmetry", "m.sym", "-o", "r.aut"]) == 0
    assert main(["generate", "m.mcrl2", "-o", "m.aut"]) == 0
    assert main(["compare", "r.aut", "m.aut", "-e", "strong"]) == 0
    assert main(["expand", "r.aut", "-o", "e.aut"]) == 0
    assert main(["compare", "e.aut", "m.aut", "-e", "strong"]) == 0


def test_identities_and_counts_are_listed(files, capsys):
    assert main(["find-symmetry", "m.mcrl2", "--json"]) == 0
    ids, counts = json.loads(capsys.readouterr().out)["numbers"]
    assert (ids["name"], ids["values"], ids["count"]) == ("Philosopher.id", [1, 2, 3], None)
    assert (counts["name"], counts["line"]) == ("Philosopher.n", 3)
    assert counts["count"] == "computed with by `mod`"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--symmetry", "Philosopher.n"], "`Philosopher.n` are not identities: they are computed"),
        (["--symmetry", "auto", "--identities", "eat.2"], "`eat.2` are not identities"),
        (["--symmetry", "auto", "--identities", "Philosopher.i"], "there are no numbers"),
        (["--symmetry", "Philosopher.i"], "the symmetry file"),
        (["--symmetry", "(Philosopher.id(1) Philosopher.id(7 8))"], "7"),
    ],
)
def test_wrong_identities_are_refused(files, capsys, arguments, message):
    assert main(["check-symmetry", "m.mcrl2", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_distinguished_numbers_are_fixed(files, capsys):
    assert main(["check-symmetry", "one.mcrl2", "--symmetry", "P.id"]) == 0
    messages = capsys.readouterr()
    assert "`P.id(1)` is kept fixed" in messages.err
    assert "of order 2" in messages.out
    assert main(["check-symmetry", "one.mcrl2", "--symmetry", "(P.id(1) P.id(2))"]) == 1


def test_identities_need_a_symmetry_and_mcrl2(files, capsys):
    assert main(["generate", "m.mcrl2", "--identities", "eat.1"]) == 2
    assert "--identities needs --symmetry" in capsys.readouterr().err
    (files / "m.mcrl").write_text("sort Bool func T,F:->Bool act a init a")
    assert main(["find-symmetry", "m.mcrl", "--identities", "eat.1"]) == 2
    assert "--identities applies only to mCRL2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("<true*.eat(2,1)>true", True),
        ("[true*.enter(1).!exit(1)*.enter(2)]false", True),
        ("<true*.enter(1).enter(2)>true", False),
        ("<true*.enter(4)>true", False),
        ("<true*.(enter(3) || enter(4))>true", True),
        ("[enter(1)]mu X(n:Nat = 0). <eat(1,n)>true || val(n < 2) && X(n + 1)", True),
    ],
)
def test_verdicts_are_equal_on_orbits(files, capsys, formula, holds):
    for symmetry in ([], ["--symmetry", "auto"]):
        assert main(["check", "m.mcrl2", formula, "-q", *symmetry]) == (not holds)


def test_a_formula_with_numbers_of_another_sort_is_refused(files, capsys):
    formula = "[true*]forall i:Pos. [enter(i).enter(i)]false"
    assert main(["check", "m.mcrl2", formula, "-q"]) == 0
    assert main(["check", "m.mcrl2", formula, "-q", "--symmetry", "auto"]) != 0
    assert "`Pos` occurs where numbers have sort `Philosopher.id`" in capsys.readouterr().err


def test_label_search_covers_the_orbit(files, capsys):
    assert main(["generate", "m.mcrl2", "--symmetry", "auto", "--find", "eat(3,2)"]) == 0
    assert "eat(3,2), 8 steps" in capsys.readouterr().out


def test_refinement_on_orbits(files, capsys):
    allowed = """act eat: Pos # Nat; proc S = sum i: Pos, n: Nat. (i < 4 && n < 3) ->
    eat(i, n) . S; init S;"""
    (files / "s.mcrl2").write_text(allowed)
    (files / "t.mcrl2").write_text(allowed.replace("n < 3", "n < 2"))
    for name in "st":
        assert main(["generate", f"{name}.mcrl2", "-o", f"{name}.aut"]) == 0
    rest = ["m.mcrl2", "--symmetry", "auto", "--preorder", "weak-trace", "--hide", "enter,exit"]
    assert main(["compare", "s.aut", *rest, "-q"]) == 0
    assert main(["compare", "t.aut", *rest, "-q"]) == 1


def test_omitted_candidates_are_reported(files, capsys):
    names = [f"a{k}" for k in range(13)]
    text = f"act {', '.join(names)}: Pos;\nproc "
    text += "\n".join(f"P{k}(id: Pos) = a{k}(id) . P{k}(id);" for k in range(13))
    copies = " || ".join(f"P{k}(1) || P{k}(2)" for k in range(13))
    text += f"\ninit allow({{{','.join(names)}}}, {copies});\n"
    (files / "many.mcrl2").write_text(text)
    assert main(["find-symmetry", "many.mcrl2", "--max-states", "100"]) == 0
    out = capsys.readouterr().out
    messages = [line for line in out.splitlines() if "left out: at most 12" in line]
    assert len(messages) == 1
    assert "`P12.id`" in messages[0]
    chosen = ["find-symmetry", "many.mcrl2", "--max-states", "100", "--identities", "P12.id"]
    assert main(chosen) == 0
    assert "left out" not in capsys.readouterr().out

"""Networks by orbits on the command line: formulas, and reductions in folders of parts."""

import json

import pytest

from lts.base.bounds import EVIDENCE
from ltstool.main import main
from programs import outcome

USER = 'des (0,2,2)\n(0,"ask",1)\n(1,"done",0)\n'


@pytest.fixture
def users(tmp_path):
    (tmp_path / "user.aut").write_text(USER)
    vectors = ", ".join(
        f'{" * ".join(["_"] * k + [x] + ["_"] * (3 - k))} -> "{x}({k})"'
        for k in range(4)
        for x in ("ask", "done")
    )
    file = tmp_path / "users.exp"
    file.write_text(f"par using {vectors} in user || user || user || user end par")
    return file


def run_program(capsys, *words):
    code = main([*map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("formula", "holds", "order"),
    [
        ("deadlock-free", True, 24),
        ("[true*.ask(...)]<done(...)>true", True, 24),
        ("[true*.ask(1)]<ask(1)>true", False, 6),
        ("A G F done(...)", True, 24),
        ("[true*.ask(0)]<true*.done(1)>true", True, 2),
    ],
)
def test_a_formula_is_checked_on_orbits(users, capsys, formula, holds, order):
    code, out, err = run_program(capsys, "check", users, formula, "--symmetry", "auto", "--json")
    report = json.loads(out)
    assert (code, report["holds"], report["order"], report["states"]) == (
        not holds,
        holds,
        order,
        16,
    )
    assert f"of 16 states, under a group of order {order}" in err
    assert run_program(capsys, "check", users, formula, "-q")[0] == code


def test_a_permutation_that_the_formula_changes_is_left_out(users, capsys):
    words = ("check", users, "<true*.ask(1)>true", "--symmetry")
    code, out, err = run_program(capsys, *words, "(1 2)")
    assert (code, out) == (0, "true\n")
    assert "the formula is not symmetric, so `(1 2)` is not used" in err
    assert "treats `ask(1)` and `ask(2)`" in err
    assert "under a group of order 1" in err
    assert "under a group of order 2" in run_program(capsys, *words, "(0 2)")[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["exists d:0..3. <ask(d)>true"], "the range of data variables "),
        (["deterministic"], "`deterministic` is about all states"),
        (["deadlock-free", "--tau", "ask(1)"], "--tau cannot be combined with --symmetry"),
    ],
)
def test_inapplicable_options_are_refused(users, capsys, words, message):
    code, _, err = run_program(capsys, "check", users, "--symmetry", "auto", *words)
    assert code == 2
    assert message in err


def test_evidence_concerns_the_network(users, tmp_path, capsys):
    evidence, trace = tmp_path / "why.aut", tmp_path / "why.trace"
    formula = "[true*.ask(...).ask(...)]<ask(1) || ask(2)>true"
    words = ("check", users, formula, "--evidence", evidence, "--trace", trace)
    assert run_program(capsys, *words)[0] == 1
    alone = evidence.read_text(), trace.read_text()
    code, _, err = run_program(capsys, *words, "--symmetry", "auto")
    assert (code, "proven by the path ask(" in err) == (1, True)
    assert outcome("simulate", users, "--replay", trace)[0] == 0
    assert run_program(capsys, "check", evidence, formula)[0] == 1
    assert len(trace.read_text().splitlines()) == len(alone[1].splitlines())
    # All ways that the symmetries make of one.
    assert run_program(capsys, "compare", users, evidence, "--preorder", "simulation")[0] == 0
    report = json.loads(run_program(capsys, "info", evidence, "--json")[1])
    assert report["states"] == 4


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("deadlock-free", 0),
        ("[true*.ask(...).ask(...).ask(...).ask(...)]<ask(...)>true", 1),
        ("A F done(...)", 0),
        ("[done(...)]false && <ask(...)>true", 0),
    ],
)
def test_an_lts_and_a_reduction_are_checked_on_orbits(users, tmp_path, capsys, formula, code):
    whole, one, trace = (tmp_path / name for name in ("whole.aut", "one.aut", "why.trace"))
    assert run_program(capsys, "compose", users, "-o", whole, "-q")[0] == 0
    words = ("reduce", users, "-q", "--symmetry", "auto", "-o", one)
    assert run_program(capsys, *words)[0] == 0
    for file in (whole, one):
        words = ("check", file, formula, "--symmetry", f"{one}.sym", "--trace", trace)
        found, out, err = run_program(capsys, *words)
        assert (found, out) == (code, f"{str(code == 0).lower()}\n")
        assert "5 orbits of 16 states, under a group of order 24" in err
        if code == 1:
            assert outcome("simulate", users, "--replay", trace)[0] == 0
        # Nothing is asked after what is hidden.
        hidden = run_program(capsys, *words, "--hide", "ask")
        assert hidden[1] == run_program(capsys, "check", users, formula, "--hide", "ask")[1]
        assert ("is hidden" in hidden[2]) == ("ask(...)" in formula)
    code, _, err = run_program(capsys, "check", one, "<ask(1)>true", "--symmetry", f"{one}.sym")
    assert code == 0
    assert "a subgroup that preserves it is used" in err
    assert "of 16 states, under a group of order 6" in err
    words = ("check", one, formula, "--symmetry", f"{one}.sym", "--hide", "ask(1)")
    code, _, err = run_program(capsys, *words)
    assert (code, "is hidden and its image" in err) == (2, True)


def test_evidence_that_is_too_large_is_not_written(users, tmp_path, capsys, lower):
    lower(EVIDENCE, 5)
    out = tmp_path / "out.aut"
    words = ("check", users, "deadlock-free", "--symmetry", "auto", "--evidence", out)
    code, printed, err = run_program(capsys, *words)
    assert (code, printed) == (0, "true\n")
    assert "the evidence is too large" in err
    assert not out.exists()


def test_symmetries_that_move_no_label(tmp_path, capsys):
    (tmp_path / "user.aut").write_text(USER)
    file = tmp_path / "same.exp"
    file.write_text("user ||| user ||| user")
    code, _, err = run_program(capsys, "check", file, "deadlock-free", "--symmetry", "auto")
    assert code == 0
    assert "found symmetries of components that fix all labels" in err
    assert "4 orbits of 8 states, under a group of order 6" in err


def test_unknown_actions_of_a_formula_give_a_hint(users, capsys):
    err = run_program(capsys, "check", users, "[true*.asc(...)]false", "--symmetry", "auto")[2]
    assert "did you mean `ask(...)`" in err


def test_a_reduction_may_be_a_folder_of_parts(users, tmp_path, capsys):
    one, folder = tmp_path / "one.aut", tmp_path / "r.parts"
    words = ("reduce", users, "-q", "--symmetry", "auto", "-o")
    assert run_program(capsys, *words, one)[0] == 0
    assert run_program(capsys, *words, f"{folder}/", "--partitions", "2")[0] == 0
    assert (tmp_path / "r.parts.sym").read_text() == (tmp_path / "one.aut.sym").read_text()
    for name in (folder, f"{folder}/"):
        out = tmp_path / "out.aut"
        assert run_program(capsys, "expand", name, "-o", out)[0] == 0
        other = tmp_path / "other.aut"
        assert run_program(capsys, "expand", one, "-o", other)[0] == 0
        assert out.read_bytes() == other.read_bytes()
        report = json.loads(run_program(capsys, "info", name, "--json")[1])
        assert (report["states"], report["transitions"]) == (16, 64)
        assert run_program(capsys, "check", name, "deadlock-free")[1] == "true\n"
        assert run_program(capsys, "compare", name, users, "-e", "strong")[0] == 0
    least = tmp_path / "least.parts"
    sym = tmp_path / "r.parts.sym"
    words = ("minimise", folder, "-e", "strong", "--symmetry", sym, "-o", least)
    assert run_program(capsys, *words)[0] == 0
    assert json.loads(run_program(capsys, "info", least, "--json")[1])["states"] == 16
    code, _, err = run_program(capsys, "convert", folder, tmp_path / "x.aut")
    assert code == 2
    assert "ltstool expand" in err
    # Each of the two knows the other.
    sym.write_text(sym.read_text().replace("order = 24", "order = 23"))
    assert run_program(capsys, "info", folder)[0] == 2


def test_only_reduce_and_minimise_write_reductions_in_parts(users, tmp_path, capsys):
    words = ("compose", users, "--symmetry", "auto", "-o", tmp_path / "r.parts")
    code, _, err = run_program(capsys, *words)
    assert (code, "`ltstool reduce` can" in err) == (2, True)
    words = ("reduce", users, "--symmetry", "auto", "-o", tmp_path / "r.fsm")
    assert "its name must end in .aut or .parts" in run_program(capsys, *words)[2]

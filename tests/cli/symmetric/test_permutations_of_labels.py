"""Permutations of labels of .aut files on the command line: other tools' labels, misspelt ones."""

import json

import pytest

from ltstool.main import main


def written(tmp_path, text):
    file = tmp_path / "system.aut"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('des (0,4,3)\n(0,"PUT !1",1)\n(0,"PUT !2",2)\n(1,"GET !1",0)\n(2,"GET !2",0)\n', 0),
        ('des (0,4,3)\n(0,"put(1, 5)",1)\n(0,"put(2, 5)",2)\n(1,"get(1)",0)\n(2,"bad(2)",0)\n', 1),
        ('des (0,4,3)\n(0,"r(1)|s(1, 5)",1)\n(0,"r(2)|s(2, 5)",2)\n(1,"t",0)\n(2,"t",0)\n', 0),
        ('des (0,2,1)\n(0,"A !S (1, \\"x !2\\")",0)\n(0,"A !S (2, \\"x !2\\")",0)\n', 0),
    ],
)
def test_labels_of_other_tools(text, code, tmp_path, capfd):
    file = written(tmp_path, text)
    assert main(["check-symmetry", file, "--permute", "(1 2)"]) == code
    assert ("order 2" in capfd.readouterr().out) == (code == 0)
    assert main(["find-symmetry", file, "--json"]) == code
    assert json.loads(capfd.readouterr().out)["order"] == 2 - code


@pytest.mark.parametrize(
    ("permutation", "message"),
    [
        ("(q1 q2)", "moves nothing: no label has the data `q1`; did you mean `p1`?"),
        ("(p1 p2) in gett(*)", "no label has the form `gett(*)`; did you mean `get`?"),
        ("(p1 put(p1))", "mixes the label `put(p1)` and the datum `p1`"),
        ('(p1 "r(p1)" c)', "mixes the label `r(p1)` and the datum `p1`"),
    ],
)
@pytest.mark.parametrize("command", ["check-symmetry", "reduce", "draw", "weak"])
def test_idle_and_mixed_permutations_are_wrong_use(command, permutation, message, tmp_path, capfd):
    file = written(tmp_path, 'des (0,2,2)\n(0,"get(p1)",1)\n(1,"put(p1)",0)\n')
    out = tmp_path / "out.aut"
    argv = {
        "check-symmetry": ["check-symmetry", file],
        "reduce": ["reduce", file, "-o", str(out)],
        "draw": ["draw", file, "-o", str(out), "--to", "svg"],
        "weak": ["check-symmetry", file, "-e", "weak"],
    }[command]
    assert main([*argv, "--permute", permutation]) == 2
    assert message in capfd.readouterr().err
    assert not out.exists()


def test_identity_permutation_is_accepted(tmp_path, capfd):
    file = written(tmp_path, 'des (0,1,1)\n(0,"a(1)",0)\n')
    assert main(["check-symmetry", file, "--permute", "()"]) == 0
    assert "order 1" in capfd.readouterr().out


def test_search_results_are_accepted_despite_unreachable_labels(tmp_path, capfd):
    text = 'des (0,4,4)\n(0,"out(a)",1)\n(0,"out(b)",1)\n(1,"c",1)\n(2,"b",3)\n'
    file, found = written(tmp_path, text), str(tmp_path / "found.sym")
    assert main(["find-symmetry", file, "-o", found]) == 0
    assert main(["check-symmetry", file, "--symmetry", found]) == 0
    assert "order 2" in capfd.readouterr().out


def test_suggested_pattern_is_accepted(tmp_path, capfd):
    file = written(tmp_path, 'des (0,3,2)\n(0,"out(a)",1)\n(0,"out(b)",1)\n(1,"b",0)\n')
    assert main(["check-symmetry", file, "--permute", "(a b)"]) == 2
    assert "in PATTERN" in capfd.readouterr().err
    assert main(["check-symmetry", file, "--permute", "(a b) in out(*)"]) == 0


def test_evidence_uses_the_rho_labels_of_the_files(tmp_path, capfd):
    texts = {
        "one": 'des (0,4,3)\n(0,"a(1)",1)\n(0,"a(2)",2)\n(1,"b",1)\n(2,"b",2)\n',
        "two": 'des (0,3,2)\n(0,"a(1)",1)\n(0,"a(2)",1)\n(1,"b",1)\n',
    }
    files = []
    for name, text in texts.items():
        (tmp_path / f"{name}.aut").write_text(text)
        files.append(str(tmp_path / f"{name}.small.aut"))
        argv = ["reduce", str(tmp_path / f"{name}.aut"), "--permute", "(1 2)", "-o", files[-1]]
        assert main(argv) == 0
    symmetries = ["--symmetry", f"{files[0]}.sym", "--other-symmetry", f"{files[1]}.sym"]
    assert main(["compare", *files, "-e", "strong", "--as-such", *symmetries]) == 1
    shown = capfd.readouterr().out
    assert "<rho(1)>" in shown
    assert "<rho_" not in shown

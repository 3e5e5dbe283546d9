"""`ltstool compare --symmetry`, and `check-symmetry -e`."""

import json

import pytest

import aut_format
from lts import LTS
from ltstool.main import main

ROWS = [(0, "r(1)", 1), (0, "r(2)", 2), (1, "s(1)", 3), (2, "s(2)", 4)]
LARGE = [*ROWS, (3, "reset", 0), (4, "reset", 0)]
SMALL = [*ROWS[:3], (2, "s(2)", 3), (3, "reset", 0)]


@pytest.fixture
def reductions(tmp_path):
    files = []
    for name, rows in (("large", LARGE), ("small", SMALL)):
        full, reduced = tmp_path / f"{name}.full.aut", str(tmp_path / f"{name}.aut")
        aut_format.write(LTS.from_transitions(rows), full)
        assert main(["reduce", str(full), "--symmetry", "(1 2)", "-o", reduced]) == 0
        files.append(reduced)
    symmetry = ["--symmetry", f"{files[0]}.sym", "--other-symmetry", f"{files[1]}.sym"]
    return [*files, *symmetry]


def test_reductions_compare_as_originals_or_as_such(reductions, capfd):
    assert main(["compare", *reductions, "-e", "strong"]) == 0
    assert capfd.readouterr().out == "equivalent\n"
    assert main(["compare", *reductions, "-e", "rooted-weak", "--hide", "s,reset"]) == 0
    capfd.readouterr()
    assert main(["compare", *reductions, "-e", "weak", "--as-such"]) == 1
    assert "only " in capfd.readouterr().out
    assert main(["compare", *reductions, "-e", "weak", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"equivalent": True, "evidence": None}
    same = [reductions[0], reductions[0], *reductions[2:4]]
    assert main(["compare", *same, "-e", "strong", "--as-such"]) == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--preorder", "trace"], "needs `-e EQUIVALENCE`"),
        (["-e", "trace"], "modulo bisimulations"),
        (["-e", "weak", "--as-such", "--hide", "r"], "be used on reductions"),
    ],
)
def test_misuse_is_refused(reductions, more, message, capfd):
    assert main(["compare", *reductions, *more]) == 2
    assert message in capfd.readouterr().err
    other = ["--other-symmetry", reductions[3]]
    assert main(["compare", *reductions[:2], "-e", "weak", *other]) == 2
    assert "--symmetry, that of A, is missing" in capfd.readouterr().err


def test_symmetry_up_to_a_bisimulation(tmp_path, capfd):
    file = str(tmp_path / "a.aut")
    aut_format.write(LTS.from_transitions([(0, "a(1)", 1), (0, "a(2)", 2), (1, "c", 3)]), file)
    command = ["check-symmetry", file, "--symmetry", "(1 2)"]
    assert main([*command, "-e", "strong"]) == 1
    shown = capfd.readouterr().out
    assert "is no symmetry up to strong bisimulation" in shown
    assert "has the trace" in shown
    assert main([*command, "-e", "weak", "--hide", "c"]) == 0
    said = "`(1 2)` is a symmetry up to weak bisimulation\n"
    assert capfd.readouterr().out == f"{said}proven       by comparing the system with its image\n"
    assert main([*command, "-e", "weak", "--hide", "c", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {
        "symmetric": True,
        "equivalence": "weak",
        "proof": "exploration",
    }
    assert main([*command, "-e", "trace"]) == 2
    assert main(["check-symmetry", "a.mcrl", "--symmetry", "(1 2)", "-e", "weak"]) == 2
    assert "generate it first" in capfd.readouterr().err

"""Commands that read a reduction answer for its original, or refuse."""

import io
import json
import shutil
import subprocess
import sys

import pytest

import aut_format
from lts.base.bounds import EXPANDED_TRANSITIONS
from lts.mucrl import generate, read
from ltstool.main import main

TABLE = """
%@ parameter N = 3
%@ include Enum of p1..p@{N} as Pid
act left,right,fork_left,fork_right,take_left,take_right: Pid eat: Pid
comm left|fork_left = take_left right|fork_right = take_right
proc Phil(i:Pid) = left(i).right(next(i)).eat(i).delta
     Fork(f:Pid) = (fork_left(f) + fork_right(f)).delta
init encap({left,right,fork_left,fork_right},
%@ for i in 1..N
  Phil(p@{i}) || Fork(p@{i}) ||
%@ end
  delta)
"""


@pytest.fixture
def reduced(tmp_path):
    specification = tmp_path / "table.mcrl"
    specification.write_text(TABLE)
    file = tmp_path / "r.aut"
    assert main(["reduce", str(specification), "--symmetry", "(p1 p2 p3)", "-o", str(file)]) == 0
    aut_format.write(generate(read(specification)), tmp_path / "all.aut")
    return str(file)


def answer(capfd, *argv):
    code = main([*map(str, argv)])
    out, err = capfd.readouterr()
    return code, out, err


COMMANDS = [
    ["check", "FILE", "deadlock-free"],
    ["check", "FILE", "<true*.eat(p2)>true"],
    ["check", "FILE", "deterministic"],
    ["check", "FILE", "[true*]<true>true"],
    ["info", "FILE", "--json"],
    ["minimise", "FILE", "-e", "strong"],
    ["minimise", "FILE", "-e", "weak", "--hide", "take_left"],
    ["minimise", "FILE", "-e", "weak-trace", "--hide", "take_left"],
    ["compare", "FILE", "ALL", "-e", "strong"],
    ["compare", "ALL", "FILE", "--preorder", "failures"],
    ["compare", "FILE", "FILE", "-e", "divergence-preserving-weak"],
    ["check-symmetry", "FILE", "--permute", "(p1 p2)"],
    ["check-symmetry", "FILE", "--permute", "(p1 p2 p3)"],
    ["check-symmetry", "FILE", "--permute", "(p1 p2 p3)", "-e", "weak"],
    ["find-symmetry", "FILE"],
    ["reduce", "FILE", "--permute", "(p1 p2 p3)", "--count"],
    ["minimise", "FILE", "-e", "weak", "--permute", "(p1 p2 p3)", "-o", "OUT"],
    ["draw", "FILE", "--json", "-o", "OUT"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("marked", [True, False])
def test_commands_answer_for_the_original(command, marked, reduced, tmp_path, capfd):
    if not marked:  # as reductions were once written
        plain = tmp_path / "plain.aut"
        assert main(["convert", reduced, "--as-such", "-o", str(plain)]) == 0
        plain.replace(reduced)
        symmetry = tmp_path / "r.aut.sym"
        lines = symmetry.read_text().splitlines(keepends=True)
        symmetry.write_text("".join(line for line in lines if "encoding =" not in line))
    names = {"ALL": str(tmp_path / "all.aut"), "OUT": str(tmp_path / "out")}
    capfd.readouterr()
    code, out, err = answer(capfd, *(names.get(w, reduced if w == "FILE" else w) for w in command))
    expected = answer(capfd, *(names.get(w, names["ALL"] if w == "FILE" else w) for w in command))
    assert "is a reduction: the result is that of its original" in err
    out = out.replace(reduced, names["ALL"])
    assert (code, without_numbers(out)) == (expected[0], without_numbers(expected[1]))
    quiet = [*(names.get(w, reduced if w == "FILE" else w) for w in command), "-q"]
    assert answer(capfd, *quiet)[2] == ""


def without_numbers(out):
    """Return an answer without the numbers of states, which are others."""
    try:
        found = json.loads(out)
    except ValueError:
        return out
    if isinstance(found, list):
        return [(p["states"], p["transitions"], sorted(map(len, p["orbits"]))) for p in found]
    if not isinstance(found, dict) or "nearest_deadlocks" not in found:
        return found
    found["nearest_deadlocks"] = len(found["nearest_deadlocks"])
    return found


def test_simulate_walks_through_the_original(reduced, tmp_path, capfd, monkeypatch):
    shown = []
    for file in (reduced, str(tmp_path / "all.aut")):
        monkeypatch.setattr("sys.stdin", io.StringIO("take_left(p2)\ntake_left(p1)\nshow\n"))
        assert main(["simulate", file, "-q"]) == 0
        steps = [line.split()[1] for line in capfd.readouterr().out.splitlines() if "take" in line]
        shown.append(sorted(steps))
    assert shown[0] == shown[1]


def test_convert_refuses_reductions(reduced, tmp_path, capfd):
    out = tmp_path / "c.aut"
    code, _, err = answer(capfd, "convert", reduced, out)
    assert code == 2
    assert "`ltstool expand` first, or read the file itself with" in err
    assert not out.exists()
    assert main(["convert", reduced, str(out), "--as-such"]) == 0
    assert "rho-encoding" not in out.read_text()
    assert "rho(1)" in out.read_text()


@pytest.mark.parametrize(
    "command", [["info"], ["check", "deadlock-free"], ["minimise", "-e", "weak"]]
)
def test_without_its_symmetry_file_a_reduction_is_refused(command, reduced, tmp_path, capfd):
    moved = tmp_path / "moved.aut"
    shutil.copy(reduced, moved)
    name, *others = command
    code, out, err = answer(capfd, name, moved, *others)
    assert (code, out) == (2, "")
    assert "its symmetry file is not next to it" in err
    assert "symmetry" not in answer(capfd, name, moved, *others, "--as-such")[2]
    (tmp_path / "moved.aut.sym").write_text("this is none")
    code, out, err = answer(capfd, name, moved, *others)
    assert (code, out) == (2, "")
    assert "does not match the symmetry file next to it" in err


def test_a_pipe_has_no_symmetry_file(reduced, capfd, monkeypatch):
    with open(reduced, "rb") as file:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read())))
    code, _, err = answer(capfd, "info")
    assert code == 2
    assert "standard input is a reduction" in err


def test_overwritten_reduction_is_a_plain_lts(reduced, tmp_path, capfd):
    shutil.copy(tmp_path / "all.aut", reduced)
    code, out, err = answer(capfd, "info", reduced, "--json")
    assert (code, err) == (0, "")
    assert out == answer(capfd, "info", tmp_path / "all.aut", "--json")[1]


def test_large_originals_are_minimised_without_expansion(
    reduced, tmp_path, capfd, monkeypatch, lower
):
    monkeypatch.setattr("ltstool.shared.originals.FEW", 3)
    lower(EXPANDED_TRANSITIONS, 5)
    everything = str(tmp_path / "all.aut")
    for relation in ("strong", "weak-trace", "simulation"):
        assert main(["compare", reduced, everything, "-e", relation]) == 0
        capfd.readouterr()
        one = answer(capfd, "minimise", reduced, "-e", relation)[1]
        assert one == answer(capfd, "minimise", everything, "-e", relation)[1]
    assert main(["check", reduced, "deadlock-free"]) == 1
    for command in (["info", reduced], ["check", reduced, "deterministic"]):
        code, _, err = answer(capfd, *command)
        assert code == 2
        assert "too large here" in err


def test_contradictory_reductions_are_refused(reduced, tmp_path, capfd):
    with open(reduced) as file:
        text = file.read()
    rows = text.splitlines()
    shorter = [f"des (0,{len(rows) - 2},{rows[0].split(',')[2]}", *rows[2:]]
    out = tmp_path / "e.aut"
    for changed in ("\n".join(shorter) + "\n", text.replace("take_left(p1)", "take_left(p2)", 1)):
        with open(reduced, "w") as file:
            file.write(changed)
        for command in (
            ["expand", reduced, "-o", out],
            ["expand", reduced, "--count"],
            ["minimise", reduced, "--symmetry", f"{reduced}.sym", "-e", "weak", "-o", out],
            ["info", reduced],
        ):
            code, shown, err = answer(capfd, *command)
            assert (code, shown) == (2, "")
            assert err
        assert not out.exists()


def test_reduction_and_symmetry_file_are_piped(tmp_path):
    """Its symmetry file is there when the pipe ends, and not before."""
    (tmp_path / "table.mcrl").write_text(TABLE)
    program = f"{sys.executable} -m ltstool"
    reduce = f"{program} reduce table.mcrl --symmetry '(p1 p2 p3)' --write-symmetry s.sym"
    for command in ("expand --symmetry s.sym --count", "minimise -e strong --symmetry s.sym -o o"):
        (tmp_path / "s.sym").unlink(missing_ok=True)
        line = f"{reduce} | {program} {command}"
        assert subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True).returncode == 0

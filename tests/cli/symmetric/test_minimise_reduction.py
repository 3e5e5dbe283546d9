"""`ltstool minimise --symmetry`: reductions, specifications and systems, hidden actions, misuse."""

import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parents[3] / "cases"
PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
HIDE = ["--hide", "setturn,setflag,wait"]
PETERSON = [CASES / "peterson.mcrl", "--set", "N=3"]
SYMMETRY = ["--symmetry", CASES / "peterson.sym"]


def ltstool(*arguments):
    return subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "counted"),
    [
        (["-e", "strong"], b"347 states, 753 transitions\n"),
        (["-e", "weak", *HIDE], b"164 states, 375 transitions\n"),
    ],
)
def test_minimisation_routes_give_one_minimal_system(arguments, counted, tmp_path):
    reduced, full = tmp_path / "r.aut", tmp_path / "f.aut"
    assert ltstool("reduce", *PETERSON, *SYMMETRY, "-o", reduced).returncode == 0
    assert ltstool("generate", *PETERSON, "-o", full).returncode == 0
    least = tmp_path / "least.aut"
    assert ltstool("minimise", *arguments, full, "-o", least).returncode == 0
    ways = [
        [reduced, "--symmetry", f"{reduced}.sym"],
        [full, "--symmetry", "(p1 p2 p3)"],
        [*PETERSON, *SYMMETRY, "--order", "greedy"],
    ]
    for number, way in enumerate(ways):
        out = tmp_path / f"{number}.aut"
        done = ltstool("minimise", *arguments, *way, "-o", out)
        assert (done.returncode, done.stderr) == (0, b"")
        assert ltstool("expand", out, "--count").stdout == counted
        expanded = tmp_path / f"{number}.expanded.aut"
        assert ltstool("expand", out, "-o", expanded).returncode == 0
        assert ltstool("compare", expanded, least, "-e", "strong").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-e", "strong", *SYMMETRY, "--classes", "c"], 2, b"be used on reductions"),
        (["-e", "strong", "--certificate", "c"], 2, b"generate it first"),
        (["-e", "strong", "--salvage"], 2, b"--salvage applies to an LTS"),
        (["-e", "trace", *SYMMETRY], 2, b"modulo bisimulations"),
        (["-e", "weak", "--hide", "wait(p1,S(0))", *SYMMETRY], 2, b"is hidden and its image"),
        (["-e", "strong", "--max-states", "5", *SYMMETRY], 3, b"more than 5 orbits"),
    ],
)
def test_impossible_minimisations_are_refused(arguments, code, message, tmp_path):
    out = tmp_path / "out.aut"
    done = ltstool("minimise", *PETERSON, *arguments, "-o", out)
    assert done.returncode == code
    assert message in done.stderr
    assert not out.exists()


def test_ineffective_hiding_gives_a_remark(tmp_path):
    done = ltstool(
        "minimise", *PETERSON, *SYMMETRY, "-e", "weak", "--hide", "nobody", "-o", tmp_path / "o.aut"
    )
    assert b"nothing to hide" in done.stderr
    assert done.returncode == 0

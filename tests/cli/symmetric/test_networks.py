"""Symmetries of a network on the command line: found, checked, and used."""

import json
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
USERS = """par using
"ask" * _ * "ask" -> "ask(1)", _ * "ask" * "ask" -> "ask(2)",
"done" * _ * "done" -> "done(1)", _ * "done" * "done" -> "{last}"
in user || user || user end par"""


def ltstool(*arguments):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], capture_output=True, check=False, text=True
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "user.aut").write_text('des (0,2,2)\n(0,"ask",1)\n(1,"done",0)\n')
    (tmp_path / "users.exp").write_text(USERS.format(last="done(2)"))
    (tmp_path / "odd.exp").write_text(USERS.format(last="leave(2)"))
    return tmp_path


def test_group_and_permuted_components_as_json():
    done = ltstool("find-symmetry", "users.exp", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "order": 2,
        "generators": ["(1 2)"],
        "proof": "text",
        "orbits": [["ask(1)", "ask(2)"], ["done(1)", "done(2)"]],
        "components": [[1, 2]],
        "structure": "S_2",
        "whole": 2,
    }


def test_symmetries_that_move_no_label(folder):
    users = USERS.format(last="done(2)")
    (folder / "hidden.exp").write_text(f"hide ask, done in {users} end hide")
    done = ltstool("find-symmetry", "hidden.exp")
    assert done.returncode == 3
    assert "# components: 1 2\n# 2 symmetries of the network, 1 of its labels" in done.stdout


def test_action_names_are_fixed_without_any_option():
    assert ltstool("find-symmetry", "odd.exp").returncode == 3
    found = ltstool("find-symmetry", "odd.exp", "--any")
    assert found.returncode == 0
    assert "# components: 1 2" in found.stdout


def test_symmetry_from_the_search_reduces_the_network():
    assert ltstool("find-symmetry", "users.exp", "-o", "users.sym").returncode == 0
    assert ltstool("compose", "users.exp", "-o", "users.aut").returncode == 0
    assert ltstool("reduce", "users.aut", "--symmetry", "users.sym", "-o", "r.aut").returncode == 0
    assert ltstool("compare", "r.aut", "users.aut", "-e", "strong").stdout == "equivalent\n"


def test_an_equivalence_is_refused():
    done = ltstool("find-symmetry", "users.exp", "-e", "weak")
    assert (done.returncode, done.stdout) == (2, "")
    assert "-e applies to an LTS, but the input is a network: compose it first" in done.stderr


def test_orbits_are_counted_written_and_expanded(folder):
    done = ltstool("reduce", "users.exp", "--symmetry", "auto", "--count", "--json")
    expected = {"order": 2, "orbits": 2, "states": 3, "transitions": 4, "proof": "text"}
    assert json.loads(done.stdout) == expected
    assert "found `(1 2)`" in done.stderr
    assert ltstool("compose", "users.exp", "-o", "users.aut").returncode == 0
    ways = (
        ("reduce", "--order", "bfs"),
        ("compose", "-v"),
        ("reduce", "--symmetry-proof", "tested", "--strategy", "enumerate"),
    )
    for command, *options in ways:
        done = ltstool(command, "users.exp", "--symmetry", "(1 2)", "-o", "r.aut", *options)
        assert done.returncode == 0
        assert ltstool("expand", "r.aut", "-o", "e.aut").returncode == 0
        assert ltstool("compare", "e.aut", "users.aut", "-e", "strong").stdout == "equivalent\n"
    done = ltstool("minimise", "users.exp", "--symmetry", "(1 2)", "-e", "branching", "-o", "m.aut")
    assert done.returncode == 0
    assert ltstool("compare", "m.aut", "users.aut", "-e", "branching").stdout == "equivalent\n"


def test_a_search_under_a_symmetry_gives_traces_of_the_network():
    search = ("--find", "done(2)", "--trace", "t.trace", "-v")
    done = ltstool("compose", "users.exp", "--symmetry", "auto", *search)
    assert (done.returncode, done.stdout) == (0, "done(2), 2 steps\n  ask(2)\n  done(2)\n")
    assert "of order 2, proven from the vectors" in done.stderr
    replayed = subprocess.run(
        [*PROGRAM, "simulate", "users.exp", "--replay", "t.trace"],
        input="quit\n",
        capture_output=True,
        check=False,
        text=True,
    )
    assert replayed.returncode == 0
    assert "after 2 steps" in replayed.stdout
    assert ltstool("compose", "users.exp", "--symmetry", "auto", "--deadlocks").returncode == 1


def test_symmetries_are_confirmed_or_refuted_with_a_reason():
    done = ltstool("check-symmetry", "users.exp", "--symmetry", "(1 2)")
    assert done.returncode == 0
    assert "`(1 2)` is a symmetry of order 2\nstates       3 in 2 orbits" in done.stdout
    done = ltstool("check-symmetry", "odd.exp", "--symmetry", "(1 2)")
    assert done.returncode == 1
    assert "`(1 2)` is no symmetry" in done.stdout
    assert "`done(1)` is the result of a vector, but its image `done(2)` is not" in done.stdout
    static = ("--symmetry", "(1 2)", "--symmetry-proof", "static")
    done = ltstool("check-symmetry", "odd.exp", *static)
    assert done.returncode == 3
    assert "not proven to be a symmetry" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reduce", "users.exp", "--symmetry", "Pid"], "standard output"),
        (["reduce", "users.exp", "--symmetry", "Pid", "--count"], "the symmetry file `Pid`"),
        (["reduce", "users.exp", "--symmetry", "(1 7)", "--count"], "its image `ask(7)` is not"),
        (["reduce", "users.exp", "--symmetry", "(x y)", "--count"], "no label has the data `x`"),
        (["compose", "users.exp", "--symmetry", "auto", "--hide", "ask", "-o", "x"], "--hide"),
        (
            ["compose", "users.exp", "--symmetry", "auto", "--reduce", "strong"],
            "exclude each other",
        ),
        (["compose", "users.exp", "--strategy", "refine"], "--strategy needs --symmetry"),
        (["compose", "users.exp", "--write-symmetry", "x"], "--write-symmetry needs --symmetry"),
        (["reduce", "users.exp", "--symmetry", "(1 2)", "--certificate", "c", "-o", "x"], "an LTS"),
        (["check-symmetry", "users.exp", "--symmetry", "auto", "-e", "weak"], "an LTS"),
    ],
)
def test_wrong_use_is_refused_without_output(arguments, message, folder):
    before = sorted(path.name for path in folder.iterdir())
    done = ltstool(*arguments)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == before


def test_components_that_are_specifications(folder):
    (folder / "one.mcrl").write_text("sort Bool\nfunc T,F:->Bool\nact a b\nproc X=a.b.X\ninit X\n")
    (folder / "two.exp").write_text(
        'par using "a" * _ -> "a(1)", _ * "a" -> "a(2)", "b" * _ -> "b(1)", _ * "b" -> "b(2)"\n'
        'in "one.mcrl" || "one.mcrl" end par\n'
    )
    done = ltstool("reduce", "two.exp", "--symmetry", "auto", "--count", "--json")
    expected = {"order": 2, "orbits": 3, "states": 4, "transitions": 8, "proof": "text"}
    assert json.loads(done.stdout) == expected


def test_orbit_limit_is_reported():
    done = ltstool("reduce", "users.exp", "--symmetry", "auto", "--count", "--max-states", "1")
    assert done.returncode == 3
    assert "more than 1 orbits; 2 orbits" in done.stderr

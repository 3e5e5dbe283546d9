"""`ltstool find-symmetry` of a network."""

import json
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from ltstool.main import run; run()"]
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


def test_the_group_and_the_components_that_it_exchanges():
    done = ltstool("find-symmetry", "users.exp", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "order": 2,
        "generators": ["(1 2)"],
        "orbits": [["ask(1)", "ask(2)"], ["done(1)", "done(2)"]],
        "components": [[1, 2]],
        "whole": 2,
    }


def test_symmetries_that_move_no_label(folder):
    users = USERS.format(last="done(2)")
    (folder / "hidden.exp").write_text(f"hide ask, done in {users} end hide")
    done = ltstool("find-symmetry", "hidden.exp")
    assert done.returncode == 1
    assert "# components: 1 2\n# 2 symmetries of the network, for 1 of the labels" in done.stdout


def test_names_of_actions_are_kept_unless_any_may_change():
    assert ltstool("find-symmetry", "odd.exp").returncode == 1
    found = ltstool("find-symmetry", "odd.exp", "--any")
    assert found.returncode == 0
    assert "# components: 1 2" in found.stdout


def test_what_is_found_reduces_the_state_space():
    assert ltstool("find-symmetry", "users.exp", "-o", "users.sym").returncode == 0
    assert ltstool("compose", "users.exp", "-o", "users.aut").returncode == 0
    assert ltstool("reduce", "users.aut", "--symmetry", "users.sym", "-o", "r.aut").returncode == 0
    assert ltstool("compare", "r.aut", "users.aut", "-e", "strong").stdout == "equivalent\n"


def test_an_equivalence_is_refused():
    done = ltstool("find-symmetry", "users.exp", "-e", "weak")
    assert (done.returncode, done.stdout) == (2, "")
    assert "-e is about an LTS: compose it first" in done.stderr

"""Networks on the command line: what does nothing in their texts, and priorities."""

import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]


def ltstool(*arguments, stdin=""):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, check=False, text=True
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "door.aut").write_text('des (0,3,2)\n(0,"open",1)\n(1,"shut",0)\n(1,"i",1)\n')
    (tmp_path / "idle.exp").write_text("hide opne in\n  door |[lock]| door")
    (tmp_path / "prio.exp").write_text(
        "hide shut in prio shut > open, i in door ||| door end prio end hide"
    )
    return tmp_path


def test_ineffective_operators_give_a_warning():
    found = ltstool("compose", "idle.exp", "-o", "out.aut")
    assert (found.returncode, found.stdout) == (0, "")
    assert found.stderr == (
        "ltstool: warning: idle.exp:1:6: `opne` matches no gate\n"
        "ltstool: warning: idle.exp:2:10: `lock` is blocked: operand 1 does not have it\n"
    )
    assert ltstool("compose", "idle.exp", "-q").stderr == ""
    for command in (["info"], ["check", "deadlock-free"], ["minimise", "-e", "strong"]):
        words = [command[0], "idle.exp", *command[1:]]
        assert "`opne` matches no gate" in ltstool(*words).stderr


def test_ineffective_operators_are_errors_with_strict(folder):
    for command in (["compose", "--strict"], ["info", "--strict"]):
        found = ltstool(command[0], "idle.exp", *command[1:])
        assert (found.returncode, found.stdout) == (2, "")
        assert "idle.exp:2:10: `lock` is blocked" in found.stderr
        assert "  hide opne in\n       ^" in found.stderr
    (folder / "fine.exp").write_text("hide open in door |[shut]| door")
    assert ltstool("compose", "fine.exp", "--strict").returncode == 0


def test_remarks_are_shown_up_to_ten(folder):
    many = ", ".join(f"gate{number}" for number in range(30))
    (folder / "many.exp").write_text(f"hide {many} in door")
    found = ltstool("compose", "many.exp").stderr.splitlines()
    assert len(found) == 11
    assert found[-1] == "ltstool: warning: and 20 more without effect"


def test_prioritised_parts_are_minimised_modulo_strong():
    whole = ltstool("compose", "prio.exp", "-o", "whole.aut")
    assert whole.stderr == ""
    least = ltstool("minimise", "whole.aut", "-e", "branching").stdout
    found = ltstool("compose", "prio.exp", "--reduce", "branching")
    assert found.stdout == least
    assert "2 components with priorities: modulo strong bisimulation" in found.stderr
    checked = ltstool("check", "prio.exp", "deadlock-free")
    assert checked.stdout == "true\n"
    assert "modulo strong bisimulation" in checked.stderr
    limit = ltstool("compose", "prio.exp", "--max-states", 2)
    assert limit.returncode == 3


def test_cyclic_priorities_are_refused(folder):
    (folder / "circle.exp").write_text("prio open > shut shut > open in door end prio")
    found = ltstool("compose", "circle.exp", "-o", "out.aut")
    assert found.returncode == 2
    assert "circle.exp:1:1: the priorities are not an order: `open` precedes itself" in found.stderr
    assert not (folder / "out.aut").exists()


SPECIFICATION = """%@ parameter N = 1
%@ include Enum of d1,d2 as D
act pick,put: D
    more
proc P = sum(d:D, pick(d).put(d).P)
%@ for i in 2..N
         + more.P
%@ end
init P
"""


def test_components_of_every_readable_format(folder):
    (folder / "p.mcrl").write_text(SPECIFICATION)
    assert ltstool("generate", "p.mcrl", "-o", "p.aut").returncode == 0
    for end in ("dot", "fsm", "parquet", "parts", "aut.gz"):
        assert ltstool("convert", "p.aut", f"p.{end}").returncode == 0
    assert ltstool("reduce", "p.aut", "--symmetry", "(d1 d2)", "-o", "r.aut").returncode == 0
    (folder / "two.exp").write_text("p |[put]| p")
    whole = ltstool("compose", "two.exp", "-o", "whole.aut")
    assert (whole.returncode, whole.stderr) == (0, "")
    for name in ("p.dot", "p.fsm", '"p.parquet"', "p.parts", '"p.aut.gz"', "p.mcrl", "r.aut"):
        (folder / "other.exp").write_text(f"{name} |[put]| {name}")
        same = ltstool("compare", "whole.aut", "other.exp", "-e", "strong")
        assert (name, same.returncode) == (name, 0)
    (folder / "more.exp").write_text("p.mcrl ||| p.mcrl")
    assert '"more"' in ltstool("compose", "more.exp", "--set", "N=2").stdout
    walk = ltstool("simulate", "more.exp", stdin="quit\n")
    assert "pick(d1)" in walk.stdout


def test_networks_are_explored_in_partitions(folder):
    (folder / "two.exp").write_text("door |[shut]| door")
    assert ltstool("compose", "two.exp", "--partitions", 3, "-o", "two.parts").returncode == 0
    one = ltstool("compose", "two.exp", "-o", "-").stdout
    assert ltstool("convert", "two.parts", "-").stdout == one
    stopped = ltstool("compose", "two.exp", "--max-states", 2, "-o", "less.parts")
    assert (stopped.returncode, (folder / "less.parts").exists()) == (3, False)
    for words, message in (
        (["--partitions", 2], "--partitions applies only to a folder of parts"),
        (["-o", "x.parts", "--reduce", "strong"], "--reduce cannot write a folder of parts"),
        (["-o", "x.parts", "--symmetry", "auto"], "--symmetry cannot write a folder of parts"),
    ):
        refused = ltstool("compose", "two.exp", *words)
        assert refused.returncode == 2
        assert message in refused.stderr


def test_every_command_takes_priorities(folder):
    commands = (
        ["info"],
        ["minimise", "-e", "strong"],
        ["simulate"],
        ["find-symmetry"],
        ["draw", "-o", "out.dot"],
        ["reduce", "--symmetry", "auto", "--count"],
    )
    for command, *options in commands:
        found = ltstool(command, "prio.exp", *options, stdin="quit\n")
        # `find-symmetry` finds none, but there may be some.
        assert (command, found.returncode in (0, 1, 3), found.stderr.count("attribute")) == (
            command,
            True,
            0,
        )


def test_ambiguous_component_files_are_remarked(folder):
    (folder / "door.bcg").write_text("")
    (folder / "both.aut").write_text('des (0,2,1)\n(0,"i",0)\n(0,"tau",0)\n')
    (folder / "n.exp").write_text("door ||| both")
    found = ltstool("compose", "n.exp")
    assert found.returncode == 0
    assert "n.exp:1:1: `door` is read as `door.aut`, although `door.bcg` exists" in found.stderr
    assert "n.exp:1:10: `both` has labels `i` and `tau`: both are read as internal" in found.stderr
    assert "is hidden" not in ltstool("compose", "-", stdin="mcrl behaviour both").stderr
    (folder / "sub").mkdir()
    (folder / "sub" / "both.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
    (folder / "sub" / "part.exp").write_text("both")
    found = ltstool("compose", "-", stdin='"sub/part.exp" ||| door')
    assert "part.exp:1:1: `both` is read as `./sub/both.aut`" in found.stderr

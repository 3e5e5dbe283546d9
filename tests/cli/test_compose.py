"""`ltstool compose`: networks from files, with all that generation has; networks as systems."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import aut_format

PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
COUNTER = 'des (0,3,3)\n(0,"up",1)\n(1,"up",2)\n(2,"reset",0)\n'
CASES = Path(__file__).parents[2] / "cases"


def ltstool(*arguments, stdin=""):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, check=False, text=True
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counter.aut").write_text(COUNTER)
    (tmp_path / "two.exp").write_text("counter |[reset]| counter")
    (tmp_path / "stuck.exp").write_text("cut reset in counter ||| counter end cut")
    return tmp_path


def test_compose_writes_an_lts(folder):
    assert ltstool("compose", "two.exp", "-o", "out.aut").returncode == 0
    assert aut_format.read("out.aut").state_count == 9
    piped = ltstool("compose", "-", stdin="counter |[reset]| counter")
    assert piped.stdout.split("\n")[1:] == (folder / "out.aut").read_text().split("\n")[1:]


def test_results_do_not_depend_on_threads():
    one, two = (ltstool("compose", "two.exp", "--threads", n).stdout for n in (1, 2))
    assert one == two != ""


def test_hidden_labels():
    assert '"up"' not in ltstool("compose", "two.exp", "--hide", "up").stdout
    said = ltstool("compose", "two.exp", "--hide", "down").stderr
    assert "nothing to hide" in said


def test_internal_labels_of_components(folder):
    (folder / "i.aut").write_text("des (0,1,2)\n(0,i,1)\n")
    (folder / "i.exp").write_text("i || i")
    found = ltstool("compose", "i.exp")
    assert found.stdout.count('"tau"') == 4
    assert found.stderr == ""
    visible = ltstool("compose", "i.exp", "--tau", "")
    assert visible.stdout.count('"i"') == 1


def test_searches():
    found = ltstool("compose", "stuck.exp", "--deadlocks", "--trace", "t.trace")
    assert found.returncode == 0
    assert found.stdout.startswith("deadlock after 4 steps")
    assert ltstool("compose", "two.exp", "--deadlocks").returncode == 1
    found = ltstool("compose", "two.exp", "--find", "res*", "--json")
    assert json.loads(found.stdout)["traces"][0]["steps"][-1][0] == "reset"
    assert "no action `down`" in ltstool("compose", "two.exp", "--find", "down").stderr


def test_a_trace_is_replayed_on_the_network():
    ltstool("compose", "stuck.exp", "--deadlocks", "--trace", "t.trace")
    replayed = ltstool("simulate", "stuck.exp", "--replay", "t.trace", stdin="quit\n")
    assert replayed.returncode == 0
    assert "after 4 steps" in replayed.stdout


def test_limits(folder):
    found = ltstool("compose", "two.exp", "--max-states", 4, "-o", "out.aut")
    assert (found.returncode, (folder / "out.aut").exists()) == (3, False)
    assert "more than 4 states" in found.stderr
    part = ltstool("compose", "two.exp", "--max-states", 4, "--partial", "-o", "out.aut")
    assert part.returncode == 3
    assert "?" in (folder / "out.aut").read_text().split("\n")[0]


def test_components_may_be_specifications(folder):
    (folder / "p.mcrl").write_text((CASES / "peterson.mcrl").read_text())
    (folder / "s.exp").write_text('"p.mcrl"')
    found = ltstool("compose", "s.exp", "--set", "N=2", "-q")
    alone = ltstool("generate", "p.mcrl", "--set", "N=2", "-q")
    assert found.stdout.split("\n")[0] == alone.stdout.split("\n")[0]


def test_networks_are_systems_of_other_commands(folder):
    ltstool("compose", "two.exp", "-o", "out.aut")
    assert ltstool("compare", "two.exp", "out.aut", "-e", "strong").returncode == 0
    assert ltstool("compare", "two.exp", "counter.aut", "-e", "strong").returncode == 1
    assert "states         9" in ltstool("info", "two.exp").stdout
    assert ltstool("minimise", "two.exp", "-e", "strong").stdout.startswith("des (0,5,5)")
    assert ltstool("check", "two.exp", "deadlock-free").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compose", "missing.exp"], "missing.exp"),
        (["compose", "bad.exp"], "bad.exp:1:9"),
        (["compose", "lost.exp"], "lost.exp:1:12: `other`"),
        (["compose", "two.exp", "-o", "counter.aut"], "is an input file"),
        (["compose", "two.exp", "-o", "two.exp"], "is an input file"),
        (["compose", "two.exp", "--json"], "standard output"),
        (["compose", "two.exp", "--trace", "t"], "--trace needs"),
        (["compose", "two.exp", "--traces", "2"], "--traces needs"),
        (["compose", "two.exp", "--traces", "all"], "--traces needs"),
    ],
)
def test_wrong_use(folder, arguments, message):
    (folder / "bad.exp").write_text("hide up on counter")
    (folder / "lost.exp").write_text("counter || other")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    found = ltstool(*arguments)
    assert found.returncode == 2
    assert message in found.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_reduction_writes_the_minimal_system(folder):
    ltstool("compose", "two.exp", "--hide", "up", "-o", "flat.aut")
    least = ltstool("minimise", "flat.aut", "-e", "branching").stdout
    found = ltstool("compose", "two.exp", "--hide", "up", "--reduce", "branching", "-v")
    assert found.stdout == least
    assert "1 (counter): 3 states, 3 transitions -> 1 states" in found.stderr
    assert "2 (counter): 3 states, 3 transitions -> 1 states, 1 transitions, known" in found.stderr
    assert "3 parts, 2 of them built" in found.stderr
    ordered = ltstool(
        "compose", "two.exp", "--hide", "up", "--reduce", "branching", "--order", "(2 1)"
    )
    assert ordered.stdout == least


def test_the_plan_as_json():
    found = ltstool("compose", "two.exp", "--reduce", "strong", "--json", "-o", "out.aut")
    report = json.loads(found.stdout)
    assert (report["states"], report["built"], report["components"]) == (5, 2, ["counter"] * 2)
    assert report["steps"][-1] == {
        "components": [1, 2],
        "states": 9,
        "transitions": 13,
        "minimal_states": 5,
        "minimal_transitions": 5,
        "known": False,
    }


def test_strong_option_gives_sharp_bisimulation(folder):
    sharp = ["--hide", "up", "--strong", "reset,nothing"]
    ltstool("compose", "two.exp", "-o", "flat.aut")
    least = ltstool("minimise", "flat.aut", "-e", "divbranching", *sharp)
    found = ltstool("compose", "two.exp", "--reduce", "divbranching", *sharp)
    assert found.stdout == least.stdout
    plain = ltstool("minimise", "flat.aut", "-e", "divbranching", "--hide", "up").stdout
    assert found.stdout.count("\n") > plain.count("\n")
    for remarks in (found.stderr, least.stderr):
        assert "no label is made strong: no action or label is nothing" in remarks
    refused = ltstool("minimise", "flat.aut", "-e", "weak", "--strong", "reset")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "not weak" in refused.stderr
    for option in (["--symmetry", "(1 2)"], ["--certificate", "c"]):
        refused = ltstool("minimise", "flat.aut", "-e", "divbranching", "--strong", "a", *option)
        assert "--strong applies to an LTS" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--reduce", "trace"], 2, "modulo trace only the whole"),
        (["--reduce", "nonsense"], 2, "nonsense"),
        (["--order", "(1 2)"], 2, "--order needs --reduce"),
        (["--strong", "up"], 2, "--strong needs --reduce"),
        (["--reduce", "weak", "--strong", "up"], 2, "not weak"),
        (["--reduce", "divbranching", "--strong", "tau"], 2, "`tau` is internal"),
        (["--reduce", "weak", "--order", "(1 3)"], 2, "no component 3"),
        (["--reduce", "weak", "--deadlocks"], 2, "--deadlocks needs the states"),
        (["--reduce", "weak", "--json"], 2, "standard output"),
        (["--reduce", "weak", "--max-states", 4], 3, "more than 4 states"),
    ],
)
def test_invalid_reduce_options_are_refused(folder, arguments, code, message):
    found = ltstool("compose", "two.exp", *arguments)
    assert found.returncode == code
    assert message in found.stderr
    assert "des" not in found.stdout


def test_traces_of_the_minimal_system_replay_in_the_network():
    words = ["--hide", "up", "--reduce", "branching", "--find", "reset", "--trace", "t.trace"]
    found = ltstool("compose", "two.exp", *words)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == "reset, 5 steps\n" + "  up\n" * 4 + "  reset\n"
    replayed = ltstool("simulate", "two.exp", "--replay", "t.trace", stdin="quit\n")
    assert "after 5 steps" in replayed.stdout
    done = ltstool("compose", "two.exp", "--reduce", "weak", "--find", "reset", "--json")
    assert len(json.loads(done.stdout)["traces"][0]["steps"]) == 5
    assert ltstool("compose", "stuck.exp", "--reduce", "weak", "--find", "up").returncode == 0
    hidden = ["--reduce", "weak", "--find", "up", "--hide", "up"]
    none = ltstool("compose", "stuck.exp", *hidden)
    assert (none.returncode, none.stdout) == (1, "none found\n")


def test_a_setting_without_a_specification_is_refused():
    found = ltstool("compose", "two.exp", "--set", "N=3")
    assert found.returncode == 2
    assert "no component is one" in found.stderr


def test_convert_suggests_compose_for_networks():
    found = ltstool("convert", "two.exp", "out.aut")
    assert found.returncode == 2
    assert "convert it with `ltstool compose` first" in found.stderr


def test_labels_with_quotation_marks(folder):
    (folder / "q.aut").write_text('des (0,2,2)\n(0,"say \\"hi\\"",1)\n(1,"say "ho"",0)\n')
    text = r'label par using "say \"hi\"" -> "one \"x\"", "say \"ho\"" -> two in q end par'
    (folder / "q.exp").write_text(text)
    found = ltstool("compose", "q.exp").stdout.split("\n")
    assert found[1:3] == ['(0,"one "x"",1)', '(1,"two",0)']


def test_formulas_are_checked_on_parts(folder):
    """Whatever `check` says of a network is what it says of its state space."""
    assert ltstool("compose", "two.exp", "-o", "two.aut").returncode == 0
    formulas = (
        "deadlock-free",
        "deterministic",
        "[true*.eat(1)]<true*.eat(2)>true",
        "<true*.eat(...)>true",
        "<eat(...)>true",
        "exists n:1..2. <true*.eat(n)>true",
    )
    for formula in formulas:
        flat, parts = (ltstool("check", file, formula) for file in ("two.aut", "two.exp"))
        assert (parts.returncode, parts.stdout) == (flat.returncode, flat.stdout)

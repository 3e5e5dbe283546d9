"""`ltstool compare -e E --symmetry S` where specifications or networks are explored by orbits."""

import json
from pathlib import Path

import pytest

from ltstool.main import main

CASES = Path(__file__).parents[3] / "cases"
PETERSON = str(CASES / "peterson_turns.mcrl")
ABP = str(CASES / "abp.mcrl")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_specifications(capfd):
    """The protocol against its service, and against one that mixes data up."""
    service = """sort Bool func T,F:->Bool sort D func d1,d2:->D
        act r1,s4:D proc X = sum(d:D,r1(d).s4(d)).X init X"""
    Path("service.mcrl").write_text(service)
    Path("mixed.mcrl").write_text(service.replace("s4(d)", "sum(e:D,s4(e))"))
    hide = ["-e", "weak", "--hide", "c2,c3,c5,c6", "-q"]
    for file, code in (("service.mcrl", 0), ("mixed.mcrl", 1)):
        for symmetry in ([], ["--symmetry", "(d1 d2)"], ["--symmetry", "auto"]):
            assert main(["compare", ABP, file, *hide, *symmetry]) == code
            shown = capfd.readouterr().out.splitlines()
            assert shown[0] == ("not equivalent" if code else "equivalent")
            assert (len(shown) > 1) == bool(code)


def test_evidence_distinguishes_the_originals(capfd):
    broken = (CASES / "peterson_turns.mcrl").read_text()
    broken = broken.replace("enter(i)", "enter(i).enter(i)", 1)
    assert broken != (CASES / "peterson_turns.mcrl").read_text()
    Path("broken.mcrl").write_text(broken)
    words = ["compare", PETERSON, "broken.mcrl", "-e", "branching", "--symmetry", "Pid", "-q"]
    assert main([*words, "--evidence", "why.mcf", "--json"]) == 1
    report = json.loads(capfd.readouterr().out)
    assert report["equivalent"] is False
    assert report["evidence"]["formula"] in Path("why.mcf").read_text()
    verdicts = [main(["check", file, "@why.mcf", "-q"]) for file in (PETERSON, "broken.mcrl")]
    assert sorted(verdicts) == [0, 1]


def test_an_lts_is_compared_without_reduction():
    assert main(["generate", ABP, "-o", "full.aut", "-q"]) == 0
    assert main(["reduce", ABP, "--symmetry", "D", "-o", "small.aut", "-q"]) == 0
    for file in ("full.aut", "small.aut"):
        for pair in ((ABP, file), (file, ABP)):
            assert main(["compare", *pair, "-e", "strong", "--symmetry", "(d1 d2)"]) == 0
    other = ["--other-symmetry", "small.aut.sym"]
    assert main(["compare", ABP, "small.aut", "-e", "strong", "--symmetry", "auto", *other]) == 0


def test_a_network(capfd):
    Path("user.aut").write_text('des (0,2,2)\n(0,"ask",1)\n(1,"done",0)\n')
    Path("users.exp").write_text(
        'par using "ask" * _ -> "ask(1)", _ * "ask" -> "ask(2)", "done" * _ -> "done(1)", '
        '_ * "done" -> "done(2)" in user || user end par'
    )
    assert main(["compose", "users.exp", "-o", "users.aut"]) == 0
    words = ["users.exp", "users.aut", "-e", "branching", "--symmetry", "auto"]
    assert main(["compare", *words]) == 0
    assert "equivalent" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-e", "strong", "--trace", "t"], "combined with --trace"),
        (["--preorder", "simulation"], "not decided on orbits"),
        (["-e", "trace"], "minimised modulo bisimulations"),
        (["-e", "strong", "--as-such"], "--as-such applies to an LTS"),
        (["-e", "strong", "--hide", "c2", "--evidence", "f"], "leave out --hide"),
        (["-e", "strong", "--max-states", "3"], "more than 3"),
    ],
)
def test_inapplicable_options_are_refused(words, said, capfd, folder):
    code = main(["compare", ABP, ABP, "--symmetry", "D", *words])
    assert code == (3 if "--max-states" in words else 2)
    assert said in capfd.readouterr().err
    assert not [*folder.iterdir()]

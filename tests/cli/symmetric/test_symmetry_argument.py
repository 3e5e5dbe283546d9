"""What `--symmetry` may say of a specification, and `ltstool find-symmetry` of one."""

import json
import tomllib

import pytest

from ltstool.main import main
from programs import CASES

TEXT = """%@ parameter N = 3
%@ include Enum of none,p1..p@{N} as Pid
act a,b:Pid
proc M(i:Pid) = sum(j:Pid,a(j).M(j) <| not(eq(j,none)) |> delta) + b(i).M(none)
init M(none)
"""
BROKEN = TEXT.replace("b(i)", "b(next(i))")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "m.mcrl"
    path.write_text(TEXT)
    return str(path)


def counted(capfd):
    return json.loads(capfd.readouterr().out)


@pytest.mark.parametrize("said", ["Pid", " Pid ", "auto", "(p1 p2 p3 p4)"])
def test_sorts_auto_and_permutations(file, said, capfd):
    options = ["--set", "N=4", "--count", "--json"]
    assert main(["reduce", file, "--symmetry", said, *options]) == 0
    report = counted(capfd)
    assert report["order"] == (4 if said.startswith("(") else 24)
    assert (report["orbits"], report["states"]) == (2, 5)


def test_fixed_values_are_reported(file, capfd):
    assert main(["check-symmetry", file, "--symmetry", "Pid"]) == 0
    output = capfd.readouterr()
    assert "`none` is kept fixed" in output.err
    assert "of order 6" in output.out
    assert main(["check-symmetry", file, "--symmetry", "auto", "-q"]) == 0
    assert capfd.readouterr().err == ""


def test_files_take_precedence_over_sorts(file, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Pid").write_text('version = 1\nkind = "sorts"\ngenerators = ["(p1 p2)"]\n')
    assert main(["reduce", file, "--symmetry", "Pid", "--count", "--json"]) == 0
    assert counted(capfd)["order"] == 2


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("Pdi", "unknown sort `Pdi`; did you mean `Pid`?"),
        ("Pid,Q", "unknown sort `Q`; there are"),
        ("Nat", "`Nat` has no two constants to permute"),
        ("a.sym", "the symmetry file `a.sym` does not exist"),
        ("(p1 p9)", "`p9` is not a term"),
    ],
)
def test_invalid_symmetry_arguments_are_refused(file, said, message, capfd):
    assert main(["reduce", file, "--symmetry", said, "--count"]) == 2
    assert message in capfd.readouterr().err


def test_sorts_are_for_specifications(file, tmp_path, capfd):
    lts = str(tmp_path / "m.aut")
    assert main(["generate", file, "-o", lts]) == 0
    assert main(["reduce", lts, "--symmetry", "Pid", "--count"]) == 2
    assert "sorts and `auto` apply only to specifications" in capfd.readouterr().err


def test_reduction_by_auto_symmetry_expands(file, tmp_path, capfd):
    out = tmp_path / "out.aut"
    assert main(["reduce", file, "--symmetry", "auto", "-o", str(out)]) == 0
    assert main(["expand", str(out), "--count", "--json"]) == 0
    assert counted(capfd)["states"] == 4


def test_find_symmetry_writes_a_symmetry_file(file, tmp_path, capfd):
    out = str(tmp_path / "found.sym")
    assert main(["find-symmetry", file, "--set", "N=4", "-o", out]) == 0
    table = tomllib.loads((tmp_path / "found.sym").read_text())
    assert (table["kind"], table["order"]) == ("sorts", 24)
    assert "`none`" in (tmp_path / "found.sym").read_text()
    assert main(["check-symmetry", file, "--set", "N=4", "--symmetry", out]) == 0
    assert "of order 24" in capfd.readouterr().out


def test_find_symmetry_explains_broken_symmetry(tmp_path, capfd):
    path = tmp_path / "m.mcrl"
    path.write_text(BROKEN)
    assert main(["find-symmetry", str(path)]) == 1
    text = capfd.readouterr().out
    assert tomllib.loads(text)["generators"] == ["()"]
    assert "`next` distinguishes values of `Pid`" in text
    assert main(["find-symmetry", str(path), "--json"]) == 1
    facts = counted(capfd)
    assert (facts["order"], facts["generators"], facts["orbits"]) == (1, [], [])
    [broken] = facts["breaks"]
    assert (broken["sort"], broken["order"], broken["possible"]) == ("Pid", 1, 24)
    assert {reason["line"] for reason in broken["reasons"]} > {4, 5}
    assert facts["refused"]
    assert main(["check-symmetry", str(path), "--symmetry", "auto"]) == 1
    assert "no symmetry of the specification was found" in capfd.readouterr().out
    assert main(["reduce", str(path), "--symmetry", "auto", "--count"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("group        of order 1\n")
    assert "no symmetry of the specification was found: the group consists of the identity" in err


@pytest.mark.parametrize("text", ["()", "auto", "Pid", "(p1 .. p@{N})"])
def test_symmetry_of_one_process_is_trivial(text, tmp_path, capfd):
    symmetry = tmp_path / "s.sym"
    symmetry.write_text(f'version = 1\nkind = "sorts"\ngenerators = ["{text}"]\n')
    given = str(symmetry) if "@" in text else text
    words = [str(CASES / "peterson.mcrl"), "--set", "N=1", "--symmetry", given]
    assert main(["reduce", *words, "--count", "--json"]) == 0
    out, err = capfd.readouterr()
    expected = {"order": 1, "orbits": 4, "states": 4, "transitions": 4, "proof": "none"}
    assert json.loads(out) == expected
    assert ("the group consists of the identity alone" in err) == (given in ("auto", "Pid"))
    assert main(["reduce", *words, "-o", str(tmp_path / "r.aut"), "-q"]) == 0
    assert main(["expand", str(tmp_path / "r.aut"), "--count"]) == 0
    assert capfd.readouterr().out == "4 states, 4 transitions\n"
    # Where it is the question, no symmetry is refuted: there is nothing to exchange.
    assert main(["check-symmetry", *words]) == (3 if given in ("auto", "Pid") else 0)


def test_unused_values_are_permuted_trivially(tmp_path, capfd):
    path = tmp_path / "u.mcrl"
    path.write_text(
        "%@ include Enum of d1,d2,d3,d4 as D\nact a: D\n"
        "proc P(d:D) = a(d).P(d)\ninit P(d1) || P(d2)\n"
    )
    for text, order in (("(d3 d4)", 1), ("(d1 d2)(d3 d4)", 2), ("(d1 d2)", 2), ("D", 2)):
        assert main(["reduce", str(path), "--symmetry", text, "--count", "--json"]) == 0
        out, err = capfd.readouterr()
        assert json.loads(out)["order"] == order
        assert ("so it acts as the identity" in err) == (order == 1)
    assert main(["reduce", str(path), "--symmetry", "(d2 d3)", "--count"]) == 1


@pytest.mark.parametrize("command", ["reduce", "check-symmetry"])
def test_a_network_without_symmetries(command, tmp_path, capfd):
    (tmp_path / "a.aut").write_text("des (0,1,2)\n(0,a,1)\n")
    (tmp_path / "b.aut").write_text("des (0,2,3)\n(0,b,1)\n(1,c,2)\n")
    (tmp_path / "n.exp").write_text("a.aut ||| b.aut\n")
    words = [str(tmp_path / "n.exp"), "--symmetry", "auto", *["--count"] * (command == "reduce")]
    assert main([command, *words]) == (0 if command == "reduce" else 3)
    assert "no symmetry of the network was found" in "".join(capfd.readouterr())


def test_find_symmetry_stops_at_limits(tmp_path, capfd):
    path = tmp_path / "m.mcrl"
    path.write_text(
        "%@ include Enum of p1..p2 as Pid\nact a:Pid#Nat\n"
        "proc P(n:Nat) = sum(i:Pid,a(i,n).P(S(n))) init P(0)\n"
    )
    assert main(["find-symmetry", str(path), "--max-states", "50"]) == 3
    assert main(["find-symmetry", str(path), "--any"]) == 2

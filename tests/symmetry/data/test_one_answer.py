"""What commands say of one group is the same, however it is asked for."""

import json

import pytest

from ltstool.main import main
from programs import CASES

IDLE = """%@ include Enum of d1,d2,d3 as D
act a
act b:D
proc X(d:D,e:D,n:Bool) = (a.X(d,e,n)) + sum(y:D, b(y).X(y,e,n) <| n |> delta)
init X(d1,d1,F)
"""


def facts(words, capfd):
    assert main([*map(str, words), "--json", "-q"]) in (0, 1, 3)
    return json.loads(capfd.readouterr().out)


@pytest.mark.parametrize("case", ["mutex", "peterson", "readers_writers", "scheduler"])
def test_find_check_and_reduce_report_one_proof(case, tmp_path, capfd):
    path, file = CASES / f"{case}.mcrl", tmp_path / "found.sym"
    found = facts(["find-symmetry", path], capfd)
    assert main(["find-symmetry", str(path), "-o", str(file), "-q"]) == 0
    checked = facts(["check-symmetry", path, "--symmetry", file], capfd)
    reduced = facts(["reduce", path, "--symmetry", file, "--count"], capfd)
    assert found["proof"] == checked["proof"] == reduced["proof"] == "text"
    assert found["order"] == checked["order"] == reduced["order"]


@pytest.mark.parametrize("partitions", [[], ["--partitions", "2"]])
def test_idle_group_is_trivial_in_partitions(partitions, tmp_path, capfd):
    path = tmp_path / "idle.mcrl"
    path.write_text(IDLE)
    words = ["reduce", path, "--symmetry", "D", *partitions]
    assert facts([*words, "--count"], capfd)["order"] == 1
    path.write_text(IDLE.replace("X(d1,d1,F)", "X(d1,d1,T)"))
    assert facts([*words, "--count"], capfd)["order"] > 1


@pytest.mark.parametrize("moves", [False, True])
def test_order_and_proof_concern_one_group(moves, tmp_path, capfd):
    path, out = tmp_path / "idle.mcrl", tmp_path / "o.aut"
    path.write_text(IDLE.replace("X(d1,d1,F)", "X(d1,d1,T)") if moves else IDLE)
    given = [path, "--symmetry", "D"]
    for words in (
        ["reduce", *given, "--count"],
        ["reduce", *given, "-o", out],
        ["reduce", *given, "-o", tmp_path / "o.parts", "--partitions", "2"],
        ["reduce", *given, "--as-process", "quotient", "-o", tmp_path / "o.mcrl"],
        ["minimise", *given, "-e", "strong", "-o", out],
        ["check-symmetry", *given],
        ["info", *given, "--traces", "1"],
    ):
        found = facts(words, capfd)
        assert (found["order"] > 1, found["proof"] != "none") == (moves, moves), words


@pytest.mark.parametrize("partitions", [[], ["--partitions", "2"]])
def test_rewriting_limit_exits_3(partitions, tmp_path, capfd):
    path = tmp_path / "m.mcrl"
    path.write_text(
        "%@ include Nat\nmap f:Nat->Nat var n:Nat rew f(0)=0 f(S(n))=f(S(S(n)))\n"
        "act a:Nat\nproc X = a(f(S(0))).X\ninit X\n"
    )
    out = tmp_path / ("o.parts" if partitions else "o.aut")
    assert main(["generate", str(path), "-o", str(out), "-q", *partitions]) == 3
    _, err = capfd.readouterr()
    assert "m.mcrl:4:10: " in err
    assert "stopped after 10000000 rewrite steps in one value" in err

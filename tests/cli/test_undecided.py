"""Conditions that are neither true nor false, whatever is asked of a specification: an error that
says which and where, exactly where the definition meets one."""

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lts.mucrl import read_text
from ltstool.main import main
from mucrl.test_undecided import Definition, Undecided, texts
from strategies import examples

COMMANDS = {
    "generate": ["generate", "x.mcrl", "-o", "x.aut"],
    "reduce": ["reduce", "x.mcrl", "--symmetry", "()", "-o", "r.aut"],
    "check": ["check", "x.mcrl", "[true*]<true*>true"],
    "check of paths": ["check", "x.mcrl", "A G E F true"],
    "check on orbits": ["check", "x.mcrl", "[true*]<true*>true", "--symmetry", "()"],
    "compare": ["compare", "x.mcrl", "x.mcrl", "-e", "strong"],
    "minimise": ["minimise", "x.mcrl", "-e", "branching", "-o", "m.aut"],
    "info": ["info", "x.mcrl"],
    "compose": ["compose", "x.exp", "-o", "c.aut"],
    "network": ["check", "x.exp", "[true*]<true*>true"],
    "check-symmetry": ["check-symmetry", "x.mcrl", "--symmetry", "()"],
}


def test_commands_refuse_exactly_the_undecided_conditions(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.exp").write_text('"x.mcrl"')
    reached = Counter()

    @settings(
        max_examples=examples(0.8), suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(texts(), st.sampled_from(sorted(COMMANDS)), st.integers(0, 3))
    def is_told(text, name, rest):
        try:
            if Definition(read_text(text)).system(60) is None:
                return
            decided = True
        except Undecided:
            decided = False
        if decided and rest:
            return  # of these a quarter is enough
        reached["all"] += 1
        reached["undecided"] += not decided
        (tmp_path / "x.mcrl").write_text(text)
        capfd.readouterr()
        code = main([*COMMANDS[name], "-q"])
        messages = capfd.readouterr().err
        if decided:
            assert (code, messages) == (0, ""), name
        else:
            assert code == 2, name
            assert "the condition `" in messages
            assert "` is neither `T` nor `F`: no equation fits" in messages
            assert "x.mcrl:" in messages

    is_told()
    if reached["all"] < 20:
        return  # few tell little
    assert reached["undecided"] * 10 >= reached["all"], reached
    assert reached["undecided"] * 10 <= 9 * reached["all"], reached


def test_undecided_conditions_are_errors_in_partitions(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.mcrl").write_text("""sort Bool D func T,F:->Bool d0,d1:->D
map is:D->Bool rew is(d0)=T
act a:D h
proc X(x:D) = sum(y:D, a(y).X(y)) + h.X(x) <| is(x) |> delta
init X(d0)""")
    assert main(["generate", "x.mcrl", "--partitions", "2", "-o", "x.parts", "-q"]) == 2
    messages = capfd.readouterr().err
    assert "x.mcrl:4:" in messages
    assert "the condition `is(d1)` is neither `T` nor `F`: no equation fits" in messages
    assert "in the state where" in messages
    assert not (tmp_path / "x.parts").exists()

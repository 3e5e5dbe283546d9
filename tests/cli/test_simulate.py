"""The simulator, driven through pipes."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, LtsError
from lts.simulation import Simulation
from ltstool.simulator import Session
from mcrl2_files import action, listed, lts, nat, written

CASES = Path(__file__).parents[2] / "cases"
ABP = CASES / "abp.mcrl"
PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()", "simulate"]


def simulate(*arguments, commands=""):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=commands.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )


def printed(done):
    assert done.stderr == b""
    return done.stdout.decode("utf-8", "surrogateescape")


def test_state_and_changes_are_shown_by_component():
    done = simulate(ABP)
    assert done.returncode == 0
    lines = printed(done).splitlines()
    assert lines[0] == "state 0, after 0 steps"
    assert "  S  S_0: S" in lines
    assert "  1  r1(d1)  S: S_1, d=d1, n=0, n_2=1" in lines


def test_steps_are_taken_by_number_label_or_pattern():
    done = simulate(ABP, commands="1\nc2(d1,0)\ntake 1\nc3\ntrace\n")
    assert done.returncode == 0
    shown = printed(done)
    assert "  1  r1(d1)\n  2  c2(d1,0)\n  3  tau\n  4  c3(d1,0)\n" in shown
    assert "> c2(d1,0)\n" in shown


def test_failed_commands_are_reported_and_skipped():
    commands = "9\nnothing\nr1\nundo\nundo x\ngoto\nrestart now\nreplay absent\nrun no\n2\n"
    done = simulate(ABP, commands=commands)
    assert done.returncode == 2
    shown = printed(done)
    for message in (
        "there is no step 9: this state has 2",
        "`nothing` is neither a step of this state nor a command (`help` lists the commands)",
        "`r1` matches the steps 1, 2: choose one by its number",
        "the trace has 0 steps, so there is no step -1",
        "expected a number, not `x`",
        "expected a number, not ``",
        "unexpected argument `now`",
        "absent: No such file or directory",
        "no reachable state has a step `no`",
        "after 1 step\n",
    ):
        assert message in shown


def test_search_undo_and_random():
    done = simulate(ABP, commands="run s4\nundo 2\nredo\ngoto 1\nrandom 7 3\nrandom 2 1\nrun r1\n")
    assert done.returncode == 0
    shown = printed(done)
    assert "4 steps taken\nstate" in shown
    assert "7 steps taken, seed 3\n" in shown
    assert shown.count("after 2 steps") == 1
    assert "after 10 steps" in shown


TWO = "act a, b: Nat; c; proc P = a(1)|b(2) . c . P + a(1)|b(2) . tau . delta; init P;"


def multiple(*names):
    return [action(name, nat(value), sorts=["Nat"]) for name, value in names]


STEP = multiple(("b", 2), ("a", 1))


@pytest.fixture
def two(tmp_path):
    (tmp_path / "x.mcrl2").write_text(TWO, encoding="utf-8")
    return tmp_path / "x.mcrl2"


def binary(tmp_path, *transitions, initial=0):
    """Write a binary trace as mCRL2 does: an LTS, in which states may have vectors."""
    end = [("initial_state",), 1, initial]
    file = tmp_path / "x.trc"
    acts = [("a", "Nat"), ("b", "Nat"), ("c",)]
    outputs = lts(*transitions, acts=acts, end=[listed(listed(nat(1))), *end])
    file.write_bytes(written(outputs))
    return file


@pytest.mark.parametrize(
    ("steps", "shown"),
    [
        ([STEP, [action("c")], STEP, []], "4 steps replayed"),
        ([STEP, []], "2 steps replayed"),
        ([], "0 steps replayed"),
    ],
)
def test_a_binary_trace_of_mcrl2_is_replayed(two, tmp_path, steps, shown):
    transitions = [(n, step, n + 1) for n, step in enumerate(steps)]
    for rows in (transitions, transitions[::-1]):
        file = binary(tmp_path, *rows)
        assert shown in printed(simulate(two, "--replay", file))
        assert shown in printed(simulate(two, commands=f"replay {file}\n"))


@pytest.mark.parametrize(
    ("transitions", "message"),
    [
        ([(0, STEP, 1), (0, [], 2)], "not a trace: several transitions leave state 0"),
        ([(0, STEP, 1), (1, [], 0)], "not a trace: it is not a single path"),
        ([(0, STEP, 0)], "not a trace: it is not a single path"),
        ([(0, STEP, 1), (2, [], 3)], "not a trace: it is not a single path"),
        ([(0, STEP, 1), (1, STEP, 2)], "step 2 of the trace: `a(1)|b(2)` is not possible, but `c`"),
    ],
)
def test_wrong_binary_traces(two, tmp_path, transitions, message):
    found = simulate(two, "--replay", binary(tmp_path, *transitions))
    assert message in found.stderr.decode()
    assert found.returncode == 2


def test_traces_of_mcrl2_as_text_are_replayed(two, tmp_path):
    file = tmp_path / "x.trc"
    file.write_text("b( 2 )|a(1)\nc\na(1) | b(2)\n", encoding="utf-8")
    assert "3 steps replayed" in printed(simulate(two, "--replay", file))
    # An exact trace is that of the file.
    file.write_text("%trace 1\n1 b(2)|a(1)\n", encoding="utf-8")
    assert "`b(2)|a(1)` is not possible" in simulate(two, "--replay", file).stderr.decode()
    file.write_bytes(b"mCRL2Trace\x01\x00\x8b\xaf\x83")
    assert "a trace of an old release" in simulate(two, "--replay", file).stderr.decode()


def test_a_saved_trace_is_replayed(tmp_path):
    file = tmp_path / "a.trace"
    saved = simulate(ABP, commands=f"random 20 1\nsave {file}\n")
    assert "20 steps saved" in printed(saved)
    assert file.read_text().startswith("%trace 1\n1 r1(d")
    again = simulate(ABP, "--replay", file, commands=f"trace\nrestart\nreplay {file}\n")
    assert again.returncode == 0
    assert printed(again).count("20 steps replayed") == 2
    plain = "".join(f"{line[2:]}\n" for line in file.read_text().splitlines()[1:])
    file.write_text(plain)
    assert "20 steps replayed" in printed(simulate(ABP, "--replay", file))
    quoted = tmp_path / "a.SEQ"
    quoted.write_text("".join(f'"{line}"\n' for line in plain.splitlines()) + "<deadlock>\n")
    assert "20 steps replayed" in printed(simulate(ABP, "--replay", quoted))
    file.write_text("r1(d1)\nr1(d1)\n")
    wrong = simulate(ABP, "--replay", file)
    assert wrong.returncode == 2
    assert b"step 2 of the trace: `r1(d1)` is not possible" in wrong.stderr


def test_json_has_one_object_per_command():
    commands = "take 1\nx\nrun s4\nsave /dev/null\ntrace\nhelp\nrandom 1 1\nshow\nquit\ntake 1\n"
    done = simulate(ABP, "--json", commands=commands)
    assert done.returncode == 2
    first, second, error, found, trace, text, *last = map(json.loads, printed(done).splitlines())
    assert [step["label"] for step in first["steps"]] == ["r1(d1)", "r1(d2)"]
    assert first["components"][0]["values"] == {"d": None, "n": None, "n_2": None}
    assert second["components"][0]["values"] == {"d": "d1", "n": "0", "n_2": "1"}
    assert second["state"] == first["steps"][0]["target"]
    assert "neither a step of" in error["error"]
    assert (found["position"], found["undone"], found["missing"]) == (4, 0, None)
    assert trace["trace"][0] == {"label": "r1(d1)", "choice": 1}
    assert "undo" in text["help"]
    assert last[0] == last[1]


def test_simulation_of_an_aut_file(tmp_path):
    file = tmp_path / "a.aut"
    file.write_bytes(b'des (1,4,3)\n(1,"\xb5",0)\n(0,"undo",2)\n(0,"undo",1)\n(1,"\xb5",0)\n')
    done = simulate(file, commands="\udcb5\ntake 1\nundo\ntake 2\ngoto 1\n1\n")
    assert done.returncode == 0
    shown = printed(done)
    assert shown.startswith("state 1, after 0 steps\n  1  \udcb5  to state 0\n")
    assert shown.endswith("state 2, after 2 steps\nno step: a deadlock\n")


def test_termination_is_no_deadlock(tmp_path):
    file = tmp_path / "a.mcrl"
    file.write_text("sort Bool func T,F:->Bool act a init a")
    assert "no step: everything has terminated" in printed(simulate(file, commands="1\n"))


def test_infinite_sums_show_their_first_steps(tmp_path):
    file = tmp_path / "a.mcrl"
    file.write_text(
        "sort Bool func T,F:->Bool sort Nat func 0:->Nat S:Nat->Nat act a:Nat\n"
        "proc X=sum(n:Nat,a(n).X) init X"
    )
    done = simulate(file, "--max-values", "50", commands="show all\na(0)\n")
    shown = printed(done)
    assert ".. 10 more: `show all`" in shown
    assert ":2:18: a sum over `n:Nat` has more than 50 values in one state" in shown
    assert shown.count("a(S(S(S(0))))") == 3
    done = simulate(file, "--max-states", "5", "--max-values", "2", commands="run b\n")
    assert "no such step in the first 1 states; some steps are unknown" in printed(done)


def test_uncomputable_state_is_reported(tmp_path):
    file = tmp_path / "a.mcrl"
    file.write_text("sort Bool func T,F:->Bool map f:Bool->Bool act a b:Bool init a.b(f(T))")
    done = simulate(file, "--strict", commands="a\nundo\n")
    assert done.returncode == 2
    assert "state 1, after 1 step\n" in printed(done)
    assert "`f(T)` does not reduce to a value" in printed(done)
    done = simulate(file, "--strict", "--json", commands="a\n")
    assert "does not reduce" in json.loads(printed(done).splitlines()[1])["error"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-"], b"commands are read from standard input"),
        (["absent.mcrl"], b"absent.mcrl: No such file"),
        ([ABP, "--replay", "absent"], b"absent: No such file"),
    ],
)
def test_wrong_use(arguments, message):
    done = simulate(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert b"Traceback" not in done.stderr


WORDS = st.sampled_from(
    ["take", "undo", "redo", "goto", "restart", "run", "random", "trace", "show", "help", "quit",
     "replay", "a", "b", "a*", "*", "1", "2", "3", "\u00b2", "9" * 5000, "\0", "(", "all", "", "u"]
)  # fmt: skip


@given(st.lists(st.lists(WORDS, max_size=3), max_size=8), st.booleans())
def test_every_command_is_executed_or_refused(lines, as_json):
    system = LTS.from_transitions([(0, "a", 1), (1, "a", 0), (1, "a", 2), (2, "b", 0)])
    printed = []
    simulation = Simulation.of_lts(system)
    session = Session(simulation, printed.append, as_json=as_json, most=100)
    for words in lines:
        before = simulation.state, simulation.trace
        try:
            session.do(" ".join(words))
        except (LtsError, OSError):
            assert (simulation.state, simulation.trace) == before
    if as_json:
        for line in printed:
            json.loads(line)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_terminal_lines_have_editing_and_completion():
    import pty

    terminal, inside = pty.openpty()
    program = subprocess.Popen(
        [*PROGRAM, str(ABP)],
        env={**os.environ, "TERM": "dumb", "INPUTRC": os.devnull},
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
    )
    os.close(inside)
    shown = b""
    for expected, typed in [
        (b"after 0 steps", b"r1(d1\t\n"),
        (b"after 1 step", b"und\t\n"),
        (b"after 0 steps", b"nonsense\n"),
        (b"nor a command", b"\x04"),
    ]:
        for text in (expected, b"\r\n> "):  # what is typed before the prompt is not edited
            while text not in shown:
                shown += os.read(terminal, 4096)
            shown = shown.partition(text)[2]
        os.write(terminal, typed)
    with suppress(OSError):  # the terminal is gone when the program has ended
        while os.read(terminal, 4096):
            pass
    os.close(terminal)
    assert program.wait() == 0

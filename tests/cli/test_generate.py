"""`ltstool generate`: files and no files, limits, searches, interrupts, progress."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import aut_format
from programs import PATIENCE

CASES = Path(__file__).parents[2] / "cases"
PETERSON = CASES / "peterson.mcrl"
PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
DEAD = "sort Bool func T,F:->Bool act a,b,c proc X = a.(b.delta+c.X) init X"


def ltstool(*arguments, stdin=b""):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, check=False
    )


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_pipe_and_file_output_are_equal(tmp_path):
    out = tmp_path / "out.aut"
    case = [PETERSON, "--set", "N=3"]
    assert ltstool("generate", *case, "-o", out, "--threads", 2).returncode == 0
    piped = ltstool("generate", *case)
    assert piped.stdout.startswith(b"des (0,1500,668)\n")
    assert out.read_bytes().split(b"\n")[1:] == piped.stdout.split(b"\n")[1:]
    assert aut_format.read(out).transition_count == 1500
    assert names(tmp_path) == ["out.aut"]


@pytest.mark.parametrize(
    "limit", [["--max-states", "5000"], ["--timeout", "1"], ["--max-memory", "40M"]]
)
@pytest.mark.parametrize("partial", [False, True])
def test_limit_gives_statistics_and_a_file_only_with_partial(tmp_path, limit, partial):
    out = tmp_path / "out.aut"
    options = ["--partial"] if partial else []
    case = [PETERSON, "--set", "N=7", "-o", out, "--json"]
    stopped = ltstool("generate", *case, *limit, *options)
    assert stopped.returncode == 3
    statistics = json.loads(stopped.stdout)
    found = statistics["found"]
    assert set(found) == {"states", "transitions", "levels", "deadlocks"}
    # On a busy machine the time may be over before anything was explored.
    begun = b"before anything was explored" not in stopped.stderr
    assert begun == (found["states"] > 0)
    assert not begun or str(found["states"]) in stopped.stderr.decode()
    if not partial:
        assert names(tmp_path) == []
        return
    assert ltstool("info", out).returncode == 2
    assert b"(0,?,?)" in out.read_bytes().partition(b"\n")[0]
    system = aut_format.read(out, salvage=True)
    assert system.transition_count == found["transitions"]
    assert system.state_count <= max(found["states"], 1)


def test_traces_are_printed_and_replay(tmp_path):
    trace = tmp_path / "in.trace"
    found = ltstool("generate", PETERSON, "--find", "criticalin(p2)", "--trace", trace)
    assert found.returncode == 0
    assert found.stdout.splitlines()[0] == b"criticalin(p2), 5 steps"
    assert found.stdout.splitlines()[-1] == b"  criticalin(p2)"
    replayed = ltstool("simulate", PETERSON, "--replay", trace)
    assert b"after 5 steps" in replayed.stdout


def test_several_traces_are_numbered_and_the_file_is_written(tmp_path):
    out, trace = tmp_path / "out.aut", tmp_path / "x.trace"
    case = [PETERSON, "-o", out, "--find", "critical*", "--traces", "all", "--trace", trace]
    found = ltstool("generate", *case, "--json")
    assert found.returncode == 0
    statistics = json.loads(found.stdout)
    last = [steps["steps"][-1][0] for steps in statistics["traces"]]
    assert sorted(last) == [f"critical{way}(p{i})" for way in ("in", "out") for i in (1, 2)]
    assert statistics["complete"]
    assert names(tmp_path) == ["out.aut", "x.1.trace", "x.2.trace", "x.3.trace", "x.4.trace"]
    assert (statistics["states"], statistics["transitions"]) == (42, 72)


def test_early_search_result_writes_no_file(tmp_path):
    out = tmp_path / "out.aut"
    found = ltstool("generate", PETERSON, "-o", out, "--find", "criticalin")
    assert found.returncode == 0
    assert b"not written" in found.stderr
    assert names(tmp_path) == []


def test_deadlock_search_sets_the_exit_code():
    found = ltstool("generate", "-", "--deadlocks", stdin=DEAD.encode())
    assert found.returncode == 0
    assert found.stdout == b"deadlock after 2 steps\n  a\n  b\n"
    none = ltstool("generate", PETERSON, "--deadlocks")
    assert none.returncode == 1
    assert none.stdout == b"none found\n"


MULTIPLE = "act a, b: Nat; c; proc P = a(1)|b(2)|c . c|b(1) . c . P; init P;"


@pytest.mark.parametrize(
    ("label", "steps"),
    [
        ("c", ["a(1)|b(2)|c", "b(1)|c", "c"]),
        ("c | b( 1 )", ["a(1)|b(2)|c", "b(1)|c"]),
        ("c|b(2)|a(1)", ["a(1)|b(2)|c"]),
        ("a(1)", None),
        ("a|b|c", None),
        ("b|c", None),
        ("c|c", None),
        ("b(2)|c", None),
    ],
)
def test_multi_action_search_is_exact(label, steps):
    stdin = MULTIPLE.encode()
    found = ltstool("generate", "-", "--multiaction", label, "--json", stdin=stdin)
    traces = json.loads(found.stdout)["traces"]
    assert [[one[0] for one in trace["steps"]] for trace in traces] == ([steps] if steps else [])
    assert found.returncode == (0 if steps else 1)


def test_several_searches_in_one_run():
    words = ["--find", "a(1)", "--multiaction", "c", "--multiaction", "c|b(1)", "--traces", "all"]
    found = ltstool("generate", "-", *words, stdin=MULTIPLE.encode())
    assert [line for line in found.stdout.splitlines() if line[:1] != b" "] == [
        b"a(1)|b(2)|c, 1 step", b"b(1)|c, 2 steps", b"c, 3 steps",
    ]  # fmt: skip


DIVERGENT = (
    "act a, b, h; proc P = a . Q; Q = h . R + b . P; R = h . Q + b . S; S = h . S;"
    "init hide({h}, P);"
)


def test_divergence_traces_include_one_cycle(tmp_path):
    spec, trace, out = tmp_path / "x.mcrl2", tmp_path / "t.trace", tmp_path / "x.aut"
    spec.write_text(DIVERGENT, encoding="utf-8")
    found = ltstool("generate", spec, "--divergence", "--trace", trace, "-o", out)
    first = b"divergence after 1 step: a cycle of 2 internal steps"
    assert found.stdout.splitlines() == [first, b"  a", b"  tau", b"  tau"]
    assert found.returncode == 0
    assert b"3 steps replayed" in ltstool("simulate", spec, "--replay", trace).stdout
    assert ltstool("compare", spec, out, "-e", "strong").returncode == 0
    several = ltstool("generate", spec, "--divergence", "--traces", "all", "--json")
    traces = json.loads(several.stdout)["traces"]
    assert [(trace["cycle"], len(trace["steps"])) for trace in traces] == [(2, 3), (1, 4)]
    # Whatever is hidden is internal; the trace has its labels.
    hidden = ltstool("generate", spec, "--divergence", "--hide", "a,b")
    assert hidden.stdout.splitlines()[0] == b"divergence after 0 steps: a cycle of 2 internal steps"
    assert hidden.stdout.splitlines()[1:] == [b"  a", b"  b"]


def test_divergences_before_a_limit_are_reported():
    words = ["--divergence", "--max-states", "3"]
    found = ltstool("generate", "-", *words, stdin=DIVERGENT.encode())
    assert found.returncode == 3
    assert found.stdout.startswith(b"divergence after 1 step")
    none = ltstool("generate", PETERSON, "--divergence")
    assert (none.returncode, none.stdout) == (1, b"none found\n")
    both = ["--divergence", "--deadlocks", "--traces", "all"]
    text = DIVERGENT.replace("S = h . S", "S = h . delta").encode()
    firsts = ltstool("generate", "-", *both, stdin=text).stdout.splitlines()
    assert [line.split()[0] for line in firsts if line[:1] != b" "] == [b"deadlock", b"divergence"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--json"], b"name a file with -o FILE"),
        (["--deadlocks", "-o", "-"], b"name a file with -o FILE"),
        (["--trace", "x"], b"add --deadlocks, --divergence, --find or --multiaction"),
        (["--multiaction", "absent|p"], b"no action `absent`"),
        (["--divergence", "-o", "x.parts"], b"use `ltstool check FILE livelock-free`"),
        (["--divergence", "--partial", "-o", "x.aut"], b"--divergence looks at all states"),
        (["--divergence", "--symmetry", "auto"], b"--divergence looks at all states"),
        (["--divergence", "--reduce", "weak"], b"needs the states of the whole system"),
        (["--find", "absent"], b"no action `absent`"),
        (["--max-memory", "much"], b"such as 500M"),
        (["--timeout", "-1"], b"a time, more than 0"),
        (["--threads", "0"], b"at least 1"),
        (["--traces", "0"], b"at least 1"),
    ],
)
def test_wrong_use_is_refused(arguments, message):
    refused = ltstool("generate", PETERSON, *arguments)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert (b"error" if "--json" in arguments else b"") in refused.stdout
    assert b"des" not in refused.stdout


def test_statistics_report_memory_by_purpose(tmp_path):
    out = tmp_path / "out.aut"
    done = ltstool("generate", PETERSON, "--set", "N=4", "-o", out, "--verbose")
    assert b"state store" in done.stderr
    assert b"step tables" in done.stderr
    statistics = json.loads(
        ltstool("generate", PETERSON, "--set", "N=4", "-o", out, "--json").stdout
    )
    assert statistics["store"] > 8 * statistics["states"]
    assert statistics["tables"] > 0
    assert statistics["complete"]


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt_reports_counts_and_leaves_no_file(tmp_path, threads):
    out = tmp_path / "out.aut"
    command = ["generate", PETERSON, "--set", "N=7", "-o", out, "--threads", threads]
    running = subprocess.Popen(
        [*PROGRAM, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        # It is at work as soon as some of the file is there, under its other name.
        parts = list(tmp_path.iterdir())
        if parts and parts[0].stat().st_size > 1 << 20:
            break
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    printed, messages = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert printed == b""
    assert b"interrupted; " in messages
    assert b"states and " in messages
    assert b"Traceback" not in messages
    assert names(tmp_path) == []


SYMMETRIC = ["--symmetry", CASES / "peterson.sym", "--deadlocks"]


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize(("wide", "word"), [([], b"level"), (SYMMETRIC, b"orbits/s")])
def test_progress_is_shown_on_a_terminal_only(tmp_path, quiet, wide, word):
    output = wide or ["-o", tmp_path / "o"]
    command = ["generate", PETERSON, "--set", "N=7", *output]
    # A machine may be so busy that in two seconds nothing is explored, or not for long enough.
    for seconds in (2, 10, 50):
        messages = on_a_terminal([*command, *(["-q"] if quiet else []), "--timeout", seconds])
        explored = found = messages.rstrip().endswith(b"were found")
        if word in messages or (quiet and found and explored):
            break
    assert found
    assert (word in messages) != quiet


def on_a_terminal(command):
    """Return what a command that a limit ends tells a terminal."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [*PROGRAM, *map(str, command)], stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    messages = b""
    while True:
        try:
            block = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not block:
            break
        messages += block
    running.communicate()
    os.close(ours)
    assert running.returncode == 3
    return messages


RESET = """%@ include Nat
act a: Nat b
proc X(s: Nat, n: Nat) = sum(m: Nat, a(m).X(1,m) <| and(eq(s,0),lt(m,3)) |> delta)
  + a(n).X(2,n) <| eq(s,1) |> delta + b.X(0,n) <| eq(s,2) |> delta
init X(0,0)
"""


def test_reset_values_cause_a_remark(tmp_path):
    """One equation resets `n`, whose value the text keeps: states for s = 0, 1 and 2 are 3 each in
    the text, and 1, 3 and 1 without the values that nothing reads."""
    file = tmp_path / "x.mcrl"
    file.write_text(RESET)
    note = b"note: the values of `n` are reset where nothing reads them: other tools may count more"
    for command, counted, options in (
        ("generate", b"des (0,7,5)", []),
        ("generate", b"des (0,15,9)", ["--no-simplify", "dead"]),
        ("info", b"states         5\n", []),
        ("info", b"states         9\n", ["--no-simplify", "dead"]),
    ):
        found = ltstool(command, file, *options)
        assert found.stdout.startswith(counted)
        assert found.stderr.count(note) == (not options)
        assert ltstool(command, file, *options, "-q").stderr == b""
    for command, *options in (
        ("generate", "--deadlocks"),
        ("check", "[true*]<true>true"),
        ("minimise", "-e", "weak"),
    ):
        assert note not in ltstool(command, file, *options).stderr
    # Nothing is reset where a process has no data.
    file.write_text(DEAD)
    assert ltstool("generate", file).stderr == b""


def test_simplifications_can_be_left_out():
    text = b"sort Bool func T,F:->Bool map not:Bool->Bool rew not(T)=F not(F)=T act a "
    text += b"proc X(x:Bool)=a.X(not(x)) init X(T)"
    assert ltstool("generate", "-", stdin=text).stdout.startswith(b"des (0,1,1)")
    for kinds in ("all", "dead,unused"):
        plain = ltstool("generate", "--no-simplify", kinds, "-", stdin=text)
        assert plain.stdout.startswith(b"des (0,2,2)"), plain.stderr
    wrong = ltstool("generate", "-", "--no-simplify", "most", stdin=text)
    assert wrong.returncode == 2
    assert b"unknown simplification `most`" in wrong.stderr

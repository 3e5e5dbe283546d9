"""`ltstool info`: the facts, for readers and for programs."""

import io
import json
import subprocess
import sys

import pytest

from ltstool.main import main

# State 3 is not reachable, and neither is its nondeterminism; 2 is a deadlock, 4 only reaches 1.
TEXT = """\
des (4,7,6)
(4,"i",1)
(1,"i",1)
(1,"a(1)",2)
(1,"a(1)",2)
(1,"a(1)",4)
(3,"b",1)
(3,"b",2)
"""

SHOWN = """\
states         6
  unreachable  3
  initial      4
transitions    7
  duplicates   1
labels         3
  internal     i
deadlocks      1 (state 2)
components     2 (states: 2, 1)
  with cycles  1 (states: 2)
  terminal     1 (states: 1)
  tau cycles   1 (states: 1)
deterministic  no (in 1 of the states)
on tau cycles  1
divergent      2

shortest traces to deadlocks
  2: i a(1)
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.aut"
    path.write_text(TEXT)
    return str(path)


def info(capsys, *arguments):
    code = main(["info", *arguments])
    out, err = capsys.readouterr()
    # These systems have an `i`, which is remarked on every time.
    remarks = [line for line in err.splitlines(True) if "is read as internal" not in line]
    return code, out, "".join(remarks)


def test_text_output(capsys, file):
    assert info(capsys, file) == (0, SHOWN, "")


def test_json_output(capsys, file):
    code, out, err = info(capsys, file, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "states": 6,
        "unreachable_states": 3,
        "initial": 4,
        "transitions": 7,
        "duplicate_transitions": 1,
        "labels": 3,
        "internal": ["i"],
        "deadlocks": 1,
        "nearest_deadlocks": [{"state": 2, "trace": ["i", "a(1)"]}],
        "components": [[2, 1], [1, 1]],
        "cyclic_components": [[2, 1]],
        "terminal_components": [[1, 1]],
        "tau_components": [[1, 1]],
        "deterministic": False,
        "nondeterministic_states": 1,
        "tau_cycle_states": 1,
        "divergent_states": 2,
    }


def test_labels_with_their_frequencies(capsys, file):
    assert info(capsys, file, "--labels")[1] == SHOWN + "\n3  a(1)\n2  b\n2  i\n"
    facts = json.loads(info(capsys, file, "--labels", "--json")[1])
    assert list(facts["label_counts"].items()) == [("a(1)", 3), ("b", 2), ("i", 2)]


def test_tau_option_sets_the_internal_label(capsys, file):
    facts = json.loads(info(capsys, file, "--json", "--tau", "a(1), i")[1])
    assert facts["internal"] == ["i", "a(1)"]
    assert facts["tau_cycle_states"] == 2
    facts = json.loads(info(capsys, file, "--json", "--tau", "")[1])
    assert (facts["internal"], facts["tau_cycle_states"]) == ([], 0)


def test_a_label_that_is_not_there_is_remarked_on(capsys, file):
    code, out, err = info(capsys, file, "--tau", "i,zz")
    assert (code, out) == (0, SHOWN)
    assert err == "ltstool: warning: --tau: no label is `zz`\n"
    assert info(capsys, file, "--tau", "i,zz", "-q") == (0, SHOWN, "")


def test_many_deadlocks(capsys, tmp_path):
    path = tmp_path / "a.aut"
    path.write_text("des (0,7,8)\n" + "".join(f"(0,a{i},{i})\n" for i in range(1, 8)))
    out = info(capsys, str(path))[1]
    assert "deadlocks      7 (states 1, 2, 3, 4, 5, ...)\n" in out
    assert "components     8 (states: 8 of 1)\n" in out
    assert "deterministic  yes\n" in out
    assert "  internal     none\n" in out
    assert out.endswith("\n  5: a5\n")
    assert info(capsys, str(path), "--traces", "all")[1].endswith("\n  6: a6\n  7: a7\n")
    facts = json.loads(info(capsys, str(path), "--json", "--traces", "1")[1])
    assert (facts["deadlocks"], facts["nearest_deadlocks"]) == (7, [{"state": 1, "trace": ["a1"]}])


def test_long_traces_are_shortened_except_in_files(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    path, out = tmp_path / "a.aut", tmp_path / "dead.trace"
    rows = "".join(f'({i},"a b",{i + 1})\n' for i in range(30))
    path.write_text(f"des (0,30,31)\n{rows}")
    code, shown, _ = info(capsys, str(path), "--trace", str(out))
    assert (code, shown.splitlines()[-1]) == (0, "  30: " + '"a b" ' * 20 + "... (and 10 more)")
    assert out.read_text() == "%trace 1\n" + "1 a b\n" * 30
    assert main(["simulate", str(path), "--replay", str(out)]) == 0


def test_deadlock_freedom_gives_no_trace(capsys, tmp_path):
    path, out = tmp_path / "a.aut", tmp_path / "dead.trace"
    path.write_text("des (0,1,1)\n(0,a,0)\n")
    code, _, err = info(capsys, str(path), "--trace", str(out))
    assert (code, err) == (0, f"ltstool: note: there is no deadlock, so {out} is not written\n")
    assert not out.exists()


def test_single_state_without_transitions(capsys, tmp_path):
    path = tmp_path / "a.aut"
    path.write_text("des (0,0,1)")
    facts = json.loads(info(capsys, str(path), "--json", "--labels")[1])
    assert facts == {
        **dict.fromkeys(facts, 0),
        "states": 1,
        "internal": [],
        "deadlocks": 1,
        "nearest_deadlocks": [{"state": 0, "trace": []}],
        "components": [[1, 1]],
        "terminal_components": [[1, 1]],
        "cyclic_components": [],
        "tau_components": [],
        "deterministic": True,
        "label_counts": {},
    }


def test_wrong_input(capsys, tmp_path):
    path = tmp_path / "a.aut"
    assert info(capsys, str(path)) == (
        2,
        "",
        f"ltstool: error: {path}: No such file or directory\n",
    )
    path.write_text("des (0,1,2)\n(0,a,2)\n")
    code, out, err = info(capsys, str(path))
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        f"ltstool: error: {path}:2:6: state 2 is out of range: the header says 2 states, "
        "numbered from 0",
        "  (0,a,2)",
        "       ^",
    ]


def test_an_unfinished_file(capsys, tmp_path):
    path = tmp_path / "a.aut"
    path.write_text("des (0,?,?)\n(0,a,1)\n(1,a")
    code, _, err = info(capsys, str(path))
    assert code == 2
    assert err.startswith(f"ltstool: error: {path}:1:8: the file is unfinished")
    facts = json.loads(info(capsys, str(path), "--salvage", "--json")[1])
    assert (facts["states"], facts["transitions"]) == (2, 1)
    # The last state may have transitions that were not written.
    assert (facts["deadlocks"], facts["nearest_deadlocks"]) == (None, [])
    assert facts["without_transitions"] == 1
    code, out, err = info(capsys, str(path), "--salvage", "--trace", str(tmp_path / "t"))
    assert "deadlocks      unknown (states without transitions in this file: 1)" in out
    assert "none is known to be a deadlock" in err
    on_orbits = info(capsys, str(path), "--salvage", "--symmetry", "()")[1]
    assert "deadlocks      unknown" in on_orbits


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input_and_labels_that_are_no_text(arguments):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from ltstool.__main__ import run; run()",
            "info",
            "--labels",
            *arguments,
        ],
        input=b'des (0,1,2)\n(0,"a\xff\xe2\x88\x80",1)\n',
        capture_output=True,
        check=True,
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert done.stdout.endswith(b"\n1  a\xff\xe2\x88\x80\n")
    assert done.stderr == b""

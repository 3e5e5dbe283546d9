"""`ltstool convert`: the same LTS as another text."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import aut_format
from lts import LTS
from lts.symmetry import parse_permutation, reduce, write_reduction
from ltstool.main import main

CASES = Path(__file__).parents[2] / "cases"
LOOSE = b'des(1, 3 ,3)\r\n(0 , send(1,"x"), 2)\r\n(0,"tau",1)\r\n\r\n(0,"tau",1)'
NORMAL = b'des (1,3,3)\n(0,"send(1,"x")",2)\n(0,"tau",1)\n(0,"tau",1)\n'
DOT = """\
digraph {
  rankdir=LR
  node [shape=circle]
  start [shape=point, label=""]
  start -> 1
  0
  1
  2
  0 -> 2 [label="send(1,\\"x\\")"]
  0 -> 1 [label="tau", style=dotted]
}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "in.aut"
    path.write_bytes(LOOSE)
    return str(path)


def convert(*arguments, data=b""):
    command = [
        sys.executable,
        "-c",
        "from ltstool.__main__ import run; run()",
        "convert",
        *arguments,
    ]
    done = subprocess.run(command, input=data, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def test_order_and_duplicates_are_preserved(tmp_path, file):
    assert convert(file) == (0, NORMAL, "")
    assert convert(data=LOOSE) == (0, NORMAL, "")
    assert convert("-", "-", data=LOOSE) == (0, NORMAL, "")
    assert convert("-", "-o", "-", data=LOOSE) == (0, NORMAL, "")
    for arguments in ([file, str(tmp_path / "a.aut")], [file, "-o", str(tmp_path / "b.aut")]):
        assert main(["convert", *arguments]) == 0
        assert (tmp_path / arguments[-1]).read_bytes() == NORMAL


@pytest.mark.parametrize(
    ("name", "to", "dot"),
    [
        ("a.dot", [], True),
        ("a.GV", [], True),
        ("a", [], False),
        ("a.txt", ["--to", "aut"], False),
        ("a.txt", ["--to", "dot"], True),
        ("a.dot", ["--to", "aut"], False),
    ],
)
def test_formats(tmp_path, file, name, to, dot):
    path = tmp_path / name
    assert main(["convert", file, str(path), *to]) == 0
    assert path.read_bytes() == (DOT.encode() if dot else NORMAL)


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "FILE", "x.bcg"],
        ["convert", "FILE", "-o", "x.txt"],
        ["draw", "FILE", "-o", "x.jpg"],
        ["minimise", "FILE", "-e", "strong", "-o", "x.svg"],
        ["generate", str(CASES / "abp.mcrl"), "-o", "x.bcg"],
        ["reduce", str(CASES / "abp.mcrl"), "--symmetry", "(d1 d2)", "-o", "x.lts"],
    ],
)
def test_a_format_that_is_not_written_is_refused(tmp_path, monkeypatch, capsys, file, words):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert main([file if word == "FILE" else word for word in words]) == 2
    assert f"`{words[-1]}`" in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [
        ["generate", "s.mcrl", "-o", "s.mcrl"],
        ["linearise", "s.mcrl", "-o", "./s.mcrl"],
        ["minimise", "FILE", "-e", "strong", "-o", "link.aut"],
        ["minimise", "FILE", "-e", "strong", "-o", "x.aut", "--classes", "FILE"],
        ["compare", "FILE", "FILE", "-e", "strong", "--evidence", "FILE"],
        ["reduce", "FILE", "--symmetry", "x.aut.sym", "-o", "x.aut"],
        ["draw", "FILE", "-o", "FILE", "--to", "svg"],
        ["convert", "FILE", "FILE"],
        ["convert", "FILE", "-o", "link.aut"],
        ["convert", "FILE", "hard.aut"],
        ["linearise", "with.mcrl", "-o", "s.mcrl"],
        ["linearise", "with.mcrl", "-o", "hard.mcrl"],
        ["generate", "with.mcrl", "-o", "part.aut"],
        ["generate", "with.mcrl", "-o", "x.aut", "--symmetry", "part.aut", "--trace", "part.aut"],
        ["check", "FILE", "@f.mcf", "--evidence", "f.mcf"],
        ["expand", "y.aut", "-o", "y.aut.sym"],
    ],
)
def test_inputs_are_not_overwritten(tmp_path, monkeypatch, capsys, file, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.mcrl").write_bytes((CASES / "abp.mcrl").read_bytes())
    (tmp_path / "x.aut.sym").write_text("(a b)")
    (tmp_path / "link.aut").symlink_to(file)
    (tmp_path / "hard.aut").hardlink_to(file)
    (tmp_path / "with.mcrl").write_text('%@ include "s.mcrl"\n')
    (tmp_path / "hard.mcrl").hardlink_to(tmp_path / "s.mcrl")
    (tmp_path / "part.aut").symlink_to("s.mcrl")
    (tmp_path / "f.mcf").write_text("true")
    reduced = reduce(LTS.from_transitions([(0, "a", 0), (0, "b", 0)]), parse_permutation("(a b)"))
    write_reduction(reduced.encoding, reduced.symmetry, tmp_path / "y.aut")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert main([file if word == "FILE" else word for word in words]) == 2
    assert "is an input file: choose another name" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_simulate_does_not_overwrite_its_input(tmp_path, file, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"save {file}\nquit\n"))
    before = Path(file).read_bytes()
    assert main(["simulate", file]) == 2
    assert Path(file).read_bytes() == before


def test_hard_links_of_the_output_give_a_remark(tmp_path, capsys, file):
    one, other = tmp_path / "one.aut", tmp_path / "other.aut"
    one.write_text("old")
    os.link(one, other)
    assert main(["convert", file, str(one), "-q"]) == 0
    os.link(one, tmp_path / "third.aut")
    assert capsys.readouterr().err == ""
    assert main(["convert", file, str(one)]) == 0
    assert "has other names (hard links), which keep the old content" in capsys.readouterr().err
    assert other.read_text() == "old"


def test_labels_are_escaped_in_dot():
    text = b'des (0,1,1)\n(0,"\\n"\xff\\",0)\n'
    code, out, _ = convert("--to", "dot", data=text)
    assert code == 0
    assert b'  0 -> 0 [label="\\\\n\\"\xff\\\\"]\n' in out


def test_hiding(capfd, file):
    assert main(["convert", file, "--hide", "send"]) == 0
    hidden = NORMAL.replace(b'send(1,"x")', b"tau").decode()
    assert capfd.readouterr() == (hidden, "")
    assert main(["convert", file, "--hide", 'send(1,"x"), zz', "--hide", "y"]) == 0
    assert capfd.readouterr() == (
        hidden,
        "ltstool: warning: nothing to hide: no action or label is zz, y\n",
    )
    assert main(["convert", file, "--hide", "zz", "-q"]) == 0
    assert capfd.readouterr() == (NORMAL.decode(), "")
    assert main(["convert", file, "--hide", "s??d"]) == 0
    assert capfd.readouterr() == (hidden, "")
    assert main(["convert", file, "--hide", "*(1,*),z*"]) == 0
    assert capfd.readouterr() == (
        hidden,
        "ltstool: warning: nothing to hide: no action or label is z*\n",
    )


CYCLE = b"""des (1,6,5)
(1,"tau",2)
(2,"tau",1)
(2,"a",3)
(2,"a",3)
(3,"tau",3)
(0,"b",1)
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--reachable"], [(0, "tau", 1), (1, "tau", 0), *[(1, "a", 2)] * 2, (2, "tau", 2)]),
        (["--reachable", "--tau-cycles", "merge"], [(0, "a", 1)] * 2),
        (
            ["--reachable", "--tau-cycles", "loop"],
            [(0, "tau", 0), *[(0, "a", 1)] * 2, (1, "tau", 1)],
        ),
        (["--tau-cycles", "merge"], [*[(1, "a", 2)] * 2, (0, "b", 1)]),
    ],
)
def test_steps_of_minimisation(options, expected):
    code, out, err = convert(*options, data=CYCLE)
    assert (code, err) == (0, "")
    assert sorted(aut_format.loads(out.decode()).transitions()) == sorted(expected)


def test_hiding_beside_a_visible_tau(capfd, file):
    assert main(["convert", file, "--hide", "send", "--tau", ""]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err == "ltstool: error: hidden actions become `tau`, which is a visible label here\n"
    assert main(["convert", file, "--hide", "tau", "--tau", 'send(1,"x")']) == 0
    assert capfd.readouterr().out == NORMAL.replace(b'send(1,"x")', b"tau").decode()


def test_sizes_as_json(capfd, tmp_path, file):
    assert main(["convert", file, str(tmp_path / "out.aut"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"states": 3, "transitions": 3}
    assert main(["convert", file, "--json"]) == 2
    out, err = capfd.readouterr()
    assert list(json.loads(out)) == ["error"]
    assert err.startswith("ltstool: error: --json and the result would both go to standard output")


def test_salvage(capfd, tmp_path):
    path, out = tmp_path / "in.aut", tmp_path / "out.aut"
    path.write_text("des (0,?,?)\n(0,a,1)\n(0,")
    assert main(["convert", str(path), str(out)]) == 2
    assert not out.exists()
    assert main(["convert", str(path), str(out), "--salvage"]) == 0
    assert out.read_text() == 'des (0,1,2)\n(0,"a",1)\n'


def test_wrong_use(capfd, file):
    assert main(["convert", file, "a", "-o", "b"]) == 2
    assert capfd.readouterr().err == "ltstool: error: OUT is given twice\n"
    assert main(["convert", file, "/nowhere/a.aut"]) == 2
    assert capfd.readouterr().err == "ltstool: error: /nowhere/a.aut: No such file or directory\n"


def test_closed_output_pipe_is_no_error(tmp_path):
    path = tmp_path / "large.aut"
    path.write_text("des (0,50000,1)\n" + '(0,"a label of some length",0)\n' * 50000)
    command = [
        sys.executable,
        "-c",
        "from ltstool.__main__ import run; run()",
        "convert",
        str(path),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals and pipes")
def test_interrupt_leaves_no_output_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = ["convert", str(pipe), str(tmp_path / "out.aut")]
    command = [sys.executable, "-m", "ltstool", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        with pipe.open("wb") as file:  # opens when the program opens it
            file.write(b"des (0,1,2)\n")
            file.flush()
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 130
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == [pipe]

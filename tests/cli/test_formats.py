"""Commands read and write all formats, by the end of the name."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from lts import read, write
from lts.system.lts import LTS
from ltstool.main import main
from programs import outcome

CASES = Path(__file__).parents[2] / "cases"
ENDS = (".aut", ".aut.gz", ".aut.zst", ".fsm", ".fsm.gz", ".dot", ".gv.zst", ".parquet")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    system = LTS.from_transitions([(0, "a(1)", 1), (0, "a(2)", 2), (1, "b", 0), (2, "b", 0)])
    for end in ENDS:
        write(system, tmp_path / f"x{end}")
    return tmp_path


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "words",
    [
        ["info", "FILE"],
        ["minimise", "FILE", "-e", "strong", "-o", "OUT"],
        ["compare", "FILE", "x.aut", "-e", "strong"],
        ["check", "FILE", "deadlock-free"],
        ["convert", "FILE", "OUT"],
        ["draw", "FILE", "-o", "p.svg"],
        ["find-symmetry", "FILE"],
        ["check-symmetry", "FILE", "--permute", "(1 2)"],
        ["reduce", "FILE", "--permute", "(1 2)", "-o", "r.aut"],
        ["simulate", "FILE", "--json"],
    ],
)
def test_every_command_reads_every_format(end, words, folder, capfd, monkeypatch):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    names = {"FILE": f"x{end}", "OUT": f"out{end}"}
    assert main([names.get(word, word) for word in words]) == 0, capfd.readouterr().err
    if "OUT" in words:
        assert read(f"out{end}").state_count in (2, 3)


@pytest.mark.parametrize("end", ENDS)
def test_generation_into_every_format(end, folder):
    spec = str(CASES / "abp.mcrl")
    assert main(["generate", spec, "-o", "whole.aut"]) == 0
    assert main(["generate", spec, "-o", f"out{end}"]) == 0
    assert read(f"out{end}") == read("whole.aut")
    hidden = ["--hide", "c2,c3"]
    assert main(["generate", spec, "-o", "hidden.aut", *hidden]) == 0
    assert main(["generate", spec, "-o", f"hidden{end}", *hidden]) == 0
    assert read(f"hidden{end}") == read("hidden.aut")


def test_a_search_or_a_limit_leaves_no_file(folder, capfd):
    spec = str(CASES / "abp.mcrl")
    for end in (".aut.gz", ".fsm", ".parquet"):
        out = f"limited{end}"
        assert main(["generate", spec, "-o", out, "--max-states", "5"]) == 3
        assert not Path(out).exists()
        assert main(["generate", spec, "-o", out, "--find", "s4*", "-q"]) == 0
        assert not Path(out).exists()
    assert main(["generate", spec, "-o", "x.fsm", "--partial"]) == 2
    assert "--partial applies only to .aut files" in capfd.readouterr().err
    assert main(["generate", spec, "-o", "p.aut.gz", "--max-states", "5", "--partial"]) == 3
    assert gzip.decompress(Path("p.aut.gz").read_bytes()).startswith(b"des (0,?,?)")
    assert main(["info", "p.aut.gz", "--salvage"]) == 0


def test_reductions_may_be_packed(folder, capfd):
    for end in (".aut.gz", ".aut.zst"):
        assert main(["reduce", "x.aut", "--permute", "(1 2)", "-o", f"r{end}"]) == 0
        assert main(["expand", f"r{end}", "-o", f"e{end}"]) == 0
        assert main(["compare", f"e{end}", "x.fsm", "-e", "strong"]) == 0
        assert main(["compare", f"r{end}", "x.aut", "-e", "strong"]) == 0
    capfd.readouterr()
    for end in (".fsm", ".parquet", ".dot"):
        assert main(["reduce", "x.aut", "--permute", "(1 2)", "-o", f"r{end}"]) == 2
        assert "its name must end in .aut or .parts" in capfd.readouterr().err
        assert not Path(f"r{end}").exists()
        assert not Path(f"r{end}.sym").exists()


def test_an_unknown_format_is_refused_before_the_work(folder, capfd):
    for words in (["info", "x.bcg"], ["minimise", "x.aut", "-e", "weak", "-o", "y.bcg"]):
        assert main(words) == 2
        said = capfd.readouterr().err
        assert "BCG files are read only by CADP: `bcg_io" in said
    assert main(["info", "x.xyz"]) == 2
    said = capfd.readouterr().err
    assert "unknown format `.xyz`; the formats are .aut, .fsm, .lts, .dot, .gv, .parquet" in said
    assert main(["info", "x.fsm", "--salvage"]) == 2
    assert "--salvage applies only to .aut files" in capfd.readouterr().err


def test_packed_standard_input(folder):
    for end in (".gz", ".zst"):
        done = subprocess.run(
            [sys.executable, "-m", "ltstool", "info", "--json"],
            input=Path(f"x.aut{end}").read_bytes(),
            capture_output=True,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b'"states": 3' in done.stdout


def test_damaged_file_gives_one_error(folder, capfd):
    data = Path("x.aut.zst").read_bytes()
    Path("x.aut.zst").write_bytes(data[:-5])
    assert main(["convert", "x.aut.zst", "y.aut"]) == 2
    said = capfd.readouterr().err
    assert said.startswith("ltstool: error: x.aut.zst: the Zstandard data are damaged: ")
    assert said.count("\n") == 1
    assert not Path("y.aut").exists()


def test_remarks_of_formats_are_silent_with_q(folder, capfd):
    Path("v.fsm").write_text('a(1) B "x"\n---\n0\n---\n1 1 "a"\n')
    assert main(["info", "v.fsm", "--json"]) == 0
    said = capfd.readouterr().err
    assert said == "ltstool: warning: v.fsm: the values of 1 state parameters are left out\n"
    assert main(["info", "v.fsm", "--json", "-q"]) == 0
    assert capfd.readouterr().err == ""


def test_networks_of_any_format(folder):
    Path("n.exp").write_text('"x.fsm" |[b]| "x.aut.gz"')
    assert main(["compose", "n.exp", "-o", "n.parquet"]) == 0
    assert read("n.parquet").state_count > 3


FSM = b'---\n---\n1 2 "a"\n2 1 "b"\n'


def test_from_option_sets_the_format_of_a_pipe(tmp_path):
    (tmp_path / "x").write_bytes(FSM)
    with open(tmp_path / "x", "rb") as text:
        done = outcome("info", "--from", "fsm", "--json", cwd=tmp_path, stdin=text)
    assert done[0] == 0
    assert json.loads(done[1])["states"] == 2
    with open(tmp_path / "x", "rb") as text:
        assert outcome("info", "-q", cwd=tmp_path, stdin=text)[0] == 2


def test_from_option_sets_the_format_of_a_file(tmp_path):
    (tmp_path / "a.txt").write_bytes(FSM)
    (tmp_path / "b.aut").write_bytes(b'des (0,2,2)\n(0,"a",1)\n(1,"b",0)\n')
    for words in (
        ("convert", "a.txt", "a.aut"),
        ("minimise", "a.txt", "-e", "strong", "-o", "a.aut"),
        ("rename", "a.txt", "a=c", "-o", "c.aut"),
        ("check", "a.txt", "deadlock-free"),
        ("draw", "a.txt", "-o", "a.svg"),
        ("find-symmetry", "a.txt"),
        ("check-symmetry", "a.txt", "--symmetry", '("a" "b")'),
    ):
        with_it = outcome(*words, "--from", "fsm", cwd=tmp_path)
        assert with_it[0] in (0, 1), words
        code, _, messages = outcome(*words, cwd=tmp_path)
        assert code == 2, words
        assert "unknown format `.txt`" in messages
    # What is compared is all in one format.
    words = ("compare", "-e", "strong", "--from", "fsm")
    code, _, messages = outcome(*words, "a.txt", "b.aut", cwd=tmp_path)
    assert code == 2
    assert "b.aut" in messages
    assert outcome(*words, "a.txt", "a.txt", cwd=tmp_path) == (0, "equivalent\n", "")


def test_from_option_applies_only_to_ltss(tmp_path):
    code, _, messages = outcome("info", CASES / "abp.mcrl", "--from", "aut", cwd=tmp_path)
    assert code == 2
    assert "--from applies to an LTS" in messages
    code, _, messages = outcome("info", "--from", "json", cwd=tmp_path)
    assert code == 2
    assert "`json` is not one of aut" in messages
    assert outcome("info", "--from", "fsm", "--salvage", cwd=tmp_path)[0] == 2

"""Commands with slips, and what is said about each: `mistyped.tsv`."""

import io
import re
import shlex
from pathlib import Path

import pytest

import aut_format
from lts import LTS
from ltstool.main import main

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("mistyped.tsv").read_text("utf-8").splitlines()[1:]
]
FILES = {
    "s.mcrl2": "act a; proc P = a . P; init P;\n",
    "s.txt": "act a; proc P = a . P; init P;\n",
    "net.exp": "s.aut ||| s.aut\n",
    "wrong.exp": "s.aut |||\n",
    "wrong.mcrl2": "act a: Nat;\nproc P(n: Nat) = a(m) . P(n + 1);\ninit P(0);\n",
    "wrong.mcrl": "sort Bool\nfunc T,F:->Bool\nact a\nproc P = b.P\ninit P\n",
    "s.bcg": "x",
    "s.unknown": "x",
}


@pytest.mark.parametrize(("command", "code", "message"), ROWS, ids=lambda text: text[:60])
def test_mistyped_commands_are_answered(tmp_path, monkeypatch, capsys, command, code, message):
    monkeypatch.chdir(tmp_path)
    aut_format.write(
        LTS.from_transitions([(0, "coin", 1), (1, "tea(1)", 0), (1, "tau", 0)]), "s.aut"
    )
    for name, text in FILES.items():
        Path(name).write_text(text)
    Path("folder").mkdir()
    monkeypatch.setattr("sys.stdin", io.StringIO())
    try:
        exit_code = main(shlex.split(command))
    except SystemExit as exit:
        exit_code = exit.code
    said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("usage")]
    first = said[0].removeprefix("ltstool: ").removeprefix("error: ") if said else ""
    assert (str(exit_code), re.sub(r" \(known: .*\)", " (known: ..)", first)) == (code, message)


def test_the_table_has_a_hundred_commands():
    assert len({command for command, *_ in ROWS}) >= 100

"""`ltstool format`."""

import io
import json
import os
import sys

import pytest

from ltstool.main import main

TEXT = "act a;\n\n\n\ninit a||a ;  \n"
EXPECTED = "act a;\n\ninit a || a;\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.mcrl2"
    path.write_text(TEXT)
    return path


def standard_input(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_result_is_written_to_stdout_or_a_file(file, capsys, tmp_path):
    assert main(["format", str(file)]) == 0
    assert capsys.readouterr().out == EXPECTED
    assert main(["format", str(file), "-o", str(tmp_path / "b.mcrl2")]) == 0
    assert (tmp_path / "b.mcrl2").read_text() == EXPECTED
    assert file.read_text() == TEXT


def test_in_place(file, capsys):
    file.chmod(0o640)
    for changes in (True, False):
        assert main(["format", str(file), "--in-place", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"changed": changes}
        assert file.read_text() == EXPECTED
    assert os.stat(file).st_mode & 0o777 == 0o640


def test_the_exit_code_of_a_check(file, capsys):
    assert main(["format", "--check", str(file)]) == 1
    assert "would be changed" in capsys.readouterr().err
    assert file.read_text() == TEXT
    file.write_text(EXPECTED)
    assert main(["format", "--check", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == {"formatted": True}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("mucrl", "init X||Y", "init X || Y\n"),
        ("mcrl2", "init X||Y;", "init X || Y;\n"),
        ("mcf", "[a ]X&&Y", "[a]X && Y\n"),
        ("exp", "a|||b -- c", "a ||| b -- c\n"),
    ],
)
def test_standard_input(language, text, expected, capsys, monkeypatch):
    standard_input(monkeypatch, text)
    assert main(["format", "--language", language]) == 0
    assert capsys.readouterr().out == expected


def test_invalid_utf8_is_preserved(tmp_path):
    file = tmp_path / "a.mcrl"
    file.write_bytes(b"init X||Y % \xff\n")
    assert main(["format", "--in-place", str(file)]) == 0
    assert file.read_bytes() == b"init X || Y % \xff\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.mcrl2", "--in-place", "--check"], "--in-place has no effect with --check"),
        (["a.mcrl2", "-o", "b", "--check"], "-o has no effect with --check"),
        (["a.mcrl2", "-o", "a.mcrl2"], "is an input file"),
        (["a.txt"], "a.txt has none of the endings .mcrl, .mucrl, .mcrl2, .mcf, .exp"),
        (["-"], "standard input has none of the endings"),
        (["-", "--language", "mcrl2", "--in-place"], "--in-place needs a file"),
        (["wrong.mcrl2"], "wrong.mcrl2:1:6: `$` is not part of the language"),
        (["missing.mcrl2"], "No such file"),
    ],
)
def test_wrong_use(file, words, message, capsys, monkeypatch):
    monkeypatch.chdir(file.parent)
    file.with_name("a.txt").write_text("")
    file.with_name("wrong.mcrl2").write_text("act a$;")
    assert main(["format", *words]) == 2
    assert message in capsys.readouterr().err
    assert file.read_text() == TEXT

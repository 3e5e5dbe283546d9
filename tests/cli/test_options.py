"""Options that several commands share."""

import json
from pathlib import Path

import pytest

from ltstool.main import main
from ltstool.options.table import split_list

PHILOSOPHERS = Path(__file__).parents[2] / "cases" / "philosophers.mcrl"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("a", ["a"]),
        ("a,b", ["a", "b"]),
        (" a , b ,", ["a", "b"]),
        ("c2(d1,0),c3", ["c2(d1,0)", "c3"]),
        ("f(g(1,2),[3,4]),h", ["f(g(1,2),[3,4])", "h"]),
        ('s("a,)"),b', ['s("a,)")', "b"]),
        ("a),b", ["a)", "b"]),
    ],
)
def test_commas_in_brackets_and_quotes_do_not_split(text, parts):
    assert split_list(text) == parts


def test_debug_shows_error_origins_with_equal_exit_codes(capsys):
    for words, code in (
        (["info", "/nonexistent/a.aut"], 2),
        (["reduce", str(PHILOSOPHERS), "--set", "N=3", "--symmetry", "(p1 p2)", "--count"], 1),
    ):
        for debug in ([], ["--debug"]):
            assert main([*words, *debug]) == code
            messages = capsys.readouterr().err
            assert ("Traceback (most recent call last)" in messages) == bool(debug)
            assert "\nltstool: error: " in f"\n{messages}"


@pytest.mark.parametrize(
    "words",
    [
        ["minimise", "missing.aut", "-e", "strong"],
        ["minimise", "missing.aut", "-e", "strong", "--symmetry", "()"],
        ["minimise", "missing.parts", "-e", "strong", "--partitions", "2"],
        ["expand", "missing.aut", "--symmetry", "missing.sym"],
        ["generate", "missing.mcrl"],
        ["linearise", "missing.mcrl"],
        ["convert", "missing.aut"],
    ],
)
def test_outputs_are_checked_before_inputs(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*words, "-o", "nowhere/out.aut"]) == 2
    assert "nowhere/out.aut: No such file or directory" in capsys.readouterr().err
    if words[0] in ("minimise", "generate", "convert"):
        assert main([*words, "-o", "out.aux"]) == 2
        assert "`out.aux`" in capsys.readouterr().err


def test_json_lists_written_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    case = str(PHILOSOPHERS), "--set", "N=3", "--symmetry", "(p1 p2 p3)"
    made = []
    for words in (
        ["generate", *case[:3], "-o", "a.aut"],
        ["convert", "a.aut", "b.aut"],
        ["rename", "a.aut", "x=y", "-o", "b.aut"],
        ["minimise", "a.aut", "-e", "strong", "-o", "b.aut"],
        ["reduce", *case, "-o", "r.aut"],
        ["minimise", "r.aut", "-e", "weak", "--symmetry", "r.aut.sym", "-o", "b.aut"],
        ["expand", "r.aut", "-o", "b.aut"],
        ["linearise", *case[:3], "-o", "b.mcrl"],
    ):
        assert main([*words, "--json"]) == 0
        made.append(json.loads(capsys.readouterr().out))
        if words[0] not in ("generate", "convert"):
            assert main([*words[:-2], "--json"]) == 2
            assert "both go to standard output" in capsys.readouterr().err or "r.aut" in words
    sizes = {name: made[0][name] for name in ("states", "transitions")}
    assert made[1] == made[6] == sizes
    assert made[4].items() >= sizes.items()
    assert made[4]["order"] == 3
    assert set(made[2]) == {"labels"}
    assert set(made[3]) == set(sizes)
    assert set(made[7]) == {"parameters", "summands"}

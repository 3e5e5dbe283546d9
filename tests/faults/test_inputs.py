"""Inputs that ask for too much are refused before they take it."""

import os
import resource

import pytest

from lts import LTS, ParseError
from lts.logic import check
from programs import names, outcome

SYSTEM = LTS.from_transitions([(0, "a", 0)])
MEMORY = [(resource.RLIMIT_AS, 1 << 30)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command", [["info"], ["minimise", "-e", "strong"], ["draw"], ["convert"], ["find-symmetry"]]
)
@pytest.mark.parametrize(
    "text",
    ['des (0,?,?)\n(0,"a",4294967294)\n', 'des (4294967294,?,?)\n(0,"a",1)\n'],
)
def test_salvage_refuses_far_state_numbers(folder, command, text):
    (folder / "s.aut").write_text(text)
    words = [command[0], "s.aut", *command[1:], "--salvage"]
    code, printed, messages = outcome(*words, limits=MEMORY)
    assert (code, printed) == (2, "")
    assert "state 4294967294 is too large for 1 transition" in messages


def test_salvaged_files_are_readable(folder):
    (folder / "s.aut").write_text('des (0,?,4000000000)\n(0,"a",7)\n(1,"b"')
    assert outcome("convert", "s.aut", "out.aut", "--salvage", limits=MEMORY)[0] == 0
    assert (folder / "out.aut").read_text() == 'des (0,1,8)\n(0,"a",7)\n'
    assert outcome("info", "out.aut")[0] == 0


@pytest.mark.parametrize("file", ["/dev/zero", "/dev/stdin", "pipe", "out", "sub/out"])
def test_only_regular_files_below_the_folder_are_included(folder, file):
    os.mkfifo("pipe")
    os.mkdir("sub")
    os.symlink("/dev/zero", "out")
    os.symlink("/dev/zero", "sub/out")
    (folder / "s.mcrl").write_text(f'%@ include "{file}"\nact a\ninit a\n')
    code, _, messages = outcome("generate", "s.mcrl", limits=MEMORY)
    assert code == 2
    assert ("is not a regular file" if file == "pipe" else "is outside the folder") in messages
    code, _, messages = outcome(
        "generate", "s.mcrl", "--include-path", "/dev", "--include-path", "/proc", limits=MEMORY
    )
    assert code == 2
    assert "is not a regular file" in messages


def test_excessive_thread_counts_are_refused(folder):
    (folder / "s.mcrl").write_text("act a\ninit a\n")
    code, _, messages = outcome("generate", "s.mcrl", "--threads", 10**7)
    assert code == 2
    assert "10000000 is more than 1024" in messages
    assert names(folder) == ["s.mcrl"]


@pytest.mark.parametrize(
    ("opening", "inner", "closing"),
    [
        ("(", "true", ")"),
        ("<a>(", "true", ")"),
        ("mu X. (<a>X || ", "true", ")"),
        ("<true>true && [a](", "true", ")"),
    ],
)
def test_formulas_nest_deep(opening, inner, closing):
    depth = 10_000
    assert check(SYSTEM, f"{opening * depth}{inner}{closing * depth}")


def test_paths_nest_deep():
    depth = 10_000
    assert check(SYSTEM, f"<{'(' * depth}a{'.a)' * depth}>true")


def test_too_deeply_nested_formulas_are_refused():
    depth = 100_000
    with pytest.raises(ParseError, match="is nested too deeply"):
        check(SYSTEM, f"{'(' * depth}true{')' * depth}")

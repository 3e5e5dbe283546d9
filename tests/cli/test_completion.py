"""`ltstool completion`: the scripts complete, in the shells that there are."""

import re
import shutil
import subprocess

import pytest

from ltstool.main import main
from ltstool.options.parser import command_names
from programs import PATIENCE


@pytest.fixture
def script(request, capsys, tmp_path):
    def of(shell):
        assert main(["completion", shell]) == 0
        file = tmp_path / f"completion.{shell}"
        file.write_text(capsys.readouterr().out, encoding="utf-8")
        return file

    return of


def run(shell, *words):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}")
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (["mini"], {"minimise"}),
        (["help", "find"], {"find-symmetry"}),
        (["-q", "mini"], {"minimise"}),
        (["--col"], {"--colour"}),
        (["--timeout", "9", "minimise", "-e", "rooted"], {"rooted-branching", "rooted-weak"}),
        (["minimise", "-e", "rooted"], {"rooted-branching", "rooted-weak"}),
        (["compare", "--preorder", "failures-"], {"failures-divergences"}),
        (["convert", "x.aut", "--to", "p"], {"parquet", "parts"}),
        (["info", "--trace"], {"--trace", "--traces"}),
        (["completion", "z"], {"zsh"}),
    ],
)
def test_bash(line, found, script):
    words = " ".join(["ltstool", *line])
    text = f"source {script('bash')}; COMP_WORDS=({words}); COMP_CWORD={len(line)}; _ltstool; "
    assert {*run("bash", "--norc", "-c", text + 'echo "${COMPREPLY[@]}"')} == found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("my model.mcrl", "my net.exp", "my notes.txt", "most.aut"):
        (tmp_path / name).touch()
    (tmp_path / "my folder").mkdir()
    return tmp_path


SYSTEMS = {"my model.mcrl", "my net.exp", "my folder", "most.aut"}
RELATIONS = {"rooted-branching", "rooted-weak"}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["info", "m"], SYSTEMS),
        (["generate", "my "], {"my model.mcrl", "my net.exp", "my folder"}),
        (["compose", "m"], {"my net.exp", "my folder"}),
        (["compose", "most"], {"most.aut"}),  # there is no network of this name
        (["check", "x.aut", "det"], {"deterministic"}),
        (["check", "x.aut", "deadl"], {"deadlock-free"}),
        (["minimise", "--equivalence=roo"], {f"--equivalence={name}" for name in RELATIONS}),
        (["minimise", "--equivalence", "=", "roo"], RELATIONS),
        (["minimise", "x.aut", "--output", "=", "my n"], {"my net.exp", "my notes.txt"}),
        (["minimise", "x.aut", "-o", "my n"], {"my net.exp", "my notes.txt"}),
    ],
)
def test_bash_completes_values_and_files(words, found, folder, script):
    given = " ".join(f"'{word}'" for word in ["ltstool", *words])
    text = f"source {script('bash')}; COMP_WORDS=({given}); COMP_CWORD={len(words)}; _ltstool; "
    done = run_lines("bash", "--norc", "-c", text + 'printf "%s\\n" "${COMPREPLY[@]}"')
    assert {*done} == found


def run_lines(shell, *words):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}")
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("minimise -e roo", RELATIONS),
        ("--timeout 9 mini", {"minimise"}),
        ("--timeout 9 minimise --equivalence=roo", {f"--equivalence={name}" for name in RELATIONS}),
        ("--col", {"--colour"}),
        ("check x.aut deadl", {"deadlock-free"}),
        ("compose my", {"my net.exp", "my folder/"}),
    ],
)
def test_fish(line, found, folder, script):
    text = f"source {script('fish')}; complete -C 'ltstool {line}'"
    assert found <= {one.partition("\t")[0] for one in run_lines("fish", "-N", "-c", text)}


def test_zsh(script):
    assert run("zsh", "-f", "-n", str(script("zsh"))) == []
    text = script("zsh").read_text()
    assert '_files -g "*.exp"' in text
    assert not re.search(r'-g "\*\.\(\w+\)"', text)  # these would be qualifiers


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_completed(shell, script):
    text = script(shell).read_text()
    assert all(name in text for name in command_names())
    assert "%(default)s" not in text

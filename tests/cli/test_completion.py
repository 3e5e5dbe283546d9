"""`ltstool completion`: the scripts complete, in the shells that there are."""

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


def test_fish(script):
    found = run(
        "fish", "-N", "-c", f"source {script('fish')}; complete -C 'ltstool minimise -e roo'"
    )
    assert {"rooted-branching", "rooted-weak"} <= {*found}


def test_zsh(script):
    assert run("zsh", "-f", "-n", str(script("zsh"))) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_completed(shell, script):
    text = script(shell).read_text()
    assert all(name in text for name in command_names())
    assert "%(default)s" not in text

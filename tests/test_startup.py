"""A command starts fast: it loads nothing heavy that it has no use for."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"hypothesis", "lark", "networkx", "numpy", "rich", "sympy"}


def loaded(statement):
    """Return the heavy packages that a fresh Python has loaded after `statement`."""
    script = f"{statement}\nimport sys; print('loaded', *sys.modules)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return HEAVY & set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "statement",
    [
        "import lts",
        "from lts import LTS; LTS.from_transitions([(0, 'a', 1)]).labels",
        "import aut_format",
        "import aut_format; aut_format.dumps(aut_format.loads('des (0,1,2)\\n(0,a,1)'))",
        "import lts.mucrl",
        "import ltstool.main",
        "from ltstool.main import build_parser; build_parser(None)",
    ],
)
def test_nothing_heavy_is_loaded(statement):
    assert loaded(statement) == set()


@pytest.mark.parametrize("command", ["info", "convert"])
def test_commands_on_files_load_nothing_heavy(command, tmp_path):
    file = tmp_path / "a.aut"
    file.write_text('des (0,2,2)\n(0,"a",1)\n(1,"tau",0)\n', encoding="utf-8")
    run = f"from ltstool.main import main; assert main([{command!r}, {str(file)!r}]) == 0"
    assert loaded(run) == set()


def test_a_specification_needs_only_the_parser():
    statement = "from lts.mucrl import generate, read; generate(read('cases/abp.mcrl'))"
    assert loaded(statement) == {"lark"}


def test_a_heavy_package_is_noticed():
    assert loaded("from lts import LTS; LTS.from_transitions([(0, 'a', 1)]).source") == {"numpy"}

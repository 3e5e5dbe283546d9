"""Commands start fast: they load no heavy module that they do not need."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"hypothesis", "lark", "networkx", "numpy", "rich", "sympy"}
# Modules of the standard library that take a tenth of the start of a command or more.
SLOW = {"email", "hashlib", "importlib.metadata", "tempfile", "zipfile"}
# Modules for reading specifications and networks, with their own imports; reading systems needs
# none.
LARK = {"lark", "hashlib", "tempfile"}


def loaded(statement):
    """Return the heavy packages that a fresh Python has loaded after `statement`."""
    script = f"{statement}\nimport sys; print('loaded', *sys.modules)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    return (HEAVY | SLOW) & set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "statement",
    [
        "import lts",
        "from lts import LTS; LTS.from_transitions([(0, 'a', 1)]).labels",
        "import aut_format",
        "import aut_format; aut_format.dumps(aut_format.loads('des (0,1,2)\\n(0,a,1)'))",
        "import lts.mucrl",
        "from lts.mcrl2 import read; read('tests/mcrl2/samples/queue.mcrl2')",
        "import ltstool.main",
        "from ltstool.options.parser import build_parser; build_parser(None)",
    ],
)
def test_imports_load_no_heavy_modules(statement):
    assert loaded(statement) == set()


def test_a_text_in_mucrl_needs_lark():
    text = "from lts.mucrl import generate, read; generate(read('cases/abp.mcrl'))"
    assert loaded(text) == LARK


SWAP = ["--symmetry", "(a b)"]


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["info", "FILE"],
        ["convert", "FILE"],
        ["minimise", "FILE", "-e", "strong"],
        ["minimise", "FILE", "-e", "weak"],
        ["compare", "FILE", "FILE", "-e", "strong"],
        ["check", "FILE", "deadlock-free"],
        ["simulate", "FILE"],
    ],
)
def test_commands_on_files_load_no_heavy_modules(words, tmp_path):
    assert loaded(ltstool(words, tmp_path)) == set()


def test_symmetry_of_files_loads_only_numpy(tmp_path):
    check = ltstool(["check-symmetry", "FILE", *SWAP], tmp_path)
    reduce = ltstool(["reduce", "FILE", "-o", "OUT", *SWAP], tmp_path)
    expand = ltstool(["expand", "OUT"], tmp_path)
    assert loaded(check) == {"numpy"}
    assert loaded(check + reduce + expand) == {"numpy", "hashlib"}


@pytest.mark.parametrize(
    "words",
    [
        ["generate", "cases/abp.mcrl"],
        ["linearise", "cases/abp.mcrl"],
        ["evaluate", "cases/abp.mcrl", "0"],
        ["compose", "NETWORK"],
        ["format", "cases/abp.mcrl"],
        ["simulate", "cases/abp.mcrl"],
        ["check-symmetry", "cases/abp.mcrl", "--symmetry", "(d1 d2)"],
        ["reduce", "cases/abp.mcrl", "-o", "OUT", "--symmetry", "(d1 d2)"],
    ],
)
def test_commands_on_specifications_load_only_the_parser(words, tmp_path):
    assert loaded(ltstool(words, tmp_path)) == LARK


def ltstool(words, folder):
    """Return the statement that runs a command on a small file."""
    file = folder / "file.aut"
    file.write_text('des (0,2,1)\n(0,"a",0)\n(0,"b",0)\n', encoding="utf-8")
    network = folder / "network.exp"
    network.write_text("file |[a]| file", encoding="utf-8")
    names = {"FILE": str(file), "OUT": str(folder / "out.aut"), "NETWORK": str(network)}
    line = [names.get(word, word) for word in words]
    return f"""
from ltstool.main import main
try:
    assert main({line!r}) == 0
except SystemExit as stop:
    assert stop.code == 0
"""


def test_loaded_heavy_packages_are_detected():
    assert loaded("from lts import LTS; LTS.from_transitions([(0, 'a', 1)]).source") == {"numpy"}

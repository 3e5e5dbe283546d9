"""The steps of tools/action/action.yml, run as the service runs them."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ACTION = (ROOT / "tools" / "action" / "action.yml").read_text(encoding="utf-8")
CHECK = textwrap.dedent(ACTION.rpartition("run: |\n")[2])


def outcome(folder, formulas, specification="cases/mutex.mcrl", parameters="N=2", timeout="10m"):
    """Return the exit code and the output of the step that checks."""
    environment = os.environ | {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "SPECIFICATION": str(ROOT / specification),
        "FORMULAS": formulas,
        "PARAMETERS": parameters,
        "TIMEOUT": timeout,
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", CHECK]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_every_variable_of_the_step_is_an_input():
    used = set(re.findall(r"\$\{?([A-Z]+)\b", CHECK))
    given = set(re.findall(r"^        ([A-Z]+): \$\{\{ inputs\.\w+ \}\}$", ACTION, re.MULTILINE))
    assert used == given
    named = set(re.findall(r"inputs\.(\w+)", ACTION))
    assert named == set(re.findall(r"^  (\w+):\n    description:", ACTION, re.MULTILINE))


@pytest.mark.parametrize(
    ("formulas", "code", "lines"),
    [
        ("deadlock-free\n\n  \n<true>true\n", 0, ["holds: deadlock-free", "holds: <true>true"]),
        ("[true]false\ndeadlock-free", 1, ["does not hold: [true]false", "holds: deadlock-free"]),
        ("", 2, ["nothing was checked: `formulas` is empty"]),
        (" \n\n", 2, ["nothing was checked: `formulas` is empty"]),
        ("[true]false\n[", 2, ["does not hold: [true]false", "cannot be checked: ["]),
    ],
)
def test_formulas_are_checked(formulas, code, lines, tmp_path):
    found, printed = outcome(tmp_path, formulas)
    assert found == code
    for line in lines:
        assert line in printed


def test_a_specification_that_is_missing_is_wrong_use(tmp_path):
    assert outcome(tmp_path, "deadlock-free", "missing.mcrl", "")[0] == 2

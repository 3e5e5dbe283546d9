"""An interrupt ends whatever the engine is at, soon, and leaves it fit for more."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from programs import PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

SCRIPT = Path(__file__).with_name("interrupted.py")
SOON = 3.0
"""Seconds in which a call ends where other tests run besides; alone it is a tenth of one."""


@pytest.mark.parametrize("part", [0, 1])
def test_long_calls_are_interrupted(part):
    done = subprocess.run(
        [sys.executable, SCRIPT, str(part)],
        capture_output=True,
        check=False,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = {name: took for name, took, _ in map(json.loads, done.stdout.splitlines())}
    assert len(found) > 10
    late = {name: took for name, took in found.items() if took is None or took > SOON}
    assert not late

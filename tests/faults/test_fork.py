"""A process that has used all threads is forked, and goes on in both."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# An alarm ends a child that waits for threads which it does not have.
PROGRAM = """
import os, signal
from lts import mucrl
from lts.equivalence import minimise
system = mucrl.generate(mucrl.read("cases/peterson.mcrl", parameters={"N": 5}), threads=2)
least = minimise(system, "branching").state_count
child = os.fork()
if child == 0:
    signal.alarm(100)
    again = mucrl.generate(mucrl.read("cases/peterson.mcrl", parameters={"N": 5}), threads=2)
    os._exit(0 if minimise(again, "branching").state_count == least else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_minimises():
    run = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, check=False)
    assert run.returncode == 0

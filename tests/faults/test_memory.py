"""Memory that the system refuses to a library is an error of Python, and no end of it."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="reads how many addresses a process has"
)

# The first argument is what is done; the second, bytes of addresses more than there are before.
SCRIPT = """
import resource
import sys

import numpy as np

import aut_format
from lts import LTS, LimitReached, logic, mucrl, symmetry
from lts.cluster import Parts, generate_parts
from lts.equivalence import compare, minimise
from lts.state_space import explore

task, more = sys.argv[1], int(sys.argv[2])
numbers = np.random.default_rng(1)


def system(states, labels=("tau", "a", "b", "c", "d")):
    sizes = (states, len(labels), states)
    columns = [numbers.integers(0, size, 2 * states, dtype=np.uint32) for size in sizes]
    return LTS.from_columns(*columns, labels, 0, states)


def process(bound):
    top = "s(" * bound + "z" + ")" * bound
    choices = "+".join(
        f"a.X({','.join(f's({other})' if other == own else other for other in 'nmk')})"
        f"<|lt({own},{top})|>delta"
        for own in "nmk"
    )
    return mucrl.linearise(mucrl.read_text(
        "sort Bool N func T,F:->Bool z:->N s:N->N map lt:N#N->Bool var n,m:N "
        "rew lt(n,z)=F lt(z,s(n))=T lt(s(n),s(m))=lt(n,m) "
        f"act a proc X(n:N,m:N,k:N)={choices} init X(z,z,z)"
    ))


def small():
    return explore(process(2)).lts.state_count


def tasks(large, chain, least, cube):
    return {
        "strong": lambda: minimise(large, "strong"),
        "branching": lambda: minimise(large, "branching"),
        "weak": lambda: minimise(large, "weak"),
        "simulation": lambda: compare(least, system(least.state_count), "simulation"),
        "weak-trace": lambda: compare(large, system(large.state_count), "weak-trace"),
        "compare": lambda: compare(large, large.rename({"a": "b"}), "branching"),
        "read": lambda: aut_format.read(sys.argv[3]),
        "write": lambda: aut_format.write(large, sys.argv[3] + ".aut"),
        "facts": lambda: (large.divergent_states(), large.components(), large.duplicate_count),
        "check": lambda: logic.check(large, "nu X. <true>true && [true]X"),
        "columns": lambda: LTS.from_columns(*columns, map(str, range(5)), 0, 5),
        "isomorphic": lambda: symmetry.isomorphic(chain, chain),
        "generate": lambda: explore(cube),
        "process": lambda: logic.check_process(cube, "nu X. <true>true && [true]X"),
        "parts": lambda: generate_parts(cube, None, Parts(3)),
    }


assert small() == 27
# Nothing is loaded later.
little, columns = system(9), [np.zeros(9, dtype=np.uint32) for _ in "123"]
aut_format.write(little, sys.argv[3])
tasks(little, little, little, process(2))[task]()
large = system(1_000_000)
columns = [numbers.integers(0, 5, 30_000_000, dtype=np.uint32) for _ in "123"]
work = tasks(large, system(400_000), system(9_000), process(80))[task]
if task == "read":
    aut_format.write(large, sys.argv[3])
with open("/proc/self/statm") as file:
    addresses = int(file.read().split()[0]) * resource.getpagesize()
before = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (addresses + more, before[1]))
try:
    work()
    print("done")
except LimitReached:
    print("done")
except MemoryError:
    print("refused")
resource.setrlimit(resource.RLIMIT_AS, before)
print(small())
"""

TASKS = [
    *("strong", "branching", "weak", "simulation", "weak-trace", "compare", "read", "write"),
    *("columns", "facts", "check", "isomorphic", "generate", "process", "parts"),
]
FITS = {"simulation", "read", "write", "facts"}
"""What needs little more than there was before."""


def outcome(task, more, folder):
    command = [sys.executable, "-c", SCRIPT, task, str(more), str(folder / "large.aut")]
    # A signal would be a negative code. What Rust prints where it panics would take memory.
    environment = {name: value for name, value in os.environ.items() if "BACKTRACE" not in name}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert run.returncode == 0, (task, more, run.returncode, run.stderr)
    reported, again = run.stdout.split()
    assert again == "27"
    return reported


@pytest.mark.parametrize("task", TASKS)
def test_refused_memory_raises_a_python_error(task, tmp_path):
    reported = [outcome(task, megabytes << 20, tmp_path) for megabytes in (1, 50)]
    assert set(reported) <= {"done", "refused"}
    # Where nothing was refused, nothing was looked at.
    assert "refused" in reported or task in FITS

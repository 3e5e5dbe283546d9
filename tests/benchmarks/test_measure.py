"""What benchmarks measure with."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "measure.py"
SPEC = importlib.util.spec_from_file_location("measure", FILE)
measuring = importlib.util.module_from_spec(SPEC)
sys.modules["measure"] = measuring
SPEC.loader.exec_module(measuring)


def python(text):
    return [sys.executable, "-c", text]


def test_measure_repeats_the_command():
    found = measuring.measure(python("print(input())"), repeat=3, stdin=b"hello\n")
    assert found.output == b"hello\n"
    assert len(found.walls) == 3
    assert min(found.walls) <= found.wall <= max(found.walls)
    assert "output" not in json.loads(json.dumps(found.as_dict()))


def test_measured_memory_is_that_of_the_child():
    hold = "import time; data = bytearray({}); data[::4096] = bytes(len(data[::4096]))"
    hold += "; time.sleep(0.2)"
    small, large = (measuring.run_once(python(hold.format(n))).memory for n in (4096, 10**8))
    assert 0.9e8 < large - small < 1.2e8


def test_callables_are_measured_with_their_value():
    assert json.loads(measuring.measure(lambda: {"n": 3}, repeat=1).output) == {"n": 3}


def test_failures_are_reported():
    with pytest.raises(RuntimeError, match="exit code 3"):
        measuring.measure(python("raise SystemExit(3)"), repeat=1)
    assert measuring.measure(python("raise SystemExit(3)"), repeat=1, check=False).status == 3
    with pytest.raises(RuntimeError, match="division by zero"):
        measuring.measure(lambda: 1 / 0, repeat=1)
    with pytest.raises(subprocess.TimeoutExpired):
        measuring.measure(python("import time; time.sleep(60)"), repeat=1, timeout=0.2)

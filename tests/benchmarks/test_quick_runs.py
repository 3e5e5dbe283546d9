"""Every benchmark runs, so that none rots."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("name", ["check", "compare", "generate", "minimise"])
def test_a_benchmark_runs(name, tmp_path):
    command = [sys.executable, FOLDER / f"{name}.py", "--quick", "--json", tmp_path / "out.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.json").stat().st_size > 0

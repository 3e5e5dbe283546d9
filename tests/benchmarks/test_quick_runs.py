"""Every benchmark runs, so that none rots."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize(
    "name",
    [
        *("check", "compare", "complete", "detect", "expand", "generate", "identities", "minimise"),
        *(
            "compositional",
            "models",
            "networks",
            "partitioned_minimisation",
            "partitioned_orbits",
            "partitions",
        ),
    ],
)
def test_every_benchmark_runs(name, tmp_path):
    command = [sys.executable, FOLDER / f"{name}.py", "--quick", "--json", tmp_path / "out.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.json").stat().st_size > 0


def test_symmetry_benchmark_gives_published_sizes(tmp_path):
    out = tmp_path / "out.json"
    command = [sys.executable, FOLDER / "symmetry.py", "--cases", "hanoi,managers", "--json", out]
    command += ["--most-orbits", "60", "--most-states", "1000", "--chart", tmp_path / "out.svg"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(out.read_text())["rows"]
    assert len(rows) > 5
    assert all(row["refine"]["orbits"] == row["quotient"] for row in rows)
    assert {row["case"] for row in rows} == {"hanoi", "managers"}
    assert "<svg" in (tmp_path / "out.svg").read_text()

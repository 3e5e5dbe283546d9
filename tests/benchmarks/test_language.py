"""The benchmark of the language runs."""

import json
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).parents[2] / "benchmarks" / "language.py"


def test_quick_language_benchmark_runs(tmp_path):
    out = tmp_path / "figures.json"
    command = [sys.executable, str(FILE), "--quick", "--json", str(out)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = json.loads(out.read_text())["rows"]
    assert len(rows) == 8
    assert all(row["parse"] > 0 and row["check"] > 0 and row["memory"] > 0 for row in rows)
    assert {"parse", "check", "linearise", "total"} <= rows[1]["growth"].keys()
    assert len(shown.splitlines()) == 1 + len(rows)

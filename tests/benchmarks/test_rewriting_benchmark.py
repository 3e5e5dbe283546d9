"""The rewriting benchmark runs, and its terms reduce to truth values."""

import json
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "rewriting.py"


def test_rewriting_benchmark_runs(tmp_path):
    out = tmp_path / "rewriting.json"
    subprocess.run(
        [sys.executable, BENCHMARK, "--quick", "--json", out], check=True, capture_output=True
    )
    rows = json.loads(out.read_text())
    for plain, memoised in zip(rows[::2], rows[1::2], strict=True):
        assert plain["normal form"] == memoised["normal form"]
        assert plain["normal form"] in ("T", "F")
        assert plain["steps"] >= memoised["steps"] > 0
        assert plain["found"] == 0

"""Processor time of model checking on a million transitions: one fixed point, or two that
alternate.

python benchmarks/check.py [--quick] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from measure import measure

from lts import LTS
from lts.logic import check

LABELS = ["tau", *"abcdefgh"]
FORMULAS = {
    "deadlock-free": "deadlock-free",
    "livelock-free": "livelock-free",
    "inevitable (alternation depth 1)": "[true*.b] mu X. <true>true && [!a]X",
    "a infinitely often on some path (2)": "nu Y. mu X. <a>Y || <!a>X",
    "a infinitely often on every path (2)": "nu Y. mu X. <true>true && [a]Y && [!a]X",
    "b whenever a, again and again (2)": "nu Y. [true*.a](mu X. <b>Y || <true>X)",
}


def random_system(transitions: int) -> LTS:
    """Return a random system in layers, so that fixed points take many rounds."""
    rng = np.random.default_rng(7)
    states = transitions // 4
    source = np.concatenate([np.arange(states), rng.integers(0, states, transitions - states)])
    step = rng.integers(1, 9, transitions)
    step[rng.random(transitions) < 0.1] = states // 2
    target = (source + step) % states
    label = rng.integers(0, len(LABELS), transitions)
    columns = (column.astype(np.uint32) for column in (source, label, target))
    return LTS.from_columns(*columns, LABELS, 0, states)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small systems, to see that it runs")
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    arguments = parser.parse_args()
    size, repeat = (2_000, 1) if arguments.quick else (1_000_000, 3)
    system = random_system(size)
    rows = []
    print(f"{'formula':40} {'holds':>6} {'time':>9} {'MB':>6}")
    for name, formula in FORMULAS.items():
        found = measure(lambda formula=formula: check(system, formula).holds, repeat=repeat)
        holds = found.output.decode()
        print(f"{name:40} {holds:>6} {found.processor:8.2f}s {found.memory / 1e6:6.0f}", flush=True)
        figures = found.as_dict()
        rows.append({"formula": formula, "transitions": size, "holds": holds, **figures})
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

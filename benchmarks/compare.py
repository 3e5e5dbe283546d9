"""How long a difference takes to be found and explained, and how long equal systems take.

    python benchmarks/compare.py [--quick] [--repeat N] [--json FILE]

Pairs of systems with a million transitions: one differs from the other in a state that is reached
by four steps, so that five tell them apart; the others are the same system with its states in
another order, next to what it takes to minimise both modulo the relation, where it has a minimal
system. The last column is a difference that is far away: Peterson's algorithm for five processes
against a copy of which one step leads elsewhere, the last visible one of a breadth-first search.
Times are those of the processor.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from measure import measure
from minimise import peterson

from lts import LTS
from lts.equivalence import EQUIVALENCES, compare, minimise, refines

LABELS = ["tau", *"abcdefghijklmnopqrst", "new"]
RELATIONS = [
    *((name, False) for name in EQUIVALENCES if name != "coupled-simulation"),
    ("failures", True),
    ("failures-divergences", True),
]


def random_system(transitions: int) -> LTS:
    """Return a system of which nothing can be merged, a tenth of its steps internal."""
    rng = np.random.default_rng(5)
    states = transitions // 4
    source = np.concatenate([np.arange(states), rng.integers(0, states, transitions - states)])
    # The internal steps lead forward, so that nothing diverges.
    label = rng.integers(0, 21, transitions)
    label[rng.random(transitions) < 0.05] = 0
    target = rng.integers(0, states, transitions)
    silent = label == 0
    target[silent] = np.minimum(source[silent] + 1 + rng.integers(0, 9, silent.sum()), states - 1)
    label[silent & (source == target)] = 1
    columns = (column.astype(np.uint32) for column in (source, label, target))
    return LTS.from_columns(*columns, LABELS, 0, states)


def shuffled(system: LTS) -> LTS:
    """Return the same system with other numbers of states and another order of transitions."""
    rng = np.random.default_rng(6)
    number = rng.permutation(system.state_count).astype(np.uint32)
    order = rng.permutation(system.transition_count)
    columns = number[system.source[order]], system.label[order], number[system.target[order]]
    return LTS.from_columns(*columns, LABELS, int(number[0]), system.state_count)


def changed(system: LTS) -> LTS:
    """Return the system with one new step in a state that four visible steps lead to, not fewer."""
    near = [np.zeros(system.state_count, dtype=bool) for _ in range(6)]
    near[0][system.initial] = True
    visible = system.label != 0
    for before, after in pairwise(near):
        after |= before
        after[system.target[before[system.source]]] = True
        after[system.target[before[system.source] & visible]] = True
    state = int(np.flatnonzero(near[4] & ~near[3])[0])
    columns = [system.source, system.label, system.target]
    rows = zip(columns, (state, len(LABELS) - 1, state), strict=True)
    columns = [np.append(column, np.uint32(value)) for column, value in rows]
    return LTS.from_columns(*columns, LABELS, system.initial, system.state_count)


def changed_far(system: LTS) -> LTS:
    """Return the system with the last visible step, breadth first, as a loop."""
    system = system.reachable()
    visible = [place for place, label in enumerate(system.labels) if label not in system.internal]
    row = int(np.flatnonzero(np.isin(system.label, visible))[-1])
    target = system.target.copy()
    target[row] = system.source[row]
    columns = system.source, system.label, target
    changed = LTS.from_columns(*columns, system.labels, system.initial, system.state_count)
    return changed.with_internal(system.internal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small systems, to see that it runs")
    parser.add_argument("--repeat", type=int, default=3, help="runs, of which the median counts")
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    arguments = parser.parse_args()
    size, repeat = (2_000, 1) if arguments.quick else (1_000_000, arguments.repeat)
    system = random_system(size)
    other, same = changed(shuffled(system)), shuffled(system)
    algorithm = peterson(2 if arguments.quick else 5)
    rows = []
    print(
        f"{'relation':32} {'differ':>9} {'MB':>6} {'equal':>9} {'MB':>6} {'minimise both':>14} "
        f"{'far':>9} {'formula':>8}"
    )
    for name, preorder in RELATIONS:
        ask = refines if preorder else compare
        evidence = ask(system, other, name).evidence
        assert evidence is not None
        apart = measure(lambda ask=ask, name=name: ask(system, other, name).holds, repeat=repeat)
        equal = measure(lambda ask=ask, name=name: ask(system, same, name).holds, repeat=repeat)
        assert (apart.output, equal.output) == (b"false", b"true")

        def both(name: str = name) -> int:
            return sum(minimise(each, name).state_count for each in (system, same))

        # Of an arbitrary system the minimum modulo traces is exponential.
        minimal = name in EQUIVALENCES and EQUIVALENCES[name].family == "bisimulation"
        least = measure(both, repeat=repeat).processor if minimal else None
        shown = f"{least:13.2f}s" if least is not None else "-"
        far, size_of = None, "-"
        if minimal:
            wrong = changed_far(algorithm)

            def explain(name: str = name, wrong: LTS = wrong) -> int:
                return len(compare(algorithm, wrong, name).evidence.formula)

            found = measure(explain, repeat=repeat)
            far, size_of = found.processor, found.output.decode()
        shown_far = f"{far:8.2f}s" if far is not None else "-"
        print(
            f"{name + (' (preorder)' if preorder else ''):32} {apart.processor:8.2f}s "
            f"{apart.memory / 1e6:6.0f} {equal.processor:8.2f}s {equal.memory / 1e6:6.0f} "
            f"{shown:>14} {shown_far:>9} {size_of:>8}",
            flush=True,
        )
        rows.append(
            {
                "relation": name,
                "preorder": preorder,
                "transitions": size,
                "differ": apart.as_dict(),
                "equal": equal.as_dict(),
                "minimise_both": least,
                "far": far,
                "evidence": evidence.as_json(),
            }
        )
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

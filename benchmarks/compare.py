"""Time to find and explain a difference between two systems, and to compare equal systems.

    python benchmarks/compare.py [--quick] [--repeat N] [--timeout SECONDS] [--json FILE]

Pairs of systems with a million transitions are compared modulo every relation. In one pair, the
systems differ in a state reached by four steps, so that five steps distinguish them. In the other,
the second system is the first one with its states in another order; beside it is the time to
minimise both modulo the relation, if it is a bisimulation. The last columns are for a difference
far from the initial states: Peterson's algorithm for five processes against a copy with one step
redirected, the last visible one of a breadth-first search. The size of evidence is in characters of
a formula or labels of a trace. Isomorphism follows, for 10^4, 10^5 and 10^6 states with four times
as many transitions: of a system and a copy in another order, and of a copy with one step
redirected, whose evidence is in classes of states. Runs that exceed the timeout or the limit of a
relation are marked. Times and the timeout are processor time.
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
from measure import Measured, measure
from minimise import peterson

from lts import LTS, LimitReached
from lts.equivalence import (
    EQUIVALENCES,
    PREORDERS,
    Mismatch,
    Property,
    compare,
    minimise,
    refines,
)

LABELS = ["tau", *"abcdefghijklmnopqrst", "new"]
RELATIONS = [*((name, False) for name in EQUIVALENCES), *((name, True) for name in PREORDERS)]


def random_system(transitions: int) -> LTS:
    """Return a system in which no states are equivalent, with a tenth of its steps internal."""
    rng = np.random.default_rng(5)
    states = transitions // 4
    source = np.concatenate([np.arange(states), rng.integers(0, states, transitions - states)])
    # Internal steps lead forward, so that there is no divergence.
    label = rng.integers(0, 21, transitions)
    label[rng.random(transitions) < 0.05] = 0
    target = rng.integers(0, states, transitions)
    silent = label == 0
    target[silent] = np.minimum(source[silent] + 1 + rng.integers(0, 9, silent.sum()), states - 1)
    label[silent & (source == target)] = 1
    columns = (column.astype(np.uint32) for column in (source, label, target))
    return LTS.from_columns(*columns, LABELS, 0, states)


def shuffled(system: LTS) -> LTS:
    """Return the same system with states and transitions in another order."""
    rng = np.random.default_rng(6)
    number = rng.permutation(system.state_count).astype(np.uint32)
    order = rng.permutation(system.transition_count)
    columns = number[system.source[order]], system.label[order], number[system.target[order]]
    return LTS.from_columns(*columns, LABELS, int(number[0]), system.state_count)


def changed(system: LTS) -> LTS:
    """Return the system with a new step in a state whose shortest path has four visible steps."""
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
    """Return the system with the last visible step in breadth-first order turned into a loop."""
    system = system.reachable()
    visible = [place for place, label in enumerate(system.labels) if label not in system.internal]
    row = int(np.flatnonzero(np.isin(system.label, visible))[-1])
    target = system.target.copy()
    target[row] = system.source[row]
    columns = system.source, system.label, target
    changed = LTS.from_columns(*columns, system.labels, system.initial, system.state_count)
    return changed.with_internal(system.internal)


def redirected(system: LTS) -> LTS:
    """Return the system with another target of its last transition."""
    target = system.target.copy()
    target[-1] = (target[-1] + 1) % system.state_count
    columns = system.source, system.label, target
    return LTS.from_columns(*columns, LABELS, system.initial, system.state_count)


def asked(name: str, preorder: bool, left: LTS, right: LTS) -> Callable[[], object]:
    """Return a task that computes whether the relation holds, and the size of the evidence."""

    def task() -> object:
        try:
            found = (refines if preorder else compare)(left, right, name)
        except LimitReached:
            return "limit"
        evidence = found.evidence
        if evidence is None:
            return [found.holds, None]
        if isinstance(evidence, Mismatch):
            return [found.holds, len(evidence.classes)]
        of_formula = isinstance(evidence, Property)
        return [found.holds, len(evidence.formula if of_formula else evidence.trace)]

    return task


def taken(task: Callable[[], object], repeat: int, timeout: int) -> Measured | None:
    """Return the measurements of a task, None if it takes too long."""

    def bounded() -> object:
        resource.setrlimit(resource.RLIMIT_CPU, (timeout, timeout + 1))
        return task()

    found = measure(bounded, repeat=repeat, check=False)
    if found.status == -signal.SIGXCPU:
        return None
    assert found.status == 0, found.errors.decode(errors="replace")
    return found


def shown(found: Measured | None, timeout: int) -> str:
    """Return a time, or why there is none."""
    if found is None:
        return f"> {timeout}s"
    return "limit" if found.output == b'"limit"' else f"{found.processor:.2f}s"


def row_of_isomorphism(
    states: int, repeat: int, timeout: int, widths: tuple[int, ...]
) -> dict[str, object]:
    """Measure isomorphism of systems with this number of states, and print the row."""
    system = random_system(4 * states)
    same = shuffled(system)
    near = taken(asked("isomorphism", False, system, redirected(same)), repeat, timeout)
    equal = taken(asked("isomorphism", False, system, same), repeat, timeout)
    answers = [each and json.loads(each.output) for each in (near, equal)]
    for answer, is_right in zip(answers, (False, True), strict=True):
        assert answer is None or answer[0] == is_right, answers
    cells = [
        f"isomorphism, {states:,} states",
        shown(near, timeout),
        str(answers[0][1]) if answers[0] else "-",
        shown(equal, timeout),
        f"{equal.memory / 1e6:.0f}" if equal else "-",
    ]
    line = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=False))
    print(" ".join(line), flush=True)
    return {
        "relation": "isomorphism",
        "states": states,
        "near": near and near.as_dict(),
        "equal": equal and equal.as_dict(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small systems, to see that it runs")
    parser.add_argument("--repeat", type=int, default=1, help="runs, of which the median counts")
    parser.add_argument("--timeout", type=int, default=30, help="seconds of one run")
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    arguments = parser.parse_args()
    size, repeat = (2_000, 1) if arguments.quick else (1_000_000, arguments.repeat)
    system = random_system(size)
    other, same = changed(shuffled(system)), shuffled(system)
    algorithm = peterson(2 if arguments.quick else 5)
    wrong = changed_far(algorithm)
    rows = []
    head = ["relation", "near", "evidence", "equal", "MB", "minimise both", "far", "evidence"]
    widths = (32, 8, 9, 8, 6, 14, 8, 9)
    print(" ".join(f"{word:>{width}}" for word, width in zip(head, widths, strict=True)))
    for name, preorder in RELATIONS:
        pairs = {"near": (system, other), "equal": (system, same), "far": (algorithm, wrong)}
        found = {
            pair: taken(asked(name, preorder, *both), repeat, arguments.timeout)
            for pair, both in pairs.items()
        }
        answers = {pair: each and json.loads(each.output) for pair, each in found.items()}
        verdicts = {pair: answer[0] for pair, answer in answers.items() if isinstance(answer, list)}
        assert verdicts.items() <= {"near": False, "equal": True, "far": False}.items(), verdicts

        def both(name: str = name) -> int:
            return sum(minimise(each, name).state_count for each in (system, same))

        # Minimisation of arbitrary systems is exponential modulo traces, cubic modulo simulations.
        minimal = not preorder and EQUIVALENCES[name].family == "bisimulation"
        least = taken(both, repeat, arguments.timeout) if minimal else None
        times = {pair: shown(each, arguments.timeout) for pair, each in found.items()}
        sizes = {
            pair: str(answer[1]) if isinstance(answer, list) else "-"
            for pair, answer in answers.items()
        }
        equal = found["equal"]
        cells = [
            name + (" (preorder)" if preorder else ""),
            times["near"],
            sizes["near"],
            times["equal"],
            f"{equal.memory / 1e6:.0f}" if equal else "-",
            shown(least, arguments.timeout) if minimal else "-",
            times["far"],
            sizes["far"],
        ]
        line = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        print(" ".join(line), flush=True)
        rows.append(
            {
                "relation": name,
                "preorder": preorder,
                "transitions": size,
                "minimise_both": least and least.as_dict(),
                **{pair: each and each.as_dict() for pair, each in found.items()},
                "answers": answers,
            }
        )
    for count in [500] if arguments.quick else [10_000, 100_000, 1_000_000]:
        rows.append(row_of_isomorphism(count, repeat, arguments.timeout, widths))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

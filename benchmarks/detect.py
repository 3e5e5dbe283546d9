"""How long symmetries that were planted in a system of a million transitions take to be found.

python benchmarks/detect.py [--quick] [--json FILE]

Five data are held in some order by a state, none to three of them, beside a number. Random
transitions are closed under a group of permutations of the data, which then is the system's.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from itertools import permutations
from pathlib import Path

from measure import PROGRAM, measure

from aut_format import dumps
from lts import LTS

DATA = range(5)
GROUPS = {"all": [(1, 0, 2, 3, 4), (1, 2, 3, 4, 0)], "rotations": [(1, 2, 3, 4, 0)]}
HELD = [held for size in range(4) for held in permutations(DATA, size)]


def elements(generators: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return all products of permutations."""
    found = [tuple(DATA)]
    for element in found:
        products = (tuple(element[x] for x in generator) for generator in generators)
        found += [product for product in dict.fromkeys(products) if product not in found]
    return found


def planted(group: list[tuple[int, ...]], transitions: int) -> LTS:
    """Return a system of about so many transitions with this group of symmetries."""
    rng = random.Random(7)
    number = {held: place for place, held in enumerate(HELD)}
    count = transitions // (8 * len(HELD)) + 1
    initial = count * len(HELD)
    rows = [(initial, "start", core * len(HELD)) for core in range(count)]
    for core, held in ((core, held) for core in range(count) for held in HELD if len(held) < 3):
        state = core * len(HELD) + number[held]
        new = ((x, (*held, x)) for x in DATA if x not in held)
        rows += [(state, f"take({x})", core * len(HELD) + number[more]) for x, more in new]
    found = dict.fromkeys(rows)
    while len(found) < transitions:
        source, target = rng.randrange(count), rng.randrange(count)
        here, there = rng.choice(HELD), rng.choice(HELD)
        action, x, y = rng.choice("abcdefgh"), rng.choice(DATA), rng.choice(DATA)
        for g in group:
            ends = (number[tuple(g[x] for x in held)] for held in (here, there))
            left, right = ends
            label = f"{action}({g[x]},{g[y]})"
            found[source * len(HELD) + left, label, target * len(HELD) + right] = None
    return LTS.from_transitions(list(found), initial=initial)


def main() -> None:
    """Measure and print a table, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small system, to see that it runs")
    parser.add_argument("--json", metavar="FILE", type=Path)
    arguments = parser.parse_args()
    rows = []
    print(f"{'group':12} {'order':>5} {'states':>9} {'transitions':>11} {'time':>8} {'memory':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, generators in GROUPS.items():
            group = elements(generators)
            system = planted(group, 20_000 if arguments.quick else 1_000_000)
            path = Path(folder) / f"{name}.aut"
            path.write_bytes(dumps(system))
            found = measure([*PROGRAM, "find-symmetry", path, "--json"], repeat=1)
            order = json.loads(found.output)["order"]
            if order != len(group):
                raise SystemExit(f"{name}: found {order} symmetries, not {len(group)}")
            sizes = f"{system.state_count:9,} {system.transition_count:11,}"
            shown = f"{found.processor:6.1f} s {found.memory / 1e6:6.0f} MB"
            print(f"{name:12} {order:5} {sizes} {shown}", flush=True)
            row = {"group": name, "order": order, "states": system.state_count}
            rows.append({**row, "transitions": system.transition_count, **found.as_dict()})
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

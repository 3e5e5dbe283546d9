"""One run of `minimise.py`, as a process of its own that imports nothing else.

python benchmarks/minimise_once.py FILE EQUIVALENCE

It reads and minimises as `ltstool minimise` does, and prints the seconds that each takes and the
size of the result.
"""

import json
import sys
import time

import aut_format
from lts.equivalence import minimise


def main(file: str, equivalence: str) -> None:
    start = time.perf_counter()
    system = aut_format.read(file)
    between = time.perf_counter()
    least = minimise(system, equivalence, consume=True)
    figures = {
        "read": between - start,
        "minimise": time.perf_counter() - between,
        "states": least.state_count,
        "transitions": least.transition_count,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Orbits in partitions: communication and cost, for growing numbers of partitions.

    python benchmarks/partitioned_orbits.py [--quick] [--partitions K,..] [--json FILE]

Peterson's algorithm by turns for N processes, all of which are permuted, is explored first by one
engine, then in partitions that take turns in one process. Measured are bytes sent between
partitions per step of a representative, bytes per representative in the partitions, and processor
time in seconds, by the same engine in the same run.
"""

from __future__ import annotations

import json
import time
from typing import Any

from partitions import CASES, Counted, given

from lts import mucrl
from lts.cluster import Parts, count_orbits_in_parts
from lts.cluster.transport import Task
from lts.linear.process import LinearProcess
from lts.mucrl import linearise
from lts.symmetry import Explored, count_orbits, symmetric_sorts


def measured(
    process: LinearProcess, symmetry: Any, whole: Explored, partitions: int
) -> dict[str, Any]:
    """Return the cost of counting in this number of partitions."""
    transports: list[Counted] = []

    def workers(job: Task) -> Counted:
        transports.append(Counted(job))
        return transports[-1]

    begun = time.process_time()
    found = count_orbits_in_parts(process, symmetry, parts=Parts(partitions, workers=workers))
    spent = time.process_time() - begun
    assert (found.orbits, found.states) == (whole.orbits, whole.states)
    (transport,) = transports
    return {
        "partitions": partitions,
        "orbits": found.orbits,
        "steps": found.steps,
        "states": found.states,
        "bytes_per_step": transport.bytes / found.steps,
        "supersteps": transport.supersteps,
        "bytes_per_orbit": found.store / found.orbits,
        "seconds": spent,
    }


def main() -> None:
    arguments = given(__doc__)
    rows = []
    for n in (4,) if arguments.quick else (5, 6):
        path = CASES / "peterson_turns.mcrl"
        process = linearise(mucrl.read(path, parameters={"N": n}))
        symmetry = symmetric_sorts(process, ["Pid"]).generators
        begun = time.process_time()
        whole = count_orbits(process, symmetry)
        alone = time.process_time() - begun
        print(f"Peterson {n}: {whole.orbits} orbits with {whole.steps} steps, of {whole.states}")
        print(f"states; one engine {alone:.2f} s of the processor")
        print("  K   bytes/step   supersteps   bytes/orbit   seconds   times one engine")
        for partitions in map(int, arguments.partitions.split(",")):
            row = {"N": n, **measured(process, symmetry, whole, partitions)}
            row["times"] = row["seconds"] / alone
            rows.append(row)
            print(
                f"{partitions:3}   {row['bytes_per_step']:10.1f}   {row['supersteps']:10}   "
                f"{row['bytes_per_orbit']:11.1f}   {row['seconds']:7.2f}   {row['times']:.1f}"
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

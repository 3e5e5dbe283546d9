"""Minimisation in partitions: communication and cost, for growing numbers of partitions.

    python benchmarks/partitioned_minimisation.py [--quick] [--partitions K,..] [--json FILE]

Peterson's algorithm for N processes, generated as a folder of four parts, is minimised modulo each
of three bisimulations, where only the steps into and out of critical sections are visible: first on
one machine, including reading, then in partitions that take turns in one process. Measured are
bytes sent between partitions, per transition, while loading and in all rounds; bytes per state in
the partitions between rounds; and processor time in seconds.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from partitions import CASES, Counted, given

from lts import LTS, mucrl
from lts.cluster import Parts, generate_parts, minimise_parts
from lts.cluster.minimisation import EQUIVALENCES
from lts.cluster.transport import Task
from lts.equivalence import minimise
from lts.formats import parts
from lts.mucrl import linearise
from lts.state_space.settings import Settings

LOADING = ("load", "ask")


class Measured(Counted):
    """Workers in this process that report their size at the end."""

    size = 0

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        if method == "signatures":
            self.size = sum(super().call_all("size"))
        return super().call_all(method, *arguments)


def hidden(system: LTS) -> LTS:
    return system.hide([label for label in system.labels if not label.startswith("critical")])


def measured(folder: Path, equivalence: str, partitions: int) -> dict[str, Any]:
    """Return the cost of a minimisation in this number of partitions."""
    found = parts.manifest(folder)
    transports: list[Measured] = []
    rounds: list[int] = []

    def workers(job: Task) -> Measured:
        transports.append(Measured(job))
        return transports[-1]

    begun = time.process_time()
    least = minimise_parts(
        folder,
        equivalence,
        parts=Parts(partitions, workers=workers),
        settings=Settings(progress=lambda count, blocks: rounds.append(blocks)),
        labels=hidden,
    )
    spent = time.process_time() - begun
    (transport,) = transports
    loading = sum(transport.of_step.get(step, 0) for step in LOADING)
    return {
        "equivalence": equivalence,
        "partitions": partitions,
        "least": least.state_count,
        "rounds": len(rounds),
        "loading_per_transition": loading / found.transitions,
        "rounds_per_transition": (transport.bytes - loading) / found.transitions,
        "of_step": transport.of_step,
        "batches_per_round": transport.batches / len(rounds),
        "bytes_per_state": transport.size / found.states,
        "seconds": spent,
    }


def main() -> None:
    arguments = given(__doc__)
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory) / "p.parts"
        n = 4 if arguments.quick else 6
        process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": n}))
        generate_parts(process, folder, parts=Parts(4))
        for equivalence in EQUIVALENCES:
            begun = time.process_time()
            least = minimise(hidden(parts.read(folder)), equivalence, consume=True)
            alone = time.process_time() - begun
            print(
                f"Peterson {n} modulo {equivalence}: {least.state_count} states, one machine "
                f"{alone:.2f} s of the processor"
            )
            print(
                "  K   rounds   bytes/transition: loading, rounds   bytes/state   seconds   times"
            )
            for partitions in map(int, arguments.partitions.split(",")):
                row = measured(folder, equivalence, partitions)
                assert row["least"] == least.state_count
                row["times"] = row["seconds"] / alone
                rows.append(row)
                print(
                    f"{partitions:3}   {row['rounds']:6}   {row['loading_per_transition']:25.1f}   "
                    f"{row['rounds_per_transition']:6.1f}   {row['bytes_per_state']:11.1f}   "
                    f"{row['seconds']:7.2f}   {row['times']:.1f}"
                )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

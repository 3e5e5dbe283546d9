"""Generation in partitions: communication and cost, for growing numbers of partitions.

    python benchmarks/partitions.py [--quick] [--partitions K,..] [--json FILE]

Peterson's algorithm for N processes is generated first by one engine, then in partitions that take
turns in one process. Measured are bytes and batches sent between partitions, per transition and per
level, bytes per state in the partitions, bytes of the logs, and processor time in seconds, by the
same engine in the same run.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lts import mucrl
from lts.cluster import Parts, generate_parts
from lts.cluster.transport import Local, Task
from lts.mucrl import linearise
from lts.state_space.generation import Output, explore

CASES = Path(__file__).resolve().parent.parent / "cases"


class Counted(Local):
    """Workers in this process that count what they send to others."""

    def __init__(self, job: Task) -> None:
        super().__init__(job, 1)
        self.bytes = self.batches = self.supersteps = 0
        self.of_step: dict[str, int] = {}
        """Bytes sent, by superstep."""

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        found = super().step(method, arguments)
        self.supersteps += 1
        for receiver, inbox in enumerate(self._batches):
            for sender, batch in enumerate(inbox):
                if sender != receiver:
                    self.bytes += len(batch)
                    self.of_step[method] = self.of_step.get(method, 0) + len(batch)
                    self.batches += 1
        return found


def measured(n: int, partitions: int, folder: Path) -> dict[str, Any]:
    """Return the cost of a generation in this number of partitions."""
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": n}))
    transports: list[Counted] = []

    def workers(job: Task) -> Counted:
        transports.append(Counted(job))
        return transports[-1]

    begun = time.process_time()
    found = generate_parts(process, folder / "p.parts", parts=Parts(partitions, workers=workers))
    spent = time.process_time() - begun
    (transport,) = transports
    statistics = found.statistics
    return {
        "N": n,
        "partitions": partitions,
        "states": statistics.states,
        "transitions": statistics.transitions,
        "levels": statistics.levels,
        "bytes_per_transition": transport.bytes / statistics.transitions,
        "batches_per_level": transport.batches / statistics.levels,
        "bytes_per_state": statistics.store / statistics.states,
        "seconds": spent,
    }


def given(description: str) -> argparse.Namespace:
    """Return the arguments of a benchmark of partitions."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small system only")
    parser.add_argument("--partitions", default="1,2,4,8", help="how many, separated by commas")
    parser.add_argument("--json", type=Path, help="write the figures there")
    return parser.parse_args()


def main() -> None:
    arguments = given(__doc__)
    rows = []
    for n in (4,) if arguments.quick else (5, 6):
        process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": n}))
        begun = time.process_time()
        found = explore(process, output=Output(write=lambda text: None))
        alone = time.process_time() - begun
        print(f"Peterson {n}: {found.statistics}, one engine {alone:.2f} s of the processor")
        print("  K   bytes/transition   batches/level   bytes/state   seconds   times one engine")
        for partitions in map(int, arguments.partitions.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                row = measured(n, partitions, Path(folder))
            row["times"] = row["seconds"] / alone
            rows.append(row)
            print(
                f"{partitions:3}   {row['bytes_per_transition']:16.1f}   "
                f"{row['batches_per_level']:13.0f}   {row['bytes_per_state']:11.1f}   "
                f"{row['seconds']:7.2f}   {row['times']:.1f}"
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Measure how long the program cannot be stopped.

    python tools/dev/gaps.py [--seconds S] [--most S] [--jobs N] PLACE ...

Runs the usual commands on every input in some files and folders, and reports where two looks at
whether the work has to stop were longer apart than `--most` seconds (0.1 if not given): in the
engine, between which lines (`lts._engine.gaps`); in Python, where a signal was handled so late. The
times are those of the processor, so other programs change nothing. Each command is interrupted
after `--seconds`, and killed if it does not end then within ten times as long: this is reported,
too. The exit code is 1 if anything is reported.

`cases`, `tests/fuzz/corpus` and `benchmarks/specs` are good places.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
EXPLORED = ["--threads", "1", "--max-states", "1000000"]
PROCESS = [
    ["generate", "{}", "-o", "{out}", *EXPLORED],
    ["check", "{}", "deadlock-free", *EXPLORED],
    ["check", "{}", "nu X. <true>true && [true]X", *EXPLORED],
    ["compare", "{}", "{}", "-e", "branching"],
]
SYMMETRIC = [
    ["find-symmetry", "{}"],
    ["reduce", "{}", "--symmetry", "auto", "--count", *EXPLORED],
    ["reduce", "{}", "--symmetry", "auto", "--count", "--strategy", "enumerate", *EXPLORED],
]
SYSTEM = [
    ["minimise", "{}", "-o", "{out}", "-e", "branching"],
    ["minimise", "{}", "-o", "{out}", "-e", "weak"],
    ["compare", "{}", "{}", "-e", "ready-simulation"],
    ["compare", "{}", "{}", "--preorder", "simulation"],
    ["check", "{}", "[true*]<true>true"],
    ["find-symmetry", "{}"],
]
COMMANDS = {
    ".mcrl": PROCESS + SYMMETRIC,
    ".mcrl2": PROCESS + SYMMETRIC,
    ".lps": PROCESS,
    ".pnml": PROCESS,
    ".exp": [["compose", "{}", "-o", "{out}"]],
    ".aut": SYSTEM,
    ".lts": SYSTEM,
    ".dot": SYSTEM,
    ".fsm": SYSTEM,
}
"""The commands for each kind of file; `{}` is the file."""

WAITED = 200
"""How many times as long as its time of the processor a command may take on a busy machine."""

TICK = 0.02
"""Seconds between two signals."""


def commands(file: Path) -> list[list[str]]:
    """Return the commands for a file; none if its name has no known ending."""
    name = file.name.removesuffix(".gz")
    kind = Path(name).suffix or f".{file.parent.name}"
    kind = {".specification": ".mcrl", ".network": ".exp"}.get(kind, kind)
    return [
        [{"{}": str(file), "{out}": "/dev/null"}.get(word, word) for word in words]
        for words in COMMANDS.get(kind, [])
    ]


def measure(seconds: float, arguments: list[str]) -> None:
    """Run one command in this process, and print as JSON the times without a look."""
    import lts._engine as _engine
    from ltstool import signals
    from ltstool.main import main

    late: dict[str, float] = {}
    last = time.process_time()
    due = last + seconds

    def tick(_: int, frame: FrameType | None) -> None:
        nonlocal last, due
        now = time.process_time()
        if now > due:
            due = math.inf
            os.kill(os.getpid(), signal.SIGINT)
        if frame is not None:
            where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
            late[where] = max(late.get(where, 0.0), now - last - TICK)
        last = now

    most = math.ceil(11 * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    _engine.record_gaps()
    signals.handle()  # as the program does: it repeats an interrupt that a callback swallowed
    signal.signal(signal.SIGPROF, tick)
    signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
    with suppress(BaseException):
        main(arguments)
    signal.setitimer(signal.ITIMER_PROF, 0)
    found = _engine.gaps() + [(seconds, "a signal", where) for where, seconds in late.items()]
    sys.__stdout__ and print("\n" + json.dumps(found), file=sys.__stdout__)


def gaps(command: list[str], seconds: float) -> list[tuple[float, str, str]]:
    """Return the times without a look in a command that is interrupted after some seconds."""
    with suppress(subprocess.TimeoutExpired):
        child = subprocess.run(
            [sys.executable, __file__, "--", str(seconds), *command, "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            check=False,
            timeout=WAITED * seconds,
        )
        if child.returncode != -signal.SIGKILL:
            try:
                return [
                    (row[0], row[1], row[2]) for row in json.loads(child.stdout.split(b"\n")[-2])
                ]
            except (ValueError, IndexError):
                return [(0.0, "an interrupt", f"exit code {child.returncode}")]
    return [(10 * seconds, "an interrupt", "its end")]


def main() -> int:
    """Measure the commands for the places named on the command line."""
    if sys.argv[1:2] == ["--"]:
        measure(float(sys.argv[2]), sys.argv[3:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="after which to interrupt")
    parser.add_argument("--most", type=float, default=0.1, help="longer times are reported")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("places", nargs="+", type=Path, metavar="PLACE")
    arguments = parser.parse_args()
    files = [
        file
        for place in arguments.places
        for file in (sorted(place.rglob("*")) if place.is_dir() else [place])
    ]
    runs = [command for file in files for command in commands(file.resolve())]
    longest: dict[tuple[str, str], tuple[float, str]] = {}
    with ThreadPoolExecutor(arguments.jobs) as pool:
        found = pool.map(lambda command: gaps(command, arguments.seconds), runs)
        for command, own in zip(runs, found, strict=True):
            for seconds, *ends in own:
                known = longest.get((ends[0], ends[1]), (0.0, ""))
                longest[ends[0], ends[1]] = max(known, (seconds, " ".join(command)))
    shown = sorted(((time, *ends, by) for ends, (time, by) in longest.items()), reverse=True)
    late = [row for row in shown if row[0] > arguments.most]
    for seconds, begin, end, by in late or shown[:1]:
        print(f"{seconds:7.3f} s  {begin} .. {end}\n           ltstool {by}")
    print(f"{len(runs)} commands, {len(late)} pairs of places above {arguments.most:g} seconds")
    return int(bool(late))


if __name__ == "__main__":
    sys.exit(main())

"""Look for wrong answers with fresh random examples, for a given time: `make soak`.

Every random test compares the product with a definition. CI uses the same examples each time. Here
the files with such tests are run repeatedly, each time with a new seed and many examples, one file
per processor at a time. A failure is printed as shrunk by Hypothesis, with the command to reproduce
it; a test that does not terminate is a failure, too. The engine's own random tests are one more
file, `engine`. At the end the number of examples of each file is printed, if known. The exit code
is 1 if anything failed.

    python tools/dev/soak.py [--minutes M] [--jobs N] [--examples N] [--seed S] [TESTS ...]
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 2400
"""Seconds after which a test file is considered to hang."""
ENGINE = "engine"
FAILED = re.compile(r"^FAILED (\S+)", re.MULTILINE)
PASSED = re.compile(r"- (\d+) passing, \d+ failing")


@dataclass(frozen=True)
class Turn:
    """The result of running the random tests of one file once with one seed."""

    file: str
    seed: int
    code: int
    text: str

    @property
    def examples(self) -> int:
        """Return the number of random examples that passed."""
        return sum(map(int, PASSED.findall(self.text)))

    @property
    def failures(self) -> list[str]:
        """Return the tests that failed; the file itself if it did not finish."""
        return FAILED.findall(self.text) or ([self.file] if self.code not in (0, 5) else [])


def files(places: list[str]) -> list[str]:
    """Return the files with random tests, as paths in the project."""
    found = []
    for place in places:
        if place == ENGINE:
            found.append(place)
            continue
        path = ROOT / place
        for file in sorted(path.rglob("test_*.py")) if path.is_dir() else [path]:
            if re.search(r"^\s*@given\(|stateful", file.read_text(encoding="utf-8"), re.MULTILINE):
                found.append(str(file.relative_to(ROOT)))
    return found


def command(file: str, seed: int) -> list[str]:
    """Return the command that runs the random tests of a file with a seed (which the engine
    ignores)."""
    if file == ENGINE:
        return ["cargo", "test", "--quiet", "--locked", "--manifest-path", "engine/Cargo.toml"]
    options = ["--hypothesis-profile=soak", f"--hypothesis-seed={seed}", "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", "-m", "hypothesis", *options, file]


def run(file: str, seed: int, examples: int, until: float) -> Turn:
    """Run the random tests of a file once, aborting at the end of the time."""
    environment = {n: v for n, v in os.environ.items() if n != "CI"} | {"SOAK": str(examples)}
    environment["PROPTEST_CASES"] = str(examples)
    seconds = min(PATIENCE, until - time.monotonic())
    if seconds <= 0:
        return Turn(file, seed, 0, "")
    with tempfile.TemporaryFile("w+") as output:
        words = command(file, seed)
        words += [] if file == ENGINE else ["--hypothesis-show-statistics", "--tb=short"]
        process = subprocess.Popen(
            words,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
            code = 0 if seconds < PATIENCE else -1
        output.seek(0)
        text = output.read()
    if code < 0:
        text += f"\nno end in {PATIENCE} seconds\n"
    return Turn(file, seed, code, text)


def turns(names: list[str], chance: random.Random) -> Iterator[tuple[str, int]]:
    """Yield files endlessly, each with a new seed, in rounds through all of them."""
    while True:
        for file in chance.sample(names, len(names)):
            yield file, chance.randrange(1 << 32)


def soak(names: list[str], minutes: float, jobs: int, examples: int, seed: int) -> int:
    """Run random tests for a number of minutes; return the number of runs that failed."""
    until = time.monotonic() + 60 * minutes
    waiting = turns(names, random.Random(seed))
    looked, failed = Counter[str](), 0
    with ThreadPoolExecutor(jobs) as pool:
        running: set[Future[Turn]] = set()
        while time.monotonic() < until:
            while len(running) < jobs:
                running.add(pool.submit(run, *next(waiting), examples, until))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for turn in (future.result() for future in done):
                looked[turn.file] += turn.examples
                failed += bool(turn.failures)
                _tell(turn, examples)
        for future in running:
            looked[future.result().file] += future.result().examples
            failed += bool(future.result().failures)
            _tell(future.result(), examples)
    for name, count in sorted(looked.items()):
        print(f"{count:9} {name}")
    print(f"{sum(looked.values())} examples, {failed} runs failed", flush=True)
    return failed


def _tell(turn: Turn, examples: int) -> None:
    """Print the failures, and how to reproduce them."""
    if not turn.failures:
        return
    number = f"SOAK={examples} PROPTEST_CASES={examples}"
    again = " ".join([number, *command(turn.file, turn.seed)])
    print(f"== {', '.join(turn.failures)}\n{again}", flush=True)
    shown = turn.text.split("= Hypothesis Statistics =")[0]
    print(shown[-8000:], flush=True)


def main() -> int:
    """Parse the command line, and run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--examples", type=int, default=500, help="examples of a test in one run")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("tests", nargs="*", default=["tests", ENGINE])
    arguments = parser.parse_args()
    names = files(arguments.tests)
    print(f"{len(names)} files with random tests; --seed {arguments.seed}", flush=True)
    failed = soak(names, arguments.minutes, arguments.jobs, arguments.examples, arguments.seed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

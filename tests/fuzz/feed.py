"""Feeds readers with texts that were changed at random.

    python tests/fuzz/feed.py [--seconds S | --count N] [--seed K] [READER ...]

A text that makes a reader raise anything but `LtsError`, or that it is busy with for more than ten
seconds, is written to `found/` in the working folder, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    from readers import TARGETS, LtsError, Target
else:
    from fuzz.readers import TARGETS, LtsError, Target

LONGEST = 40_000
"""Bytes of a text: what is longer is cut."""
PATIENCE = 10
"""Seconds of processor time that one text may take, however busy the machine is."""


class Stuck(Exception):
    """A reader is busy for too long."""


def changed(
    chance: random.Random, text: bytes, seeds: list[bytes], words: tuple[bytes, ...]
) -> bytes:
    """Return a text with one or several changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 4, 8))):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((1, 1, 2, 4, 8, 32)))
        match chance.randrange(9):
            case 0:
                text = text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
            case 1:
                text = text[:at] + text[end:]
            case 2:
                text = text[:at] + chance.choice(words) + text[at:]
            case 3:
                text = text[:at] + chance.choice(words) + text[end:]
            case 4:
                text = text[:end] + text[at:]
            case 5:
                other = chance.choice(seeds)
                text = text[:at] + other[chance.randrange(len(other) + 1) :]
            case 6:
                text = text[:at]
            case 7:
                text = text[:at] + text[at:end] * chance.choice((2, 3, 20)) + text[end:]
            case 8:
                text = text[:at] + text[at:end][::-1] + text[end:]
    return text[:LONGEST]


class Texts:
    """Texts without end: those to start from, and changed ones."""

    def __init__(self, target: Target, seed: int) -> None:
        self.chance = random.Random(seed)
        self.words = target.words
        self.seeds = target.seeds()
        self.first = list(self.seeds)
        # What was accepted is a start for others; a few are kept.
        self.kept: list[bytes] = []

    def next(self) -> bytes:
        if self.first:
            return self.first.pop()
        starts = self.kept if self.kept and self.chance.random() < 0.3 else self.seeds
        return changed(self.chance, self.chance.choice(starts), self.seeds, self.words)

    def accept(self, text: bytes) -> None:
        if len(self.kept) < 500:
            self.kept.append(text)
        else:
            self.kept[self.chance.randrange(500)] = text


def is_accepted(target: Target, text: bytes) -> bool:
    """Read a text; whatever is raised but `LtsError` is raised."""
    try:
        target.read(text)
    except LtsError as error:
        # An error can be told, whatever it is about.
        str(error).encode("utf-8", "surrogateescape")
        return False
    return True


def fuzz(name: str, target: Target, seed: int, count: int | None, seconds: float | None) -> int:
    """Feed a reader; return how many texts went wrong."""
    begun = time.monotonic()
    done = accepted = wrong = 0
    source = Texts(target, seed)
    while (count is None or done < count) and (
        seconds is None or done % 64 or time.monotonic() - begun < seconds
    ):
        text = source.next()
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            is_one = is_accepted(target, text)
        except BaseException as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            if isinstance(error, KeyboardInterrupt):
                raise
            is_one, wrong = False, wrong + 1
            folder = Path("found")
            folder.mkdir(exist_ok=True)
            file = folder / f"{name}-{seed}-{done}"
            file.write_bytes(text)
            print(f"{name}: {type(error).__name__}: {error}: {file}", flush=True)
            if wrong >= 20:
                break
        signal.setitimer(signal.ITIMER_PROF, 0)
        done, accepted = done + 1, accepted + is_one
        if is_one and len(text) < 2_000:
            source.accept(text)
    taken = time.monotonic() - begun
    print(f"{name}: {done} texts in {taken:.0f} s, {accepted} accepted, {wrong} wrong", flush=True)
    return wrong


def stuck(number: int, frame: object) -> None:
    raise Stuck(f"more than {PATIENCE} seconds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, help="for each reader (default: 60)")
    parser.add_argument("--count", type=int, help="texts for each reader")
    # The same texts each time where `CI` is set, as of all random tests.
    seed = 1 if os.environ.get("CI") else int(time.time())
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--list", action="store_true", help="print the readers and stop")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(TARGETS))
        return 0
    if unknown := [name for name in arguments.readers if name not in TARGETS]:
        parser.error(f"no reader `{unknown[0]}`; there are {', '.join(TARGETS)}")
    seconds = arguments.seconds if arguments.count or arguments.seconds else 60.0
    signal.signal(signal.SIGPROF, stuck)
    print(f"seed {arguments.seed}")
    wrong = 0
    for name in arguments.readers or TARGETS:
        wrong += fuzz(name, TARGETS[name], arguments.seed, arguments.count, seconds)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Measurements in a child process: wall-clock and processor time, peak memory, medians."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["PROGRAM", "Measured", "calibration", "measure", "run_once"]

PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
"""The command that runs ltstool, as in `[*PROGRAM, "info", "a.aut"]`."""

_SAMPLE = 0.002  # initial interval between samples of the child's memory, in seconds
_SLOWEST = 0.05


@dataclass(frozen=True)
class Measured:
    """The runs of one command: medians, and the output of the last run.

    Times are in seconds; `memory` is the largest peak of anonymous resident memory in bytes
    (allocated by the program, without mapped files). It is sampled, so a peak of some milliseconds
    may be missed.
    """

    wall: float
    processor: float
    memory: int
    walls: tuple[float, ...]
    status: int
    output: bytes
    errors: bytes

    def as_dict(self) -> dict[str, Any]:
        """Return the figures without the output, for JSON."""
        figures = asdict(self)
        del figures["output"], figures["errors"]
        return figures


def measure(
    task: Sequence[str | os.PathLike[str]] | Callable[[], object],
    *,
    repeat: int = 5,
    timeout: float | None = None,
    check: bool = True,
    stdin: bytes = b"",
) -> Measured:
    """Run a command, or a callable in a forked child, `repeat` times.

    The result of a callable is in `output` as JSON. Raises `RuntimeError` for an exit code other
    than 0 unless `check` is false, `subprocess.TimeoutExpired` after `timeout` seconds of one run.
    """
    runs = [run_once(task, timeout=timeout, stdin=stdin) for _ in range(repeat)]
    last = runs[-1]
    if check and last.status != 0:
        raise RuntimeError(f"exit code {last.status}: {last.errors.decode(errors='replace')}")
    return Measured(
        wall=statistics.median(run.wall for run in runs),
        processor=statistics.median(run.processor for run in runs),
        memory=max(run.memory for run in runs),
        walls=tuple(run.wall for run in runs),
        status=last.status,
        output=last.output,
        errors=last.errors,
    )


def run_once(
    task: Sequence[str | os.PathLike[str]] | Callable[[], object],
    *,
    timeout: float | None = None,
    stdin: bytes = b"",
) -> Measured:
    """Run a command, or a callable in a forked child, once, accepting any exit code."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(stdin)
        given.seek(0)
        start = time.perf_counter()
        if callable(task):
            child = _forked(task, out.fileno(), errors.fileno())
        else:
            command = [os.fspath(part) for part in task]
            files = zip((given, out, errors), range(3), strict=True)
            actions = [(os.POSIX_SPAWN_DUP2, file.fileno(), number) for file, number in files]
            child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        end, status, usage, memory = _wait(child, None if timeout is None else start + timeout)
        if status is None:
            raise subprocess.TimeoutExpired(str(task), timeout or 0)
        out.seek(0)
        errors.seek(0)
        return Measured(
            wall=end - start,
            processor=usage.ru_utime + usage.ru_stime,
            memory=memory,
            walls=(end - start,),
            status=os.waitstatus_to_exitcode(status),
            output=out.read(),
            errors=errors.read(),
        )


def calibration() -> float:
    """Return the seconds that a fixed piece of pure Python takes, a measure of the current speed.

    It makes figures comparable that were taken at different times on a shared machine.
    """
    start = time.perf_counter()
    table: dict[int, int] = {}
    for i in range(1_000_000):
        table[i * 7919 % 65_536] = i
    return time.perf_counter() - start


def _forked(task: Callable[[], object], out: int, errors: int) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.dup2(out, 1)
        os.dup2(errors, 2)
        os.write(1, json.dumps(task()).encode())
        status = 0
    except BaseException as error:
        os.write(2, repr(error).encode())
    finally:
        os._exit(status)


def _wait(child: int, deadline: float | None) -> tuple[float, int | None, Any, int]:
    """Wait for a child; return its end time, its status (None: it was killed), its usage, its
    peak."""
    peak, done = 0, threading.Event()

    def sample() -> None:
        nonlocal peak
        pause = _SAMPLE
        while not done.wait(pause):
            peak = max(peak, _anonymous(child))
            pause = min(pause * 1.05, _SLOWEST)

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    killed = False
    killer = None
    if deadline is not None:

        def kill() -> None:
            nonlocal killed
            killed = True
            os.kill(child, 9)

        killer = threading.Timer(max(0.0, deadline - time.perf_counter()), kill)
        killer.start()
    _, status, usage = os.wait4(child, 0)
    end = time.perf_counter()
    done.set()
    if killer is not None:
        killer.cancel()
    sampler.join()
    return end, None if killed else status, usage, peak


def _anonymous(process: int) -> int:
    """Return the anonymous resident memory of a process in bytes, 0 if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0

"""The program as a process of its own, under limits of the system."""

import os
import resource
import subprocess
import sys
from pathlib import Path

PATIENCE = 1000
"""Seconds after which a program certainly hangs, even on a slow and busy machine."""
CASES = Path(__file__).parents[1] / "cases"
PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]


def start(*words, limits=(), program=PROGRAM, **options):
    """Start the program; `limits` are pairs of a resource and a number."""

    def limit():
        for kind, most in limits:
            resource.setrlimit(kind, (most, most))

    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [*program, *map(str, words)]
    # Backtraces of Rust need memory when the engine panics.
    environment = {name: value for name, value in os.environ.items() if "BACKTRACE" not in name}
    return subprocess.Popen(
        command, env=environment, **{"preexec_fn": limit if limits else None} | streams | options
    )


def outcome(*words, seconds=PATIENCE, **options):
    """Run the program; return its exit code, standard output and standard error."""
    process = start(*words, **options)
    printed, messages = process.communicate(timeout=seconds)
    return process.returncode, printed.decode(), messages.decode()


# Starts a program, and prints its peak memory and its exit code. A process starts with its parent's
# peak, so the parent must be smaller than the program measured, unlike the process of the tests.
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


def work_of_children():
    """Return the processor time in seconds of the child processes that have ended.

    Used instead of wall-clock time to test how fast something ends on a shared machine.
    """
    times = os.times()
    return times.children_user + times.children_system


def peak_memory(*words):
    """Run the program; return its peak memory (KiB), its exit code and its standard error."""
    command = [sys.executable, "-S", "-c", MEASURE, *PROGRAM, *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    most, code = map(int, run.stdout.split())
    return most, code, run.stderr


def names(folder):
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())

"""A run on a cluster that is interrupted, wherever it is at, ends with all its processes."""

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("cluster")
pytest.importorskip("ray", reason="no ray: `make cluster-test`")
CASES = Path(__file__).parents[2] / "cases"
PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
PETERSON = [
    "generate",
    CASES / "peterson.mcrl",
    "--cluster",
    "--partitions",
    "2",
    "-o",
    "out.parts",
]
SECONDS = 600


@pytest.fixture
def mark():
    """What the processes of a run have in their environment."""
    return f"ltstool_test={uuid.uuid4().hex}"


def there(mark):
    """The processes of a run that are there."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if mark.encode() in Path("/proc", number, "environ").read_bytes():
                found.append(Path("/proc", number, "cmdline").read_bytes())
        except OSError:
            continue
    return found


def start(mark, folder, *words):
    name, value = mark.split("=")
    return subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        cwd=folder,
        env=os.environ | {name: value},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process, event):
    """Wait until something is so, or the process has ended."""
    end = time.monotonic() + SECONDS
    while process.poll() is None and not event():
        assert time.monotonic() < end
        time.sleep(0.01)


def interrupted(process, mark, *numbers):
    """Send signals; return the exit code and what was told, when all processes are gone."""
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.02)
    printed, reported = process.communicate(timeout=SECONDS)
    assert printed == ""
    assert "Traceback" not in reported
    assert "SIG" not in reported
    wait_for_none = time.monotonic() + 5
    while there(mark) and time.monotonic() < wait_for_none:
        time.sleep(0.1)
    assert there(mark) == []
    return process.returncode, reported


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_during_start(tmp_path, mark, number):
    process = start(mark, tmp_path, *PETERSON, "--set", "N=6")
    # Ray starts its processes one after the other.
    wait_for(process, lambda: len(there(mark)) > 1 + (number == signal.SIGINT))
    assert interrupted(process, mark, number, number)[0] == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("numbers", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM]])
def test_interrupt_during_levels(tmp_path, mark, numbers):
    log = tmp_path / "out.parts.run" / "levels.jsonl"
    process = start(mark, tmp_path, *PETERSON, "--set", "N=5")
    wait_for(process, lambda: log.is_file() and log.read_bytes().count(b"\n") > 4)
    code, reported = interrupted(process, mark, *numbers)
    assert code == 130
    if numbers[0] == signal.SIGINT:
        assert "--resume goes on with this run" in reported
        assert "states and" in reported
    assert [file.name for file in tmp_path.iterdir()] == ["out.parts.run"]
    resumed = start(mark, tmp_path, *PETERSON, "--set", "N=5", "--resume", "-q")
    assert resumed.communicate(timeout=SECONDS)[1] == ""
    assert resumed.returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["out.parts"]
    assert there(mark) == []


def test_interrupt_at_random_times(tmp_path, mark):
    seed = random.randrange(10**9)
    chosen = random.Random(seed)
    for attempt in range(4):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        process = start(mark, folder, *PETERSON, "--set", "N=3")
        wait_for(process, lambda: len(there(mark)) > 1)
        time.sleep(chosen.uniform(0, 9))
        number = chosen.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        # All may be done just then.
        assert interrupted(process, mark, number)[0] in (0, 130), (seed, attempt)


def test_time_limit_stops_the_cluster(tmp_path, mark):
    process = start(mark, tmp_path, *PETERSON, "--set", "N=6", "--timeout", "2")
    code, reported = interrupted(process, mark)
    assert code == 3
    assert reported.startswith("ltstool: error: more than 2")

"""Files appear whole or not at all, several of one command all or none, whatever happens."""

import os
import random
import resource
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

from aut_format.output import replacing, together, writing
from programs import CASES, PATIENCE, names, outcome, start

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files of POSIX")

ABP = [CASES / "abp.mcrl", "--set", "N=3"]
PETERSON = [CASES / "peterson.mcrl", "--set", "N=4"]
REDUCE = ["reduce", *ABP, "--symmetry", "(d1 d2 d3)", "-o", "r.aut"]
SYMMETRIC = 'des (0,4,3)\n(0,"a(x)",1)\n(0,"a(y)",2)\n(1,"b(x)",0)\n(2,"b(y)",0)\n'
OTHER = 'des (0,1,2)\n(0,"a(x)",1)\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def disk(tmp_path):
    """A disk of 64 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted")
    yield place
    os.chdir("/")  # nobody may be there
    subprocess.run(["umount", str(place)], check=True)


WRITING = [
    (REDUCE, ["r.aut", "r.aut.sym"]),
    (
        ["minimise", "s.aut", "-e", "strong", "-o", "r.aut", "--classes", "c"],
        ["c", "r.aut"],
    ),
    (
        ["reduce", "s.aut", "--permute", "(x y)", "-o", "r.aut", "--certificate", "c"],
        ["c", "r.aut", "r.aut.sym"],
    ),
    (
        ["compare", "s.aut", "o.aut", "-e", "strong", "--evidence", "e", "--trace", "t"],
        ["e", "t"],
    ),
    (
        ["generate", *ABP, "--find", "r1(d1)", "--find", "r1(d2)", "--traces", "2", "--trace", "t"],
        None,
    ),
]


@pytest.mark.parametrize(("command", "files"), WRITING)
def test_full_disk_leaves_all_files_or_none(disk, monkeypatch, command, files):
    inputs = {"s.aut": SYMMETRIC, "o.aut": OTHER}
    for name, text in inputs.items():
        Path(name).write_text(text)
    words = [str(disk.parent / word) if word in inputs else word for word in command]
    monkeypatch.chdir(disk)
    seen = set()
    for pages in (0, 1, 2, 3, 5):
        for old in disk.iterdir():
            old.unlink()
        (disk / "taken").write_bytes(b"x" * (65536 - 4096 * pages))
        for name in files or ():
            (disk / name).touch()  # takes no page
        code, _, messages = outcome(*words)
        seen.add(code)
        there = [name for name in names(disk) if name != "taken" and (disk / name).stat().st_size]
        if code == 2:
            assert "No space left on device" in messages
            assert "Traceback" not in messages
            assert there == []
            assert names(disk) == sorted(["taken", *(files or ())])
        elif files is not None:
            assert there == files
    assert len(seen) == 2


@pytest.mark.parametrize("most", [0, 100, 4096])
def test_a_limit_on_the_size_of_files(folder, most):
    limits = [(resource.RLIMIT_FSIZE, most)]
    code, _, messages = outcome("generate", *PETERSON, "-o", "x.aut", limits=limits)
    assert (code, messages) == (2, "ltstool: error: x.aut: File too large\n")
    assert names(folder) == []


def test_failed_rename_rolls_back_all_files(folder):
    (folder / "a").write_text("old a")
    (folder / "blocked").mkdir()

    def write():
        with together():
            for name in ("a", "b", "c"):
                with writing(name) as file:
                    file.write(b"new")
            assert (folder / "a").read_text() == "old a"
            # Between the last byte and the names, somebody puts a folder there.
            (folder / "c").mkdir()

    with pytest.raises(OSError, match="c"):
        write()
    (folder / "c").rmdir()
    assert names(folder) == ["a", "blocked"]
    assert (folder / "a").read_text() == "old a"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_error_between_two_files_leaves_no_file(folder, error):
    def write():
        with together(), writing("a") as file:
            with writing("b") as other:
                other.write(b"whole")
            file.write(b"half")
            raise error

    with pytest.raises(error):
        write()
    assert names(folder) == []


def test_long_names_are_shortened_by_bytes(folder):
    name = "\u6f22" * 80 + ".aut"
    with replacing(name) as file:
        file.write(b"x")
    assert [path.name for path in folder.iterdir()] == [name]


def test_read_only_folders_give_one_error(folder):
    if os.geteuid() == 0:
        place = Path("/proc")  # where not even root writes
    else:
        place = folder / "closed"
        place.mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    code, _, messages = outcome(*REDUCE[:-1], place / "r.aut")
    assert code == 2
    assert messages.startswith(f"ltstool: error: {place}/r.aut")
    assert messages.count("\n") == 1


def test_concurrent_writers_do_not_interleave(folder):
    (folder / "s.aut").write_text(SYMMETRIC)
    words = ["convert", "s.aut", "out.aut"]
    processes = [start(*words) for _ in range(6)]
    assert [process.wait(60) for process in processes] == [0] * 6
    for process in processes:
        process.communicate()
    assert names(folder) == ["out.aut", "s.aut"]
    assert (folder / "out.aut").read_text() == SYMMETRIC


ENDING = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGALRM", "SIGXCPU"]


@pytest.mark.parametrize("name", ENDING)
def test_terminating_signals_remove_partial_files(folder, name):
    process = start("generate", CASES / "peterson.mcrl", "--set", "N=7", "-o", "x.aut")
    while process.poll() is None and not names(folder):
        time.sleep(0.01)
    process.send_signal(getattr(signal, name))
    process.send_signal(signal.SIGTERM)
    _, messages = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in messages
    assert b"Exception" not in messages
    assert names(folder) == []


def test_random_signals_leave_no_partial_output(folder):
    """Also while the program is loaded, and while files get their names."""
    random.seed(7)
    for _ in range(25):
        process = start(*REDUCE)
        time.sleep(random.random() * 0.4)
        # Before the program is begun Python itself answers to an interrupt.
        process.send_signal(random.choice([signal.SIGHUP, signal.SIGTERM]))
        printed, messages = process.communicate(timeout=PATIENCE)
        assert process.returncode in (0, 130, -signal.SIGHUP, -signal.SIGTERM), messages
        left = names(folder)
        assert left in ([], ["r.aut", "r.aut.sym"])
        assert printed == b""
        assert b"Traceback" not in messages
        for file in left:
            (folder / file).unlink()

"""Where the system allows no threads: an answer, or one line that says so."""

import ctypes
import os
import resource
import sys

import pytest

from programs import CASES, names, outcome

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")

DROP = 24
"""The number of `PR_CAPBSET_DROP`."""
RESOURCE, ADMIN = 24, 21
"""What lets a process pass the limit."""
NOBODY = 65534


def without_threads():
    if os.getuid() == 0:
        # Nobody's limits hold, and files are read as before.
        for capability in (RESOURCE, ADMIN):
            ctypes.CDLL(None).prctl(DROP, capability, 0, 0, 0)
        os.setresuid(NOBODY, 0, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f'({s},"a(p{s % 2 + 1})",{(s * 7919) % 50_000})\n' for s in range(50_000)]
    (tmp_path / "large.aut").write_text(f"des (0,{len(rows)},50000)\n{''.join(rows)}")
    return tmp_path


ABP = CASES / "abp.mcrl"


@pytest.mark.parametrize(
    "words",
    [
        ["generate", ABP, "-o", "out"],
        ["generate", ABP, "-o", "out", "--threads", "2"],
        ["generate", ABP, "-o", "out", "--timeout", "60", "--max-memory", "1G"],
        ["reduce", ABP, "--permute", "(d1 d2)", "-o", "out"],
        ["find-symmetry", ABP],
        ["linearise", ABP, "-o", "out"],
        ["simulate", ABP],
        ["minimise", "large.aut", "-e", "strong", "-o", "out"],
        ["compare", "large.aut", "large.aut", "-e", "weak"],
        ["check", "large.aut", "nu X. <true>X"],
        ["info", "large.aut"],
        ["convert", "large.aut", "out"],
    ],
)
def test_unavailable_threads_are_reported(folder, words):
    code, _, messages = outcome(*words, preexec_fn=without_threads)
    assert code in (0, 3), messages
    assert "Traceback" not in messages
    assert "panicked" not in messages
    if words[0] == "generate":
        assert code == 3  # the limit is one
    if code == 3:
        assert (
            messages == "ltstool: error: the operating system refused to start another thread: "
            "use fewer with --threads\n"
        )
        assert names(folder) == ["large.aut"]

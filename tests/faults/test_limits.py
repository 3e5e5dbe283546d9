"""`--timeout` and `--max-memory` hold whatever a command is at, and memory may be refused."""

import os
import resource
import subprocess
import sys

import pytest

from ltstool.commands import info
from ltstool.main import main
from ltstool.shared.limits import Passed
from programs import CASES, names, outcome, peak_memory, work_of_children

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")

# One term is rewritten for ever, and takes more memory with each step.
GROWING = f"""
sort Bool D
func T,F:->Bool z:->D c:{"#".join(["D"] * 60)}->D
map f:D->D
var n:D
rew f(n)=f(c({",".join(["n"] * 60)}))
act a:D
proc X(n:D)=a(n).X(n)
init X(f(z))
"""

PETERSON = [CASES / "peterson.mcrl", "--set", "N=7"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file that takes some seconds to be read and minimised."""
    file = tmp_path_factory.mktemp("large") / "large.aut"
    rows = [
        f'({s},"a{s % 7}",{(s * 7919 + k) % 500_000})\n' for s in range(500_000) for k in (1, 2)
    ]
    file.write_text(f"des (0,{len(rows)},500000)\n{''.join(rows)}")
    return file


@pytest.mark.parametrize("options", [[], ["--symmetry", "()"]])
def test_memory_is_checked_during_rewriting(folder, options):
    (folder / "growing.mcrl").write_text(GROWING)
    most, code, reported = peak_memory(
        "generate", "growing.mcrl", "--max-memory", "100M", "-o", "out.aut", *options
    )
    assert code == 3
    assert reported.startswith("ltstool: error: more than 100 MB of memory")
    assert most < 400_000
    assert names(folder) == ["growing.mcrl"]


def test_time_limit_holds_while_reading_and_linearising(folder):
    begin = work_of_children()
    file = CASES / "butler.mcrl"
    words = ["generate", file, "--set", "N=99", "--timeout", "0.2", "-o", "out.aut"]
    code, printed, reported = outcome(*words)
    assert (code, printed) == (3, "")
    doing = " while linearising the specification"
    assert (
        reported == f"ltstool: error: more than 0.2 seconds{doing}, before anything was explored\n"
        or reported == "ltstool: error: more than 0.2 seconds, before anything was explored\n"
    )
    assert work_of_children() - begin < 8
    assert names(folder) == []


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_limit_before_exploration_reports_empty_results(folder, packed):
    out = f"out.aut{packed}"
    words = ["generate", *PETERSON, "-o", out, "--json", "--timeout", "0.001"]
    found = '"found": {"states": 0, "transitions": 0, "levels": 0, "deadlocks": 0}'
    code, printed, _ = outcome(*words)
    assert (code, names(folder)) == (3, [])
    assert found in printed
    code, printed, _ = outcome(*words, "--partial")
    assert (code, names(folder)) == (3, [out])
    assert found in printed
    assert outcome("info", out)[0] == 2
    assert '"states": 1, ' in outcome("info", out, "--salvage", "--json")[1]


@pytest.mark.parametrize(
    "command",
    [
        ["info", "LARGE"],
        ["minimise", "LARGE", "-e", "strong", "-o", "out.aut"],
        ["compare", "LARGE", "LARGE", "-e", "branching"],
        ["check", "LARGE", "nu X. <true>true && [true]X"],
        ["convert", "LARGE", "out.aut", "--reachable"],
        ["find-symmetry", "LARGE"],
        ["check-symmetry", "LARGE", "--permute", "(a1 a2)"],
        ["reduce", "LARGE", "--permute", "(a1 a2)", "-o", "out.aut"],
        ["draw", "LARGE", "-o", "out.svg"],
        ["reduce", *PETERSON, "--symmetry", "Pid", "-o", "out.aut"],
        ["check-symmetry", *PETERSON, "--symmetry", "(p1 p2)"],
        ["generate", *PETERSON, "-o", "out.aut"],
    ],
)
@pytest.mark.parametrize(
    ("limit", "reported"),
    [
        (["--timeout", "0.01"], "ltstool: error: more than 0.01 seconds"),
        (["--max-memory", "9M"], "ltstool: error: more than 9 MB of memory"),
    ],
)
def test_every_command_has_limits(folder, large, command, limit, reported):
    words = [large if word == "LARGE" else word for word in command]
    code, printed, said = outcome(*words, *limit, "-q")
    assert (code, printed) == (3, "")
    assert said.startswith(reported)
    assert said.count("\n") == 1
    assert names(folder) == []


def test_limits_are_reported_as_json(folder, large):
    code, printed, _ = outcome("info", large, "--json", "--timeout", "0.1")
    assert (code, printed) == (
        3,
        '{"limit": 0.1, "found": {}, "error": "more than 0.1 seconds"}\n',
    )


OF_PYTHON = ("MemoryError: ", "Exception ignored in sys.unraisablehook: ")


@pytest.mark.parametrize("megabytes", [50, 70, 150])
@pytest.mark.parametrize(
    "command",
    [
        ["generate", *PETERSON, "-o", "out.aut"],
        ["reduce", *PETERSON, "--symmetry", "Pid", "-o", "out.aut"],
        ["minimise", "LARGE", "-e", "strong", "-o", "out.aut"],
        ["compare", "LARGE", "LARGE", "-e", "weak"],
    ],
)
def test_memory_that_is_refused_is_a_limit(folder, large, command, megabytes):
    words = [large if word == "LARGE" else word for word in command]
    limits = [(resource.RLIMIT_AS, megabytes << 20)]
    code, printed, said = outcome(*words, "-q", "--timeout", "1", limits=limits)
    if code == 0:  # it was enough
        return
    assert (code, printed) == (3, "")
    # Python may say so first, where it has no memory left to ask how that is to be said.
    own = [line for line in said.splitlines() if not line.startswith(OF_PYTHON)]
    assert len(own) == 1
    assert own[0].startswith("ltstool: error: ")
    assert names(folder) == []


def test_evaluation_can_be_interrupted():
    script = f"""
import signal
from lts import mucrl
from lts.mucrl import evaluate
specification = mucrl.read_text({GROWING!r})
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    evaluate(specification, "f(z)")
except KeyboardInterrupt:
    print("interrupted")
print(evaluate(specification, "z"))
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (process.stdout, process.stderr) == (b"interrupted\nz\n", b"")


def test_limits_are_reported_despite_other_errors(monkeypatch, capsys):
    def run(request):
        try:
            request.watch.limits(None, 1)
        except Passed:
            raise SystemError("an import was interrupted") from None

    monkeypatch.setattr(info, "run", run)
    assert main(["info", "a.aut", "--max-memory", "1"]) == 3
    assert capsys.readouterr().err == "ltstool: error: more than 0 MB of memory\n"

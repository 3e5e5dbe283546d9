"""Signals and closed streams: nothing half done is left, no traceback seen, the code is right."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from programs import PATIENCE, work_of_children

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals and streams")

CASES = Path(__file__).parents[2] / "cases"
PETERSON = [str(CASES / "peterson.mcrl"), "--set", "N=7"]
PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
SWAP = "(p1 p2)"
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SMALL = 'des (0,2,2)\n(0,"a",1)\n(1,"b",0)\n'


# All that there is of it is one state, and that takes minutes.
ONE_STATE = """
sort Bool Nat
func T,F:->Bool 0:->Nat S:Nat->Nat
map f,plus:Nat#Nat->Nat lt:Nat#Nat->Bool h:->Nat
var x,y:Nat
rew lt(x,0)=F lt(0,S(x))=T lt(S(x),S(y))=lt(x,y)
    plus(0,y)=y plus(S(x),y)=S(plus(x,y))
    f(0,y)=y f(S(x),y)=f(x,plus(y,y))
    h=f(S(S(S(S(S(S(S(S(S(S(0)))))))))),S(0))
act a:Nat
proc X = sum(n:Nat,a(f(S(S(S(S(S(S(S(0))))))),plus(n,n))).X <| lt(n,h) |> delta)
init X
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Otherwise Python itself would write each piece at once.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    return tmp_path


def start(*arguments, **options):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], **streams | options)


def two_chains(length):
    """Return the text of a system with a symmetry that takes long to be used."""
    rows = []
    for branch in (0, 1):
        states = [0, *range(1 + branch * length, 1 + (branch + 1) * length)]
        rows += [f'({s},"a(p{branch + 1})",{t})\n' for s, t in pairwise(states)]
    return f"des (0,{len(rows)},{2 * length + 1})\n{''.join(rows)}".encode()


@pytest.fixture(scope="module")
def chains():
    return two_chains(100_000)


def wait_until_signals_are_handled(process):
    """Wait until the program handles signals itself."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        time.sleep(2)
        return
    while process.poll() is None:
        caught = next(line for line in status.read_text().splitlines() if "SigCgt" in line)
        if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.01)


def wait_until_at_work(process):
    """Wait until the program has worked for some time more, however busy the machine is; or waits
    for something itself."""
    stat = Path(f"/proc/{process.pid}/stat")
    if not stat.exists():
        time.sleep(2)
        return

    def worked():
        """Hundredths of a second, and whether it is at work."""
        fields = stat.read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        return ticks * 100 // os.sysconf("SC_CLK_TCK"), fields[0] != "S"

    begun, idle = worked()[0], 0
    while process.poll() is None and idle < 30:
        ticks, busy = worked()
        if ticks >= begun + 15:
            return
        idle = 0 if busy else idle + 1
        time.sleep(0.01)


def ended(process, number, *more):
    """Send signals to a program at work, and return the exit code and what it told."""
    wait_until_signals_are_handled(process)
    wait_until_at_work(process)
    for each in (number, *more):
        process.send_signal(each)
    begin = work_of_children()
    printed, reported = process.communicate(timeout=PATIENCE)
    assert printed == b""
    # It had to start, and was at work before.
    assert work_of_children() - begin < 50
    return process.returncode, reported


def sizes(folder):
    """Bytes of the files in a folder that are not empty, and not gone by now."""
    found = []
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            found.append(path.stat().st_size)
    return [size for size in found if size]


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize(
    "command",
    [
        ["generate", *PETERSON, "-o", "out.aut"],
        ["generate", *PETERSON, "-o", "out.aut", "--threads", "2"],
        ["generate", *PETERSON, "-o", "out.aut", "--check"],
    ],
)
def test_signals_remove_incomplete_files(folder, command, number):
    process = start(*command)
    # A file is there before anything is explored: it is tried whether it can be written.
    while process.poll() is None and not sizes(folder):
        time.sleep(0.02)
    # A second signal comes while the first has files taken away.
    code, reported = ended(process, number, number)
    assert code == 130
    assert (b"interrupted; " in reported) == (number == signal.SIGINT)
    assert b"Traceback" not in reported
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    "command",
    [
        ["check-symmetry", "pipe", "--permute", SWAP],
        ["reduce", "pipe", "--permute", SWAP, "-o", "out.aut"],
        ["compare", "pipe", "pipe", "-e", "simulation", "--evidence", "out"],
    ],
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_work_on_a_system(folder, chains, command, number):
    os.mkfifo("pipe")
    process = start(*command)
    Path("pipe").write_bytes(chains)  # returns when all was read
    assert ended(process, number) == (130, b"")
    assert [path.name for path in folder.iterdir()] == ["pipe"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_an_expansion(folder, number):
    """131,072,000 transitions come of a small file."""
    mutex, symmetry = CASES / "mutex.mcrl", CASES / "mutex.sym"
    reducing = start("reduce", mutex, "--set", "N=20", "--symmetry", symmetry, "-o", "small.aut")
    reducing.communicate(timeout=PATIENCE)
    assert reducing.returncode == 0
    os.mkfifo("pipe")
    process = start("expand", "pipe", "--symmetry", "small.aut.sym", "-o", "out.aut")
    Path("pipe").write_bytes(Path("small.aut").read_bytes())
    assert ended(process, number) == (130, b"")
    assert not Path("out.aut").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["generate", "-", "-o", "out.aut"],
        ["generate", "-", "-o", "out.aut", "--threads", "2"],
        ["generate", "-", "-o", "out.aut", "--symmetry", "()"],
    ],
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_work_on_one_state(folder, command, number):
    process = start(*command, stdin=subprocess.PIPE)
    process.stdin.write(ONE_STATE.encode())
    process.stdin.close()
    process.stdin = None
    while process.poll() is None and not list(folder.iterdir()) and "--symmetry" not in command:
        time.sleep(0.02)
    code, reported = ended(process, number)
    assert code == 130
    assert b"Traceback" not in reported
    assert not list(folder.iterdir())


@pytest.mark.parametrize("threads", [1, 2])
def test_a_time_limit_holds_within_one_state(folder, threads):
    (folder / "one.mcrl").write_text(ONE_STATE)
    begin = work_of_children()
    process = start("generate", "one.mcrl", "-o", "out.aut", "--timeout", "1", "--threads", threads)
    printed, reported = process.communicate(timeout=PATIENCE)
    assert (process.returncode, printed) == (3, b"")
    assert reported.startswith(b"ltstool: error: more than 1 second")
    assert work_of_children() - begin < 30
    assert [path.name for path in folder.iterdir()] == ["one.mcrl"]


def test_interrupt_during_import_prints_no_message():
    script = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "ltstool.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
import runpy
runpy.run_module("ltstool", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_ignored_signals_stay_ignored():
    process = start(
        "simulate",
        CASES / "abp.mcrl",
        stdin=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    process.communicate(b"quit\n", timeout=PATIENCE)
    assert process.returncode == 0


def test_simulate_survives_interrupts_but_not_termination():
    terminal, inside = pty.openpty()
    process = start("simulate", CASES / "abp.mcrl", stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    shown = b""

    def read(seconds):
        """Read what is shown, if anything is within so long."""
        nonlocal shown
        if not select.select([terminal], [], [], seconds)[0]:
            return False
        with suppress(OSError):  # the terminal is gone when the program has ended
            shown += os.read(terminal, 4096)
        return True

    while not shown.endswith(b"> "):
        read(60)
    for _ in range(3):
        # One that comes right before the terminal is waited for is heeded after the next.
        while not read(0.5):
            process.send_signal(signal.SIGINT)
    while process.poll() is None:
        process.send_signal(signal.SIGTERM)
        read(0.5)
    os.close(terminal)
    assert process.wait(60) == 130
    assert b"Traceback" not in shown


def test_exceptions_of_signal_handlers_propagate():
    script = f"""
import signal
from lts import mucrl
from lts.state_space import Limits, Settings
class Enough(Exception): pass
def handler(number, frame): raise Enough
signal.signal(signal.SIGALRM, handler)
process = mucrl.linearise(mucrl.read({PETERSON[0]!r}, parameters={{"N": 7}}))
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    mucrl.generate(process)
except Enough:
    print("enough")
print(mucrl.explore(process, Settings(limits=Limits(states=1000))).incomplete)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"enough\nstates\n", b"")


def outcome(command, redirections):
    """Return the exit code and the last line told of a command of the shell."""
    words = subprocess.list2cmdline([*PROGRAM, *command])
    done = subprocess.run(
        ["sh", "-c", f"{words} {redirections}"], capture_output=True, check=False, text=True
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    return done.returncode, (done.stderr.splitlines() or [""])[-1]


PRINTING = [
    ["info", "small.aut"],
    ["info", "small.aut", "--json"],
    ["convert", "small.aut"],
    ["generate", str(CASES / "abp.mcrl")],
    ["find-symmetry", "small.aut"],
    ["check", "small.aut", "nu X.X"],
    ["compare", "small.aut", "small.aut", "-e", "strong"],
    ["draw", "small.aut"],
    ["--version"],
    ["info", "--help"],
]


@pytest.mark.parametrize(
    ("redirection", "why"), [(">/dev/full", "No space left on device"), (">&-", "Bad file")]
)
@pytest.mark.parametrize("command", PRINTING)
def test_unwritable_standard_output_is_an_error(folder, command, redirection, why):
    (folder / "small.aut").write_text(SMALL)
    code, reported = outcome(command, redirection)
    assert code == 2
    assert reported.startswith(f"ltstool: error: standard output: {why}")


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-", "| true"])
def test_errors_are_shown_when_json_is_unwritable(redirection):
    code, reported = outcome(["info", "none.aut", "--json"], redirection)
    assert code == (0 if "|" in redirection else 2)
    assert reported == "ltstool: error: none.aut: No such file or directory"


@pytest.mark.parametrize(
    "command",
    [["info"], ["generate", "-"], ["simulate", "small.aut"], ["minimise", "-e", "weak"]],
)
def test_standard_input_that_is_closed_is_an_error(folder, command):
    (folder / "small.aut").write_text(SMALL)
    assert outcome(command, "<&-") == (2, "ltstool: error: standard input: Bad file descriptor")


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
def test_closed_standard_error_does_not_redirect_messages(folder, redirection):
    (folder / "small.aut").write_text(SMALL)
    quiet = outcome(["convert", "small.aut", "out.aut", "--tau", "none"], redirection)
    assert quiet == (0, "")
    assert (folder / "out.aut").read_text() == SMALL
    assert outcome(["info", "none.aut"], redirection) == (2, "")
    remarking = ["convert", "small.aut", "--tau", "none"]
    assert outcome(remarking, f"{redirection} >out.aut") == (0, "")
    assert (folder / "out.aut").read_text() == SMALL


@pytest.mark.parametrize(
    "command",
    [
        ["minimise", "large.aut", "-e", "strong", "--classes", "classes"],
        ["reduce", "large.aut", "--permute", SWAP, "--write-symmetry", "symmetry"],
    ],
)
def test_closed_pipe_leaves_no_partial_file(folder, command):
    (folder / "large.aut").write_bytes(two_chains(10_000))
    with start(*command) as process:
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == -signal.SIGPIPE
    assert [path.name for path in folder.iterdir()] == ["large.aut"]


CALLED_BACK = """
import sys, time
from ltstool import main
from ltstool.commands import info

def work(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass

class Slow:
    def __del__(self):
        if calls[0] == 0:
            print("at work", flush=True)
        calls[0] += 1
        work(0.5)

calls = [0]

def run(arguments):
    for _ in range(20):
        Slow()  # what comes meanwhile is raised where Python ignores it
        work(0.1)
    return 0

info.run = run
from ltstool.__main__ import end
end(main.run())
"""


@pytest.mark.parametrize("limit", [[], ["--timeout", "0.1"]])
def test_interrupts_during_deallocation_are_not_lost(limit):
    program = subprocess.Popen(
        [sys.executable, "-c", CALLED_BACK, "info", "/dev/null", *limit],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout.readline() == "at work\n"
    if not limit:
        program.send_signal(signal.SIGINT)
    printed, said = program.communicate()
    assert printed == ""
    if limit:
        assert (program.returncode, said) == (3, "ltstool: error: more than 0.1 seconds\n")
    else:
        assert (program.returncode, said) == (130, "")


PIPELINE = """
[steps.generate]
run = "generate m.mcrl -o m.aut"
[steps.info]
run = "info m.aut"
needs = ["generate"]
print = "info.txt"
[steps.other]
program = "sleep 0.2"
"""
AT_A_CALL = """
import os, signal, sys
from ltstool import signals
at, kind, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
del sys.argv[1:4]
calls, handle = [], signals.handle

def look(frame, event, argument):
    if event == "call":
        calls.append(os.path.basename(frame.f_code.co_filename))
        if len(calls) == at:
            sys.setprofile(None)
            with open(file, "w") as note:
                note.write(frame.f_code.co_filename)
            os.kill(os.getpid(), kind)

def handled():
    handle()
    sys.setprofile(look)

signals.handle = handled
from ltstool.__main__ import run
exit = os._exit

def exited(code):
    sys.setprofile(None)
    with open(file, "a") as note:
        note.write("\\n".join(["", *calls]))
    exit(code)

os._exit = exited
run()
"""


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGINT])
def test_signals_at_any_call_stop_a_pipeline_cleanly(folder, kind):
    (folder / "m.mcrl").write_text("sort Bool func T,F:->Bool act a init a.delta")
    (folder / "p.toml").write_text(PIPELINE)

    def run(at):
        for name in ("m.aut", "info.txt", "note"):
            (folder / name).unlink(missing_ok=True)
        command = [sys.executable, "-c", AT_A_CALL, str(at), str(int(kind)), "note"]
        done = subprocess.run(
            [*command, "run", "p.toml", "--force"], capture_output=True, check=False, text=True
        )
        where, *calls = (folder / "note").read_text().split("\n")
        return done, where, calls

    run(0)  # the first run may compile modules, which takes further calls
    done, _, calls = run(0)
    assert done.returncode == 0, done.stderr
    assert len(calls) > 2000
    # Commands are parsed by argparse, which asks gettext for its texts.
    inside = [calls.index(name) + 1 for name in ("argparse.py", "gettext.py", "parser.py")]
    spread = [len(calls) * number // 20 + 37 * number % 101 + 1 for number in range(20)]
    seen = set()
    for at in (*inside, *spread):
        done, where, _ = run(at)
        if not where.startswith("/"):
            where = ""
        seen.add(Path(where).name)
        assert done.returncode == 130, (at, where, done)
        assert "Traceback" not in done.stderr
        assert "Error" not in done.stderr
        left = {path.name for path in folder.iterdir()} - {"m.aut", "info.txt", ".p.toml.run"}
        assert left == {"m.mcrl", "p.toml", "note"}
    assert {"argparse.py", "gettext.py", "parser.py"} & seen
    assert len(seen) > 5

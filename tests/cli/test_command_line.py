"""What people type: it means what it says, or the answer is what to type instead."""

import contextlib
import io
import os
import subprocess
import sys

import pytest

import aut_format
from lts import LTS
from ltstool.main import main
from ltstool.options.parser import parse
from ltstool.options.table import british

SYSTEM = LTS.from_transitions([(0, "coin", 1), (1, "tea(1)", 0), (1, "tau", 0)])
MCRL2 = "act a; proc P = a . P; init P;\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    aut_format.write(SYSTEM, "s.aut")
    (tmp_path / "s.mcrl2").write_text(MCRL2)
    (tmp_path / "s.txt").write_text(MCRL2)
    (tmp_path / "net.exp").write_text("s.aut ||| s.aut\n")
    return tmp_path


def run(capsys, *words):
    """The exit code, and what is printed on both streams."""
    try:
        code = main(words)
    except SystemExit as exit:
        code = exit.code
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def refused(capsys, *words):
    """The last line of the message of a command line that is refused."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    return err.splitlines()[-1].removeprefix("ltstool: error: ")


@pytest.mark.parametrize(
    "before",
    [["-q"], ["--json"], ["--color", "never"], ["--colour=never", "-q"], ["--timeout", "5m"]],
)
def test_global_options_may_precede_the_command(folder, capsys, before):
    assert run(capsys, *before, "info", "s.aut") == run(capsys, "info", *before, "s.aut")
    assert run(capsys, *before, "help", "info")[0] == 0


def test_command_options_must_follow_the_command(folder, capsys):
    said = refused(capsys, "--labels", "info", "s.aut")
    assert said == "`--labels` must come after the command"


def test_american_spellings(folder, capsys):
    british_words = ["minimise", "s.aut", "-e", "strong", "--colour", "never"]
    american = ["minimize", "s.aut", "-e", "strong", "--color", "never"]
    assert run(capsys, *british_words) == run(capsys, *american)
    assert british("minimize.aut") == "minimize.aut"
    # Only names are translated: not the values of options, and not files.
    os.rename("s.aut", "minimize")
    assert run(capsys, "info", "minimize", "--from", "aut")[0] == 0
    assert run(capsys, "info", "--from", "aut", "--", "minimize")[0] == 0


@pytest.mark.parametrize(
    ("file", "command"),
    [("s.aut", "info s.aut"), ("s.mcrl2", "generate s.mcrl2"), ("net.exp", "compose net.exp")],
)
def test_file_without_command_lists_applicable_commands(folder, capsys, monkeypatch, file, command):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    code, out, err = run(capsys, file)
    assert (code, out) == (2, "")
    lines = [line.strip() for line in err.splitlines() if line.startswith("  `")]
    assert lines[0].startswith(f"`ltstool {command}")
    # All of them can be typed. As s.mcrl2 has no two constants, find-symmetry leaves it open (3).
    for line in lines:
        words = line.split("`")[1].split()[1:]
        assert main([*words, "-q"]) in (0, 1, 3), words
        capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.aut"], "there is no command `none.aut`, and no file of this name"),
        (["gen"], "there is no command `gen`; did you mean `generate`?"),
        (["simplify"], "there is no command `simplify`"),
        (["generate", "s.mcrl2", "o.aut"], "one argument too many: `-o o.aut` names the output"),
        (["generate", "s.mcrl2", "o.aut", "-o", "p.aut"], "`o.aut` is one argument too many"),
        (["check", "s.aut", "true", "o.aut"], "`o.aut` is one argument too many"),
        (["minimise", "s.aut", "--equivalance", "weak"], "did you mean `--equivalence`?"),
        (["info", "s.aut", "--symplify"], "there is no option `--symplify` here"),
        (["info", "s.aut", "--from", "mcrl2"], "on standard input, `--language mcrl2`"),
        (["info", "s.aut", "--from", "exp"], "its file name must end in .exp"),
        (["info", "s.txt"], "an LTS with --from, a specification with --language"),
    ],
)
def test_mistyped_commands_give_a_suggestion(folder, capsys, words, said):
    assert refused(capsys, *words).endswith(said)


def test_a_specification_from_standard_input_and_from_any_name(folder, capsys, monkeypatch):
    expected = run(capsys, "generate", "s.mcrl2")
    assert expected[0] == 0
    for words in (["generate"], ["generate", "-"]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MCRL2.encode())))
        assert run(capsys, *words) == expected
    assert run(capsys, "generate", "s.txt") == expected
    expected = run(capsys, "info", "s.mcrl2")
    assert run(capsys, "info", "s.txt", "--language", "mcrl2") == expected
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MCRL2.encode())))
    said = run(capsys, "info")[2]
    assert said.endswith("(a specification on standard input needs --language)\n")


def test_terminal_input_is_refused(folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    for words in (["info"], ["generate"], ["minimise", "-e", "weak"]):
        assert "standard input is a terminal" in refused(capsys, *words)


@pytest.mark.parametrize(
    ("tau", "said"),
    [
        ("coin", "use `--tau tau,coin`, or `--hide coin`\n"),
        ("tau,tea", "no whole label is `tea`, which is the name of an action: use `--hide tea`\n"),
        ("tau,milk", "--tau: no label is `milk`\n"),
        ("tau,coin", ""),
        ("", ""),
    ],
)
def test_internal_labels_as_in_mcrl2(folder, capsys, tau, said):
    code, _, err = run(capsys, "minimise", "s.aut", "-e", "weak", f"--tau={tau}")
    assert code == 0
    assert err.endswith(said)
    assert bool(err) == bool(said)
    assert all(line.startswith("ltstool: warning: ") for line in err.splitlines())


def test_values_with_units(folder):
    _, request = parse(["generate", "s.mcrl2", "--max-states", "1e6", "--timeout", "10s"])
    assert (request.exploring.max_states, request.timeout) == (1_000_000, 10.0)
    _, request = parse(["info", "s.mcrl2", "--max-states=2k", "--max-memory=4GiB", "--traces=1e2"])
    assert (request.exploring.max_states, request.max_memory) == (2000, 4 << 30)
    assert request.traces == 100


def in_terminal(words, **environment):
    """What a program prints on a terminal that is its standard error."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {"TERM": "xterm", **environment}
    program = [sys.executable, "-m", "ltstool", *words]
    with open(theirs, "wb") as messages:
        subprocess.run(
            program,
            env={**os.environ, "NO_COLOR": "", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            check=False,
        )
    printed = bytearray()
    # Reading ends with an error when the other side is closed and all is read.
    with contextlib.suppress(OSError):
        while part := os.read(ours, 1 << 16):
            printed += part
    os.close(ours)
    return printed.decode().replace("\r\n", "\n")


RED, OFF = "\033[1;31m", "\033[0m"


@pytest.mark.parametrize(
    ("words", "environment", "is_coloured"),
    [
        ([], {}, True),
        (["--color", "never"], {}, False),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["--colour=always"], {"NO_COLOR": "1"}, True),
    ],
)
def test_colours(tmp_path, words, environment, is_coloured):
    said = in_terminal(["info", str(tmp_path / "none\033.aut"), *words], **environment)
    kind = f"{RED}error:{OFF}" if is_coloured else "error:"
    # A name cannot colour anything.
    assert said == f"ltstool: {kind} {tmp_path}/none\\x1b.aut: No such file or directory\n"


def test_colours_of_an_error_in_the_command_line():
    assert f"{RED}error:{OFF}" in in_terminal(["info", "--nonsense"])
    assert RED not in in_terminal(["info", "--nonsense", "--color=never"])


def test_notes_warnings_and_errors_are_distinguished(folder, capsys):
    _, _, err = run(capsys, "check", "s.aut", "AG <coin>true")
    assert err.startswith("ltstool: note: proven by the path")
    _, _, err = run(capsys, "check", "s.aut", "<coim>true")
    assert err == "ltstool: warning: no label is `coim`; did you mean `coin`?\n"
    assert run(capsys, "check", "s.aut", "<coim>true", "-q")[2] == ""
    code, _, err = run(capsys, "generate", "s.mcrl2", "--timeout", "0.000001")
    assert (code, err.startswith("ltstool: error: ")) == (3, True)

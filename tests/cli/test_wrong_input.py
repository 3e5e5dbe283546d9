"""Wrong input of any kind: one message that says what and where, exit code 2, nothing written."""

import io
import json
import shutil

import pytest

from ltstool.main import main

DIGITS = "9" * 5000
SYSTEM = b"""des (0,4,3)
(0,"a(d1)",1)
(0,"a(d2)",2)
(1,"b(d1)",0)
(2,"b(d2)",0)
"""
SPECIFICATION = """sort Bool D func T,F:->Bool d1,d2:->D act a,b:D
proc X = sum(d:D,a(d).b(d)).X init X
"""
SYMMETRY = """version = 1
kind = "labels"
generators = ["(d1 d2)"]
order = 2
rho = "rho"
cycles = ['("a(d1)" "a(d2)")', '("b(d1)" "b(d2)")']
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.aut").write_bytes(SYSTEM)
    (tmp_path / "s.mcrl").write_text(SPECIFICATION)
    (tmp_path / "folder").mkdir()
    return tmp_path


def wrong(capsys, *arguments: str):
    """Return what is said of wrong arguments; nothing goes to standard output."""
    try:
        code = main(arguments)
    except SystemExit as exit:
        code = exit.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    return err.splitlines()[-1]


NUMBERS = [
    ("generate", "s.mcrl", "--max-states"),
    ("generate", "s.mcrl", "--max-values"),
    ("generate", "s.mcrl", "--threads"),
    ("generate", "s.mcrl", "--traces"),
    ("generate", "s.mcrl", "--max-memory"),
    ("info", "s.aut", "--traces"),
    ("minimise", "s.aut", "-e", "trace", "--max-states"),
    ("compare", "s.aut", "s.aut", "-e", "simulation", "--max-states"),
    ("find-symmetry", "s.aut", "--node-limit"),
    ("reduce", "s.aut", "--permute", "(d1 d2)", "--node-limit"),
    ("simulate", "s.mcrl", "--max-values"),
]


@pytest.mark.parametrize("command", NUMBERS)
@pytest.mark.parametrize("number", ["-1", "0", "x", "\u00b2", "1_0", "9" * 20, DIGITS])
def test_invalid_and_too_large_numbers_are_refused(capsys, command, number):
    *command, option = command
    said = wrong(capsys, *command, f"{option}={number}")
    assert f"argument {option}: " in said
    assert len(said) < 150


@pytest.mark.parametrize("value", ["N", "N=", "N=-1", "N=\u00b2", f"N={DIGITS}", "9=1"])
def test_values_of_parameters(capsys, value):
    said = wrong(capsys, "generate", "s.mcrl", "--set", value)
    assert "NAME=NUMBER" in said or "is more than" in said
    assert len(said) < 150


def test_numbers_in_labels_may_be_of_any_length(files, capsys):
    rows = "".join(f'(0,"a({digit * 5000})",0)\n' for digit in "12")
    (files / "long.aut").write_text(f"des (0,2,1)\n{rows}")
    assert main(["find-symmetry", "long.aut", "-o", "long.sym"]) == 0
    assert main(["check-symmetry", "long.aut", "--permute", "long.sym"]) == 0


@pytest.mark.parametrize(
    ("last", "why"),
    [
        (f"d{DIGITS}", "there is no number after"),
        ("d1000002", "are more than 1000000 elements"),
    ],
)
def test_ranges_that_are_too_long(capsys, last, why):
    assert main(["check-symmetry", "s.aut", "--permute", f"(d1 .. {last})"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("ltstool: error: permutation:1:5: ")
    assert why in err


def test_a_power_that_is_too_large(files, capsys):
    (files / "r.aut").write_text(f'des (0,2,2)\n(0,"rho({DIGITS})",1)\n(1,"a(d1)",0)\n')
    (files / "r.aut.sym").write_text(SYMMETRY)
    assert "is not a power of the symmetry" in wrong(capsys, "expand", "r.aut")


def test_a_choice_that_is_too_large(files, capsys):
    (files / "t.trace").write_text(f"%trace 1\n{DIGITS} a(d1)\n")
    assert main(["simulate", "s.aut", "--replay", "t.trace"]) == 2
    assert capsys.readouterr().err.startswith(
        "ltstool: error: t.trace:2:1: expected a number (from 1)"
    )


CASE = b"hide = []\ntitle=''\ngroup=''\nspecification='s.mcrl'\nsymmetry=\"s.aut\""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\xff", "it is not valid UTF-8"),
        (b"sizes = []", "'hide' is missing"),
        (b"sizes = []\nhide = []\ntitle = 3", "`title` must be of type str"),
        (b"sizes = []\nhide = [1]", "`hide` must be a list of strings"),
        (b"sizes = 3\n" + CASE, "`sizes` must"),
        (b"sizes = [3]\n" + CASE, "`N` must be of type int"),
        (b"sizes = []\n" + CASE.replace(b"s.aut", b""), "the file ``"),
        (
            b"sizes = []\n" + CASE.replace(b"s.aut", b"a\\u0000b"),
            "the file `a\0b` does not exist",
        ),
        (b"sizes = []\n" + CASE.replace(b"s.mcrl", b".."), "the file `..` does not exist"),
        (b"sizes = [{N = 2, original = 97}]\n" + CASE, "`original` must be a list of two numbers"),
        (
            b"sizes = [{N = 2, reduction = [1]}]\n" + CASE,
            "`reduction` must be a list of two numbers",
        ),
        (b"sizes = [{N = 2, weak = [1, 2]}]\n" + CASE, "`weak` must be a table"),
        (
            b"sizes = [{N = 2, weak = {expansion = 3}}]\n" + CASE,
            "`weak.expansion` must be a list of two numbers",
        ),
        (b"sizes = [{N = 2, weak = {percent = '3'}}]\n" + CASE, "`weak.percent` must be a number"),
        (b"sizes = [{N = 1" + b"0" * 4400 + b"}]\n" + CASE, "integer"),
        (b"sizes = " + b"[" * 5000 + b"]" * 5000, "not a case study"),
    ],
)
def test_wrong_case_studies(files, capsys, text, why):
    (files / "folder" / "a.toml").write_bytes(text)
    for name in ("s.mcrl", "s.aut"):
        shutil.copy(files / name, files / "folder")
    said = wrong(capsys, "tables", "folder")
    assert said.startswith("ltstool: error: folder/a.toml: not a case study: ")
    assert why in said


REDUCE = ("reduce", "s.aut", "--permute", "(d1 d2)")
MINIMISE = ("minimise", "s.aut", "-e", "strong")


@pytest.mark.parametrize(
    "command",
    [
        (*REDUCE, "-o", "folder", "--write-symmetry", "new"),
        (*REDUCE, "-o", "new", "--write-symmetry", "folder"),
        ("generate", "s.mcrl", "--symmetry", "D", "-o", "folder", "--write-symmetry", "new"),
        (*MINIMISE, "-o", "folder", "--classes", "new"),
        (*MINIMISE, "-o", "new", "--classes", "folder"),
    ],
)
def test_two_outputs_are_written_together_or_not_at_all(files, capsys, command):
    before = sorted(files.iterdir())
    assert wrong(capsys, *command) == "ltstool: error: folder: Is a directory"
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize(
    "command",
    [
        (*REDUCE, "-o", "new", "--write-symmetry", "./new"),
        (*REDUCE, "--write-symmetry", "-"),
        (*MINIMISE, "-o", "new", "--classes", "new"),
        (*MINIMISE, "--classes", "-"),
        ("compare", "s.aut", "s.aut", "-e", "weak", "--evidence", "new", "--trace", "new"),
    ],
)
def test_outputs_with_one_target_are_refused(files, capsys, command):
    before = sorted(files.iterdir())
    assert "cannot both go to " in wrong(capsys, *command)
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize(
    "command", [("info", "none.aut"), ("generate", "none.mcrl", "-o", "new"), ("info", "none.mcrl")]
)
def test_errors_are_reported_as_json(capsys, command):
    assert main([*command, "--json"]) == 2
    out, err = capsys.readouterr()
    assert f"ltstool: error: {json.loads(out)['error']}\n" == err


def test_full_device_is_named_in_the_error(capsys):
    said = wrong(capsys, "linearise", "s.mcrl", "-o", "/dev/full")
    assert said == "ltstool: error: /dev/full: No space left on device"


def test_non_utf8_label_permutations(files, capfd):
    """Bytes that are no UTF-8 are permuted, written and read like any others."""
    text = SYSTEM.replace(b"d1", b"\xe9").replace(b"d2", b"\xff")
    (files / "latin.aut").write_bytes(text)
    assert main(["find-symmetry", "latin.aut", "-o", "latin.sym"]) == 0
    assert main(["check-symmetry", "latin.aut", "--permute", "latin.sym"]) == 0
    assert main(["reduce", "latin.aut", "--symmetry", "latin.sym", "-o", "reduced.aut"]) == 0
    assert main(["expand", "reduced.aut", "-o", "expanded.aut"]) == 0
    assert main(["compare", "latin.aut", "expanded.aut", "-e", "strong"]) == 0


def test_byte_order_marks_are_accepted(files, monkeypatch):
    for name, text in [
        ("b.mcrl", SPECIFICATION),
        ("b.sym", SYMMETRY),
        ("b.formula", "<true>true"),
        ("b.trace", "%trace 1\n1 a(d1)\n"),
        ("b.aut", SYSTEM.decode()),
    ]:
        (files / name).write_text(text, encoding="utf-8-sig")
    assert main(["generate", "b.mcrl", "-o", "out.aut"]) == 0
    assert main(["check", "b.aut", "@b.formula"]) == 0
    assert main(["check-symmetry", "b.aut", "--symmetry", "b.sym"]) == 0
    assert main(["compare", "b.aut", "s.aut", "-e", "strong"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["simulate", "b.aut", "--replay", "b.trace"]) == 0


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            "generate s.aut",
            "`s.aut` is an LTS, by its name, but this command reads a specification",
        ),
        ("linearise s.aut", "is an LTS"),
        ("split s.aut", "is an LTS"),
        ("generate s.exp", "`s.exp` is a network"),
        ("compose s.aut", "`s.aut` is an LTS, by its name, but this command reads a network"),
        ("compose s.mcrl", "`s.mcrl` is a specification"),
        ("convert s.mcrl", "s.mcrl is a specification: convert it with `ltstool generate`"),
        (
            "expand s.aut",
            "the symmetry file `s.aut.sym` does not exist: `s.aut` is not a reduction",
        ),
        ("expand s.mcrl", "is a specification"),
        ("expand missing.aut", "missing.aut: No such file or directory"),
        ("info folder", "folder: Is a directory"),
        ("minimise folder -e strong", "folder: Is a directory"),
        ("generate folder", "folder: Is a directory"),
        ("check s.aut @folder", "folder: Is a directory"),
        ("reduce s.aut --symmetry folder --count", "folder: Is a directory"),
        ("run folder", "folder: Is a directory"),
        ("minimise s.aut -e strong -o folder", "folder: Is a directory"),
        ("info s.xyz", "unknown format `.xyz`; choose the format of an LTS with --from"),
    ],
)
def test_files_of_unsupported_kinds_are_refused(files, capsys, command, why):
    (files / "s.exp").write_text('"s.aut" ||| "s.aut"')
    (files / "s.xyz").write_bytes(SYSTEM)
    before = sorted(files.iterdir())
    assert why in wrong(capsys, *command.split())
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize("end", ["aut", "mcrl", "mcrl2", "fsm", "dot", "parquet", "exp", "aut.gz"])
@pytest.mark.parametrize("content", [b"", bytes(range(256)) * 4, b"\x1b[31mred\x1b[0m\n\xff"])
def test_binary_garbage_gives_a_printable_error(files, capsys, end, content):
    (files / f"x.{end}").write_bytes(content)
    assert main(["info", f"x.{end}"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"ltstool: error: x.{end}")
    # Nothing of it is obeyed by a terminal, or shown as what Python calls it.
    assert not {c for c in err if not c.isprintable()} - set("\n\t")
    assert "\\udc" not in err

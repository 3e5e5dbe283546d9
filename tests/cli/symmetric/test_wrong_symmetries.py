"""What is wrong with a symmetry is told in one line, with the place, and exit code 2."""

from pathlib import Path

import pytest

from ltstool.main import main

MUTEX = str(Path(__file__).parents[3] / "cases" / "mutex.mcrl")
HEAD = 'version = 1\nkind = "sorts"\n'

FILES = {
    "": "`version` is missing: it must be 1",
    'version = 2\nkind = "sorts"': "`version` must be 1",
    'version = "1"\nkind = "sorts"': "`version` must be of type int",
    "version = 1": '`kind` is missing: it must be "labels" or "sorts"',
    'version = 1\nkind = "sort"': '`kind` must be "labels" or "sorts"',
    HEAD: "`generators` must contain at least one permutation",
    HEAD + "generators = []": "`generators` must contain at least one permutation",
    HEAD + 'generators = "(p1 p2)"': "`generators` must be of type list",
    HEAD + "generators = [1]": "`generators` must be a list of strings",
    HEAD + 'generator = ["(p1 p2)"]': "`generator` in a symmetry file; did you mean `generators`?",
    HEAD + 'generators = ["(p1 p2)"': "not a symmetry file: Unclosed array",
    HEAD + 'generators = ["(p1 .. p@{M})"]': "`M` is not a parameter or loop variable (known: N)",
    HEAD
    + 'generators = ["(p1 p2)",\n  "(p1 p9)"]': ":4:8: `p9` is not a term of the specification",
    HEAD + 'generators = ["(p1 p2) (p2 p3)"]': ":3:25: `p2` occurs twice",
    HEAD + 'generators = ["(p1 0)"]': ":3:20: `p1` has sort `Pid`, `0` has `Nat`",
    HEAD + 'generators = ["(p1 number(p2))"]': ":3:20: `number(p2)` is not a value: it reduces to",
    HEAD + 'generators = ["(p1 p2"]': ":3:22: expected `)` at the end of the cycle",
    HEAD + 'generators = ["(p3 .. p1)"]': ":3:20: there is no number after `p3`",
    HEAD + 'generators = ["p1 p2"]': ":3:16: a permutation begins with a cycle",
    HEAD + 'generators = ["(p1 p2) in entre(*)"]': "no label has the form `entre(*)`",
    HEAD + 'generators = ["(p1 p2) with turned"]': ":3:29: unknown map `turned`",
    HEAD + """generators = ['("a" "b")']""": ":3:16: `a` is not a term of the specification",
}


@pytest.mark.parametrize("text", FILES)
def test_wrong_symmetry_files_are_refused(text, tmp_path, capsys):
    file = tmp_path / "wrong.sym"
    file.write_text(text)
    assert main(["reduce", MUTEX, "--symmetry", str(file), "--count"]) == 2
    reported = capsys.readouterr().err
    assert FILES[text] in reported
    assert reported.startswith(f"ltstool: error: {file}")
    assert len(reported.splitlines()) in (1, 3)  # the line and a caret


def test_non_utf8_symmetry_file_is_refused(tmp_path, capsys):
    file = tmp_path / "wrong.sym"
    file.write_bytes(b"\xff\xfe")
    assert main(["reduce", MUTEX, "--symmetry", str(file), "--count"]) == 2
    assert f"{file}: not a symmetry file: it is not valid UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("symmetry", "message"),
    [
        ("Pidd", "unknown sort `Pidd`; did you mean `Pid`?"),
        ("", "has an empty name where a sort is expected"),
        ("Pid,", "has an empty name where a sort is expected"),
        ("Nat", "`Nat` has no two constants to permute"),
        ("Bool", "`Bool` is the sort of conditions"),
        ("none.sym", "the symmetry file `none.sym` does not exist"),
        ("(p1 p2", "permutation:1:7: expected `)`"),
        ("(p1 p4)", "permutation:1:5: `p4` is not a term of the specification"),
    ],
)
def test_wrong_symmetry_arguments_are_refused(symmetry, message, capsys):
    assert main(["reduce", MUTEX, "--symmetry", symmetry, "--count"]) == 2
    reported = capsys.readouterr().err
    assert message in reported
    assert len(reported.splitlines()) in (1, 3)

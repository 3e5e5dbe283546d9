"""Wrong specifications, each with every error that is told of it.

The files of `wrong/` end in what is expected, for each error `%! KIND LINE:COLUMN: MESSAGE`.
"""

import json
import os
from pathlib import Path

import pytest

import lts
from lts import LtsError, ParseError, SpecificationError, Unsupported
from lts.mucrl import generate, read, read_text
from ltstool.main import main

BOOL = "sort Bool func T,F:->Bool\n"
WRONG = sorted((Path(__file__).parent / "wrong").glob("*.mcrl"))


def expected(file):
    text = file.read_bytes().decode("utf-8", "surrogateescape")
    return [line.removeprefix("%! ") for line in text.split("\n") if line.startswith("%! ")]


def messages_of(error):
    lines = [f"{type(e).__name__} {e.line}:{e.column}: {e.message}" for e in error.errors]
    return lines + ([f"and {error.unseen} more"] if error.unseen else [])


@pytest.mark.parametrize("file", WRONG, ids=lambda file: file.stem)
def test_wrong_specification_gives_listed_errors(file):
    with pytest.raises((ParseError, SpecificationError, Unsupported)) as refused:
        read(file, strict=True)
    assert messages_of(refused.value) == expected(file)
    assert all(e.file == str(file) for e in refused.value.errors)


def test_at_least_a_hundred_wrong_specifications():
    assert len(WRONG) >= 100
    assert all(expected(file) for file in WRONG)


@pytest.mark.parametrize("name", ["several_static_errors", "more_than_ten"])
def test_the_program_shows_every_error_with_its_line(name, capsys):
    (file,) = (file for file in WRONG if file.stem == name)
    assert main(["generate", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    first, *lines = err.rstrip("\n").split("\n")
    lines.insert(0, first.removeprefix("ltstool: error: "))
    text = file.read_text(encoding="utf-8").split("\n")
    for line in expected(file):
        if line.startswith("and "):
            assert lines.pop(0) == line
            continue
        _, _, rest = line.partition(" ")
        number, column, _ = rest.split(":", 2)
        assert lines.pop(0) == f"{file}:{rest}"
        assert lines.pop(0) == "  " + text[int(number) - 1]
        assert lines.pop(0) == " " * (int(column) + 1) + "^"
    assert lines == []


def test_errors_as_json(capsys, tmp_path):
    file = tmp_path / "x.mcrl"
    file.write_text(BOOL + "act a\ninit b + c\n")
    assert main(["generate", "--json", str(file)]) == 2
    facts = json.loads(capsys.readouterr().out)
    assert facts["error"] == "action or process `b` is not declared"
    assert [(e["file"], e["line"], e["column"]) for e in facts["errors"]] == [
        (str(file), 3, 6),
        (str(file), 3, 10),
    ]


def test_errors_in_expanded_loops_point_into_the_file(tmp_path):
    text = (
        BOOL + "act a\n%@ parameter N = 2\n%@ for i in 1..N\nproc X@{i} = b@{i}\n%@ end\ninit a\n"
    )
    with pytest.raises(SpecificationError) as refused:
        read_text(text, file="x")
    assert [(e.line, e.text) for e in refused.value.errors] == [
        (5, "proc X1 = b1"),
        (5, "proc X2 = b2"),
    ]


def test_a_line_of_any_length_is_shown_in_part():
    text = BOOL + "act a init " + "a." * 5000 + "b" + ".a" * 5000
    with pytest.raises(SpecificationError) as refused:
        read_text(text)
    _, line, caret = str(refused.value).split("\n")
    assert len(line) < 140
    assert line[caret.index("^")] == "b"


# Files that are no texts, and texts in other clothes.


def test_an_empty_text():
    with pytest.raises(ParseError, match=r"1:1: expected a section .* found the end of the text"):
        read_text("")


@pytest.mark.parametrize("wrong", ["missing.mcrl", "."])
def test_unreadable_paths_are_errors(wrong, tmp_path, capsys):
    path = str(tmp_path / wrong)
    with pytest.raises(OSError, match=r"No such file|Is a directory"):
        read(path)
    assert main(["generate", path]) == 2
    assert capsys.readouterr().err.startswith(f"ltstool: error: {os.path.normpath(path)}")


def test_a_file_without_permission(tmp_path, capsys):
    path = tmp_path / "x.mcrl"
    path.write_text(BOOL)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert main(["generate", str(path)]) == 2
    assert "Permission denied" in capsys.readouterr().err


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-16-le"])
def test_utf_16(codec, tmp_path):
    path = tmp_path / "x.mcrl"
    path.write_bytes(("\ufeff" * (codec != "utf-16") + BOOL + "init delta").encode(codec))
    with pytest.raises(ParseError, match="1:1: the text is in UTF-16"):
        read(path)


TEXT = "% \N{GREEK SMALL LETTER MU}CRL\nsort Bool\nfunc T,F:->Bool % both\nact a:Bool\ninit a(T)\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.encode("iso-8859-7"),
        TEXT.rstrip().encode(),
        TEXT.replace(" ", "\t\f").encode(),
        TEXT.replace("both", "\0").encode(),
    ],
)
def test_other_encodings_and_line_breaks_are_accepted(data, tmp_path):
    path = tmp_path / "x.mcrl"
    path.write_bytes(data)
    assert generate(read(path)).labels == ("a(T)",)


def test_single_errors_list_themselves():
    error = lts.LtsError("one", file="f", line=1, column=1, text="x")
    assert error.errors == (error,)
    assert str(error) == "f:1:1: one\n  x\n  ^"
    assert isinstance(error, LtsError)


def test_positions_after_inclusions_refer_to_the_file():
    text = "%@ include Nat\n%@ include Enum of d1,d2 as D\nact a:D proc X = (a(d1).X init X\n"
    with pytest.raises(ParseError, match=r"^3:27: .*the `\(` of line 3, column 18 is open"):
        read_text(text)

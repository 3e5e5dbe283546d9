"""Wrong texts, each with every error that is told of it.

In `wrong.txt`, the lines `%! KIND LINE:COLUMN: MESSAGE` after a text are what is expected.
"""

from pathlib import Path

import pytest

from lts import LtsError, Unsupported
from lts.mcrl2 import read_text
from lts.mucrl import generate

WRONG = [
    (
        "\n".join(line for line in block.split("\n") if not line.startswith("%! ")),
        [line.removeprefix("%! ") for line in block.split("\n") if line.startswith("%! ")],
    )
    for block in (Path(__file__).parent / "wrong.txt").read_text().strip("\n").split("\n\n")
]


def messages_of(error):
    return [f"{type(e).__name__} {e.line}:{e.column}: {e.message}" for e in error.errors]


@pytest.mark.parametrize(("text", "messages"), WRONG)
def test_wrong_specification_gives_listed_errors(text, messages):
    with pytest.raises(LtsError) as refused:
        read_text(text, file="wrong.mcrl2")
    assert messages_of(refused.value) == messages
    assert all(error.file == "wrong.mcrl2" for error in refused.value.errors)


def test_an_error_shows_its_line():
    with pytest.raises(LtsError) as refused:
        read_text("act a: Nat;\ninit a(1\n  + true);", file="f.mcrl2")
    assert str(refused.value) == (
        "f.mcrl2:3:3: there is no `+` of `Pos` and `Bool`\n    + true);\n    ^"
    )


def test_parsing_continues_after_an_error():
    text = "act a;\nproc P = a +;\nQ = a. .a;\nmap f g;\ninit P"
    with pytest.raises(LtsError) as refused:
        read_text(text)
    assert [error.line for error in refused.value.errors] == [2, 3, 4, 5]


def test_at_least_a_hundred_wrong_texts():
    assert len(WRONG) >= 100
    assert all(messages for _, messages in WRONG)


@pytest.mark.parametrize("start", ["a + b.(c || d)", "b.(c || d)", "a.b + a.X", "X.b + a", "Y + a"])
def test_parallel_inside_a_sequence_is_refused(start):
    text = f"act a,b,c,d; proc X = a + b.(c || d); Y = (a + b).(a|b + X).c; init {start};"
    with pytest.raises(Unsupported, match="cannot be part of a sequential process") as refused:
        generate(read_text(text, file="wrong.mcrl2"))
    assert text[refused.value.column - 1 :].startswith(("(c || d)", "|| d)", "c || d)"))

"""What is not an Aldebaran file is refused, with its place and what was expected there."""

import importlib
import os

import pytest

import aut_format
from lts import FormatError

HEADER = "expected the header `des (initial, transitions, states)`"
TRANSITION = "expected a transition `(source, label, target)`"
UNFINISHED = (
    "the file is unfinished: its header has `?` where a number belongs, and only salvaging reads it"
)
PROBABILISTIC = (
    "this is a probabilistic LTS of mCRL2, since a probability follows a state; ltstool has no "
    "probabilities"
)


def range_error(what, number, states):
    return f"{what} {number} is out of range: the header says {states}, numbered from 0"


# text, line, column, message
WRONG = [
    # No header.
    ("", 1, 1, HEADER + ", found the end of the file"),
    ("\n\n", 2, 1, HEADER + ", found the end of the file"),
    ("digraph {\n}\n", 1, 1, HEADER),
    ("  DES (0,0,1)\n", 1, 3, HEADER),
    ('(0,"a",1)\n', 1, 1, HEADER),
    # A header that is not complete, or says nonsense.
    ("des\n", 1, 4, "expected `(` after `des`"),
    ("design (0,0,1)\n", 1, 4, "expected `(` after `des`"),
    ("des ()\n", 1, 6, "expected the initial state"),
    ("des (0\n", 1, 7, "expected `,`"),
    ("des (0)\n", 1, 7, "expected `,`"),
    ("des (0,)\n", 1, 8, "expected the number of transitions"),
    ("des (0,-1,1)\n", 1, 8, "expected the number of transitions"),
    ("des (0,1.5,1)\n", 1, 9, "expected `,`"),
    ("des (0,1)\n", 1, 9, "expected `,`"),
    ("des (0,0,x)\n", 1, 10, "expected the number of states"),
    ("des (0,0,1\n", 1, 11, "expected `)` after the number of states"),
    ("des (0,0,1) x\n", 1, 13, "expected nothing after the header"),
    ("des (0,0,1))\n", 1, 12, "expected nothing after the header"),
    ("des (0,0,0)\n", 1, 6, range_error("initial state", 0, "0 states")),
    ("des (1,0,1)\n", 1, 6, range_error("initial state", 1, "1 state")),
    ("\ndes ( 9,0,3)\n", 2, 7, range_error("initial state", 9, "3 states")),
    ("des (0,0,4294967296)\n", 1, 10, "a file has at most 4294967295 states"),
    ("des (0,0,99999999999999999999)\n", 1, 10, "a file has at most 4294967295 states"),
    (
        "des (0,0,4294967295)\n",
        1,
        10,
        "4294967295 states are too many for 0 transitions: nearly all have none",
    ),
    # Probabilities of mCRL2; a label may look alike.
    ("des (0 1/3 1,2,2)\n", 1, 8, PROBABILISTIC),
    ('des (0,1,2)\n(0,"a",1 1/2 0)\n', 2, 10, PROBABILISTIC),
    ('des (0,1,2)\n(0,"a",1 0.25 0 0.5 1)\n', 2, 10, PROBABILISTIC),
    ('des (0,1,2)\n(0,"1 1/2 0 ",x)\n', 2, 15, "expected the target state"),
    ("des (0,1,2)\n(0,1 1/2 0,2)\n", 2, 12, range_error("state", 2, "2 states")),
    # Counts.
    ("des (0,1,2)\n", 1, 8, "the header says 1 transition, but the file has 0"),
    ("des (0,2,2)\n(0,a,1)\n", 1, 8, "the header says 2 transitions, but the file has 1"),
    ("des (0,0,2)\n(0,a,1)\n", 1, 8, "the header says 0 transitions, but the file has 1"),
    ("des (0,1,2)\n(0,a,2)\n", 2, 6, range_error("state", 2, "2 states")),
    ("des (0,1,2)\n\n( 3,a,2)\n", 3, 3, range_error("state", 3, "2 states")),
    ("des (0,1,2)\n(4294967296,a,0)\n", 2, 2, range_error("state", 4294967296, "2 states")),
    (
        "des (0,1,2)\n(0,a,99999999999999999999)\n",
        2,
        6,
        range_error("state", 2**64 - 1, "2 states"),
    ),
    # Unfinished.
    ("des (0,?,?)\n", 1, 8, UNFINISHED),
    ("des (?,0,1)\n", 1, 6, UNFINISHED),
    ("des (0,1,?)\n(0,a,1)\n", 1, 10, UNFINISHED),
    # The source of a transition.
    ("des (0,1,2)\n0 a 1\n", 2, 1, TRANSITION),
    ("des (0,1,2)\n  x\n", 2, 3, TRANSITION),
    ("des (0,1,2)\n(0,a,1)\ndes (0,1,2)\n", 3, 1, TRANSITION),
    ("des (0,1,2)\n(\n", 2, 2, "expected the source state"),
    ("des (0,1,2)\n(a,a,1)\n", 2, 2, "expected the source state"),
    ("des (0,1,2)\n(-1,a,1)\n", 2, 2, "expected the source state"),
    ("des (0,1,2)\n(0\n", 2, 3, "expected `,` after the source state"),
    ('des (0,1,2)\n(0 "a",1)\n', 2, 4, "expected `,` after the source state"),
    ("des (0,1,2)\n(0x1,a,1)\n", 2, 3, "expected `,` after the source state"),
    # Its label.
    ("des (0,1,2)\n(0,\n", 2, 4, "expected a label"),
    ("des (0,1,2)\n(0,)\n", 2, 4, "expected a label"),
    ("des (0,1,2)\n(0,,1)\n", 2, 4, "expected a label"),
    ("des (0,1,2)\n(0, ,1)\n", 2, 5, "expected a label"),
    ('des (0,1,2)\n(0,"a,1)\n', 2, 4, "this quote is never closed"),
    ('des (0,1,2)\n(0,",1)\n', 2, 4, "this quote is never closed"),
    ('des (0,1,2)\n(0,"a" b,1)\n', 2, 8, "expected `,` after the label"),
    ('des (0,1,2)\n(0,"a"b" c,1)\n', 2, 10, "expected `,` after the label"),
    # Its target, and what comes after.
    ("des (0,1,2)\n(0,1)\n", 2, 6, "expected `,` and the target state"),
    ('des (0,1,2)\n(0,"a")\n', 2, 8, "expected `,` and the target state"),
    ('des (0,1,2)\n(0,"a" 1)\n', 2, 10, "expected `,` and the target state"),
    ('des (0,1,2)\n(0,"a",)\n', 2, 8, "expected the target state"),
    ('des (0,1,2)\n(0,"a",b)\n', 2, 8, "expected the target state"),
    ('des (0,1,2)\n(0,"a",-1)\n', 2, 8, "expected the target state"),
    ('des (0,1,2)\n(0,"a,b")\n', 2, 7, "expected the target state"),
    ('des (0,1,2)\n(0,"a",\n', 2, 8, "expected the target state"),
    ('des (0,1,2)\n(0,"a",1\n', 2, 9, "expected `)` after the target state"),
    ('des (0,1,20)\n(0,"a",12\n', 2, 10, "expected `)` after the target state"),
    ('des (0,1,2)\n(0,"a",1.0)\n', 2, 9, "expected `)` after the target state"),
    ('des (0,1,2)\n(0,"a",1 0)\n', 2, 10, "expected `)` after the target state"),
    ('des (0,1,2)\n(0,"a",1);\n', 2, 10, "expected nothing after the transition"),
    ("des (0,1,2)\n(0,a,1) x\n", 2, 9, "expected nothing after the transition"),
    # Columns are characters, not bytes; a tab is one.
    ('des (0,1,2)\n(0,"∀∀",9)\n', 2, 9, range_error("state", 9, "2 states")),
    ("des (0,1,2)\r\n\t(0,a,9)\r\n", 2, 7, range_error("state", 9, "2 states")),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG)
def test_errors_have_position_and_message(text, line, column, message):
    with pytest.raises(FormatError) as caught:
        aut_format.loads(text)
    error = caught.value
    assert (error.line, error.column, error.message) == (line, column, message)
    assert error.text == (text.splitlines()[line - 1] if text.strip() else "")


def test_two_transitions_on_a_line_contradict_the_header():
    """All between the first comma and the last one may be a label."""
    with pytest.raises(FormatError) as caught:
        aut_format.loads('des (0,2,2)\n(0,"a",1) (0,"b",1)\n')
    assert caught.value.message == "the header says 2 transitions, but the file has 1"


def test_errors_show_file_and_line(tmp_path):
    path = tmp_path / "wrong.aut"
    path.write_text('des (0,1,2)\n\t(0,"a",x)\n')
    with pytest.raises(FormatError) as caught:
        aut_format.read(path)
    assert (
        str(caught.value) == f'{path}:2:9: expected the target state\n  \t(0,"a",x)\n  \t       ^'
    )


def test_errors_name_no_file_that_is_only_a_descriptor(tmp_path):
    (tmp_path / "a.aut").write_text("des (0,1,2)\n(0,a,1\n")
    with open(os.open(tmp_path / "a.aut", os.O_RDONLY), "rb") as file:
        assert isinstance(file.name, int)
        with pytest.raises(FormatError, match=r"^2:7: expected") as caught:
            aut_format.read(file)
    assert caught.value.file is None


def test_undecodable_bytes_are_shown_in_errors():
    with pytest.raises(FormatError) as caught:
        aut_format.loads(b'des (0,1,2)\n(0,"\xff\x1b\xe2\x88\x80",x)\n')
    assert caught.value.text == '(0,"\ufffd\ufffd∀",x)'
    assert caught.value.column == 10


def test_long_lines_are_shortened_in_errors():
    label = "x" * 100_000
    with pytest.raises(FormatError) as caught:
        aut_format.loads(f'des (0,1,2)\n(y,"{label}",1)\n')
    assert len(caught.value.text) < 300
    with pytest.raises(FormatError) as caught:
        aut_format.loads(f'des (0,1,2)\n(0,"{label}",y)\n')
    assert caught.value.text is None
    assert caught.value.column == 100_007


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("des (0,?,?)\n", (0, 1, [])),
        ("des (3,?,?)\n", (3, 4, [])),
        ("des (?,?,?)\n(1,a,0)\n", (0, 2, [(1, "a", 0)])),
        ("des (0,?,?)\n(0,a,5)\n", (0, 6, [(0, "a", 5)])),
        ("des (0,?,?)\n(5,a,0)\n", (0, 6, [(5, "a", 0)])),
        ("des (0,?,9)\n(0,a,5)\n", (0, 9, [(0, "a", 5)])),
        ("des (0,9,2)\n(0,a,5)\n", (0, 6, [(0, "a", 5)])),
        ("des (0,?,?)\n(0,a,1)\n(1,a,5", (0, 2, [(0, "a", 1)])),
        ("des (0,?,?)\n(0,a,1)\n(", (0, 2, [(0, "a", 1)])),
        ("des (0,?,?)\n(0,a,1)\n(1,a,2)", (0, 3, [(0, "a", 1), (1, "a", 2)])),
        ("des (0,1,2)\n(0,a,1)\n", (0, 2, [(0, "a", 1)])),
    ],
)
def test_salvage_recomputes_counts(text, expected):
    system = aut_format.loads(text, salvage=True)
    assert (system.initial, system.state_count, list(system.transitions())) == expected


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("des (0,?,?)\n(0,a,1\n(1,a,0)\n", 2, 7),
        ("des (0,?,?)\n(0,a,1\n", 2, 7),
        ("des (0,?", 1, 9),
        ("", 1, 1),
        ("des (0,?,?)\n(0,a,4294967295)\n", 2, 6),
    ],
)
def test_salvage_refuses_damaged_lines(text, line, column):
    with pytest.raises(FormatError) as caught:
        aut_format.loads(text, salvage=True)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("module", ["gzip", "bz2", "lzma"])
def test_compressed_files_are_refused_with_a_hint(module, tmp_path):
    pack = importlib.import_module(module).compress
    file = tmp_path / "a.aut"
    file.write_bytes(pack(b'des (0,1,2)\n(0,"a",1)\n'))
    with pytest.raises(FormatError, match=r"data, not an \.aut file: decompress it first") as error:
        aut_format.read(file)
    assert (error.value.line, error.value.text) == (1, None)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_utf_16_and_utf_32_are_refused(codec, mark):
    with pytest.raises(FormatError, match=f"1:1: the text is in {codec[:6].upper()}, not in"):
        aut_format.loads(f"{mark}des (0,1,2)\n(0,a,1)\n".encode(codec))


def test_misplaced_byte_order_mark_is_an_error():
    with pytest.raises(FormatError) as caught:
        aut_format.loads("des (0,1,2)\n\ufeff(0,a,1)\n")
    assert (caught.value.line, caught.value.column) == (2, 1)


def test_excessive_transition_counts_are_refused():
    with pytest.raises(FormatError, match="1:8: no file has so many transitions"):
        aut_format.loads("des (0,99999999999999999999,2)\n")

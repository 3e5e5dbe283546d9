"""FSM files, as mCRL2 writes them."""

import pytest

from lts import LTS, FormatError, FormatWarning, read, write

MCRL2 = b"""\
b(2) Bool  "false" "true"
n(0) Nat
s(2) List(Nat)  "[]" "[1, 2]"
---
0 0 0
1 0 1
0 0 1
---
1 2 "up(1)"
2 3 "tau"
3 3 "say "x", (y)"
"""


def parse(text, tmp_path):
    file = tmp_path / "x.fsm"
    file.write_bytes(text)
    return read(file)


def test_a_file_of_mcrl2(tmp_path):
    with pytest.warns(FormatWarning, match="the values of 2 state parameters are left out"):
        system = parse(MCRL2, tmp_path)
    assert list(system) == [(0, "up(1)", 1), (1, "tau", 2), (2, 'say "x", (y)', 2)]
    assert (system.initial, system.state_count, system.internal) == (0, 3, ("tau",))


@pytest.mark.parametrize(
    ("text", "initial", "states"),
    [
        (b"---\n---\n", 0, 1),
        (b"---\n\n\n---\n", 0, 2),
        (b'---\n---\n1 4 "a"', 0, 4),
        (b'---\n\n---\n1 4 "a"\n---\n3\n', 2, 4),
        (b'\xef\xbb\xbf---\r\n---\r\n 1\t2 "a" \r\n\r\n', 0, 2),
        (b'\n---\n---\n01 2 "a"\n', 0, 2),
    ],
)
def test_dialects(text, initial, states, tmp_path):
    system = parse(text, tmp_path)
    assert (system.initial, system.state_count) == (initial, states)
    assert [a for _, a, _ in system] == ["a"] * (b'"a"' in text)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (b"", "1", "the file ends before its transitions"),
        (b"---\n", "2", "the file ends before its transitions"),
        (b"x\n---\n---\n", "1:1", "expected a parameter"),
        (b"---\n1 x\n---\n", "2:3", "expected the numbers of the values"),
        (b'---\n---\n1 2 "a"\n1 0 "a"\n', "4:3", "states are numbered from 1"),
        (b'---\n---\n1 2 "a"\n0 1 "a"\n', "4:1", "states are numbered from 1"),
        (b"---\n---\n1 2 a\n", "3:5", "expected a transition"),
        (b'---\n---\n1 "a"\n', "3:6", "expected a transition"),
        (b'---\n---\n1 2 "a" 3\n', "3:9", "expected a transition"),
        (b'---\n---\n1 2 "a"\n\x0b\n', "4:1", "expected a transition"),
        (b'---\n---\n1 2 "a"\n\x0c', "4:1", "expected a transition"),
        (b'---\n---\n1 4294967295 "a"\n', "3:3", "too large"),
        (b'---\n---\n1 %s "a"\n' % (b"9" * 5000), "3:3", "too large"),
        (b'---\n---\n1 [1 1/2 2 1/2] "a"\n', "3:1", "probabilistic transitions are not supported"),
        (b'---\n---\n1 1 "a"\n---\n[1 1]\n', "5:1", "distributions are not supported"),
        (
            b'---\n---\n1 1 "a"\n---\n7\n',
            None,
            "the initial state is 7, but there are only 1 states",
        ),
        (b"---\n---\n---\n1\n---\n", "5:1", "expected no more sections"),
        (b'a(2) B "x"\n---\n0\n---\n1 2 "a"\n', "5:3", "state 2 of 1"),
    ],
)
def test_wrong_files(text, place, message, tmp_path):
    with pytest.raises(FormatError, match=message) as found:
        parse(text, tmp_path)
    shown = str(found.value)
    assert shown.startswith(str(tmp_path / "x.fsm") + (f":{place}:" if place else ":"))


def test_small_files_cannot_declare_billions_of_states(tmp_path):
    with pytest.raises(FormatError, match="4294967294 states, but only 1 transitions"):
        parse(b'---\n---\n1 4294967294 "a"\n', tmp_path)


def test_written_fsm_has_the_form_that_mcrl2_reads(tmp_path):
    write(LTS.from_transitions([(0, "a", 2)], initial=1), tmp_path / "x.fsm")
    assert (tmp_path / "x.fsm").read_bytes() == b'---\n\n\n\n---\n1 3 "a"\n---\n2\n'


def test_files_of_many_blocks(tmp_path):
    rows = [(n, f"a{n % 7}", n // 2) for n in range(400_000)]
    write(LTS.from_transitions(rows), tmp_path / "x.fsm")
    assert (tmp_path / "x.fsm").stat().st_size > 1 << 22
    assert list(read(tmp_path / "x.fsm")) == rows
    text = (tmp_path / "x.fsm").read_bytes()
    (tmp_path / "x.fsm").write_bytes(text + b"1 1 a\n")
    with pytest.raises(FormatError, match=":800003:5: expected a transition"):
        read(tmp_path / "x.fsm")

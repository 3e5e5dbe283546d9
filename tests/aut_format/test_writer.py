"""The file that is written as its transitions come."""

import io
from array import array

import pytest
from hypothesis import given

import aut_format
from aut_format import Writer
from lts import LTS, FormatError
from strategies import systems


def parts(system):
    return system.initial, system.state_count, list(system.transitions())


@given(systems(labels=("tau", 'a",1)"', "b\udcff")))
def test_streamed_output_equals_dumps(system):
    file = io.BytesIO()
    with Writer(file, initial=system.initial, state_count=system.state_count) as writer:
        for row in system.transitions():
            writer.add(*row)
    assert file.getvalue() == aut_format.dumps(system)


@given(systems())
def test_blocks_and_single_transitions_keep_their_order(system):
    file = io.BytesIO()
    rows = list(system.transitions())
    with Writer(file, initial=system.initial) as writer:
        for row in rows:
            writer.add(*row)
        writer.add_block(system.source, system.label, system.target, system.labels)
        for row in rows:
            writer.add(*row)
    largest = max([system.initial, *(max(s, t) for s, _, t in rows)])
    assert parts(aut_format.loads(file.getvalue())) == (system.initial, largest + 1, rows * 3)


def test_header_is_completed_on_close(tmp_path):
    path = tmp_path / "a.aut"
    with Writer(path, initial=1) as writer:
        for state in range(100_000):
            writer.add(state, "a", state + 1)
        assert not path.exists()
    assert path.read_bytes().startswith(b"des (1,100000,100001)")
    system = aut_format.read(path)
    assert parts(system) == (1, 100_001, [(s, "a", s + 1) for s in range(100_000)])
    assert list(tmp_path.iterdir()) == [path]


def test_no_transitions():
    file = io.BytesIO()
    with Writer(file, initial=3):
        pass
    assert file.getvalue() == b"des (3,0,4)\n"


def write_half(file, error):
    with Writer(file) as writer:
        writer.add(0, "a", 1)
        raise error


def test_failed_writes_leave_streams_empty():
    file = io.BytesIO()
    with pytest.raises(RuntimeError):
        write_half(file, RuntimeError)
    assert file.getvalue() == b""


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_exception_leaves_no_file(tmp_path, error):
    with pytest.raises(error):
        write_half(tmp_path / "a.aut", error)
    assert list(tmp_path.iterdir()) == []


def test_an_unfinished_file_is_marked(tmp_path):
    path = tmp_path / "a.aut"
    with Writer(path) as writer:
        writer.add(0, "a", 4)
        writer.unfinished = True
    with pytest.raises(FormatError, match="unfinished"):
        aut_format.read(path)
    system = aut_format.read(path, salvage=True)
    assert parts(system) == (0, 5, [(0, "a", 4)])
    aut_format.write(system, path, unfinished=True)
    assert path.read_bytes() == b'des (0,?,?)\n(0,"a",4)\n'


def test_unwritable_transitions_are_refused(tmp_path):
    path = tmp_path / "a.aut"
    with Writer(path) as writer:
        with pytest.raises(FormatError, match=r"'a\\nb' contains a line break"):
            writer.add(0, "a\nb", 0)
        column = array("I", [0])
        with pytest.raises(FormatError, match=r"'\\n' contains a line break"):
            writer.add_block(column, column, column, ["\n"])
        writer.add_block(column, column, column, ["used", "never\nused"])
        for state in (-1, 2**32 - 1):
            with pytest.raises(ValueError, match="no state"):
                writer.add(state, "a", 0)
    assert parts(aut_format.read(path)) == (0, 1, [(0, "used", 0)])


def test_exceeding_the_declared_states_is_refused(tmp_path):
    with pytest.raises(ValueError, match="state 5"), Writer(tmp_path / "a", state_count=5) as file:
        file.add(0, "a", 5)
    assert list(tmp_path.iterdir()) == []


def test_unused_labels_are_allowed():
    system = LTS.from_columns(*[array("I", [0])] * 3, ["a", "b\n"], 0, 1)
    assert aut_format.dumps(system) == b'des (0,1,1)\n(0,"a",0)\n'

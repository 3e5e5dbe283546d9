"""What is written is read back as it was, and other tools' files are read as they mean it."""

import io
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aut_format
from lts import LTS, FormatError

LABELS = st.one_of(
    st.binary(max_size=8),
    st.text('",() \t\r0', max_size=8).map(str.encode),
).filter(lambda label: b"\n" not in label)


@st.composite
def systems(draw):
    states = draw(st.integers(1, 6))
    labels = draw(st.lists(LABELS, min_size=1, max_size=4, unique=True))
    state = st.integers(0, states - 1)
    names = [label.decode("utf-8", "surrogateescape") for label in labels]
    rows = draw(st.lists(st.tuples(state, st.sampled_from(names), state), max_size=12))
    return LTS.from_transitions(rows, initial=draw(state), state_count=states)


def parts(system):
    return system.initial, system.state_count, list(system.transitions())


@given(systems())
def test_written_systems_read_back_equal(system):
    text = aut_format.dumps(system)
    assert parts(aut_format.loads(text)) == parts(system)
    assert aut_format.dumps(aut_format.loads(text)) == text


@given(systems())
def test_file_and_text_are_read_equal(system):
    file = io.BytesIO()
    aut_format.write(system, file)
    assert file.getvalue() == aut_format.dumps(system)
    file.seek(0)
    assert parts(aut_format.read(file)) == parts(system)


def test_written_text_of_an_example():
    system = LTS.from_transitions([(0, "a", 1), (0, "a", 1), (1, 'say "(no)", ', 0)], state_count=4)
    expected = b'des (0,3,4)\n(0,"a",1)\n(0,"a",1)\n(1,"say "(no)", ",0)\n'
    assert aut_format.dumps(system) == expected


def test_an_existing_file_is_replaced(tmp_path):
    path = tmp_path / "a.aut"
    path.write_bytes(b"old")
    system = LTS.from_transitions([(0, "a", 1)])
    aut_format.write(system, path)
    assert parts(aut_format.read(path)) == parts(system)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("label", ["a\n", "\n", "a\r\nb"])
def test_labels_with_line_breaks_are_refused(label, tmp_path):
    system = LTS.from_transitions([(0, "a", 1), (0, label, 1)])
    with pytest.raises(FormatError, match="contains a line break"):
        aut_format.write(system, tmp_path / "a.aut")
    assert list(tmp_path.iterdir()) == []


@given(systems(), st.integers(1, 50), st.booleans())
def test_chunks_equal_the_whole_file(tmp_path_factory, system, block, ended):
    path = tmp_path_factory.mktemp("pieces") / "s.aut"
    text = aut_format.dumps(system)
    path.write_bytes(text if ended else text.rstrip(b"\n"))
    whole = aut_format.read(path)
    with mock.patch("aut_format.reader._BLOCK", block):
        reader = aut_format.Reader(path)
        rows = [
            (int(s), int(a), int(t)) for piece in reader for s, a, t in zip(*piece, strict=True)
        ]
    found = reader.system
    assert [(s, found.labels[a], t) for s, a, t in rows] == list(whole.transitions())
    assert found.labels == whole.labels
    assert (found.initial, found.state_count, found.internal, found.transition_count) == (
        whole.initial,
        whole.state_count,
        whole.internal,
        0,
    )


@given(
    st.lists(
        st.sampled_from(
            [
                b"des (0,1,2)\n",
                b"des (0,2,2)\n",
                b'(0,"a",1)\n',
                b"(0,a,1)",
                b"(7,a,1)\n",
                b"\n",
                b"?",
            ]
        ),
        max_size=6,
    ),
    st.integers(1, 30),
)
def test_chunks_are_refused_like_the_whole_file(tmp_path_factory, lines, block):
    path = tmp_path_factory.mktemp("pieces") / "s.aut"
    path.write_bytes(b"".join(lines))

    def whole():
        return list(aut_format.read(path).transitions())

    def pieces():
        reader = aut_format.Reader(path)
        rows = [row for piece in reader for row in zip(*piece, strict=True)]
        return [(int(s), reader.system.labels[a], int(t)) for s, a, t in rows]

    results = []
    with mock.patch("aut_format.reader._BLOCK", block):
        for read in (whole, pieces):
            try:
                results.append(read())
            except FormatError as error:
                results.append(str(error))
    assert results[0] == results[1]

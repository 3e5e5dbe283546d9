"""What is written is read back, in every format that is read."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, FormatError, read, write
from lts.formats.names import FORMATS, PACKINGS, named

READ = [e for f in FORMATS.values() if f.is_read for e in f.endings]
PACKED = [f".{f.name}{p}" for f in FORMATS.values() if f.is_read and f.is_text for p in PACKINGS]
LABELS = [
    *("tau", "i", "a", "", " ", '"', '"a"', "a\\", "\\n", "\\\\", '\\"', "a,b", "(1)", "-> b"),
    *("ä", "\U0001f600", "a\tb", "<b>", "]", "// x", "/* */", "# 1", "&amp;", "{a}", "a;b", "---"),
    *("\udcff\udcfe", "\x00", "\x1b", "node", "s1", "a\rb", "\u2028", "\ufeff", "%d", "{}"),
]


@st.composite
def odd_systems(draw):
    count = draw(st.integers(1, 5))
    state = st.integers(0, count - 1)
    label = st.one_of(
        st.sampled_from(LABELS),
        st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=4),
    )
    rows = draw(st.lists(st.tuples(state, label, state), max_size=8))
    rows += draw(st.lists(st.sampled_from(rows), max_size=2)) if rows else []
    return LTS.from_transitions(rows, initial=draw(state), state_count=count)


def content(system, *, is_set):
    rows = list(system.transitions())
    return system.initial, system.state_count, sorted(set(rows)) if is_set else rows


@pytest.mark.parametrize("end", [*READ, *PACKED])
@given(data=st.data())
def test_written_systems_read_back_equal(end, data, tmp_path_factory):
    system = data.draw(odd_systems())
    file = tmp_path_factory.getbasetemp() / f"round-trip{end}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write(system, file)
        again = read(file)
    is_set = end.startswith((".dot", ".gv"))
    if end == ".lts":
        # There is one internal label.
        system = system.rename(dict.fromkeys(system.internal, "tau"))
    assert content(again, is_set=is_set) == content(system, is_set=is_set)
    used = {label for _, label, _ in system.transitions()}
    if end in (".aut", ".lts", ".parquet"):
        assert {*again.internal} & used == {*system.internal} & used


def test_labels_with_line_breaks_roundtrip_or_are_refused(tmp_path):
    system = LTS.from_transitions([(0, "a\nb", 0)])
    for end in (".dot", ".parquet"):
        write(system, tmp_path / f"x{end}")
        assert list(read(tmp_path / f"x{end}")) == [(0, "a\nb", 0)]
    for end in (".aut", ".fsm", ".aut.gz"):
        with pytest.raises(FormatError, match="line break"):
            write(system, tmp_path / f"y{end}")
        assert not (tmp_path / f"y{end}").exists()


def test_inexpressible_internal_labels_give_a_warning(tmp_path):
    from lts import FormatWarning

    visible = LTS.from_transitions([(0, "tau", 0)]).with_internal([])
    for end in (".fsm", ".dot"):
        with pytest.warns(FormatWarning, match="--tau ''"):
            write(visible, tmp_path / f"x{end}")
    for end in (".aut", ".parquet"):
        write(visible, tmp_path / f"x{end}")
        assert read(tmp_path / f"x{end}").internal == ()


def test_compression_is_reproducible(tmp_path):
    system = LTS.from_transitions([(0, "a", 1), (1, "tau", 0)])
    for end in (".aut.gz", ".aut.zst"):
        write(system, tmp_path / f"one{end}")
        write(system, tmp_path / f"two{end}")
        assert (tmp_path / f"one{end}").read_bytes() == (tmp_path / f"two{end}").read_bytes()


def test_compression_is_detected_by_content(tmp_path):
    system = LTS.from_transitions([(0, "a", 1)])
    write(system, tmp_path / "x.aut.zst")
    (tmp_path / "y.aut").write_bytes((tmp_path / "x.aut.zst").read_bytes())
    assert list(read(tmp_path / "y.aut")) == [(0, "a", 1)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "x.xyz",
            r"unknown format `\.xyz`; the formats are \.aut, \.fsm, \.lts, \.dot, \.gv, \.parquet",
        ),
        (
            "y/x.bcg",
            r"BCG files are read only by CADP: `bcg_io x\.bcg x\.aut` converts it to \.aut",
        ),
        ("x.bcg.gz", "BCG files are read only by CADP"),
        ("x.tar.gz", r"unknown format `\.tar\.gz`"),
        ("x.mcrl2", "is a specification"),
        ("x.exp", "is a network"),
        ("x.json", "JSON can be written, but not read"),
        ("x.parquet.gz", "already compressed"),
    ],
)
def test_unknown_suffixes_are_refused(name, message):
    with pytest.raises(FormatError, match=message):
        named(name, reading=True)


def test_a_format_can_be_given(tmp_path):
    system = LTS.from_transitions([(0, "a", 1)])
    write(system, tmp_path / "x.txt", format="fsm")
    assert list(read(tmp_path / "x.txt", format="fsm")) == [(0, "a", 1)]
    with pytest.raises(FormatError, match="unknown format `bcg`"):
        read(tmp_path / "x.txt", format="bcg")


def test_non_path_arguments_are_type_errors():
    with pytest.raises(TypeError, match="the path of a file is expected, not int"):
        read(3)

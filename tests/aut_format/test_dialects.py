"""Files as other tools write them: one example for each peculiarity."""

import io

import pytest

import aut_format

A = (0, 2, [(0, "a", 1)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('des (0,1,2)\n(0,"a",1)\n', A, id="ours, CADP"),
        pytest.param('des(0,1,2)\n(0,"a",1)\n', A, id="no blank in the header: mCRL"),
        pytest.param('des (0, 1, 2)\n(0, "a", 1)\n', A, id="blanks after commas"),
        pytest.param("des (0,1,2)\n(0,a,1)\n", A, id="no quotes"),
        pytest.param("des (0,1,2)\n(0, a , 1)\n", A, id="no quotes, blanks around"),
        pytest.param(' des ( 0 ,1\t, 2 ) \n\t( 0 , "a"\t,1 ) \n', A, id="blanks anywhere"),
        pytest.param('des(0,1,2)              \n(0,"a",1)\n', A, id="padded header: LTSmin"),
        pytest.param('des (0,1,2)\r\n(0,"a",1)\r\n', A, id="CRLF"),
        pytest.param('des (0,1,2)\n(0,"a",1)', A, id="no line end at the end"),
        pytest.param('\ufeffdes (0,1,2)\n(0,"a",1)\n', A, id="mark of UTF-8: Windows"),
        pytest.param('\ufeff des (0,1,2)\r\n(0,"a",1)\r\n', A, id="mark of UTF-8, blank"),
        pytest.param('des (0,1,2)\n(0,"a",1)\n\n \r\n\n', A, id="blank lines at the end"),
        pytest.param('\ndes (0,1,2)\n\n(0,"a",1)\n', A, id="blank lines elsewhere"),
        pytest.param('des (00,01,002)\n(00,"a",000000000000001)\n', A, id="leading zeros"),
        pytest.param('des (1,1,2)\n(0,"a",1)\n', (1, 2, A[2]), id="other initial state"),
        pytest.param("des (0,0,1)\n", (0, 1, []), id="no transition"),
        pytest.param("des (0,0,1)", (0, 1, []), id="only a header"),
        pytest.param('des (7,1,9)\n(0,"a",1)\n', (7, 9, A[2]), id="states without transitions"),
        pytest.param(
            'des (0,3,2)\n(0,"a",1)\n(0,"a",1)\n(0,"a",1)\n',
            (0, 2, A[2] * 3),
            id="duplicates stay",
        ),
    ],
)
def test_layout(text, expected):
    system = aut_format.loads(text)
    found = system.initial, system.state_count, list(system.transitions())
    assert found == expected


@pytest.mark.parametrize(
    ("between", "label"),
    [
        ('""', ""),
        ('" a "', " a "),
        ('"send(0,1)"', "send(0,1)"),
        ("send(0,1)", "send(0,1)"),
        ('"say "yes", then (no)"', 'say "yes", then (no)'),
        ('"a",1)"', 'a",1)'),
        ('"""', '"'),
        ('""""', '""'),
        ('"\\""', '\\"'),
        ("PUT !1 !TRUE", "PUT !1 !TRUE"),
        ('"PUT !1 !"x,y""', 'PUT !1 !"x,y"'),
        ("say 'x'", "say 'x'"),
        ('f("x")', 'f("x")'),
        ("a,,b", "a,,b"),
        (",", ","),
        ("i", "i"),
        ("'quoted'", "'quoted'"),
        ('"tau"', "tau"),
        ('"naïve ∀"', "naïve ∀"),
        ('"a\rb"', "a\rb"),
        ('"a\r"', "a\r"),
        ('"\t"', "\t"),
        ('"\x00\x0b\x0c\x85\u2028"', "\x00\x0b\x0c\x85\u2028"),
        ('"des (0,1,2)"', "des (0,1,2)"),
    ],
)
def test_labels(between, label):
    system = aut_format.loads(f"des (0,1,2)\n(0,{between},1)\n")
    assert list(system.transitions()) == [(0, label, 1)]
    assert list(aut_format.loads(aut_format.dumps(system)).transitions()) == [(0, label, 1)]


def test_quotes_are_stripped_from_labels():
    assert aut_format.loads('des (0,2,2)\n(0,"a",1)\n(1,a,0)\n').labels == ("a",)


def test_undecodable_bytes_roundtrip():
    text = b'des (0,1,2)\n(0,"\xff\xfe,\x80",1)\n'
    system = aut_format.loads(text)
    assert system.labels[0].encode("utf-8", "surrogateescape") == b"\xff\xfe,\x80"
    assert aut_format.dumps(system) == text


@pytest.mark.parametrize("line", [b"(0,  a  b  ,1)", b"(0,\ta  b,1)"])
def test_blanks_around_bare_labels_are_stripped(line):
    assert aut_format.loads(b"des (0,1,2)\n" + line).labels == ("a  b",)


def test_internal_labels():
    text = 'des (0,3,2)\n(0,"i",1)\n(0,"tau",1)\n(0,"a",1)\n'
    assert aut_format.loads(text).internal == ("tau",)
    assert aut_format.loads(text.replace("tau", "b")).internal == ("i",)
    assert aut_format.loads(text, internal=["a", "i", "absent"]).internal == ("i", "a")
    assert aut_format.loads(text, internal=[]).internal == ()


def test_short_reads_are_handled():
    class Slow(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 3))

    text = b'des (0,2,2)\n(0,"a",1)\n(1,"bb",0)'
    assert list(aut_format.read(Slow(text)).transitions()) == [(0, "a", 1), (1, "bb", 0)]


def test_text_mode_files_are_type_errors():
    with pytest.raises(TypeError, match="opened in binary mode, not as text"):
        aut_format.read(io.StringIO("des (0,0,1)\n"))


def test_a_large_file(tmp_path):
    """More than a block, in all; lines across the ends of blocks."""
    count = 120_000
    path = tmp_path / "large.aut"
    with path.open("w") as file:
        file.write(f"des (0,{count},{count + 1})\n")
        file.writelines(f'({i},"step({i % 1000})",{i + 1})\n' for i in range(count))
    assert path.stat().st_size > 2 << 20
    system = aut_format.read(path)
    assert system.source.tolist() == list(range(count))
    assert system.target.tolist() == list(range(1, count + 1))
    assert system.label.tolist() == [i % 1000 for i in range(count)]
    assert system.labels[999] == "step(999)"
    assert aut_format.dumps(system) == path.read_bytes()

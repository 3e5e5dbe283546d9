"""The notation: what is read, what is refused, and where errors point."""

import pytest

from lts import LTS, LimitReached, LtsError, ParseError, Unsupported
from lts.network import compose, read, read_text
from lts.network.labels import Pattern

A = LTS.from_transitions([(0, "PUT !1", 1), (1, "GET !TRUE !2", 2), (2, "put(3,x)", 0)])


def labels(text, system=A):
    return sorted(compose(read_text(text, load=lambda path: system)).labels)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", ["GET !TRUE !2", "PUT !1", "put(3,x)"]),
        ("behaviour a end behaviour", ["GET !TRUE !2", "PUT !1", "put(3,x)"]),
        ("-- a remark\n(* another\none *) a", ["GET !TRUE !2", "PUT !1", "put(3,x)"]),
        ("hide PUT in a", ["GET !TRUE !2", "put(3,x)", "tau"]),
        ("HIDE PUT IN a END HIDE", ["GET !TRUE !2", "put(3,x)", "tau"]),
        ('hide "PUT" in a', ["GET !TRUE !2", "PUT !1", "put(3,x)"]),
        ('hide "PUT .*" in a', ["GET !TRUE !2", "put(3,x)", "tau"]),
        ('partial hide "U" in a', ["put(3,x)", "tau"]),
        ('gate hide "[A-Z]*" in a', ["put(3,x)", "tau"]),
        ("total hide put in a", ["GET !TRUE !2", "PUT !1", "put(3,x)"]),
        ("hide all but put in a", ["put(3,x)", "tau"]),
        ("hide all but in a", ["tau"]),
        ("hide in a", ["GET !TRUE !2", "PUT !1", "put(3,x)"]),
        ("cut GET in a", ["PUT !1"]),
        ("cut all but PUT in a", ["PUT !1"]),
        ("rename PUT -> SEND in a", ["GET !TRUE !2", "SEND !1", "put(3,x)"]),
        (r'rename "\([A-Z]*\) !\(.*\)" -> "\2(\1)" in a', ["1(PUT)", "TRUE !2(GET)", "put(3,x)"]),
        ('single rename "T" -> "x" in a', ["GEx !TRUE !2", "PUx !1", "put(3,x)"]),
        ('multiple rename "T" -> "x" in a', ["GEx !xRUE !2", "PUx !1", "put(3,x)"]),
        ('rename PUT -> "i", GET -> tau in a', ["i !1", "put(3,x)", "tau !TRUE !2"]),
    ],
)
def test_what_is_read(text, expected):
    # A gate that is renamed keeps its offers; only a whole label `i` or `tau` is hidden.
    assert labels(text) == expected


def test_a_label_renamed_to_i_is_hidden():
    assert "tau" in labels('rename "PUT .*" -> i in a')


def test_operators_join_to_the_right_and_hiding_goes_far():
    one = LTS.from_transitions([(0, "a", 0), (0, "b", 0)])
    # a ||| (a |[a]| a): 2 ways to do `a`, and `hide` goes over all.
    found = compose(read_text("hide a in x ||| x |[a]| x", load=lambda path: one))
    assert sorted(found.labels) == ["b", "tau"]
    nested = read_text("(hide a in x end hide) ||| x", load=lambda path: one)
    assert sorted(compose(nested).labels) == ["a", "b", "tau"]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "expected a component, not the end"),
        ("a ||", 1, 5, "expected a component"),
        ("a || b c", 1, 8, "expected an operator or the end, not `c`"),
        ("a |[x b", 1, 7, "expected `#`, `,` or `]|`, not `b`"),
        ("hide a b in x", 1, 8, "expected `,` or `in`, not `b`"),
        ("hide a in x end cut", 1, 17, "expected `hide`"),
        ("par a in\n x || y", 2, 8, "expected an operator, `#`, `,`, `->` or `end`, not the end"),
        ('"a', 1, 1, "never closed"),
        ("(* a", 1, 1, "never closed"),
        ("a || ?", 1, 6, "unexpected '?'"),
        ('hide "[a" in x', 1, 6, "no regular expression"),
        (r'hide "\(a" in x', 1, 6, "no regular expression"),
        (r'rename "a" -> "\1" in x', 1, 15, "no group 1"),
        ("par using a * b -> c in x end par", 1, 11, "2 places for 1 components"),
        ("par using _ * _ -> c in x || x end par", 1, 11, "has a component"),
        ("par a #3 in x || y end par", 1, 5, "2 components, of which 3"),
        ("par a #0 in x || y end par", 1, 8, "at least one"),
        ("multiple hide a in x", 1, 1, "`hide` is total, partial or gate"),
        ("partial rename a -> b in x", 1, 1, "`rename` is total, gate, single or multiple"),
        ('""', 1, 1, "the name of a file"),
    ],
)
def test_errors_point_into_the_text(text, line, column, message):
    with pytest.raises(ParseError) as caught:
        read_text(text, file="n.exp", load=lambda path: A)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert message in error.message
    assert error.file == "n.exp"


@pytest.mark.parametrize(
    "text",
    [
        "prio a > b in x",
        "x | y",
        "x \\ {a}",
        "x.bcg",
        "hide a in " * 1000 + "x",
        "x ||| x || " * 500 + "x",
    ],
)
def test_what_is_not_read_is_refused(text):
    with pytest.raises(Unsupported):
        read_text(text, load=lambda path: A)


def test_components_are_found_from_the_folder_of_the_network(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.aut").write_text('des (0,1,2)\n(0,"a",1)\n')
    (tmp_path / "sub" / "both.exp").write_text('a ||| "a.aut"')
    (tmp_path / "all.exp").write_text('"sub/both.exp" |[a]| "sub/a.aut"')
    made = read(tmp_path / "all.exp")
    assert made.names == ("a", "a.aut", "sub/a.aut")
    assert compose(made).state_count == 3
    # One file is one system, however often it stands there.
    assert len({id(system) for system in made.components}) == 1


def test_a_component_that_cannot_be_read_is_told_where_it_stands(tmp_path):
    (tmp_path / "n.exp").write_text('"missing.aut" ||\n  other')
    with pytest.raises(LtsError) as caught:
        read(tmp_path / "n.exp")
    assert (caught.value.line, caught.value.column) == (1, 1)
    assert "missing.aut" in caught.value.message


def test_a_wrong_component_says_itself_what_is_wrong(tmp_path):
    (tmp_path / "n.exp").write_text("a")
    (tmp_path / "a.aut").write_text("des (0,1,2)\n(0,a,5)\n")
    with pytest.raises(LtsError, match=r"a\.aut:2"):
        read(tmp_path / "n.exp")


def test_a_network_is_no_component_of_itself(tmp_path):
    (tmp_path / "one.exp").write_text("one.exp || two.exp")
    with pytest.raises(LtsError, match="component of itself"):
        read(tmp_path / "one.exp")
    (tmp_path / "one.exp").write_text("two.exp")
    (tmp_path / "two.exp").write_text("one.exp")
    with pytest.raises(LtsError, match="component of itself"):
        read(tmp_path / "one.exp")


def test_vectors_without_end_reach_a_limit():
    one = LTS.from_transitions([(0, f"a{n}", 0) for n in range(10)])
    text = "par a in " + " || ".join(['(rename "a.*" -> a in x end rename)'] * 12) + " end par"
    with pytest.raises(LimitReached, match="synchronisation vectors"):
        read_text(text, load=lambda path: one)
    many = "par a #30 in " + " || ".join(["x"] * 60) + " end par"
    with pytest.raises(LimitReached, match="synchronisation vectors"):
        read_text(many, load=lambda path: LTS.from_transitions([(0, "a", 0)]))


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("a*", ["", "aa"], ["b"]),
        ("*a", ["*a"], ["a"]),
        ("a+b", ["a+b"], ["aab"]),
        ("put(1)", ["put(1)"], ["put1"]),
        (r"a\{,2\}\{2\}", ["", "aaaa"], ["aaaaa"]),
        (r"a\{2,3\}", ["aa", "aaa"], ["a", "aaaa"]),
        ("[a-c]", ["b"], ["d", "-"]),
        ("[^a]", ["b"], ["a"]),
        ("[]a]", ["]", "a"], ["b"]),
        (r"[\d]", ["\\", "d"], ["1"]),
        ("[+--]", ["+", ",", "-"], ["."]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[a&&b~~c||d[]", ["&", "~", "|", "["], ["e"]),
        ("[[:digit:]x]*", ["12x"], ["y"]),
        ("a.c", ["abc", "a\nc"], ["ac"]),
        (r"a\.c", ["a.c"], ["abc"]),
        ("a^b$c", ["a^b$c"], ["abc"]),
        ("^ab$", ["ab"], ["^ab$"]),
        ("a|b", ["a|b"], ["a"]),
    ],
)
def test_patterns_are_basic_regular_expressions(pattern, matching, other):
    made = Pattern(pattern, "total")
    assert all(map(made.matches, matching))
    assert not any(map(made.matches, other))


@pytest.mark.parametrize(
    "pattern", [r"\(a\)\1", r"a\{2", r"a\}", r"\(a", "[a", r"a\{2,1\}", "[b-a]"]
)
def test_what_no_automaton_matches_is_refused_with_its_place(pattern):
    with pytest.raises(LtsError, match=r"^network:1:6: this is no regular expression: "):
        read_text(f'hide "{pattern}" in a end hide')


def test_more_synchronise_than_there_are(tmp_path):
    system = LTS.from_transitions([(0, "a", 0)])
    for number in (3, 99, 10**12, "0" * 30 + "3"):
        found = read_text(f"a |[a#{number}]| a", load=lambda path: system)
        assert found.vectors == ()
        with pytest.raises(LtsError, match="there are 2 components"):
            read_text(f"par a#{number} in a || a end par", load=lambda path: system)


def test_networks_in_networks_have_a_limit(tmp_path):
    (tmp_path / "a.aut").write_text('des (0,1,2)\n(0,"a",1)\n')
    (tmp_path / "n0.exp").write_text("a")
    for number in range(40):
        (tmp_path / f"n{number + 1}.exp").write_text(f'"n{number}.exp" ||| "n{number}.exp"')
    with pytest.raises(LimitReached, match="more than 10000 components"):
        read(tmp_path / "n40.exp")

"""The notation: what is read, what is refused, and where errors point."""

import pytest

from lts import LTS, LimitReached, LtsError, ParseError, Unsupported
from lts.network import compose, read, read_text
from lts.network.labels import Pattern

A = LTS.from_transitions([(0, "PUT !1", 1), (1, "GET !TRUE !2", 2), (2, "put(3,x)", 0)])


def labels(text, system=A):
    return sorted(compose(read_text(text, load=lambda path: system)).labels)


ALL = ["GET !TRUE !2", "PUT !1", "put(3,x)"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", ALL),
        ("elotos behavior a", ALL),
        ("-- a remark\n(* another\none *) a", ALL),
        ("hide PUT in a", ["GET !TRUE !2", "put(3,x)", "tau"]),
        ('hide "PUT" in a', ["GET !TRUE !2", "put(3,x)", "tau"]),
        ("gate hide PUT in a end (* *) hide", ["GET !TRUE !2", "put(3,x)", "tau"]),
        ('hide "PUT .*" in a', ALL),
        ('total hide "PUT .*" in a end hide', ["GET !TRUE !2", "put(3,x)", "tau"]),
        ('partial hide "U" in a end hide', ["put(3,x)", "tau"]),
        ('hide "[A-Z]*" in a', ["put(3,x)", "tau"]),
        ('ccs behaviour hide "[[:lower:]]*" in a', ["GET !TRUE !2", "PUT !1", "tau"]),
        ("total hide put in a end hide", ALL),
        ("hide gates, lotoss, _in, total1 in a".replace("_", "x"), ALL),
        ("hide all but put in a end hide", ["put(3,x)", "tau"]),
        ("hide all but in a end hide", ["tau"]),
        ("hide in a", ALL),
        ("lotos behaviour hide put in a", ["GET !TRUE !2", "put(3,x)", "tau"]),
        ("cut GET in a end cut", ["PUT !1"]),
        ("encap GET in a end encap", ["PUT !1"]),
        ("cut all but PUT in a end cut", ["PUT !1"]),
        ("a \\ GET", ["PUT !1"]),
        ("a \\ {GET, put}", ["PUT !1"]),
        ("csp behaviour a \\ {put}", ["GET !TRUE !2", "put(3,x)", "tau"]),
        ("rename PUT -> SEND in a end rename", ["GET !TRUE !2", "SEND !1", "put(3,x)"]),
        (
            r'total rename "\([A-Z]*\) !\(.*\)" -> "\2(\1)" in a end rename',
            ["1(PUT)", "TRUE !2(GET)", "put(3,x)"],
        ),
        ('single rename "T" -> "x" in a end rename', ["GEx !TRUE !2", "PUx !1", "put(3,x)"]),
        ('multiple rename "T" -> "x" in a end rename', ["GEx !xRUE !2", "PUx !1", "put(3,x)"]),
        ('multiple rename "\\\\<T" -> "x" in a end rename', ["GET !xRUE !2", "PUT !1", "put(3,x)"]),
        ("rename PUT -> i, GET -> tau in a end rename", ["i !1", "put(3,x)", "tau !TRUE !2"]),
        ("a [SEND/PUT]", ["GET !TRUE !2", "SEND !1", "put(3,x)"]),
        ("a [[PUT <- SEND]]", ["GET !TRUE !2", "SEND !1", "put(3,x)"]),
        ("a [SEND/PUT] \\ {SEND}", []),
        ("prio GET > PUT in a ||| a end prio", ["GET !TRUE !2", "PUT !1", "put(3,x)"]),
    ],
)
def test_accepted_notation(text, expected):
    # A gate that is renamed keeps its offers; only a whole label `i` or `tau` is hidden.
    assert labels(text) == expected


def test_labels_renamed_to_the_hidden_label_are_hidden():
    text = 'total rename "PUT .*" -> {} in a end rename'
    assert "tau" in labels(text.format("i"))
    assert "tau" in labels("elotos behaviour " + text.format("i"))
    assert "i" in labels("mcrl behaviour " + text.format("i"))
    assert "I" in labels("ccs behaviour " + text.format("i"))
    assert "tau" in labels("csp behaviour " + text.format("t"))


def test_operators_associate_right_and_hide_extends_far():
    one = LTS.from_transitions([(0, "a", 0), (0, "b", 0)])
    # a ||| (a |[a]| a): 2 ways to do `a`, and `hide` goes over all.
    found = compose(read_text("hide a in x ||| x |[a]| x", load=lambda path: one))
    assert sorted(found.labels) == ["b", "tau"]
    nested = read_text("(hide a in x end hide) ||| x", load=lambda path: one)
    assert sorted(compose(nested).labels) == ["a", "b", "tau"]
    kept = read_text("hide a in x end hide ||| x", load=lambda path: one)
    assert sorted(compose(kept).labels) == ["a", "b", "tau"]
    # Before the end of another operator `hide` needs none.
    inner = read_text("cut b in hide a in x ||| x end cut", load=lambda path: one)
    assert compose(inner).labels == ("tau",)


def test_hidden_labels_are_those_of_the_reference_language():
    one = LTS.from_transitions([(0, name, 0) for name in ("i", "t", "tau", "a")])
    hidden = {"": "i", "lotos": "i", "elotos": "i", "ccs": "t", "csp": "t", "mcrl": ""}
    for language, name in hidden.items():
        text = f"{language} behaviour x" if language else "x"
        made = compose(read_text(text, load=lambda path: one))
        assert sorted(made.labels) == sorted({"i", "t", "tau", "a"} - {name})
        assert made.internal == ("tau",)
    # `internal` says otherwise.
    made = compose(read_text("x", load=lambda path: one, internal=["a", "tau"]))
    assert sorted(made.labels) == ["i", "t", "tau"]
    # A file in which nothing is internal by its name says so.
    visible = LTS.from_transitions([(0, "i", 0)]).with_internal([])
    assert compose(read_text("x", load=lambda path: visible)).labels == ("i",)


def test_exit_synchronises_in_all_operands():
    one = LTS.from_transitions([(0, "a", 1), (1, "exit !1", 2)])
    for text in ("x ||| x", "x |[b]| x", "par a#1 in x || x end par"):
        assert compose(read_text(text, load=lambda path: one)).state_count == 5
    for text in ("ccs behaviour x ||| x", "x | x", "csp behaviour x ||| x"):
        assert compose(read_text(text, load=lambda path: one)).state_count == 9


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "expected a component, not the end"),
        ("a ||", 1, 5, "expected a component"),
        ("a || b c", 1, 8, "expected an operator or the end, not `c`"),
        ("a |[x b", 1, 7, "expected `,` or `]|`, not `b`"),
        ("hide a b in x", 1, 8, "expected `,` or `in`, not `b`"),
        (
            "hide a in x end cut",
            1,
            13,
            "expected an operator, `end hide` or the end, not `end cut`",
        ),
        ("par a in\n x || y", 2, 8, "not the end"),
        ("par a in x ||| y end par", 1, 12, "not `|||`"),
        ("par hide a in x || y end par", 1, 22, "expected an operator or `end hide`"),
        ("cut a in x", 1, 11, "expected an operator or `end cut`, not the end"),
        ("total hide a in x", 1, 1, "this `hide` has no `end hide`"),
        ("hide all but a in x", 1, 1, "this `hide` has no `end hide`"),
        ("hide all in x end hide", 1, 10, "expected `but`"),
        ("hide PAR, in in x", 1, 11, 'which is a keyword (as a label, `"in"`)'),
        ("hide a in x end " + "(* * *)" * 40 + " x", 1, 13, "expected an operator"),
        ("hide gate in x", 1, 6, "which is a keyword"),
        ("hide a_ in x", 1, 6, "a name must begin with a letter"),
        ("HIDE a in x", 1, 6, "expected an operator or the end"),
        ("lotos x", 1, 7, "expected `behaviour`"),
        ("mcrl comm a|b=c end comm x || y", 1, 6, "expected `behaviour`"),
        ("comm a|b=c end comm x || y", 1, 1, "expected a component"),
        ("mcrl behaviour comm a|b=c, b|a=d end comm x", 1, 28, "already communicate"),
        ("mcrl behaviour comm a|tau=c end comm x", 1, 23, "`tau` is hidden"),
        ('"a', 1, 1, "never closed"),
        ("(* a", 1, 1, "never closed"),
        ("a || ?", 1, 6, "unexpected '?'"),
        ('hide "[a" in x', 1, 6, "not a valid regular expression"),
        (r'hide "\(a" in x', 1, 6, "not a valid regular expression"),
        (r'rename "a" -> "\1" in x end rename', 1, 15, "no group 1"),
        ("par using a * b -> c in x end par", 1, 11, "2 places for 1 components"),
        ("par using _ * _ -> c in x || x end par", 1, 11, "needs at least one component"),
        ("par using a * i -> c in x || x end par", 1, 15, "`i` is hidden"),
        ("ccs behaviour par using t * _ -> c in x || x end par", 1, 25, "`t` is hidden"),
        ('par using a * "a !1" -> c in x || x end par', 1, 15, "is written without offers"),
        ("par i in x || x end par", 1, 5, "`i` is hidden"),
        ("x |[a, exit]| x", 1, 8, "`exit` is termination"),
        ("multiple hide a in x", 1, 1, "`hide` is gate, total or partial"),
        ("partial rename a -> b in x end rename", 1, 1, "`rename` is gate, total, single or"),
        ("total par a in x || x end par", 1, 1, "`par` is gate or label"),
        ("prio a > b, a in x end prio", 1, 1, "the priorities are not an order: `a` precedes"),
        ('""', 1, 1, "file name must not be empty"),
    ],
)
def test_errors_point_into_the_text(text, line, column, message):
    one = LTS.from_transitions([(0, "a", 0)])
    with pytest.raises(LtsError) as caught:
        read_text(text, file="n.exp", load=lambda path: one)
    error = caught.value
    assert message in error.message
    assert (error.line, error.column) == (line, column)
    assert error.file == "n.exp"


@pytest.mark.parametrize(
    "text", ["x.bcg", "hide a in " * 1000 + "x", "x ||| x || " * 500 + "x", "x | x || " * 500 + "x"]
)
def test_unsupported_notation_is_refused(text):
    with pytest.raises(Unsupported):
        read_text(text, load=lambda path: A)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("hide get in x end hide", (1, 6), "`get` matches no gate"),
        ('hide all but a, "get" in x end hide', (1, 17), "`get` matches no gate"),
        ('cut "a !1" in x end cut', (1, 5), "`a !1` matches no gate, which has no offers"),
        ('total cut "a !3" in x end cut', (1, 11), "`a !3` matches no label"),
        ("rename a -> b, get -> c in x end rename", (1, 16), "`get` matches no gate"),
        ("x [c/get]", (1, 6), "`get` matches no gate"),
        ("x \\ get", (1, 5), "`get` matches no gate"),
        ("prio a > get in x end prio", (1, 10), "`get` matches no gate"),
        ("par using a * get -> c in x || x end par", (1, 11), "this vector has no effect"),
        ("x |[a, get]| x", (1, 8), "`get` is blocked: operand 1 does not have it"),
        ("par a in x || cut a in x end cut end par", (1, 5), "operand 2 does not have it"),
        ('par "a !1" in x || x end par', (1, 5), "`a !1` is blocked"),
        ('par "b !1"#1 in x || x end par', (1, 5), "0 operands have `b !1`"),
        (
            'par "a !1" -> x || x end par',
            (1, 5),
            "`a !1` is not a gate: gates are written without offers",
        ),
        ("par a#3 in x || x end par", (1, 5), "`a#3`: there are 2 operands"),
        ("par get#1 in x || x end par", (1, 5), "`get#1`: 0 operands have `get`"),
        ("par a, a#0 in x || x end par", (1, 8), "`a#0` is redundant next to another `a`"),
        ("par a -> x || a, a#0 -> x end par", (1, 18), "`a#0` is redundant next to another `a`"),
        ("par a -> x || x end par", (1, 5), "no other operand has `a` in its list"),
        ("par a#2 -> x || a -> x || a -> x end par", (1, 5), "`a#2` is in the lists of 1 operands"),
        ("par get -> x || get -> x end par", (1, 5), "operand 1 has no `get`"),
        (
            "lotos behaviour comm a|b=c end comm x",
            (1, 22),
            "`comm` has an effect only under `mcrl`",
        ),
    ],
)
def test_ineffective_operators_are_remarked_with_position(text, place, message):
    one = LTS.from_transitions([(0, "a !1", 0), (0, "A", 0), (0, "b", 0)])
    found = read_text(text, file="n.exp", load=lambda path: one).remarks[0]
    assert message in found.message
    assert (found.file, found.line, found.column) == ("n.exp", *place)


def test_effective_operators_give_no_remark():
    one = LTS.from_transitions([(0, "a !1", 0), (0, "b", 0)])
    for text in (
        "hide a in par a, b#2 in x || x end par end hide",
        "par using a * a -> c, b * _ -> b in x || x end par",
        'total rename "a !\\(.*\\)" -> "a \\1" in x |[a]| x end rename',
        "prio a > b in par a -> x || a -> x || b#1 -> x end par end prio",
    ):
        assert read_text(text, load=lambda path: one).remarks == ()


def test_patterns_are_read_from_files(tmp_path):
    one = LTS.from_transitions([(0, "a !1", 0), (0, "b", 0), (0, "c", 0)])

    def found(text):
        return sorted(compose(read_text(text, folder=str(tmp_path), load=lambda path: one)).labels)

    (tmp_path / "some.hid").write_text('  hide \n\n a \n"[cd]"\n')
    (tmp_path / "rest.hide").write_text("hide all but\nb")
    (tmp_path / "some.cut").write_text("cut\na\n")
    (tmp_path / "rest.cut").write_text("cut all but\na !1\n")
    (tmp_path / "some.ren").write_text('rename\na -> d\n"\\(.\\)" -> "\\1\\1"\n')
    assert found("hide using some in x end hide") == ["b", "tau"]
    assert found('hide using "some.hid" in x end hide') == ["b", "tau"]
    assert found("hide using rest in x end hide") == ["b", "tau"]
    assert found("cut using some.cut in x end cut") == ["b", "c"]
    assert found("total cut using rest in x end cut") == ["a !1"]
    assert found("rename using some in x end rename") == ["bb", "cc", "d !1"]
    (tmp_path / "gates.txt").write_text("hide\nb")
    assert found('hide using "gates.txt" in x end hide') == ["a !1", "c", "tau"]
    # Labels in files stay as they are.
    assert found("lotos behaviour hide using some in x end hide") == ["b", "tau"]
    for name, text, place, message in (
        ("none", None, (1, 12), "No such file"),
        ("other", "cut\na", (1, None), "must begin with the line `hide`"),
        ("other", "", (1, None), "must begin with the line `hide`"),
        ("other", "hide\n[a", (2, None), "not a valid regular expression"),
    ):
        if text is not None:
            (tmp_path / "other.hid").write_text(text)
        with pytest.raises(LtsError, match=message) as caught:
            found(f"hide using {name} in x end hide")
        assert caught.value.line == place[0]
    for text, message in (
        ("rename\na", "expected `pattern -> text`"),
        (r"rename\na -> \1", "group"),
    ):
        (tmp_path / "other.ren").write_text(text.replace("\\n", "\n"))
        with pytest.raises(ParseError, match=message):
            found("rename using other in x end rename")
    idle = read_text(
        "lotos behaviour hide using some in x \\ {a} end hide",
        folder=str(tmp_path),
        load=lambda path: LTS.from_transitions([(0, "b", 0)]),
    )
    assert [(remark.line, remark.column) for remark in idle.remarks] == [(1, 28), (1, 28), (1, 41)]


def test_included_network_equals_its_text(tmp_path):
    one = LTS.from_transitions([(0, "a", 0), (0, "b", 0)])

    def network(text):
        return read_text(text, folder=str(tmp_path), load=lambda path: one)

    (tmp_path / "open.exp").write_text("hide a in x")
    (tmp_path / "pair.exp").write_text("x ||| x")
    (tmp_path / "bars.exp").write_text("x || x")
    (tmp_path / "closed.exp").write_text("-- a remark\nhide a in x end hide")
    (tmp_path / "nested.exp").write_text('(x) |[a]| "open.exp"')
    for text, spliced, reported in (
        ('"open.exp" ||| x', "hide a in x ||| x", 1),
        ('("open.exp") ||| x', "(hide a in x) ||| x", 0),
        ('"closed.exp" ||| x', "hide a in x end hide ||| x", 0),
        ('"pair.exp" |[a]| x', "x ||| x |[a]| x", 1),
        ('"pair.exp" ||| x', "x ||| x ||| x", 0),
        ('"open.exp" ||| "pair.exp"', "hide a in x ||| x ||| x", 1),
        ('x |[a]| "pair.exp"', "x |[a]| x ||| x", 0),
        ('"nested.exp" ||| x', "(x) |[a]| hide a in x ||| x", 1),
        ('hide b in "open.exp" end hide || x', "hide b in hide a in x end hide || x", 1),
        ('hide b in "pair.exp" end hide || x', "hide b in x ||| x end hide || x", 0),
        ('par x || "bars.exp" end par', "par x || x || x end par", 1),
        ('lotos behaviour "open.exp" || x', "lotos behaviour hide a in x || x", 1),
    ):
        made = network(text)
        assert set(made.vectors) == set(network(spliced).vectors)
        reaching = [
            one
            for one in made.remarks
            if "an operator whose scope extends beyond the" in one.message
        ]
        assert len(reaching) == reported
    with pytest.raises(ParseError, match=r"not `\|\|\|`"):
        network('par a in "pair.exp" || x end par')
    (tmp_path / "wrong.exp").write_text('par a in "pair.exp" || x end par ||| x')
    with pytest.raises(ParseError, match=r"not `\|\|\|`"):
        network('"wrong.exp" ||| x')
    (tmp_path / "headed.exp").write_text("lotos behaviour x")
    with pytest.raises(ParseError, match="a header: that of network:1:1 applies") as caught:
        network('"headed.exp" || x')
    assert caught.value.file.endswith("headed.exp")
    (tmp_path / "broken.exp").write_text("x ||| x\nhide a")
    with pytest.raises(ParseError, match="not `hide`") as caught:
        network('"broken.exp" || x')
    assert (caught.value.line, caught.value.column) == (2, 1)
    (tmp_path / "idle.exp").write_text("x |||\nhide none in x end hide")
    _, remark = network('"idle.exp" || x').remarks
    assert (remark.file[-8:], remark.line, remark.column) == ("idle.exp", 2, 6)


def test_component_paths_are_relative_to_the_network(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.aut").write_text('des (0,1,2)\n(0,"a",1)\n')
    (tmp_path / "sub" / "both.exp").write_text('a ||| "a.aut"')
    (tmp_path / "all.exp").write_text('"sub/both.exp" |[a]| "sub/a.aut"')
    made = read(tmp_path / "all.exp")
    # a ||| ("a.aut" |[a]| "sub/a.aut"): what is included joins with what stands behind it.
    assert made.names == ("a", "a.aut", "sub/a.aut")
    assert compose(made).state_count == 4
    # One file is one system, however often it stands there.
    assert len({id(system) for system in made.components}) == 1


def test_unreadable_component_is_reported_at_its_position(tmp_path):
    (tmp_path / "n.exp").write_text('"missing.aut" ||\n  other')
    with pytest.raises(LtsError) as caught:
        read(tmp_path / "n.exp")
    assert (caught.value.line, caught.value.column) == (1, 1)
    assert "missing.aut" in caught.value.message


def test_errors_of_components_name_their_file(tmp_path):
    (tmp_path / "n.exp").write_text("a")
    (tmp_path / "a.aut").write_text("des (0,1,2)\n(0,a,5)\n")
    with pytest.raises(LtsError, match=r"a\.aut:2"):
        read(tmp_path / "n.exp")


def test_network_inclusion_cycles_are_refused(tmp_path):
    (tmp_path / "one.exp").write_text("one.exp || two.exp")
    with pytest.raises(LtsError, match="component of itself"):
        read(tmp_path / "one.exp")
    (tmp_path / "one.exp").write_text("two.exp")
    (tmp_path / "two.exp").write_text("one.exp")
    with pytest.raises(LtsError, match="component of itself"):
        read(tmp_path / "one.exp")


def test_too_many_vectors_reach_a_limit():
    one = LTS.from_transitions([(0, f"a{n}", 0) for n in range(10)])
    text = "par a in " + " || ".join(['rename "a.*" -> a in x end rename'] * 12) + " end par"
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
        (r"\(.\)\(b*\)\2\1", ["abba", "aa"], ["aba", "abbb"]),
        (r"\(.\)\1*", ["aaa", "a"], ["aab"]),
        (r".*\<b\>.*", ["a b", "b !1"], ["ab", "b_"]),
    ],
)
def test_patterns_are_basic_regular_expressions(pattern, matching, other):
    made = Pattern(pattern, "total")
    assert all(map(made.matches, matching))
    assert not any(map(made.matches, other))


@pytest.mark.parametrize(
    "pattern",
    [r"\1", r"\(a\)\2", r"\(a*\)*\1", r"a\{2", r"a\}", r"\(a", "[a", r"a\{2,1\}", "[b-a]"],
)
def test_invalid_regular_expressions_are_refused_with_position(pattern):
    with pytest.raises(LtsError, match=r"^network:1:6: this is not a valid regular expression: "):
        read_text(f'hide "{pattern}" in a end hide')


def test_excessive_synchronisation_degree_is_remarked(tmp_path):
    system = LTS.from_transitions([(0, "a", 0)])
    for number in (3, 99, 10**12, "0" * 30 + "3"):
        found = read_text(f"par a#{number} in a || a end par", load=lambda path: system)
        assert found.vectors == ()
        assert "there are 2 operands" in found.remarks[0].message


def test_nested_networks_are_limited(tmp_path):
    (tmp_path / "a.aut").write_text('des (0,1,2)\n(0,"a",1)\n')
    (tmp_path / "n0.exp").write_text("a")
    for number in range(40):
        (tmp_path / f"n{number + 1}.exp").write_text(f'"n{number}.exp" ||| "n{number}.exp"')
    with pytest.raises(LimitReached, match="more than 10000 components"):
        read(tmp_path / "n40.exp")

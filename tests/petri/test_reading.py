"""Files in PNML: what is wrong is refused with its place, and pages and references are followed."""

import gzip
import re
from collections import Counter

import pytest

from lts.errors import FormatError, LtsError, SpecificationError, Unsupported
from lts.petri import (
    action_of,
    answers,
    counts,
    explore,
    generate,
    global_property,
    ground,
    read,
    read_text,
)
from lts.petri.net import Truth
from lts.petri.properties import FINAL

GRAMMAR = "http://www.pnml.org/version-2009/grammar/"


def document(body, *, kind="symmetricnet", declared=""):
    """A net whose `body` begins in line 4."""
    return (
        f"<pnml>\n<net id='n' type='{GRAMMAR}{kind}'><page id='page'>\n"
        f"<declaration><structure><declarations>{declared}</declarations></structure></declaration>"
        f"\n{body}</page></net></pnml>"
    )


DECLARED = (
    "<namedsort id='R'><finiteintrange start='1' end='3'/></namedsort>"
    "<namedsort id='F'><finiteenumeration><feconstant id='f'/><feconstant id='g'/>"
    "</finiteenumeration></namedsort>"
    "<variabledecl id='x'><usersort declaration='R'/></variabledecl>"
    "<variabledecl id='y'><usersort declaration='F'/></variabledecl>"
)
X = "<variable refvariable='x'/>"
Y = "<variable refvariable='y'/>"
ALL = "<all><usersort declaration='R'/></all>"


def of(name, *terms):
    return f"<{name}>{''.join(f'<subterm>{term}</subterm>' for term in terms)}</{name}>"


def number(count):
    return f"<numberconstant value='{count}'><positive/></numberconstant>"


def coloured(*, marking=ALL, condition="", takes=X, puts=X, more="", declared=DECLARED):
    """A net with one transition between two places, each part on a line of its own."""
    sort = "<type><structure><usersort declaration='R'/></structure></type>"

    def arc(name, source, target, term):
        text = f"<hlinscription><structure>{term}</structure></hlinscription>" if term else ""
        return f"<arc id='{name}' source='{source}' target='{target}'>{text}</arc>"

    rows = [
        f"<place id='p'>{sort}",
        f"<hlinitialMarking><structure>{marking}</structure></hlinitialMarking></place>",
        f"<place id='q'>{sort}</place>",
        "<transition id='t'>",
        f"<condition><structure>{condition}</structure></condition></transition>",
        arc("in", "p", "t", takes),
        arc("out", "t", "q", puts),
        more,
    ]
    return document("\n".join(rows), declared=declared)


def black(*, tokens="1", arc="<arc id='a' source='p' target='t'/>", kind="ptnet", more=""):
    marking = f"<initialMarking>\n<text>{tokens}</text></initialMarking>"
    return document(
        f"<place id='p'>{marking}</place><transition id='t'/>\n{arc}\n{more}", kind=kind
    )


def plain_arc(inside="", *, source="p", target="t"):
    return f"<arc id='a' source='{source}' target='{target}'>{inside}</arc>"


def refused(text, error, start, message):
    with pytest.raises(error) as caught:
        counts(ground(read_text(text, file="odd.pnml")))
    assert type(caught.value) is error
    shown = str(caught.value)
    assert shown.startswith(f"odd.pnml:{start}: "), shown
    assert message in shown


def test_unmodified_nets_are_accepted():
    assert counts(ground(read_text(coloured()))).states == 8
    assert counts(ground(read_text(black(tokens="2")))).states == 3


@pytest.mark.parametrize(
    ("text", "start", "message"),
    [
        ("", "1:1", "not XML: no element found"),
        ("net", "1:1", "not XML: syntax error"),
        ("<pnml>\n<net></pnml>", "2:8", "not XML: mismatched tag"),
        ("<pnml>&x;</pnml>", "1:7", "not XML: undefined entity"),
        ("<!DOCTYPE pnml>\n<pnml/>", "1", "a document type and entities are not read"),
        (
            "<!DOCTYPE pnml [<!ENTITY x SYSTEM 'file:///etc/hosts'>]>\n<pnml>&x;</pnml>",
            "1",
            "a document type and entities are not read",
        ),
        ("<?xml version='1.0' encoding='none'?><pnml/>", "1", "unknown encoding: none"),
        ("<?xml version='1.0' encoding='shift_jis'?><pnml/>", "1", "multi-byte encodings"),
        ("\n<net/>", "2", "begins with `pnml`, not `net`"),
        ("<pnml/>", "1", "the file contains no net"),
        (
            "<pnml><net id='a'/><net id='b'/></pnml>",
            "1",
            "2 nets, of which --net chooses one: `a`, `b`",
        ),
        (document(""), "2", "in `n`: the net has no places"),
        (document("<place/>"), "4", "in `page`: `place` has no attribute `id`"),
        (document("<place id='p'/>\n<place id='p'/>"), "5", "in `p`: the identifier occurs twice"),
        (document(f"{'<subterm>' * 500}{'</subterm>' * 500}"), "4", "more than 400 levels"),
    ],
)
def test_invalid_nets_are_refused_with_position(text, start, message):
    refused(text, FormatError, start, message)


@pytest.mark.parametrize(
    ("text", "start", "message"),
    [
        (black(kind="timednet"), "2", "in `n`: nets of the type `timednet` are not read"),
        (
            black(arc=plain_arc("<type value='transport'/>")),
            "6",
            "in `a`: arcs of the kind `transport` are not read",
        ),
        (black(tokens="1" * 10), "5", "in `p`: more than 1000000000 tokens of a colour"),
        (black(tokens="1" * 5000), "5", "in `p`: more than 1000000000 tokens of a colour"),
        (
            coloured(marking=of("numberof", number(10**20), ALL)),
            "5",
            "in `p`: more than 1000000000 tokens of a colour",
        ),
        (
            coloured(puts=of("numberof", number(10**20), X)),
            "10",
            "in `out`, where x=1: more than 1000000000 tokens of a colour",
        ),
        (coloured(takes="<mystery/>"), "9", "in `in`: terms with `mystery` are not read"),
        (coloured(condition=X), "8", "in `t`: conditions with `variable` are not read"),
        (
            coloured(declared="<namedsort id='S'><string/></namedsort>"),
            "3",
            "in `S`: sorts by `string` are not read",
        ),
        (coloured(declared="<arbitrarysort id='S'/>"), "3", "by `arbitrarysort` are not read"),
        (
            coloured(
                declared="<namedsort id='S'><finiteintrange start='1' end='3000000'/></namedsort>"
            ),
            "3",
            "in `S`: a sort has at most 1048576 colours",
        ),
    ],
)
def test_unsupported_nets_are_refused_with_position(text, start, message):
    refused(text, Unsupported, start, message)


@pytest.mark.parametrize(
    ("text", "start", "message"),
    [
        (
            document(
                "<place id='p'><type><structure><usersort declaration='S'/></structure>"
                "</type></place>"
            ),
            "4",
            "in `p`: no sort `S` is declared",
        ),
        (
            coloured(takes="<all><usersort declaration='S'/></all>"),
            "9",
            "in `in`: no sort `S` is declared",
        ),
        (
            coloured(declared="<variabledecl id='z'><usersort declaration='S'/></variabledecl>"),
            "3",
            "in `z`: no sort `S` is declared",
        ),
        (
            coloured(
                declared="<namedsort id='S'><productsort><usersort declaration='S'/></productsort>"
                "</namedsort>"
            ),
            "3",
            "in `S`: no sort `S` is declared",
        ),
        (
            coloured(takes="<variable refvariable='z'/>"),
            "9",
            "in `in`: no variable `z` is declared",
        ),
        (
            coloured(takes="<useroperator declaration='h'/>"),
            "9",
            "in `in`: no colour `h` is declared",
        ),
        (coloured(declared=DECLARED * 2), "3", "in `R`: the sort is declared twice"),
        (
            coloured(declared=DECLARED.replace("'y'", "'x'")),
            "3",
            "in `x`: the variable is declared twice",
        ),
        (
            coloured(
                declared=f"{DECLARED}<partition id='S'><usersort declaration='F'/>"
                "<partitionelement id='s'><useroperator declaration='f'/></partitionelement>"
                "</partition>"
            ),
            "3",
            "in `S`: `g` is in no element of the partition",
        ),
        (
            coloured(
                declared=f"{DECLARED}<partition id='S'><usersort declaration='F'/>"
                "<partitionelement id='g'><useroperator declaration='f'/>"
                "<useroperator declaration='g'/></partitionelement></partition>"
            ),
            "3",
            "in `g`: the name is that of a colour or part, too",
        ),
        (
            coloured(
                condition=f"<equality><subterm>{X}</subterm><subterm><partitionelementof "
                f"refpartition='S'><subterm>{Y}</subterm></partitionelementof></subterm></equality>"
            ),
            "8",
            "in `t`: there is no partition `S`",
        ),
        (coloured(condition=of("equality", X, Y)), "8", "colours of two classes are compared"),
        (coloured(condition=of("lessthan", X, ALL)), "8", "in `t`: this is no single colour"),
        (coloured(takes=Y), "9", "in `in`: a term of `F`, where `R` is expected"),
        (coloured(takes=of("tuple", X, X)), "9", "where `R` is expected"),
        (coloured(takes=of("add", X, Y)), "9", "where `R` is expected"),
        (coloured(marking=X), "5", "in `p`: an initial marking has no variables"),
        (
            coloured(marking=of("subtract", ALL, ALL, ALL)),
            "5",
            "in `p`: more of `1` is subtracted than there is",
        ),
        (
            coloured(puts=of("subtract", X, of("numberof", number(2), X))),
            "10",
            "in `out`, where x=1: more of `1` is subtracted than there is",
        ),
        (
            coloured(puts=of("numberof", number(-1), X)),
            "10",
            "in `out`: a number of tokens is not negative",
        ),
        (coloured(puts=of("successor", X)), "10", "in `out`, where x=3: `3` has no successor"),
        (coloured(puts=of("predecessor", X)), "10", "where x=1: `1` has no predecessor in `R`"),
        (
            coloured(condition=of("equality", X, of("successor", X))),
            "7",
            "in `t`, where x=3: `3` has no successor in `R`",
        ),
        (coloured(puts=of("successor", ALL)), "10", "in `out`: `successor` of no colour"),
        (
            coloured(more="<arc id='b' source='p' target='q'/>"),
            "11",
            "in `b`: an arc connects a place with a transition",
        ),
        (coloured(more="<arc id='b' source='p' target='r'/>"), "11", "in `b`: there is no `r`"),
        (
            black(
                more="<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>"
                "<arc id='b' source='r' target='t'/>"
            ),
            "7",
            "in `r`: references go round in a circle",
        ),
        (
            black(more="<referencePlace id='r' ref='s'/><arc id='b' source='r' target='t'/>"),
            "7",
            "in `r`: it refers to no place",
        ),
    ],
)
def test_ill_typed_nets_are_refused_with_position(text, start, message):
    refused(text, SpecificationError, start, message)


@pytest.mark.parametrize(
    ("text", "start", "message"),
    [
        (black(tokens="-1"), "5", "in `p`: `-1` is no number of tokens"),
        (black(tokens="one"), "5", "in `p`: `one` is no number of tokens"),
        (black(tokens="1.5"), "5", "in `p`: `1.5` is no number of tokens"),
        (
            black(arc=plain_arc("<inscription><text>-2</text></inscription>")),
            "6",
            "in `a`: `-2` is no number of tokens",
        ),
        (
            coloured(
                more="<place id='r'><type><structure><usersort declaration='R'/></structure>"
                "</type><initialMarking><text>1</text></initialMarking></place>"
            ),
            "11",
            "in `r`: an initial marking of colours is a `structure`",
        ),
        (coloured(takes=""), "9", "in `in`: an arc with colours needs an inscription"),
        (
            document("<place id='p'><type><structure/></type></place>"),
            "4",
            "in `p`: `structure` should contain one element, not 0",
        ),
        (coloured(puts=of("numberof", number("many"), X)), "10", "in `out`: `many` is no number"),
        (coloured(condition=of("not", X, X)), "8", "`not` should contain one element, not 2"),
        (coloured(condition=of("equality", X)), "8", "`equality` is about two terms, not 1"),
        (coloured(puts="<add/>"), "10", "in `out`: `add` of nothing"),
        (
            coloured(condition="<booleanconstant value='maybe'/>"),
            "8",
            "in `t`: `maybe` is no truth value",
        ),
        (coloured(condition=of("equality", "<empty/>", X)), "8", "`empty` of which sort?"),
    ],
)
def test_malformed_elements_are_refused_with_position(text, start, message):
    refused(text, FormatError, start, message)


def test_unsorted_places_hold_only_dots():
    arcs = plain_arc(f"<hlinscription><structure>{X}</structure></hlinscription>")
    text = document(f"<place id='p'/><transition id='t'/>\n{arcs}", declared=DECLARED)
    refused(text, SpecificationError, "5", "in `a`: a term of `R`, where `dot` is expected")


def test_compressed_nets_are_read_and_damaged_files_refused(tmp_path):
    packed = gzip.compress(coloured().encode())
    path = tmp_path / "net.pnml.gz"
    path.write_bytes(packed)
    assert counts(ground(read(str(path)))).states == 8
    broken = [
        packed[:3],
        packed[:40],
        packed[:30] + b"\xff" * 20 + packed[50:],
        packed[:-8] + b"sums" + packed[-4:],
    ]
    for data in broken:
        path.write_bytes(data)
        with pytest.raises(FormatError, match=re.escape(f"{path}: not a gzip file: ")):
            read(str(path))


PAGES = f"""<?xml version="1.0" encoding="ISO-8859-1"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="{GRAMMAR}ptnet">
<name><text>caf\u00e9</text></name>
<page id="one">
  <place id="p"><initialMarking><text> 2 </text></initialMarking></place>
  <transition id="t"/>
  <arc id="pt" source="p" target="t"><inscription><text>1</text></inscription></arc>
  <referencePlace id="q1" ref="q2"/>
  <arc id="tq" source="t" target="q1"><inscription><text>3</text></inscription></arc>
  <page id="inner">
    <place id="q"/>
    <referenceTransition id="u1" ref="u"/>
    <arc id="qu" source="q" target="u1"><inscription><text>2</text></inscription></arc>
  </page>
</page>
<page id="two">
  <referencePlace id="q2" ref="q"/>
  <referencePlace id="p2" ref="p"/>
  <transition id="u"/>
  <arc id="up" source="u" target="p2"/>
  <arc id="qu2" source="q2" target="u1"/>
</page>
</net></pnml>""".encode("latin-1")
"""t turns one token of p into three of q, and u turns these into one of p."""


def test_pages_and_references_are_followed():
    net = ground(read_text(PAGES))
    assert [place for place, _ in net.spots] == ["p", "q"]
    assert net.initial == (2, 0)
    lts = generate(net)
    rows = zip(lts.source, lts.label, lts.target, strict=True)
    steps = {(int(one), lts.labels[label], int(other)) for one, label, other in rows}
    assert steps == {(0, "t", 1), (1, "u", 0), (1, "t", 2), (2, "u", 1)}
    found = counts(net)
    assert (found.states, found.transitions, found.marking, found.place) == (3, 4, 6, 6)
    assert action_of(net).order == 1
    assert explore(net).statistics.deadlocks == 0


def test_large_unfolded_nets_are_counted_by_markings():
    declared = (
        "<namedsort id='R'><finiteintrange start='1' end='20001'/></namedsort>"
        "<variabledecl id='x'><usersort declaration='R'/></variabledecl>"
    )
    one = of(
        "equality",
        X,
        "<finiteintrangeconstant value='7'>"
        "<finiteintrange start='1' end='20001'/></finiteintrangeconstant>",
    )
    found = counts(ground(read_text(coloured(condition=one, declared=declared))))
    assert (found.states, found.transitions, found.by) == (2, 1, "states")
    assert (found.marking, found.place) == (20001, 1)


def test_guards_are_short_circuited_left_to_right():
    """A successor beyond the end of the class is an error only where the guard depends on it."""
    two = f"{DECLARED}<variabledecl id='a'><usersort declaration='R'/></variabledecl>"
    end = "<finiteintrange start='1' end='3'/>"
    last = f"<finiteintrangeconstant value='3'>{end}</finiteintrangeconstant>"
    other = "<variable refvariable='a'/>"
    before, is_next = of("lt", X, last), of("equality", of("successor", X), other)
    arc = (
        "<arc id='also' source='p' target='t'><hlinscription><structure>"
        f"{other}</structure></hlinscription></arc>"
    )
    net = read_text(coloured(condition=of("and", before, is_next), declared=two, more=arc))
    assert sorted(generate(net).labels) == ["t(1,2)", "t(2,3)"]
    net = read_text(coloured(condition=of("and", is_next, before), declared=two, more=arc))
    with pytest.raises(SpecificationError, match=r"in `t`, where .*x=3.*: `3` has no successor"):
        generate(net)


def test_variables_sharing_a_colour_are_joined_once(monkeypatch):
    count = 60
    names = [f"v{n}" for n in range(count)]
    declared = "".join(
        f"<variabledecl id='{name}'><usersort declaration='R'/></variabledecl>" for name in names
    )
    arcs = "".join(
        f"<arc id='of{name}' source='p' target='t'><hlinscription><structure>"
        f"<variable refvariable='{name}'/></structure></hlinscription></arc>"
        for name in names
    )
    one = "<namedsort id='R'><finiteintrange start='1' end='1'/></namedsort>"
    declared = f"{one}<variabledecl id='x'><usersort declaration='R'/></variabledecl>{declared}"
    net = read_text(coloured(declared=declared, more=arcs))
    calls = Counter()

    def value(self, binding):
        calls["guard"] += 1
        return self.holds

    monkeypatch.setattr(Truth, "value", value)
    assert len(ground(net).firings) == 1
    assert 0 < calls["guard"] <= 3 * count


SEVERAL = """<pnml><net id="one" type="ptnet"><place id="p"/><transition id="t"/></net>
<net id="two" type="ptnet"><place id="q"/></net><net id="strange" type="other"/>
<net id="two"><place id="r"/></net></pnml>"""


def test_selected_net_is_read():
    # The others may be of any kind.
    found = read_text(SEVERAL, net="one")
    assert (found.name, [*found.places]) == ("one", ["p"])


@pytest.mark.parametrize(
    ("net", "message"),
    [
        (None, "4 nets, of which --net chooses one: `one`, `two`, `strange`, `two`"),
        ("on", "no net `on`; did you mean `one`"),
        ("two", "several nets `two`"),
        ("strange", "nets of the type `other` are not read"),
    ],
)
def test_missing_net_selection_lists_the_nets(net, message):
    with pytest.raises(LtsError, match=message):
        read_text(SEVERAL, net=net)


def with_finals(inside):
    return f"""<pnml><net id="n" type="ptnet"><place id="p"><initialMarking><text>2</text>
</initialMarking></place><place id="q"/><transition id="t"/><arc id="a" source="p" target="t"/>
<arc id="b" source="t" target="q"/><finalmarkings>{inside}</finalmarkings></net></pnml>"""


def marking(**tokens):
    rows = (f'<place idref="{p}"><text>{n}</text></place>' for p, n in tokens.items())
    return f"<marking>{''.join(rows)}</marking>"


@pytest.mark.parametrize(
    ("finals", "reached"),
    [
        ([{"q": 2}], True),
        ([{"p": 1, "q": 1}], True),
        ([{"q": 1}], False),  # other places have no tokens
        ([{"q": 2, "p": 1}], False),
        ([{"q": 3}, {"p": 0, "q": 2}], True),
        ([{}], False),
    ],
)
def test_final_markings_are_a_property(finals, reached):
    net = read_text(with_finals("".join(marking(**final) for final in finals)))
    assert [*net.finals] == finals
    grounded = ground(net)
    for action in (None, action_of(grounded)):
        asked = [global_property(FINAL, net)]
        assert answers(grounded, asked, action) == [(FINAL, reached)]


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (marking(x=1), "there is no place `x`"),
        (marking(q=1)[:-10] + marking(q=2)[9:], "`q` stands twice in a marking"),
        (marking(q="many"), "`many` is no number of tokens"),
        ("<marking><place/></marking>", "`place` has no attribute `idref`"),
        ("<other/>", "the element `other` of `finalmarkings` is not read"),
    ],
)
def test_wrong_final_markings_are_refused(inside, message):
    with pytest.raises(LtsError, match=message):
        read_text(with_finals(inside))


def test_missing_final_markings_give_no_property():
    with pytest.raises(LtsError, match="the net has no final marking"):
        global_property(FINAL, read_text(with_finals("")))

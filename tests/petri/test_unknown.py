"""What the table of PNML and of properties does not have is refused, wherever it stands."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.base.bounds import NET_BYTES
from lts.errors import FormatError, FormatWarning, LtsError, Unsupported
from lts.petri import generate, ground, read, read_text
from lts.petri.properties import read_properties_text

GRAMMAR = "http://www.pnml.org/version-2009/grammar"
DOTS = f"""<pnml xmlns="{GRAMMAR}/pnml"><net id="n" type="{GRAMMAR}/ptnet"><page id="g">
<place id="p"><name><text>p</text></name><graphics><position x="1"/></graphics>
<initialMarking><text>2</text></initialMarking></place>
<place id="q"><initialMarking><value>Default,1</value></initialMarking></place>
<transition id="t"/><referencePlace id="r" ref="p"/>
<arc id="a" source="r" target="t"><inscription><text>2</text></inscription><type value="normal"/>
</arc><arc id="b" source="t" target="q" type="normal"><arctype><text>normal</text></arctype></arc>
</page></net></pnml>"""
COLOURS = f"""<pnml xmlns="{GRAMMAR}/pnml"><net id="n" type="{GRAMMAR}/symmetricnet">
<declaration><text>A</text><structure><declarations>
<namedsort id="A" name="A"><cyclicenumeration><feconstant id="a" name="a"/>
<feconstant id="b" name="b"/></cyclicenumeration></namedsort>
<namedsort id="R" name="R"><finiteintrange start="1" end="2"/></namedsort>
<namedsort id="P" name="P"><productsort><usersort declaration="A"/><usersort declaration="R"/>
</productsort></namedsort>
<partition id="H" name="H"><usersort declaration="A"/>
<partitionelement id="h" name="h"><useroperator declaration="a"/></partitionelement>
<partitionelement id="k" name="k"><useroperator declaration="b"/></partitionelement></partition>
<variabledecl id="x" name="x"><usersort declaration="A"/></variabledecl>
</declarations></structure></declaration><page id="g">
<place id="p"><type><text>P</text><structure><usersort declaration="P"/></structure></type>
<hlinitialMarking><text>..</text><structure><add><subterm><numberof>
<subterm><numberconstant value="1"><positive/></numberconstant></subterm>
<subterm><tuple><subterm><all><usersort declaration="A"/></all></subterm>
<subterm><finiteintrangeconstant value="1"><finiteintrange start="1" end="2"/>
</finiteintrangeconstant></subterm></tuple></subterm></numberof></subterm></add></structure>
</hlinitialMarking></place>
<transition id="t"><condition><structure><and><subterm><equality><subterm><partitionelementof
refpartition="H"><subterm><variable refvariable="x"/></subterm></partitionelementof></subterm>
<subterm><useroperator declaration="h"/></subterm></equality></subterm>
<subterm><booleanconstant value="true"/></subterm></and></structure></condition></transition>
<arc id="i" source="p" target="t"><hlinscription><text>..</text><structure><tuple>
<subterm><successor><subterm><variable refvariable="x"/></subterm></successor></subterm>
<subterm><finiteintrangeconstant value="1"><finiteintrange start="1" end="2"/>
</finiteintrangeconstant></subterm></tuple></structure></hlinscription></arc>
</page></net></pnml>"""
PROPERTIES = """<property-set xmlns="http://mcc.lip6.fr/"><property><id>x-1</id>
<description>any</description><formula><all-paths><until><before><integer-le>
<integer-constant>1</integer-constant><tokens-count><place>p</place></tokens-count></integer-le>
</before><reach><negation><is-fireable><transition>t</transition></is-fireable></negation></reach>
</until></all-paths></formula></property></property-set>"""

DRAWING = ("graphics", "name", "description")
WORDS = ("capacity", "delay", "x", "Place", "initialmarking", "priority", "invariant", "time")


def documents():
    def properties(text):
        return read_properties_text(text, read_text(DOTS))

    return [(DOTS, read_text), (COLOURS, read_text), (PROPERTIES, properties)]


def spots(root):
    """The elements outside drawing."""
    if root.tag.rpartition("}")[2] not in DRAWING:
        yield root
        for child in root:
            yield from spots(child)


def number_of_spots():
    return [sum(1 for _ in spots(ElementTree.fromstring(text))) for text, _ in documents()]


@pytest.mark.parametrize(("text", "reader"), documents())
def test_unmodified_documents_are_accepted(text, reader):
    reader(text)
    assert ground(read_text(DOTS)).initial == (2, 1)
    assert len([*generate(ground(read_text(COLOURS)))]) == 1


reached: Counter = Counter()


@given(data=st.data())
@settings(max_examples=300)
def unknown_is_refused(data):
    which = data.draw(st.integers(0, 2))
    text, reader = documents()[which]
    root = ElementTree.fromstring(text)
    element = data.draw(st.sampled_from([*spots(root)]))
    local = element.tag.rpartition("}")[2]
    namespace = element.tag[: len(element.tag) - len(local)]
    word = data.draw(st.sampled_from(WORDS))
    how = data.draw(st.sampled_from(("child", "attribute", "foreign child", "foreign attribute")))
    match how:
        case "child":
            at = data.draw(st.integers(0, len(element)))
            element.insert(at, ElementTree.Element(f"{namespace}{word}"))
        case "foreign child":
            # Even one with a name that may stand there.
            name = element[0].tag.rpartition("}")[2] if len(element) else word
            element.append(ElementTree.Element(f"{{urn:other}}{name}"))
        case "attribute":
            element.set(word, "0")
        case "foreign attribute":
            element.set(f"{{urn:other}}{word}", "0")
    with pytest.raises(LtsError):
        reader(ElementTree.tostring(root))
    reached[local, how] += 1


def test_unknown_children_and_attributes_are_refused():
    reached.clear()
    unknown_is_refused()
    kinds = {name for name, _ in reached}
    assert len(kinds) > 35, sorted(kinds)
    assert {how for _, how in reached} == {
        *("child", "attribute", "foreign child", "foreign attribute")
    }


@pytest.mark.parametrize("text", [DOTS, COLOURS, PROPERTIES])
def test_text_between_elements_is_refused(text):
    reader = next(reader for one, reader in documents() if one == text)
    tried = 0
    for number in range(number_of_spots()[[DOTS, COLOURS, PROPERTIES].index(text)]):
        root = ElementTree.fromstring(text)
        element = [*spots(root)][number]
        if not len(element):
            continue
        tried += 1
        element[-1].tail = "3"
        if element.tag.endswith("namedsort"):
            with pytest.warns(FormatWarning, match="text beside the elements of `namedsort`"):
                reader(ElementTree.tostring(root))
        else:
            with pytest.raises(LtsError):
                reader(ElementTree.tostring(root))
    assert tried > 8


def dots(old, new):
    assert old in DOTS
    return DOTS.replace(old, new)


ARC = '<arc id="b" source="t" target="q" type="normal">'
MARKED = "<initialMarking><text>2</text></initialMarking>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (text, f"in `{owner}`: arcs of the kind `{kind}` are not read")
            for kind in ("transport", "Normal", "equal")
            for owner, text in (
                ("b", dots(ARC, ARC.replace("normal", kind))),
                ("a", dots('<type value="normal"/>', f'<type value="{kind}"/>')),
                ("a", dots('<type value="normal"/>', f"<type>{kind}</type>")),
                ("a", dots('<type value="normal"/>', f"<type><text>{kind}</text></type>")),
                ("b", dots("<text>normal</text>", f"<text>{kind}</text>")),
                ("b", dots("<text>normal</text>", kind)),
            )
        ),
        (dots(MARKED, f"{MARKED}<capacity><text>0</text></capacity>"), "in `p`: .*`capacity`"),
        (dots(MARKED, f"{MARKED}<capacity><value>1</value></capacity>"), "in `p`: `capacity`"),
        (dots(MARKED, MARKED * 2), "in `p`: `place` has two elements `initialMarking`"),
        (
            dots(MARKED, f"{MARKED}<hlinitialMarking><text>1</text></hlinitialMarking>"),
            "in `p`: `place` has `initialMarking` and `hlinitialMarking`",
        ),
        (dots("<text>2</text></initial", "2</initial"), "in `p`: text in `initialMarking`"),
        (dots("<text>2</text></initial", "<text>2</text><value>3</value></initial"), "and `value`"),
        (dots("<text>2</text></initial", "<text>2<i/></text></initial"), "in `p`: .*`i` of `text`"),
        (dots("<text>2</text></initial", "<text>\u0662</text></initial"), "no number of tokens"),
        (dots('<place id="p">', '<place id="p" initialMarking="2">'), "attribute `initialMarking`"),
        (
            dots(
                '<transition id="t"/>',
                '<transition id="t"><priority><value>2</value></priority></transition>',
            ),
            "in `t`: `priority` is not read",
        ),
        (
            dots(
                '<transition id="t"/>',
                '<transition id="t"><delay><cn>1</cn></delay></transition>',
            ),
            "in `t`: the element `delay` of `transition` is not read",
        ),
        (dots('<page id="g">', '<token id="red"/><page id="g">'), "tokens of several kinds"),
        (dots('<referencePlace id="r"', '<referencePlace id="q"'), "`q`: .*occurs twice"),
        (dots("Default,1", "red,1"), "in `q`: `red,1` is no number of tokens"),
    ],
)
def test_meaningful_extensions_are_refused_by_name(text, message):
    with pytest.raises(LtsError, match=r"net.pnml:[0-9]+: .*" + message):
        read_text(text)


@pytest.mark.parametrize(
    "label", ["condition", "hlinscription", "hlinitialMarking", "type", "declaration"]
)
def test_texts_of_coloured_nets_without_structure_are_refused(label):
    inside = re.search(rf"<{label}>.*?</{label}>", COLOURS, re.DOTALL)[0]
    text = COLOURS.replace(inside, f"<{label}><text>x = a</text></{label}>")
    with pytest.raises(Unsupported, match=f"`{label}` has a text without a structure"):
        read_text(text)
    text = COLOURS.replace(inside, f"<{label}><text>x = a</text><structure/></{label}>")
    with pytest.raises(LtsError, match=r"without a structure|should contain one"):
        read_text(text)


PIPE = """<pnml><net id="N" type="P/T net"><token id="Default" enabled="true" red="0"/>
<place id="a b"><graphics/><name><value>P</value></name>
<initialMarking><value>Default,2</value><graphics/></initialMarking>
<capacity><value>0</value></capacity></place>
<transition id="pay the bill"><orientation><value>0</value></orientation>
<rate><value>1.0</value></rate><timed><value>false</value></timed>
<infiniteServer><value>false</value></infiniteServer><priority><value>1</value></priority>
</transition><arc id="c" source="a b" target="pay the bill"><graphics/>
<inscription><value>Default,2</value><graphics/></inscription><tagged><value>false</value></tagged>
<arcpath id="0" x="1" y="2"/><type value="normal"/></arc></net></pnml>"""


@pytest.mark.parametrize("kind", ["P/T net", "", f"{GRAMMAR}/pnmlcoremodel", "http://x/ptNetb"])
def test_place_transition_nets_of_other_tools_are_read(kind):
    text = PIPE.replace('type="P/T net"', f'type="{kind}"' if kind else "")
    assert [label for _, label, _ in generate(ground(read_text(text)))] == ["pay the bill"]


def timed(*values, more=""):
    """PIPE's net with one transition for each value of `timed`, or without it for None."""
    each = [
        f"<transition id='t{number}'>{v and f'<timed><value>{v}</value></timed>'}</transition>"
        for number, v in enumerate(values)
    ]
    parts = [f"<arc id='x' source='a b' target='t{number}'/>" for number in range(len(values))]
    text = PIPE.replace("<timed><value>false</value></timed>", "")
    start, end = text.index("<transition id"), text.index("</transition>") + len("</transition>")
    arc = text[end : text.index("</net>")]
    return text.replace(text[start:end], "".join(each)).replace(arc, "".join(parts) + more)


def test_timed_transitions_without_effect_are_accepted():
    for values in (("true", "true"), ("false", ""), ("", "")):
        assert len({*generate(ground(read_text(timed(*values)))).labels}) == 2, values
    for values in (("true", "false"), ("", "true")):
        with pytest.raises(Unsupported, match="`timed` is read only of all transitions"):
            read_text(timed(*values))
    for rate, is_read in (
        ("0.25", True),
        ("1E-9", True),
        ("0.0", False),
        ("0e5", False),
        ("1.2.3", False),
    ):
        text = PIPE.replace("<rate><value>1.0", f"<rate><value>{rate}")
        if is_read:
            assert read_text(text).transitions
        else:
            with pytest.raises(Unsupported, match="`rate` is not read, unless it has no effect"):
                read_text(text)
    parts = (
        "<definition name='r' type='rate' expression='5.0'><graphics/></definition>"
        "<stategroup id='s'><statecondition><value>P > 4</value></statecondition></stategroup>"
    )
    assert read_text(timed("", more=parts)).transitions
    with pytest.raises(Unsupported, match="definitions other than those of rates"):
        read_text(timed("", more=parts.replace("'rate'", "'marking'")))


@pytest.mark.parametrize(
    "text",
    [
        '<pnml><constant name="d" value="6"/><net id="n"/></pnml>',
        '<pnml><net id="n"/><net id="o"/><query name="q"/></pnml>',
        '<pnml><net id="n"><inputArc inscription="[0,inf)" source="p" target="t"/></net></pnml>',
    ],
)
def test_a_project_of_tapaal_is_named(text):
    with pytest.raises(Unsupported, match="a project of TAPAAL, with timed arcs: export it"):
        read_text(text)


def test_arcs_with_one_identifier_differ_by_endpoints():
    """WoPeD gives several arcs one identifier."""
    found = generate(ground(read_text(timed("", ""))))
    assert sorted(found.labels) == ["t0", "t1"]
    with pytest.raises(FormatError, match="`x`: the identifier occurs twice"):
        read_text(timed("", more="<arc id='x' source='a b' target='t0'/>"))


def test_dot_operator_is_the_constant():
    text = COLOURS.replace(
        "<partition id",
        "<namedsort id='dot' name='dot'><dot/></namedsort><partition id",
        1,
    ).replace(
        "<transition ",
        "<place id='d'><type><structure><usersort declaration='dot'/></structure></type>"
        "<hlinitialMarking><structure><useroperator declaration='dot'/></structure>"
        "</hlinitialMarking></place><transition ",
        1,
    )
    assert read_text(text).places["d"].tokens == {0: 1}


def test_tool_specific_parts_are_named_once():
    part = '<toolspecific tool="ProM" version="1"><capacity>1</capacity></toolspecific>'
    text = dots(MARKED, MARKED + part).replace(
        '<transition id="t"/>', f'{part}<transition id="t"/>'
    )
    with pytest.warns(FormatWarning) as found:
        read_text(text)
    assert [str(each.message) for each in found] == ["net.pnml: left out: `toolspecific` of ProM"]


def test_sort_sizes_are_checked_before_construction():
    end = "1000000000000"
    inside = '<finiteintrange start="1" end="2"/>\n</finiteintrangeconstant>'
    assert inside in COLOURS
    text = COLOURS.replace(inside, inside.replace('"2"', f'"{end}"'))
    with pytest.raises(Unsupported, match="a sort has at most"):
        read_text(text)
    pairs = '<productsort><usersort declaration="A"/><usersort declaration="A"/></productsort>'
    sorts = "".join(
        f'<namedsort id="P{n}" name="P">{pairs.replace("A", f"P{n - 1}")}</namedsort>'
        for n in range(1, 40)
    )
    for first, message in (("1", "a product has at most 1000 sorts"), ("9", "at most 1048576")):
        range_ = f'<namedsort id="P0"><finiteintrange start="1" end="{first}"/></namedsort>'
        text = COLOURS.replace("<partition id", f"{range_}{sorts}<partition id", 1)
        with pytest.raises(Unsupported, match=message):
            read_text(text)
    factors = '<usersort declaration="B"/>' * 5
    many = (
        '<namedsort id="B"><finiteintrange start="1" end="1000000"/></namedsort>'
        f'<namedsort id="C"><productsort>{factors}</productsort></namedsort>'
    )
    with pytest.raises(Unsupported, match="at most 1048576 colours"):
        read_text(COLOURS.replace("<partition id", f"{many}<partition id", 1))


def test_fragmented_texts_take_linear_time():
    pieces = "2<!-- -->" * 300_000
    with pytest.raises(FormatError, match=r"is no number of tokens"):
        read_text(dots("<text>2</text></initial", f"<text>x{pieces}</text></initial"))


def test_compressed_files_that_expand_to_very_much_are_refused(tmp_path, lower):
    import gzip

    path = tmp_path / "net.pnml.gz"
    lower(NET_BYTES, 10_000)
    path.write_bytes(gzip.compress(b" " * 6_000) + gzip.compress(b" " * 6_000))
    with pytest.raises(FormatError, match="more than 10000 bytes"):
        read(str(path))
    path.write_bytes(gzip.compress(DOTS[:2_000].encode()) + gzip.compress(DOTS[2_000:].encode()))
    assert len(read(str(path)).places) == 2

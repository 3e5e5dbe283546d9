"""What labels of nets begin with: identifiers, names, or `tau` for what ProM calls invisible."""

import json
import warnings
from collections import Counter
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import FormatWarning
from lts.errors import FormatError, Unsupported
from lts.petri import action_of, answers, generate, ground, read_properties, read_text
from ltstool.main import main
from strategies import examples

UUID = "3f2504e0-4f89-11d3-9a0c-0305e82c33"
PROM = '<toolspecific tool="ProM" version="6.4" activity="$invisible$"/>'


def net(transitions):
    """A net with one marking, in which all transitions are enabled."""
    rows = "".join(
        f'<transition id="{identifier}">'
        + ("" if name is None else f"<name><text>{escape(name)}</text></name>")
        + PROM * is_silent
        + f'</transition><arc id="in {n}" source="p" target="{identifier}"/>'
        f'<arc id="out {n}" source="{identifier}" target="p"/>'
        for n, (identifier, name, is_silent) in enumerate(transitions)
    )
    mark = "<initialMarking><text>1</text></initialMarking>"
    return f'<pnml><net id="n" type="ptnet"><place id="p">{mark}</place>{rows}</net></pnml>'


# Each identifier, with whether it is a generated one.
IDENTIFIERS = {
    "t1": True, "n12": True, "Trans0": True, f"{UUID}01": True, f"id-{UUID}02": True,
    f"_{UUID.upper()}03": True, "T44": True, "pay": False, "t": False, "go_1": False,
    "12": False, "t1a": False, f"{UUID}4": False,
}  # fmt: skip
GENERATED = [name for name, generated in IDENTIFIERS.items() if generated]
NAMES = st.sampled_from(["pay", "go on", " pay  in ", "tau", "t1", "x", "y", "z", "w", "v", "u"])
ODD = st.sampled_from([None, "", "a(b)", "a,b", 'say "yes"'])


@st.composite
def transitions(draw):
    pool = draw(st.sampled_from([GENERATED, GENERATED, [*IDENTIFIERS]]))
    chosen = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=4, unique=True))
    names = st.one_of(*[NAMES] * 9, ODD)
    return [(one, draw(names), draw(st.integers(0, 5)) == 0) for one in chosen]


def expected(rows, labels):
    """The first words of all labels, by definition; None if there are none."""
    if labels == "id":
        return {identifier for identifier, _, _ in rows}
    silent = {"tau" for _, _, is_silent in rows if is_silent}
    seen = [(i, " ".join((name or "").split())) for i, name, is_silent in rows if not is_silent]
    odd = any(not name or set(name) & set('(),"') for _, name in seen)
    if labels == "name":
        return None if odd else silent | {name for _, name in seen}
    by_name = all(IDENTIFIERS[i] for i, _, _ in rows) and not odd
    by_name = by_name and all(Counter(name for _, name in seen)[name] == 1 for _, name in seen)
    return silent | {name if by_name else i for i, name in seen}


def test_labels_match_definition():
    reached: Counter[str] = Counter()

    @settings(max_examples=examples(20))
    @given(transitions(), st.sampled_from(["id", "name", None, None]))
    def are_by_definition(rows, labels):
        wanted = expected(rows, labels)
        if wanted is None:
            with pytest.raises((FormatError, Unsupported), match="name"):
                read_text(net(rows), labels=labels)
            reached["refused"] += 1
            return
        with warnings.catch_warnings(record=True) as remarks:
            warnings.simplefilter("always")
            found = read_text(net(rows), labels=labels)
        assert set(generate(found).labels) == wanted, rows
        identifiers = {identifier for identifier, _, _ in rows}
        said = [str(remark.message) for remark in remarks if "labels" in str(remark.message)]
        assert len(said) == (labels is None and wanted != identifiers), (rows, said)
        assert all("--labels id" in one for one in said)
        kind = "identifiers" if wanted == identifiers else "others"
        reached[labels or f"by default, {kind}"] += 1
        reached["tau"] += labels is None and "tau" in wanted

    are_by_definition()
    for kind in ("id", "name", "refused", "tau", "by default, identifiers", "by default, others"):
        assert reached[kind] >= 1, reached


ROWS = [("n1", "pay", False), ("n2", "wait", True), ("n3", "go on", False)]
PROPERTIES = """<property-set><property><id>one</id><formula><exists-path><finally>
<is-fireable><transition>n1</transition></is-fireable></finally></exists-path></formula></property>
<property><id>two</id><formula><all-paths><globally><is-fireable><transition>n3</transition>
<transition>n2</transition></is-fireable></globally></all-paths></formula></property></property-set>
"""


@pytest.mark.parametrize("labels", ["id", "name", None])
@pytest.mark.filterwarnings("ignore::lts.FormatWarning")
def test_properties_refer_to_identifiers(labels, tmp_path):
    file = tmp_path / "p.xml"
    file.write_text(PROPERTIES)
    found = ground(read_text(net(ROWS), labels=labels))
    properties = read_properties(str(file), found.net)
    for action in (None, action_of(found)):
        assert answers(found, properties, action) == [("one", True), ("two", True)]


def test_commands(tmp_path, capsys):
    file, properties = tmp_path / "n.pnml", tmp_path / "p.xml"
    file.write_text(net(ROWS))
    properties.write_text(PROPERTIES)

    def run(*words):
        code = main([*words])
        return (code, *capsys.readouterr())

    assert run("check", str(file), '<pay>true && <tau>true && <"go on">true', "-q")[0] == 0
    code, _, remarks = run("check", str(file), "<pay>true")
    assert (code, remarks.count("labels begin with the names of transitions")) == (0, 1)
    assert run("check", str(file), "<n1>true && <n2>true", "--labels", "id", "-q")[0] == 0
    assert run("check", str(file), "<n1>true", "--labels", "name", "-q")[0] == 1
    code, out, remarks = run("check", str(file), str(properties), "--json")
    assert (code, [answer["verdict"] for answer in json.loads(out)]) == (0, [True, True])
    assert "--labels" not in remarks
    code, _, remarks = run("check", str(file), str(properties), "--labels", "name")
    assert (code, "--labels does not apply to properties of the contest" in remarks) == (2, True)
    component = tmp_path / "n.exp"
    component.write_text('hide pay in "n.pnml" end hide\n')
    for words, labels in ((["id"], {"n1", "n2", "n3"}), (["name"], {"tau", "go on"})):
        code, out, _ = run("compose", str(component), "--labels", *words, "-q")
        assert (code, {line.split('"')[1] for line in out.splitlines()[1:]}) == (0, labels)
    (tmp_path / "a.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
    component.write_text('"a.aut"\n')
    code, _, remarks = run("compose", str(component), "--labels", "id")
    assert (code, "applies to nets, but no component is one" in remarks) == (2, True)


def test_invisible_transitions_give_a_remark():
    with pytest.warns(FormatWarning, match="labels are `tau` where ProM says so") as remarks:
        read_text(net([("pay", None, False), ("skip", "skip", True)]))
    assert len(remarks) == 1  # the mark of ProM is not left out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("<name>go</name>", "text in `name`"),
        ("<name><text>go<b>on</b></text></name>", "the element `b` of `text`"),
        ("<name><text>go</text></name><name><text>on</text></name>", "two elements `name`"),
        ("<name><value>go</value><text>on</text></name>", "two names"),
        ("<name x='1'><text>go</text></name>", "the attribute `x` of `name`"),
    ],
)
def test_ambiguous_transition_names_are_refused(name, message):
    # Labels may begin with it, so a part of it is no drawing.
    text = net([("t1", None, False)]).replace("</transition>", f"{name}</transition>")
    with pytest.raises((FormatError, Unsupported), match=message):
        read_text(text)

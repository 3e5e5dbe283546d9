"""Files of the DOT language, as several tools write them."""

import warnings

import pytest

from lts import FormatError, FormatWarning, LtsError, Unsupported, read

AUTOMATALIB = """\
digraph g {

\ts0 [shape="circle" label="0"];
\ts1 [shape="doublecircle" label="1"];
\ts0 -> s1 [label="coin / ok"];
\ts1 -> s0 [label="a \\"b\\""];

__start0 [label="" shape="none" width="0" height="0"];
__start0 -> s1;

}
"""
AALPY = """\
digraph learnedModel {
s0 [label="s0"];
s1 [label=s1, shape=doublecircle];
s0 -> s1  [label="a/1"];
s1 -> s0  [label=b];
__start0 [shape=none, label=""];
__start0 -> s0  [label=""];
}
"""
MCRL2 = """\
digraph G {
center = TRUE;
mclimit = 10.0;
nodesep = 0.05;
node [ width=0.25, height=0.25, label="" ];
0 [ peripheries=1 ];
1 [ peripheries=2 ];
0->1 [ label="tau" ];
1->1 [ label="a(1)" ];
}
"""
TLC = """\
strict digraph DiskGraph {
node [shape=box,style=rounded]
edge [colorscheme="paired12"]
nodesep=0.35;
subgraph cluster_graph {
color="white";
-609737673425276830 [label="/\\\\ b = TRUE\\n/\\\\ x = 0",style = filled]
-609737673425276830 -> 8671809759910816123 [label="B",color="2",fontcolor="2"];
8671809759910816123 [label="/\\\\ b = FALSE",tooltip="/\\\\ x = 1"];
8671809759910816123 -> -609737673425276830 [label="A",color="3",fontcolor="3"];
-609737673425276830 -> 8671809759910816123 [label="A",color="3",fontcolor="3"];
8671809759910816123 -> 8671809759910816123 [style="dashed",color="lightgray"];
77 [label="x",style = filled, fillcolor=lightyellow];
{rank = same; -609737673425276830;}
{rank = same; 8671809759910816123;}
}
subgraph cluster_legend {graph[style=bold];label = "Next State Actions" style="solid"
node [ labeljust="l",colorscheme="paired12",style=filled,shape=record ]
A [label="A",fillcolor=3]
B [label="B",fillcolor=2]
}}"""
ODD = """\
/* edges come first */ strict digraph "an odd one" // comment -> { ; }
# 1 "file.dot"
{
  graph [label="x -> y"]; rankdir = LR
  z:port:ne -> "a b" -> 2.5 [ color=red label=chain ][weight=2]
  edge [label=default]
  "a" + " b" -> z; subgraph cluster_1 { edge [label=inner] p -> q }
  { p q } -> { z r; } [label=<<b>x</b> &lt; <br/>y>]
  begin [shape=point]; begin -> "a b" [label=""]
}
"""


def parse(text, tmp_path, name="x.dot"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read(tmp_path / name)


def test_automatalib(tmp_path):
    with pytest.warns(FormatWarning, match="1 state is accepting"):
        system = parse(AUTOMATALIB, tmp_path)
    assert list(system) == [(0, "coin / ok", 1), (1, 'a "b"', 0), (1, "accepting", 1)]
    assert (system.initial, system.state_count) == (1, 2)


def test_aalpy(tmp_path):
    with pytest.warns(FormatWarning, match="1 state is accepting"):
        system = parse(AALPY, tmp_path)
    assert list(system) == [(0, "a/1", 1), (1, "b", 0), (1, "accepting", 1)]
    assert (system.initial, system.state_count) == (0, 2)


DFA = """digraph {{
rankdir=LR; node [shape={shape}]; q0 q3; node [shape=circle];
q1 [shape=circle, peripheries=2]; q2 [peripheries=1];
q0 -> q1 [label=a]; q1 -> q2 [label=b]; q2 -> q3 [label=b];
}}
"""


@pytest.mark.parametrize(
    ("shape", "accepting"),
    [("doublecircle", {0, 1, 3}), ("circle", {1}), ("doubleoctagon", {0, 1, 3})],
)
def test_accepting_states_are_part_of_the_system(tmp_path, shape, accepting):
    """Two outlines make no state initial, whichever way they are drawn."""
    with pytest.warns(FormatWarning) as warned:
        system = parse(DFA.format(shape=shape), tmp_path)
    assert any("the first one is taken, `q0`" in str(each.message) for each in warned)
    assert {s for s, a, t in system if (a, s) == ("accepting", t)} == accepting
    assert (system.initial, system.state_count) == (0, 4)
    text = DFA.format(shape=shape).replace("label=a", "label=accepting")
    text = text.replace("rankdir=LR;", "start [shape=none]; start -> q0;")
    with pytest.raises(FormatError, match="`accepting` is already an action"):
        parse(text, tmp_path)


@pytest.mark.parametrize("label", ['"q0 / on off"', '"q0|on off" shape=Mrecord'])
def test_outputs_of_moore_machines_are_part_of_the_system(tmp_path, label):
    states = f"q0 [label={label}]; q1 [label=q1]; q0 -> q1 [label=a]"
    with pytest.warns(FormatWarning, match="states have outputs"):
        system = parse(f"digraph {{ {states}; s [shape=none]; s -> q0 }}", tmp_path)
    assert list(system) == [(0, "a", 1), (0, "output(on off)", 0)]


def test_mcrl2(tmp_path):
    system = parse(MCRL2, tmp_path)
    assert list(system) == [(0, "tau", 1), (1, "a(1)", 1)]
    assert (system.initial, system.internal) == (1, ("tau",))


def test_tlc(tmp_path):
    text = TLC.replace('8671809759910816123 -> 8671809759910816123 [style="dashed"', '// ["')
    system = parse(text, tmp_path)
    assert list(system) == [(0, "B", 1), (1, "A", 0), (0, "A", 1)]
    assert (system.initial, system.state_count) == (0, 3)


def test_stuttering_of_tlc_is_no_step(tmp_path):
    assert list(parse(TLC, tmp_path)) == [(0, "B", 1), (1, "A", 0), (0, "A", 1)]


def test_several_initial_states_of_tlc(tmp_path):
    text = TLC.replace(
        '77 [label="x",style = filled, fillcolor=lightyellow]', "77 [style = filled]"
    )
    with pytest.warns(
        FormatWarning, match="2 states are initial: a new initial state has steps `Init`"
    ):
        system = parse(text, tmp_path)
    assert (system.initial, system.state_count) == (3, 4)
    assert system.successors(3) == [("Init", 0), ("Init", 2)]
    with pytest.raises(FormatError, match="`Init` is already an action"):
        parse(text.replace('"B"', '"Init"'), tmp_path)


def test_a_graph_of_tlc_without_actions_is_refused(tmp_path):
    text = TLC.replace('label="B"', 'label=""')
    with pytest.raises(FormatError, match="`-dump dot,actionlabels`"):
        parse(text, tmp_path)


def test_tlc_graphs_under_symmetry_are_refused(tmp_path):
    (tmp_path / "x.cfg").write_text("SPECIFICATION Spec\n\\* SYMMETRY no\n(* SYMMETRY no *)\n")
    assert len(parse(TLC, tmp_path)) == 3
    (tmp_path / "x.cfg").write_text("SPECIFICATION Spec\n  SYMMETRY Perms\n")
    with pytest.raises(Unsupported, match="made under SYMMETRY"):
        parse(TLC, tmp_path)
    # What is no graph of TLC is not about that configuration.
    parse(MCRL2, tmp_path)


def test_full_dot_grammar_is_accepted(tmp_path):
    system = parse(ODD, tmp_path)
    names = ["z", "a b", "2.5", "p", "q", "r"]
    z, ab, half, p, q, r = range(len(names))
    html = "x < \ny"
    assert list(system) == [
        *((z, "chain", ab), (ab, "chain", half), (ab, "default", z), (p, "inner", q)),
        *((p, html, z), (p, html, r), (q, html, z), (q, html, r)),
    ]
    assert (system.initial, system.state_count) == (ab, 6)


def test_first_state_is_initial_by_default(tmp_path):
    with pytest.warns(FormatWarning, match="no state is marked as initial: the first"):
        system = parse('digraph { b -> a [label="x"] }', tmp_path)
    assert list(system) == [(0, "x", 1)]
    assert system.initial == 0


@pytest.mark.parametrize(
    ("edges", "initial"),
    [
        ('start -> q1; q0 -> q1 [label="a"]; q1 -> q0 [label="b"]', "q1"),
        ('q0 -> q1 [label="a"]; q1 -> q0 [label="b"]; "" -> q0', "q0"),
        # A state that another edge enters or leaves is no mark.
        ('start -> q1; q1 -> start [label="a"]', None),
        ('start -> q1; start -> q1 [label="a"]', None),
        ('start -> q0; begin -> q1; q0 -> q1 [label="a"]', None),
        ("a -> b", None),
    ],
)
def test_start_arrow_marks_the_initial_state(edges, initial, tmp_path):
    text = f"digraph {{ {edges} }}"
    if initial is None:
        with pytest.raises(FormatError, match="this edge has no label: write `"):
            parse(text, tmp_path)
        return
    system = parse(text, tmp_path)
    assert system.state_count == 2
    assert {a for a, _ in system.successors(system.initial)} == {"b" if initial == "q1" else "a"}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "expected `digraph`"),
        ("graph { a -- b }", "1:1", "an undirected graph"),
        ("digraph { a -- b }", "1:13", "an undirected edge"),
        ("digraph {\n a -> b\n}", "2:2", "this edge has no label"),
        ('digraph {\n a -> b [label="x"\n}', "3:1", "expected an attribute, or `]`"),
        ('digraph {\n a -> b [label="x]\n}', "2:16", "this quote is never closed"),
        ("digraph { /* ", "1:11", "this comment is never closed"),
        ("digraph { a [label=<b] }", "1:20", "this `<` is never closed"),
        ('digraph { a -> b [label="x"]', "1:29", "the text ends before the graph does"),
        ('digraph { a -> b [label="x"] } x', "1:32", "expected nothing after the graph"),
        ("digraph { a -> ; }", "1:16", "expected a name"),
        ("digraph { node; }", "1:15", r"expected `\[` after `node`"),
        ("digraph { a = }", "1:15", "expected a value"),
        ("digraph { a -> edge [label=x] }", "1:16", "a keyword cannot be a name"),
        ("digraph { % }", "1:11", "is not part of the DOT language"),
        ("digraph { }", None, "the graph has no states"),
        ("digraph { x [shape=point] }", None, None),
        (f"digraph {'{' * 200}", "1:110", "more than 100 subgraphs in each other"),
    ],
)
def test_wrong_files(text, place, message, tmp_path):
    if message is None:
        with pytest.warns(FormatWarning):
            assert parse(text, tmp_path).state_count == 1
        return
    with pytest.raises(FormatError, match=message) as found:
        parse(text, tmp_path)
    shown = str(found.value)
    assert shown.startswith(str(tmp_path / "x.dot") + (f":{place}: " if place else ": "))


def test_two_marks_are_refused(tmp_path):
    text = AALPY.replace("__start0 -> s0", '__start1 -> s1 [label=""]; __start0 -> s0')
    with pytest.raises(LtsError, match="2 states are marked as initial"):
        parse(text, tmp_path)


def test_excessive_edge_products_are_refused(tmp_path):
    nodes = " ".join(f"n{number}" for number in range(2000))
    with pytest.raises(FormatError, match="edges at once"):
        parse(f"digraph {{ {{ {nodes} }} -> {{ {nodes} }} [label=a] }}", tmp_path)


def test_state_numbers_are_preserved(tmp_path):
    text = 'digraph { start [shape=point]; start -> 2; 2 -> 0 [label="a"] 1 }'
    system = parse(text, tmp_path)
    assert (system.initial, list(system)) == (2, [(2, "a", 0)])
    # One is missing: they are names.
    system = parse(text.replace(" 1 ", " 7 "), tmp_path)
    assert (system.initial, list(system)) == (0, [(0, "a", 1)])


START = '__start0 [label="" shape="none"]; __start0 -> x;'
STEPS = "x -> y [label=press]; y -> x [label=press];"


def outputs(tmp_path, nodes):
    with pytest.warns(FormatWarning) as found:
        system = parse(f"digraph g {{ {START} {nodes} {STEPS} }}", tmp_path)
    assert any("states have outputs" in str(each.message) for each in found)
    return {(s, a) for s, a, t in system if a.startswith("output(") and s == t}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # Braces and ports are layout, unless they are escaped.
        ('"{ x | off }" shape=record', '"{y|on}" shape=record', ("off", "on")),
        ('"<p> x | {<q> off}" shape=Mrecord', '"y|\\\\{on\\\\}"', ("off", "{on}")),
        ('"x|a\\\\|b" shape=record', '"y|c|d" shape=record', ("a|b", "c|d")),
        # The second field is an output whatever the shape.
        ('"x|off" shape=circle', '"y|on"', ("off", "on")),
        # Labels that are only outputs: not the names of the states.
        ("ok", "alarm", ("ok", "alarm")),
        ("ok", "ok", ("ok", "ok")),
        ("ok shape=circle", "ok shape=circle", ("ok", "ok")),
    ],
)
def test_outputs_in_labels_of_states(tmp_path, one, other, expected):
    nodes = f"x [label={one}]; y [label={other}];".replace("\\\\", "\\")
    first, second = expected
    assert outputs(tmp_path, nodes) == {(0, f"output({first})"), (1, f"output({second})")}


def test_accepting_states_have_outputs_too(tmp_path):
    nodes = 'x [label="x|off" shape=doublecircle]; y [label="y|on" peripheries=2];'
    assert outputs(tmp_path, nodes) == {(0, "output(off)"), (1, "output(on)")}


@pytest.mark.parametrize("shape", ["", "shape=circle"])
def test_labels_that_are_names_of_states_are_no_outputs(tmp_path, shape):
    steps = f"{START} {STEPS}".replace("x", "s0").replace("y", "s1")
    for one, other in (("s0", "s1"), ("0", "1"), ("q0", "q1")):
        nodes = f"s0 [label={one} {shape}]; s1 [label={other} {shape}];"
        system = parse(f"digraph g {{ {nodes} {steps} }}", tmp_path)
        assert {a for _, a, _ in system} == {"press"}
    nodes = "s0 [label=idle shape=circle]; s1 [label=busy shape=circle];"
    with pytest.warns(FormatWarning, match="labels of states are taken as their names"):
        assert len(parse(f"digraph g {{ {nodes} {steps} }}", tmp_path)) == 2


def test_labelled_start_arrow_marks_the_initial_state(tmp_path):
    text = f"digraph {{ {START} {STEPS} }}".replace("-> x;", '-> y [label="go"];', 1)
    with pytest.warns(FormatWarning, match="the label `go` of the start arrow is left out"):
        system = parse(text, tmp_path)
    assert system.state_count == 2
    assert system.successors(system.initial) == [("press", 1 - system.initial)]


@pytest.mark.parametrize(
    "attribute", ["modality=MAY", 'modality="MUST"', "dir=back", "dir=both", "dir=none"]
)
@pytest.mark.parametrize(
    "steps", ["x -> y [label=a {}];", "x -> y [{} label=a];", "edge [{}]; x -> y [label=a];"]
)
def test_semantic_attributes_are_refused(tmp_path, attribute, steps):
    text = f"digraph {{ {START}\n{steps.format(attribute)} }}"
    with pytest.raises(Unsupported, match=f"the attribute `{attribute[:3]}.* is not read") as found:
        parse(text, tmp_path)
    assert str(found.value).startswith(str(tmp_path / "x.dot") + ":2:")


@pytest.mark.parametrize(
    "text",
    [
        "x -> y [label=a probability=0.5];",
        "x -> y [probability=0.5 label=a]; x -> y [label=b probability=1];",
        "x [probability=1]; x -> y [label=a];",
        "node [probability=1]; x -> y [label=a];",
        "graph [probability=1]; x -> y [label=a];",
        "probability=1; x -> y [label=a];",
    ],
)
def test_unknown_attributes_are_named_once(tmp_path, text):
    with pytest.warns(FormatWarning) as found:
        parse(f"digraph {{ {START} {text} }}", tmp_path)
    [message] = [str(each.message) for each in found]
    assert message.endswith(
        "attributes that are not known to be drawing are left out: `probability`"
    )


@pytest.mark.parametrize(("label", "noted"), [("x / 1", 1), ("", 0), (r"\N", 0)])
def test_default_node_labels_are_dropped_with_a_note(tmp_path, label, noted):
    text = f'digraph {{ {START} node [label="{label}"]; x -> y [label=a]; }}'
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert len(parse(text, tmp_path)) == 1
    assert len(found) == noted


def test_drawing_attributes_give_no_remark(tmp_path):
    text = f"digraph {{ rankdir=LR; {START} x -> y [label=a color=red dir=forward penwidth=2]; }}"
    assert len(parse(text, tmp_path)) == 1


@pytest.mark.parametrize("label", ['"x|"', '"{x}" shape=record', '"x|off"]; x [label=x'])
def test_labels_without_a_second_field_have_no_output(tmp_path, label):
    text = f"digraph {{ {START} x [label={label}]; {STEPS} }}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = parse(text, tmp_path)
    assert {a for _, a, _ in system} == {"press"}


@pytest.mark.parametrize(
    "edges",
    [
        "a -> b [label=x, style=invis];\n",
        'a -> b [label=x]; b -> a [label=y, style="dashed,invis"];',
        "edge [label=x]; a -> b [style=invis];",
        "edge [label=x, style=invis]; a -> b;",
        "subgraph { edge [style=invis]; a -> b [label=x] }",
        'a -> b [label="\\\\\\T"];\n',
        'a -> b [label="go to \\H"];\n',
        'edge [label="\\E"]; a -> b;',
        'a -> b [label="x" + "\\G"];',
        "a -> b [label=<<table><tr><td>x</td><td>y</td></tr></table>>];",
    ],
)
def test_edges_with_undrawn_labels_are_refused(tmp_path, edges):
    (tmp_path / "g.dot").write_text(f"digraph {{ {edges} }}")
    with pytest.raises(Unsupported, match=r"no transition|is not read"):
        read(tmp_path / "g.dot")


def test_unknown_escapes_are_dropped(tmp_path):
    (tmp_path / "g.dot").write_text('digraph { a -> b [label="\\\\T \\{x\\}"];\n }')
    with pytest.warns(FormatWarning):
        assert read(tmp_path / "g.dot").labels == ("\\T {x}",)


@pytest.mark.parametrize(
    ("nodes", "loops"),
    [
        # Escapes for the name of the node.
        ('a [label="\\N / on"]; b [label="\\N / off"];', ("output(on)", "output(off)")),
        ('a [label="\\N"]; b [label="\\N"];', ()),
        ('a [label="0 / \\N"]; b [label="1 / \\\\N"];', ("output(a)", "output(\\N)")),
        ('a [label="\\N|\\N"]; b [label="{<p> \\N|1}"];', ("output(a)", "output(1)")),
        # Cells of tables are fields, as those of records are.
        ("a [label=<<table><tr><td>a</td><TD>on</TD ></tr></table>>];", ("output(on)",)),
        ("a [label=<<table><tr><td>a</td></tr></table>>];", ()),
        # The number of outlines counts before the shape, in any order.
        ("b [shape=doublecircle, peripheries=1];", ()),
        ("b [peripheries=1]; b [shape=doublecircle];", ()),
        ("node [peripheries=1]; b [shape=doublecircle];", ()),
        ("b [shape=doublecircle]; b [peripheries=2];", ("accepting",)),
    ],
)
def test_drawn_node_attributes_give_loops(tmp_path, nodes, loops):
    (tmp_path / "g.dot").write_text(
        f"digraph {{ s [shape=plain]; {nodes} s -> a; a -> b [label=x] }}"
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert read(tmp_path / "g.dot").labels == ("x", *loops)
    assert not any("left out" in str(each.message) for each in caught)


@pytest.mark.parametrize("outlines", ["peripheries=3", "shape=tripleoctagon"])
@pytest.mark.parametrize("word", ["b", "node"])
def test_other_outlines_are_noted(tmp_path, word, outlines):
    (tmp_path / "g.dot").write_text(f"digraph {{ s -> a; {word} [{outlines}]; a -> b [label=x] }}")
    with pytest.warns(FormatWarning, match=f"left out: `{outlines.partition('=')[0]}`"):
        assert read(tmp_path / "g.dot").labels == ("x",)


def test_plain_start_node_is_no_state(tmp_path):
    (tmp_path / "g.dot").write_text(
        'digraph { s [shape=plain]; s -> q1 [label=""]; q0 -> q1 [label=a]; }'
    )
    found = read(tmp_path / "g.dot")
    assert (found.initial, [*found]) == (1, [(0, "a", 1)])


def test_valueless_attributes_are_true(tmp_path):
    text = "digraph { s0 [label]; begin [shape=point]; begin -> s0; s0 -> s1 [label] }"
    assert list(parse(text, tmp_path)) == [(0, "true", 1)]

"""An LTS as a Python object, and its conversions to other libraries."""

import copy
import html
import pickle
import subprocess
import sys

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lts
from lts import LTS, LtsError, NameWarning
from lts.equivalence import classes, compare, equivalent, minimise, refines, without_tau_cycles
from lts.logic import check
from lts.simulation import Simulation
from lts.state_space import Goals, Limits, Settings
from lts.symmetry import check as check_symmetry
from lts.symmetry import isomorphic, parse_permutation
from strategies import systems

SYSTEM = LTS.from_transitions([(0, "a", 1), (1, "tau", 2), (0, "b", 2)], state_count=4)


def mathematically(system):
    rows = set(system.transitions())
    internal = {label for _, label, _ in rows} & {*system.internal}
    return system.state_count, system.initial, rows, internal


@given(systems(max_states=2, max_transitions=3), systems(max_states=2, max_transitions=3))
def test_equality_compares_content(left, right):
    expected = mathematically(left) == mathematically(right)
    assert (left == right) is expected
    assert (left != right) is not expected
    if expected:
        assert hash(left) == hash(right)


@given(systems(), st.randoms())
def test_order_duplicates_and_label_tables_do_not_matter(system, chance):
    rows = [*system, *system]
    chance.shuffle(rows)
    again = LTS.from_transitions(rows, initial=system.initial, state_count=system.state_count)
    assert again == system
    assert len({again, system}) == 1
    for way in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        assert way(system) == system


def test_different_systems_are_unequal():
    rows = [*SYSTEM]
    others = [
        LTS.from_transitions(rows, state_count=5),
        LTS.from_transitions(rows, initial=1, state_count=4),
        LTS.from_transitions(rows[:2], state_count=4),
        LTS.from_transitions([*rows, (3, "a", 3)], state_count=4),
        LTS.from_transitions([(0, "A", 1), *rows[1:]], state_count=4),
        SYSTEM.with_internal([]),
    ]
    assert all(other != SYSTEM for other in others)
    assert len({SYSTEM, *others}) == 7
    assert SYSTEM != "a"
    assert SYSTEM != None  # noqa: E711
    assert SYSTEM.with_internal(["tau", "absent"]) == SYSTEM


@given(systems())
def test_iteration_and_successors(system):
    rows = list(system)
    assert len(system) == len(rows) == system.transition_count
    assert bool(system)
    for state in range(system.state_count):
        assert system.successors(state) == [(a, t) for s, a, t in rows if s == state]


def test_out_of_range_states_are_refused():
    assert SYSTEM.successors(np.uint32(0)) == [("a", 1), ("b", 2)]
    with pytest.raises(IndexError, match="no state 4: states are numbered 0 to 3"):
        SYSTEM.successors(4)
    with pytest.raises(IndexError, match="state -1"):
        SYSTEM.successors(-1)
    with pytest.raises(TypeError, match="a state must be a number, not a str"):
        SYSTEM.successors("0")


@given(systems())
def test_conversions_to_other_libraries_are_equal(system):
    rows = list(system)
    frame = system.to_pandas()
    assert [tuple(row) for row in frame.itertuples(index=False)] == rows
    again = LTS.from_pandas(frame, initial=system.initial, state_count=system.state_count)
    assert [*again] == rows
    table = system.to_arrow()
    assert [tuple(row.values()) for row in table.to_pylist()] == rows
    assert LTS.from_networkx(system.to_networkx()) == system
    whole = system.matrix().toarray()
    parts = system.matrices()
    assert {*parts} == {a for _, a, _ in rows}
    for state in range(system.state_count):
        for other in range(system.state_count):
            found = {a for s, a, t in rows if (s, t) == (state, other)}
            assert whole[state, other] == bool(found)
            assert {a for a, part in parts.items() if part[state, other]} == found
    for label, part in parts.items():
        assert (system.matrix(label) != part).nnz == 0


@given(systems())
def test_methods_match_definitions(system):
    """Traces to states, classes, determinisation and equivalence, by other functions."""
    reachable = system.reachable_states()
    for state in range(system.state_count):
        if not reachable[state]:
            with pytest.raises(ValueError, match=f"state {state} cannot be reached"):
                system.trace_to(state)
            continue
        current, length = {system.initial}, 0
        while state not in current:
            current = {t for one in current for _, t in system.successors(one)}
            length += 1
        trace, current = system.trace_to(state), {system.initial}
        for label in trace:
            current = {t for one in current for a, t in system.successors(one) if a == label}
        assert state in current
        assert len(trace) == length
    for relation in ("strong", "branching"):
        minimal = system.minimise(relation)
        assert minimal == system.minimize(relation)
        assert system.bisimilar(minimal, relation)
        assert lts.bisimilar(minimal, system, relation)
        kept = [one for one in system.classes(relation).tolist() if one < minimal.state_count]
        assert {*kept} == {*range(minimal.state_count)}
    for state in (-1, system.state_count):
        with pytest.raises(IndexError, match=f"no state {state}: states are numbered"):
            system.trace_to(state)
    found = system.determinise()
    assert found.compare(system, "weak-trace").holds
    assert not any(found.nondeterministic_states())


def test_invalid_frames_and_triples_are_refused():
    frame = SYSTEM.to_pandas().drop(columns="label")
    with pytest.raises(TypeError, match="a data frame with columns source, label and target"):
        LTS.from_pandas(frame)
    with pytest.raises(TypeError, match="not an object of list"):
        LTS.from_pandas([1])
    for state in (-1, 2**32):
        with pytest.raises(ValueError, match="are no numbers from 0 to 2"):
            LTS.from_transitions([(0, "a", state)])
    for count in (-1, 0, 2**32):
        with pytest.raises(ValueError, match=f"an LTS has 1 to 2.32 - 1 states, not {count}"):
            LTS.from_transitions([], state_count=count)
    with pytest.raises(ValueError, match="states are numbers from 0, unlike the initial one, -1"):
        LTS.from_transitions([], initial=-1)


@pytest.mark.parametrize(
    ("columns", "values", "said"),
    [
        (("from", "label", "target"), (0, "a", 1), "none of its columns .* is named source"),
        (("source", "label", "target", "target"), (0, "a", 1, 1), "2 of its columns .* target"),
        (("source", "label", "target"), (0, 3, 1), "label must contain strings, and has 3 at"),
        (("source", "label", "target"), (0.5, "a", 1), "source must contain whole .* has 0.5 at"),
        (("source", "label", "target"), (0, "a", None), "target must contain whole .* has None"),
    ],
)
def test_frames_with_other_columns(columns, values, said):
    with pytest.raises(TypeError, match=said):
        LTS.from_pandas(pandas.DataFrame([values], columns=columns))


def test_foreign_networkx_graphs():
    graph = networkx.DiGraph()
    graph.add_edge("x", "y", action="go")
    graph.add_node("z")
    found = LTS.from_networkx(graph, label="action", initial="y")
    assert (found.initial, found.state_count, list(found)) == (1, 3, [(0, "go", 1)])
    with pytest.raises(TypeError, match="the 'label' of the edge from 'x' to 'y' must be a string"):
        LTS.from_networkx(graph)
    with pytest.raises(ValueError, match="'w' is not a node"):
        LTS.from_networkx(graph, label="action", initial="w")
    with pytest.raises(TypeError, match="a directed graph"):
        LTS.from_networkx(networkx.Graph())
    with pytest.raises(TypeError, match="a directed graph"):
        LTS.from_networkx("graph")
    with pytest.raises(ValueError, match="without nodes"):
        LTS.from_networkx(networkx.MultiDiGraph())


def test_node_names_are_preserved():
    graph = networkx.MultiDiGraph(initial="idle")
    graph.add_edge("idle", "busy", label="start(1)")
    graph.add_edge("busy", "idle", label="tau")
    graph.add_node(("dead", 3))
    system = LTS.from_networkx(graph)
    assert system.state_names == ("idle", "busy", ("dead", 3))
    alike = [
        *(system.hide(["start"]), system.rename({"start": "begin"}), system.with_internal([])),
        *(copy.copy(system), copy.deepcopy(system), pickle.loads(pickle.dumps(system))),
    ]
    assert all(each.state_names == system.state_names for each in alike)
    again = system.to_networkx()
    assert (again.graph, {*again.nodes}) == ({"initial": "idle"}, {*graph.nodes})
    assert sorted(again.edges(data="label")) == sorted(graph.edges(data="label"))
    assert LTS.from_networkx(again).state_names == system.state_names
    # Other states have other names.
    assert system.minimise("strong").state_names == range(2)
    assert SYSTEM.state_names == SYSTEM.states == range(4)


@given(systems())
def test_neighbours_and_deadlocks(system):
    rows = [*system]
    for state in system.states:
        assert system.successors(state) == [(a, t) for s, a, t in rows if s == state]
        assert system.predecessors(state) == [(a, s) for s, a, t in rows if t == state]
    stuck = [state for state in system.states if not system.successors(state)]
    assert system.deadlocks().tolist() == stuck == list(system.deadlock_states().search(1))
    assert np.issubdtype(system.deadlocks().dtype, np.integer)


def test_verbs_are_methods():
    swap = parse_permutation("(x y)")
    system = LTS.from_transitions([(0, "a(x)", 0), (0, "a(y)", 0), (0, "tau", 0)])
    assert system.minimise("weak") == minimise(system, equivalence="weak")
    assert system.compare(SYSTEM, equivalence="weak") == compare(system, SYSTEM, "weak")
    assert system.check("deadlock-free") == check(system, "deadlock-free")
    assert system.find_symmetry("weak") == lts.find_symmetry(system, "weak")
    reduction = system.reduce(swap)
    assert reduction == lts.reduce(system, swap)
    assert reduction.expand() == lts.expand(reduction.encoding, reduction.symmetry) == system
    assert system.view(title="x") == lts.view(system, title="x")
    other = system.hide(["a"])
    how = {"equivalence": "weak", "max_states": 9}
    assert system.view(other, **how) == lts.view(system, other, **how)
    assert system.draw() == lts.draw(system)
    assert system.draw(swap) == lts.draw(system, [swap])
    assert system.determinise() == lts.determinise(system)
    assert system.classes("weak").tolist() == lts.classes(system, "weak").tolist()
    text = "act b; init b . delta;"
    assert not system.bisimilar(text)
    assert system.compare(text, "weak") == lts.compare(system, text, "weak")


def test_names_of_methods_are_listed_before_one_is_used():
    said = "import lts; print(*dir(lts.generate('act a; init a;')))"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    methods = {method.__name__ for method in lts.methods.METHODS}
    assert methods <= {*done.stdout.split()}
    assert {"compose", "draw", "classes", "determinise", "bisimilar", "minimize"} <= {*dir(lts)}


def test_pictures_of_symmetries(tmp_path):
    swap = parse_permutation("(x y)")
    system = LTS.from_transitions([(0, "a(x)", 1), (0, "a(y)", 2), (3, "a(x)", 0)])
    picture = system.draw()
    assert picture.panels[0].orbits == (None, 0, 0)  # of the reachable states
    assert repr(picture) == "<Picture: 3 states, 2 transitions>"
    assert [panel.system.state_count for panel in system.draw(swap).panels] == [3, 2]
    for name, data in {"x.svg": picture.svg, "x.dot": picture.dot, "x.GV": picture.dot}.items():
        picture.write(tmp_path / name)
        assert (tmp_path / name).read_bytes() == data
    assert picture.svg.decode().partition("?>")[2] or picture.svg.decode() == picture._repr_html_()
    assert picture.dot.startswith(b"digraph")
    with pytest.raises(lts.FormatError, match=r"a picture is written as \.svg, \.dot, \.gv"):
        picture.write(tmp_path / "x.png")
    assert "x.png" not in {path.name for path in tmp_path.iterdir()}
    skewed = LTS.from_transitions([(0, "a(x)", 1), (0, "a(y)", 2), (0, "a(y)", 3)])
    assert [str(one) for one in skewed.draw().not_shown] == ["(x y)"]
    assert LTS.from_transitions([]).draw().panels[0].orbits == (None,)
    with pytest.raises(LtsError, match="3 states are too many to draw, at most 2"):
        system.draw(max_states=2)
    with pytest.raises(lts.NotSymmetric):
        skewed.draw(swap)
    # More than the default, which only `draw` compares with.
    wide = LTS.from_transitions([(n, f"a{n}", n + 1) for n in range(70)])
    assert b"<svg" in wide.draw(max_states=71).svg


def test_pages_in_notebooks(tmp_path):
    system = LTS.from_transitions([(0, '<&">', 1)])
    shown = lts.view(system)
    assert shown.title == "LTS: 2 states, 1 transitions"
    assert lts.view(system, title="marks").title == "marks"
    shown.write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == shown.html
    source = shown._repr_html_().partition('srcdoc="')[2].partition('"')[0]
    assert html.unescape(source).encode() == shown.html
    with pytest.raises(TypeError, match=r"not an object of list$"):
        lts.view([])


def test_representations_are_short():
    specification = lts.mucrl.read("cases/peterson.mcrl")
    process = lts.mucrl.linearise(specification)
    system = lts.generate("cases/peterson.mcrl")
    swap = parse_permutation("(p1 p2)")
    network = lts.network.split(lts.mucrl.read("cases/abp.mcrl"))
    found = [
        *(specification, process, system, swap, network, lts.network.reduce(network, "strong")),
        *(system.find_symmetry(), system.reduce(swap), system.reduce(swap).symmetry),
        *(system.check("A F criticalin(p1)"), system.check("A F criticalin(p1)").path),
        *(check_symmetry(system, swap), lts.symmetry.find_in_specification(process)),
        lts.view(system),
    ]
    assert max(len(repr(each)) for each in found) < 160
    assert repr(swap) == "<Permutation: (p1 p2)>"
    assert "of cases/peterson.mcrl: 5 sorts, " in repr(specification)


def test_misspelt_attributes_give_a_hint():
    for place, name, meant in (
        (lts, "minimse", "minimise"),
        (SYSTEM, "succesors", "successors"),
        (SYSTEM, "to_panda", "to_pandas"),
    ):
        with pytest.raises(AttributeError, match=f"did you mean `{meant}`"):
            getattr(place, name)
    for name in ("__wrapped__", "x"):
        with pytest.raises(AttributeError, match=r"has no attribute '[a-z_]*'$"):
            getattr(SYSTEM, name)


def test_detection_as_permutation_gives_a_hint():
    group = SYSTEM.find_symmetry()
    with pytest.raises(TypeError, match="object of Detection: its `generators` are permutations"):
        lts.reduce(SYSTEM, group)


def test_lts_constructor_gives_a_hint():
    with pytest.raises(TypeError, match=r"an object of list: LTS\.from_transitions takes"):
        LTS([(0, "a", 1)])


def test_matrices_of_absent_labels():
    with pytest.raises(ValueError, match="no label is `taus`; did you mean `tau`"):
        SYSTEM.matrix("taus")
    with pytest.raises(TypeError, match="a label must be a string"):
        SYSTEM.matrix(3)


def test_pictures_in_notebooks():
    assert "<svg" in SYSTEM._repr_html_()
    large = LTS.from_transitions([(n, f"<a{n}>", n + 1) for n in range(60)])
    shown = large._repr_html_()
    assert "&lt;a0&gt;" in shown
    assert "and 40 more labels" in shown
    assert "<svg" not in shown
    few = LTS.from_transitions([(n, f"a{n % 20}", n + 1) for n in range(60)])
    assert "more labels" not in few._repr_html_()
    odd = LTS.from_transitions([(0, "\udcff<&>\x00", 0)])
    odd._repr_html_().encode()


@pytest.mark.parametrize(
    "call",
    [
        lambda: compare("x.aut", SYSTEM, "strong"),
        lambda: compare(SYSTEM, None, "strong"),
        lambda: equivalent(SYSTEM, 3, "strong"),
        lambda: refines(SYSTEM, {}, "trace"),
        lambda: minimise("x.aut", "strong"),
        lambda: classes([], "strong"),
        lambda: without_tau_cycles(networkx.MultiDiGraph()),
        lambda: check("x.aut", "deadlock-free"),
        lambda: check_symmetry("x.aut", parse_permutation("(a b)")),
        lambda: isomorphic(SYSTEM, "x.aut"),
        lambda: lts.write("x.aut", "y.aut"),
        lambda: minimise(compare(SYSTEM, SYSTEM, "strong"), "strong"),
    ],
)
def test_wrong_system_types_give_one_sentence(call):
    with pytest.raises(TypeError, match=r"^an LTS is expected, not "):
        call()


def test_wrong_types_are_type_errors():
    with pytest.raises(TypeError, match="the name of an equivalence is expected, as a text"):
        minimise(SYSTEM, 3)
    with pytest.raises(TypeError, match="the name of a preorder is expected"):
        refines(SYSTEM, SYSTEM, None)
    with pytest.raises(TypeError, match="a formula is expected"):
        check(SYSTEM, True)


def test_unknown_names_give_a_warning():
    with pytest.warns(NameWarning, match="no action or label is absent, gone"):
        hidden = SYSTEM.hide(["a", "absent", "gone"])
    assert hidden.label_counts() == {"tau": 2, "b": 1}


def test_generation_from_a_file(tmp_path):
    text = "%@ parameter N = 2\n%@ include Nat\nact a: Nat\n"
    (tmp_path / "x.mcrl").write_text(text + "proc X(n: Nat) = a(n).X(n) init X(@{N})\n")
    (tmp_path / "x.mcrl2").write_text("act a; init a;\n")
    (tmp_path / "x.exp").write_text("x.mcrl ||| x.mcrl2")
    assert [*lts.generate(tmp_path / "x.mcrl", N=5)] == [(0, "a(5)", 0)]
    assert len(lts.generate(tmp_path / "x.mcrl2")) == 1
    assert lts.generate(str(tmp_path / "x.exp")).state_count == 2
    with pytest.raises(
        LtsError, match=r"`x\.aut`: the name of a specification, network or net must end in \.mcrl"
    ):
        lts.generate("x.aut")
    with pytest.raises(LtsError, match="has no parameters, as N"):
        lts.generate(tmp_path / "x.exp", N=1)
    with pytest.raises(LtsError, match="no constant `N`"):
        lts.generate(tmp_path / "x.mcrl2", N=1)
    with pytest.raises(TypeError, match="the parameter N must be an integer, not a str"):
        lts.generate(tmp_path / "x.mcrl", N="5")
    with pytest.raises(TypeError, match="a text is expected, not an object of NoneType"):
        lts.generate(None)
    with pytest.raises(lts.LimitReached):
        lts.generate(tmp_path / "x.exp", max_states=1)


COFFEE = lts.LTS.from_transitions([(0, "coin(1)", 1), (1, "coffee", 0)])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: COFFEE.hide(3), "several names, such as"),
        (lambda: COFFEE.hide([3]), "a name must be a string, not an object of type int: 3"),
        (lambda: COFFEE.rename("a=b"), "a mapping of old names to new ones is expected"),
        (lambda: COFFEE.nearest([0]), "a set of states is expected, as a bitarray"),
        (
            lambda: COFFEE.rename({"coin": 3}),
            "a name of an action or label is expected, as",
        ),
        (lambda: COFFEE.trace_to("1"), "the number of a state, a whole number, is expected"),
        (lambda: COFFEE.view(title=3), "the title of the page is expected, as a text"),
        (lambda: COFFEE.view(max_states="3"), "the largest number of states, a whole number"),
        (lambda: COFFEE.draw(max_states="3"), "the largest number of states, a whole number"),
        (lambda: COFFEE.draw(COFFEE), r"permutations of labels are expected.* lts\.view shows two"),
        (lambda: COFFEE.draw("(1 2)"), "lts.symmetry.parse_permutation reads it"),
        (lambda: COFFEE.draw().write(3), "the path of a file is expected"),
        (lambda: COFFEE.compare(3, "weak"), "an LTS, a specification, .* not an object of int"),
        (lambda: COFFEE.minimise(None), r"an equivalence is expected.* \(known: isomorphism, "),
        (lambda: lts.compose(COFFEE), r'by the names that a text gives .* as in compose\("one'),
        (lambda: lts.compose("a ||| b", COFFEE, COFFEE), "by the names that a text gives them"),
        (lambda: lts.compose(3), "a network that was read is expected, not an object of int"),
        (lambda: lts.compose("one", one=3), "an LTS, a specification, .* not an object of int"),
        (lambda: lts.generate(3), "^a specification, a network, .* not an object of int"),
        (lambda: lts.generate("act a; init a;", max_states="3"), "limit on states, a whole"),
        (lambda: lts.generate("act a; init a;", threads="3"), "number of threads, a whole"),
        (
            lambda: lts.LTS.from_transitions(3),
            "tuples .source, .* are expected, not an object",
        ),
        (lambda: lts.LTS.from_transitions([], initial="0"), "initial state, a whole number"),
        (lambda: lts.LTS.from_transitions([], state_count="0"), "of states, a whole number"),
        (lambda: lts.LTS.from_columns([], [], [], [], 0, 1), "such as an array of numpy, not list"),
        (lambda: lts.LTS.from_transitions("abc"), "a transition must be"),
        (lambda: lts.LTS.from_transitions([(0, 1, 2)]), r"a transition must be .*not \(0, 1, 2\)"),
        (lambda: lts.LTS.from_transitions([("a", "b", "c")]), "a transition must be"),
        (
            lambda: lts.symmetry.reduce(COFFEE, "(1 2)"),
            "lts.symmetry.parse_permutation reads it",
        ),
        (
            lambda: lts.symmetry.check(COFFEE, ["(1 2)"]),
            "lts.symmetry.parse_permutation reads it",
        ),
        (lambda: lts.symmetry.check(COFFEE, 5), "a permutation is expected, not an object of int"),
        (lambda: lts.symmetry.expand(COFFEE, None), "the symmetry of a reduction is expected"),
        (lambda: lts.symmetry.count("r.aut", None), "lts.read reads the file of one"),
        (lambda: lts.symmetry.parse_permutation(3), "a permutation is expected, as a text"),
        (lambda: lts.mucrl.read_text(3), "the text of a specification is expected"),
        (lambda: lts.mcrl2.read_text(b"act a;"), "the text of a specification is expected"),
        (lambda: lts.network.read_text(3), "the text of a network is expected"),
        (lambda: lts.mucrl.linearise("a.mcrl"), "a specification that was read is expected"),
        (lambda: lts.mucrl.simulate(COFFEE), "a specification that was read is expected"),
        (lambda: lts.state_space.generate(COFFEE), "a specification that was read is expected"),
        (lambda: lts.logic.check_process(COFFEE, "true"), "a specification that was read"),
    ],
)
def test_wrong_argument_types_give_one_sentence(call, said):
    with pytest.raises(TypeError, match=said):
        call()


SUM = "sort D = struct d1 | d2; act c: D; proc P = sum d: D. c(d) . P; init P;"


@pytest.mark.parametrize(
    "call",
    [
        lambda number: lts.generate(SUM, max_states=number),
        lambda number: lts.generate(SUM, threads=number),
        lambda number: lts.compose("a", a=COFFEE, max_states=number),
        lambda number: lts.check(COFFEE, "<true>true", max_positions=number),
        lambda number: lts.check(SUM, "<true>true", max_positions=number),
        lambda number: lts.compare(COFFEE, COFFEE, "trace", max_states=number),
        lambda number: lts.minimise(COFFEE, "strong", max_states=number),
        lambda number: lts.determinise(COFFEE, max_states=number),
        lambda number: lts.find_symmetry(COFFEE, node_limit=number),
        lambda number: lts.symmetry.check(COFFEE, [], node_limit=number),
        lambda number: lts.draw(COFFEE, max_states=number),
        lambda number: lts.view(COFFEE, max_states=number),
        lambda number: COFFEE.nearest_deadlocks(number),
        lambda number: lts.mucrl.simulate(lts.mcrl2.read_text(SUM), max_values=number),
        lambda number: Simulation(COFFEE).run(str.isupper, max_states=number),
        lambda number: Simulation(COFFEE).replay(["coin(1)"], max_states=number),
        lambda number: lts.mucrl.evaluate(lts.mcrl2.read_text(SUM), "d1", max_steps=number),
        lambda number: Limits(values=number),
        lambda number: Limits(memory=number),
        lambda number: Settings(sample=number),
        lambda number: Settings(node_limit=number),
        lambda number: Goals(deadlocks=True, enough=number),
    ],
)
def test_limits_are_numbers_of_64_bits(call):
    for number in (-1, 1 << 64):
        with pytest.raises(ValueError, match=rf"is a number from 0 to 2\^64 - 1, not {number}$"):
            call(number)
    with pytest.raises(TypeError, match="a whole number, is expected, not the text '1'"):
        call("1")


def test_a_limit_on_time_is_not_negative():
    for seconds in (-1, float("nan")):
        with pytest.raises(ValueError, match="the limit on time is 0 or more seconds, not"):
            Limits(time=seconds)
    with pytest.raises(TypeError, match="the limit on time, in seconds, is expected, not the text"):
        Limits(time="1")


def test_every_room_is_an_attribute_of_lts():
    for room in ("cluster", "drawing", "formats", "logic", "mcrl2", "mucrl", "network", "web"):
        assert getattr(lts, room).__name__ == f"lts.{room}"

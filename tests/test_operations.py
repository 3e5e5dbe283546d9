"""Operations on LTSs, compared with their definitions in networkx and sets."""

import re

import networkx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lts import LTS, Unsupported
from lts.base.label_names import unmatched
from lts.symmetry.labels.dialects import parse_label
from lts.system.divergence import internal_cycles
from strategies import systems


def members(states):
    return set(states.search(1))


def internal_graph(system):
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(system.state_count))
    graph.add_edges_from((s, t) for s, a, t in system.transitions() if a in system.internal)
    return graph


@given(systems())
def test_reachable_states(system):
    graph = networkx.DiGraph(system.to_networkx())
    expected = networkx.descendants(graph, system.initial) | {system.initial}
    assert members(system.reachable_states()) == expected
    assert len(system.reachable_states()) == system.state_count


@given(systems())
def test_reachable_part_is_numbered_breadth_first(system):
    part = system.reachable()
    number, queue = {system.initial: 0}, [system.initial]
    rows = []
    for state in queue:
        for s, a, t in system.transitions():
            if s == state:
                if t not in number:
                    number[t] = len(number)
                    queue.append(t)
                rows.append((number[s], a, number[t]))
    assert (part.initial, part.state_count) == (0, len(queue))
    assert list(part.transitions()) == rows
    assert part.internal == system.internal


@given(systems())
def test_deadlocks(system):
    sources = {s for s, _, _ in system.transitions()}
    assert members(system.deadlock_states()) == set(range(system.state_count)) - sources


@given(systems())
def test_internal_cycles_are_nearest_and_shortest(system):
    graph, every = internal_graph(system), networkx.DiGraph(system.to_networkx())
    distance = networkx.single_source_shortest_path_length(every, system.initial)
    rows = [*system.transitions()]

    def around(state):
        """The length of a shortest internal cycle through a state; None if there is none."""
        back = [
            1 + networkx.shortest_path_length(graph, after, state)
            for after in graph.successors(state)
            if networkx.has_path(graph, after, state)
        ]
        return min(back, default=None)

    expected = {}
    for component in networkx.strongly_connected_components(graph):
        there = [s for s in component if s in distance and around(s) is not None]
        if there:
            expected[frozenset(component)] = min(distance[s] for s in there)
    found = internal_cycles(system)
    seen, lengths = [], []
    for path, cycle in found:
        state = system.initial
        for row in path:
            assert rows[row][0] == state
            state = rows[row][2]
        start = state
        for row in cycle:
            assert rows[row][0] == state
            assert rows[row][1] in system.internal
            state = rows[row][2]
        assert state == start
        assert len(cycle) == around(start)
        (own,) = [component for component in expected if start in component]
        assert len(path) == expected[own]
        seen.append(own)
        lengths.append(len(path))
    assert sorted(map(sorted, seen)) == sorted(map(sorted, expected))
    assert lengths == sorted(lengths)
    assert internal_cycles(system, 1) == found[:1]


@given(systems())
def test_duplicates(system):
    rows = list(system.transitions())
    assert system.duplicate_count == len(rows) - len(set(rows))


@pytest.mark.parametrize("internal", [(), ("tau",), ("tau", "b")])
@given(system=systems())
def test_nondeterministic_states(internal, system):
    system = system.with_internal(internal)
    offers = {}
    for s, a, t in system.transitions():
        offers.setdefault((s, "tau" if a in system.internal else a), set()).add(t)
    expected = {s for (s, _), targets in offers.items() if len(targets) > 1}
    assert members(system.nondeterministic_states()) == expected


@pytest.mark.parametrize("internal", [(), ("tau",), ("tau", "b")])
@given(system=systems(labels=("tau", "tau", "a", "b")))
def test_divergences(internal, system):
    system = system.with_internal(internal)
    graph = internal_graph(system)
    cycles = {s for s, _ in graph.edges if s in networkx.descendants(graph, s)}
    cycles |= {s for s, t in graph.edges if s == t or s in networkx.descendants(graph, t)}
    assert members(system.tau_cycle_states()) == cycles
    divergent = {s for s in graph if ({s} | networkx.descendants(graph, s)) & cycles}
    assert members(system.divergent_states()) == divergent


def test_a_long_internal_chain_needs_no_deep_stack():
    length = 200_000
    rows = [(s, "tau", s + 1) for s in range(length)]
    assert not LTS.from_transitions(rows).divergent_states().any()
    assert LTS.from_transitions([*rows, (length, "tau", 0)]).tau_cycle_states().all()


def test_label_counts():
    system = LTS.from_transitions([(0, "a", 0), (0, "b", 0), (0, "a", 0)])
    assert system.label_counts() == {"a": 2, "b": 1}


def test_hiding_by_action_name_or_whole_label():
    rows = [(0, "c(1,2)", 1), (0, "c", 1), (0, "cc", 1), (1, "d(1)", 0), (1, "d(2)", 0)]
    hidden = LTS.from_transitions(rows).hide(["c", "d(2)", "absent"])
    assert [a for _, a, _ in hidden.transitions()] == ["tau", "tau", "cc", "d(1)", "tau"]
    assert hidden.labels == ("tau", "cc", "d(1)")
    assert hidden.internal == ("tau",)
    assert hidden.duplicate_count == 1


@given(
    st.lists(
        st.text("ab(1*?\u00e9", max_size=5)
        | st.sampled_from(["a(1)", "ab(b)", "b(1*)", "aa(1)", "\u00e9(1)"]),
        max_size=5,
    ),
    st.lists(st.text("ab(1*?\u00e9", max_size=3), max_size=3),
)
def test_hiding_by_patterns(labels, names):
    def is_for(name, label):
        """Whether a name matches a label, by definition: as a regular expression for the label or
        its action; a label with a bracket that is never closed is one action."""
        parts = {"*": "(?s:.*)", "?": "(?s:.)"}
        action = label.split("(")[0] if label.endswith(")") else label
        expression = "".join(parts.get(c) or re.escape(c) for c in name)
        return any(re.fullmatch(expression, text) for text in (label, action))

    system = LTS.from_transitions([(i, label, i + 1) for i, label in enumerate(labels)])
    found = [label for _, label, _ in system.hide(names).transitions()]
    hidden = [any(is_for(name, label) for name in names) for label in labels]
    assert found == ["tau" if h else label for h, label in zip(hidden, labels, strict=True)]
    absent = [name for name in names if not any(is_for(name, label) for label in labels)]
    assert unmatched(names, system.labels) == absent


@given(systems())
def test_hiding_changes_labels_only(system):
    hidden = system.hide(["a"])
    expected = [(s, "tau" if a == "a" else a, t) for s, a, t in system.transitions()]
    assert list(hidden.transitions()) == expected
    assert (hidden.initial, hidden.state_count) == (system.initial, system.state_count)


def test_hidden_labels_take_the_existing_internal_label():
    cadp = LTS.from_transitions([(0, "i", 1), (1, "a", 0)]).hide(["a"])
    assert cadp.labels == ("i",)
    assert cadp.internal == ("i",)
    own = LTS.from_transitions([(0, "x", 1), (1, "y", 0), (1, "a", 0)]).with_internal(["x", "y"])
    assert own.hide(["a"]).labels == ("x", "y")
    assert own.hide(["a"]).internal == ("x", "y")
    assert own.hide(["x"]).labels == own.labels


def test_hiding_beside_a_visible_tau_is_refused():
    system = LTS.from_transitions([(0, "tau", 1), (1, "a", 0)]).with_internal([])
    with pytest.raises(Unsupported, match="visible"):
        system.hide(["a"])
    assert system.hide(["tau"]).internal == ("tau",)
    assert system.hide(["b"]).internal == ()


def sizes(components):
    found = {}
    for component in components:
        found[len(component)] = found.get(len(component), 0) + 1
    return tuple(sorted(found.items(), reverse=True))


@pytest.mark.parametrize("internal", [False, True])
@given(system=systems(labels=("tau", "tau", "a", "b")))
def test_components(internal, system):
    reachable = members(system.reachable_states())
    graph = networkx.DiGraph(internal_graph(system) if internal else system.to_networkx())
    graph = graph.subgraph(reachable)
    components = list(networkx.strongly_connected_components(graph))
    found = system.components(internal=internal)
    assert found.sizes == sizes(components)
    cyclic = [c for c in components if any(graph.has_edge(s, t) for s in c for t in c)]
    assert found.cyclic == sizes(cyclic)
    left = [c for c in components if any(t not in c for s in c for t in graph.successors(s))]
    assert found.terminal == sizes(c for c in components if c not in left)


@example(system=LTS.from_transitions([(0, "a", 1), (0, "a", 2)]), most=2)
@given(system=systems(), most=st.integers(1, 8))
def test_nearest_deadlocks(system, most):
    graph = networkx.DiGraph(system.to_networkx())
    distance = networkx.single_source_shortest_path_length(graph, system.initial)
    dead = {s: distance[s] for s in distance if not graph.succ[s]}
    found = system.nearest_deadlocks(most)
    assert len({state for state, _ in found}) == len(found) == min(most, len(dead))
    assert system.nearest_deadlocks() == found[:1]
    assert [len(rows) for _, rows in found] == sorted(dead.values())[: len(found)]
    rows = list(system.transitions())
    for state, path in found:
        at = system.initial
        for row in path:
            assert rows[row][0] == at
            at = rows[row][2]
        assert at == state
        assert dead[state] == len(path)


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("PUT", {"PUT !1 !TRUE", 'PUT !"a, b"'}),
        ("put", {"put 1 5", "put(1)"}),
        ("P*", {"PUT !1 !TRUE", 'PUT !"a, b"'}),
        ("see", set()),
        ("PUT !1 !TRUE", {"PUT !1 !TRUE"}),
    ],
)
def test_actions_are_hidden_in_all_dialects(name, hidden):
    labels = ["PUT !1 !TRUE", 'PUT !"a, b"', "put 1 5", "put(1)", "see you, all"]
    system = LTS.from_transitions([(0, label, 0) for label in labels])
    assert set(labels) - set(system.hide([name]).labels) == hidden
    for label in hidden:
        if "*" not in name and " " not in name:
            assert parse_label(label).actions[0].name == name

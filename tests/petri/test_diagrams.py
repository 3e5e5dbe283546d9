"""What decision diagrams tell of properties of nets, against the explicit graph of markings."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.errors import LimitReached
from lts.petri import answering, answers
from lts.petri.diagrams import Diagram, Effort
from lts.petri.grounding import ground
from lts.petri.pnml import read_text
from lts.petri.properties import read_properties_text
from lts.petri.symmetry import action_of
from lts.state_space import Limits, Settings
from naive import nets
from naive.net_properties import (
    MOST_MARKINGS,
    frozen,
    random_property,
    random_reachability,
)
from strategies import examples


def random_combination(random, net):
    """A Boolean combination of formulas about reachable markings."""
    kind = random.choice(["!", "&&", "||"])
    count = 1 if kind == "!" else random.randint(1, 3)
    return frozen((kind, *(random_reachability(random, net) for _ in range(count))))


def is_about_markings(f):
    """Whether a diagram answers a property."""
    if f[0] in ("!", "&&", "||"):
        return all(map(is_about_markings, f[1:]))
    is_reachability = f[0] in "AE" and f[1][0] == {"A": "G", "E": "F"}[f[0]]
    return f[0] == "bound" or (is_reachability and has_no_path(f[1][1]))


def has_no_path(f):
    if f[0] in nets.CONNECTIVES:
        return all(map(has_no_path, f[1:]))
    return f[0] not in "AEXFGU"


def right_answer(graph, f):
    """The answer of a property by its definition."""
    if f[0] == "bound":
        return nets.bound(graph, f[1])
    return next(iter(graph)) in nets.holding(graph, f)


def random_case(random):
    """Return a net with its graph, and properties; None if it has too many markings."""
    net = nets.random_net(random)
    graph = nets.markings(net, MOST_MARKINGS)
    kinds = [random_property, random_reachability, random_combination]
    asked = [random.choice(kinds)(random, net) for _ in range(6)]
    return None if graph is None else (net, graph, asked)


def test_diagram_queries_match_definition():
    reached = Counter()

    @settings(max_examples=examples(6))
    @given(st.integers(0, 10**9))
    def check(seed):
        case = random_case(Random(seed))
        if case is None:
            return
        net, graph, asked = case
        read = read_text(nets.written(net))
        properties = read_properties_text(nets.property_set(asked), read)
        grounded = ground(read)
        if grounded.has_inhibitors_or_resets:
            return
        diagram = Diagram.of(grounded, Limits())
        assert diagram.markings.counts()[0] == len(graph)
        for property, f in zip(properties, asked, strict=True):
            answer = diagram.answer(property.content)
            if not is_about_markings(f):
                # A part may decide it.
                assert answer in (None, right_answer(graph, f)), f
                reached["other"] += answer is None
                continue
            assert answer == right_answer(graph, f), f
            kind = "combined" if f[0] in ("!", "&&", "||") else "alone"
            reached[kind, answer if isinstance(answer, bool) else "bound"] += 1

    check()
    kinds = [("combined", False), ("combined", True), ("alone", False), ("alone", True)]
    assert min(reached[kind] for kind in [*kinds, ("alone", "bound"), "other"]) > 3, reached


def test_diagram_answers_match_definition(monkeypatch):
    """Few markings, or orbits, are explored before the diagram."""
    efforts = (Effort(2, 10), Effort(3, 10**6))
    monkeypatch.setattr(answering, "BY_MARKINGS", efforts)
    monkeypatch.setattr(answering, "BY_ORBITS", efforts)
    monkeypatch.setattr(answering, "MANY", 1)
    reached = Counter()
    answer = Diagram.answer

    def counted(self, content):
        found = answer(self, content)
        reached["by a diagram"] += found is not None
        return found

    monkeypatch.setattr(Diagram, "answer", counted)

    @settings(max_examples=examples(6))
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        case = random_case(random)
        if case is None:
            return
        net, graph, asked = case
        read = read_text(nets.written(net))
        properties = read_properties_text(nets.property_set(asked), read)
        grounded = ground(read)
        expected = [(f"p{n}", right_answer(graph, f)) for n, f in enumerate(asked)]
        action = random.choice([None, action_of(grounded)])
        reported = {}
        try:
            found = answers(grounded, properties, action, report=reported.__setitem__)
        except LimitReached as error:
            # Some path formulas have large automata, whatever the net.
            if "automaton" not in error.message:
                raise
            reached["large automaton"] += 1
            return
        assert found == expected
        assert sorted(reported) == list(range(len(asked)))
        reached["orbits"] += action is not None and action.order > 1 and len(graph) > 4

    check()
    assert reached["by a diagram"] > 20, reached
    assert reached["orbits"] > 0, reached
    assert reached["large automaton"] < examples(1), reached


def counters(count):
    """A net of independent places, each with a token that may be taken."""
    places = {f"p{n}": {None: 1} for n in range(count)}
    transitions = [(f"t{n}", False, [(f"p{n}", ("dot", 1))], []) for n in range(count)]
    return nets.Net(2, {*places}, places, transitions)


def test_a_net_of_too_many_markings_is_answered(monkeypatch):
    monkeypatch.setattr(answering, "BY_MARKINGS", (Effort(1000, 10**6),))
    net = counters(200)
    some = tuple(f"p{n}" for n in range(120))
    half = ("E", ("F", ("integer-eq", ("tokens", some), 60)))
    never = ("A", ("G", ("integer-le", ("tokens", some), 119)))
    both = ("E", ("F", ("&&", ("deadlock",), ("fireable", ("t3",)))))
    read = read_text(nets.written(net))
    properties = read_properties_text(
        nets.property_set([half, never, both, ("bound", (*some, "p0"))]), read
    )
    found = answers(ground(read), properties)
    assert found == [("p0", True), ("p1", False), ("p2", False), ("p3", 121)]


def test_state_limit_counts_visited_markings():
    read = read_text(nets.written(counters(30)))
    never = ("E", ("F", ("&&", ("deadlock",), ("fireable", ("t3",)))))
    properties = read_properties_text(nets.property_set([never]), read)
    with pytest.raises(LimitReached, match="more than 100 states"):
        answers(ground(read), properties, settings=Settings(limits=Limits(states=100)))

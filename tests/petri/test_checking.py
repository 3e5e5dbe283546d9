"""Formulas on nets, decided while markings are explored, against their definition on the graph of
all markings."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lts
from lts.errors import LimitReached, LtsError
from lts.petri.checking import check_net, is_about_some
from lts.petri.grounding import ground
from lts.petri.pnml import read_text
from lts.state_space import Internal, Limits, Settings
from naive import nets, paths
from path_formulas import games_alone, trees
from strategies import examples

MOST_MARKINGS = 40
NAMES = ["t1(...)", "t2(...)"]

UNBOUNDED = """<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"/><transition id="t"/><transition id="u"/>
<arc id="a" source="t" target="p"/><arc id="b" source="p" target="u"/></page></net></pnml>"""


def runs(system, labels):
    """The states after the labels of a path, one of each choice."""
    found = {system.initial}
    steps = [
        *zip(system.source.tolist(), system.label.tolist(), system.target.tolist(), strict=True)
    ]
    for label in labels:
        found = {t for s, n, t in steps if s in found and system.labels[n] == label}
    return found


def test_answers_match_definition():
    seen = Counter()

    @settings(max_examples=examples(10), suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 10**6), trees(NAMES), st.booleans())
    def one(seed, tree, by_game):
        net = nets.random_net(Random(seed))
        graph = nets.markings(net, MOST_MARKINGS)
        if graph is None:
            return
        numbers = {marking: number for number, marking in enumerate(graph)}
        steps = [
            (numbers[source], f"{name}(...)", numbers[target])
            for source, rows in graph.items()
            for name, target in rows
        ]
        # A state formula: of some path, or of all.
        formula = tree if tree[0] in ("A", "E") else ("E", tree)
        plain = paths.closed(formula, [""])
        if paths.guesses(paths.core(plain)) > 4:
            return
        text = paths.written(formula)
        grounded = ground(read_text(nets.written(net)))
        if by_game:
            with games_alone():
                found = check_net(grounded, text, evidence=True)
        else:
            found = check_net(grounded, text, evidence=True)
        assert found.holds == (0 in paths.holding(steps, len(graph), plain)), (seed, text)
        seen[found.holds, by_game] += 1
        seen["early"] += found.states < len(graph)
        seen["before a limit"] += decided_within(grounded, text, found.states) == found.holds
        if found.path is not None:
            system = lts.petri.generate(grounded)
            labels = [label for _, label, _ in found.path.steps]
            assert runs(system, labels)
            seen["path"] += 1

    one()
    for answer in (True, False):
        for by_game in (True, False):
            assert seen[answer, by_game] > 0, seen
    assert min(seen["early"], seen["path"], seen["before a limit"]) > 0, seen


def decided_within(net, text, states):
    """The answer if no more states may be explored than were needed."""
    limited = Settings(limits=Limits(states=states + 1))
    return check_net(net, text, limited).holds


def test_an_unbounded_net_is_decided_by_some_of_its_markings():
    net = ground(read_text(UNBOUNDED))
    few = Settings(limits=Limits(states=50))
    assert check_net(net, "<t.t.u>true", few).holds
    assert not check_net(net, "[t.t]<u.u.u>true", few).holds
    assert check_net(net, "E F <u.u>true", few).holds
    assert lts.check(net, "<t.t.t>true").holds
    with pytest.raises(LimitReached, match="more than 50 states; 50 states and 51 pairs"):
        check_net(net, "[true*]<t>true", few)
    with pytest.raises(LimitReached, match="more than 40 pairs"):
        check_net(net, "[true*]<t>true", Settings(limits=Limits(positions=40)))


def test_internal_and_hidden_labels():
    net = ground(read_text(UNBOUNDED))
    assert not check_net(net, "<t>true", internal=Internal((), ("t",))).holds
    assert check_net(net, "<tau.u>true", internal=Internal((), ("t",))).holds
    assert check_net(net, "<tau>true", internal=Internal(("t",), ())).holds
    assert check_net(net, "<v>true || <t>true").unknown == ("v",)
    assert check_net(net, "<u>true || <t>true").unknown == ()


def test_global_formulas_need_the_full_state_space():
    assert not is_about_some("deterministic")
    assert not is_about_some("exists x: Data. <t(x)>true")
    assert is_about_some("[true*]<true>true")
    with pytest.raises(LtsError, match="about all markings"):
        check_net(ground(read_text(UNBOUNDED)), "deterministic")

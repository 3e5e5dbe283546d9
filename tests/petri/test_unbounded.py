"""Unbounded places, against markings that are found by trying all steps."""

import json
from collections import Counter
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.errors import LimitReached
from lts.petri import action_of, answers, counts, explore, ground, net_orbits, read_text
from lts.petri.properties import read_properties_text
from lts.petri.unbounded import limit_remark, unbounded_places
from lts.state_space import Limits, Settings
from lts.state_space.generation import whole
from ltstool.main import main
from naive import nets as naive_nets
from naive import plain_nets as naive
from strategies import examples

MOST_MARKINGS = 1_500
FEW, MANY = 4, 12


def random_net(random):
    """A small net, whose transitions put more tokens than they take, sometimes."""
    places = {f"p{n}": random.choice([0, 0, 1, 1, 2]) for n in range(3)}
    transitions = []
    for number in range(random.randint(1, 4)):
        arcs = {}
        for kind, most in (("takes", 2), ("puts", 2)):
            for place in random.sample([*places], random.randint(kind == "takes", most)):
                arcs[kind, place] = random.choice([1, 1, 1, 2])
        transitions.append((f"t{number}", arcs))
    return naive.Net(places, transitions)


def test_unbounded_places_match_definition():
    reached = Counter()

    @settings(max_examples=examples(6))
    @given(st.integers(0, 10**9))
    def check(seed):
        net = random_net(Random(seed))
        found = unbounded_places(ground(read_text(naive.written(net), labels="id")))
        graph = naive.markings(net, MOST_MARKINGS)
        if graph is not None:
            assert not found
            reached["bounded"] += 1
            return
        seen = some_markings(net)
        assert found
        for number, place in enumerate(net.places):
            most = max(marking[number] for marking in seen)
            assert most > FEW if place in found else most < MANY
            reached["in a place"] += place not in found
        reached["unbounded"] += 1

    check()
    for part in ("bounded", "unbounded", "in a place"):
        assert reached[part], reached


def some_markings(net):
    """The first reachable markings."""
    found = {tuple(net.places.values()): None}
    waiting = [*found]
    for marking in waiting:  # grows during the loop
        if len(found) < MOST_MARKINGS:
            for _, target in naive.steps(net, marking):
                if target not in found:
                    found[target] = None
                    waiting.append(target)
    return found


PHASES = naive.Net(
    {"first": 1, "second": 0, "p": 0, "q": 0, "r": 1},
    [
        ("more", {("takes", "first"): 1, ("puts", "first"): 1, ("puts", "p"): 1}),
        ("go", {("takes", "first"): 1, ("puts", "second"): 1}),
        (
            "move",
            {("takes", "second"): 1, ("puts", "second"): 1, ("takes", "p"): 1, ("puts", "q"): 1},
        ),
        ("stop", {("takes", "second"): 1, ("takes", "r"): 1}),
    ],
)
"""The tokens of `q` are those of `p`, of which there are only as many as were put there before."""


def test_places_fed_by_unbounded_places_are_unbounded():
    assert unbounded_places(ground(read_text(naive.written(PHASES), labels="id"))) == {"p", "q"}


@pytest.mark.parametrize("is_first", [True, False])
def test_bounded_parts_do_not_slow_the_search(is_first):
    net = naive.Net({"p": 0}, [])
    for n in range(16):
        net.places |= {f"off{n}": 1, f"on{n}": 0}
        net.transitions.append((f"up{n}", {("takes", f"off{n}"): 1, ("puts", f"on{n}"): 1}))
        net.transitions.append((f"down{n}", {("takes", f"on{n}"): 1, ("puts", f"off{n}"): 1}))
    net.transitions.insert(0 if is_first else len(net.transitions), ("more", {("puts", "p"): 1}))
    assert unbounded_places(ground(read_text(naive.written(net), labels="id"))) == {"p"}


@pytest.mark.parametrize("kind", ["inhibitor", "reset"])
def test_covering_is_inconclusive_with_other_arcs(kind):
    net = naive.Net({"p": 1, "q": 1}, [("t", {("takes", "p"): 1, ("puts", "p"): 2})])
    grounded = ground(read_text(naive.written(net), labels="id"))
    assert unbounded_places(grounded) == {"p"}
    net.transitions[0][1][kind, "q"] = 2 if kind == "inhibitor" else 1
    assert not unbounded_places(ground(read_text(naive.written(net), labels="id")))
    assert limit_remark(ground(read_text(naive.written(net), labels="id"))) == ""


def test_every_limit_names_the_place():
    grounded = ground(read_text(naive.written(PHASES), labels="id"))
    limited = Settings(limits=Limits(states=50))
    action = action_of(grounded)
    named = "; `[pq]` is unbounded, and so is the number of markings$"
    for explored in (
        lambda: whole(explore(grounded, limited), limited),
        lambda: net_orbits(action, limited),
        lambda: counts(grounded, None, limited),
    ):
        with pytest.raises(LimitReached, match=named):
            explored()


def test_bounds_may_be_infinite(tmp_path, capsys):
    grounded = ground(read_text(naive.written(PHASES), labels="id"))
    bounds = [("bound", ("p",)), ("bound", ("q", "r"))]
    properties = read_properties_text(naive_nets.property_set(bounds), grounded.net)
    assert answers(grounded, properties) == [("p0", inf), ("p1", inf)]
    file, asked = tmp_path / "n.pnml", tmp_path / "p.xml"
    file.write_text(naive.written(PHASES))
    formulas = [*bounds, ("bound", ("r",))]
    asked.write_text(naive_nets.property_set(formulas))
    assert main(["check", str(file), str(asked), "--max-states", "60", "--json"]) == 3
    out, messages = capsys.readouterr()
    assert [answer["verdict"] for answer in json.loads(out.splitlines()[0])] == ["+inf", "+inf"]
    assert "is unbounded" in messages + out

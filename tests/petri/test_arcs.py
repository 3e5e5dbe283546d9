"""Arcs that inhibit, read or reset, against the definition."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lts.errors import LtsError
from lts.petri import action_of, counts, explore, ground, net_orbits, read_text
from naive import nets
from strategies import examples

MOST_MARKINGS = 60
KINDS = ("inhibitor", "reset", "read")


def without(net, kind):
    others = {name: [one for one in of if one[0] != kind] for name, of in net.others.items()}
    return replace(net, others=others)


def test_state_spaces_match_definition():
    seen = Counter()

    @settings(max_examples=examples(30), suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 10**9))
    def check(seed):
        net = nets.random_net(Random(seed))
        graph = nets.markings(net, MOST_MARKINGS)
        if graph is None or not any(net.others.values()):
            return
        grounded = ground(read_text(nets.written(net)))
        found = explore(grounded).lts
        assert found is not None
        steps = {
            (source, text.partition("(")[0], target) for source, text, target in found.transitions()
        }
        assert found.state_count == len(graph)
        assert len(steps) == sum(map(len, graph.values()))
        names = Counter(name for _, name, _ in steps)
        assert names == Counter(name for rows in graph.values() for name, _ in rows)
        most = max(sum(count for _, count in marking) for marking in graph)
        place = max((count for marking in graph for _, count in marking), default=0)
        action = action_of(grounded)
        for under in (None, action):
            size = counts(grounded, under)
            assert (size.states, size.transitions) == (len(graph), found.transition_count)
            assert (size.marking, size.place) == (most, place)
        orbits = net_orbits(action)
        assert (orbits.states, orbits.transitions) == (len(graph), found.transition_count)
        for kind in KINDS:
            seen[kind] += nets.markings(without(net, kind), MOST_MARKINGS) != graph
        seen["symmetric"] += orbits.order > 1

    check()
    assert min(seen[kind] for kind in (*KINDS, "symmetric")) > 5, seen


def text(arcs):
    """A net with two places, of which the first has two tokens, and two transitions."""
    return f"""<pnml><net id="n" type="ptnet"><place id="p">
<initialMarking><text>2</text></initialMarking></place><place id="q"/>
<transition id="t"/><transition id="u"/>
{arcs}</net></pnml>"""


def arc(source, target, inside="", of=""):
    return f'<arc id="{source}{target}" source="{source}" target="{target}"{of}>{inside}</arc>'


MOVE = arc("p", "t") + arc("t", "q")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("inhibitor", {"t", "u", "tt", "ut", "uu"}),  # u without tokens in q
        ("read", {"t", "u", "tt", "ut", "uu"}),  # u with two tokens in p
        ("reset", {"t", "u", "tt", "tu", "uu"}),  # u takes all tokens of p
    ],
)
@pytest.mark.parametrize(
    "notation",
    [
        ("", ' type="{}"'),
        ('<type value="{}"/>', ""),
        ("<type>{}</type>", ""),
        ("<type><text>{}</text></type>", ""),
        ("<arctype><text>{}</text></arctype>", ""),
        ("<arctype>{}</arctype>", ""),
    ],
)
def test_arc_types_in_each_notation(notation, kind, expected):
    inside, of = (part.format(kind) for part in notation)
    weight = "<inscription><text>2</text></inscription>"
    special = {
        "inhibitor": arc("q", "u", inside, of),
        "read": arc("p", "u", inside + weight, of),
        "reset": arc("p", "u", inside, of),
    }[kind]
    system = explore(ground(read_text(text(MOVE + special)))).lts
    assert system is not None
    steps = [*system.transitions()]
    one = {label: target for source, label, target in steps if source == system.initial}
    two = {
        before + label
        for before, state in one.items()
        for source, label, _ in steps
        if source == state
    }
    assert one.keys() | two == expected


def test_dead_transitions_add_no_tokens_to_reset_places():
    weight = "<inscription><text>3</text></inscription>"
    arcs = MOVE + arc("q", "u", of=' type="reset"') + arc("u", "q", weight)
    never = text(arcs + arc("r", "u")).replace("</net>", '<place id="r"/></net>')
    found = [counts(ground(read_text(one))) for one in (text(arcs), never)]
    assert [(one.marking, one.place) for one in found] == [(5, 5), (2, 2)]


@pytest.mark.parametrize(
    ("arcs", "message"),
    [
        (
            arc("t", "q", of=' type="inhibitor"'),
            "in `tq`: an arc of the kind `inhibitor` leads from",
        ),
        (
            arc("p", "t", '<type value="inhibitor"/>', ' type="reset"'),
            "in `pt`: an arc of the kinds `inhibitor` and `reset`",
        ),
        (
            arc("p", "t", '<type value="inhibitor"/>', ' type="normal"'),
            "in `pt`: an arc of the kinds `normal` and `inhibitor`",
        ),
        (
            arc("p", "t", "<inscription><text>2</text></inscription>", ' type="reset"'),
            "in `pt`: an arc of the kind `reset` of the weight 2",
        ),
        (
            arc("p", "t", "<inscription><text>0</text></inscription>", ' type="inhibitor"'),
            "in `pt`: an arc of the kind `inhibitor` of the weight 0",
        ),
        (
            arc("p", "t") + arc("p", "t", of=' type="read"').replace('"pt"', '"r"'),
            "in `t`: it reads tokens of `p`, from where it has another arc",
        ),
        (
            arc("p", "t", of=' type="test"')
            + arc("p", "t", of=' type="reset"').replace('"pt"', '"r"'),
            "in `t`: it reads tokens of `p`, from where it has another arc",
        ),
    ],
)
def test_meaningless_arcs_are_refused(arcs, message):
    with pytest.raises(LtsError, match=r"net.pnml:[0-9]+: " + message):
        read_text(text(arcs))


@pytest.mark.parametrize("kind", ["inhibitor", "reset"])
def test_arcs_of_other_types_at_coloured_places_are_refused(kind):
    net = nets.Net(2, {"d"}, {"p": {0: 1}, "d": {}}, [("t", False, [], [])])
    net.others["t"] = [(kind, "p", ("x", 1))]
    with pytest.raises(LtsError, match=f"`{kind}` are read at places without colours only"):
        read_text(nets.written(net))

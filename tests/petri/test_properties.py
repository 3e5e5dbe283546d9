"""Properties of nets, against their definition on an explicit graph of markings."""

import gzip
import re
from collections import Counter
from dataclasses import replace
from random import Random

import networkx as nx
import pytest

from lts.errors import FormatError, LimitReached, SpecificationError, Unsupported
from lts.petri import answers
from lts.petri.diagrams import Diagram
from lts.petri.grounding import ground
from lts.petri.pnml import read_text
from lts.petri.properties import (
    GLOBAL_PROPERTIES,
    Deadlock,
    Operation,
    PlaceBound,
    global_property,
    read_properties,
    read_properties_text,
)
from lts.petri.symmetry import action_of
from lts.state_space import Limits, Settings
from naive import nets
from naive.net_properties import (
    MOST_MARKINGS,
    cases,
    frozen,
    random_atom,
    random_property,
    random_reachability,
)

SUITES = 12
PLAIN = Settings()


def operators(f):
    """The operators of a formula."""
    if not isinstance(f, tuple):
        return
    yield f[0]
    if f[0] not in ("fireable", "tokens", "bound"):
        for part in f[1:]:
            yield from operators(part)


def test_answers_match_definition():
    seen = Counter()
    for seed in range(SUITES):
        random = Random(seed)
        for net, graph in cases(random, 12):
            wanted = [random_property(random, net) for _ in range(12)]
            read = read_text(nets.written(net))
            properties = read_properties_text(nets.property_set(wanted), read)
            grounded = ground(read)
            action = action_of(grounded)
            initial = next(iter(graph))
            expected = [
                (f"p{n}", nets.bound(graph, f[1]) if f[0] == "bound" else
                 initial in nets.holding(graph, f))
                for n, f in enumerate(wanted)
            ]  # fmt: skip
            for given in (None, action):
                found = answers(grounded, properties, given)
                for got, right, f in zip(found, expected, wanted, strict=True):
                    assert got == right, (seed, net, f)
                    assert type(got[1]) is type(right[1])
            seen["orbits"] += action.order > 1
            seen["deadlock"] += any(not rows for rows in graph.values())
            for f, (_, answer) in zip(wanted, expected, strict=True):
                for operator in {*operators(f)}:
                    seen[operator, answer] += 1
                if f[0] in ("A", "E"):
                    is_ctl = nets.is_of_markings(f[1]) or all(map(nets.is_of_markings, f[1][1:]))
                    seen["ctl" if is_ctl else "ltl", answer] += 1
    assert min(seen["orbits"], seen["deadlock"]) > 20
    for operator in (
        *nets.CONNECTIVES, *nets.RELATIONS, *"AEXFGU", "fireable", "deadlock", "true", "false",
        "tokens", "sum", "difference", "ctl", "ltl",
    ):  # fmt: skip
        for answer in (False, True):
            assert seen[operator, answer] > 5, (operator, answer)
    assert sum(seen["bound", number] > 0 for number in range(6)) > 3


def global_answer(name, net, graph):
    """What the contest asks of a whole net, by its definition."""

    def tokens(marking, place):
        return sum(count for (held, _), count in marking if held == place)

    names = {name for name, *_ in net.transitions}
    initial = next(iter(graph))
    match name:
        case "ReachabilityDeadlock":
            return any(not rows for rows in graph.values())
        case "OneSafe":
            return all(tokens(m, place) < 2 for m in graph for place in net.places)
        case "StableMarking":
            return any(len({tokens(m, place) for m in graph}) == 1 for place in net.places)
        case "QuasiLiveness":
            return {name for rows in graph.values() for name, _ in rows} == names
    whole = nx.DiGraph([(m, target) for m, rows in graph.items() for _, target in rows])
    whole.add_node(initial)
    return all(
        {name for later in (m, *nx.descendants(whole, m)) for name, _ in graph[later]} == names
        for m in graph
    )


def test_properties_of_whole_nets_match_definition():
    seen = Counter()
    for seed in range(SUITES):
        found = [*cases(Random(seed), 10)]
        for net, _ in found[:]:
            back = [
                (f"r{name}", differ, puts, takes) for name, differ, takes, puts in net.transitions
            ]
            both = replace(net, transitions=[*net.transitions, *back])
            graph = nets.markings(both, MOST_MARKINGS)
            if graph is not None:
                found.append((both, graph))
        for net, graph in found:
            read = read_text(nets.written(net))
            grounded = ground(read)
            for name in GLOBAL_PROPERTIES:
                one = global_property(name, read)
                for action in (None, action_of(grounded)):
                    expected = global_answer(name, net, graph)
                    assert answers(grounded, [one], action) == [(name, expected)], (seed, name)
                    seen[name, expected] += 1
    for name in GLOBAL_PROPERTIES:
        assert min(seen[name, False], seen[name, True]) > 4, seen


def test_answers_before_a_limit_match_definition():
    seen = Counter()
    for seed in range(SUITES):
        random = Random(seed)
        for net, graph in cases(random, 12):
            kinds = random.choice([[random_reachability], [random_reachability, random_property]])
            wanted = [random.choice(kinds)(random, net) for _ in range(4)]
            read = read_text(nets.written(net))
            properties = read_properties_text(nets.property_set(wanted), read)
            grounded = ground(read)
            initial = next(iter(graph))
            limit = random.randint(1, len(graph))
            for action in (None, action_of(grounded)):
                reported = {}
                settings = Settings(limits=Limits(states=limit))
                try:
                    answers(grounded, properties, action, settings, report=reported.__setitem__)
                except LimitReached:
                    assert len(reported) < len(wanted)
                    seen["limit"] += 1
                    seen["some"] += bool(reported)
                else:
                    assert len(reported) == len(wanted)
                    seen["all, below the limit"] += limit < len(graph)
                for number, given in reported.items():
                    f = wanted[number]
                    is_bound = f[0] == "bound"
                    right = nets.bound(graph, f[1]) if is_bound else (
                        initial in nets.holding(graph, f)
                    )  # fmt: skip
                    assert given == right, (seed, net, f)
                    seen[given, limit < len(graph)] += not is_bound
    assert min(seen["limit"], seen["some"], seen["all, below the limit"]) > 10, seen
    assert min(seen[True, True], seen[False, True]) > 10, seen


def test_deeply_nested_equivalences_are_answered():
    """Negations, equivalences and exclusive disjunctions of few operators of paths."""
    seen = Counter()
    for seed in range(SUITES):
        random = Random(seed)
        for net, graph in cases(random, 4):
            pool = [random_atom(random, net) for _ in range(4)]
            pool += [(random.choice("FG"), random_atom(random, net)) for _ in range(2)]
            path = random.choice(pool)
            for _ in range(random.randint(20, 40)):
                kind = random.choice(["!", "xor", "<=>"])
                parts = [path] if kind == "!" else [path, random.choice(pool)]
                random.shuffle(parts)
                path = (kind, *parts)
            f = frozen((random.choice("AE"), path))
            read = read_text(nets.written(net))
            properties = read_properties_text(nets.property_set([f]), read)
            [(_, got)] = answers(ground(read), properties)
            assert got == (next(iter(graph)) in nets.holding(graph, f)), (seed, net, f)
            seen[got] += 1
    assert min(seen[True], seen[False]) > 5


def test_a_formula_that_would_take_a_long_text_is_unsupported():
    dots = ("tokens", ("d",))
    path = ("F", ("integer-eq", dots, 0))
    for number in range(1, 300):
        path = ("<=>", path, ("F", ("integer-eq", dots, number % 3)))
    # Many, but only three are different.
    assert answer(CLOCK, ("A", path)) == [True]
    for number in range(15):
        atom = ("integer-eq", dots, number % 3)
        path = ("F", ("&&", atom, ("<=>", path, ("X", atom))))
    with pytest.raises(Unsupported, match="a formula of more than 100000 characters"):
        answer(CLOCK, ("A", path))


CLOCK = nets.Net(
    2,
    {"d"},
    {"p": {0: 1, 1: 1}, "q": {}, "d": {None: 3}},
    [
        ("move", False, [("p", ("x", 1)), ("d", ("dot", 1))], [("q", ("x", 1))]),
        ("both", False, [("q", ("all", 1))], [("p", ("all", 1))]),
    ],
)
"""Two steps `move`, then `both`, then one more `move`, and a deadlock."""


def answer(net, *contents, settings=PLAIN, action=None):
    read = read_text(nets.written(net))
    properties = read_properties_text(nets.property_set(contents), read)
    return [one for _, one in answers(ground(read), properties, action, settings)]


def test_a_deadlock_has_no_next_step_in_ctl_and_repeats_in_ltl():
    true, dead, one_left = ("true",), ("deadlock",), ("integer-eq", ("tokens", ("p",)), 1)
    every, some = ("A", ("X", ("false",))), ("E", ("X", true))
    assert answer(CLOCK, ("A", ("F", every)), ("A", ("G", some))) == [True, False]
    assert answer(CLOCK, ("E", ("F", ("&&", dead, some)))) == [False]
    # X three times leads before the end, and ten times to the last marking.
    for steps in (4, 10):
        path = ("&&", dead, one_left)
        for _ in range(steps):
            path = ("X", path)
        assert answer(CLOCK, ("A", path), ("E", ("!", path))) == [True, False]
    assert answer(CLOCK, ("A", ("X", ("X", ("X", dead))))) == [False]
    # An initial deadlock.
    idle = nets.Net(1, {"d"}, {"d": {}}, [("t", False, [("d", ("dot", 1))], [])])
    formulas = [("A", ("X", ("false",))), ("E", ("X", true)), ("A", ("X", ("X", dead))), dead]
    assert answer(idle, *formulas, ("fireable", ("t",))) == [True, False, True, True, False]


def test_bounds_sum_places_and_fireability_is_a_disjunction():
    assert answer(CLOCK, ("bound", ("p",)), ("bound", ("p", "q")), ("bound", ("p", "d"))) == [
        2,
        2,
        5,
    ]
    assert answer(
        CLOCK, ("A", ("G", ("=>", ("!", ("deadlock",)), ("fireable", ("move", "both")))))
    ) == [True]
    assert answer(CLOCK, ("E", ("F", ("integer-eq", ("tokens", ("p", "p")), 3)))) == [False]


def test_bound_of_no_places_is_zero():
    """The contest asks for bounds of no places, where those of a net never have tokens."""
    contents = (("bound", ()), ("E", ("F", ("integer-le", ("tokens", ()), 0))))
    assert answer(CLOCK, *contents) == [0, True]
    read = read_text(nets.written(CLOCK))
    diagram = Diagram.of(ground(read), Limits())
    properties = read_properties_text(nets.property_set(contents), read)
    assert [diagram.answer(property.content) for property in properties] == [0, True]


def test_unbounded_and_large_nets_reach_limits():
    grows = nets.Net(1, {"d"}, {"d": {None: 1}}, [("t", False, [], [("d", ("dot", 1))])])
    with pytest.raises(LimitReached, match="more than 50 states"):
        answer(grows, ("deadlock",), settings=Settings(limits=Limits(states=50)))
    path = ("A", ("G", ("F", ("integer-le", ("tokens", ("q",)), 1))))
    assert answer(CLOCK, path) == [True]
    with pytest.raises(LimitReached, match="pairs of a subformula and a state"):
        answer(CLOCK, ("!", path), settings=Settings(limits=Limits(positions=2)))
    read = read_text(nets.written(CLOCK))
    action = action_of(ground(read))
    assert action.order == 2
    with pytest.raises(LimitReached):
        answer(CLOCK, path, settings=Settings(limits=Limits(states=2)), action=action)


def test_properties_are_read_from_files(tmp_path):
    read = read_text(nets.written(CLOCK))
    text = nets.property_set([("A", ("G", ("deadlock",))), ("bound", ("p",))]).encode()
    (tmp_path / "plain.xml").write_bytes(text)
    (tmp_path / "packed.xml.gz").write_bytes(gzip.compress(text))
    for name in ("plain.xml", "packed.xml.gz"):
        one, other = read_properties(str(tmp_path / name), read)
        assert (one.identifier, one.description, one.line) == ("p0", "one of many", 1)
        assert one.content == Operation("A", (Operation("G", (Deadlock(),)),))
        assert (other.identifier, other.content) == ("p1", PlaceBound(("p",)))


def wrong(formula):
    return f"""<property-set>
<property>
<id>odd</id>
<formula>
{formula}
</formula>
</property>
</property-set>"""


FIREABLE = "<is-fireable><transition>move</transition></is-fireable>"
COUNT = "<tokens-count><place>p</place></tokens-count>"


@pytest.mark.parametrize(
    ("formula", "error", "message"),
    [
        ("<always/>", FormatError, "`formula` contains no element `always`"),
        ("<globaly/>", FormatError, "no element `globaly`; did you mean `globally`?"),
        ("", FormatError, "`formula` should contain one element, not 0"),
        ("<true/><true/>", FormatError, "`formula` should contain one element, not 2"),
        ("so <true/>", FormatError, "`formula` contains text"),
        ("<true>so</true>", FormatError, "`true` contains text"),
        ("<deadlock><true/></deadlock>", FormatError, "`deadlock` contains no element `true`"),
        ("<globally><true/></globally>", FormatError, "`globally` is about paths: write it in"),
        (f"<negation><next>{FIREABLE}</next></negation>", FormatError, "`next` is about paths"),
        ("<until><before><true/></before></until>", FormatError, "`until` is about paths"),
        ("<negation><true/><true/></negation>", FormatError, "`negation` should contain one"),
        ("<implication><true/></implication>", FormatError, "should contain two elements, not 1"),
        ("<conjunction/>", FormatError, "should contain an element, not none"),
        ("<all-paths/>", FormatError, "`all-paths` should contain one element, not none"),
        (
            "<all-paths><until><before><true/></before></until></all-paths>",
            FormatError,
            "`until` should contain two elements, not 1",
        ),
        (
            "<all-paths><until><reach><true/></reach><before><true/></before></until></all-paths>",
            FormatError,
            "`until` contains `before`, and then `reach`",
        ),
        (f"<integer-le>{COUNT}</integer-le>", FormatError, "should contain two elements, not 1"),
        (f"<integer-le>{COUNT}<true/></integer-le>", FormatError, "contains no element `true`"),
        (
            f"<integer-le>{COUNT}<integer-constant>two</integer-constant></integer-le>",
            FormatError,
            "`two` is not a number of at most 15 digits",
        ),
        (
            f"<integer-le>{COUNT}<integer-constant>{'9' * 16}</integer-constant></integer-le>",
            FormatError,
            "is not a number of at most 15 digits",
        ),
        (
            f"<integer-le>{COUNT}<integer-difference>{COUNT}</integer-difference></integer-le>",
            FormatError,
            "`integer-difference` should contain two elements",
        ),
        ("<is-fireable/>", FormatError, "`is-fireable` should contain an element, not none"),
        (
            "<negation><place-bound><place>p</place></place-bound></negation>",
            FormatError,
            "`negation` contains no element `place-bound`",
        ),
        (
            "<place-bound><place>pp</place></place-bound>",
            SpecificationError,
            "the net has no place `pp`; did you mean `p`?",
        ),
        (
            "<is-fireable><transition>moves</transition></is-fireable>",
            SpecificationError,
            "the net has no transition `moves`; did you mean `move`?",
        ),
        ("<is-fireable><place>p</place></is-fireable>", FormatError, "contains no element `place`"),
        (
            "<is-fireable><transition/></is-fireable>",
            FormatError,
            "`transition` contains a text and nothing else",
        ),
    ],
)
def test_invalid_formulas_are_refused_with_position(formula, error, message):
    read = read_text(nets.written(CLOCK))
    with pytest.raises(error) as caught:
        read_properties_text(wrong(formula), read, file="odd.xml")
    assert message in str(caught.value)
    assert re.match(r"odd\.xml:[45]: in `odd`: ", str(caught.value))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("<properties/>", "1", "a file of properties begins with `property-set`"),
        ("<property-set><rule/></property-set>", "1", "contains no element `rule`"),
        ("<property-set><property/></property-set>", "1", "the property has no `id`"),
        ("<property-set>\n<property><id>a</id></property></property-set>", "2", "has no `formula`"),
        ("<property-set><property><id>a</id><id>b</id></property></property-set>", "1", "only one"),
        ("<property-set><property>", "1:25", "not XML"),
        (
            "<property-set><property><id>a</id><formula><true/></formula></property>\n"
            "<property><id>a</id><formula><true/></formula></property></property-set>",
            "2",
            "in `a`: two properties have this identifier",
        ),
    ],
)
def test_invalid_property_sets_are_refused_with_position(text, place, message):
    read = read_text(nets.written(CLOCK))
    with pytest.raises(FormatError) as caught:
        read_properties_text(text, read, file="odd.xml")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"odd.xml:{place}: ")


def nested(element, count):
    return f"<{element}>" * count + FIREABLE + f"</{element}>" * count


@pytest.mark.parametrize("element", ["negation", "all-paths", "next", "globally"])
def test_formulas_may_be_nested_deeply(element):
    read = read_text(nets.written(CLOCK))
    text = f"<all-paths>{nested(element, 500)}</all-paths>"
    # The net has a deadlock in the end.
    holds = element in ("negation", "all-paths")
    properties = read_properties_text(wrong(text), read)
    assert answers(ground(read), properties) == [("odd", holds)]
    for count in (1000, 50_000):
        with pytest.raises(FormatError, match="in `odd`: more than 1000 levels of elements"):
            read_properties_text(wrong(nested(element, count)), read)

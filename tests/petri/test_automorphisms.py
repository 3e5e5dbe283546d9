"""Symmetries of nets without colours: permutations of places and transitions."""

import json
from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lts._engine as _engine
from lts.equivalence.comparison import compare
from lts.errors import NotProven, SpecificationError
from lts.petri import (
    action_of,
    answers,
    counts,
    explore,
    ground,
    net_orbits,
    net_quotient,
    read_text,
)
from lts.petri.answering import roles_for
from lts.petri.properties import read_properties_text
from lts.state_space import Settings
from lts.state_space.settings import NO_GOALS
from lts.symmetry import Permutation, encode, expand, parse_permutation
from lts.symmetry.permutation.notation import Element
from ltstool.main import main
from naive import nets as naive_nets
from naive import plain_nets as naive
from strategies import examples

MOST_MARKINGS = 60
MOST_LABELS = 4
PLAIN = Settings()


def elements(action):
    """The group that the generators have: images of places and of labels."""
    spots = [place for place, _ in action.net.spots]
    labels = action.points.names
    start = tuple(range(len(spots))), tuple(range(len(labels)))
    known, waiting = {start}, [start]
    for places, texts in waiting:  # grows during the loop
        for of_places, of_labels in zip(action.places, action.images, strict=True):
            one = tuple(of_places[n] for n in places), tuple(of_labels[n] for n in texts)
            if one not in known:
                known.add(one)
                waiting.append(one)
    return [
        (
            {spots[a]: spots[b] for a, b in enumerate(places)},
            {labels[a]: labels[b] for a, b in enumerate(texts)},
        )
        for places, texts in known
    ]


def as_permutation(images):
    """A permutation of labels in the notation of the program."""
    moved, cycles = {a: b for a, b in images.items() if a != b}, []
    while moved:
        cycle = [next(iter(moved))]
        while (image := moved.pop(cycle[-1])) != cycle[0]:
            cycle.append(image)
        cycles.append(tuple(Element(label, quoted=True) for label in cycle))
    return Permutation(tuple(cycles))


@pytest.mark.filterwarnings("ignore::lts.FormatWarning")
def test_symmetries_match_definition():
    reached = Counter()

    @settings(max_examples=examples(6), suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        written = naive.random_net(random)
        grounded = ground(read_text(naive.written(written), labels="name"))
        net = naive.possible(written)
        group = naive.symmetries(net)
        action = action_of(grounded)
        assert action.order == len(group)
        if action.images:
            found = elements(action)
            assert len(found) == len(group)
            for one in group:
                assert one in found
        visible = sorted({label for label, _ in net.transitions} - {"tau"})
        on_labels = [
            {label: image for label, image in labels.items() if label != "tau"}
            for _, labels in group
        ]
        assert action.of_labels == len({tuple(sorted(one.items())) for one in on_labels})
        for row in permutations(visible) if len(visible) <= MOST_LABELS else ():
            images = dict(zip(visible, row, strict=True))
            one = as_permutation(images)
            if images in on_labels:
                assert action_of(grounded, [one]).order >= 1
                reached["accepted"] += bool(one.cycles)
            else:
                with pytest.raises(NotProven):
                    action_of(grounded, [one])
                reached["refused"] += 1
        reached["places only"] += action.of_labels < action.order
        reached["symmetric"] += action.order > 1
        reached["trivial"] += action.order == 1
        for kind in naive.KINDS:
            is_used = any(own == kind for _, arcs in net.transitions for own, _ in arcs)
            reached[kind] += is_used and action.order > 1
        graph = naive.markings(net, MOST_MARKINGS)
        if graph is not None:
            assert_explored(net, group, graph, action)
            reached["explored"] += action.order > 1
            reached["fewer"] += naive.orbit_count(net, group, graph) < len(graph)

    check()
    parts = ("accepted", "refused", "places only", "symmetric", "trivial", "explored", "fewer")
    for part in (*parts, *naive.KINDS):
        assert reached[part], reached


def assert_explored(net, group, graph, action):
    """Whether sizes, orbits and the expanded quotient are those of the definition."""
    for images, labels in group:
        for marking, row in graph.items():
            after = graph[naive.moved(net, images, marking)]
            assert after == {(labels[a], naive.moved(net, images, m)) for a, m in row}
    plain = explore(action.net)
    assert plain.lts is not None
    assert plain.lts.state_count == len(graph)
    found = net_orbits(action)
    assert found.orbits == naive.orbit_count(net, group, graph)
    assert (found.states, found.transitions) == (len(graph), plain.lts.transition_count)
    size = counts(action.net, action)
    assert (size.states, size.transitions) == (len(graph), plain.lts.transition_count)
    assert size.marking == max(map(sum, graph))
    quotient = net_quotient(action).quotient
    reduction = encode(quotient, action.permutations or (Permutation(()),), kind="labels")
    whole = expand(reduction.encoding, reduction.symmetry)
    assert whole.state_count == len(graph)
    assert compare(whole, plain.lts, "isomorphism").holds


def random_formula(random, net, depth=2):
    """A formula about a marking, or about paths from one, as in `naive.nets`."""
    kind = random.random()
    if depth == 0 or kind < 0.3:
        places = tuple(random.sample([*net.places], random.randint(1, min(3, len(net.places)))))
        return random.choice(["integer-le", "integer-ge"]), random.randint(1, 3), ("tokens", places)
    if kind < 0.5:
        count = len(net.transitions)
        some = random.sample(range(count), random.randint(1, min(2, count)))
        return "fireable", tuple(f"t{n}" for n in some)
    if kind < 0.6:
        return "!", random_formula(random, net, depth - 1)
    if kind < 0.7:
        return "&&", *(random_formula(random, net, depth - 1) for _ in range(2))
    path = random.choice(["F", "G", "X"])
    return random.choice("AE"), (path, random_formula(random, net, depth - 1))


def test_property_orbits_preserve_named_places():
    reached = Counter()

    @settings(max_examples=examples(6), suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        net = naive.random_net(random)
        if naive.markings(net, MOST_MARKINGS) is None:
            return
        grounded = ground(read_text(naive.written(net), labels="id"))
        formulas = [random_formula(random, net) for _ in range(random.choice([1, 1, 3]))]
        formulas.append(("bound", tuple(random.sample([*net.places], 2))))
        some = formulas[random.randrange(2) :]
        properties = read_properties_text(naive_nets.property_set(some), grounded.net)
        every, fitting = (
            action_of(grounded),
            action_of(grounded, roles=roles_for(grounded, properties)),
        )
        expected = answers(grounded, properties)
        assert answers(grounded, properties, every) == expected
        assert answers(grounded, properties, fitting) == expected
        reached["smaller"] += 1 < fitting.order < every.order
        reached["trivial"] += fitting.order == 1 < every.order
        reached["whole"] += 1 < fitting.order == every.order
        reached["resets"] += grounded.has_inhibitors_or_resets and every.order > 1

    check()
    for part in ("smaller", "trivial", "whole", "resets"):
        assert reached[part], reached


@pytest.mark.parametrize("places", ["pq", "qp"])
@pytest.mark.parametrize("order", ["pq", "qp"])
def test_symmetric_reset_places_are_counted_separately(places, order):
    net = naive.Net(dict.fromkeys(places, 1), [(place, {("reset", place): 1}) for place in order])
    grounded = ground(read_text(naive.written(net), labels="id"))
    formula = "E", ("F", ("integer-ge", 0, ("tokens", ("p", "q"))))
    properties = read_properties_text(naive_nets.property_set([formula]), grounded.net)
    action = action_of(grounded)
    assert action.order == 2
    assert answers(grounded, properties, action) == [("p0", True)]


@pytest.mark.filterwarnings("ignore::lts.FormatWarning")
def test_idle_generators_fix_all_reachable_markings():
    """Against the images of all markings; conjugates share what is known of one."""
    reached = Counter()

    @settings(max_examples=examples(6), suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        grounded = ground(read_text(naive.written(naive.random_net(random)), labels="name"))
        action = action_of(grounded)
        if action.order == 1:
            return
        markings = reachable(grounded, MOST_MARKINGS)
        if markings is None:
            return
        expected = tuple(
            all(marking[a] == marking[b] for marking in markings for a, b in enumerate(places))
            for places in action.places
        )
        group = _engine.Symmetry(*action.given(True))
        found = _engine.quotient(action.engine, group, PLAIN, NO_GOALS, False)
        assert tuple(found.idle) == expected
        reached.update(expected)
        reached["several"] += len(expected) > 1

    check()
    assert min(reached[True], reached[False], reached["several"]) > 0, reached


def reachable(net, most):
    """The markings of a net without inhibitor and reset arcs; None if there are more."""
    if net.has_inhibitors_or_resets:
        return None
    known, waiting = {net.initial}, [net.initial]
    for marking in waiting:  # grows during the loop
        for firing in net.firings:
            left = list(marking)
            for place, count in firing.takes:
                left[place] -= count
            if min(left, default=0) < 0:
                continue
            for place, count in firing.puts:
                left[place] += count
            if (after := tuple(left)) not in known:
                known.add(after)
                waiting.append(after)
        if len(known) > most:
            return None
    return known


def toggles(count):
    net = naive.Net({}, [])
    for n in range(count):
        net.places |= {f"off{n}": 1, f"on{n}": 0}
        net.transitions.append((f"up{n}", {("takes", f"off{n}"): 1, ("puts", f"on{n}"): 1}))
        net.transitions.append((f"down{n}", {("takes", f"on{n}"): 1, ("puts", f"off{n}"): 1}))
    return net


def test_equal_components_may_be_permuted_freely():
    grounded = ground(read_text(naive.written(toggles(6)), labels="name"))
    action = action_of(grounded)
    found = net_orbits(action)
    assert (action.order, found.orbits, found.states, found.transitions) == (720, 7, 64, 384)
    assert [len(orbit) for orbit in action.orbits] == [6, 6]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "toggles.pnml"
    path.write_text(naive.written(toggles(4)))
    return str(path)


def test_commands(file, tmp_path, capsys):
    def run(*words):
        code = main([*words])
        return code, *capsys.readouterr()

    named = ("--labels", "name")
    code, found, _ = run("find-symmetry", file, *named)
    assert (code, found.count("orbit:"), "# the group is S_4" in found) == (0, 2, True)
    own = tmp_path / "own.sym"
    own.write_text(found)
    for text in ("auto", str(own)):
        code, out, _ = run("reduce", file, *named, "--symmetry", text, "--count", "--json")
        sizes = {"order": 24, "orbits": 5, "states": 16, "transitions": 64, "proof": "text"}
        assert (code, json.loads(out)) == (0, sizes)
    reduced, whole, plain = (str(tmp_path / name) for name in ("r.aut", "w.aut", "p.aut"))
    assert run("reduce", file, *named, "--symmetry", "auto", "-o", reduced)[0] == 0
    assert run("expand", reduced, "-o", whole)[0] == 0
    assert run("generate", file, *named, "-o", plain)[0] == 0
    assert run("compare", whole, plain, "-e", "isomorphism")[0] == 0
    code, out, _ = run("reduce", file, *named, "--symmetry", "auto", "--count", "--partitions", "2")
    assert (code, "orbits       5" in out) == (0, True)
    trace = run("generate", file, *named, "--find", "down3", "--symmetry", "auto", "-q")
    assert trace[0] == 0
    steps = [line.split()[0] for line in trace[1].splitlines()]
    assert steps == ["down3,", "up3", "down3"]


@pytest.mark.parametrize(
    ("formula", "more", "holds", "order"),
    [
        ("<true*.up0.up1>true", (), True, 2),
        ("<true*.up0.up0>true", (), False, 6),
        ("<true*.up0.tau.up0>true", ("--hide", "down0"), True, 6),
        ("[tau*]<up0>true", ("--hide", "up1,down1,up2"), True, 1),
        ("[tau*]<up0>true", ("--tau", "up1,up2"), True, 1),
        ("A G <true>true", (), True, 24),
    ],
)
def test_formulas_are_checked_under_preserving_symmetries(
    formula, more, holds, order, file, capsys
):
    words = ["check", file, formula, "--labels", "name", *more, "--json"]
    assert json.loads((main(words), capsys.readouterr().out)[1])["holds"] == holds
    main([*words, "--symmetry", "auto"])
    shown = json.loads(capsys.readouterr().out)
    assert (shown["holds"], shown["order"]) == (holds, order)


FORMULAS = (
    "<true*.{0}.{1}>true",
    "[true*.{0}]<true*.{1}>true",
    "A G (<{0}>true => F {1})",
    "nu X. [{0}]X && <true*.{1}>true",
    "<tau*.{0}.tau*.{1}>true",
)


@pytest.mark.filterwarnings("ignore::lts.FormatWarning")
def test_symmetric_verdicts_equal_plain_verdicts(tmp_path, capsys):
    reached = Counter()
    file = tmp_path / "n.pnml"

    @settings(max_examples=examples(3), suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        net = naive.random_net(random)
        if naive.markings(net, MOST_MARKINGS) is None:
            return
        file.write_text(naive.written(net))
        labels = sorted({label for label, _ in net.transitions})
        formula = random.choice(FORMULAS).format(random.choice(labels), random.choice(labels))
        words = ["check", str(file), formula, "--labels", "name", "--json"]
        if random.random() < 0.4:
            words += ["--hide", random.choice(labels)]
        shown = []
        for more in ((), ("--symmetry", "auto")):
            main([*words, *more])
            shown.append(json.loads(capsys.readouterr().out))
        assert shown[0]["holds"] == shown[1]["holds"]
        reached[shown[0]["holds"]] += shown[1]["order"] > 1

    check()
    assert reached[True], reached
    assert reached[False], reached


def test_permutations_breaking_the_formula_are_dropped(file, capsys):
    words = ["check", file, "<up0>true", "--labels", "name", "--symmetry"]
    assert main([*words, '("up0" "up1")("down0" "down1")']) == 0
    _, messages = capsys.readouterr()
    assert "it treats `up0` and `up1` differently" in messages
    assert main([*words, '("up1" "up2")("down1" "down2")']) == 0
    assert "under a group of order 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("permutation", "reason"),
    [
        ('("up0" "up1")', "no permutation of the places maps all arcs"),
        ('("up0" "down0")', "no permutation of the places maps all arcs"),
        ('("up0" "up9")', "`up0` may occur, and `up9` does not"),
        ('("up0" "both")', "`both` and `up0` have other numbers or weights of arcs"),
    ],
)
def test_refuted_permutations_have_a_reason(permutation, reason):
    net = toggles(2)
    net.transitions.append(("both", {("takes", "off0"): 1, ("takes", "off1"): 1}))
    grounded = ground(read_text(naive.written(net), labels="name"))
    with pytest.raises(NotProven, match="is not proven to be a symmetry") as raised:
        action_of(grounded, [parse_permutation(permutation)])
    assert reason in str(raised.value)
    with pytest.raises(SpecificationError):
        action_of(grounded, [parse_permutation("(x y)")])

"""What pages say is what the engine has found, for the right states."""

import base64
import random
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, LimitReached, LtsError, NotSymmetric, mucrl
from lts.base.bounds import PAGE_DATA
from lts.equivalence import compare
from lts.errors import Defect
from lts.linear.linearise import linearise
from lts.logic import check
from lts.network import Network, compose
from lts.state_space.generation import generate
from lts.state_space.simulation import simulate
from lts.symmetry import check as check_symmetry
from lts.symmetry import expand, parse_permutation, reduce
from lts.trace import TraceStep, parse_trace
from lts.web import (
    Colouring,
    Values,
    beside,
    compared,
    orbits,
    page,
    reduced,
    replaying,
    state_data,
)
from page_contents import colouring, content, rows, values
from strategies import symmetric_systems, systems

LABELS = ("tau", "a", "b")
NASTY = [
    "</script><script>alert(1)</script>",
    "<!--",
    "\"'&<b>",
    "x" * 10_000,
    "λ→",
    "a\nb",
    "\udcff",
    "",
]


def only(page):
    [system] = content(page)["systems"]
    return system


def started(system, state):
    columns = (system.source, system.label, system.target, system.labels)
    found = LTS.from_columns(*columns, state, system.state_count)
    return found.with_internal(system.internal)


@given(systems(labels=LABELS))
def test_a_page_has_the_system(system):
    said = only(page(system))
    assert (said["states"], said["initial"]) == (system.state_count, system.initial)
    once = list(dict.fromkeys(system.transitions()))
    assert rows(said) == sorted(once, key=lambda row: row[0])
    assert said["duplicates"] == system.transition_count - len(once)
    assert [said["labels"][number] for number in said["internal"]] == list(system.internal)


@given(systems(labels=LABELS, max_states=5), st.sampled_from(["strong", "branching", "weak"]))
def test_states_are_equivalent_iff_in_one_block(system, name):
    blocks = colouring(only(page(system, equivalences=[name])), f"{name} blocks")
    for one, block in enumerate(blocks):
        for other, theirs in enumerate(blocks):
            equal = compare(started(system, one), started(system, other), name).holds
            assert (block == theirs) == equal


@given(systems(labels=LABELS))
def test_formula_colouring_matches_check(system):
    formula = "<true*.a>  true"
    said = colouring(only(page(system, formulas=[formula])), "<true*.a> true")
    for state, text in enumerate(said):
        holds = check(started(system, state), formula).holds
        assert text == ("holds" if holds else "does not hold")


@given(symmetric_systems(), st.integers(0, 3), st.data())
def test_orbits_follow_state_numbers(drawn, unreachable, data):
    system, images = drawn
    moved = [key for key, image in images.items() if key != image]
    if not moved:
        return
    permutation = parse_permutation("".join(cycles(images)))
    count = system.state_count + unreachable
    places = data.draw(st.permutations(range(count)))
    triples = [(places[s], a, places[t]) for s, a, t in system.transitions()]
    mixed = LTS.from_transitions(triples, initial=places[system.initial], state_count=count)
    try:
        image = check_symmetry(mixed, permutation).states[0].tolist()
    except LtsError:
        return
    said = colouring(only(page(mixed, colourings=[orbits(mixed, [permutation])])), "orbits")
    # The same by tags: which state each of those numbered breadth first is.
    tags = [(s, f"state {s}", s) for s in range(count)]
    tagged = LTS.from_transitions([*triples, *tags], initial=mixed.initial, state_count=count)
    number = {s: int(a[6:]) for s, a, _ in tagged.reachable().transitions() if a[:6] == "state "}
    expected = [{state} for state in range(count)]
    for state, moved_to in enumerate(image):
        joined = expected[number[state]] | expected[number[moved_to]]
        for each in joined:
            expected[each] = joined
    for one in range(count):
        for other in range(count):
            assert (said[one] == said[other]) == (other in expected[one])


def cycles(images):
    """Yield the cycles of a permutation of labels."""
    left = dict(images)
    while left:
        start, image = left.popitem()
        cycle = [start]
        while image != start:
            cycle.append(image)
            image = left.pop(image)
        if len(cycle) > 1:
            quoted = " ".join(f'"{label}"' for label in cycle)
            yield f"({quoted})"


def test_wrong_permutations_are_refused():
    system = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    with pytest.raises(NotSymmetric):
        orbits(system, [parse_permutation('("a" "b")')])


@pytest.mark.parametrize("case", ["abp", "mutex", "peterson"])
def test_state_data_match_the_specification(case):
    process = linearise(mucrl.read(f"cases/{case}.mcrl"))
    system = generate(process)
    said = values(only(page(system, values=state_data(system, process))))
    walk = simulate(process)
    known = {system.initial: walk.state}
    for state in range(system.state_count):
        steps = walk.steps_of(known[state])
        targets = [t for _, t in dict.fromkeys(system.successors(state))]
        known |= dict(zip(targets, (step.target for step in steps), strict=True))
        for component in walk.components(known[state]):
            for name, value in component.values.items():
                assert said[state].get((component.name, name)) == value
    assert len({tuple(sorted(each.items())) for each in said}) == system.state_count


def test_network_data_are_component_states():
    one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    network = Network.of([one, one], [({0: "a", 1: "a"}, "a"), ({0: "b"}, "b"), ({1: "b"}, "c")])
    system = compose(network)
    said = values(only(page(system, values=state_data(system, network))))
    assert sorted(tuple(each.values()) for each in said) == [(x, y) for x in "01" for y in "01"]
    assert tuple(said[system.initial].values()) == ("0", "0")


@given(
    systems(max_states=4), systems(max_states=4), st.sampled_from(["strong", "weak", "rooted-weak"])
)
def test_equivalent_states_of_two_systems_are_in_one_block(left, right, name):
    text, found = compared(left, right, name)
    assert found.holds == compare(left, right, name).holds
    said = content(text)
    plain = name.removeprefix("rooted-")
    blocks = [colouring(system, f"{plain} blocks") for system in said["systems"]]
    for one, block in enumerate(blocks[0]):
        for other, theirs in enumerate(blocks[1]):
            equal = compare(started(left, one), started(right, other), plain).holds
            assert (block == theirs) == equal
    difference = said["difference"]
    assert (difference is None) == found.holds
    if difference is not None:
        owner = said["systems"][difference["owner"]]
        states, labels = difference["states"], difference["labels"]
        assert states[0] == owner["initial"]
        assert set(zip(states, labels, states[1:], strict=False)) <= set(rows(owner))


def test_visible_tau_is_no_internal_step_of_the_other():
    left = LTS.from_transitions([(0, "tau", 1)]).with_internal([])
    right = LTS.from_transitions([(0, "tau", 1)])
    said = content(compared(left, right, "branching")[0])
    one, other = (colouring(system, "branching blocks") for system in said["systems"])
    assert one[0] not in other
    assert one[1] == other[0] == other[1]


def test_two_systems_that_are_not_compared():
    system = LTS.from_transitions([(0, "a", 1)])
    said = content(beside(system, system, formulas=["<a>true"]))
    assert said["difference"] is None
    assert [colouring(each, "<a>true") for each in said["systems"]] == [
        ["holds", "does not hold"]
    ] * 2


@pytest.mark.parametrize("case", ["abp", "peterson"])
def test_a_reduction_has_a_state_of_each_orbit(case):
    system = generate(linearise(mucrl.read(f"cases/{case}.mcrl")))
    permutation = parse_permutation({"abp": "(d1 d2)", "peterson": "(p1 p2)"}[case])
    found = reduce(system, [permutation])
    said = content(reduced(found.encoding, found.symmetry))["systems"]
    orbits, theirs = (colouring(each, "orbits") for each in said)
    assert set(orbits) == set(theirs)
    # It is what `expand` writes, state for state.
    original = expand(found.encoding, found.symmetry)
    assert rows(said[0]) == list(original.transitions())
    image = check_symmetry(original, permutation).states[0].tolist()
    assert all(orbits[state] == orbits[image[state]] for state in range(len(image)))
    jumps = {said[1]["labels"][number] for number in said[1]["jumps"]}
    assert jumps
    # A step is one between these orbits, a jump stays within one.
    steps = {(orbits[s], a.partition("(")[0], orbits[t]) for s, a, t in rows(said[0])}
    for s, a, t in rows(said[1]):
        if a in jumps:
            assert theirs[s] == theirs[t]
        else:
            assert (theirs[s], a.partition("(")[0], theirs[t]) in steps


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
        self.loads = []

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        self.loads += [name for name, _ in attributes if name in ("src", "href", "action")]


def test_markup_in_labels_and_titles_is_escaped():
    triples = [(0, label, 1) for label in NASTY]
    plain, nasty = Tags(), Tags()
    plain.feed(page(LTS.from_transitions([(0, "a", 1)]), title="a").decode())
    title = "</title><script>alert(1)</script>{{data}}\u202e"
    text = page(LTS.from_transitions(triples), title=title)
    nasty.feed(text.decode())
    assert nasty.found == plain.found
    assert nasty.loads == []
    said = content(text)
    assert said["title"] == title
    assert [label for _, label, _ in rows(said["systems"][0])] == NASTY
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text.decode())[1]
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("", "ltstool view"),
        ("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#x27;"),
        ("a\u202eb\udcff", "a\ufffdb\ufffd"),
    ],
)
def test_title_element_is_escaped_and_printable(title, shown):
    text = page(LTS.from_transitions([]), title=title).decode()
    assert text.count(f"<title>{shown}</title>") == 1


def test_a_page_contains_the_trace_to_replay():
    content = page(LTS.from_transitions([(0, label, 0) for label in NASTY]))
    trace = tuple(TraceStep(label, 1) for label in NASTY if "\n" not in label)
    before, text, after = re.fullmatch(
        rb'(.*<script type="text/plain" id="replay">)([^<]*)(</script>.*)',
        replaying(content, trace),
        re.DOTALL,
    ).groups()
    assert before + after == content
    assert parse_trace(base64.b64decode(text).decode("utf-8", "surrogateescape")) == trace
    assert replaying(content, []) == content


def test_limits():
    system = LTS.from_transitions([(0, "a", 1), (1, "a", 2)])
    with pytest.raises(LimitReached, match="3 states are too many for a page, at most 2"):
        page(system, max_states=2)
    many = LTS.from_transitions([(0, f"a{i}", 0) for i in range(11)])
    with pytest.raises(LimitReached, match="11 transitions are too many"):
        page(many, max_states=1)
    with pytest.raises(LtsError, match="`trace` has no blocks of states"):
        page(system, equivalences=["trace"])


@pytest.mark.parametrize("room", [0, 400, 10**6])
def test_oversized_data_are_omitted(lower, room):
    process = linearise(mucrl.read("cases/abp.mcrl"))
    system = generate(process)
    data = state_data(system, process)
    whole = only(page(system, values=data))
    lower(PAGE_DATA, room)
    text = page(system, values=data)
    said = only(text)
    kept = [each["name"] for each in said["values"]]
    assert len(kept) + len(said["left"]) == len(data)
    assert {0: kept == [], 400: kept == [], 10**6: said["left"] == []}[room]
    # All that is kept is what it is in the whole page.
    assert rows(said) == rows(whole)
    for each in said["values"]:
        assert each in whole["values"]


def test_excess_data_are_omitted(lower):
    system = LTS.from_transitions([(n, "a", n + 1) for n in range(3000)])
    columns = [Values("c", f"v{k}", ("x", "y"), noise(k, 3001)) for k in range(4)]
    size = len(page(system, values=columns[:1])) - len(page(system))
    bare = len(page(system, values=())) - len(page(LTS.from_transitions([])))
    lower(PAGE_DATA, bare + 2 * size + size // 2)
    said = only(page(system, values=columns))
    assert [each["name"] for each in said["values"]] == ["v0", "v1"]
    assert said["left"] == ["c: v2", "c: v3"]
    assert [each["indices"] for each in said["values"]] == [noise(0, 3001), noise(1, 3001)]


def noise(seed, count):
    choose = random.Random(seed)
    return [choose.randrange(2) for _ in range(count)]


@pytest.mark.parametrize("largest", [1, 255, 256, 65_535, 65_536, 2**24 - 1, 2**24])
def test_numbers_of_any_size(largest):
    system = LTS.from_transitions([(0, "a", 1)])
    names = [f"v{n}" for n in range(3)]
    data = [Values("", name, (), [largest, number]) for number, name in enumerate(names)]
    assert [each["indices"] for each in only(page(system, values=data))["values"]] == [
        [largest, number] for number in range(3)
    ]


def test_state_data_of_a_renumbered_system():
    process = linearise(mucrl.read("cases/abp.mcrl"))
    system = generate(process)
    reported = values(only(page(system, values=state_data(system, process))))
    places = list(range(97))
    random.Random(3).shuffle(places)
    triples = [(places[s], a, places[t]) for s, a, t in system.transitions()]
    moved = LTS.from_transitions(triples, initial=places[system.initial], state_count=99)
    theirs = values(only(page(moved, values=state_data(moved, process))))
    assert [theirs[place] for place in places] == reported
    assert theirs[97:] == [{}, {}]


def test_system_differing_from_its_source_is_an_error():
    process = linearise(mucrl.read("cases/abp.mcrl"))
    system = generate(process)
    labels = [{"r1(d1)": "r1(d2)", "r1(d2)": "r1(d1)"}.get(a, a) for a in system.labels]
    columns = (system.source, system.label, system.target, labels)
    with pytest.raises(Defect, match="has other steps"):
        state_data(LTS.from_columns(*columns, system.initial, system.state_count), process)


def test_empty_system_has_a_page():
    said = only(page(LTS.from_transitions([])))
    assert (said["states"], rows(said), said["labels"]) == (1, [], [])


@pytest.mark.parametrize("names", [["C 0", "C 1"], ["C 0", "C 2"], ["C 0", "D"], ["C", "C 1"]])
def test_names_of_classes_are_preserved(names):
    system = LTS.from_transitions([(0, "a", 1)])
    shown = only(page(system, colourings=[Colouring("given", [0, 1], names)]))
    assert colouring(shown, "given") == names


def test_slow_symmetries_are_omitted(monkeypatch):
    system = LTS.from_transitions([(0, f"a({k})", 1 + k) for k in range(6)])
    assert "orbits" in {each["name"] for each in only(page(system))["colourings"]}
    monkeypatch.setattr("lts.web.colourings.MOST_CHOICES", 1)
    assert "orbits" not in {each["name"] for each in only(page(system))["colourings"]}

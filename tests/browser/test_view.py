"""The pages of `ltstool view`, clicked through as a person would."""

import random
import re

import pytest

from lts import LTS, mucrl
from lts.equivalence import compare
from lts.linear.linearise import linearise
from lts.logic import satisfying_states
from lts.simulation import Simulation
from lts.state_space.generation import generate
from lts.symmetry import parse_permutation, reduce
from lts.trace import parse_trace
from lts.web import compared, page, reduced, state_data

ORANGE, BLUE = "#e69f00", "#56b4e9"


@pytest.fixture(scope="module")
def protocol():
    process = linearise(mucrl.read("cases/abp.mcrl"))
    system = generate(process)
    formula = "<true*.r1(d1)>true"
    return system, page(
        system,
        title="the protocol",
        equivalences=["branching"],
        formulas=[formula, "<c2(...)>true"],
        values=state_data(system, process),
    )


def states_of(found):
    return sorted(int(line.rpartition(" ")[2]) for line in found.splitlines() if "→" in line)


def test_clicking_selects_a_state(opened, protocol):
    system, content = protocol
    shown = opened(content)
    assert "the protocol" in shown.text("#title")
    assert "97 states, 122 transitions" in shown.text("#title")
    assert "0 deadlocks" in shown.text("#details")
    shown.run("app.select(app.active, 0, { centre: true })")
    shown.click_state(0)
    assert "State 0 · initial · depth 0" in shown.text("#details")
    assert states_of(shown.text("#details .steps")) == sorted(t for _, t in system.successors(0))
    shown.click_text("#details .steps button", "r1(d2)")
    assert shown.run("app.active.selected") == 2
    data = shown.text(".of-values")
    assert "d2" in data
    assert "S" in data.splitlines()


def test_searching_labels_and_states(opened, protocol):
    from chromium import Keys

    system, content = protocol
    shown = opened(content)
    shown.press("/")
    shown.press("c2(*,1)")
    count = sum(label.startswith("c2(") and label.endswith(",1)") for _, label, _ in system)
    assert count > 1
    assert shown.text("#found") == f"{count} transitions"
    rows = shown.run("[...app.active.lit.match].flatMap((arrow) => arrow.rows).length")
    assert rows == count
    shown.press(Keys.ENTER)
    at = shown.run("app.active.selected")
    assert any(label.startswith("c2(") for label, _ in system.successors(at))
    shown.type("#search", "41")
    shown.press(Keys.ENTER)
    assert "State 41" in shown.text("#details")
    shown.press(Keys.ESCAPE)
    assert shown.find("#search").get_attribute("value") == ""
    assert shown.run("app.active.wanted") is None


def test_pasted_traces_are_replayed(opened, protocol):
    system, content = protocol
    shown = opened(content)
    walk = Simulation.of_lts(system)
    walk.wander(12, 5)
    labels = [step.label for step in walk.trace]
    shown.type("#steps", "\n".join(labels))
    shown.click("#follow")
    assert shown.text("#walked").startswith("12 steps, to state ")
    label_of = "((system) => (row) => system.labels[system.label[row]])(app.active.system)"
    lit = shown.run(f"app.active.trace.map({label_of})")
    assert lit == labels
    shown.click("#back")
    assert "showing the state after 11 steps" in shown.text("#walked")
    # A step that is not possible is told, with what is.
    shown.type("#steps", f"{labels[0]}\nnothing like it")
    shown.click("#follow")
    reported = shown.text("#walked")
    assert reported.startswith("Step 2: “nothing like it” is not possible here; possible: “")
    assert len(shown.run("app.active.trace")) == 1


def test_a_shortest_path_can_be_replayed(opened, protocol):
    system, content = protocol
    shown = opened(content)
    for state in (0, 17, 96):
        shown.run(f"app.select(app.active, {state})")
        shown.press("p")
        text = shown.find("#steps").get_attribute("value")
        walk = Simulation.of_lts(system)
        walk.replay(parse_trace(text))
        assert walk.state == state
        assert len(walk.trace) == shown.run(f"app.active.system.depth[{state}]")


def test_steps_make_a_trace(opened, protocol):
    _, content = protocol
    shown = opened(content)
    shown.press("i")
    for _ in range(3):
        shown.click("#details .steps button")
    assert shown.text("#walked").startswith("3 steps, to state ")
    assert shown.find("#steps").get_attribute("value").startswith("%trace 1\n1 r1(d1)\n")
    shown.press("[", "[")
    assert shown.run("app.active.position") == 1


def test_colours_are_where_the_formula_holds(opened, protocol):
    system, content = protocol
    shown = opened(content)
    shown.choose("#colour", "<c2(...)>true")
    holds = satisfying_states(system, "<c2(...)>true")
    for state in (0, holds.find(1), holds.find(0), holds.find(1) + 1):
        shown.run(f"app.select(app.active, {state}, {{ centre: true }})")
        shown.run("app.select(app.active, null)")
        assert shown.pixels(state) == (BLUE if holds[state] else ORANGE)
    counts = shown.text("#legend")
    assert f"holds\n{holds.count()}" in counts
    shown.click_text("#legend .classes button", "does not hold")
    assert shown.run("app.active.emphasised") == 0


def test_data_and_depth_are_colours(opened, protocol):
    _, content = protocol
    shown = opened(content)
    shown.choose("#colour", "S: d")
    assert "d1" in shown.text("#legend")
    shown.choose("#colour", "depth")
    assert shown.text("#legend .ends").split() == ["0", "24"]
    shown.press("c")
    assert shown.find("#colour").get_attribute("value") != "depth"


def test_dark_and_light(opened, protocol):
    _, content = protocol
    shown = opened(content)
    shown.run("app.theme('light')")
    light = shown.run("getComputedStyle(document.body).backgroundColor")
    shown.click("#theme")
    assert shown.run("document.documentElement.dataset.theme") == "dark"
    assert shown.run("getComputedStyle(document.body).backgroundColor") != light
    shown.press("t")
    assert shown.run("getComputedStyle(document.body).backgroundColor") == light


def test_zooming(opened, protocol):
    _, content = protocol
    shown = opened(content)
    before = shown.run("app.active.transform.k")
    shown.press("+", "+")
    shown.until(f"app.active.transform.k > 1.5 * {before}")
    shown.press("f")
    assert shown.run("app.active.transform.k") == pytest.approx(before)


def test_the_keys_are_listed(opened, protocol):
    _, content = protocol
    shown = opened(content)
    shown.press("?")
    assert "show a shortest path to the selected state" in shown.text("#keys")
    shown.click("#keys button")
    assert not shown.find("#keys").is_displayed()


def test_a_large_system_is_opened_part_by_part(opened):
    triples = [((i - 1) // 3, f"a{i % 3}", i) for i in range(1, 3280)]
    system = LTS.from_transitions([*triples, (3279, "back", 0)], state_count=3282)
    shown = opened(page(system, title="a tree"))
    nodes = "app.active.picture.nodes"
    assert shown.run(f"{nodes}.map((node) => node.size)") == [3**n for n in range(8)] + [2]
    assert "unreachable" in shown.text("#details")
    shown.point_at(shown.part_place(3))
    assert "depth 3 · 27 states" in shown.text("#details")
    shown.click("#open")
    drawn = f"{nodes}.map((node) => node.state)"
    assert [state for state in shown.run(drawn) if state is not None] == list(range(13, 40))
    # A large part shows some states, and the rest as one.
    shown.press("f")
    shown.point_at(shown.part_place(7), double=True)
    assert shown.run(f"{nodes}.find((node) => node.part === 7).size") == 3**7 - 300
    # What one goes to is shown although its part is closed.
    shown.run("app.select(app.active, 3279)")
    shown.press("p")
    path = [3279]
    while path[-1]:
        path.append((path[-1] - 1) // 3)
    assert shown.run("app.active.trace.length") == len(path) - 1
    assert set(path) <= set(shown.run(f"{nodes}.map((node) => node.state)"))
    assert "State 3279" in shown.text("#details")
    shown.choose("#grouping", "parts: strong blocks")
    assert shown.run(f"{nodes}.reduce((sum, node) => sum + node.size, 0)") == 3282
    shown.choose("#grouping", "all states")
    assert shown.run(f"{nodes}.length") == 3282


def test_unmatched_step_of_two_systems_is_marked(opened):
    left = LTS.from_transitions([(0, "coin", 1), (1, "tea", 2), (1, "coffee", 2)])
    right = LTS.from_transitions([(0, "coin", 1), (0, "coin", 2), (1, "tea", 3), (2, "coffee", 3)])
    shown = opened(compared(left, right, "strong", titles=("one", "other"))[0])
    assert "one and other are not equivalent modulo strong bisimulation" in shown.text("#title")
    reported = shown.text("#difference")
    assert "only one has the property" in reported
    assert "Step 1, “coin” to state 1, cannot be matched" in reported
    assert "other can only reach states 1, 2, none of which is equivalent." in reported
    assert shown.run("app.panes[0].selected") == 1
    assert shown.run("[...app.panes[1].others]") == [1, 2]
    # The end of both is the same: one colour, and both light up.
    assert shown.pixels(2, pane=0) == shown.pixels(3, pane=1)
    assert shown.pixels(1, pane=0) != shown.pixels(1, pane=1)
    shown.click_state(3, pane=1)
    assert shown.run("[...app.panes[0].linked]") == [2]
    assert shown.run("app.active === app.panes[1]")


def test_unmatched_step_of_a_run_is_explained(opened):
    left = LTS.from_transitions([(0, "tau", 1), (1, "a", 2), (2, "tau", 3), (3, "b", 4)])
    right = LTS.from_transitions([(0, "a", 1), (1, "tau", 2)])
    shown = opened(compared(left, right, "weak-trace", titles=("one", "other"))[0])
    reported = shown.text("#difference")
    assert "Step 4, “b” to state 4, cannot be matched" in reported
    assert "other has no such step from states 1, 2." in reported
    assert shown.run("[...app.panes[1].others]") == [1, 2]


def test_equivalent_systems_have_no_difference(opened):
    system = LTS.from_transitions([(0, "a", 0)])
    twice = LTS.from_transitions([(0, "a", 1), (1, "a", 0)])
    shown = opened(compared(system, twice, "branching")[0])
    assert not shown.find("#difference").is_displayed()
    shown.click_state(0)
    assert shown.run("[...app.panes[1].linked]") == [0, 1]


def test_orbits_are_highlighted_in_both_systems(opened):
    system = generate(linearise(mucrl.read("cases/abp.mcrl")))
    found = reduce(system, [parse_permutation("(d1 d2)")])
    shown = opened(reduced(found.encoding, found.symmetry, title="a reduction"))
    orbit = shown.run("[...app.panes[0].colourings[0].classes]")
    theirs = shown.run("[...app.panes[1].colourings[0].classes]")
    shown.run("app.select(app.panes[0], 5)")
    same = [state for state, number in enumerate(orbit) if number == orbit[5]]
    assert len(same) == 2
    assert sorted(shown.run("[...app.panes[0].linked]")) == same
    linked = shown.run("[...app.panes[1].linked]")
    assert linked == [state for state, number in enumerate(theirs) if number == orbit[5]] != []
    # The titles of both sides cover no state.
    shown.run("app.panes.forEach((pane) => pane.fit())")
    for number, title in enumerate(shown.driver.find_elements("css selector", ".pane h3")):
        pane = f"app.panes[{number}]"
        place = f"(n) => {pane}.transform.apply([n.x, n.y - n.h])[1]"
        top = shown.run(f"Math.min(...{pane}.picture.nodes.map({place}))")
        assert top > title.size["height"]
    # Wherever the other side was, it is in sight.
    shown.run("app.panes[1].move(d3.zoomIdentity.translate(-5000, 0).scale(3))")
    shown.run("app.select(app.panes[0], 40)")
    x, y = shown.run("app.panes[1].placeOf([...app.panes[1].linked][0])")
    size = shown.driver.find_elements("css selector", ".pane canvas")[1].size
    assert 0 < x < size["width"]
    assert 0 < y < size["height"]
    shown.run("app.select(app.panes[1], 0)")
    assert "rho-step" in shown.text("#legend")


NASTY = [
    "</script><script>document.title = 'taken'</script>",
    "<img src=x onerror=alert(1)>",
    "x" * 10_000,
    "λ→",
    "a\nb",
    "\udcff",
    "",
    "tau",
]


def test_markup_in_labels_is_escaped(opened):
    triples = [(0, label, 1) for label in NASTY] + [(1, label, 1) for label in NASTY]
    system = LTS.from_transitions([*triples, (3, "a", 3), (3, "a", 3)], state_count=6)
    shown = opened(page(system, title="</title><script>document.title = 'taken'</script>"))
    assert "taken" in shown.run("document.title")
    assert shown.run("document.title") != "taken"
    shown.run("app.select(app.active, 0)")
    assert "</script><script>document.title = 'taken'" in shown.text("#details .steps")
    assert shown.run("document.images.length") == 0
    # Each can be searched for, and followed.
    for number, label in enumerate(system.labels):
        text = f"app.active.system.shown[{number}]"
        found = shown.run(f"[...(labelsFound(app.active.system, {text}) || [])]")
        assert (number in found) == (label != "")
        step = f"{{ label: app.active.system.labels[{number}], choice: null }}"
        ends = shown.run(f"app.active.system.follow([{step}]).rows.length")
        assert ends == (label != "a")
    shown.run("app.select(app.active, 5)")
    assert "deadlock · unreachable" in shown.text("#details")


@pytest.mark.parametrize("rows", [[], [(0, "a", 0)], [(0, "a", 0), (0, "a", 0), (0, "b", 0)]])
def test_single_state_pages_work(opened, rows):
    shown = opened(page(LTS.from_transitions(rows)))
    shown.painted()
    assert ("1 deadlock" in shown.text("#details")) == (not rows)
    shown.press("i")
    assert "State 0 · initial" in shown.text("#details")
    shown.press("p", "f", "l", "c", "n", "o", "]", "[", "t")
    assert shown.run("app.active.selected") == 0


def walked_sets(system, labels, weak):
    """Return where labels may lead, after each, by the definition."""

    def closed(states):
        found = set(states)
        while weak and (
            more := {t for s, a, t in system if s in found and a in system.internal} - found
        ):
            found |= more
        return found

    layers = [closed({system.initial})]
    for label in labels:
        if weak and label == "tau":
            layers.append(layers[-1])
            continue
        layers.append(closed({t for s, a, t in system if s in layers[-1] and a == label}))
        if not layers[-1]:
            break
    return layers


def random_system(seed):
    choose = random.Random(seed)
    count = choose.randint(2, 5)
    triples = [
        (choose.randrange(count), choose.choice(["tau", "a", "b"]), choose.randrange(count))
        for _ in range(choose.randint(2, 8))
    ]
    return LTS.from_transitions(triples, state_count=count)


@pytest.mark.parametrize(
    "name", ["strong", "branching", "weak", "tau-star-a", "weak-trace", "simulation"]
)
def test_difference_text_matches_the_evidence(opened, name):
    reported = 0
    for seed in range(12):
        left, right = random_system(2 * seed), random_system(2 * seed + 1)
        content, found = compared(left, right, name, titles=("one", "other"))
        if found.holds:
            continue
        owner, other = (left, right) if found.evidence.of_left else (right, left)
        shown = opened(content)
        text = shown.text("#difference")
        layers = walked_sets(other, found.evidence.labels, name not in ("strong", "simulation"))
        reached = f"app.panes[{int(found.evidence.of_left)}].others"
        others = set(shown.run(f"[...{reached}]"))
        assert others in layers
        if match := re.search(r"Step (\d+), “.*” to state (\d+), cannot be matched", text):
            reported += 1
            number, state = int(match[1]), int(match[2])
            if "no such step" in text:
                assert layers[number] == set()
                assert others == layers[number - 1]
                continue
            assert name not in ("weak-trace", "simulation")
            assert others == layers[number]
            for each in others:
                one, two = started(owner, state), started(other, each)
                assert not compare(one, two, name).holds
    assert reported or name == "simulation"


def started(system, state):
    columns = (system.source, system.label, system.target, system.labels)
    return LTS.from_columns(*columns, state, system.state_count)


def test_legend_explains_drawn_elements(opened):
    def shapes(rows, **more):
        shown = opened(page(LTS.from_transitions(rows, **more)))
        return shown, shown.run(
            "[...document.querySelectorAll('#legend li.shape .name')].map((e) => e.textContent)"
        )

    assert shapes([(0, "a", 0)])[1] == ["initial state"]
    assert shapes([(0, "tau", 0)])[1] == ["initial state", "internal step"]
    shown, drawn = shapes([(0, "a", 1), (0, "b", 2), (2, "tau", 0)])
    assert drawn == ["initial state", "deadlock", "internal step"]
    shown.choose("#grouping", "parts: depth")
    assert shown.text("#legend").endswith(
        "initial state\npart with deadlocks\ninternal step\npart with several states"
    )
    # An opened part shows its states.
    shown.run("app.toggle(app.active, 1)")
    assert "\ndeadlock\n" in shown.text("#legend")
    assert "part with deadlocks" not in shown.text("#legend")


def test_empty_label_is_visible(opened):
    shown = opened(page(LTS.from_transitions([(0, "", 1)])))
    shown.painted()
    assert shown.run("app.active.written.map(({ arrow }) => arrow.texts)") == [["“”"]]

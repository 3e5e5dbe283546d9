"""The simulator in the page: steps, values, traces that are played, two systems side by side."""

import html
import re

import pytest

from chromium import Page
from lts import LTS, mucrl
from lts import view as lts_view
from lts.linear.linearise import linearise
from lts.simulation import Simulation
from lts.state_space.generation import generate
from lts.state_space.simulation import simulate
from lts.trace import format_trace
from lts.web import compared, page, replaying, state_data

CHANGED = """[...document.querySelectorAll('.of-values tr')]
    .filter((row) => row.querySelector('ins'))
    .map((row) => ['th', 'del', 'ins'].map((tag) => row.querySelector(tag).textContent))"""


@pytest.fixture(scope="module")
def protocol():
    process = linearise(mucrl.read("cases/abp.mcrl"))
    system = generate(process)
    return process, system, page(system, values=state_data(system, process))


def values_of(walk):
    found = {}
    for component in walk.components(walk.state):
        for name, value in component.values.items():
            found[f"{component.name}.{name}"] = value
    return found


def test_steps_are_taken_and_undone(opened, protocol):
    process, _, content = protocol
    shown = opened(content)
    walk = simulate(process)
    shown.press("i")
    assert "Steps: choose one" in shown.text("#details")
    for choice in (1, 0, 1, 1, 0, 1):
        number = choice % len(walk.steps)
        labels = shown.run(
            "[...document.querySelectorAll('.steps .label')].map((e) => e.title || e.textContent)"
        )
        assert labels == [step.label for step in walk.steps]
        before = values_of(walk)
        shown.click(f"#details .steps li:nth-child({number + 1}) button")
        walk.take(number)
        after = values_of(walk)
        # What the step has changed is marked, with the value before.
        changed = {name for name in before if before[name] != after[name]}
        rows = shown.run(CHANGED)
        said = {(name, old, new) for name, old, new in rows if name != "at"}
        assert said == {
            (name.split(".")[1], before[name] or "–", after[name] or "–") for name in changed
        }
        listed = shown.run(
            "[...document.querySelectorAll('#walk .label')].map((e) => e.textContent)"
        )
        assert listed == [step.label for step in walk.trace]
        assert shown.find("#steps").get_attribute("value") == format_trace(walk.trace)
    # Back, from the list and by a button; another choice there replaces the rest.
    shown.click("#walk li:nth-child(2) button")
    walk.goto(2)
    assert shown.run("app.active.position") == 2
    shown.click("#back")
    walk.undo()
    assert shown.run("app.active.position") == 1
    shown.click("#details .steps li:nth-child(1) button")
    walk.take(0)
    assert shown.run("app.active.trace.length") == 2
    assert shown.find("#steps").get_attribute("value") == format_trace(walk.trace)


def test_trace_list_shows_changed_values(opened, protocol):
    process, _, content = protocol
    walk = simulate(process)
    walk.wander(20, 3)
    shown = opened(replaying(content, walk.trace))
    reported = shown.run("""[...document.querySelectorAll('#walk li')]
        .map((item) => item.querySelector('.changes')?.textContent || '')""")
    assert len(reported) == 20
    for number, text in enumerate(reported):
        walk.goto(number)
        before = values_of(walk)
        walk.goto(number + 1)
        after = values_of(walk)
        for name in before:
            change = f"{name}: {before[name] or '–'} → {after[name] or '–'}"
            if before[name] == after[name]:
                assert f"{name}: " not in text
            elif text.count(",") < 3:
                assert change in text


def test_page_replays_its_trace(opened, protocol):
    _, system, content = protocol
    walk = Simulation.of_lts(system)
    walk.wander(7, 2)
    shown = opened(replaying(content, walk.trace))
    assert shown.run("app.active.trace.length") == 7
    assert shown.run("app.active.position") == 0
    assert shown.run("app.active.selected") == system.initial
    # It is played to its end, and again from the start.
    shown.choose("#speed", "5×")
    shown.click("#play")
    assert shown.text("#play") == "❚❚ Pause"
    shown.until("app.active.position === 7")
    assert shown.run("app.active.selected") == walk.state
    shown.until("!app.player.isPlaying")
    assert shown.text("#play") == "▶ Play"
    shown.press(" ")
    assert shown.run("app.player.isPlaying")
    shown.until("app.active.position === 1 || app.active.position === 2")
    shown.press(" ")
    at = shown.run("app.active.position")
    assert not shown.run("app.player.isPlaying")
    shown.press("]")
    assert shown.run("app.active.position") == at + 1
    shown.click("#end")
    assert shown.run("app.active.position") == 7
    shown.click("#start")
    assert shown.run("app.active.position") == 0


@pytest.mark.parametrize("form", ["exact", "plain", "seq"])
def test_a_trace_file_is_opened(opened, protocol, tmp_path, form):
    _, system, content = protocol
    walk = Simulation.of_lts(system)
    walk.wander(9, 8)
    labels = [step.label for step in walk.trace]
    text = {
        "exact": format_trace(walk.trace),
        "plain": "\n".join(labels),
        "seq": "".join(f'"{label}"\n' for label in labels) + "<deadlock>\n",
    }[form]
    file = tmp_path / ("a.seq" if form == "seq" else "a.trace")
    file.write_text(text)
    shown = opened(content)
    shown.find("#file").send_keys(str(file))
    shown.until("app.active.trace.length === 9")
    label_of = "((system) => (row) => system.labels[system.label[row]])(app.active.system)"
    assert shown.run(f"app.active.trace.map({label_of})") == labels
    file.write_text('nothing\n"b\n')
    shown.find("#file").send_keys(str(file))
    shown.until("document.getElementById('walked').className === 'wrong'")


def test_differences_are_replayed_in_both_systems(opened):
    left = LTS.from_transitions([(0, "coin", 1), (1, "tea", 0), (1, "coffee", 2)])
    right = LTS.from_transitions([(0, "coin", 1), (0, "coin", 2), (1, "tea", 0), (2, "coffee", 3)])
    shown = opened(compared(left, right, "weak-trace", titles=("one", "other"))[0])
    assert not shown.find("#difference").is_displayed()
    right = LTS.from_transitions([(0, "coin", 1), (0, "coin", 2), (1, "tea", 0), (2, "tea", 0)])
    shown = opened(compared(left, right, "weak-trace", titles=("one", "other"))[0])
    assert "has no such step from states 1, 2" in shown.text("#difference")
    shown.choose("#speed", "5×")
    shown.click("#again")
    assert shown.run("app.player.isPlaying")
    shown.until("!app.player.isPlaying")
    assert shown.run("app.panes[0].position") == shown.run("app.panes[0].trace.length") == 2
    assert shown.run("[...app.panes[1].others]") == [1, 2]
    shown.run("app.along(-Infinity)")
    assert shown.run("[...app.panes[1].others]") == [0]
    shown.press("]")
    assert shown.run("[...app.panes[1].others]") == [1, 2]
    shown.press("]")
    # The other has no such step: it stays where it was.
    assert shown.run("[...app.panes[1].others]") == [1, 2]


def test_a_notebook_shows_the_page(browser, tmp_path):
    system = LTS.from_transitions([(0, 'a"<&', 1), (1, "b", 0)])
    shown = lts_view(system, title="small")
    assert len(repr(shown)) < 80
    inline = shown._repr_html_()
    assert re.fullmatch(r'<iframe srcdoc="[^"]*"[^<>]*></iframe>', inline)
    assert html.unescape(inline.partition('srcdoc="')[2].partition('"')[0]).encode() == shown.html
    file = tmp_path / "notebook.html"
    file.write_text(f"<!DOCTYPE html><meta charset=utf-8><body data-ready=true>{inline}")
    notebook = Page(browser, file)
    browser.switch_to.frame(0)
    try:
        notebook.until("document.body.dataset.ready")
        assert notebook.run("document.body.dataset.ready") == "true"
        notebook.run("app.select(app.active, 0)")
        assert "State 0" in notebook.text("#details")
        notebook.click("#details .steps button")
        assert notebook.run("app.active.selected") == 1
        notebook.run("app.address.write()")
    finally:
        browser.switch_to.default_content()
    assert [entry["message"] for entry in browser.get_log("browser")] == []


SEARCHES = {
    "deadlock": lambda state: state["deadlock"],
    "not deadlock and depth > 20": lambda state: not state["deadlock"] and state["depth"] > 20,
    "S.n = 1": lambda state: state["S.n"] == "1",
    "S.n != 1": lambda state: state["S.n"] not in ("1", None),
    "d = d1 and (depth < 3 or depth>=23)": lambda state: (
        "d1" in (state["S.d"], state["K.d"], state["R.d"], state["L.d"])
        and (state["depth"] < 3 or state["depth"] >= 23)
    ),
    "can(c2(d1,0))": lambda state: "c2(d1,0)" in state["labels"],
    "can(c2*) && !(can(*d1*))": lambda state: (
        any(a.startswith("c2") for a in state["labels"])
        and not any("d1" in a for a in state["labels"])
    ),
    "state<=4": lambda state: state["state"] <= 4,
    "S.d ~ 2": lambda state: state["S.d"] is not None and "2" in state["S.d"],
}


@pytest.mark.parametrize("text", SEARCHES)
def test_predicates_select_states(opened, protocol, text):
    process, system, content = protocol
    shown = opened(content)
    depths = shown.run("[...app.active.system.depth]")
    data = {
        (each.group, each.name): [each.values[n] for n in each.indices]
        for each in state_data(system, process)
    }
    expected = []
    for state in range(system.state_count):
        labels = [a for a, _ in system.successors(state)]
        facts = {"state": state, "labels": labels, "deadlock": not labels, "depth": depths[state]}
        for group in ("S", "K", "R", "L"):
            for name in ("n", "d", "at"):
                facts[f"{group}.{name}"] = data.get((group, name), [None] * 97)[state]
        if SEARCHES[text](facts):
            expected.append(state)
    shown.press("/")
    shown.press(text)
    assert shown.run("app.active.matchStates") == expected
    plural = "" if len(expected) == 1 else "s"
    assert shown.text("#found") == f"{len(expected)} state{plural}"
    if expected:
        shown.press("\ue007")
        assert shown.run("app.active.selected") == expected[0]


def test_wrong_predicates_are_explained(opened, protocol):
    shown = opened(protocol[2])
    for text, message in (
        ("nowhere = 3", "there is no data “nowhere”; known: "),
        ("depth >", "a value is missing after “depth >”"),
        ("(depth > 3", "a `)` is missing"),
        ("depth < x", "“x” is not a number"),
        ("can(c2", "a `)` is missing"),
        ("deadlock deadlock", "unexpected “deadlock”"),
    ):
        shown.type("#search", text)
        assert message in shown.text("#found")
        assert shown.run("app.active.matchStates") == []


def test_predicate_like_labels_are_searched_as_labels(opened):
    shown = opened(page(LTS.from_transitions([(0, "x = 1", 1), (1, "deadlock", 0)])))
    for label in ("x = 1", "deadlock"):
        shown.type("#search", label)
        assert shown.text("#found") == "1 transition"


@pytest.fixture
def tab(browser):
    """Open a tab with an empty history: a full one loses steps that no gesture of a user made."""
    before = browser.current_window_handle
    browser.switch_to.new_window("tab")
    yield
    browser.close()
    browser.switch_to.window(before)


def test_back_undoes_one_step(tab, opened, protocol):
    _, _, content = protocol
    shown = opened(content)
    walked = [shown.run("app.active.current")]
    for _ in range(3):
        shown.run("app.step(app.active, app.active.system.steps(app.active.current)[0])")
        walked.append(shown.run("app.active.current"))
    length = "app.active.trace.length"
    # Writing the address may cancel a step back in the history that has only begun.
    settled = "app.address.waiting === null"
    for count in (2, 1, 0):
        shown.until(settled)
        shown.driver.back()
        shown.until(f"{length} === {count}")
        assert shown.run("app.active.current") == walked[count]
    assert shown.text("#walk") == ""
    shown.until(settled)
    shown.driver.forward()
    shown.until(f"{length} === 1")
    # Another step replaces those that were undone; positions on the trace are no steps.
    shown.run("app.step(app.active, app.active.system.steps(app.active.current)[0])")
    shown.press("[", "[", "]")
    assert shown.run(length) == 2
    shown.until(settled)
    shown.driver.back()
    shown.until(f"{length} === 1")
    # A whole path is undone at once.
    shown.run("app.walkTo(app.active, 60)")
    assert shown.run(length) > 3
    shown.until(settled)
    shown.driver.back()
    shown.until(f"{length} === 1")

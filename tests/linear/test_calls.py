"""What processes do that are mostly calls, against the operational rules."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import _engine, mcrl2, mucrl
from lts.linear.call_graph import Recursion
from lts.linear.components import Components
from lts.linear.ground_terms import GroundTerms
from lts.linear.linearise import linearise
from lts.linear.parallel.synchronisation import Communications
from lts.linear.shapes import Shapes
from lts.linear.simplify import SIMPLIFICATIONS
from lts.state_space.encode import Encoder
from naive.mcrl2 import Interpreter as OfMcrl2
from naive.mcrl2 import label
from naive.mucrl import Interpreter as OfMucrl
from process_texts import handshakes, texts

MOST = 150
MOST_VALUES = 10_000


def steps_by_rules(language, specification):
    """The number of the initial state, and a function that gives the steps of a state."""
    naive = (OfMcrl2 if language == "mcrl2" else OfMucrl)(specification)
    numbers = {specification.initial: 0}
    states = [specification.initial]
    known = {}

    def labelled(p):
        if language == "mcrl2":
            for action, after in naive.steps(p):
                yield label(action), after
            return
        for action, arguments, after in naive.steps(p):
            shown = f"({','.join(map(str, arguments))})" if action and arguments else ""
            yield (action or "tau") + shown, after

    def steps(number):
        if number not in known:
            found = {}
            for shown, after in labelled(states[number]) if states[number] is not None else ():
                if after not in numbers:
                    numbers[after] = len(states)
                    states.append(after)
                found[shown, numbers[after]] = None
            known[number] = list(found)
        return known[number]

    return 0, steps


def steps_of(process):
    walk = _engine.Walk.of_process(Encoder(process).linear_process(), MOST_VALUES, [])
    known = {}

    def steps(state):
        if state not in known:
            found, missing = walk.steps(state)
            assert not missing
            known[state] = list(dict.fromkeys((one.decode(), target) for one, target in found))
        return known[state]

    return walk.initial, steps


def layers(initial, steps, most):
    """How many steps are looked at from a state so that few others are met."""
    seen, last = {initial}, [initial]
    for depth in range(1, 8):
        fresh = {after for state in last for _, after in steps(state)} - seen
        seen |= fresh
        if len(seen) > most:
            return depth
        if not fresh:
            return 8
        last = list(fresh)
    return 8


def behaviour(state, depth, steps, known, numbers):
    """A number that states have in common which are bisimilar for as many steps."""
    if (state, depth) not in known:
        content = frozenset(
            (action, behaviour(after, depth - 1, steps, known, numbers))
            for action, after in (steps(state) if depth else ())
        )
        known[state, depth] = numbers.setdefault(content, len(numbers))
    return known[state, depth]


def assert_alike(language, specification, process):
    """Compare a linear process with the rules; return how many steps were looked at."""
    first, by_rules = steps_by_rules(language, specification)
    initial, of_process = steps_of(process)
    depth = min(layers(first, by_rules, MOST), layers(initial, of_process, MOST))
    numbers = {}
    expected = behaviour(first, depth, by_rules, {}, numbers)
    assert behaviour(initial, depth, of_process, {}, numbers) == expected
    return depth


def counting(monkeypatch, found):
    """Return a function that has it noted where another one, given what it got and found, says
    that something is reached."""

    def counted(owner, name, what):
        function = getattr(owner, name)

        def around(*arguments):
            result = function(*arguments)
            if what(result, *arguments):
                found.add(name)
            return result

        monkeypatch.setattr(owner, name, around)

    return counted


LANGUAGES = pytest.mark.parametrize(("language", "reader"), [("mucrl", mucrl), ("mcrl2", mcrl2)])


@LANGUAGES
def test_calls_match_operational_rules(language, reader, monkeypatch):
    counts = Counter()
    found = set()
    counted = counting(monkeypatch, found)
    counted(Recursion, "is_endless", lambda forgotten, *_: forgotten)
    counted(Shapes, "unfold", lambda _, __, entries, *___: any(e.stack for e in entries))
    counted(GroundTerms, "truth", lambda holds, _, term: holds is not None and term.arguments)
    counted(Components, "reached", lambda kept, _, __, parts: len(kept) < len(parts))
    counted(
        Components, "in_fork", lambda _, __, ___, ____, part, joins: part.terminating and not joins
    )

    @given(texts(language), st.just(SIMPLIFICATIONS) | st.sets(st.sampled_from(SIMPLIFICATIONS)))
    def check(text, simplifications):
        found.clear()
        specification = reader.read_text(text)
        process = linearise(specification, simplifications=simplifications)
        counts["texts"] += 1
        counts["not simplified"] += len(simplifications) < len(SIMPLIFICATIONS)
        counts.update(found)
        counts["stacked"] += bool(process.stacks)
        counts["forked"] += any(component.parent for component in process.components)
        counts["deep"] += assert_alike(language, specification, process) > 3

    check()
    wanted = {"not simplified", "stacked", "deep", "is_endless", "unfold", "truth"}
    if language == "mucrl":
        wanted |= {"forked", "in_fork", "reached"}
    for reached in wanted if counts["texts"] >= 40 else ():  # few tell little
        assert counts[reached] * 20 >= counts["texts"], counts


@LANGUAGES
def test_handshakes_match_operational_rules(language, reader, monkeypatch):
    counts = Counter()
    found = set()
    counted = counting(monkeypatch, found)
    counted(GroundTerms, "differ", lambda differ, *_: differ)
    counted(Communications, "link", lambda link, *_: link is not None)

    @given(handshakes(language))
    def check(text):
        found.clear()
        specification = reader.read_text(text)
        process = linearise(specification)
        counts["texts"] += 1
        counts["apart"] += "differ" in found and ("link" in found or language == "mucrl")
        assert_alike(language, specification, process)

    check()
    assert counts["apart"] * 10 >= counts["texts"], counts


@pytest.mark.parametrize(("processes", "start", "is_stacked"), [
    ("X(d:D) = Y(d).b(d).X(d) Y(d:D) = a(d) + c.a(d)", "X(d1)", False),
    ("X = Y(d1).Z.X Y(d:D) = a(d) Z = b(d2) + c.c", "X", False),
    # Not where another process that it does not come to calls itself so.
    ("X = Y(d1).Z.X Y(d:D) = a(d) Z = b(d2) + c.c S = c.S.c + c", "X", False),
    ("X = Y(d1).Z.X Y(d:D) = a(d) Z = b(d2) + c.S S = c.S.c + c", "X", True),
    ("X = c.S.X S = c.S.c + c", "X", True),
    ("S = c.R.c + c R = a(d1).S", "R", True),
])  # fmt: skip
def test_pending_calls_need_a_stack(processes, start, is_stacked):
    text = "sort Bool func T,F:->Bool sort D func d1,d2:->D act a,b:D c\n"
    process = linearise(
        mucrl.read_text(f"{text} proc {processes} init {start}"), simplifications=()
    )
    assert any("stack" in p.variable.name for p in process.parameters) == is_stacked


@pytest.mark.parametrize("is_mcrl2", [False, True])
def test_negated_equalities_are_not_equations(is_mcrl2):
    if is_mcrl2:
        specification = mcrl2.read_text("""sort D = struct d1 | d2 | d3; act a: D; c;
proc X(x: D) = sum y: D. c . X(y) + (x == d1) -> delta <> a(x) . X(x); init X(d1);""")
    else:
        specification = mucrl.read_text("""sort Bool D func T,F:->Bool d1,d2,d3:->D
map eq:D#D->Bool var x,y:D rew eq(x,x)=T eq(x,y)=F act a:D c
proc X(x:D) = sum(y:D, c.X(y)) + (delta <| eq(x,d1) |> a(x).X(x)) init X(d1)""")
    found = mucrl.generate(linearise(specification))
    assert sorted(set(found.labels)) == ["a(d2)", "a(d3)", "c"]
    assert (found.state_count, found.transition_count) == (3, 11)

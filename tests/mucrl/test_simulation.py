"""A simulation walks where the generated system says, whatever way it goes there."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, LtsError, SpecificationError, Unsupported
from lts.mucrl import generate, read, read_text, simulate
from lts.simulation import Simulation
from lts.trace import TraceStep, format_trace, parse_trace, trace_along
from specifications import specifications
from strategies import systems

CASES = Path(__file__).parents[2] / "cases"
BOOL = "sort Bool func T,F:->Bool "
NAT = BOOL + "sort Nat func 0:->Nat S:Nat->Nat "


def rows_of(system):
    """Return for every state its transitions as (label, target), each once, in order."""
    rows = {}
    for s, a, t in system.transitions():
        rows.setdefault(s, {})[a, t] = None
    return {s: list(found) for s, found in rows.items()}


def walked(simulation, most):
    """Return the rows of the states met depth first, by the simulation's numbers."""
    rows = {}
    stack = [0]
    while stack:
        position = stack.pop()
        simulation.goto(position)
        state = simulation.state
        if state not in rows:
            rows[state] = [(step.label, step.target) for step in simulation.steps]
        fresh = [n for n, (_, t) in enumerate(rows[state]) if t not in rows]
        if fresh and len(rows) < most:
            stack.append(position)
            simulation.take(fresh[-1])
            stack.append(position + 1)
    return rows


def assert_same(expected, initial, found, start):
    """Assert that two sets of rows are the same up to the numbers of the states, order included."""
    numbers = {initial: start}
    waiting = [initial]
    for state in waiting:
        here, there = expected.get(state, []), found[numbers[state]]
        assert [a for a, _ in here] == [a for a, _ in there]
        for (_, t), (_, u) in zip(here, there, strict=True):
            if t not in numbers:
                numbers[t] = u
                waiting.append(t)
            assert numbers[t] == u
    assert len(set(numbers.values())) == len(numbers) == len(found)


@pytest.mark.parametrize(("case", "n"), [("abp", 2), ("peterson", 2), ("philosophers", 2)])
def test_simulation_of_a_specification_visits_generated_states(case, n):
    specification = read(CASES / f"{case}.mcrl", parameters={"N": n})
    found = walked(simulate(specification), 10_000)
    assert_same(rows_of(generate(specification)), 0, found, 0)


@given(systems())
def test_simulation_of_an_lts_visits_reachable_states(system):
    reachable = system.reachable_states()
    rows = rows_of(system)
    expected = {s: rows.get(s, []) for s in reachable.search(1)}
    simulation = Simulation.of_lts(system)
    found = walked(simulation, 10_000)
    assert found == expected
    assert simulation.components(simulation.state) == ()


@given(systems(), st.integers(0, 10), st.integers(0, 99), st.data())
def test_undo_redo_save_and_replay(system, count, seed, data):
    simulation = Simulation.of_lts(system)
    taken = simulation.wander(count, seed)
    assert taken == count or not simulation.steps
    end, trace = simulation.state, simulation.trace
    back = data.draw(st.integers(0, taken))
    simulation.undo(back)
    assert (simulation.trace, simulation.undone) == (trace[: taken - back], back)
    simulation.redo(back)
    assert (simulation.state, simulation.trace) == (end, trace)
    again = Simulation.of_lts(system)
    again.replay(parse_trace(format_trace(trace)))
    assert (again.state, again.trace) == (end, trace)
    again.wander(3, seed)
    again.replay([TraceStep(step.label) for step in trace])
    assert [step.label for step in again.trace] == [step.label for step in trace]


@given(systems(), st.sampled_from("abcx"))
def test_run_takes_a_shortest_path(system, label):
    offering = {s for s, a, _ in system.transitions() if a == label}
    layer, seen, distance = {system.initial}, {system.initial}, 0
    while layer and not layer & offering:
        layer = {t for s, _, t in system.transitions() if s in layer} - seen
        seen |= layer
        distance += 1
    simulation = Simulation.of_lts(system)
    expected = distance if layer else None
    assert simulation.run(label.__eq__) == expected
    assert len(simulation.trace) == (expected or 0)
    assert label in [step.label for step in simulation.steps] or expected is None


def assert_replayed(specification, system):
    """Assert that the trace to every generated state leads to a state with the same labels."""
    parents = {0: None}
    labels = {}
    for row, (s, a, t) in enumerate(system.transitions()):
        labels.setdefault(s, set()).add(a)
        if t not in parents:
            parents[t] = (s, row)
    simulation = simulate(specification)
    for state in parents:
        path, at = [], state
        while parents[at] is not None:
            at, row = parents[at]
            path.append(row)
        trace = trace_along(system, reversed(path))
        simulation.replay(trace)
        assert simulation.trace == trace
        assert {step.label for step in simulation.steps} == labels.get(state, set())


def test_a_trace_of_a_generated_case_study_is_replayed():
    specification = read(CASES / "abp.mcrl")
    assert_replayed(specification, generate(specification))


@given(specifications())
def test_a_trace_of_a_generated_system_is_replayed(text):
    try:
        specification = read_text(text)
        system = generate(specification, max_states=40)
    except (LimitReached, Unsupported):
        return
    assert_replayed(specification, system)


def test_simulation_choices_match_the_generated_system():
    text = "act b c d:Bool proc X(x:Bool)=b.X(x) Y=c.delta init sum(x:Bool,tau.X(x))+tau.Y+tau.d(T)"
    specification = read_text(BOOL + text)
    simulation = simulate(specification)
    assert [step.label for step in simulation.steps] == ["tau"] * 4
    for choice, after in enumerate(["b", "c", "d(T)"], start=1):
        simulation.replay([TraceStep("tau", choice)])
        assert [step.label for step in simulation.steps] == [after]
    simulation.goto(0)
    simulation.take(1)
    assert simulation.trace == (TraceStep("tau", 1),)
    simulation.undo()
    simulation.take(3)
    assert simulation.trace == (TraceStep("tau", 3),)


def test_plain_traces_are_resolved_by_later_steps():
    system = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 4)])
    simulation = Simulation.of_lts(system)
    simulation.replay(parse_trace("a\nc\n"))
    assert simulation.trace == (TraceStep("a", 2), TraceStep("c", 1))


def test_failed_replay_leaves_the_simulation_unchanged():
    simulation = Simulation.of_lts(LTS.from_transitions([(0, "a", 1), (1, "b", 0)]))
    simulation.take(0)
    with pytest.raises(LtsError, match="step 2 of the trace: `c` is not possible, but `b`"):
        simulation.replay(parse_trace("a\nc\n"))
    with pytest.raises(LtsError, match="step 1 of the trace: there is no choice 2 of `a`"):
        simulation.replay(parse_trace("%trace 1\n2 a\n"))
    with pytest.raises(LtsError, match="there is no step number 1, only 1 steps"):
        simulation.take(1)
    with pytest.raises(LtsError, match="the trace has 1 steps"):
        simulation.undo(2)
    with pytest.raises(LtsError, match="the trace has 1 steps"):
        simulation.redo()
    assert simulation.state == 1


def test_infinite_specifications_are_walked_through():
    text = NAT + "act a,b:Nat proc X(n:Nat)=a(n).X(S(n))+sum(m:Nat,b(m).X(m)) init X(0)"
    simulation = simulate(read_text(text), max_values=3)
    assert [step.label for step in simulation.steps] == ["a(0)", "b(0)", "b(S(0))", "b(S(S(0)))"]
    assert "a sum over `m:Nat` has more than 3 values" in simulation.missing
    assert simulation.run("a(S(S(S(S(0)))))".__eq__) == 3
    with pytest.raises(LimitReached, match=r"first 50 states; some steps are unknown: .*`m:Nat`"):
        simulation.run("c".__eq__, max_states=50)


def test_replay_states_are_limited():
    simulation = Simulation.of_lts(LTS.from_transitions([(0, "a", 0)]))
    with pytest.raises(
        LimitReached, match="step 21 of the trace: more than 20 states are possible"
    ):
        simulation.replay([TraceStep("a")] * 30, max_states=20)
    simulation.replay([TraceStep("a")] * 30, max_states=30)
    assert len(simulation.trace) == 30


def test_components_are_shown_with_their_names():
    text = BOOL + "act a:Bool b proc X(x:Bool)=sum(y:Bool,a(y).b.X(y)) init X(T)||X(F)"
    simulation = simulate(read_text(text))
    first, second = simulation.components(simulation.state)
    assert (first.name, first.remaining, first.values) == ("X_T", "X(x)", {"x": "T", "y": None})
    assert (second.name, second.values["x"]) == ("X_F", "F")
    simulation.take(3)
    first, second = simulation.components(simulation.state)
    assert (first.remaining, first.values) == ("b.X(y)", {"x": None, "y": "F"})
    assert second.values["x"] == "F"


def test_active_fork_branches_are_shown():
    text = BOOL + "act a b c d init a.(b || c).d"
    simulation = simulate(read_text(text))
    assert [c.position is None for c in simulation.components(simulation.state)][1:] == [True] * 2
    simulation.take(0)
    shown = simulation.components(simulation.state)
    assert [c.remaining for c in shown] == ["(_ || _).d", "b", "c"]
    simulation.take(0)
    simulation.take(0)
    assert [c.remaining for c in simulation.components(simulation.state)] == ["d", None, None]


def test_a_stack_is_shown_with_the_data():
    text = NAT + "act a b proc X = a.X.b + b init X"
    simulation = simulate(read_text(text))
    assert simulation.components(simulation.state)[0].values == {"stack": None}
    simulation.take(0)
    [component] = simulation.components(simulation.state)
    assert component.remaining == "X"
    assert component.values["stack"] is not None
    assert simulation.wander(100, 1) == 100 or not simulation.steps


def test_undo_leaves_an_uncomputable_state():
    text = BOOL + "map f:Bool->Bool act a b:Bool init a.b(f(T))"
    simulation = simulate(read_text(text, strict=True))
    simulation.take(0)
    with pytest.raises(SpecificationError, match=r"1:\d+: `f\(T\)` does not reduce"):
        simulation.steps  # noqa: B018
    simulation.undo()
    assert [step.label for step in simulation.steps] == ["a"]
    with pytest.raises(SpecificationError, match=r"`f\(T\)` does not reduce"):
        simulation.run("b".__eq__)


def shown(simulation):
    """Return what a state looks like, its steps and where they lead; or that there is an error."""
    components = [component.values for component in simulation.components(simulation.state)]
    try:
        steps = list(simulation.steps)
    except SpecificationError:
        return components, None
    ends = [[c.values for c in simulation.components(step.target)] for step in steps]
    return components, [(step.label, end) for step, end in zip(steps, ends, strict=True)]


def test_visit_order_does_not_change_steps():
    """Each state looks as it does to somebody who goes there at once."""
    reached = Counter()

    @settings(max_examples=max(100, settings.default.max_examples))
    @given(
        st.tuples(*[st.sampled_from("0123"), st.sampled_from([*"0123", None])] * 2),
        st.lists(st.integers(0, 5), min_size=3, max_size=12),
    )
    def check(images, choices):
        equations = "".join(f"f(d{k})=d{to} " for k, to in enumerate(images) if to is not None)
        text = (
            f"{BOOL} sort D func d0,d1,d2,d3:->D map f,same:D->D var x:D rew same(x)=x {equations} "
            "act a:D b "
            "proc X(n:D,m:D,k:D)=a(d1).X(d1,n,m)+a(d2).X(d2,n,m)+a(d3).X(d3,m,n)+b.X(m,f(n),f(m)) "
            "init X(d0,d2,d1)"
        )
        process = read_text(text, strict=True)
        simulation, way = simulate(process), []
        for choice in choices:
            components, steps = shown(simulation)
            fresh = simulate(process)
            for step in way:
                fresh.take(step)
            assert shown(fresh) == (components, steps)
            if steps is None:
                simulation.undo()
                way.pop()
                reached["left"] += 1
                reached["then"] += shown(simulation)[1] is not None
            elif steps:
                way.append(choice % len(steps))
                simulation.take(way[-1])

    check()
    assert reached["left"] > 5


def test_steps_after_a_failed_state_are_complete():
    """A step is shown as it is although another state had a label for it, and no new values."""
    text = (
        f"{BOOL} sort D func d0,d1,d2,d3:->D map f:D->D is0,other:D->Bool "
        "rew f(d2)=d3 f(d3)=d0 is0(d0)=T is0(d1)=F is0(d2)=F is0(d3)=F "
        "other(d0)=F other(d1)=T other(d2)=T other(d3)=T act a:D b "
        "proc X(n:D,m:D)=a(d1).X(d1,n)<|is0(n)|>delta+a(d2).X(d2,n)<|is0(n)|>delta"
        "+b.X(f(n),n)<|other(n)|>delta init X(d0,d0)"
    )
    simulation = simulate(read_text(text, strict=True))
    simulation.take(0)
    with pytest.raises(SpecificationError, match=r"`f\(d1\)` does not reduce"):
        simulation.steps  # noqa: B018
    simulation.undo()
    simulation.take(1)
    simulation.take(0)
    assert shown(simulation)[1] == [("b", [{"n": "d0", "m": "d3"}])]


def test_exceptions_of_predicates_propagate():
    simulation = Simulation.of_lts(LTS.from_transitions([(0, "a", 1)]))
    with pytest.raises(ZeroDivisionError):
        simulation.run(lambda label: 1 / 0)

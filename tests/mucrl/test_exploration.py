"""Exploring: threads, limits, streamed text, searches, and statistics, held against generation and
against plain graph search."""

import re
from collections import deque
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aut_format
from grouped_options import grouped
from lts import SpecificationError, _engine
from lts.mucrl import explore, generate, linearise, read, read_text, simulate
from lts.state_space.encode import Encoder
from lts.state_space.generation import Output
from lts.state_space.settings import Goals, Limits, Settings

CASES = Path(__file__).parents[2] / "cases"
BOOL = "sort Bool func T,F:->Bool "
NAT = "sort Nat func 0:->Nat S:Nat->Nat "
# Many states, values that few share, sums, and steps that stand twice.
COUNTERS = (
    BOOL
    + NAT
    + """
    map lt:Nat#Nat->Bool add:Nat#Nat->Nat var m,n:Nat
    rew lt(m,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n) add(0,n)=n add(S(m),n)=S(add(m,n))
    act up:Nat move:Nat#Nat tick
    proc Count(a:Nat,b:Nat) =
        sum(k:Nat, up(k).Count(add(k,a),b) <| lt(add(a,k),S(S(S(S(S(S(0))))))) |> delta)
      + move(a,b).Count(b,a) + tick.Count(a,S(b)) <| lt(b,S(S(S(S(0))))) |> delta
      + tick.Count(a,b)
    init Count(0,0) || Count(S(0),0)
    """
)


def process(text=None, case=None, n=None):
    if text is not None:
        return linearise(read_text(text))
    return linearise(read(CASES / f"{case}.mcrl", parameters={"N": n}))


def text_of(linear, **options):
    blocks = []
    found = explore(linear, **grouped(explore, write=blocks.append, **options))
    return b"".join(blocks), found


@pytest.fixture(scope="module")
def peterson():
    return process(case="peterson", n=4)


def rows_of(system):
    return list(system.transitions())


@pytest.mark.parametrize(
    ("case", "n"), [("abp", 3), ("peterson", 3), ("peterson", 4), ("philosophers", 3)]
)
def test_threads_and_streaming_preserve_the_result(case, n):
    linear = process(case=case, n=n)
    system = generate(linear)
    expected = aut_format.dumps(system).partition(b"\n")[2]
    for threads in (1, 2, 3):
        text, found = text_of(linear, threads=threads)
        assert text == expected
        assert found.incomplete is None
        statistics = found.statistics
        assert (statistics.states, statistics.transitions) == (
            system.state_count,
            system.transition_count,
        )
        assert statistics.explored == statistics.states
        again = generate(linear, threads=threads)
        assert again.labels == system.labels
        assert rows_of(again) == rows_of(system)


def levels_of(system):
    """Return the level of every state."""
    level = {0: 0}
    edges = {}
    for s, _, t in system.transitions():
        edges.setdefault(s, []).append(t)
    waiting = deque([0])
    while waiting:
        s = waiting.popleft()
        for t in edges.get(s, ()):
            if t not in level:
                level[t] = level[s] + 1
                waiting.append(t)
    return level


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("text", [COUNTERS, None])
def test_statistics_match_the_system(text, threads):
    linear = process(text) if text else process(case="philosophers", n=2)
    system = generate(linear)
    statistics = explore(
        linear, settings=Settings(threads=threads), output=Output(columns=False)
    ).statistics
    assert statistics.levels == 1 + max(levels_of(system).values())
    assert statistics.deadlocks == system.deadlock_states().count()
    assert system.duplicate_count == 0
    assert statistics.store > 0
    assert statistics.evaluations > 0


@settings(max_examples=30, deadline=None)
@given(most=st.integers(1, 700), threads=st.integers(1, 3))
def test_a_limit_on_states_stops_at_the_first_state_too_many(most, threads):
    linear = process(case="peterson", n=3)
    whole = rows_of(generate(linear))
    found = explore(linear, settings=Settings(limits=Limits(states=most), threads=threads))
    if most >= 668:
        assert found.incomplete is None
        assert found.statistics.transitions == len(whole)
        return
    assert found.incomplete == "states"
    first = next(i for i, (_, _, t) in enumerate(whole) if t >= most)
    assert rows_of(found.lts) == whole[:first]
    assert found.lts.state_count == found.statistics.states == most
    assert found.statistics.transitions == first
    assert found.statistics.explored == whole[first][0]


@pytest.mark.parametrize("threads", [1, 2])
def test_time_and_memory_limits_leave_complete_states(peterson, threads):
    linear = process(case="peterson", n=6)
    most = (_engine.anonymous_memory() or 0) + 200_000_000
    for limits, reason in ((Limits(time=1), "time"), (Limits(memory=most), "memory")):
        text, found = text_of(linear, limits=limits, threads=threads)
        assert found.incomplete == reason
        assert text.count(b"\n") == found.statistics.transitions
        # On a machine that stands still a second may be over before the first state.
        sources = [int(line.split(b",")[0][1:]) for line in text.splitlines()[-1:]]
        assert sources == [found.statistics.explored - 1][: found.statistics.transitions]
        assert found.statistics.explored < found.statistics.states


def test_exceptions_of_callbacks_propagate(peterson):
    def refuse(*_):
        raise ValueError("enough of this")

    for options in ({"write": refuse}, {"find": refuse}):
        with pytest.raises(ValueError, match="enough of this"):
            explore(peterson, **grouped(explore, **options))


def test_membership_of_explored_labels():
    labels = explore(process(case="peterson", n=2)).labels
    assert {*labels} == {*generate(process(case="peterson", n=2)).labels}
    assert all(label in labels for label in labels)
    assert "no such label" not in labels
    assert 1 not in labels


@pytest.mark.parametrize("threads", [1, 2])
def test_stopped_exploration_does_not_affect_the_next(threads):
    def refuse(*_):
        raise ValueError("enough of this")

    linear = process(case="peterson", n=7)
    engine = Encoder(linear).linear_process()
    few = explore(linear, limits=Limits(states=1000), engine=engine)
    for end in (
        {"progress": refuse},
        {"limits": Limits(time=0)},
        {"limits": Limits(memory=1)},
    ):
        settings = Settings(threads=threads, **end)
        if "progress" in end:
            with pytest.raises(ValueError, match="enough of this"):
                explore(linear, settings, engine=engine)
        else:
            assert explore(linear, settings, engine=engine).incomplete in ("time", "memory")
        again = explore(linear, limits=Limits(states=1000), engine=engine)
        assert (again.incomplete, again.lts) == ("states", few.lts)


def test_progress_counts_increase():
    reports = []
    linear = process(case="peterson", n=5)
    explore(linear, settings=Settings(progress=reports.append), output=Output(columns=False))
    assert reports
    assert [a.states for a in reports] == sorted(a.states for a in reports)


def shortest(system, goal):
    """Return the length of a shortest path over a transition that `goal` says yes to."""
    level = levels_of(system)
    return min((level[s] + 1 for s, a, _ in system.transitions() if goal(a)), default=None)


@pytest.mark.parametrize("threads", [1, 2])
def test_traces_to_actions_are_shortest_and_replay(threads):
    linear = process(case="philosophers", n=2)
    system = generate(linear)
    wanted = re.compile(r"eat\(.*\)|down\(mutex\)").fullmatch
    found = explore(
        linear,
        settings=Settings(threads=threads),
        goals=Goals(find=lambda label: bool(wanted(label))),
    )
    assert found.incomplete is None
    assert rows_of(found.lts) == rows_of(system)
    last = [trace.steps[-1].label for trace in found.traces]
    assert sorted(last) == sorted(label for label in system.labels if wanted(label))
    edges = {}
    for s, a, t in system.transitions():
        targets = edges.setdefault((s, a), [])
        if t not in targets:
            targets.append(t)
    for trace in found.traces:
        assert len(trace.steps) == shortest(system, trace.steps[-1].label.__eq__)
        state = 0
        for step in trace.steps:
            state = edges[state, step.label][step.choice - 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_every_deadlock_has_a_shortest_trace(threads):
    text = BOOL + "act a,b,c proc X = a.(b.delta+c.X) + a.b.c init X || X"
    linear = process(text)
    system = generate(linear)
    dead = {state for state, is_dead in enumerate(system.deadlock_states()) if is_dead}
    level = levels_of(system)
    found = explore(linear, settings=Settings(threads=threads), goals=Goals(deadlocks=True))
    assert len(dead) > 1
    assert sorted(len(trace.steps) for trace in found.traces) == sorted(level[s] for s in dead)
    assert all(trace.deadlock for trace in found.traces)
    one = explore(linear, settings=Settings(threads=threads), goals=Goals(deadlocks=True, enough=1))
    assert one.incomplete == "found"
    assert one.traces == found.traces[:1]


def test_the_initial_state_may_be_the_deadlock():
    found = explore(process(BOOL + "act a init delta"), goals=Goals(deadlocks=True, enough=1))
    assert found.traces[0].steps == ()
    assert found.statistics.states == 1


def test_search_stops_at_the_searched_step(peterson):
    found = explore(peterson, goals=Goals(find="criticalin(p2)".__eq__, enough=1))
    assert rows_of(found.lts)[-1][1] == "criticalin(p2)"
    assert found.statistics.transitions == found.lts.transition_count


def test_traces_replay_in_the_simulator(peterson):
    found = explore(peterson, goals=Goals(find="criticalin(p2)".__eq__, enough=1))
    walk = simulate(peterson)
    walk.replay(found.traces[0].steps)
    assert walk.trace == found.traces[0].steps


HIDDEN = BOOL + "act a:Bool b proc X = sum(x:Bool,a(x).X) + b.X init X"


@pytest.mark.parametrize("hide", [["a"], ["a(T)"], ["b", "a(F)"], ["none"]])
def test_hidden_actions_are_written_as_tau(hide):
    linear = process(HIDDEN)
    text, _ = text_of(linear, hide=hide)
    expected = aut_format.dumps(generate(linear).hide(hide)).partition(b"\n")[2]
    assert text == expected


# Conditions that have no truth value count only where all others hold.
STUCK = """
map f:Bool->Bool eq:Bool#Bool->Bool
var x:Bool rew eq(x,x)=T eq(T,F)=F eq(F,T)=F f(F)=T
act a,b proc X(x:Bool,y:Bool) = a.X(T,F) <| {} |> delta + b.X(F,y) + b.X(x,T) init X(F,F)
"""


def test_undecided_condition_is_an_error_only_if_evaluated():
    with pytest.raises(SpecificationError, match=r"the condition `f\(T\)` is neither"):
        generate(read_text(BOOL + STUCK.format("f(y)")))
    with pytest.raises(SpecificationError, match=r"the condition `eq\(f\(T\),F\)` is neither"):
        generate(read_text(BOOL + STUCK.format("eq(f(x),y)")))
    assert generate(read_text(BOOL + STUCK.format("f(x)").replace("X(T,F)", "X(F,F)")))


def test_new_values_depending_on_different_parameters():
    """Each is kept by itself, the pair is never a key."""
    text = BOOL + NAT + (
        "map inc:Nat#Bool->Nat var n:Nat rew inc(0,T)=S(0) inc(S(0),T)=S(S(0)) inc(S(S(n)),T)=0 "
        "inc(n,F)=n "
        "act a show:Nat#Nat#Nat#Nat#Bool#Bool proc X(m:Nat,n:Nat,k:Nat,l:Nat,x:Bool,y:Bool) = "
        "a.X(inc(m,x),inc(n,y),inc(k,x),l,x,y) "
        "+ a.X(m,n,k,inc(l,y),y,x) + a.X(m,n,k,l,T,x) "
        "+ show(m,n,k,l,x,y).X(m,n,k,l,x,y) init X(0,0,0,0,T,F)"
    )  # fmt: skip
    system = generate(read_text(text))

    def inc(n, x):
        return (n + 1) % 3 if x else n

    def steps(m, n, k, l, x, y):  # noqa: E741
        yield inc(m, x), inc(n, y), inc(k, x), l, x, y
        yield m, n, k, inc(l, y), y, x
        yield m, n, k, l, True, x

    numbers = {(0, 0, 0, 0, True, False): 0}
    expected = []
    for state in (order := list(numbers)):
        targets = []
        for target in steps(*state):
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
            if numbers[target] not in targets:
                targets.append(numbers[target])
        expected += [(numbers[state], "a", target) for target in targets]
    assert [row for row in rows_of(system) if row[1] == "a"] == expected
    assert system.state_count == len(order)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_more_than_64_summands(data):
    """A ring of one counter, a step for every value."""
    count = data.draw(st.integers(60, 140))
    jumps = data.draw(st.lists(st.integers(0, count - 1), min_size=count, max_size=count))
    names = [f"d{i}" for i in range(count)]
    equal = " ".join(f"eq({name},{name})=T" for name in names)
    other = "".join(f" eq(d{i},d{j})=F" for i in range(count) for j in {0, 1} if i != j)
    steps = " + ".join(f"a(d{i}).X(d{j}) <| eq(x,d{i}) |> delta" for i, j in enumerate(jumps))
    text = (
        f"{BOOL} sort D func {','.join(names)}:->D map eq:D#D->Bool var x,y:D "
        f"rew {equal}{other} eq(x,y)=F act a:D proc X(x:D) = {steps} init X(d0)"
    )
    system = generate(read_text(text))
    state, seen = 0, []
    while state not in seen:
        seen.append(state)
        state = jumps[state]
    assert system.state_count == len(seen)
    assert [a for _, a, _ in system.transitions()] == [f"a(d{i})" for i in seen]


@pytest.mark.parametrize("threads", [1, 2])
def test_thousands_of_control_states(threads):
    """Two components with a ring of control states each: alone, together, and with data."""
    count = 3000
    jump = [i * 7 % count for i in range(count)]
    ring = "\n".join(
        f"P{i}(x:Bool) = a.P{(i + 1) % count}(x)"
        + (f" + b(x).P{jump[i]}(not(x)) <| x |> delta" if i % 3 == 0 else "")
        + (f" + give.P{i}(not(x))" if i % 5 == 1 else "")
        for i in range(count)
    )
    text = (
        f"{BOOL} map not:Bool->Bool rew not(T)=F not(F)=T act a give take both b:Bool "
        f"comm give|take=both proc {ring} Q = take.R R = take.Q "
        "init encap({give,take}, P0(T) || Q)"
    )
    found = explore(process(text), settings=Settings(threads=threads))

    def steps(i, x, q):
        if i % 5 == 1:
            yield "both", (i, not x, not q)
        yield "a", ((i + 1) % count, x, q)
        if i % 3 == 0 and x:
            yield "b(T)", (jump[i], False, q)

    numbers = {(0, True, True): 0}
    expected = set()
    for state in (order := list(numbers)):
        for label, target in steps(*state):
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
            expected.add((numbers[state], label, numbers[target]))
    assert len(order) > 2 * count
    assert set(rows_of(found.lts)) == expected
    assert found.lts.transition_count == len(expected)


CONSTANTS = ("0", "1", "two")
CHOICES = st.tuples(st.sampled_from("pqr"), *[st.integers(0, 2)] * 4, st.booleans())


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(CHOICES, min_size=1, max_size=12))
def test_several_conditions_on_each_summand(rows):
    """Comparisons with constants, which may need rewriting, and conditions.

    The loop reads both parameters in every state: where nothing reads a parameter, states that
    only differ in it are one.
    """
    summands = (
        f"({action}(d,e).X({CONSTANTS[to]},{CONSTANTS[too]}) <| eq(d,{CONSTANTS[i]}) |> delta) "
        f"<| {'le' if below else 'eq'}({CONSTANTS[j]},e) |> delta"
        for action, i, j, to, too, below in rows
    )
    system = generate(
        read_text(
            BOOL + "sort D func 0,1,2:->D map two:->D eq,le:D#D->Bool var d,e:D rew two=2 "
            "eq(d,d)=T eq(0,1)=F eq(0,2)=F eq(1,0)=F eq(1,2)=F eq(2,0)=F eq(2,1)=F "
            "le(0,d)=T le(1,0)=F le(1,1)=T le(1,2)=T le(2,0)=F le(2,1)=F le(2,2)=T "
            "act p,q,r,here:D#D proc X(d:D,e:D) = "
            f"here(d,e).X(d,e) + {' + '.join(summands)} init X(0,0)"
        )
    )
    numbers = {(0, 0): 0}
    expected = []
    for d, e in (order := list(numbers)):
        expected.append((numbers[d, e], f"here({d},{e})", numbers[d, e]))
        for action, i, j, to, too, below in rows:
            if d == i and (j <= e if below else j == e):
                if (to, too) not in numbers:
                    numbers[to, too] = len(order)
                    order.append((to, too))
                expected.append((numbers[d, e], f"{action}({d},{e})", numbers[to, too]))
    assert rows_of(system) == list(dict.fromkeys(expected))


def test_new_values_of_a_never_enabled_summand():
    # Three new values that read what the condition does not, and a condition that never holds.
    text = (
        BOOL
        + """map same:Bool#Bool->Bool not:Bool->Bool var b:Bool
    rew same(b,b)=T same(T,F)=F same(F,T)=F not(T)=F not(F)=T
    act a c:Bool#Bool#Bool
    proc X(b:Bool,d:Bool,x:Bool,y:Bool,z:Bool) = a.X(b,d,not(x),not(y),not(z)) <| same(b,d) |> delta
      + c(x,y,z).X(not(b),not(d),x,y,z)
    init X(T,F,T,T,T)"""
    )
    assert generate(read_text(text)).state_count == 2


def test_limits_argument_equals_settings():
    linear = linearise(read(CASES / "peterson.mcrl", parameters={"N": 3}))
    found = explore(linear, limits=Limits(states=10))
    other = explore(linear, Settings(limits=Limits(states=10)))
    assert (found.incomplete, found.statistics.states) == ("states", other.statistics.states)

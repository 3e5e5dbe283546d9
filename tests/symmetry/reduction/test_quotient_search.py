"""Searching the quotient of a specification: what is found replays in the system."""

import tomllib
from pathlib import Path

import pytest

from lts import LTS, LimitReached, mcrl2
from lts.equivalence import refines
from lts.mucrl import explore, generate, linearise, read, read_text, simulate
from lts.state_space.generation import Output
from lts.state_space.settings import Goals, Internal, Limits, Settings
from lts.symmetry import (
    RELATIONS,
    count_orbits,
    parse_permutation,
    parse_symmetry_file,
    refines_on_orbits,
)

CASES = Path(__file__).parents[3] / "cases"
SMALL = 3000


def small():
    """Yield the cases with the parameters of their small published sizes."""
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for row in table.get("counted", []):
            if row.get("full", SMALL + 1) <= SMALL:
                name = ",".join(f"{key}={value}" for key, value in row["parameters"].items())
                yield pytest.param(table, row["parameters"], id=f"{file.stem}-{name}")


def both(table, parameters):
    specification = read(CASES / table["specification"], parameters=parameters)
    text = (CASES / table["symmetry"]).read_text(encoding="utf-8")
    symmetry = parse_symmetry_file(text, parameters=specification.parameters)
    return linearise(specification), symmetry.generators


def replayed(process, trace):
    """The simulation after the steps of a trace, each of which it has to offer."""
    simulation = simulate(process)
    simulation.replay(trace.steps)
    return simulation


def test_limited_sums_report_no_deadlock():
    # The only value of the sum is not among the first ten that are tried.
    process = linearise(
        mcrl2.read_text(
            """sort P = struct p1 | p2; map f: Nat -> Bool; var n: Nat; eqn f(n) = n * n == 1000000;
            act a: P # Nat; proc X(p: P) = sum n: Nat. f(n) -> a(p, n) . X(p);
            init X(p1) || X(p2);"""
        )
    )
    for values in (10, 999):
        with pytest.raises(LimitReached, match=f"more than {values} values"):
            count_orbits(
                process,
                parse_permutation("(p1 p2)"),
                Settings(limits=Limits(values=values)),
                Goals(deadlocks=True, enough=1),
            )


@pytest.mark.parametrize(("table", "parameters"), list(small()))
def test_deadlocks_equal_those_of_the_system(table, parameters):
    process, generators = both(table, parameters)
    full = explore(process, goals=Goals(deadlocks=True), output=Output(columns=False))
    found = count_orbits(process, generators, goals=Goals(deadlocks=True))
    assert found.certified
    assert found.deadlocks == full.statistics.deadlocks
    assert bool(found.traces) == bool(full.traces)
    lengths = {len(trace.steps) for trace in full.traces}
    assert {len(trace.steps) for trace in found.traces} == lengths
    for trace in found.traces:
        assert trace.deadlock
        assert not replayed(process, trace).steps


@pytest.mark.parametrize(("table", "parameters"), list(small()))
def test_label_search_matches_the_system(table, parameters):
    process, generators = both(table, parameters)
    full = explore(process, goals=Goals(find=lambda label: True), output=Output(columns=False))
    shortest = {trace.steps[-1].label: len(trace.steps) for trace in full.traces}
    for label in list(shortest)[:4] + list(shortest)[-2:]:
        [trace] = count_orbits(process, generators, goals=Goals(find=label.__eq__, enough=1)).traces
        assert trace.steps[-1].label == label
        assert len(trace.steps) == shortest[label]
        assert not trace.deadlock
        replayed(process, trace)
    assert not count_orbits(process, generators, goals=Goals(find="no such label".__eq__)).traces


CHOICE = """sort Bool func T,F:->Bool
sort D func d1,d2,d3:->D
map same:D#D->Bool var x:D rew same(x,x)=T same(d1,d2)=F same(d1,d3)=F same(d2,d1)=F
  same(d2,d3)=F same(d3,d1)=F same(d3,d2)=F
act go,tell:D quiet
proc X = sum(d:D,quiet.Y(d))
Y(d:D) = sum(e:D,quiet.Z(d,e) <| same(d,e) |> delta) + quiet.Y(d)
Z(d:D,e:D) = go(d).tell(e).delta
init X"""


def test_traces_are_moved_to_the_searched_label():
    process = linearise(read_text(CHOICE))
    generators = [parse_permutation("(d1 d2)"), parse_permutation("(d1 d2 d3)")]
    for label in ("tell(d1)", "tell(d2)", "tell(d3)", "go(d3)"):
        [trace] = count_orbits(process, generators, goals=Goals(find=label.__eq__, enough=1)).traces
        assert [step.label for step in trace.steps[:2]] == ["quiet", "quiet"]
        assert trace.steps[-1].label == label
        replayed(process, trace)


@pytest.mark.parametrize(("table", "parameters"), list(small()))
def test_refinement_equals_that_of_the_system(table, parameters):
    process, generators = both(table, parameters)
    full = generate(process)
    actions = list(dict.fromkeys(label.partition("(")[0] for label in full.labels))
    kept = [
        (s, full.labels[a], t)
        for s, a, t in zip(
            *(c.tolist() for c in (full.source, full.label, full.target)), strict=True
        )
        if full.labels[a].partition("(")[0] != actions[-1]
    ]
    less = LTS.from_transitions(kept, state_count=full.state_count)
    for specification, hide in [(full, []), (less, []), (less, actions[::2])]:
        for name in RELATIONS:
            whole = refines(specification.hide(hide), full.hide(hide), name)
            found = refines_on_orbits(
                specification,
                process,
                name,
                generators,
                internal=Internal(hidden=hide),
            )
            assert found.holds == whole.holds
            if not found.holds:
                assert len(found.counterexample.trace) == len(whole.evidence.trace)
                replayed(process, found.counterexample)


def test_limits():
    process, generators = both(
        tomllib.loads((CASES / "peterson_turns.toml").read_text(encoding="utf-8")), {"N": 5}
    )
    with pytest.raises(LimitReached, match="more than 50 orbits"):
        count_orbits(process, generators, settings=Settings(limits=Limits(states=50)))
    with pytest.raises(LimitReached, match=r"more than 1e-05 seconds(;|, before anything)"):
        count_orbits(process, generators, settings=Settings(limits=Limits(time=1e-5)))
    with pytest.raises(LimitReached, match="more than 1 MB of memory"):
        count_orbits(process, generators, settings=Settings(limits=Limits(memory=1_000_000)))

"""Searches for canonical images that are given up: more is explored, and all numbers stay exact."""

import itertools
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aut_format
import exchangeable
from grouped_options import grouped
from lts import LTS, LimitReached
from lts.mucrl import explore, generate, linearise, read, read_text, simulate
from lts.state_space.generation import Output
from lts.state_space.settings import Goals, Limits, Settings
from lts.symmetry import (
    STRATEGIES,
    certified_quotient,
    count_orbits,
    encode,
    isomorphic,
    parse_permutation,
    parse_symmetry_file,
)
from ltstool.main import main

CASES = Path(__file__).parents[3] / "cases"

GRAPHS = """%@ parameter N = 3
%@ include Enum of v1..v@{N} as V
%@ include Enum of no,yes as Bit
%@ include Array of V, Bit as Row
%@ include Array of V, Row as Graph
act add: V#V
proc G(g:Graph) = sum(u:V, sum(v:V,
  add(u,v).G(set(g,u,set(get(g,u),v,yes))) <| eq(get(get(g,u),v),no) |> delta))
init G(filled_Graph(filled_Row(no)))
"""


def graphs(points):
    """Directed graphs that are made edge by edge, and generators of all permutations."""
    process = linearise(read_text(GRAPHS, parameters={"N": points}))
    cycle = " ".join(f"v{k}" for k in range(1, points + 1))
    return process, [parse_permutation("(v1 v2)"), parse_permutation(f"({cycle})")]


def naive_orbits(points):
    """How many graphs there are up to names, and of these the one that has all edges of each."""
    pairs = list(itertools.product(range(points), repeat=2))
    moves = [
        [pairs.index((p[u], p[v])) for u, v in pairs] for p in itertools.permutations(range(points))
    ]
    return len(
        {
            min(sum(1 << move[k] for k in range(len(pairs)) if graph >> k & 1) for move in moves)
            for graph in range(1 << len(pairs))
        }
    )


@pytest.mark.parametrize("node_limit", [1, 2, 4, 1000])
def test_orbit_counts_of_graphs_stay_exact(node_limit):
    process, generators = graphs(3)
    for rows in (False, True):
        exploration = certified_quotient if rows else count_orbits
        found = exploration(process, generators, Settings(strategy="refine", node_limit=node_limit))
        reported = found.explored if rows else found
        assert reported.orbits == naive_orbits(3) == 104
        assert (reported.states, reported.transitions, reported.deadlocks) == (512, 512 * 9 // 2, 1)
        assert (reported.approximate > 0) == (node_limit < 4)
        assert reported.representatives >= reported.orbits
        if rows:
            assert found.quotient.count() == (512, 512 * 9 // 2)
            assert found.quotient.orbits == 104


def test_trivial_images_explore_every_state():
    process, generators = graphs(3)
    found = count_orbits(
        process,
        generators,
        settings=Settings(strategy="enumerate", node_limit=1),
        goals=Goals(deadlocks=True),
    )
    assert (found.orbits, found.states, found.approximate, found.representatives) == (
        104,
        512,
        512,
        512,
    )
    [trace] = found.traces
    simulation = simulate(process)
    simulation.replay(trace.steps)
    assert len(trace.steps) == 9
    assert not simulation.steps


def numbers(found):
    return (
        found.order,
        found.orbits,
        found.steps,
        found.states,
        found.transitions,
        found.deadlocks,
        sorted((trace.deadlock, len(trace.steps)) for trace in found.traces),
    )


def written(quotient, generators):
    reduction = encode(quotient, generators, kind="sorts")
    return aut_format.dumps(reduction.encoding), str(reduction.symmetry)


SMALL = 3000


def small():
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        rows = [row for row in table.get("counted", []) if row.get("full", SMALL + 1) <= SMALL]
        for row in rows[:1]:
            yield pytest.param(table, row["parameters"], id=file.stem)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("table", "parameters"), list(small()))
def test_approximate_cases_have_equal_counts_and_originals(table, parameters, strategy):
    specification = read(CASES / table["specification"], parameters=parameters)
    text = (CASES / table["symmetry"]).read_text(encoding="utf-8")
    generators = parse_symmetry_file(text, parameters=specification.parameters).generators
    process = linearise(specification)
    reported = numbers(
        count_orbits(
            process, generators, settings=Settings(strategy=strategy), goals=Goals(deadlocks=True)
        )
    )
    exact = certified_quotient(process, generators, settings=Settings(strategy=strategy))
    system = generate(process)
    for node_limit, threads in ((1, 2), (3, 1)):
        given_up = {"strategy": strategy, "node_limit": node_limit, "threads": threads}
        found = count_orbits(
            process, generators, **grouped(count_orbits, deadlocks=True, **given_up)
        )
        assert numbers(found) == reported
        quotient = certified_quotient(
            process, generators, **grouped(certified_quotient, **given_up)
        ).quotient
        assert isomorphic(LTS(quotient.expand()), system)
        assert written(quotient, generators) == written(exact.quotient, generators)


@given(
    st.lists(exchangeable.STEP, max_size=6),
    st.integers(1, 3),
    st.sampled_from(STRATEGIES),
)
def test_approximate_processes_have_equal_counts_and_originals(steps, limit, strategy):
    first = (0, "u", None, 1, ("some(p)", "a"))
    process = linearise(read_text(exchangeable.text([first, *steps])))
    generators = [parse_permutation("(p1 p2)"), parse_permutation("(p1 p2 p3)")]
    full = explore(process, goals=Goals(deadlocks=True), output=Output(columns=False))
    given_up = {"strategy": strategy, "node_limit": limit}
    found = count_orbits(process, generators, **grouped(count_orbits, deadlocks=True, **given_up))
    assert numbers(found) == numbers(count_orbits(process, generators, goals=Goals(deadlocks=True)))
    assert found.states == full.statistics.states
    assert found.deadlocks == full.statistics.deadlocks
    certified = certified_quotient(process, generators, **grouped(certified_quotient, **given_up))
    assert numbers(certified.explored)[:6] == numbers(found)[:6]
    assert isomorphic(LTS(certified.quotient.expand()), generate(process))


def test_label_search_works_with_approximate_images():
    process, generators = graphs(3)
    for label in ("add(v1,v1)", "add(v2,v3)"):
        found = count_orbits(
            process,
            generators,
            settings=Settings(strategy="enumerate", node_limit=2),
            goals=Goals(find=label.__eq__, enough=1),
        )
        [trace] = found.traces
        assert [step.label for step in trace.steps] == [label]


def test_limit_reports_only_exact_counts():
    process, generators = graphs(3)
    with pytest.raises(LimitReached, match="more than 100 representatives;") as caught:
        count_orbits(
            process,
            generators,
            settings=Settings(strategy="enumerate", node_limit=1, limits=Limits(states=100)),
        )
    # None of them has a canonical image, so they may all be the same.
    assert caught.value.found == {"representatives": 101, "orbits at least": 0}


ENDING = """sort Bool U func T,F:->Bool u1,u2,u3:->U
act stop,halt,other: U
proc User(i:U) = stop(i).delta + halt(i).other(i).delta
init encap({other}, User(u1) || User(u2) || User(u3))
"""


@pytest.mark.parametrize("enough", [1, 2, 3, 4, None])
@pytest.mark.parametrize("node_limit", [1, 2, 3, None])
def test_traces_lead_to_different_orbits(enough, node_limit):
    # Who stopped and who halted is what is left to see in the end: four orbits.
    process = linearise(read_text(ENDING))
    generators = [parse_permutation("(u1 u2)"), parse_permutation("(u1 u2 u3)")]
    searched = {"deadlocks": True, "enough": enough, "strategy": "enumerate"}
    found = count_orbits(
        process, generators, **grouped(count_orbits, node_limit=node_limit, **searched)
    )
    halted = [sum("halt" in step.label for step in trace.steps) for trace in found.traces]
    assert len(set(halted)) == len(halted) == min(enough or 4, 4)
    full = explore(process, output=Output(columns=False)).statistics
    assert found.deadlocks <= full.deadlocks == 8
    assert found.states <= full.states
    assert found.orbits <= found.representatives
    if enough is None:
        assert (found.deadlocks, found.states) == (full.deadlocks, full.states)


def test_commands_report_approximate_exploration(tmp_path, capfd):
    specification, symmetry = tmp_path / "graphs.mcrl", tmp_path / "graphs.sym"
    specification.write_text(GRAPHS, encoding="utf-8")
    generators = '["(v1 v2)", "(v1 v2 v3)"]'
    symmetry.write_text(f'version = 1\nkind = "sorts"\ngenerators = {generators}\n', "utf-8")
    words = ["reduce", str(specification), "--symmetry", str(symmetry)]
    few = ["--strategy", "enumerate", "--node-limit", "2"]
    assert main([*words, "--count", "--json", *few]) == 0
    reported, remark = capfd.readouterr()
    numbers = json.loads(reported)
    assert (numbers["orbits"], numbers["states"]) == (104, 512)
    assert numbers["representatives"] > 104
    assert "approximate canonical images (limit of 2 choices" in remark
    assert main([*words, "--count", *few]) == 0
    assert f"explored     {numbers['representatives']}, " in capfd.readouterr().out
    reduced, exact, whole = (tmp_path / f"{name}.aut" for name in ("r", "e", "w"))
    assert main([*words, "-o", str(reduced), *few]) == 0
    assert main([*words, "-o", str(exact), *few[:2]]) == 0
    assert reduced.read_bytes() == exact.read_bytes()
    assert Path(f"{reduced}.sym").read_bytes() == Path(f"{exact}.sym").read_bytes()
    assert main(["generate", str(specification), "-o", str(whole)]) == 0
    assert main(["compare", "-e", "strong", str(reduced), str(whole)]) == 0
    capfd.readouterr()
    assert main(["expand", str(reduced), "--count"]) == 0
    assert capfd.readouterr().out == "512 states, 2304 transitions\n"
    assert main([*words, "--count", "--partitions", "2", *few]) == 2
    assert "--node-limit cannot be combined with partitions" in capfd.readouterr().err
    assert main(["generate", str(specification), "-o", str(whole), "--node-limit", "2"]) == 2
    assert "--node-limit needs --symmetry" in capfd.readouterr().err


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_interrupt_stops_the_search_for_exact_images(strategy):
    process, generators = graphs(3)

    def progress(orbits, explored):
        # All is explored, and orbits are about to be joined.
        if orbits == explored:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_orbits(
            process,
            generators,
            settings=Settings(strategy=strategy, node_limit=1, progress=progress),
        )

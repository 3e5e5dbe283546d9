"""What Python does to objects of the library: pickle, copy, fork, threads."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lts import LTS, LimitReached, LtsError, NotSymmetric, mucrl
from lts.equivalence import minimise
from lts.simulation import Simulation
from lts.symmetry import check as check_symmetry
from lts.symmetry import (
    parse_permutation,
)

ABP = Path(__file__).parents[2] / "cases" / "abp.mcrl"
SWAP = parse_permutation("(d1 d2)")
SYSTEM = LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "c", 2)])


def work(task):
    """Done by another process."""
    if task == "limit":
        mucrl.generate(mucrl.read(ABP), max_states=3)
    if task == "symmetry":
        check_symmetry(SYSTEM, [parse_permutation("(b c)")])
    if task == "interrupt":
        raise KeyboardInterrupt
    return minimise(SYSTEM, "strong")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_subprocesses_return_systems_and_errors(method):
    minimise(SYSTEM, "strong")  # the engine was used before
    mucrl.generate(mucrl.read(ABP), threads=2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        least = pool.apply_async(work, ["minimise"]).get(60)
        assert least.state_count == 3
        with pytest.raises(LimitReached) as limit:
            pool.apply_async(work, ["limit"]).get(60)
        assert limit.value.found["states"] == 3
        with pytest.raises(NotSymmetric):
            pool.apply_async(work, ["symmetry"]).get(60)


def test_threads_share_one_object():
    process = mucrl.linearise(mucrl.read(ABP))
    simulation = mucrl.simulate(process)
    system = mucrl.generate(process)
    tasks = [
        lambda: mucrl.generate(process).state_count,
        lambda: minimise(system, "weak").state_count,
        lambda: len(simulation.steps),
        lambda: mucrl.evaluate(process.specification, "d1").text,
    ]
    alone = [task() for task in tasks]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(10):
            assert [done.result(60) for done in [pool.submit(task) for task in tasks]] == alone


@pytest.fixture(params=["system", "specification"])
def simulation(request):
    if request.param == "system":
        return Simulation.of_lts(SYSTEM)
    return mucrl.simulate(mucrl.read(ABP))


def test_predicates_may_read_the_simulation(simulation):
    seen = set()

    def predicate(label):
        seen.add((simulation.state, simulation.steps, simulation.trace, simulation.missing))
        return label.startswith("c")

    assert simulation.run(predicate) is not None
    assert len(seen) == 1


@pytest.mark.parametrize(
    "use",
    [
        lambda simulation: simulation.take(0),
        lambda simulation: simulation.goto(0),
        lambda simulation: simulation.run(lambda _: True),
    ],
)
def test_predicates_must_not_move_the_simulation(simulation, use):
    with pytest.raises(LtsError, match="must not move the simulation"):
        simulation.run(lambda _: use(simulation) or False)
    simulation.take(0)
    assert len(simulation.trace) == 1

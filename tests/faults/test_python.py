"""What Python does to objects of the library: pickle, copy, fork, threads."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import aut_format
from lts import LTS, LimitReached, LtsError, NotSymmetric, errors, mucrl
from lts.equivalence import compare, minimise, refines
from lts.logic import check
from lts.simulation import Simulation
from lts.symmetry import check as check_symmetry
from lts.symmetry import (
    count_orbits,
    find,
    find_in_specification,
    parse_permutation,
    reduce,
    refines_on_orbits,
)

ABP = Path(__file__).parents[2] / "cases" / "abp.mcrl"
SWAP = parse_permutation("(d1 d2)")
SYSTEM = LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "c", 2)])


def objects():
    specification = mucrl.read(ABP)
    process = mucrl.linearise(specification)
    system = mucrl.generate(process)
    return {
        "specification": specification,
        "process": process,
        "system": system,
        "generation": mucrl.explore(process, deadlocks=True),
        "evaluation": mucrl.evaluate(specification, "d1"),
        "verdict": check(system, "deadlock-free"),
        "comparison": compare(system, SYSTEM, "strong"),
        "refinement": refines(system, SYSTEM, "trace"),
        "permutation": SWAP,
        "detection": find(system),
        "reduction": reduce(system, [SWAP]),
        "explored": count_orbits(process, [SWAP]),
        "found": find_in_specification(process),
        "refinement on orbits": refines_on_orbits(system, process, "trace", ()),
    }


@pytest.mark.parametrize(
    "again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]
)
def test_objects_are_pickled_and_copied(again):
    for name, one in objects().items():
        other = again(one)
        assert type(other) is type(one), name
        if isinstance(one, LTS):
            assert aut_format.dumps(other) == aut_format.dumps(one)
        if name in ("permutation", "evaluation", "explored", "found", "refinement on orbits"):
            assert other == one


ERRORS = {
    "NotSymmetric": {"witness": "w", "which": 2},
    "NotProven": {"missing": "w", "which": 2},
    "LimitReached": {"limit": 3, "found": {"states": 1}},
}


@pytest.mark.parametrize(
    "again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]
)
@pytest.mark.parametrize("name", errors.__all__)
def test_errors_are_pickled_and_copied(name, again):
    error = getattr(errors, name)("message", **ERRORS.get(name, {}))
    other = again(error)
    assert (type(other), str(other)) == (type(error), str(error))
    assert other.__dict__ == error.__dict__


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
def test_other_processes_return_systems_and_errors(method):
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


def test_threads_use_one_object():
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


def test_what_is_asked_may_look_at_the_simulation(simulation):
    seen = set()

    def wanted(label):
        seen.add((simulation.state, simulation.steps, simulation.trace, simulation.missing))
        return label.startswith("c")

    assert simulation.run(wanted) is not None
    assert len(seen) == 1


@pytest.mark.parametrize(
    "use",
    [
        lambda simulation: simulation.take(0),
        lambda simulation: simulation.goto(0),
        lambda simulation: simulation.run(lambda _: True),
    ],
)
def test_what_is_asked_may_not_move_it(simulation, use):
    with pytest.raises(LtsError, match="the simulation searches"):
        simulation.run(lambda _: use(simulation) or False)
    simulation.take(0)
    assert len(simulation.trace) == 1

"""Every public object can be pickled and copied, but for those that say why they cannot."""

import copy
import importlib
import inspect
import pickle
import pkgutil
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest

import aut_format
import lts
from lts import LTS, LtsError, errors, formats, mucrl, petri
from lts.cluster import Parts
from lts.editor import LANGUAGES
from lts.equivalence import PREORDERS, compare, refines
from lts.logic import OrbitVerdict, check, check_network, check_process, parse
from lts.logic.acceptance import accepts
from lts.logic.data import LabelData, ReadLabel
from lts.logic.nodes import Actions
from lts.logic.text.formula import parse_actions
from lts.network import Composers, Network, action_of
from lts.network import reduce as reduce_network
from lts.network import simulate as simulate_network
from lts.simulation import Simulation
from lts.state_space.generation import Output
from lts.state_space.settings import Goals, Internal, Limits, Settings
from lts.symmetry import (
    breaks,
    certified_quotient,
    count_orbits,
    encode,
    expand,
    facts_of_original,
    find_in_specification,
    find_symmetry,
    minimise_quotient,
    parse_permutation,
    reduce,
    reduced_process,
    refines_on_orbits,
    symmetric_sorts,
    symmetries_of_states,
)
from lts.symmetry import check as check_symmetry
from lts.symmetry.data.find.candidates import propose
from lts.text.uses import Recorded
from lts.trace import Preimage
from lts.web import Colouring, Difference, Shown, Values

CASES = Path(__file__).parents[2] / "cases"
ABP = CASES / "abp.mcrl"
SWAP = parse_permutation("(d1 d2)")
SYSTEM = LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "c", 2)])

QUOTIENT = check_symmetry(SYSTEM, parse_permutation("()")).quotient

ERRORS = {
    "NotSymmetric": {"witness": "w", "which": 2},
    "NotProven": {"missing": "w", "which": 2},
    "LimitReached": {"limit": 3, "found": {"states": 1}},
    "RewritingLimit": {"limit": 3, "found": {"states": 1}},
}

PUBLIC = [
    *(
        "aut_format",
        "lts",
        "lts.certificates",
        "lts.cluster",
        "lts.equivalence",
        "lts.linear",
    ),
    *("lts.logic", "lts.mcrl2", "lts.mucrl", "lts.network", "lts.petri", "lts.specification"),
    *(
        "lts.drawing",
        "lts.editor",
        "lts.formats",
        "lts.errors",
        "lts.state_space",
        "lts.state_space.generation",
        "lts.simulation",
        "lts.symmetry",
        "lts.system",
        "lts.trace",
        "lts.web",
    ),
]

WAYS = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "old pickle": lambda one: pickle.loads(pickle.dumps(one, 2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.fixture(params=WAYS)
def again(request):
    return WAYS[request.param]


def view_parts(system):
    colouring = Colouring("depth", [0] * system.state_count, ["all"])
    values = Values("S", "n", [None, "0"], [1] * system.state_count)
    difference = Difference("a run", 0, [0, 1], ["a"], weak=False)
    return [colouring, values, difference, Shown("a system", system, [colouring], [values])]


FORKS = (
    LTS.from_transitions([(0, "a", 1), (0, "a", 2)]),
    LTS.from_transitions([(0, "a", 1), (1, "a", 2)]),
)
"""Two systems of equal numbers that are not isomorphic."""


@cache
def objects():
    specification = mucrl.read(ABP)
    process = mucrl.linearise(specification)
    system = mucrl.generate(process)
    philosophers = mucrl.linearise(mucrl.read(CASES / "philosophers.mcrl", parameters={"N": 3}))
    reduction = reduce(system, [SWAP])
    walk = mucrl.simulate(process)
    walk.wander(5, 1)
    generation = mucrl.explore(
        process, goals=Goals(deadlocks=True, find=lambda label: label == "c2(d1,0)")
    )
    network = Network.of([SYSTEM, SYSTEM], [({0: "a", 1: "a"}, "a"), ({0: "b"}, "b")])
    steps = simulate_network(network)
    steps.wander(3, 1)
    net = petri.read(CASES / "nets" / "database.pnml")
    marked = petri.ground(net)
    refused = refines_on_orbits(SYSTEM, process, "trace", ())
    return [
        *view_parts(system),
        lts.view(system),
        specification,
        process,
        system,
        generation,
        generation.statistics,
        generation.traces[0],
        Preimage("(d1 d2)", "a(d1)"),
        Limits(states=3),
        Settings(limits=Limits(states=3), proof="tested"),
        Goals(deadlocks=True, enough=1),
        Internal(["tau"], ["a"]),
        Output(columns=False),
        Parts(3, resume=True),
        mucrl.evaluate(specification, "d1"),
        parse("<a> true"),
        check(system, "deadlock-free"),
        check(SYSTEM, "E F a").path,
        check_process(process, "exists d:D. <true*.r1(d)>true", evidence=True),
        compare(system, SYSTEM, "strong"),
        compare(system, SYSTEM, "strong").evidence,
        compare(SYSTEM, SYSTEM, "isomorphism"),
        *(different := compare(*FORKS, "isomorphism").evidence).classes,
        different,
        refines(system, SYSTEM, "trace"),
        refines(system, SYSTEM, "trace").evidence,
        SWAP,
        find_symmetry(system),
        symmetries_of_states(system, find_symmetry(system)),
        reduction,
        reduction.symmetry,
        check_symmetry(system, [SWAP]),
        certified_quotient(process, [SWAP]),
        facts_of_original(QUOTIENT),
        facts_of_original(QUOTIENT, nearest=1).nearest_deadlocks[0],
        count_orbits(process, [SWAP]),
        find_in_specification(process),
        reduced_process(process, [SWAP]),
        breaks(propose(philosophers))[0],
        symmetric_sorts(process, ["D"]),
        refused,
        refused.counterexample,
        LANGUAGES["mucrl"],
        LANGUAGES["mucrl"].examined(ABP.read_text(), str(ABP)),
        Simulation.of_lts(system),
        walk,
        walk.components(0)[0],
        walk.steps[0],
        walk.trace[0],
        network,
        network.vectors[0],
        reduce_network(network, "branching"),
        check_network(network, "[true*.a]false"),
        OrbitVerdict(True, ("b",), orbits=2, states=3, order=2),
        Composers(),
        action_of(network),
        steps,
        net,
        marked,
        petri.action_of(marked),
        petri.counts(marked),
        aut_format.Reader("in.aut"),
        aut_format.Writer("out.aut"),
        formats.FORMATS["aut"],
        PREORDERS["failures"],
        *(getattr(errors, name)("message", **ERRORS.get(name, {})) for name in errors.__all__),
    ]


def public_classes():
    for name in PUBLIC:
        module = importlib.import_module(name)
        for each in module.__all__:
            found = getattr(module, each)
            if inspect.isclass(found):
                yield found


def test_all_public_rooms_are_tested():
    rooms = {"aut_format", "lts"}
    rooms |= {f"lts.{room.name}" for room in pkgutil.iter_modules(lts.__path__) if room.ispkg}
    assert rooms - {"lts.base", "lts.text"} <= set(PUBLIC)  # which have nothing public


def test_every_public_class_has_an_example():
    missing = [
        kind
        for kind in public_classes()
        if not any(isinstance(object, kind) for object in objects())
    ]
    assert not missing


def same(one, other):
    """Whether two objects are of one kind and hold the same."""
    if type(one) is not type(other):
        return False
    if isinstance(one, LTS):
        return aut_format.dumps(one) == aut_format.dumps(other)
    if isinstance(one, Simulation):
        kept = [(walk.state, walk.steps, walk.trace, walk.undone) for walk in (one, other)]
        return kept[0] == kept[1]
    if isinstance(one, Recorded):
        return same([*one.symbols.items()], [*other.symbols.items()])
    if isinstance(one, BaseException):
        return str(one) == str(other) and one.__dict__ == other.__dict__
    if isinstance(one, Actions):
        return one == other
    if isinstance(one, type(QUOTIENT)):
        return one.__reduce__()[1] == other.__reduce__()[1]
    if is_dataclass(one):
        names = [each.name for each in fields(one)]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "tolist"):
        return one.tolist() == other.tolist()
    return bool(one == other)


def test_objects_are_pickled_and_copied(again):
    for object in objects():
        if not isinstance(object, aut_format.Reader | aut_format.Writer):
            assert same(again(object), object), type(object)


@pytest.mark.parametrize("name", errors.__all__)
def test_errors_are_pickled_and_copied(again, name):
    error = getattr(errors, name)("message", **ERRORS.get(name, {}))
    other = again(error)
    assert (type(other), str(other)) == (type(error), str(error))
    assert other.__dict__ == error.__dict__


def test_readers_are_not_copied(again):
    with pytest.raises(TypeError, match="a file that is being read"):
        again(aut_format.Reader("in.aut"))


def test_a_file_that_is_written_is_not_copied(again):
    with pytest.raises(TypeError, match="a file that is being written"):
        again(aut_format.Writer("out.aut"))


GROUPS = {
    "abp": ["(d1 d2)", "(d1 d2 d3)"],
    "philosophers": ["(p1 p2 p3)"],
    "mutex": ["(p1 p2)", "(p1 p2 p3)"],
    "peterson": ["(p1 p2 p3)"],
}


@pytest.mark.parametrize("case", GROUPS)
def test_copied_quotients_are_equal(again, case):
    process = mucrl.linearise(mucrl.read(CASES / f"{case}.mcrl", parameters={"N": 3}))
    permutations = [parse_permutation(text) for text in GROUPS[case]]
    certified = certified_quotient(process, permutations)
    system = mucrl.generate(process)
    for quotient in [
        certified.quotient,
        minimise_quotient(certified.quotient, "strong"),
        check_symmetry(system, permutations).quotient,
    ]:
        other = again(quotient)
        assert same(other, quotient)
        assert other.count() == quotient.count()
        for order in ("bfs", "greedy"):
            one, two = (
                encode(each, permutations, kind="data", order=order) for each in (quotient, other)
            )
            assert aut_format.dumps(one.encoding) == aut_format.dumps(two.encoding)
            assert one.symmetry == two.symmetry
        least = minimise_quotient(quotient, "weak")
        assert same(minimise_quotient(other, "weak"), least)
        assert expand(one.encoding, one.symmetry).state_count == quotient.count()[0]


@pytest.mark.parametrize("change", [0, 1, 2])
def test_invalid_quotient_parts_are_refused(change):
    make, parts = QUOTIENT.__reduce__()
    acting, (elements, stabilisers, stabiliser, rows), initial, internal = parts
    wrong = [
        (acting, (elements, stabilisers, stabiliser, rows), 1000, internal),
        (acting, (elements, stabilisers, b"\xff" * 4, rows), initial, internal),
        (acting, (elements, stabilisers, stabiliser, [*rows[:3], b""]), initial, internal),
    ]
    with pytest.raises(ValueError, match="not parts of a quotient"):
        make(*wrong[change])


@pytest.mark.parametrize(
    "text",
    ['"a \\\\ \\" b"', "send(...) || !(tau && a)", "!!true", "false", '", "', "x && y || z"],
)
def test_copied_label_sets_are_equal(again, text):
    one = parse_actions(text)
    other = again(one)
    assert other == one
    data = LabelData(parse("true"), ())
    for label in map(ReadLabel.of, ["", ", ", 'a \\ " b', "send(1)", "a", "tau", "x", "z"]):
        for internal in (False, True):
            found = [accepts(each.tree, label, internal, data, {}) for each in (one, other)]
            assert found[0] == found[1]


def walks():
    process = mucrl.linearise(mucrl.read(ABP))
    return {
        "system": Simulation.of_lts(mucrl.generate(process)),
        "process": mucrl.simulate(process),
        "specification": mucrl.simulate(mucrl.read(ABP)),
    }


@pytest.mark.parametrize("kind", walks())
def test_copied_simulation_continues_identically(again, kind):
    walk = walks()[kind]
    walk.wander(30, 1)
    walk.undo(20)
    assert walk.run(lambda label: label.startswith("s4")) is not None
    walk.wander(10, 2)
    walk.undo(4)
    other = again(walk)
    assert (other.state, other.undone, other.trace) == (walk.state, walk.undone, walk.trace)
    assert other.components(walk.state) == walk.components(walk.state)
    other.redo(4)
    other.wander(50, 3)
    assert walk.undone == 4
    walk.redo(4)
    walk.wander(50, 3)
    # Also states that neither had met have the same numbers.
    assert (other.state, other.trace, other.steps) == (walk.state, walk.trace, walk.steps)
    other.replay(walk.trace)
    assert other.state == walk.state


def test_simulation_of_a_consumed_system_is_copied(again):
    system = LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "c", 2)])
    walk = Simulation.of_lts(system)
    lts.equivalence.minimise(system, "strong", consume=True)
    assert again(walk).steps == walk.steps


def test_running_simulation_is_not_copied(again):
    walk = mucrl.simulate(mucrl.read(ABP))
    with pytest.raises(LtsError, match="must not move the simulation"):
        walk.run(lambda _: again(walk))
    assert again(walk).state == walk.state

"""Orbits of networks in partitions, against those of one machine: the same bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aut_format
from lts import LTS, Defect, LimitReached, LtsError
from lts.cluster import Parts, network_orbits_in_parts, network_quotient_in_parts
from lts.network import Network, NetworkAction, action_of, network_orbits, network_quotient
from lts.state_space.settings import Limits, Settings
from lts.symmetry import encode
from ltstool.main import main
from strategies import systems

NUMBERS = ("order", "orbits", "steps", "states", "transitions", "deadlocks", "complete")
CLIENT = LTS.from_transitions([(0, "a", 1), (1, "b", 2), (1, "tau", 0), (2, "c", 0)])


def users(count, component=CLIENT):
    vectors = [({k: x}, f"{x}({k})") for k in range(count) for x in "ab"]
    vectors.append((dict.fromkeys(range(count), "c"), "all"))
    return Network.of([component] * count, vectors)


def written(certified, generators):
    reduction = encode(certified.quotient, generators, kind="labels")
    return aut_format.dumps(reduction.encoding), str(reduction.symmetry)


def numbers(found):
    return [getattr(found, name) for name in NUMBERS]


def test_orbits_equal_those_of_one_machine():
    orders = []

    @settings(max_examples=40)
    @given(
        systems(max_states=3, labels=("a", "b", "c", "tau"), min_transitions=2),
        st.integers(2, 4),
        st.integers(1, 4),
        st.sampled_from(("vectors", "tested")),
    )
    def check(component, count, partitions, proof):
        action = action_of(users(count, component))
        asked = Settings(proof=proof)
        whole = network_quotient(action, asked)
        found = network_quotient_in_parts(action, Parts(partitions), asked)
        assert numbers(found.explored) == numbers(whole.explored)
        assert written(found, action.permutations) == written(whole, action.permutations)
        counted = network_orbits_in_parts(action, Parts(partitions), asked)
        assert numbers(counted) == numbers(network_orbits(action, asked))
        orders.append(whole.explored.order)

    check()
    assert sum(order > 1 for order in orders) > 10


def test_limits_and_refused_settings():
    action = action_of(users(8))
    with pytest.raises(LimitReached):
        network_orbits_in_parts(action, Parts(3), Settings(limits=Limits(states=5)))
    with pytest.raises(LtsError, match="unknown proof `certificate`"):
        network_orbits_in_parts(action, Parts(3), Settings(proof="certificate"))
    with pytest.raises(LtsError):
        network_orbits_in_parts(action, Parts(3), Settings(node_limit=5))


def test_limited_run_resumes(tmp_path):
    action = action_of(users(6))
    run = str(tmp_path / "run")
    short = Settings(limits=Limits(time=0.0))
    with pytest.raises(LimitReached):
        network_orbits_in_parts(action, Parts(2, run=run), short)
    found = network_orbits_in_parts(action, Parts(2, run=run, resume=True))
    assert numbers(found) == numbers(network_orbits(action))
    other = action_of(users(5))
    with pytest.raises(LimitReached):
        network_orbits_in_parts(action, Parts(2, run=run), short)
    with pytest.raises(LtsError):
        network_orbits_in_parts(other, Parts(2, run=run, resume=True))


def test_false_symmetry_raises_an_internal_error():
    """Steps are compared with their images, though the vectors prove them."""
    slow = LTS.from_transitions([(0, "a", 1), (1, "b", 2), (1, "tau", 1), (2, "c", 0)])
    action = action_of(users(3))
    vectors = [({k: x}, f"{x}({k})") for k in range(3) for x in "ab"]
    vectors.append((dict.fromkeys(range(3), "c"), "all"))
    broken = Network.of([CLIENT, CLIENT, slow], vectors)
    wrong = NetworkAction(broken, action.by, action.permutations, action.moves)
    for partitions in (1, 3):
        with pytest.raises(Defect, match="the vectors seemed to prove"):
            network_quotient_in_parts(wrong, Parts(partitions), Settings(proof="tested"))


def test_the_program_writes_the_same(tmp_path, capsys):
    (tmp_path / "user.aut").write_text('des (0,2,2)\n(0,"ask",1)\n(1,"done",0)\n')
    network = tmp_path / "users.exp"
    vectors = ", ".join(
        f'{" * ".join(["_"] * k + [x] + ["_"] * (3 - k))} -> "{x}({k})"'
        for k in range(4)
        for x in ("ask", "done")
    )
    network.write_text(f"par using {vectors} in user || user || user || user end par")
    one, other = tmp_path / "one.aut", tmp_path / "other.aut"
    words = ["reduce", str(network), "--symmetry", "auto", "-q", "-o"]
    assert main([*words, str(one)]) == 0
    assert main([*words, str(other), "--partitions", "3"]) == 0
    assert one.read_bytes() == other.read_bytes()
    assert (tmp_path / "one.aut.sym").read_bytes() == (tmp_path / "other.aut.sym").read_bytes()
    capsys.readouterr()
    count = ["reduce", str(network), "--symmetry", "auto", "-q", "--count"]
    assert main(count) == 0
    output = capsys.readouterr().out
    assert main([*count, "--partitions", "2"]) == 0
    assert capsys.readouterr().out == output


def test_symmetries_that_move_no_component():
    """Of one component states and labels change places: elements are told apart by these."""
    choice = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "c", 0), (2, "d", 0)])
    vectors = [({0: x}, y) for x, y in zip("abcd", ("p(0)", "p(1)", "q(0)", "q(1)"), strict=True)]
    action = action_of(Network.of([choice], vectors))
    whole = network_quotient(action)
    assert whole.explored.order == 2
    found = network_quotient_in_parts(action, Parts(2))
    assert written(found, action.permutations) == written(whole, action.permutations)
    assert found.quotient.points == whole.quotient.points
    assert len(whole.quotient.points) > 1

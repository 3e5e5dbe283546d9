"""Settings, limits, goals and output that an exploration does not use are refused."""

import subprocess
import sys
from dataclasses import fields

import pytest

from lts import LTS
from lts.cluster import Parts, count_orbits_in_parts, generate_parts, minimise_parts
from lts.errors import LtsError
from lts.linear.linearise import linearise
from lts.logic import check_process
from lts.mucrl import read_text
from lts.network import Network, action_of, network_orbits
from lts.network import explore as explore_network
from lts.state_space.generation import Output, explore
from lts.state_space.settings import Goals, Limits, Settings
from lts.symmetry import certified_quotient, count_orbits, parse_permutation, refines_on_orbits

TEXT = "sort Bool func T,F:->Bool sort D func p,q:->D act a:D init sum(d:D, a(d).delta)"
PROCESS = linearise(read_text(TEXT))
SWAP = parse_permutation("(p q)")
ONE = LTS.from_transitions([(0, "a", 0)])
NETWORK = Network.of([ONE, ONE], [({0: "a"}, "a"), ({1: "a"}, "a")])
OF_GROUPS = [{"strategy": "refine"}, {"proof": "tested"}, {"sample": 5}, {"node_limit": 5}]
CHECK, NODES, POSITIONS = {"check": True}, {"node_limit": 5}, {"limits": Limits(positions=5)}


def acting():
    return action_of(NETWORK)


ASKED = {
    "explore": (lambda _, s: explore(PROCESS, s), [*OF_GROUPS, POSITIONS]),
    "a network": (lambda _, s: explore_network(NETWORK, s), [*OF_GROUPS, CHECK, POSITIONS]),
    "its orbits": (lambda _, s: network_orbits(acting(), s), [CHECK, POSITIONS]),
    "orbits": (lambda _, s: count_orbits(PROCESS, SWAP, s), [CHECK, POSITIONS]),
    "a quotient": (lambda _, s: certified_quotient(PROCESS, SWAP, s), [CHECK, POSITIONS]),
    "a refinement": (
        lambda _, s: refines_on_orbits(ONE, PROCESS, "trace", SWAP, s),
        [CHECK, NODES, POSITIONS],
    ),
    "partitions": (
        lambda out, s: generate_parts(PROCESS, out, Parts(2), s), [*OF_GROUPS, POSITIONS]
    ),
    "orbits in partitions": (
        lambda out, s: count_orbits_in_parts(PROCESS, SWAP, Parts(2), s),
        [CHECK, NODES, POSITIONS],
    ),
    "a formula": (lambda _, s: check_process(PROCESS, "<a(p)>true", SWAP, s), [CHECK, NODES]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "said"), [(call, said) for call, all_said in ASKED.values() for said in all_said]
)
def test_inapplicable_settings_are_refused(call, said, tmp_path):
    [name] = said
    with pytest.raises(LtsError, match=f" has no `{'positions' if name == 'limits' else name}`$"):
        call(tmp_path / "out.parts", Settings(**said))
    assert not list(tmp_path.iterdir())
    call(tmp_path / "out.parts", Settings(threads=2))


@pytest.mark.parametrize("said", [*OF_GROUPS, CHECK, POSITIONS])
def test_minimisation_in_partitions(said, tmp_path):
    generate_parts(PROCESS, tmp_path / "out.parts", Parts(2))
    with pytest.raises(LtsError, match=r"^a minimisation (in partitions )?has no "):
        minimise_parts(tmp_path / "out.parts", "strong", Parts(2), Settings(**said))


def test_ineffective_goals_and_output_are_refused():
    for said in ({"enough": 1}, {"enough": 2, "deadlocks": False}):
        with pytest.raises(LtsError, match="`enough` needs a search: for"):
            Goals(**said)
    assert Goals(enough=1, deadlocks=True).any
    for columns in (True, False):
        with pytest.raises(LtsError, match="`hide` needs `write`"):
            Output(columns, hide=["a"])
    with pytest.raises(LtsError, match="limits are said alone has no `limits`"):
        explore(PROCESS, Settings(limits=Limits(states=1)), limits=Limits(states=2))
    with pytest.raises(LtsError, match="unknown strategy `best`"):
        Settings(strategy="best")


EXPLORED = {
    "a process": lambda _, goals: explore(PROCESS, goals=goals),
    "a network": lambda _, goals: explore_network(NETWORK, goals=goals),
    "its orbits": lambda _, goals: network_orbits(acting(), goals=goals),
    "orbits": lambda _, goals: count_orbits(PROCESS, SWAP, goals=goals),
    "partitions": lambda out, goals: generate_parts(PROCESS, out, Parts(2), goals=goals),
}


@pytest.mark.parametrize("named", EXPLORED)
def test_explorations_ignore_no_goal(named, tmp_path):
    """A goal that an exploration does not read would be searched for in vain, without a word."""
    read = set()

    class Watched(Goals):
        def __getattribute__(self, name):
            read.add(name)
            return super().__getattribute__(name)

    goals = Watched(deadlocks=True, find=lambda label: label in ("a", "a(q)"), enough=5)
    read.clear()
    result = EXPLORED[named](tmp_path / "out.parts", goals)
    assert {field.name for field in fields(Goals)} <= read
    assert result.traces


@pytest.mark.parametrize("name", ["write", "to_arrow", "_repr_html_", "no_such"])
def test_methods_exist_without_importing_the_package(name):
    program = f"""
import sys
from lts.system.lts import LTS
assert "lts.methods" not in sys.modules and "lts.formats" not in sys.modules
print(hasattr(LTS.from_transitions([(0, "a", 1)]), "{name}"))
"""
    found = subprocess.run(
        [sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True
    )
    assert found.stdout == f"{name != 'no_such'}\n"

"""What a worker says that a superstep takes back of what is put away: the bound relies on it."""

from pathlib import Path

import pytest

from grouped_options import grouped
from lts import mucrl
from lts.cluster import Parts, certified_quotient_in_parts, generate_parts, levels, minimise_parts
from lts.cluster.turns import Turns
from lts.formats import parts
from lts.mucrl import linearise
from lts.state_space.settings import Limits, Settings
from partitioned import EQUIVALENCES, case

CASES = Path(__file__).parents[2] / "cases"
MUCH = 1 << 40


@pytest.fixture
def reads(monkeypatch):
    """For each superstep, and all else that is done, the bytes announced and read."""
    found = {}
    make_room, worked = Turns.make_room, Turns.note_work
    before = []

    def making_room(turns, index, method, more):
        make_room(turns, index, method, more)
        if index is not None:
            worker = turns.workers[index]
            before[:] = [(method, worker.back(method), worker.away().read)]

    def working(turns, index):
        for method, back, read in before:
            found.setdefault(method, []).append((back, turns.workers[index].away().read - read))
        before.clear()
        worked(turns, index)

    monkeypatch.setattr(Turns, "is_short", lambda turns, more: True)
    monkeypatch.setattr(Turns, "make_room", making_room)
    monkeypatch.setattr(Turns, "note_work", working)
    monkeypatch.setattr(levels, "STEPS", 300)
    return found


def enough(reads):
    """Never more is read than was announced; most supersteps read something."""
    for method, pairs in reads.items():
        assert all(back >= read for back, read in pairs), method
    return {method for method, pairs in reads.items() if any(read for _, read in pairs)}


def test_announced_reads_bound_actual_reads_in_generation(reads, tmp_path):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 3}))
    options = {"find": lambda label: "critical" in label, "limits": Limits(memory=MUCH)}
    generate_parts(
        process,
        tmp_path / "a.parts",
        **grouped(generate_parts, partitions=3, deadlocks=True, **options),
    )
    supersteps = {"expand", "receive", "number", "finish_level"}
    assert enough(reads) == supersteps | {"parent", "step", "close"}


def test_announced_reads_bound_actual_reads_in_minimisation(reads, tmp_path):
    system = mucrl.generate(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 3}))
    parts.write(system, tmp_path / "a.parts")
    for equivalence in EQUIVALENCES:
        minimise_parts(
            tmp_path / "a.parts",
            equivalence,
            parts=Parts(3),
            settings=Settings(limits=Limits(memory=MUCH)),
            labels=lambda lts: lts.hide(["critical*"]),
        )
    supersteps = {"sign", "spread", "offer", "merge", "split", "answer", "apply", "trim"}
    assert enough(reads) >= supersteps | {"signatures", "initial_block"}


def test_announced_reads_bound_actual_reads_in_orbit_search(reads):
    process, generators = case("peterson_turns", N=4)
    limits = Limits(memory=MUCH)
    certified_quotient_in_parts(
        process, generators, parts=Parts(3), settings=Settings(limits=limits)
    )
    assert enough(reads) >= {"expand", "receive", "number", "finish_level", "prove", "orbits"}

"""Orbits on a cluster: two nodes on this machine; workers are killed."""

import os
import random
import signal
from pathlib import Path

import pytest

import aut_format
from grouped_options import grouped
from lts import NotSymmetric, SpecificationError, mucrl
from lts.cluster import Parts, certified_quotient_in_parts, count_orbits_in_parts, levels
from lts.cluster.on_ray import OnRay
from lts.mucrl import linearise
from lts.state_space.settings import Settings
from lts.symmetry import certified_quotient, count_orbits, encode, parse_permutation
from partitioned import case

pytestmark = pytest.mark.xdist_group("cluster")
ray = pytest.importorskip("ray", reason="no ray: `make cluster-test`")
KILLS = 4
NUMBERS = ("order", "orbits", "steps", "states", "transitions", "deadlocks")


def numbers(explored):
    return [getattr(explored, name) for name in NUMBERS]


def written(certified, generators):
    """What is written of a quotient."""
    reduction = encode(certified.quotient, generators, kind="sorts")
    return aut_format.dumps(reduction.encoding), str(reduction.symmetry)


@pytest.mark.parametrize(
    ("name", "values", "partitions"),
    [("peterson_turns", {"N": 4}, 3), ("list_stack", {}, 3), ("lamps", {}, 1)],
)
def test_counts_equal_those_of_one_machine(cluster, name, values, partitions):
    process, generators = case(name, **values)
    for proof in ("certificate", "tested"):
        whole = count_orbits(process, generators, settings=Settings(proof=proof))
        found = count_orbits_in_parts(
            process,
            generators,
            parts=Parts(partitions, workers=OnRay),
            settings=Settings(proof=proof),
        )
        assert numbers(found) == numbers(whole)


def test_refusals_equal_those_of_one_machine(cluster):
    text = """sort Bool P func T,F:->Bool p1,p2:->P act a:P
    proc X = sum(p:P, a(p).Y) Y = a(p1).X init X"""
    process = linearise(mucrl.read_text(text))
    with pytest.raises(NotSymmetric):
        count_orbits_in_parts(process, parse_permutation("(p1 p2)"), parts=Parts(2, workers=OnRay))
    text = """sort Bool D func T,F:->Bool d0,d1:->D map f:D->Bool
    act a:D proc X = sum(x:D, a(x).Y(x)) Y(x:D) = a(x).X <| f(x) |> delta init X"""
    process = linearise(mucrl.read_text(text))
    swap = parse_permutation("(d0 d1)")
    with pytest.raises(SpecificationError) as whole:
        count_orbits(process, swap)
    with pytest.raises(SpecificationError) as found:
        count_orbits_in_parts(process, swap, parts=Parts(2, workers=OnRay))
    assert str(found.value).partition("\n")[0] == str(whole.value).partition("\n")[0]


class KillingOnRay(OnRay):
    """Workers on a cluster, of which one is killed now and then before a superstep."""

    chosen = random.Random(5)
    kills = 0
    left = 6
    """So many more times: without logs it would never end."""

    def step(self, method, arguments):
        if self.left and self.chosen.random() < 0.02:
            self.left -= 1
            self.kill()
        return super().step(method, arguments)

    def kill(self):
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = Path("/proc", number, "cmdline").read_bytes()
                if words.startswith(b"ray::_Actor") and self.chosen.random() < 0.5:
                    os.kill(int(number), signal.SIGKILL)
                    KillingOnRay.kills += 1
                    return
            except OSError:
                pass


def test_killed_workers_are_replaced(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(levels, "STEPS", 500)
    process, generators = case("peterson_turns", N=4)
    whole = count_orbits(process, generators)
    for kept in (None, tmp_path / "run"):
        KillingOnRay.kills = 0
        while KillingOnRay.kills < KILLS:
            options = {"partitions": 3, "workers": KillingOnRay, "run": kept}
            found = count_orbits_in_parts(
                process, generators, **grouped(count_orbits_in_parts, **options)
            )
            assert numbers(found) == numbers(whole)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "values", "partitions"),
    [("peterson_turns", {"N": 4}, 4), ("mutex", {}, 3), ("mutex", {}, 1)],
)
def test_quotient_equals_that_of_one_machine(cluster, tmp_path, name, values, partitions):
    process, generators = case(name, **values)
    whole = certified_quotient(process, generators)
    found = certified_quotient_in_parts(
        process, generators, parts=Parts(partitions, workers=OnRay, run=tmp_path / "a.aut")
    )
    assert written(found, generators) == written(whole, generators)


def test_killed_workers_of_a_quotient_are_replaced(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(levels, "STEPS", 500)
    process, generators = case("peterson_turns", N=4)
    whole = written(certified_quotient(process, generators), generators)
    KillingOnRay.kills = 0
    while KillingOnRay.kills < KILLS:
        found = certified_quotient_in_parts(
            process, generators, parts=Parts(3, workers=KillingOnRay, run=tmp_path / "a.aut")
        )
        assert written(found, generators) == whole
    assert list(tmp_path.iterdir()) == []

"""Minimisation on a cluster: two nodes on this machine; workers are killed."""

import os
import random
import signal
import threading
from pathlib import Path

import pytest

import aut_format
from lts import mucrl
from lts.cluster import Parts, generate_parts, minimise_parts
from lts.cluster.on_ray import OnRay
from lts.equivalence import minimise
from lts.errors import LtsError
from lts.formats import parts
from lts.mucrl import linearise

pytestmark = pytest.mark.xdist_group("cluster")
ray = pytest.importorskip("ray", reason="no ray: `make cluster-test`")
CASES = Path(__file__).parents[2] / "cases"
KILLS = 5


@pytest.fixture
def folder(tmp_path):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 4}))
    generate_parts(process, tmp_path / "a.parts", parts=Parts(3))
    return tmp_path / "a.parts"


def hidden(system):
    return system.hide(["criticalin"])


@pytest.mark.parametrize("equivalence", ["strong", "divergence-preserving-branching"])
@pytest.mark.parametrize("partitions", [1, 4])
def test_result_equals_that_of_one_machine(cluster, folder, equivalence, partitions):
    least = minimise(hidden(parts.read(folder)), equivalence)
    found = minimise_parts(
        folder, equivalence, parts=Parts(partitions, workers=OnRay), labels=hidden
    )
    assert aut_format.dumps(found) == aut_format.dumps(least)


class KillingOnRay(OnRay):
    """Workers on a cluster, of which one is killed now and then before a superstep."""

    chosen = random.Random(5)
    kills = 0

    def step(self, method, arguments):
        if self.chosen.random() < 0.03:
            KillingOnRay.kills += 1
            threading.Timer(self.chosen.uniform(0, 0.01), self.kill).start()
        return super().step(method, arguments)

    def kill(self):
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = Path("/proc", number, "cmdline").read_bytes()
                if words.startswith(b"ray::_Actor") and self.chosen.random() < 0.5:
                    os.kill(int(number), signal.SIGKILL)
                    return
            except OSError:
                pass


def test_killed_workers_are_replaced(cluster, folder, tmp_path):
    least = minimise(hidden(parts.read(folder)), "branching")
    while KillingOnRay.kills < KILLS:
        resume = False
        while True:
            try:
                found = minimise_parts(
                    folder,
                    "branching",
                    parts=Parts(3, workers=KillingOnRay, run=tmp_path / "out.aut", resume=resume),
                    labels=hidden,
                )
                break
            except LtsError:
                # So many in a row: it goes on.
                resume = (tmp_path / "out.aut.run").is_dir()
        assert aut_format.dumps(found) == aut_format.dumps(least)
        assert [file.name for file in tmp_path.iterdir()] == ["a.parts"]

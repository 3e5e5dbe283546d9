"""Generation on a cluster: two nodes on this machine, of two processors each; some are killed."""

import os
import random
import signal
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

import lts.cluster.on_ray
from grouped_options import grouped
from lts import mucrl
from lts.cluster import Parts, generate_parts
from lts.cluster.on_ray import OnRay, connect
from lts.errors import LtsError, SpecificationError
from lts.formats import parts
from lts.mucrl import linearise
from lts.state_space.generation import explore
from lts.state_space.settings import Goals, Settings
from partitioned import same_files

pytestmark = pytest.mark.xdist_group("cluster")
ray = pytest.importorskip("ray", reason="no ray: `make cluster-test`")
CASES = Path(__file__).parents[2] / "cases"
KILLS = 20


def test_missing_ray_cluster_is_an_error():
    # A port that is taken, by what does not listen.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(LtsError, match=f"no Ray cluster was found at `{address}`: .*refused"):
            connect(address)
    with pytest.raises(LtsError, match=r"no Ray cluster was found at `127\.0\.0\.1:99999`"):
        connect("127.0.0.1:99999")


def process_of(case, **values):
    return linearise(mucrl.read(CASES / f"{case}.mcrl", parameters=values))


@pytest.mark.parametrize(
    ("case", "values", "partitions"),
    [("peterson", {"N": 5}, 4), ("philosophers", {"N": 4}, 3), ("peterson", {"N": 3}, 1)],
)
def test_cases(cluster, case, values, partitions, tmp_path):
    process = process_of(case, **values)
    found = generate_parts(process, tmp_path / "a.parts", parts=Parts(partitions, workers=OnRay))
    whole = explore(process).lts
    sizes = found.statistics.states, found.statistics.transitions
    assert sizes == (whole.state_count, whole.transition_count)
    read = parts.read(tmp_path / "a.parts")
    for column in ("source", "label", "target"):
        assert bytes(getattr(read, column)) == bytes(getattr(whole, column))
    assert read.labels == whole.labels
    # Where workers are makes no difference.
    generate_parts(process, tmp_path / "b.parts", parts=Parts(partitions))
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")


def workers():
    """The processes of workers that are there, on all nodes."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", number, "cmdline").read_bytes()
        except OSError:
            continue
        if words.startswith(b"ray::_Actor"):
            found.append(int(number))
    return found


class Killer(threading.Thread):
    """Kills a worker at random moments, until it is stopped."""

    def __init__(self, seed):
        super().__init__()
        self.random, self.stopped, self.kills = random.Random(seed), threading.Event(), 0

    def run(self):
        while not self.stopped.wait(self.random.uniform(0.05, 1.5)):
            there = workers()
            if there:
                try:
                    os.kill(self.random.choice(there), signal.SIGKILL)
                    self.kills += 1
                except ProcessLookupError:
                    pass


def test_killed_workers_are_replaced(cluster, tmp_path):
    process = process_of("peterson", N=4)
    generate_parts(
        process, tmp_path / "whole.parts", parts=Parts(3), goals=Goals(deadlocks=True, enough=None)
    )
    kills = 0
    for seed in range(1000):
        killer = Killer(seed)
        killer.start()
        path, refused = tmp_path / f"{seed}.parts", ""
        options = {"partitions": 3, "deadlocks": True, "enough": None, "workers": OnRay}
        try:
            generate_parts(process, path, **grouped(generate_parts, **options))
        except LtsError as error:
            refused = str(error)
        finally:
            killer.stopped.set()
            killer.join()
        if refused:
            # So many in a row: it goes on when nobody kills, if Ray has told of all who died.
            for _ in range(3):
                assert "workers were lost repeatedly" in refused
                goes_on = "resume the run with --resume" in refused
                assert goes_on == path.with_name(f"{path.name}.run").exists()
                try:
                    options["resume"] = goes_on
                    generate_parts(process, path, **grouped(generate_parts, **options))
                    break
                except LtsError as error:
                    refused = str(error)
        assert same_files(path, tmp_path / "whole.parts")
        kills += killer.kills
        if kills >= KILLS:
            break
    assert kills >= KILLS
    assert not list(tmp_path.glob("*.run"))


def test_lost_node_is_replaced(cluster, tmp_path):
    process = process_of("peterson", N=4)
    node = cluster.add_node(num_cpus=2)
    removed = []

    def remove(statistics):
        if statistics.levels == 12 and not removed:
            cluster.remove_node(node)
            removed.append(node)

    generate_parts(
        process,
        tmp_path / "a.parts",
        parts=Parts(6, workers=OnRay),
        settings=Settings(progress=remove),
    )
    assert removed
    generate_parts(process, tmp_path / "b.parts", parts=Parts(6))
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")


def test_stopped_run_resumes_on_another_transport(cluster, tmp_path):
    process = process_of("peterson", N=4)

    class Stopped(Exception):
        pass

    def stop(statistics):
        if statistics.levels == 20:
            raise Stopped

    with pytest.raises(Stopped):
        generate_parts(
            process,
            tmp_path / "a.parts",
            parts=Parts(3, workers=OnRay),
            settings=Settings(progress=stop),
        )
    # On this machine alone, and there again.
    generate_parts(process, tmp_path / "a.parts", parts=Parts(3, resume=True))
    generate_parts(process, tmp_path / "b.parts", parts=Parts(3, workers=OnRay))
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")


def test_errors_are_reported_once(cluster, tmp_path, monkeypatch):
    text = """
    sort Bool D func T,F:->Bool d0,d1:->D map f:D->Bool var x:D rew f(d0)=T
    act a:D proc X(x:D) = a(x).Y(x) Y(x:D) = a(x).X(d1) <| f(x) |> delta init X(d0)
    """
    process = linearise(mucrl.read_text(text))
    with pytest.raises(SpecificationError) as whole:
        explore(process)
    with pytest.raises(SpecificationError) as found:
        generate_parts(process, tmp_path / "a.parts", parts=Parts(2, workers=OnRay))
    assert str(found.value) == str(whole.value)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        generate_parts(process, tmp_path / "nowhere" / "a.parts", parts=Parts(2, workers=OnRay))
    monkeypatch.setattr(lts.cluster.on_ray, "version", lambda package: "0.0")
    with pytest.raises(LtsError, match=r"a worker has version .* of ltstool instead of 0\.0"):
        generate_parts(process, tmp_path / "a.parts", parts=Parts(2, workers=OnRay))
    monkeypatch.undo()

    # Storage that workers do not have.
    def workers_without_storage(job):
        return OnRay(replace(job, run=str(tmp_path / "unmounted")))

    with pytest.raises(FileNotFoundError, match="unmounted"):
        generate_parts(
            process, tmp_path / "a.parts", parts=Parts(2, workers=workers_without_storage)
        )
    assert list(tmp_path.iterdir()) == []
    deadline = time.monotonic() + 60
    while workers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not workers()

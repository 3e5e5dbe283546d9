"""A cluster that is started here is for this process alone."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.xdist_group("cluster")
pytest.importorskip("ray", reason="no ray: `make cluster-test`")

LISTENING = """
import os, sys, tempfile
from lts.cluster.on_ray import connected
with connected(None) as processors:
    import psutil, ray
    me = psutil.Process()
    there = [me, *me.children(recursive=True)]
    places = {c.laddr.ip for p in there for c in p.net_connections() if c.status == "LISTEN"}
    folder = os.path.dirname(ray._private.worker.global_worker.node.get_temp_dir_path())
    mode = os.stat(folder).st_mode & 0o777
    address = ray.get_runtime_context().gcs_address
    assert os.environ["RAY_AUTH_MODE"] == "token"
    assert len(os.environ["RAY_AUTH_TOKEN"]) == 64
    intruder = f'''
import os, sys
del os.environ["RAY_AUTH_TOKEN"]
os.environ["RAY_AUTH_MODE"] = sys.argv[1]
if sys.argv[1] == "token":
    os.environ["RAY_AUTH_TOKEN"] = "0" * 64
import ray
ray.init(address="{address}", logging_level="fatal")
'''
    import subprocess
    for kind in ("disabled", "token"):
        try:
            done = subprocess.run(
                [sys.executable, "-c", intruder, kind], capture_output=True, text=True, timeout=60
            )
            print("intruder", kind, "is in" if done.returncode == 0 else "is kept out")
        except subprocess.TimeoutExpired:
            print("intruder", kind, "is kept out")
print(sorted(places), oct(mode), os.path.exists(folder))
"""


def test_started_cluster_is_private():
    done = subprocess.run(
        [sys.executable, "-c", LISTENING], capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr
    *intruders, last = done.stdout.splitlines()
    assert intruders == ["intruder disabled is kept out", "intruder token is kept out"]
    places, _, rest = last.partition("]")
    assert {place.strip("[]' ") for place in places.split(",")} <= {
        *("127.0.0.1", "::ffff:127.0.0.1", "::1")
    }
    assert rest.strip() == "0o700 False"


def test_an_earlier_import_of_ray_is_refused_or_private():
    script = """
import ray
from lts.errors import LtsError
from lts.cluster.on_ray import connected
try:
    with connected(None):
        print(ray.get_runtime_context().gcs_address)
except LtsError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("127.0.0.1:") or "import ray later" in done.stdout

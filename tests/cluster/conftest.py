"""A cluster of two nodes on this machine."""

import pytest


@pytest.fixture(scope="module")
def cluster():
    import ray
    from ray.cluster_utils import Cluster

    from lts.cluster.on_ray import connect

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    cluster.add_node(num_cpus=2)
    assert connect(cluster.address) == 4
    yield cluster
    ray.shutdown()
    cluster.shutdown()

"""State spaces in partitions, each owned by a worker: generated and minimised on several machines,
or on one.

A state belongs to the partition that a hash of its values says. Levels are explored breadth first
by all partitions together, in supersteps, between which batches go from each to each. States get
the numbers that one machine gives them, whatever the number of partitions, and so the same file.

Read `partition` (what every worker has), `worker` (one partition as the supersteps of a level need
it, its engine and its files), `transport` (how workers are called, and batches routed), `levels`
(the supersteps of a level, and what ends it), `generation`, `traces`. Minimisation has workers of
its own, `part_worker`, whose supersteps make `rounds`; `minimisation` has the rest. Where memory is
little, workers take `turns`. `orbits` explores one state of each orbit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.lazy import loader

if TYPE_CHECKING:
    from lts.cluster.generation import generate_parts
    from lts.cluster.minimisation import minimise_parts
    from lts.cluster.orbits.counting import certified_quotient_in_parts, count_orbits_in_parts
    from lts.cluster.orbits.networks import network_orbits_in_parts, network_quotient_in_parts
    from lts.cluster.parts import Parts

__all__ = [
    "Parts",
    "certified_quotient_in_parts",
    "count_orbits_in_parts",
    "generate_parts",
    "minimise_parts",
    "network_orbits_in_parts",
    "network_quotient_in_parts",
]

_HOME = {
    "Parts": "lts.cluster.parts",
    "certified_quotient_in_parts": "lts.cluster.orbits.counting",
    "count_orbits_in_parts": "lts.cluster.orbits.counting",
    "generate_parts": "lts.cluster.generation",
    "minimise_parts": "lts.cluster.minimisation",
    "network_orbits_in_parts": "lts.cluster.orbits.networks",
    "network_quotient_in_parts": "lts.cluster.orbits.networks",
}

__getattr__ = loader(__name__, _HOME)

"""State spaces in partitions, each owned by a worker: generated and minimised on several machines
or on one.

A hash of a state's values determines its partition. All partitions explore one level after the
other, breadth first, in supersteps; after each superstep, every partition sends a batch of messages
to every other. States get the same numbers as on one machine, whatever the number of partitions, so
the resulting files are the same.

Modules in reading order: `partition` (common to all workers), `worker` (one partition, with its
engine and files), `transport` (calls workers and routes batches), `levels` (the supersteps of a
level, and what ends it), `generation`, `traces`. Minimisation has workers of its own,
`part_worker`; `refinement` has their supersteps, `minimisation` the rest. If memory is limited,
workers take `turns`. `orbits` explores one state of each orbit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

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

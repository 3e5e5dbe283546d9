"""The symmetries of a network, found and proven from its components and vectors alone.

Start with `structure`, which defines the symmetries of a network; `found` computes all of them.
`action` is the action of some of them on states, with a proof, or the reason why there is none
(`witness`). `orbits` explores one state of each orbit.
"""

from __future__ import annotations

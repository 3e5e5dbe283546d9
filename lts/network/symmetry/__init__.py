"""The symmetries of a network, found and proven from its components and vectors alone.

Read `structure` first, which says what a symmetry of a network is; `found` finds all, `action` is
what some of them do to states, proven, or why there is none that does what is wanted (`witness`).
`orbits` explores one state of each orbit.
"""

from __future__ import annotations

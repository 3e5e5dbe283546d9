"""The state space of a network under its symmetries: one state of each orbit, on the fly.

The symmetries are proven from components and vectors before the exploration; as a safeguard, they
are tested in some states nevertheless.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lts.errors import LimitReached, NotProven
from lts.network.exploration import explore
from lts.network.network import Network
from lts.network.symmetry.action import NetworkAction
from lts.state_space.generation import NOTHING, Trace
from lts.state_space.settings import DEFAULT, NO_GOALS, Goals, Settings
from lts.symmetry.data.certify import Certified, Explored, explored_whole
from lts.symmetry.data.proof.deciding import WHOLE, Whole
from lts.symmetry.labels.automorphism import check
from lts.symmetry.permutation.notation import Permutation
from lts.symmetry.proven_action import orbits_under, quotient_under

__all__ = ["network_orbits", "network_quotient", "quotient_of_whole"]


def network_quotient(action: NetworkAction, settings: Settings = DEFAULT) -> Certified:
    """Explore one state of each orbit of a network, and return the annotated quotient.

    `action` are symmetries of the network (`lts.network.action_of`). Counts refer to the network
    that they act on. The `proof` of the settings is "vectors", by default, or "tested": then all
    explored steps are compared with those of their images, otherwise those in `sample` states. The
    result depends neither on the number of threads nor on the `node_limit`. Raises `LimitReached`
    if there are too many orbits or another limit is exceeded.

    >>> from lts import LTS
    >>> from lts.network import Network, action_of, network_quotient
    >>> user = LTS.from_transitions([(0, "work", 1), (1, "rest", 0)])
    >>> vectors = [({k: a}, f"{a}({k})") for k in range(3) for a in ("work", "rest")]
    >>> found = network_quotient(action_of(Network.of([user] * 3, vectors))).explored
    >>> found.order, found.orbits, found.states, found.transitions
    (6, 4, 8, 24)
    """
    return quotient_under(action, settings)


def network_orbits(
    action: NetworkAction, settings: Settings = DEFAULT, goals: Goals = NO_GOALS
) -> Explored:
    """Count the orbits of a network, with the states and transitions that they represent.

    Shortest traces of the network lead to the `goals`, one for each orbit. Settings and errors are
    those of `network_quotient`, which needs many times the memory.
    """
    return orbits_under(action, settings, goals)


def quotient_of_whole(
    network: Network,
    permutations: Sequence[Permutation],
    missing: NotProven,
    settings: Settings = DEFAULT,
    goals: Goals = NO_GOALS,
) -> Certified:
    """Decide on the state space what the vectors of a network leave open.

    Raises `NotSymmetric` if the permutations are not symmetries of the state space, and `missing`
    if it is too large to decide.
    """
    settings = Settings(limits=settings.limits, threads=settings.threads)
    states = settings.limits.states
    most = WHOLE if states is None else min(WHOLE, states)
    limits = replace(settings.limits, states=most)
    generation = explore(network, replace(settings, limits=limits))
    if generation.incomplete == "interrupted":
        raise KeyboardInterrupt
    if generation.incomplete is not None or generation.lts is None:
        raise missing
    try:
        whole = Whole(generation, check(generation.lts, permutations))
    except LimitReached:
        raise missing from None
    traces: tuple[Trace, ...] = ()
    if goals.any:
        traces = explore(network, settings, goals, output=NOTHING).traces
    groups = len({tuple(k for k, _ in vector.moves) for vector in network.vectors})
    return Certified(whole.found.quotient, explored_whole(whole, groups, traces))

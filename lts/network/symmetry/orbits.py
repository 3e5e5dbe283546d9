"""The state space of a network under its symmetries: one state of each orbit, on the fly.

The symmetries are proven from components and vectors before the exploration; as a safeguard, they
are tested in some states nevertheless.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lts import _engine
from lts.errors import Defect, LimitReached, LtsError, NotProven
from lts.network.exploration import explore
from lts.network.network import Network
from lts.network.symmetry.action import NetworkAction
from lts.state_space.generation import NOTHING, Trace, refuse_limit
from lts.state_space.settings import DEFAULT, NO_GOALS, Goals, Settings, limit_errors
from lts.symmetry.data.certify import Certified, Explored, explored, explored_whole, sizes
from lts.symmetry.data.proof.deciding import WHOLE, Whole
from lts.symmetry.labels.automorphism import check
from lts.symmetry.permutation.known import SEEN, SYSTEM
from lts.symmetry.permutation.notation import Permutation

__all__ = ["PROOFS", "network_orbits", "network_quotient", "quotient_of_whole"]

PROOFS = ("vectors", "tested")
"""Proofs of symmetry for a network: from its vectors, or by testing all steps as well."""


def network_quotient(action: NetworkAction, settings: Settings = DEFAULT) -> Certified:
    """Explore one state of each orbit of a network, and return the annotated quotient.

    `action` are symmetries of the network (`lts.network.action_of`). Counts refer to the network
    that they act on. The `proof` of the settings is one of `PROOFS`, by default "vectors"; with
    "tested", all explored steps are compared with those of their images, otherwise those in
    `sample` states. The result depends neither on the number of threads nor on the `node_limit`.
    Raises `LimitReached` if there are too many orbits or another limit is exceeded.

    >>> from lts import LTS
    >>> from lts.network import Network, action_of, network_quotient
    >>> user = LTS.from_transitions([(0, "work", 1), (1, "rest", 0)])
    >>> vectors = [({k: a}, f"{a}({k})") for k in range(3) for a in ("work", "rest")]
    >>> found = network_quotient(action_of(Network.of([user] * 3, vectors))).explored
    >>> found.order, found.orbits, found.states, found.transitions
    (6, 4, 8, 24)
    """
    found, facts = _explore(action, settings, NO_GOALS, rows=True)
    assert found is not None
    return Certified(found, facts)


def network_orbits(
    action: NetworkAction, settings: Settings = DEFAULT, goals: Goals = NO_GOALS
) -> Explored:
    """Count the orbits of a network, with the states and transitions that they represent.

    Shortest traces of the network lead to the `goals`, one for each orbit. Settings and errors are
    those of `network_quotient`, which needs many times the memory.
    """
    return _explore(action, settings, goals, rows=False)[1]


def _explore(
    action: NetworkAction, settings: Settings, goals: Goals, *, rows: bool
) -> tuple[_engine.Quotient | None, Explored]:
    proof = settings.proof or "vectors"
    if proof not in PROOFS:
        raise LtsError(f"unknown proof `{proof}` (known: {', '.join(PROOFS)})")
    settings.refuse("check", "positions", what="a network")
    proven, limits = proof == "vectors", settings.limits
    with limit_errors(limits):
        found = _engine.quotient(action.engine, action.symmetry(proven), settings, goals, rows)
    broken = found.broken and (found.broken[0], found.broken[2])
    refuted = broken or found.defect
    if refuted is not None:
        which, witness = refuted
        raise Defect(
            f"the vectors seemed to prove `{action.permutations[which]}`, but the tested steps "
            f"differ: {witness}"
        )
    if found.incomplete not in (None, "found"):
        refuse_limit(None, found.incomplete, None, sizes(found), limits)
    groups = len({tuple(k for k, _ in vector.moves) for vector in action.network.vectors})
    return found.quotient, explored(
        found,
        order=found.order,
        strategy=found.strategy,
        store=found.store,
        situations=found.checked,
        proving=found.proving,
        summands=groups,
        from_text=groups if proven else 0,
        proof=proof,
        reach=SYSTEM if proven or found.incomplete is None else SEEN,
        sampled=found.sampled,
    )


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

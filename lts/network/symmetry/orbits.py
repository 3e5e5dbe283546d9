"""The state space of a network under its symmetries: one state of each orbit, on the fly.

The symmetries are proven from components and vectors, before anything is explored; what is proven
is compared all the same in some states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lts import _engine
from lts.errors import Defect, LimitReached, LtsError, NotProven
from lts.names import label_text
from lts.network.exploration import explore, limits_told
from lts.network.network import Network
from lts.network.symmetry.action import NetworkAction
from lts.state_space.generation import NO_LIMITS, Limits, Trace, refuse_limit
from lts.symmetry.data.certify import Certified, Explored, explored, explored_whole, sizes
from lts.symmetry.data.exploration import SAMPLE, Asked, Progress, check_strategy
from lts.symmetry.data.proof.deciding import WHOLE, Whole
from lts.symmetry.labels.automorphism import check
from lts.symmetry.permutation.known import SEEN, SYSTEM
from lts.symmetry.permutation.notation import Permutation

__all__ = ["PROOFS", "network_orbits", "network_quotient", "quotient_of_whole"]

PROOFS = ("vectors", "tested")
"""How the symmetry of a network is proven: from its vectors, or by comparing all steps as well."""


def network_quotient(
    action: NetworkAction,
    *,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    threads: int = 1,
    proof: str = "vectors",
    sample: int = SAMPLE,
    node_limit: int | None = None,
    progress: Progress | None = None,
) -> Certified:
    """Explore one state of each orbit of a network, and return the annotated quotient.

    `action` are symmetries of the network (`lts.network.action_of`). Counts are those of the
    network on which they act. With `proof` "tested" all steps that were seen are compared with
    those of their images, too; else those in `sample` states. The result does not depend on the
    number of `threads`, nor on the `node_limit`, which is as that of
    `lts.symmetry.certified_quotient`. Raises `LimitReached` for more orbits or whatever the
    `limits` say.

    >>> from lts import LTS
    >>> from lts.network import Network, action_of, network_quotient
    >>> user = LTS.from_transitions([(0, "work", 1), (1, "rest", 0)])
    >>> vectors = [({k: a}, f"{a}({k})") for k in range(3) for a in ("work", "rest")]
    >>> found = network_quotient(action_of(Network.of([user] * 3, vectors))).explored
    >>> found.order, found.orbits, found.states, found.transitions
    (6, 4, 8, 24)
    """
    asked = Asked(limits, strategy, threads, proof, sample, node_limit, progress, rows=True)
    found, told = _explore(action, asked)
    assert found is not None
    return Certified(found, told)


def network_orbits(
    action: NetworkAction,
    *,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    threads: int = 1,
    proof: str = "vectors",
    sample: int = SAMPLE,
    node_limit: int | None = None,
    progress: Progress | None = None,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
) -> Explored:
    """Count the orbits of a network, and the states and transitions they stand for.

    With `deadlocks`, and for labels that `find` says yes to, shortest traces of the network are
    collected, one for each orbit; the exploration stops when there are `enough`. Other arguments
    and errors are those of `network_quotient`, in a fraction of its memory.
    """
    asked = Asked(
        limits,
        strategy,
        threads,
        proof,
        sample,
        node_limit,
        progress,
        False,
        deadlocks,
        find,
        enough,
    )
    return _explore(action, asked)[1]


def _explore(action: NetworkAction, asked: Asked) -> tuple[_engine.Quotient | None, Explored]:
    check_strategy(asked.strategy)
    if asked.proof not in PROOFS:
        raise LtsError(f"there is no proof `{asked.proof}` (known: {', '.join(PROOFS)})")
    proven = asked.proof == "vectors"
    limits, find = asked.limits, asked.find
    options = _engine.Options(
        limits.states,
        limits.values,
        limits.memory,
        limits.time_left,
        asked.strategy,
        asked.threads,
        asked.sample,
        asked.node_limit,
    )
    with limits_told(limits):
        found = _engine.quotient(
            action.engine,
            action.symmetry(proven),
            options,
            asked.progress,
            asked.rows,
            asked.deadlocks,
            None if find is None else lambda label: find(label_text(label)),
            asked.enough,
        )
    refuted = found.witness or found.defect
    if refuted is not None:
        which, witness = refuted
        raise Defect(
            f"the vectors were taken to prove `{action.permutations[which]}`, and steps that were "
            f"compared differ: {witness}"
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
        proof=asked.proof,
        reach=SYSTEM if proven or found.incomplete is None else SEEN,
        sampled=found.sampled,
    )


def quotient_of_whole(
    network: Network,
    permutations: Sequence[Permutation],
    missing: NotProven,
    *,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
) -> Certified:
    """Decide on the state space of a network what its vectors do not show.

    Raises `NotSymmetric` if it has no such symmetry, `missing` if it is too large to tell.
    """
    most = WHOLE if limits.states is None else min(WHOLE, limits.states)
    generation = explore(network, limits=replace(limits, states=most), threads=threads)
    if generation.incomplete == "interrupted":
        raise KeyboardInterrupt
    if generation.incomplete is not None or generation.lts is None:
        raise missing
    try:
        whole = Whole(generation, check(generation.lts, permutations))
    except LimitReached:
        raise missing from None
    traces: tuple[Trace, ...] = ()
    if deadlocks or find is not None:
        searched = explore(
            network,
            limits=limits,
            threads=threads,
            columns=False,
            deadlocks=deadlocks,
            find=find,
            enough=enough,
        )
        traces = searched.traces
    groups = len({tuple(k for k, _ in vector.moves) for vector in network.vectors})
    return Certified(whole.found.quotient, explored_whole(whole, groups, traces))

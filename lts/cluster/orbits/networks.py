"""Orbits of networks in partitions; the counterpart of `OfProcess` for networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lts import _engine
from lts.cluster.orbits.attempts import Attempts
from lts.cluster.orbits.counting import in_run
from lts.cluster.orbits.exploring import Found, Query, explored_under
from lts.cluster.parts import Parts
from lts.cluster.subject import facts
from lts.errors import Defect, LtsError
from lts.network.symmetry.action import NetworkAction
from lts.network.symmetry.orbits import PROOFS
from lts.state_space.settings import DEFAULT, Settings
from lts.symmetry.data.certify import Certified, Explored

__all__ = ["network_orbits_in_parts", "network_quotient_in_parts"]


def network_orbits_in_parts(
    action: NetworkAction, parts: Parts, settings: Settings = DEFAULT
) -> Explored:
    """Count the orbits of a network in partitions, and the states and transitions they stand for.

    The numbers are those of `lts.network.network_orbits`, for any number of partitions; partitions
    and errors are as for `count_orbits_in_parts`.
    """
    return _explored(action, Query(settings, parts, rows=False))[1]


def network_quotient_in_parts(
    action: NetworkAction, parts: Parts, settings: Settings = DEFAULT
) -> Certified:
    """Explore one state of each orbit of a network in partitions.

    The quotient is that of `lts.network.network_quotient`; all else is as for
    `certified_quotient_in_parts`.
    """
    found, explored = _explored(action, Query(settings, parts, rows=True))
    assert found is not None
    # Elements are written as permutations of components, as on one machine (`NetworkAction.given`).
    return Certified(found.onto(len(action.network.components)), explored)


def _explored(action: NetworkAction, query: Query) -> Found:
    settings = query.settings
    settings.refuse("node_limit", "positions", "check", what="an exploration in partitions")
    about = {"symmetry": list(map(str, action.permutations)), "by": action.by}

    def explore(attempts: Attempts) -> Found:
        found = explored_under(lambda settings: _Task(action, settings), query, attempts)
        attempts.done()
        return found

    return in_run(query, about | facts(action.network), explore)


class _Task:
    """A network, and a group of symmetries that its synchronisation vectors prove."""

    groups: Sequence[Sequence[int]] = ()

    def __init__(self, action: NetworkAction, settings: Settings) -> None:
        self.proof = settings.proof or PROOFS[0]
        if self.proof not in PROOFS:
            raise LtsError(f"unknown proof `{self.proof}` (known: {', '.join(PROOFS)})")
        self.action = action
        self.process = action.network
        count = len({tuple(k for k, _ in vector.moves) for vector in action.network.vectors})
        self.proven = [self.proof == PROOFS[0]] * count
        self.given = action.given(all(self.proven))
        self.generators = len(action.moves)

    def is_about(self, open_terms: Sequence[str]) -> bool:
        """Return False: networks have no values that the proof does not cover."""
        return False

    def refuse_defect(self, defect: tuple[int, _engine.Witness] | None) -> None:
        """Raise `Defect` if a sampled comparison contradicts the proof."""
        if defect is not None:
            raise self.not_proven(*defect)

    def not_proven(self, which: int, witness: Any) -> Exception:
        """Return the error that steps differ from their images although the vectors prove the
        symmetry."""
        return Defect(
            f"the vectors seemed to prove `{self.action.permutations[which]}`, but the tested "
            f"steps differ: {witness}"
        )

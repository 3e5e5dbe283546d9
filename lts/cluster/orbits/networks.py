"""Orbits of networks and nets in partitions; the counterpart of `OfProcess` for proven groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lts._engine as _engine
from lts.cluster.orbits.attempts import Attempts
from lts.cluster.orbits.counting import in_run
from lts.cluster.orbits.exploring import Found, Query, explored_under
from lts.cluster.parts import Parts
from lts.source import source_of
from lts.state_space.settings import DEFAULT, Settings
from lts.symmetry.data.certify import Certified, Explored
from lts.symmetry.proven_action import TESTED, ProvenAction, is_proven, seemed_proven

__all__ = ["network_orbits_in_parts", "network_quotient_in_parts"]


def network_orbits_in_parts(
    action: ProvenAction, parts: Parts, settings: Settings = DEFAULT
) -> Explored:
    """Count the orbits of a network or net in partitions, and the states and transitions that they
    stand for.

    The numbers are those of `lts.network.network_orbits`, for any number of partitions; partitions
    and errors are as for `count_orbits_in_parts`.
    """
    return _explored(action, Query(settings, parts, with_quotient=False))[1]


def network_quotient_in_parts(
    action: ProvenAction, parts: Parts, settings: Settings = DEFAULT
) -> Certified:
    """Explore one state of each orbit of a network or net in partitions.

    The quotient is that of `lts.network.network_quotient`; all else is as for
    `certified_quotient_in_parts`.
    """
    found, explored = _explored(action, Query(settings, parts, with_quotient=True))
    assert found is not None
    # Elements are written as permutations of components, as on one machine (`NetworkAction.given`).
    return Certified(found if action.shown is None else found.onto(action.shown), explored)


def _explored(action: ProvenAction, query: Query) -> Found:
    settings = query.settings
    settings.refuse("node_limit", "positions", "check", what="an exploration in partitions")
    about = {"symmetry": list(map(str, action.permutations)), "by": action.proof}

    def explore(attempts: Attempts) -> Found:
        found = explored_under(lambda settings: _Task(action, settings), query, attempts)
        attempts.done()
        return found

    return in_run(query, about | source_of(action.subject).fingerprint(), explore)


class _Task:
    """A network or net, and a proven group of symmetries."""

    groups: Sequence[Sequence[int]] = ()

    def __init__(self, action: ProvenAction, settings: Settings) -> None:
        proven = is_proven(action, settings)
        self.proof = action.proof if proven else TESTED
        self.action = action
        self.process = action.subject
        self.proven = [proven] * action.summands
        self.given = action.given(proven)
        self.generators = len(action.permutations)

    def is_about(self, open_terms: Sequence[str]) -> bool:
        """Return False: there are no values that the proof does not cover."""
        return False

    def refuse_defect(self, defect: tuple[int, _engine.Witness] | None) -> None:
        """Raise `Defect` if a sampled comparison contradicts the proof."""
        if defect is not None:
            raise self.not_proven(*defect)

    def not_proven(self, which: int, witness: Any) -> Exception:
        """Return the error that steps differ from their images although the symmetry is
        proven."""
        return seemed_proven(self.action, which, witness)

"""Explorations under a group that was proven beforehand: the symmetries of networks and nets.

As a safeguard, they are tested in some states nevertheless.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import lts._engine as _engine
from lts.errors import Defect, LtsError
from lts.state_space.generation import refuse_limit
from lts.state_space.settings import NO_GOALS, Goals, Settings, limit_errors
from lts.symmetry.data.certify import Certified, Explored, explored, sizes
from lts.symmetry.permutation.known import SEEN, SYSTEM
from lts.symmetry.permutation.notation import Permutation

__all__ = ["TESTED", "ProvenAction", "is_proven", "orbits_under", "quotient_under", "seemed_proven"]

TESTED = "tested"
"""The proof that tests all steps, whatever else is known."""


class ProvenAction(Protocol):
    """The action of a proven group on a system."""

    @property
    def proof(self) -> str:
        """The basis of the proof, such as `vectors`."""

    @property
    def permutations(self) -> tuple[Permutation, ...]:
        """The generators."""

    @property
    def summands(self) -> int:
        """The number of summands in the engine."""

    @property
    def engine(self) -> _engine.Process:
        """The system as an engine object."""

    @property
    def subject(self) -> Any:
        """The system itself."""

    @property
    def shown(self) -> int | None:
        """The number of points that determine an element and are shown; None for all."""

    def written(self, images: Sequence[int]) -> str:
        """Return an element of the engine's group, given by its images of the points, as text."""

    def at_limit(self) -> str:
        """Return a remark, or "", for the message that a limit stopped an exploration."""

    def given(self, proven: bool) -> tuple[Any, ...]:
        """Return the arguments of the engine's group, `proven` already or to be tested."""


def is_proven(action: ProvenAction, settings: Settings) -> bool:
    """Whether the action counts as proven with these settings; raise `LtsError` for an unknown
    proof."""
    proofs = (action.proof, TESTED)
    if settings.proof is not None and settings.proof not in proofs:
        raise LtsError(f"unknown proof `{settings.proof}` (known: {', '.join(proofs)})")
    return settings.proof != TESTED


def quotient_under(action: ProvenAction, settings: Settings) -> Certified:
    """Explore one state of each orbit, and return the annotated quotient."""
    found, facts = _explore(action, settings, NO_GOALS, with_quotient=True)
    assert found is not None
    return Certified(found, facts)


def orbits_under(
    action: ProvenAction,
    settings: Settings,
    goals: Goals = NO_GOALS,
    engine: _engine.Process | None = None,
) -> Explored:
    """Count the orbits, with the states and transitions that they represent. `engine` is the
    engine's object of the action, if the caller needs it afterwards, for traces."""
    return _explore(action, settings, goals, with_quotient=False, engine=engine)[1]


def _explore(
    action: ProvenAction,
    settings: Settings,
    goals: Goals,
    *,
    with_quotient: bool,
    engine: _engine.Process | None = None,
) -> tuple[_engine.Quotient | None, Explored]:
    proven, limits = is_proven(action, settings), settings.limits
    settings.refuse("check", "positions", what="a network or net")
    with limit_errors(limits):
        group = _engine.Symmetry(*action.given(proven))
        engine = action.engine if engine is None else engine
        found = _engine.quotient(engine, group, settings, goals, with_quotient)
    broken = found.broken and (found.broken[0], found.broken[2])
    refuted = broken or found.defect
    if refuted is not None:
        raise seemed_proven(action, *refuted)
    if found.incomplete not in (None, "found"):
        assert found.incomplete is not None
        refuse_limit(None, found.incomplete, None, sizes(found), limits, action.at_limit())
    return found.quotient, explored(
        found,
        action.written,
        order=found.order,
        strategy=found.strategy,
        store=found.store,
        situations=found.checked,
        proving=found.proving,
        summands=action.summands,
        from_text=action.summands if proven else 0,
        proof=action.proof if proven else TESTED,
        reach=SYSTEM if proven or found.incomplete is None else SEEN,
        sampled=found.sampled,
    )


def seemed_proven(action: ProvenAction, which: int, witness: object) -> Defect:
    """Return the error that steps differ from their images although the symmetry was proven."""
    return Defect(
        f"the {action.proof} seemed to prove `{action.permutations[which]}`, but the tested steps "
        f"differ: {witness}"
    )

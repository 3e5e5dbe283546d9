"""Explorations under a group: the request to the engine, and the facts that each result has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import lts._engine as _engine
from lts.errors import Defect, NotProven
from lts.linear.total import has_no_other_values
from lts.state_space.generation import evaluation_errors, normal_forms
from lts.state_space.settings import Settings
from lts.symmetry.data.action import GroupAction
from lts.symmetry.permutation.known import SYSTEM, Proof, undecided

__all__ = ["Exploration", "Task"]

_FOUND = 4
"""If the text proves all summands, the exploration finds this many orbits for each sampled one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """Cost of an exploration under a group, and how the symmetry was proven.

    `order` is the order of the group, `store` the bytes taken by the representatives, which
    `strategy` chose. The text proves the symmetry of `from_text` of the `summands`; for the others
    `situations` local situations were compared with their images, in `proving` seconds. `proof` is
    one of `PROOFS`; `reach`, one of `REACHES`, says what part of the system it covers. `sampled`
    counts the states and local situations that were compared although the text proves them.
    `normal_forms` has one application of each function that no equation matched for some value.
    """

    order: int
    strategy: str
    store: int
    situations: int
    proving: float
    summands: int
    from_text: int
    proof: str
    reach: str
    sampled: int
    normal_forms: tuple[str, ...] = ()

    @property
    def known(self) -> Proof:
        """How the group is proven, and the words for it."""
        return Proof(
            self.order,
            self.reach,
            self.proof,
            self.summands,
            self.from_text,
            self.situations,
            self.proving,
        )

    @property
    def certified(self) -> bool:
        """Whether the symmetry is proven for the whole system."""
        return self.reach == SYSTEM


class Task:
    """A request to the engine: a process, a group of its symmetries, and options."""

    def __init__(
        self, group_action: GroupAction, settings: Settings, *, text: bool = False
    ) -> None:
        settings.refuse("check", what="an exploration under a group")
        self.group_action = group_action
        self.process = group_action.process
        self.limits = limits = settings.limits
        self.proof = settings.proof or "certificate"
        self.proven = group_action.proven(self.proof)
        self.symmetry = group_action.symmetry(self.proof, self.proven)
        few = _FOUND * max(settings.sample, 1)
        self.is_shown = text and (limits.states is None or few < limits.states) and self.is_sure
        """Whether a proof from the text is asked for and succeeds; then only a `few` states are
        explored."""
        if self.is_shown:
            settings = replace(settings, limits=replace(limits, states=few))
        self.settings = settings

    @cached_property
    def is_sure(self) -> bool:
        """Whether the text proves all steps of all states, including states not explored."""
        return all(self.proven) and has_no_other_values(self.group_action.in_cells)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn exceptions of the engine into errors about the text or about the symmetry."""
        try:
            with evaluation_errors(self.process, self.limits):
                yield
        except _engine.Unproven:
            missing = "the trace found on orbits could not be replayed in the system"
            raise undecided(self.group_action.lifted[0].permutation, missing=missing) from None

    @property
    def is_about_others(self) -> bool:
        """Whether the exploration visited values that a proof from the text does not cover.

        Such a proof covers values built from constructors and from constants without equations. If
        there are others, their steps have to be compared. Raises `NotProven` if only the static
        proof is allowed.
        """
        return self.is_about(normal_forms(self.group_action.engine))

    def is_about(self, open_terms: Sequence[str]) -> bool:
        """Whether a proof from the text does not cover values with these applications in them,
        which no equation matches."""
        relies = self.proof != "tested" and (any(self.proven) or bool(self.group_action.maps))
        if not open_terms or not relies:
            return False
        if self.proof == "static":
            raise NotProven(
                "the text alone does not prove it",
                missing=f"no equation fits `{open_terms[0]}`, which is not a value that the proof "
                "covers",
            )
        return True

    def refuse_defect(self, defect: tuple[int, _engine.Witness] | None) -> None:
        """Raise `Defect` if a sampled comparison contradicts the proof from the text."""
        if defect is not None:
            which, witness = defect
            one = self.group_action.lifted[which]
            raise Defect(
                f"the text seemed to prove `{one.permutation}`, but the tested steps "
                f"differ\n{one.in_words(witness)}"
            )

    def facts(self, found: _engine.GroupStatistics, reach: str) -> dict[str, Any]:
        """Return the fields of an `Exploration`; `reach` says what part of the system is
        covered."""
        if self.is_sure:
            reach = SYSTEM
        return {
            "order": found.order,
            "strategy": found.strategy,
            "store": found.store,
            "situations": found.checked,
            "proving": found.proving,
            "summands": len(self.proven),
            "from_text": sum(self.proven),
            "proof": self.proof,
            "reach": reach,
            "sampled": found.sampled,
            "normal_forms": normal_forms(self.group_action.engine),
        }

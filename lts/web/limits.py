"""Limits on the size of systems on a page."""

from __future__ import annotations

from lts.base.bounds import PAGE_STATES, PAGE_TRANSITIONS
from lts.errors import LimitReached
from lts.system.lts import LTS

__all__ = ["MAX_STATES", "refuse_large", "refuse_sizes"]

MAX_STATES = PAGE_STATES.default
"""Default limit on the states of a system on a page."""


def refuse_large(system: LTS, most: int) -> None:
    """Raise `LimitReached` for more than `most` states, or very many transitions."""
    refuse_sizes(system.state_count, system.transition_count, most)


def refuse_sizes(states: int, transitions: int, most: int) -> None:
    """Raise `LimitReached` as `refuse_large` does, for a system of these sizes."""
    for count, limit, what in (
        (states, most, "states"),
        (transitions, PAGE_TRANSITIONS.default * most, "transitions"),
    ):
        if count > limit:
            raise LimitReached(
                f"{count} {what} are too many for a page, at most {limit}: minimise or reduce "
                "the system first, or allow more (--max-states, in Python max_states)",
                limit=limit,
                found={what: count},
            )

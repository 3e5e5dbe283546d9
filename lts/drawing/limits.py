"""Limits on the size of drawn systems."""

from __future__ import annotations

from lts.errors import LtsError
from lts.system import LTS

__all__ = ["MAX_STATES", "check_size"]

MAX_STATES = 200
"""Default limit on the states of a drawn system."""


def check_size(system: LTS, max_states: int | None = None) -> None:
    """Raise `LtsError` if a system has more states than `max_states`, `MAX_STATES` by default."""
    most = MAX_STATES if max_states is None else max_states
    if system.state_count > most:
        raise LtsError(
            f"{system.state_count} states are too many to draw, at most {most}: minimise the "
            "system first, allow more with --max-states, or use `ltstool view`"
        )

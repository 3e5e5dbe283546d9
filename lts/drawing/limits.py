"""Limits on the size of drawn systems."""

from __future__ import annotations

from lts.base.argument_types import expect_limit
from lts.base.bounds import DRAWN_STATES
from lts.errors import LtsError
from lts.system.lts import LTS

__all__ = ["check_size"]


def check_size(system: LTS, max_states: int | None = None) -> None:
    """Raise `LtsError` if a system has more states than `max_states`, or `DRAWN_STATES`."""
    most = DRAWN_STATES.default if max_states is None else max_states
    expect_limit(most, "the largest number of states")
    if system.state_count > most:
        raise LtsError(
            f"{system.state_count} states are too many to draw, at most {most}: minimise the "
            "system first, allow more (--max-states, in Python max_states), or use `ltstool view`"
        )

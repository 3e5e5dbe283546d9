"""Minimisation: the least system that is equivalent to a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts import _engine
from lts.equivalence.names import equivalence_name
from lts.system import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["DROPPED", "classes", "minimise"]

DROPPED = 0xFFFFFFFF
"""The class of a state that the minimal system has no state for."""


def minimise(system: LTS, equivalence: str, *, keep_unreachable: bool = False) -> LTS:
    """Return the least LTS equivalent to `system`, states numbered breadth first.

    Unreachable states are dropped unless `keep_unreachable`. Modulo weak bisimulation only the
    essential transitions remain: no internal step to the own class, none that others imply.
    """
    name = equivalence_name(equivalence)
    return LTS(_engine.minimise(system._engine, name, keep_unreachable)[0])


def classes(
    system: LTS, equivalence: str, *, keep_unreachable: bool = False
) -> npt.NDArray[np.uint32]:
    """Return for every state the state of `minimise(...)` that it belongs to, or `DROPPED`."""
    import numpy as np

    name = equivalence_name(equivalence)
    column = _engine.minimise(system._engine, name, keep_unreachable)[1]
    return np.frombuffer(memoryview(column), dtype=np.uint32)

"""Minimisation: the least system that is equivalent to a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts import _engine
from lts.equivalence.names import Equivalence, equivalence
from lts.errors import LimitReached, Unsupported
from lts.system import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["DROPPED", "MAX_STATES", "classes", "limit_of", "minimise"]

DROPPED = 0xFFFFFFFF
"""The class of a state that the minimal system has no state for."""

MAX_STATES = {
    "trace": 2_000_000,
    "weak-trace": 2_000_000,
    "simulation": 20_000,
    "ready-simulation": 20_000,
    "coupled-simulation": 4_000,
}
"""Where minimisation stops unless told otherwise: sets of states for traces, classes for
simulations, and states that weak bisimulation tells apart for coupled similarity."""


def minimise(
    system: LTS,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
) -> LTS:
    """Return the least LTS equivalent to `system`, states numbered breadth first.

    Unreachable states are dropped unless `keep_unreachable`. What remains:

    - weak bisimulation: the essential transitions, no internal step to the own class and none that
      others imply;
    - traces: a deterministic system, modulo weak traces without internal steps;
    - tau*.a: a system without internal steps;
    - simulation and ready simulation: no transition whose target is strictly below another one's
      (Bustan and Grumberg, 2003);
    - coupled similarity: the fewest states; of the visible steps after internal ones those to
      greatest targets, internal steps to the least states only.

    Relations that are exponential or cubic stop at `max_states`, `MAX_STATES` by default, with
    `LimitReached`.
    """
    return LTS(_minimise(system, equivalence, keep_unreachable, max_states)[0])


def classes(
    system: LTS,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
) -> npt.NDArray[np.uint32]:
    """Return for every state the state of `minimise(...)` that it belongs to, or `DROPPED`.

    Raises `Unsupported` for traces: there the states of the result are no classes.
    """
    import numpy as np

    column = _minimise(system, equivalence, keep_unreachable, max_states)[1]
    if column is None:
        raise Unsupported("what is minimal modulo traces has sets of states, not classes")
    return np.frombuffer(memoryview(column), dtype=np.uint32)


def _minimise(
    system: LTS, name: str, keep_unreachable: bool, max_states: int | None
) -> tuple[_engine.Lts, _engine.Column | None]:
    kind = equivalence(name)
    if kind.family == "bisimulation":
        return _engine.minimise(system._engine, kind.name, keep_unreachable)
    limit = limit_of(kind, max_states)
    found = _engine.minimise_coarse(system._engine, kind.name, keep_unreachable, limit)
    if found is None:
        raise limit_reached(kind, limit)
    return found


def limit_of(kind: Equivalence, max_states: int | None) -> int:
    """Return what bounds the work: `max_states`, or the default of the equivalence."""
    return MAX_STATES.get(kind.name, DROPPED) if max_states is None else max_states


def limit_reached(kind: Equivalence, limit: int) -> LimitReached:
    """Return the error that says that an equivalence takes more than its limit."""
    what = "sets of states" if kind.family == "traces" else "classes of states"
    message = f"{kind.title} takes more than {limit} {what}; --max-states allows more"
    return LimitReached(message, limit=limit, found={"states": limit})

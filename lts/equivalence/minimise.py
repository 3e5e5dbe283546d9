"""Minimisation: the least system that is equivalent to a given one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lts import _engine
from lts.equivalence.names import Equivalence, equivalence
from lts.errors import LimitReached, Unsupported
from lts.names import several
from lts.system import LTS, expect_systems, refuse_large

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "DROPPED",
    "MAX_STATES",
    "SHARP",
    "classes",
    "limit_of",
    "minimise",
    "minimise_with_classes",
    "refuse_strong",
    "without_tau_cycles",
]

SHARP = "divergence-preserving-branching"
"""The equivalence that is sharp where steps are strong."""

DROPPED = 0xFFFFFFFF
"""The class of a state that the minimal system has no state for."""

MAX_STATES = {
    "trace": 2_000_000,
    "weak-trace": 2_000_000,
    "simulation": 20_000,
    "weak-simulation": 20_000,
    "ready-simulation": 20_000,
    "coupled-simulation": 4_000,
    "branching-simulation": 4_000,
}
"""Where minimisation stops unless told otherwise: sets of states for traces, classes for
simulations, and states that weak bisimulation tells apart for coupled similarity."""


def minimise(
    system: LTS,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
    consume: bool = False,
    strong: Iterable[str] = (),
) -> LTS:
    """Return the least LTS equivalent to `system`.

    Unreachable states are dropped unless `keep_unreachable`. The result is canonical: of
    equivalent systems it is the same, number for number, however they were numbered. States are
    numbered breadth first, labels followed in the order of their bytes. What remains:

    - branching bisimulation: one transition for every pair of a label and a class that a class can
      do, no internal step to the own class; where divergence is preserved, one internal loop for
      every class on an internal cycle; where it is rooted, the root is a state of its own, or has
      an internal loop, if its first internal step is told;
    - weak bisimulation: the essential transitions, no internal step to the own class and none that
      others imply;
    - traces: a deterministic system, modulo weak traces without internal steps;
    - tau*.a: a system without internal steps;
    - simulation and ready simulation: no transition whose target is strictly below another one's
      (Bustan and Grumberg, 2003);
    - weak simulation: the same of the steps tau*.a, so a system without internal steps;
    - coupled similarity: the fewest states; of the visible steps after internal ones those to
      greatest targets, internal steps to the least states only.

    `strong` are names of labels, as of `LTS.hide`, whose steps are matched by one step each,
    without internal steps before: modulo divergence-preserving branching bisimulation that is
    *sharp* bisimulation (Lang, Mateescu and Mazzanti, TACAS 2020). Raises `Unsupported` for other
    equivalences and for internal labels.

    Relations that are exponential or cubic stop at `max_states`, `MAX_STATES` by default, with
    `LimitReached`. With `consume` the memory of `system` is used for the result, as far as nobody
    else holds it, and `system` must not be used any more.
    """
    return LTS(_minimise(system, equivalence, keep_unreachable, max_states, consume, strong)[0])


def classes(
    system: LTS,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
    strong: Iterable[str] = (),
) -> npt.NDArray[np.uint32]:
    """Return for every state the state of `minimise(...)` that it belongs to, or `DROPPED`.

    Raises `Unsupported` for traces: there the states of the result are no classes.
    """
    return minimise_with_classes(
        system,
        equivalence,
        keep_unreachable=keep_unreachable,
        max_states=max_states,
        strong=strong,
    )[1]


def minimise_with_classes(
    system: LTS,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
    consume: bool = False,
    strong: Iterable[str] = (),
) -> tuple[LTS, npt.NDArray[np.uint32]]:
    """Return what `minimise` and `classes` return, found at once."""
    least, column = _minimise(system, equivalence, keep_unreachable, max_states, consume, strong)
    if column is None:
        raise Unsupported("what is minimal modulo traces has sets of states, not classes")
    return LTS(least), _states(column)


def without_tau_cycles(
    system: LTS, *, keep_loops: bool = False
) -> tuple[LTS, npt.NDArray[np.uint32]]:
    """Return `system` with all states of every internal cycle as one, and each state's new number.

    The result is branching bisimilar, and with `keep_loops`, an internal loop wherever a cycle was,
    so are its divergences. Order of states and transitions is kept as far as that is possible.
    """
    expect_systems(system)
    result, column = _engine.tau_cycles(system._engine, keep_loops)
    return LTS(result), _states(column)


def _states(column: _engine.Column) -> npt.NDArray[np.uint32]:
    import numpy as np

    return np.frombuffer(memoryview(column), dtype=np.uint32)


def _minimise(
    system: LTS,
    name: str,
    keep_unreachable: bool,
    max_states: int | None,
    consume: bool,
    strong: Iterable[str],
) -> tuple[_engine.Lts, _engine.Column | None]:
    expect_systems(system)
    kind = equivalence(name)
    refuse_large(system.state_count, system.transition_count)
    if names := [*several(strong)]:
        refuse_strong(kind.name, names, system.internal)
        encoded = [one.encode("utf-8", "surrogateescape") for one in names]
        return _engine.minimise_sharp(system._engine, encoded, keep_unreachable)
    if kind.family == "bisimulation":
        if consume:
            return _engine.minimise_taken(system, kind.name, keep_unreachable)
        return _engine.minimise(system._engine, kind.name, keep_unreachable)
    limit = limit_of(kind, max_states)
    found = _engine.minimise_coarse(system._engine, kind.name, keep_unreachable, limit)
    if found is None:
        raise limit_reached(kind, limit)
    return found


def refuse_strong(name: str, strong: Iterable[str], internal: Iterable[str]) -> None:
    """Refuse strong labels modulo other equivalences, and internal ones."""
    if name != SHARP:
        raise Unsupported(f"steps can be strong modulo {SHARP} only, not {name}")
    if silent := sorted(set(strong) & set(internal)):
        raise Unsupported(f"`{silent[0]}` is internal: only visible steps can be strong")


def limit_of(kind: Equivalence, max_states: int | None) -> int:
    """Return what bounds the work: `max_states`, or the default of the equivalence."""
    return MAX_STATES.get(kind.name, DROPPED) if max_states is None else max_states


def limit_reached(kind: Equivalence, limit: int) -> LimitReached:
    """Return the error that says that an equivalence takes more than its limit."""
    what = "sets of states" if kind.family == "traces" else "classes of states"
    message = f"{kind.title} takes more than {limit} {what}; --max-states allows more"
    return LimitReached(message, limit=limit, found={"states": limit})

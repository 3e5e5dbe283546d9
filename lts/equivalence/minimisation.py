"""Minimisation: the smallest system that is equivalent to a given one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import SETS_OF_STATES
from lts.base.label_names import several
from lts.equivalence.names import Relation, equivalence_named
from lts.errors import LimitReached, Unsupported
from lts.system.lts import LTS, expect_systems
from lts.system.sizes import refuse_large

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "DROPPED",
    "SHARP",
    "classes",
    "limit_of",
    "minimise",
    "minimise_with_classes",
    "refuse_strong",
    "without_tau_cycles",
]

SHARP = "divergence-preserving-branching"
"""The equivalence that becomes sharp bisimulation if some labels are strong."""

DROPPED = 0xFFFFFFFF
"""The class of a state that has no counterpart in the minimal system."""


def minimise(
    system: LTS,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
    consume: bool = False,
    strong: Iterable[str] = (),
) -> LTS:
    """Return the smallest LTS equivalent to `system`.

    Unreachable states are dropped unless `keep_unreachable`. The result is canonical: equivalent
    systems have the same result, with the same state numbers, however they were numbered. States
    are numbered breadth first, following labels in the order of their bytes. Its transitions are:

    - branching bisimulation: one transition from a class for every pair of a label and a target
      class, no internal step to the own class; if divergence is preserved, one internal loop for
      every class on an internal cycle; if it is rooted, the root is a state of its own, or has
      an internal loop, if its first internal step is observable;
    - weak bisimulation: the essential transitions, no internal step to the own class and none that
      others imply;
    - traces: a deterministic system, modulo weak traces without internal steps;
    - tau*.a: a system without internal steps;
    - simulation and ready simulation: no transition with a target strictly below that of another
      (Bustan and Grumberg, 2003);
    - weak simulation: the same for the steps tau*.a, so a system without internal steps;
    - coupled similarity: the fewest states; of the visible steps after internal ones those to
      maximal targets, internal steps to minimal states only.

    `strong` are names of labels, as for `LTS.hide`, whose steps must be matched by a single step,
    without preceding internal steps: modulo divergence-preserving branching bisimulation this is
    *sharp* bisimulation (Lang, Mateescu and Mazzanti, TACAS 2020). Raises `Unsupported` for other
    equivalences and for internal labels.

    For relations of exponential or cubic complexity, raises `LimitReached` at `max_states`,
    `Relation.limit` by default. With `consume` the memory of `system` is reused for the result
    unless it is shared, and `system` must not be used any more.
    """
    least, _ = _minimise(system, equivalence, keep_unreachable, max_states, consume, strong)
    return LTS(least)._with_origin(system)


def classes(
    system: LTS,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
    strong: Iterable[str] = (),
) -> npt.NDArray[np.uint32]:
    """Return for every state the state of `minimise(...)` that it belongs to, or `DROPPED`.

    Raises `Unsupported` for traces, where states of the result are not classes of states.
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
    """Return the results of `minimise` and `classes`, computed together."""
    least, column = _minimise(system, equivalence, keep_unreachable, max_states, consume, strong)
    if column is None:
        raise Unsupported(
            "modulo traces, states of the minimal system are sets of states, not classes"
        )
    return LTS(least)._with_origin(system), _states(column)


def without_tau_cycles(
    system: LTS, *, keep_loops: bool = False
) -> tuple[LTS, npt.NDArray[np.uint32]]:
    """Return `system` with the states of each internal cycle merged, and each state's new number.

    The result is branching bisimilar to `system`; with `keep_loops`, which adds an internal loop
    for each cycle, also divergence-preserving. The order of states and transitions is retained as
    far as possible.
    """
    expect_systems(system)
    result, column = _engine.tau_cycles(system._engine, keep_loops)
    return LTS(result)._with_origin(system), _states(column)


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
    kind = equivalence_named(name)
    refuse_large(system.state_count, system.transition_count)
    limit = limit_of(kind, max_states)
    if names := [*several(strong)]:
        refuse_strong(kind.name, names, system.internal)
        encoded = [one.encode("utf-8", "surrogateescape") for one in names]
        return _engine.minimise_sharp(system._engine, encoded, keep_unreachable)
    if kind.family == "bisimulation":
        if consume:
            return _engine.minimise_taken(system, kind.name, keep_unreachable)
        return _engine.minimise(system._engine, kind.name, keep_unreachable)
    found = _engine.minimise_by_preorder(system._engine, kind.name, keep_unreachable, limit)
    if found is None:
        raise limit_reached(kind, limit)
    return found


def refuse_strong(name: str, strong: Iterable[str], internal: Iterable[str]) -> None:
    """Raise `Unsupported` for strong labels modulo other equivalences, and for internal ones."""
    if name != SHARP:
        raise Unsupported(f"strong labels need {SHARP}, not {name}")
    if silent := sorted(set(strong) & set(internal)):
        raise Unsupported(f"`{silent[0]}` is internal: only visible steps can be strong")


def limit_of(kind: Relation, max_states: int | None) -> int:
    """Return the limit on the work: `max_states`, or the default of the equivalence; raise
    `ValueError` for a limit that is negative or has more than 64 bits."""
    if max_states is not None:
        expect_limit(max_states, "the limit on states")
    limit = DROPPED if kind.limit is None else kind.limit
    return limit if max_states is None else max_states


def limit_reached(kind: Relation, limit: int) -> LimitReached:
    """Return the error that an equivalence exceeds its limit."""
    needed = (kind.bound or SETS_OF_STATES).exceeded(limit)
    message = f"{kind.title} needs {needed}: allow more with --max-states"
    return LimitReached(message, limit=limit, found={"states": limit})

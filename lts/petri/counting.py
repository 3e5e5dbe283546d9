"""Sizes of the state space of a net, computed without storing it if possible.

Three methods lead to the same numbers: visiting every marking, exploring one marking of each orbit,
and decision diagrams of all markings. They are tried in turn with limits on the work that they may
take, so that the answer does not depend on the speed of the machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import lts._engine as _engine
from lts.errors import LimitReached
from lts.petri.diagrams import BY_MARKINGS, BY_ORBITS, Diagram
from lts.petri.grounding import GroundNet
from lts.petri.process import SORT_OF_TOKENS, SORT_OF_TOTAL, process_of
from lts.petri.symmetry import NetAction
from lts.petri.unbounded import limit_remark
from lts.state_space.generation import NOTHING, explore_engine, refuse
from lts.state_space.settings import DEFAULT, NO_GOALS, Settings, limit_errors
from lts.symmetry.proven_action import orbits_under

__all__ = ["Counts", "counts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The size of the state space of a net.

    `marking` is the largest number of tokens of a marking, `place` that of a place and colour. `by`
    says how they were found: `orbits`, `diagram` or `states`. `order` is the order of the group, if
    orbits were explored, `orbits` their number; `nodes` that of a diagram.
    """

    states: int
    transitions: int
    marking: int
    place: int
    by: str
    order: int | None = None
    orbits: int | None = None
    nodes: int | None = None


def counts(net: GroundNet, action: NetAction | None = None, settings: Settings = DEFAULT) -> Counts:
    """Return the size of the state space of a net, under the symmetries of an action, if one is
    given.

    Raises `LimitReached` if the limits of the settings are exceeded: that on states is about the
    orbits or markings that are stored.
    """
    by_states = partial(_by_states, net)
    moving = action if action is not None and action.order > 1 else None
    explored = by_states if moving is None else partial(_by_orbits, moving)
    if moving is None:
        stages = [(by_states, *effort) for effort in BY_MARKINGS]
    else:
        # Of few markings, all take less time than one of each orbit.
        stages = [(explored, FEW_ORBITS, 0), (by_states, *BY_MARKINGS[0])]
        stages += [(explored, *effort) for effort in BY_ORBITS[1:]]
    if net.has_inhibitors_or_resets:  # no diagram is made of such a net
        stages = [] if moving is None else stages[:2]
    most = settings.limits.states
    is_checked = False  # whether an unbounded place was looked for
    for count, few, nodes in stages:
        if most is not None and most <= few:
            continue
        try:
            return count(replace(settings, limits=replace(settings.limits, states=few)))
        except LimitReached as error:
            if error.limit != few or (not is_checked and limit_remark(net)):
                raise  # a diagram of infinitely many markings would grow, too
            is_checked = True
        is_possible = nodes and not net.has_inhibitors_or_resets
        found = _by_diagram(net, settings, nodes) if is_possible else None
        if found is not None:
            return found
    return explored(settings)


FEW_ORBITS = 1_000
"""Orbits that are explored before all markings."""


def _by_orbits(action: NetAction, settings: Settings) -> Counts:
    counting = replace(action, has_total=True)
    engine = counting.engine
    found = orbits_under(counting, settings, engine=engine)
    marking, place = _tokens(engine)
    return Counts(
        states=found.states,
        transitions=found.transitions,
        marking=marking,
        place=place,
        by="orbits",
        order=found.order,
        orbits=found.orbits,
    )


def _by_states(net: GroundNet, settings: Settings) -> Counts:
    process = process_of(net, has_total=True)
    with limit_errors(settings.limits):
        found = explore_engine(process, settings.without_group, NO_GOALS, NOTHING)
    if found.incomplete is not None:
        refuse(None, replace(found, remark=partial(limit_remark, net)), settings.limits)
    marking, place = _tokens(process)
    return Counts(
        states=found.statistics.states,
        transitions=found.statistics.transitions,
        marking=marking,
        place=place,
        by="states",
    )


def _tokens(process: _engine.Process) -> tuple[int, int]:
    """Return the most tokens of a marking, and of a place, in all markings that were reached: the
    largest numbers that were computed for them."""
    total = process.largest_number(SORT_OF_TOTAL)
    place = process.largest_number(SORT_OF_TOKENS)
    assert total is not None
    # Without places that may have tokens there are no numbers for them.
    return total, place or 0


def _by_diagram(net: GroundNet, settings: Settings, nodes: int) -> Counts | None:
    """Return the counts by a decision diagram, unless it becomes too large."""
    diagram = Diagram.of(net, settings.limits, nodes)
    if diagram is None:
        return None
    with limit_errors(settings.limits):
        states, transitions, size, marking, place = diagram.markings.counts()
    return Counts(
        states=states,
        transitions=transitions,
        marking=marking,
        place=place,
        by="diagram",
        nodes=size,
    )

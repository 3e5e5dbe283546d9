"""The state space of a net, and one state of each of its orbits."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from lts.petri.grounding import GroundNet, ground
from lts.petri.net import Net
from lts.petri.process import process_of
from lts.petri.symmetry import NetAction
from lts.petri.unbounded import limit_remark
from lts.state_space.generation import COLUMNS, Generation, Output, explore_engine, whole
from lts.state_space.settings import DEFAULT, NO_GOALS, Goals, Limits, Settings, limit_errors
from lts.symmetry.data.certify import Certified, Explored
from lts.symmetry.proven_action import orbits_under, quotient_under
from lts.system.lts import LTS

__all__ = ["explore", "generate", "net_orbits", "net_quotient"]


def generate(net: Net | GroundNet, *, max_states: int | None = None, threads: int = 1) -> LTS:
    """Return the labelled transition system of a net.

    States are the reachable markings, numbered breadth first from 0; labels are the names of
    transitions with the colours of their variables. The result is the same for any number of
    `threads`. Raises `LimitReached` if there are more than `max_states` states.

    >>> from lts.petri import read_text
    >>> net = read_text('''<pnml><net id="n" type="ptnet">
    ... <place id="p"><initialMarking><text>2</text></initialMarking></place>
    ... <transition id="t"/><arc id="a" source="p" target="t"/></net></pnml>''')
    >>> generate(net).state_count
    3
    """
    settings = Settings(limits=Limits(states=max_states), threads=threads)
    of = ground(net) if isinstance(net, Net) else net
    return whole(explore(of, settings), settings)


def explore(
    net: GroundNet,
    settings: Settings = DEFAULT,
    goals: Goals = NO_GOALS,
    *,
    output: Output = COLUMNS,
) -> Generation:
    """Explore the reachable markings of a net; return what was found, even if a limit stopped the
    exploration.

    Settings, goals, output and result are as for `lts.state_space.explore`; a net has no data to
    `check`.
    """
    settings.refuse("check", what="a net")
    with limit_errors(settings.limits):
        found = explore_engine(process_of(net), settings, goals, output)
    return replace(found, remark=partial(limit_remark, net))


def net_quotient(action: NetAction, settings: Settings = DEFAULT) -> Certified:
    """Explore one marking of each orbit of a net, and return the annotated quotient.

    `action` are symmetries of the net (`lts.petri.action_of`). The `proof` of the settings is
    "transitions", by default, or "tested": then all explored steps are compared with those of their
    images, otherwise those in `sample` states. The result depends neither on the number of threads
    nor on the `node_limit`. Raises `LimitReached` if there are too many orbits or another limit is
    exceeded.
    """
    return quotient_under(action, settings)


def net_orbits(
    action: NetAction, settings: Settings = DEFAULT, goals: Goals = NO_GOALS
) -> Explored:
    """Count the orbits of a net, with the states and transitions that they represent.

    Shortest traces of the net lead to the `goals`, one for each orbit. Settings and errors are
    those of `net_quotient`, which needs many times the memory.
    """
    return orbits_under(action, settings, goals)

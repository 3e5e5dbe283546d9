"""The state space of a net, and one state of each of its orbits."""

from __future__ import annotations

from lts.petri.grounding import GroundNet
from lts.petri.process import process_of
from lts.petri.symmetry import NetAction
from lts.state_space.generation import COLUMNS, Generation, Output, explore_engine
from lts.state_space.settings import DEFAULT, NO_GOALS, Goals, Settings, limit_errors
from lts.symmetry.data.certify import Certified, Explored
from lts.symmetry.proven_action import orbits_under, quotient_under

__all__ = ["explore", "net_orbits", "net_quotient"]


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
        return explore_engine(process_of(net), settings, goals, output)


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

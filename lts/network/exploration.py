"""The state space of a network, by the explorer of linear processes.

The engine represents a network as a process: each component is a parameter, and the vectors of the
same components form a summand (`engine/src/process/linear/synchronisation.rs`).
"""

from __future__ import annotations

from collections.abc import Callable

import lts._engine as _engine
from lts.network.network import Network
from lts.state_space.generation import COLUMNS, Generation, Output, explore_engine, whole
from lts.state_space.settings import DEFAULT, NO_GOALS, Goals, Limits, Settings, limit_errors
from lts.system.lts import LTS

__all__ = ["Explored", "compose", "composer", "explore", "grouped", "process_of"]

Explored = Callable[[Network], LTS]
"""Generates the state space of a network."""


def compose(network: Network, *, max_states: int | None = None, threads: int = 1) -> LTS:
    """Return the labelled transition system of a network.

    States are numbered breadth first from 0; hidden steps are `tau`. The result is the same for any
    number of `threads`. Raises `LimitReached` if there are more than `max_states` states.

    >>> from lts.network import Network
    >>> one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    >>> compose(Network.of([one, one], [({0: "a", 1: "a"}, "a"), ({0: "b"}, "b")])).state_count
    3
    """
    return composer(Settings(limits=Limits(states=max_states), threads=threads))(network)


def composer(settings: Settings) -> Explored:
    """Return a function that generates state spaces of networks, and raises beyond the limits."""
    return lambda network: whole(explore(network, settings), settings)


def explore(
    network: Network,
    settings: Settings = DEFAULT,
    goals: Goals = NO_GOALS,
    *,
    output: Output = COLUMNS,
) -> Generation:
    """Explore a network; return what was found, even if a limit stopped the exploration.

    Settings, goals, output and result are as for `lts.state_space.explore`; a network has no data
    to `check`.
    """
    settings.refuse("check", what="a network")
    with limit_errors(settings.limits):
        return explore_engine(process_of(network), settings, goals, output)


def process_of(network: Network, *, constants: bool = False) -> _engine.Process:
    """Return the network as an engine object, with states and labels as `constants` for groups."""
    labels: dict[str, int] = {}
    groups = grouped(network, labels)
    numbers = range(1, len(network.components) + 1)
    return _engine.Process.network(
        [system._engine for system in network.components],
        [name.encode("utf-8", "surrogateescape") for name in labels],
        groups,
        [b"%d" % number for number in numbers] if constants else None,
    )


def grouped(network: Network, labels: dict[str, int]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Group vectors by their components; each has its labels and the number of its result.

    Results are numbered by `labels`, to which new ones are added.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for moves, result in network.vectors:
        group = groups.setdefault(tuple(component for component, _ in moves), [])
        group.extend(label for _, label in moves)
        group.append(labels.setdefault(result, len(labels)))
    return sorted(groups.items())

"""The state space of a network, by the explorer of linear processes.

The engine takes a network as a process: a component is a parameter, the vectors of the same
components are a summand (`engine/src/lpe/process/synchronisation.rs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lts import _engine
from lts.errors import LimitReached
from lts.network.network import Network
from lts.state_space.generation import (
    NO_LIMITS,
    Generation,
    Limits,
    Statistics,
    explore_engine,
    refuse_network,
)
from lts.system import LTS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Explored", "compose", "composer", "explore", "grouped", "limits_told", "process_of"]

Explored = Callable[[Network], LTS]
"""What gives the state space of a network."""


def compose(network: Network, *, max_states: int | None = None, threads: int = 1) -> LTS:
    """Return the labelled transition system of a network.

    States are numbered breadth first from 0; hidden steps are `tau`. The result is the same for any
    number of `threads`. Raises `LimitReached` if there are more than `max_states` states.

    >>> from lts.network import Network
    >>> one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    >>> compose(Network.of([one, one], [({0: "a", 1: "a"}, "a"), ({0: "b"}, "b")])).state_count
    3
    """
    return composer(Limits(states=max_states), threads)(network)


def composer(limits: Limits, threads: int) -> Explored:
    """Return what gives the state space of a network, within limits; beyond them it raises."""

    def composed(network: Network) -> LTS:
        found = explore(network, limits=limits, threads=threads)
        if found.incomplete is not None:
            refuse_network(found, limits)
        assert found.lts is not None
        return found.lts

    return composed


def explore(
    network: Network,
    *,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    columns: bool = True,
    write: Callable[[bytes], object] | None = None,
    hide: Iterable[str] = (),
    progress: Callable[[Statistics], object] | None = None,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
) -> Generation:
    """Explore a network and return what was found, also where a limit stopped it.

    Arguments and result are those of `lts.state_space.explore`.
    """
    with limits_told(limits):
        return explore_engine(
            process_of(network),
            limits=limits,
            threads=threads,
            columns=columns,
            write=write,
            hide=hide,
            progress=progress,
            deadlocks=deadlocks,
            find=find,
            enough=enough,
        )


@contextmanager
def limits_told(limits: Limits) -> Iterator[None]:
    """Turn an error of the engine into the one that users see."""
    try:
        yield
    except _engine.LimitPassed as error:
        kind, bound = error.args
        bound = (limits.time if kind == "time" else limits.memory) or bound
        shown = f"{bound / 1e6:.0f} MB of memory" if kind == "memory" else f"{bound:g} seconds"
        raise LimitReached(f"more than {shown}", limit=bound, found={}) from None


def process_of(network: Network, *, constants: bool = False) -> _engine.Process:
    """Return the network in the engine; states and labels as `constants`, if a group is to act."""
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
    """Return vectors by the components that they are of, in order: labels, and what comes out.

    That is numbered by `labels`, where what is new is added.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for moves, result in network.vectors:
        group = groups.setdefault(tuple(component for component, _ in moves), [])
        group.extend(label for _, label in moves)
        group.append(labels.setdefault(result, len(labels)))
    return sorted(groups.items())

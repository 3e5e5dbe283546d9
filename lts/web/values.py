"""The data of every state of a state space, found by simulating it in parallel."""

from __future__ import annotations

from collections import deque

from lts.errors import Defect
from lts.linear.process import LinearProcess
from lts.network.network import Network
from lts.network.simulation import simulate as simulate_network
from lts.simulation import ComponentState, Simulation
from lts.state_space.settings import MAX_VALUES
from lts.state_space.simulation import simulate
from lts.system import LTS
from lts.web.shown import Values

__all__ = ["state_data"]


def state_data(system: LTS, source: LinearProcess | Network) -> list[Values]:
    """Return the data of the states of a system generated from a linear process or network.

    For each component these are its control state and the values of its parameters, as far as the
    linear process has them. Unreachable states have none. The labels must be those that were
    generated; hide only afterwards.
    """
    if isinstance(source, Network):
        walk: Simulation = simulate_network(source)
    else:
        walk = simulate(source, max_values=MAX_VALUES)
    states = _states_of_walk(system, walk)
    columns: dict[tuple[str, str], _Column] = {}
    for state, known in states.items():
        for component in walk.components(known):
            for name, value in _facts(component):
                key = (component.name, name)
                if key not in columns:
                    columns[key] = _Column(system.state_count)
                columns[key].put(state, value)
    return [
        Values(group, name, tuple(column.numbers), column.indices)
        for (group, name), column in columns.items()
        if len(column.numbers) > 2 or name != "at"
    ]


class _Column:
    """A value for each state, initially None."""

    def __init__(self, states: int) -> None:
        self.numbers: dict[str | None, int] = {None: 0}
        self.indices = [0] * states

    def put(self, state: int, value: str | None) -> None:
        self.indices[state] = self.numbers.setdefault(value, len(self.numbers))


def _facts(component: ComponentState) -> list[tuple[str, str | None]]:
    position = component.position
    if position is not None and component.remaining:
        position = f"{position}: {component.remaining}"
    return [("at", position), *component.values.items()]


def _states_of_walk(system: LTS, walk: Simulation) -> dict[int, int]:
    """Return for every reachable state of the system its number in the simulation.

    Both have the same steps in the same order; this is checked.
    """
    known = {system.initial: walk.state}
    waiting = deque(known)
    while waiting:
        state = waiting.popleft()
        ours = list(dict.fromkeys(system.successors(state)))
        theirs = [(step.label, step.target) for step in walk.steps_of(known[state])]
        if [label for label, _ in ours] != [label for label, _ in theirs]:
            raise Defect(f"state {state} has other steps when the system is simulated")
        for (_, target), (_, partner) in zip(ours, theirs, strict=True):
            if target not in known:
                known[target] = partner
                waiting.append(target)
            elif known[target] != partner:
                raise Defect(f"state {target} differs when the system is simulated")
    return known

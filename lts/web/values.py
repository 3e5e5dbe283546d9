"""The data of every state of a state space, found by simulating it in parallel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.bounds import SUM_VALUES
from lts.certificates.table import reachable_numbers
from lts.errors import Defect
from lts.simulation import ComponentState, Simulation
from lts.source import Described, source_of
from lts.system.lts import LTS
from lts.web.shown import Values

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["state_data"]

CHECKED = 2_000
"""States whose steps are compared with those of the simulation."""


def state_data(system: LTS, source: Described) -> list[Values]:
    """Return the data of the states of a system generated from a linear process, network or net.

    For each component these are its control state and the values of its parameters, as far as the
    linear process has them. Unreachable states have none. The labels must be those that were
    generated; hide only afterwards.
    """
    import numpy as np

    walk = source_of(source).simulate(SUM_VALUES.default)
    order = reachable_numbers(system)
    walk.run(lambda _: False, max_states=len(order) + 1)
    _check(system, walk, order)
    vectors = np.array(walk.vectors(len(order)), dtype=np.uint32).reshape(len(order), -1)
    states = np.array(order, dtype=np.intp)
    found = []
    for number, positions in enumerate(walk.positions()):
        # Each combination of values is looked at once.
        first, kinds = _kinds(vectors[:, list(positions)])
        components = [walk.components(state)[number] for state in first.tolist()]
        facts = [_facts(component) for component in components]
        for name in dict.fromkeys(name for each in facts for name in each):
            values: dict[str | None, int] = {None: 0}
            of_kind = [values.setdefault(each.get(name), len(values)) for each in facts]
            if len(values) > 2 or name != "at":
                indices = np.zeros(system.state_count, dtype=np.uint32)
                indices[states] = np.array(of_kind, dtype=np.uint32)[kinds]
                found.append(Values(components[0].name, name, tuple(values), indices))
    return found


def _facts(component: ComponentState) -> dict[str, str | None]:
    position = component.position
    if position is not None and component.remaining:
        position = f"{position}: {component.remaining}"
    return {"at": position, **component.values}


def _kinds(
    columns: npt.NDArray[np.uint32],
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the first row of each different one, and for every row which of these it equals."""
    import numpy as np

    codes = np.zeros(len(columns), dtype=np.int64)
    for column in columns.T:
        values, indices = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * len(values) + indices, return_inverse=True)
    _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
    return first, kinds


def _check(system: LTS, walk: Simulation, order: list[int]) -> None:
    """Raise `Defect` if a state of the system has other steps than its state in the simulation; in
    a large system some states are compared."""
    number = {state: at for at, state in enumerate(order)}
    for at in range(0, len(order), max(1, len(order) // CHECKED)):
        ours = [(a, number[t]) for a, t in dict.fromkeys(system.successors(order[at]))]
        if ours != [(step.label, step.target) for step in walk.steps_of(at)]:
            raise Defect(f"state {order[at]} has other steps when the system is simulated")

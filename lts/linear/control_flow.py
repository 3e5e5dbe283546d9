"""Control states: what a summand needs of them, where it leads, and what is reached by that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from lts.linear.process import LinearProcess, Parameter, Summand
from lts.specification.specification import Application, Term, Variable

__all__ = ["control_states", "possible", "sources_of", "targets_of"]


def possible(
    parameters: Sequence[Parameter],
    controls: Mapping[Variable, int],
    initial: Iterable[tuple[int, Term]],
    summands: Sequence[Summand],
) -> set[int]:
    """Return the numbers of the summands that may happen, by the control states that they need.

    Each component is looked at alone: it reaches what a summand leads to whose control states can
    each be reached. `initial` are the first control states by component.
    """
    reached: set[tuple[int, Term]] = set()
    waiting = list(initial)
    missing: list[int] = []
    needing: dict[tuple[int, Term], list[int]] = defaultdict(list)
    ready: list[int] = []
    for number, summand in enumerate(summands):
        sources = sources_of(summand, controls)
        missing.append(len(sources))
        if not sources:
            ready.append(number)
        for source in sources.items():
            needing[source].append(number)
    found: set[int] = set()
    while waiting or ready:
        while ready:
            number = ready.pop()
            found.add(number)
            waiting += targets_of(parameters, summands[number], controls).items()
        if waiting:
            state = waiting.pop()
            if state not in reached:
                reached.add(state)
                for number in needing[state]:
                    missing[number] -= 1
                    if not missing[number]:
                        ready.append(number)
    return found


def control_states(process: LinearProcess) -> dict[Variable, int]:
    """Return the parameters that are control states, with the numbers of their components."""
    return {
        parameter.variable: parameter.component
        for parameter in process.parameters
        if parameter.variable.sort == process.components[parameter.component].shape.sort
    }


def sources_of(summand: Summand, controls: Mapping[Variable, int]) -> dict[int, Term]:
    """Return the control states that a summand needs, by component."""
    return {
        controls[left]: right
        for left, right in summand.equations
        if isinstance(left, Variable) and left in controls and isinstance(right, Application)
    }


def targets_of(
    parameters: Sequence[Parameter], summand: Summand, controls: Mapping[Variable, int]
) -> dict[int, Term]:
    """Return the control states that a summand leads to, by component, where they change."""
    return {
        controls[variable]: term
        for number, term in summand.updates
        if (variable := parameters[number].variable) in controls
    }

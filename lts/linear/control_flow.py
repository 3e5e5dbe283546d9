"""Control flow: the control states that summands need and lead to, and which are reachable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from lts.linear.process import LinearProcess, Parameter, Summand
from lts.specification.specification import Term, Variable

__all__ = [
    "ControlFlow",
    "control_states",
    "never_together",
    "possible",
    "sources_of",
    "targets_of",
]


MUCH = 64
"""Pairs of components are only explored if they have more common summands than this."""


def possible(
    parameters: Sequence[Parameter],
    controls: Mapping[Variable, int],
    initial: Iterable[tuple[int, Term]],
    summands: Sequence[Summand],
) -> set[int]:
    """Return the numbers of the summands whose control states are all reachable.

    This is an over-approximation: each component is considered by itself, and a summand makes its
    target states reachable once each of its source states is. `initial` are the initial control
    states by component.
    """
    missing: list[int] = []
    needing: dict[tuple[int, Term] | None, list[int]] = defaultdict(list)
    for number, summand in enumerate(summands):
        needed = [None, *sources_of(summand, controls).items()]
        missing.append(len(needed))
        for state in needed:
            needing[state].append(number)
    found: set[int] = set()
    # None is needed by every summand and always available: it triggers summands without control
    # states.
    waiting = [None, *initial]
    while waiting:
        for number in needing.pop(waiting.pop(), ()):
            missing[number] -= 1
            if not missing[number]:
                found.add(number)
                waiting += targets_of(parameters, summands[number], controls).items()
    return found


def never_together(
    parameters: Sequence[Parameter],
    controls: Mapping[Variable, int],
    initial: Mapping[int, Term],
    summands: Sequence[Summand],
) -> set[int]:
    """Return the numbers of summands whose two control states never occur at the same time.

    Only pairs of components with many common summands are explored, ignoring all other components.
    """
    if len(initial) < 2:
        return set()
    moves = [(sources_of(s, controls), targets_of(parameters, s, controls)) for s in summands]
    moving: dict[int, list[int]] = defaultdict(list)
    together: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (sources, targets) in enumerate(moves):
        for component in {**sources, **targets}:
            moving[component].append(number)
        for pair in combinations(sorted(sources), 2):
            together[pair].append(number)
    found: set[int] = set()
    for (one, other), numbers in together.items():
        if len(numbers) <= MUCH:
            continue
        # From the control states needed in the two components (None: any) to those after the step.
        steps: dict[tuple[Term | None, Term | None], dict[tuple[Term | None, Term | None], None]]
        steps = defaultdict(dict)
        for number in {*moving[one], *moving[other]}:
            sources, targets = moves[number]
            here, there = sources.get(one), sources.get(other)
            steps[here, there][targets.get(one, here), targets.get(other, there)] = None
        waiting = [(initial[one], initial[other])]
        reached = set(waiting)
        while waiting:
            here, there = waiting.pop()
            for needed in ((here, there), (here, None), (None, there), (None, None)):
                for first, second in steps.get(needed, ()):
                    after = (
                        here if first is None else first,
                        there if second is None else second,
                    )
                    if after not in reached:
                        reached.add(after)
                        waiting.append(after)
        for number in numbers:
            sources, _ = moves[number]
            if (sources[one], sources[other]) not in reached:
                found.add(number)
    return found


class ControlFlow:
    """The control states that summands need and lead to, by component."""

    def __init__(self, process: LinearProcess) -> None:
        self.controls = control_states(process)
        self.parameters = process.parameters

    def sources(self, summand: Summand) -> dict[int, tuple[Term, ...]]:
        """Return the control states in which a summand may be possible, by component."""
        found = sources_of(summand, self.controls)
        return {component: (state,) for component, state in found.items()}

    def targets(self, summand: Summand) -> dict[int, Term]:
        """Return the control states that a summand updates, by component."""
        return targets_of(self.parameters, summand, self.controls)

    def guarded(self, summand: Summand) -> Summand:
        """Return a summand that is evaluated only in the control states that it needs: itself."""
        return summand


def control_states(process: LinearProcess) -> dict[Variable, int]:
    """Return the parameters that are control states, with the numbers of their components."""
    return {
        parameter.variable: parameter.component
        for parameter in process.parameters
        if parameter.variable.sort == process.components[parameter.component].shape.sort
    }


def sources_of(summand: Summand, controls: Mapping[Variable, int]) -> dict[int, Term]:
    """Return the control states that a summand requires, by component."""
    return {
        controls[left]: right
        for left, right in summand.equations
        if isinstance(left, Variable) and left in controls
    }


def targets_of(
    parameters: Sequence[Parameter], summand: Summand, controls: Mapping[Variable, int]
) -> dict[int, Term]:
    """Return the control states that a summand updates, by component."""
    return {
        controls[variable]: term
        for number, term in summand.updates
        if (variable := parameters[number].variable) in controls
    }

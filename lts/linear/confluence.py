"""Internal steps that commute with all others, taken at once.

An internal step is *confluent* if it can be taken before or after every other step with the same
result, so that its source and target are branching bisimilar. The text of a linear process proves
this for a step that is a component's only one in its control state and needs nothing else, if
no other step reads or writes what it writes, or writes what it reads (Groote and Sellink,
Confluence for process verification, 1996, restricted to steps that share no parameters).

Such a step is taken together with the step that leads to its control state, which is reached no
more (the representative of Blom and van de Pol, State space reduction by proving confluence, 2002,
computed in the text). Steps of a control state that leads back to itself by such steps are kept, so
that divergence is preserved, too. Nothing is chosen among components, so symmetries are kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from lts.linear.control_flow import control_states, sources_of, targets_of
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import Term, Variable, substitute
from lts.specification.terms import variables_of

__all__ = ["without_confluent_steps"]

State = tuple[int, Term]
"""A component and one of its control states."""


def without_confluent_steps(process: LinearProcess) -> LinearProcess:
    """Return a process without confluent internal steps.

    It is bisimilar modulo divergence-preserving branching bisimulation, but not rooted: internal
    steps of the initial state may be gone. Control states that are no longer reached are left for
    simplification to remove.
    """
    found = _Confluence(process)
    if not found.steps:
        return process
    remarks = [
        f"internal step ({process.where(summand)}) is taken together with those that lead to it: "
        "it commutes with all others"
        for summand in found.steps.values()
    ]
    taken = [id(summand) for summand in found.steps.values()]
    summands = tuple(
        replace(summand, updates=found.continued(dict(summand.updates)), duplicates=())
        for summand in process.summands
        if id(summand) not in taken
    )
    initial = dict(found.continued(dict(enumerate(process.initial))))
    return replace(
        process,
        summands=summands,
        initial=tuple(initial[number] for number in range(len(process.initial))),
        remarks=(*process.remarks, *remarks),
    )


class _Confluence:
    """The confluent internal steps of a process, by the control state that each leaves."""

    def __init__(self, process: LinearProcess) -> None:
        self.process = process
        self.controls = control_states(process)
        self.numbers = {p.variable: number for number, p in enumerate(process.parameters)}
        self.reading: dict[int, list[Summand]] = defaultdict(list)
        self.writing: dict[int, list[Summand]] = defaultdict(list)
        for summand in (*process.summands, *process.decisions):
            for number in self.read(summand):
                self.reading[number].append(summand)
            for number, _ in summand.updates:
                self.writing[number].append(summand)
        self.place = {
            component: self.numbers[variable] for variable, component in self.controls.items()
        }
        """The number of the control parameter of each component."""
        self.steps: dict[State, Summand] = {}
        for summand in process.summands:
            state = self.left(summand)
            if state is not None and self.commutes(summand, state):
                self.steps[state] = summand
        self.without_cycles()

    def read(self, summand: Summand) -> set[int]:
        """Return the numbers of the parameters that a summand reads."""
        return {
            self.numbers[variable]
            for term in summand.terms
            for variable in variables_of(term)
            if variable in self.numbers
        }

    def left(self, summand: Summand) -> State | None:
        """Return the control state that an internal step leaves for another one, if it needs
        nothing else."""
        if summand.action is not None or summand.variables or summand.guards:
            return None
        sources = sources_of(summand, self.controls)
        if len(summand.equations) != 1 or len(sources) != 1:
            return None
        [(component, state)] = sources.items()
        return (component, state) if [*self.targets(summand)] == [component] else None

    def targets(self, summand: Summand) -> dict[int, Term]:
        """Return the control states that a summand leads to, by component."""
        return targets_of(self.process.parameters, summand, self.controls)

    def commutes(self, summand: Summand, state: State) -> bool:
        """Whether a step shares no parameter with others that are possible in its control state."""
        written = {number for number, _ in summand.updates}
        others = [other for number in written for other in self.reading[number]]
        others += [
            other for number in written | self.read(summand) for other in self.writing[number]
        ]
        return all(other is summand or self.excludes(other, state) for other in others)

    def excludes(self, summand: Summand, state: State) -> bool:
        """Whether a summand needs another control state of the component."""
        component, constant = state
        needed = sources_of(summand, self.controls).get(component)
        return needed is not None and needed != constant

    def without_cycles(self) -> None:
        """Leave out steps of control states that lead back to themselves."""
        for start in [*self.steps]:
            seen = {start}
            state = start
            while state in self.steps:
                [state] = self.targets(self.steps[state]).items()
                if state == start:
                    del self.steps[start]
                    break
                if state in seen:
                    break
                seen.add(state)

    def continued(self, updates: Mapping[int, Term]) -> tuple[tuple[int, Term], ...]:
        """Return updates with those of the confluent steps that follow."""
        found = dict(updates)
        variables = [parameter.variable for parameter in self.process.parameters]
        waiting = [*self.place]
        while waiting:
            component = waiting[-1]
            state = found.get(self.place[component])
            step = None if state is None else self.steps.get((component, state))
            if step is None:
                waiting.pop()
                continue
            values: dict[Variable, Term] = {
                variables[number]: term for number, term in found.items()
            }
            found |= {number: substitute(term, values) for number, term in step.updates}
        return tuple(sorted(found.items(), key=lambda item: item[0]))

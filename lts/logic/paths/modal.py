"""Translates path formulas to fixed points: some path has a run of an automaton.

The automaton is split into strongly connected components. A run that stays in a component must do
certain tasks infinitely often: keep its promises, and satisfy fairness. A state q of such a
component is a greatest fixed point: each task can be done, expressed by least fixed points, after
which q holds again. All other states are least fixed points. So the parity game of the formula has
two priorities.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lts.logic.data import Data
from lts.logic.nodes import PATHS, Formula
from lts.logic.paths.edges import EdgeNodes
from lts.logic.paths.fairness import Moment, Repeated, moments, together
from lts.logic.paths.normal_form import Path
from lts.logic.paths.quantifiers import Normaliser
from lts.logic.paths.runs import Runs, runs
from lts.logic.paths.tableau import Edge, Obligations
from lts.logic.priorities import compact, inner_first

__all__ = ["without_paths"]


def without_paths(formula: Formula, data: Data) -> Formula:
    """Return an equivalent formula without path quantifiers.

    `data` has the values of variables that must be enumerated. Raises `SpecificationError` if these
    are unbounded, and `LimitReached` if the formula becomes too large.
    """
    if not formula.has_paths:
        return formula
    normaliser = Normaliser(formula, data)
    shown: bool | None = None
    for number in inner_first(formula):
        operator, _, parts = formula.nodes[number]
        if operator in PATHS:
            made = _SomePath(normaliser, runs(normaliser, parts[0], operator == "some"))
            fixed_points = made.whole()
            free = normaliser.free(("state", number, True))
            inner = normaliser.node("run", None, *fixed_points, free=free)
            wrap = "not" if operator == "all" else "and"
            normaliser.nodes[number] = (wrap, None, (inner,))
            if number == formula.root and all(fair.instead is None for fair in made.fair):
                shown = operator == "some"
    return compact(replace(formula, nodes=tuple(normaliser.nodes), shown=shown))


@dataclass(slots=True)
class _Task:
    """A recurrent task of a run: keep a promise, reach the goal of `fair`, or continue."""

    promise: Path | None = None
    fair: Repeated | None = None

    @property
    def is_certain(self) -> bool:
        """Whether it must be done in any case, so that the path continues."""
        return self.fair is None or (self.fair.instead is None and not self.fair.slots)


class _SomePath(EdgeNodes):
    """The nodes for an automaton."""

    def __init__(self, normaliser: Normaliser, runs: Runs) -> None:
        super().__init__(normaliser, runs)
        self.fair = runs.fair
        self.automaton = runs.automaton
        self.component = runs.component
        self.binders: list[int] = []
        self.of: dict[Obligations, int] = {}
        """The fixed point of each state."""
        self.stays: dict[Obligations, int] = {}
        """The fixed point of each state for runs that stay in its component."""
        self.tasks: dict[Obligations, list[_Task] | None] = {}
        """The tasks of runs that stay in a state's component; None if they may not stay."""
        self.reached: dict[tuple[Obligations, int], int] = {}

    def whole(self) -> list[int]:
        """Return the fixed points that together say that there is a path, the initial one first."""
        for state, promises in self.runs.promises.items():
            tasks = None if promises is None else [_Task(promise=promise) for promise in promises]
            if tasks is not None:
                tasks += [_Task(fair=fair) for fair in self.fair]
            self.tasks[state] = tasks
        for state in self.automaton:
            tasks = self.tasks[state]
            self.of[state] = self.binder("mu" if tasks is None else "nu")
            if tasks is not None:
                self.stays[state] = self.of[state]
                if any(task.fair is not None and task.fair.instead for task in tasks):
                    # A condition that may hold from some time on need not hold at once.
                    self.of[state] = self.binder("mu")
        for state in self.automaton:
            self.define(state)
        first = self.of[self.runs.first]
        return [first, *(binder for binder in self.binders if binder != first)]

    def define(self, state: Obligations) -> None:
        """Define the fixed point of a state."""
        tasks = self.tasks[state]
        if not state and not self.fair:
            # Any continuation of the path is accepted.
            self.close(self.of[state], self.node("and", None))
            return
        if not tasks:
            self.close(self.of[state], self.goes_on(state, None, 0))
            return
        done = [self.does(state, task, number) for number, task in enumerate(tasks)]
        if not any(task.is_certain for task in tasks):
            done.append(self.goes_on(state, _Task(), 0))
        self.close(self.stays[state], self.joined("and", done))
        if self.stays[state] != self.of[state]:
            later = self.goes_on(state, None, 0)
            self.close(
                self.of[state], self.node("or", None, self.variable(self.stays[state]), later)
            )

    def binder(self, operator: str) -> int:
        self.binders.append(self.node(operator, None, 0))
        return self.binders[-1]

    def close(self, binder: int, body: int) -> None:
        self.normaliser.nodes[binder] = (self.normaliser.nodes[binder][0], None, (body,))

    def does(self, state: Obligations, task: _Task, number: int) -> int:
        """Return the formula that a run can do task `number` from a state on."""
        binder = self.reached.get((state, number))
        if binder is None:
            # Tasks are shared by all states of a component.
            members = [s for s in self.automaton if self.component[s] == self.component[state]]
            for member in members:
                self.reached[member, number] = self.binder("mu")
            for member in members:
                self.close(self.reached[member, number], self.goes_on(member, task, number))
            binder = self.reached[state, number]
        found = self.variable(binder)
        if task.fair is None:
            return found
        if task.fair.instead is not None:
            found = self.node("or", None, self.momentary(task.fair.instead), found)
        return self.bound("forall", task.fair.slots, found)

    def goes_on(self, state: Obligations, task: _Task | None, number: int) -> int:
        """Return the formula that the path can continue, or end, until a task is done."""
        parts = []
        for edge in self.automaton[state]:
            if edge.may_end:
                parts.append(self.ending(edge))
            if edge.has_step:
                parts += self.steps(state, edge, task, number)
        return self.node("or", None, *parts)

    def steps(self, state: Obligations, edge: Edge, task: _Task | None, number: int) -> list[int]:
        """Return the formulas that the path can take the step of an edge."""
        if task is None or self.component[edge.target] != self.component[state]:
            return [self.step(edge, edge.moment, self.variable(self.of[edge.target]))]
        after = self.stays[edge.target]
        if task.fair is None and task.promise is None:
            return [self.step(edge, edge.moment, self.variable(after))]
        later = self.variable(self.reached[edge.target, number])
        if self.stays[edge.target] != self.of[edge.target]:
            # Alternatives to a task are conditions on states, so they are required on the way, too.
            later = self.node("and", None, self.variable(after), later)
        if task.fair is None:
            is_fulfilled = task.promise not in edge.promised
            return [self.step(edge, edge.moment, self.variable(after) if is_fulfilled else later)]
        found = [self.step(edge, edge.moment, later)]
        for moment in moments(task.fair.goal):
            both = Moment(
                edge.moment.states | moment.states,
                together(edge.moment.allowed, moment.allowed),
                False,
            )
            found.append(self.step(edge, both, self.variable(after)))
        return found

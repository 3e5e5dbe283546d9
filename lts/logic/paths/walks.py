"""Path formulas with one quantifier, whose state formulas only refer to states and their steps.

They need no game: a path with an accepting run of an automaton is searched, that is, one into a
component of the product in which all recurrence requirements are met. The automaton's states are
nodes: `walk` if a run may stay there, `pass` if not, and `any` if every continuation is accepted.
Their parts are `move`, a step with the promises that it leaves open; `end`, the condition for a
path to end, and `here`, that for continuing arbitrarily; and `task`, a goal that recurs, with an
alternative that may hold forever instead. The label of the step that reaches a goal is in the set
of the node `step`.
"""

from __future__ import annotations

from dataclasses import replace

from lts.logic.data import Data
from lts.logic.nodes import PATHS, Formula, Node, Open
from lts.logic.paths.edges import EdgeNodes
from lts.logic.paths.fairness import EVERY, Repeated, moments
from lts.logic.paths.normal_form import Path
from lts.logic.paths.quantifiers import Normaliser
from lts.logic.paths.runs import Runs, runs
from lts.logic.paths.tableau import Obligations
from lts.logic.priorities import compact

__all__ = ["as_walks"]

MOST_PROMISES = 64


def as_walks(formula: Formula, data: Data) -> Formula | None:
    """Return the automaton of a formula with a single path quantifier at its root, else None.

    `shown` of the result is the formula's truth value if there is a path. Errors are those of
    `without_paths`.
    """
    root, positive = formula.root, True
    while formula.nodes[root][0] == "not":
        root, positive = formula.nodes[root][2][0], not positive
    operator, _, parts = formula.nodes[root]
    if operator not in PATHS:
        return None
    normaliser = Normaliser(formula, data)
    found = runs(normaliser, parts[0], operator == "some")
    if any(len(promises or ()) > MOST_PROMISES for promises in found.promises.values()):
        return None
    walks = _Walks(normaliser, found)
    run = normaliser.node("run", None, *walks.whole())
    if not all(_is_of_now(normaliser.nodes, node) for node in walks.said):
        return None
    shown = (operator == "some") == positive
    return compact(replace(formula, nodes=tuple(normaliser.nodes), root=run, shown=shown))


def _is_of_now(nodes: list[Node], node: int, *, steps: bool = True) -> bool:
    """Whether a formula only refers to a state and its steps, not beyond them."""
    operator, _, parts = nodes[node]
    if operator in ("can", "must"):
        return steps and _is_of_now(nodes, parts[0], steps=False)
    if operator in ("not", "and", "or", "forall", "exists", "enter"):
        return all(_is_of_now(nodes, part, steps=steps) for part in parts)
    return operator == "val"


class _Walks(EdgeNodes):
    """The states of an automaton, as nodes."""

    def __init__(self, normaliser: Normaliser, runs: Runs) -> None:
        super().__init__(normaliser, runs)
        self.of = {state: self.node(self.kind(state), None) for state in runs.automaton}
        self.tasks = [self.task(fair) for fair in runs.fair]

    def kind(self, state: Obligations) -> str:
        if not state and not self.runs.fair:
            return "any"
        return "pass" if self.runs.promises[state] is None else "walk"

    def whole(self) -> list[int]:
        """Return the nodes of all states, the initial one first."""
        for state, node in self.of.items():
            kind = self.kind(state)
            if kind != "any":
                self.normaliser.nodes[node] = (kind, None, self.parts(state))
        first = self.of[self.runs.first]
        return [first, *(node for node in self.of.values() if node != first)]

    def parts(self, state: Obligations) -> tuple[int, ...]:
        promises = self.runs.promises[state] or ()
        made = []
        for edge in self.runs.automaton[state]:
            if edge.may_end:
                made.append(self.node("end", None, self.ending(edge)))
            if edge.has_step:
                step = self.step(edge, edge.moment, self.variable(self.of[edge.target]))
                still = sum(
                    1 << n for n, promise in enumerate(promises) if promise in edge.promised
                )
                made.append(self.node("move", Open(still), step))
        return (*made, *self.tasks) if self.kind(state) == "walk" else tuple(made)

    def task(self, fair: Repeated) -> int:
        parts = [self.goal(fair.goal)]
        if fair.instead is not None:
            parts.append(self.momentary(fair.instead))
        return self.bound("forall", fair.slots, self.node("task", None, *parts))

    def goal(self, goal: Path) -> int:
        disjuncts = []
        for moment in moments(goal):
            step = self.node("step", moment.allowed or EVERY)
            literals = self.literals(sorted(moment.states, key=str))
            disjuncts.append(self.joined("and", [*literals, step]))
        return self.node("or", None, *disjuncts)

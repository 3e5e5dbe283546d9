"""Translates the conditions of an automaton's edges to nodes of a formula."""

from __future__ import annotations

from collections.abc import Sequence

from lts.logic.nodes import Call, Quantifier
from lts.logic.paths.fairness import EVERY, Moment, moments
from lts.logic.paths.normal_form import Path
from lts.logic.paths.quantifiers import Normaliser
from lts.logic.paths.runs import Runs
from lts.logic.paths.tableau import Edge

__all__ = ["EdgeNodes"]


class EdgeNodes:
    """Adds nodes for the edges of an automaton to a formula."""

    def __init__(self, normaliser: Normaliser, runs: Runs) -> None:
        self.normaliser = normaliser
        self.node = normaliser.node
        self.runs = runs
        self.said: dict[int, None] = {}
        """The state formulas used so far."""

    def joined(self, operator: str, parts: Sequence[int]) -> int:
        """Return the conjunction or disjunction of several nodes, or the only one."""
        return parts[0] if len(parts) == 1 else self.node(operator, None, *parts)

    def variable(self, binder: int) -> int:
        """Return a use of a fixed point's variable."""
        return self.node("var", Call(binder))

    def literals(self, paths: Sequence[Path]) -> list[int]:
        """Return nodes for state formulas."""
        self.said |= {path[1]: None for path in paths if path[0] == "state"}  # type: ignore[misc]
        return [self.normaliser.state_node(path) for path in paths]

    def bound(self, kind: str, slots: Sequence[int], node: int) -> int:
        """Return a node quantified over some variables."""
        for slot in reversed(slots):
            node = self.node(kind, Quantifier(slot), node)
        return node

    def step(self, edge: Edge, moment: Moment, after: int) -> int:
        """Return the formula: the conditions of an edge hold, and one of its steps leads to
        `after`."""
        inner, outer = self.apart(edge, moment)
        step = self.node("can", moment.allowed or EVERY, after)
        step = self.joined("and", [*self.literals(inner), step])
        step = self.bound("exists", edge.slots, step)
        return self.joined("and", [*self.literals(outer), step])

    def apart(self, edge: Edge, moment: Moment) -> tuple[list[Path], list[Path]]:
        """Split an edge's state formulas into those with variables that it binds, and others."""
        states = sorted(moment.states, key=str)
        inner = [path for path in states if self.normaliser.free(path) & set(edge.slots)]
        return inner, [path for path in states if path not in inner]

    def ending(self, edge: Edge) -> int:
        """Return the formula: the path ends here, with all obligations fulfilled."""
        every = self.node("must", EVERY, self.node("or", None))
        fair = []
        for requirement in self.runs.fair:
            held = self.momentary(requirement.goal)
            if requirement.instead is not None:
                held = self.node("or", None, self.momentary(requirement.instead), held)
            fair.append(self.bound("forall", requirement.slots, held))
        inner, outer = self.apart(edge, edge.moment)
        bound = []
        if edge.slots:
            held = self.node("and", None, *self.literals(inner))
            bound = [self.bound("exists", edge.slots, held)]
        return self.joined("and", [every, *self.literals(outer), *bound, *fair])

    def momentary(self, path: Path) -> int:
        """Return the formula that something holds in a state where the path may end."""
        disjuncts = [
            self.node("and", None, *self.literals(sorted(moment.states, key=str)))
            for moment in moments(path)
            if moment.may_end
        ]
        return self.node("or", None, *disjuncts)

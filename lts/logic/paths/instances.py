"""Instances of an automaton's states, created on demand by the search for a path."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from lts.logic.instances import Instances
from lts.logic.nodes import Actions, Open
from lts.logic.priorities import inner_first

__all__ = ["NeedsGame", "Walks"]

Step = tuple[list[int], int, int | None]
"""Conditions on the state, a set of labels, and the walk after a step; None if the label determines
it."""


class NeedsGame(Exception):
    """A search for a path does not decide this formula; a game does."""


class Move(NamedTuple):
    """A step, and the promises that it leaves open, as bits."""

    held: list[int]
    labels: int
    after: int | None
    promises: int


class Walk(NamedTuple):
    """A state of an automaton."""

    kind: str
    moves: list[Move]
    tasks: list[int]
    at_deadlock: list[int]
    """Conditions under which a path may end."""
    here: list[int]
    """Conditions under which a path may continue arbitrarily."""


class Walks(Instances):
    """The interface of an automaton (`lts.logic.paths.walks`) to the engine."""

    def part(self, number: int) -> tuple[str, int, list[int]]:
        """Return the shape of an instance, as other instances do; raise `NeedsGame` for a node that
        depends on all labels of a state."""
        found = super().part(number)
        if found[0] in ("one of", "each of"):
            raise NeedsGame
        return found

    @cached_property
    def leading(self) -> set[int]:
        """Nodes that contain the step of an edge."""
        nodes = self.formula.nodes
        found: set[int] = set()
        for node in inner_first(self.formula):
            operator, _, parts = nodes[node]
            if operator == "step" or any(p in found or nodes[p][0] == "var" for p in parts):
                found.add(node)
        return found

    def walk(self, number: int) -> Walk:
        """Return a state of the automaton."""
        node, _, own = self.key(number)
        kind, _, parts = self.formula.nodes[node]
        values = dict(zip(self.free[node], own, strict=True))
        moves: list[Move] = []
        at_deadlock, here, tasks = [], [], []
        for part in parts:
            operator, what, inner = self.formula.nodes[part]
            if operator == "move":
                assert isinstance(what, Open)
                steps = self._steps(self.instance(inner[0], 0, values))
                moves += (Move(*step, what.promises) for step in steps)
            elif operator == "end":
                at_deadlock.append(self.instance(inner[0], 0, values))
            elif operator == "here":
                here.append(self.instance(inner[0], 0, values))
            else:
                tasks += self._tasks(self.instance(part, 0, values))
        return Walk(kind, moves, list(dict.fromkeys(tasks)), at_deadlock, here)

    def task(self, number: int) -> tuple[list[tuple[list[int], int]], int | None]:
        """Return the alternatives that fulfil a task, and the condition that may hold forever
        instead, if any.

        An alternative consists of conditions on the state, and a set of labels.
        """
        node, _, own = self.key(number)
        values = dict(zip(self.free[node], own, strict=True))
        goal, *instead = self.formula.nodes[node][2]
        alternatives = [
            (held, labels) for held, labels, _ in self._steps(self.instance(goal, 0, values))
        ]
        return alternatives, self.instance(instead[0], 0, values) if instead else None

    def _tasks(self, number: int) -> list[int]:
        """Return the tasks in a node, one for each value of its quantified variables."""
        node, _, _ = self.key(number)
        assert node >= 0
        if self.formula.nodes[node][0] == "task":
            return [number]
        _, _, inner = self.part(number)
        return [task for part in inner for task in self._tasks(part)]

    def _steps(self, number: int) -> list[Step]:
        """Return the alternatives for a step, or for reaching a goal."""
        node, _, own = self.key(number)
        assert node >= 0
        name, what, _ = self.formula.nodes[node]
        if name == "step":
            assert isinstance(what, Actions)
            return [([], self._set(what, dict(zip(self.free[node], own, strict=True))), None)]
        operator, labels, inner = self.part(number)
        if operator == "can":
            return [([], labels, inner[0] if inner else None)]
        if operator == "or":
            return [step for part in inner for step in self._steps(part)]
        # At most one part contains a step; none does if another part is known to be false.
        leading = [part for part in inner if self.keys[part][0] in self.leading]
        held = [part for part in inner if part not in leading]
        each = [step for part in leading for step in self._steps(part)]
        return [(held + also, labels, after) for also, labels, after in each]

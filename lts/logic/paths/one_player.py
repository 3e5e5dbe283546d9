"""Formulas in which one player makes all moves: they say that there is a path, or none.

These are formulas without boxes around steps, in whose conjunctions at most one part contains
steps: `<true*.a>true`, `nu X. <a>X`, and the negations of `[true*.a]false`, `[true*]<true>true` and
`mu X. [!a]X && <true>true`. The subformulas after steps become states of an automaton (see
`walks`): a run may stay in cycles through greatest fixed points, and must leave those through least
ones.
"""

from __future__ import annotations

from dataclasses import replace

from lts.logic.nodes import PATHS, Call, Formula, Node, Open
from lts.logic.priorities import compact
from lts.system.components import strong_components

__all__ = ["one_player"]

Part = tuple[int, bool]
"""A node of the formula, and whether it is negated."""

_DUAL = {"and": "or", "or": "and", "can": "must", "must": "can", "mu": "nu", "nu": "mu"}
_DUAL |= {"forall": "exists", "exists": "forall"}


def one_player(formula: Formula) -> Formula | None:
    """Return a formula as walks if one player makes all moves in it, else None.

    `shown` of the result is its truth value if there is a path.
    """
    if any(
        operator in PATHS or (isinstance(what, Call) and what.slots)
        for operator, what, _ in formula.nodes
    ):
        return None
    for negated in (False, True):
        made = _Made(formula)
        try:
            first = made.walk((formula.root, negated))
            made.define_all()
        except _NotOnePlayer:
            continue
        others = (walk for walk in made.walks.values() if walk != first)
        made.nodes.append(("run", None, (first, *others)))
        nodes, root = tuple(made.nodes), len(made.nodes) - 1
        return compact(replace(formula, nodes=nodes, root=root, shown=not negated))
    return None


class _NotOnePlayer(Exception):
    pass


class _Made:
    """Builds the nodes of walks, in addition to those of the formula."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.nodes: list[Node] = list(formula.nodes)
        self.walks: dict[Part, int] = {}
        self.waiting: list[Part] = []
        self.kinds = _kinds(formula)

    def node(self, operator: str, what: object, *parts: int) -> int:
        self.nodes.append((operator, what, parts))  # type: ignore[arg-type]
        return len(self.nodes) - 1

    def name(self, part: Part) -> str:
        """Return the operator of a part, dualised if it is negated."""
        operator = self.formula.nodes[part[0]][0]
        return _DUAL.get(operator, operator) if part[1] else operator

    def inner(self, part: Part) -> list[Part]:
        """Return the subformulas of a part."""
        node, negated = part
        operator, what, parts = self.formula.nodes[node]
        if operator in ("var", "enter"):
            assert isinstance(what, Call)
            parts = (what.binder,)
        return [(p, negated != (operator == "not")) for p in parts]

    def walk(self, part: Part) -> int:
        """Return the walk for a part that is reached by a step."""
        while self.name(part) in ("not", "var", "enter"):
            part = self.inner(part)[0]
        if part not in self.walks:
            self.walks[part] = self.node("any" if self.is_true(part) else "walk", None)
            self.waiting.append(part)
        return self.walks[part]

    def is_true(self, part: Part) -> bool:
        return self.name(part) == "and" and not self.inner(part)

    def define_all(self) -> None:
        """Define all walks."""
        while self.waiting:
            part = self.waiting.pop()
            if self.is_true(part):
                continue
            kind = self.kinds[part]
            if kind == "both":
                raise _NotOnePlayer
            moves = self.moves(part, frozenset())
            walk = self.walks[part]
            self.nodes[walk] = ("walk" if kind == "nu" else "pass", None, tuple(moves))

    def moves(self, part: Part, inside: frozenset[Part]) -> list[int]:
        """Return the moves and immediate successes of a part.

        `inside` are the fixed points around it without a step in between.
        """
        name = self.name(part)
        if self.is_of_now(part):
            return [self.node("here", None, self.literal(part))]
        if name in ("not", "var", "enter"):
            return self.moves(self.inner(part)[0], inside)
        if name in ("mu", "nu"):
            if part in inside:
                # A cycle without a step.
                return [self.node("here", None, self.node("and", None))] if name == "nu" else []
            return self.moves(self.inner(part)[0], inside | {part})
        if name == "or":
            return [move for inner in self.inner(part) for move in self.moves(inner, inside)]
        return [self.node("move", Open(0), self.step(part, inside))]

    def step(self, part: Part, inside: frozenset[Part]) -> int:
        """Return the node of a step, with the conditions before it."""
        what = self.formula.nodes[part[0]][1]
        name, inner = self.name(part), self.inner(part)
        if name in ("not", "var", "enter"):
            return self.step(inner[0], inside)
        if name == "can":
            return self.node("can", what, self.node("var", Call(self.walk(inner[0]))))
        if name == "exists":
            return self.node("exists", what, self.step(inner[0], inside))
        if name == "or":
            return self.node("or", None, *(self.step(part, inside) for part in inner))
        if name == "mu" and part in inside:
            return self.node("or", None)
        if name in ("mu", "nu") and part not in inside:
            return self.step(inner[0], inside | {part})
        if name == "and":
            leading = [part for part in inner if not self.is_of_now(part)]
            if len(leading) == 1:
                held = [self.literal(part) for part in inner if part not in leading]
                return self.node("and", None, *held, self.step(leading[0], inside))
        raise _NotOnePlayer

    def literal(self, part: Part) -> int:
        node, negated = part
        return self.node("not", None, node) if negated else node

    def is_of_now(self, part: Part) -> bool:
        """Whether a part is only about data, and about states having no step."""
        name = self.name(part)
        if name == "val":
            return True
        if name == "must":
            return self.name(self.inner(part)[0]) == "or" and not self.inner(self.inner(part)[0])
        if name in ("and", "or", "not", "forall", "exists"):
            return all(map(self.is_of_now, self.inner(part)))
        return False


def _kinds(formula: Formula) -> dict[Part, str | None]:
    """Return the kind of fixed points in cycles through each part: `mu`, `nu`, `both` or None."""
    graph: dict[Part, list[Part]] = {}
    for number, (operator, what, parts) in enumerate(formula.nodes):
        for negated in (False, True):
            flipped = negated != (operator == "not")
            graph[number, negated] = [(part, flipped) for part in parts]
            if isinstance(what, Call):
                graph[number, negated].append((what.binder, negated))
    found: dict[Part, str | None] = {}
    for component in strong_components(graph):
        names = set()
        for number, negated in component:
            operator = formula.nodes[number][0]
            if operator in ("mu", "nu"):
                names.add(_DUAL[operator] if negated else operator)
        kind = "both" if len(names) > 1 else next(iter(names), None)
        found |= dict.fromkeys(component, kind)
    return found

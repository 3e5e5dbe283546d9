"""Orders of a formula's nodes, and the alternation of its fixed points."""

from __future__ import annotations

from dataclasses import replace

from lts.logic.nodes import Call, Formula, Node, slots_of

__all__ = ["compact", "free_slots", "heights", "inner_first"]


def heights(formula: Formula) -> list[int]:
    """Return a height for each fixed point, not larger than that of outer ones that it depends on.

    Nested fixed points of the same kind have equal heights, so that heights count alternations. Of
    mutually recursive fixed points, greatest ones are above least ones.
    """
    nodes = formula.nodes
    free: list[frozenset[int]] = [frozenset()] * len(nodes)
    height = [0] * len(nodes)
    negated = _polarity(formula)
    together = {part for operator, _, parts in nodes if operator == "run" for part in parts}
    for number in inner_first(formula):
        operator, what, parts = nodes[number]
        if operator == "run":
            free[number] = frozenset().union(*(free[part] for part in parts)) - set(parts)
            continue
        if operator == "var":
            assert isinstance(what, Call)
            free[number] = frozenset({what.binder})
            continue
        free[number] = frozenset().union(*(free[part] for part in parts)) - {number}
        if operator not in ("mu", "nu"):
            continue
        if number in together:
            height[number] = operator == "nu"
            continue
        # All parts are done. An outer fixed point that this one depends on must not be lower, and
        # must be higher if the kinds differ.
        for outer in free[number] - together:
            same = (operator == nodes[outer][0]) == (negated[number] == negated[outer])
            height[outer] = max(height[outer], height[number] + (0 if same else 1))
    return height


def free_slots(formula: Formula) -> list[tuple[int, ...]]:
    """Return the data variables that each node depends on, in order."""
    nodes = formula.nodes
    if not formula.slots:
        return [()] * len(nodes)
    own = [slots_of(what, formula.slots) for _, what, _ in nodes]
    free: list[frozenset[int]] = [frozenset()] * len(nodes)
    order = inner_first(formula)
    parameters = {
        what.binder: frozenset(what.slots)
        for operator, what, _ in nodes
        if operator == "enter" and isinstance(what, Call)
    }
    changed = True
    while changed:
        changed = False
        for number in order:
            operator, what, parts = nodes[number]
            found = own[number].union(*(free[part] for part in parts))
            if isinstance(what, Call):
                # The variables of the fixed point, except parameters, whose values are given here.
                bound = parameters.get(what.binder, frozenset())
                found = own[number] | (free[what.binder] - bound)
            elif operator == "run":
                found = free[parts[0]]
            elif operator in ("forall", "exists"):
                found = own[number] | free[parts[0]] - {what.slot}  # type: ignore[union-attr]
            if found != free[number]:
                free[number] = found
                changed = True
    return [tuple(sorted(slots)) for slots in free]


def inner_first(formula: Formula) -> list[int]:
    """Return the reachable nodes, parts first."""
    order: list[int] = []
    seen = {formula.root}
    waiting = [(formula.root, False)]
    while waiting:
        number, done = waiting.pop()
        if done:
            order.append(number)
            continue
        waiting.append((number, True))
        _, _, parts = formula.nodes[number]
        for part in parts:
            if part not in seen:
                seen.add(part)
                waiting.append((part, False))
    return order


def _polarity(formula: Formula) -> list[int]:
    """Return for each node whether it is under an odd number of negations."""
    found = [0] * len(formula.nodes)
    for number in reversed(inner_first(formula)):
        operator, _, parts = formula.nodes[number]
        for part in parts:
            found[part] = found[number] ^ (operator == "not")
    return found


def compact(formula: Formula) -> Formula:
    """Return a formula with only the nodes in use, parts first."""
    order = inner_first(formula)
    number = {node: place for place, node in enumerate(order)}
    nodes: list[Node] = []
    for node in order:
        operator, what, parts = formula.nodes[node]
        if isinstance(what, Call):
            what = replace(what, binder=number[what.binder])
        nodes.append((operator, what, tuple(number[part] for part in parts)))
    return replace(formula, nodes=tuple(nodes), root=number[formula.root])

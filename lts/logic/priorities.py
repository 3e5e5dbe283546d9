"""The order of the parts of a formula, and how fixed points depend on each other."""

from __future__ import annotations

from lts.logic.nodes import Call, Formula, slots_of

__all__ = ["free_slots", "heights", "inner_first"]


def heights(formula: Formula) -> list[int]:
    """Return a height for every fixed point: one that depends on an outer one has a smaller one.

    Heights are equal where fixed points of one kind are nested, so that only alternation counts.
    Of those that are bound together the greatest ones are above the least ones.
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
        # All inside it is done. What it depends on is an outer one, which is one higher where the
        # kind changes and the order of priorities asks for it.
        for outer in free[number] - together:
            same = (operator == nodes[outer][0]) == (negated[number] == negated[outer])
            height[outer] = max(height[outer], height[number] + (0 if same else 1))
    return height


def free_slots(formula: Formula) -> list[tuple[int, ...]]:
    """Return for every node the variables for data that its meaning depends on, in order."""
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
                # What the fixed point depends on besides its parameters, which get values here.
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
    """Return the nodes that the formula is made of, parts first."""
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
    """Return for every node whether an odd number of negations is around it."""
    found = [0] * len(formula.nodes)
    for number in reversed(inner_first(formula)):
        operator, _, parts = formula.nodes[number]
        for part in parts:
            found[part] = found[number] ^ (operator == "not")
    return found

"""Moves quantifiers over data in path formulas as far inwards as possible.

The later a value is chosen, the fewer states of the automaton depend on it. Universal quantifiers
are moved into conditions on the next step or on single states; where that is impossible, the values
are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from lts.logic.data import Data, Value
from lts.logic.nodes import (
    Actions,
    Call,
    Expression,
    Formula,
    Literal,
    Node,
    Open,
    Quantifier,
    is_slot,
    slots_of,
)
from lts.logic.paths.fairness import repeated
from lts.logic.paths.normal_form import (
    Path,
    both,
    conjunction,
    disjunction,
    inverse,
    next_step,
    over_all,
    release,
    until,
)
from lts.logic.priorities import free_slots
from lts.specification.terms import substitute, variables_of
from lts.text.names import Name

__all__ = ["Normaliser"]


class Normaliser:
    """Translates nodes of a formula to path formulas in normal form; it may add nodes."""

    def __init__(self, formula: Formula, data: Data) -> None:
        self.formula = formula
        self.data = data
        self.nodes: list[Node] = list(formula.nodes)
        self.by_value: set[int] = set()
        """Variables whose values are enumerated."""
        self._free = {n: frozenset(slots) for n, slots in enumerate(free_slots(formula))}
        self._known: dict[Path, frozenset[int]] = {}
        self._given: dict[tuple[Path, int, Value, int], Path] = {}
        """Cache of formulas with substituted values; keys include the number of enumerated
        variables."""

    def node(
        self,
        operator: str,
        what: Actions | Call | Expression | Open | Quantifier | None,
        *parts: int,
        free: Iterable[int] = (),
    ) -> int:
        """Add a node; `free` are its free variables if it is a state formula."""
        self.nodes.append((operator, what, parts))
        self._free[len(self.nodes) - 1] = frozenset(free)
        return len(self.nodes) - 1

    def normal(self, node: int, positive: bool = True) -> Path:
        """Return the normal form of a node, or of its negation."""
        operator, what, parts = self.nodes[node]
        if operator == "not":
            return self.normal(parts[0], not positive)
        if operator in ("and", "or"):
            join = conjunction if (operator == "and") == positive else disjunction
            return join(*(self.normal(part, positive) for part in parts))
        if isinstance(what, Quantifier):
            inner = self.normal(parts[0], positive)
            return self.bound("forall" if (operator == "forall") == positive else "exists",
                              what.slot, inner)  # fmt: skip
        if operator == "action":
            return "action", what, positive
        if operator == "next":
            return next_step(self.normal(parts[0], positive), strong=positive)
        if operator in ("until", "release"):
            left, right = (self.normal(part, positive) for part in parts)
            return (until if (operator == "until") == positive else release)(left, right)
        return "state", node, positive

    def free(self, path: Path) -> frozenset[int]:
        """Return the free variables of a formula."""
        if path not in self._known:
            self._known[path] = self._free_of(path)
        return self._known[path]

    def _free_of(self, path: Path) -> frozenset[int]:
        match path:
            case ("state", int() as node, _):
                return self._free[node]
            case ("action", Actions() as actions, _):
                return slots_of(actions, self.formula.slots)
            case ("empty", int() as slot, _):
                return slots_of(Quantifier(slot), self.formula.slots)
            case ("forall" | "exists", int() as slot, tuple() as inner):
                return self.free(inner) - {slot} | self.free(("empty", slot, True))
        each = (self.free(part) for part in path if isinstance(part, tuple))
        return frozenset[int]().union(*each)

    def bound(self, kind: str, slot: int, path: Path) -> Path:
        """Return a quantified formula."""
        if slot not in self.free(path):
            empty = ("empty", slot, kind == "forall")
            return disjunction(path, empty) if kind == "forall" else conjunction(path, empty)
        if kind == "forall" and repeated(path) is not None:
            return kind, slot, path
        moved = self._all(slot, path) if kind == "forall" else self._some(slot, path)
        if moved is not None:
            return moved
        if kind == "forall" or slot in self.by_value:
            join = conjunction if kind == "forall" else disjunction
            return join(*self.each(slot, path))
        return kind, slot, path

    def _some(self, slot: int, path: Path) -> Path | None:
        """Return an existential formula with the quantifier moved inwards; None if impossible."""

        def some(part: Path) -> Path:
            return self.bound("exists", slot, part)

        match path:
            case ("or", *parts):
                return disjunction(*(some(part) for part in parts))  # type: ignore[arg-type]
            case ("and", *parts):
                with_it, without = self.apart(slot, parts)
                if without:
                    return conjunction(*without, some(conjunction(*with_it)))
            case ("next", tuple() as inner):
                return "next", some(inner)
            case ("until", tuple() as left, tuple() as right) if slot not in self.free(left):
                return until(left, some(right))
        return self.at_once("exists", slot, path)

    def _all(self, slot: int, path: Path) -> Path | None:
        """Return a universal formula with the quantifier moved inwards; None if impossible."""
        empty: Path = ("empty", slot, True)

        def each(part: Path) -> Path:
            return self.bound("forall", slot, part)

        match path:
            case ("and", *parts):
                return conjunction(*(each(part) for part in parts))  # type: ignore[arg-type]
            case ("or", *parts):
                with_it, without = self.apart(slot, parts)
                if without:
                    return disjunction(*without, each(disjunction(*with_it)))
            case ("weak next", tuple() as inner):
                return next_step(each(inner), strong=False)
            case ("next", tuple() as inner):
                return disjunction(empty, next_step(each(inner), strong=True))
            case ("release", tuple() as left, tuple() as right) if slot not in self.free(left):
                return release(left, each(right))
            case ("until", tuple() as left, tuple() as right) if slot not in self.free(right):
                return disjunction(empty, until(each(left), right))
        return self.at_once("forall", slot, path)

    def apart(self, slot: int, parts: list[object]) -> tuple[list[Path], list[Path]]:
        """Split parts into those with a variable and those without it."""
        paths = [part for part in parts if isinstance(part, tuple)]
        return (
            [part for part in paths if slot in self.free(part)],
            [part for part in paths if slot not in self.free(part)],
        )

    def at_once(self, kind: str, slot: int, path: Path) -> Path | None:
        """Return a quantified formula as an atom; None if impossible."""
        join = "or" if kind == "forall" else "and"
        parts = path[1:] if path[0] == join else (path,)
        steps = [part for part in parts if isinstance(part, tuple) and part[0] == "action"]
        states = [part for part in parts if isinstance(part, tuple) and part[0] == "state"]
        if len(steps) + len(states) < len(parts):
            return None
        if not steps:
            join_node = self.node(join, None, *map(self.state_node, states), free=self.free(path))
            bound = self.node(kind, Quantifier(slot), join_node, free=self.free(path) - {slot})
            return "state", bound, True
        conditions = [self.condition(part) for part in states]
        terms = [Actions(f"{tree}", tree) for tree in conditions if tree is not None]
        if len(terms) < len(conditions):
            return None
        [(_, actions, positive)] = steps
        assert isinstance(actions, Actions)
        if (kind == "exists") == positive:
            # The label is in the set for some value that satisfies the conditions (or for none).
            of_step = terms if positive else [inverse(term) for term in terms]
            return "action", over_all("exists", slot, both(actions, *of_step)), positive
        if terms:
            return None
        every = "action", over_all("forall", slot, actions), positive
        empty = ("empty", slot, kind == "forall")
        return disjunction(empty, every) if kind == "forall" else conjunction(empty, every)

    def condition(self, path: Path) -> Path | None:
        """Return a data condition as a set of labels, all or none; None for other conditions."""
        _, node, positive = path
        assert isinstance(node, int)
        operator, what, _ = self.nodes[node]
        if operator != "val":
            return None
        return ("val", what) if positive else ("not", ("val", what))

    def state_node(self, path: Path) -> int:
        """Return the node of a state formula, or of its negation."""
        kind, what, positive = path
        assert isinstance(what, int)
        if kind == "empty":
            bound = self.node("exists", Quantifier(what), self.node("and", None))
            self._free[bound] = self.free(path)
            what, positive = bound, not positive
        return what if positive else self.node("not", None, what, free=self._free[what])

    # Enumeration of values.

    def refuse_bounds(self, slot: int) -> NoReturn:
        """Raise the error that bounds depend on a variable whose values are enumerated."""
        own = self.formula.slots[slot]
        self.data.wrong(own.at, f"bounds must not depend on `{own.name}` here")

    def each(self, slot: int, path: Path) -> list[Path]:
        """Return the instances of a formula for each value of a variable."""
        return [self.with_value(path, slot, value) for value in self.values(slot)]

    def values(self, slot: int) -> Sequence[Value]:
        """Return the values of a variable."""
        own = self.formula.slots[slot]
        if self.free(("empty", slot, True)):
            self.data.wrong(own.at, f"the bounds of `{own.name}` must not depend on data here")
        return self.data.range(slot, {})

    def with_value(self, path: Path, slot: int, value: Value) -> Path:
        """Substitute a value for a variable.

        Results are cached, so that equal obligations of automaton states are the same object.
        """
        key = (path, slot, value, len(self.by_value))
        if key not in self._given:
            self._given[key] = self._with_value(path, slot, value)
        return self._given[key]

    def _with_value(self, path: Path, slot: int, value: Value) -> Path:
        at = self.formula.slots[slot].at
        known = Expression(Literal(Name.at("", at), self.data.sort_of_slot(slot), value), at)

        def inside(part: Path) -> Path:
            return self.with_value(part, slot, value)

        if slot not in self.free(path):
            return path
        match path:
            case ("state", int() as node, positive):
                call = Call(node, (slot,), (known,))
                bound = self.node("enter", call, node, free=self._free[node] - {slot})
                return "state", bound, positive
            case ("action", Actions(text, tree), positive):
                put = _put(tree, slot, known)
                assert isinstance(put, tuple)
                own: Path = (
                    "action",
                    Actions(f"{text}[#{slot} = {self.data.shown(value)}]", put),
                    positive,
                )
                if slot in self.free(own):
                    self.refuse_bounds(slot)
                return own
            case ("forall" | "exists" as kind, int() as inner_slot, tuple() as inner):
                if slot in self.free(("empty", inner_slot, True)):
                    self.refuse_bounds(slot)
                return self.bound(kind, inner_slot, inside(inner))
            case ("empty", _, _):
                self.refuse_bounds(slot)
            case ("and", *parts):
                return conjunction(*(inside(part) for part in parts))  # type: ignore[arg-type]
            case ("or", *parts):
                return disjunction(*(inside(part) for part in parts))  # type: ignore[arg-type]
            case ("next" | "weak next" as kind, tuple() as inner):
                return next_step(inside(inner), strong=kind == "next")
            case ("until" | "release" as kind, tuple() as left, tuple() as right):
                return (until if kind == "until" else release)(inside(left), inside(right))
        raise AssertionError(path)


def _put(part: object, slot: int, known: Expression) -> object:
    """Substitute a value for a variable in a set of labels."""
    match part:
        case Expression(term) if is_slot(term, slot):
            return known
        case Expression(term, at):
            own = {v: known.term for v in variables_of(term) if is_slot(v, slot)}
            return Expression(substitute(term, own), at)
        case tuple():
            return tuple(_put(p, slot, known) for p in part)
    return part

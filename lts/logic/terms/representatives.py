"""Representative values of variables over infinite sorts.

A subformula often uses a variable only in comparisons: with the arguments of the labels of the
current state, and with terms whose values are known. Let C be the set of all these values, for this
variable and those quantified inside. A permutation of the sort that fixes C, and for numbers keeps
each between the same neighbours in C, does not change the value of the subformula. So one
representative is enough for all values outside C, or for all numbers between two neighbours in C.
If variables are compared with each other by order, the numbers near those in C are tried as well,
and a representative is one with enough room around it for the variables inside.
A subformula after a step may use the variable in other ways if the label of the step determines the
value, which then is in C. Otherwise C must contain the arguments of all labels of the system. Then
the argument holds for fixed points as well, since it holds for each of their approximations, unless
they have parameters, whose values are not known.

No representatives are known if the variable is used in any other way, such as `x + 1 == y`, `f(x)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lts.logic.data import Data, ReadLabel, Value, Values
from lts.logic.nodes import (
    Actions,
    Call,
    DataVariable,
    Expression,
    Formula,
    Quantifier,
    Tree,
    is_slot,
    slots_of,
)
from lts.logic.terms.candidates import COMPARISONS, Label, evaluated, unconverted
from lts.specification.terms import Application, Term

__all__ = ["Labels", "binds", "in_actions", "in_formula"]

MOST_REPRESENTATIVES = 10_000
"""Most representatives of one variable; none are returned if there are more."""


class Labels(NamedTuple):
    """The labels of a state's steps, or if `of_system`, all labels of a system."""

    read: Sequence[Label]
    of_system: bool


class _SeesMore(Exception):
    """A variable is used in more than comparisons."""


def in_formula(
    formula: Formula,
    free: Sequence[tuple[int, ...]],
    node: int,
    slot: int,
    data: Data,
    values: Values,
    labels: Labels,
) -> tuple[Sequence[Value], bool] | None:
    """Return representatives of a variable, and whether they depend on the labels.

    They are for the subformula `node`; `free` lists the free variables of every subformula. None if
    no representatives are known.
    """
    seen = _Seen(data, values, labels.read)

    def look(node: int, unvalued: frozenset[int]) -> None:
        operator, what, parts = formula.nodes[node]
        if not seen.endless(unvalued & {*free[node]}):
            return
        if isinstance(what, Expression):
            seen.condition(what.term, unvalued)
        elif isinstance(what, Quantifier):
            seen.bounds(what, unvalued)
            look(parts[0], unvalued | {what.slot})
        elif isinstance(what, Actions):
            seen.actions(what.tree, unvalued)
            behind = seen.endless(unvalued & {*free[parts[0]]})
            if not all(binds(what.tree, slot) for slot in behind):
                if not labels.of_system:
                    raise _SeesMore
                look(parts[0], unvalued)
        elif isinstance(what, Call):
            # A fixed point without parameters is looked at where it is declared.
            if what.slots or not labels.of_system:
                raise _SeesMore
        elif operator in ("and", "or", "not") or (labels.of_system and operator in ("mu", "nu")):
            for part in parts:
                look(part, unvalued)
        else:
            raise _SeesMore

    return seen.representatives(slot, lambda: look(node, frozenset((slot,))))


def in_actions(
    tree: Tree, slot: int, data: Data, values: Values, label: Label
) -> Sequence[Value] | None:
    """Return representatives of a variable for the question whether an action formula has a label;
    None if they are not known."""
    seen = _Seen(data, values, [label])
    found = seen.representatives(slot, lambda: seen.actions(tree, frozenset((slot,))))
    return None if found is None else found[0]


def binds(tree: Tree, slot: int) -> bool:
    """Whether every label of an action formula has the value of the variable as an argument."""
    match tree:
        case ("pattern", _, tuple() as terms, _):
            each = (unconverted(said.term) for said in terms if isinstance(said, Expression))
            return any(is_slot(term, slot) for term in each)
        case ("and" | "multi", *parts):
            return any(binds(part, slot) for part in parts if isinstance(part, tuple))
        case ("or", *parts) if parts:
            return all(isinstance(part, tuple) and binds(part, slot) for part in parts)
        case ("exists" | "forall", Quantifier(), tuple() as inner):
            return binds(inner, slot)
    return False


@dataclass(slots=True)
class _Seen:
    """The values that variables without a value are compared with (C above)."""

    data: Data
    values: Values
    labels: Sequence[Label]
    numbers: set[int] = field(default_factory=set)
    others: dict[str, dict[Value, None]] = field(default_factory=dict)
    """By sort, the values of sorts other than numbers, in the order in which they were found."""
    by_labels: bool = False
    ordered: bool = False
    """Whether variables without values are compared by order with each other."""
    inside: int = 0
    """The number of variables quantified inside each other, besides the first."""

    def endless(self, slots: frozenset[int]) -> frozenset[int]:
        """Return those of some variables whose sorts are infinite."""
        return frozenset(slot for slot in slots if self.data.is_endless(slot))

    def representatives(
        self, slot: int, look: Callable[[], None]
    ) -> tuple[Sequence[Value], bool] | None:
        """Collect C by `look` and return the representatives, and whether they depend on labels."""
        if not self.data.is_compared_as_it_looks(slot):
            return None
        try:
            look()
        except _SeesMore:
            return None
        if not self.data.counts(slot):
            own = [*self.others.get(self.data.sort_of_slot(slot), ())]
            fresh = self.data.another(slot, own)
            return None if fresh is None else ([*own, fresh], self.by_labels)
        least = self.data.least(slot)
        # With 0 and 1, since the variable may be equal to another one whose sort is Nat or Pos. If
        # k variables are still to be placed around this one, only distances below 2^k matter
        # (Ehrenfeucht-Fraisse games on linear orders).
        far = 1 << self.inside if self.ordered else 1
        if far > MOST_REPRESENTATIVES:
            return None
        near = {n + more for n in self.numbers | {0, 1} for more in range(-far, far + 1)}
        found = sorted(n for n in near if least is None or n >= least)
        if len(found) > MOST_REPRESENTATIVES:
            return None
        sort = self.data.sort_of_slot(slot)
        return [self.data.numeral(number, sort) for number in found], self.by_labels

    def see(self, slot: int, value: Value, of: str) -> None:
        """Record that a variable is compared with a value of some sort."""
        sort = self.data.sort_of_slot(slot)
        if self.data.counts(slot):
            number = self.data.number(value)
            if number is None:
                raise _SeesMore
            self.numbers.add(number)
        elif isinstance(value, str) or not self.data.is_built(value, of) or of != sort:
            raise _SeesMore
        else:
            self.others.setdefault(sort, {})[value] = None

    def bounds(self, quantifier: Quantifier, unvalued: frozenset[int]) -> None:
        """Count a quantifier; raise `_SeesMore` if its bounds depend on one of the variables."""
        self.inside = max(self.inside, len(self.endless(unvalued)))
        if self.endless(slots_of(quantifier, self.data.formula.slots) & unvalued):
            raise _SeesMore

    def condition(self, term: Term, unvalued: frozenset[int]) -> None:
        """Record the comparisons in a condition."""
        seen = self.endless(slots_of(term) & unvalued)
        if not seen:
            return
        if not isinstance(term, Application):
            raise _SeesMore
        operator, parts = term.function.name, term.arguments
        if operator in ("!", "&&", "||", "=>"):
            for part in parts:
                self.condition(part, unvalued)
            return
        if operator in COMPARISONS:
            sides = [*map(unconverted, parts)]
            for one, other in (sides, sides[::-1]):
                if isinstance(one, DataVariable) and one.slot in seen:
                    self.compared(one.slot, operator, other, unvalued)
                    return
        if operator == "in" and len(parts) == 2:
            one, other = unconverted(parts[0]), parts[1]
            if isinstance(one, DataVariable):
                self.element(one, other, unvalued)
                return
        unfolded = self.data.unfolded(term)
        if unfolded is None:
            raise _SeesMore
        self.condition(unfolded, unvalued)

    def compared(self, slot: int, operator: str, other: Term, unvalued: frozenset[int]) -> None:
        """Record the comparison of a variable with a term."""
        if not self.data.is_compared_as_it_looks(slot):
            raise _SeesMore
        if isinstance(other, DataVariable) and other.slot in unvalued:
            # Two variables without values: only their equality or order matters.
            both = self.endless(frozenset((slot, other.slot)))
            if slot != other.slot and len(both) < 2:
                raise _SeesMore
            if operator not in ("==", "!="):
                if not all(map(self.data.counts, both)):
                    raise _SeesMore
                self.ordered = True
            return
        value = None if slots_of(other) & unvalued else evaluated(other, self.data, self.values)
        if value is None or not (operator in ("==", "!=") or self.data.counts(slot)):
            raise _SeesMore
        self.see(slot, value, other.sort)

    def element(self, one: DataVariable, whole: Term, unvalued: frozenset[int]) -> None:
        """Record the test whether a variable is in a list, set or bag."""
        value = None if slots_of(whole) & unvalued else evaluated(whole, self.data, self.values)
        elements = None if value is None else self.data.elements(value, whole.sort)
        if elements is None or not self.data.is_compared_as_it_looks(one.slot):
            raise _SeesMore
        for element in elements:
            self.see(one.slot, element, one.sort)

    def actions(self, tree: Tree, unvalued: frozenset[int]) -> None:
        """Record the comparisons in an action formula."""
        match tree:
            case ("val", Expression(term)):
                self.condition(term, unvalued)
            case ("pattern", str() as name, tuple() as terms, tuple() | None as sorts):
                for place, said in enumerate(terms):
                    if isinstance(said, Expression):
                        self.argument(name, sorts, len(terms), place, said.term, unvalued)
            case ("forall" | "exists", Quantifier(slot) as quantifier, tuple() as inner):
                self.bounds(quantifier, unvalued)
                self.actions(inner, unvalued | {slot})
            case (_, *parts):
                for part in parts:
                    if isinstance(part, tuple):
                        self.actions(part, unvalued)

    def argument(
        self,
        name: str,
        sorts: tuple[str, ...] | None,
        count: int,
        place: int,
        term: Term,
        unvalued: frozenset[int],
    ) -> None:
        """Record the comparison of an argument of an action with those of the labels."""
        if not self.endless(slots_of(term) & unvalued):
            return
        own = unconverted(term)
        if not isinstance(own, DataVariable):
            raise _SeesMore
        self.by_labels = True
        for action in self.labelled(name, count):
            if not self.data.is_of_declaration(action, sorts):
                continue
            assert action.arguments is not None
            value = self.data.read(action.arguments[place], own.slot)
            if value is not None:  # otherwise it is not of the variable's sort
                self.see(own.slot, value, own.sort)

    def labelled(self, name: str, count: int) -> Iterator[ReadLabel]:
        """Yield all actions of that name and number of arguments in the labels."""
        for label, internal in self.labels:
            for action in () if internal else label.each:
                if action.name == name and len(action.arguments or ()) == count:
                    yield action

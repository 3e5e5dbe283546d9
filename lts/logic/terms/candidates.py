"""Finds the values of a variable of an infinite sort that can matter.

Conditions and labels determine them: in `forall n:Nat. val(n < 9) => f` those below 9, in `send(n)`
the one in a given label. The result is a superset of the values for which a condition or a set of
labels has a given truth value; they must still be tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from lts.base.bounds import RANGE_OF_VALUES
from lts.errors import SpecificationError
from lts.logic.data import Data, ReadLabel, Value, Values
from lts.logic.nodes import Actions, Expression, Formula, Quantifier, Tree, is_slot, slots_of
from lts.specification.terms import Application, Term
from lts.text.source import NO_PLACE

__all__ = [
    "COMPARISONS", "MOST_BY_ONE", "Candidates", "Label", "evaluated", "of_node",
    "of_term", "of_tree", "unconverted",
]  # fmt: skip

MOST_BY_ONE = 100
"""The most values that conditions allow for a variable before labels are searched for those that
matter.
"""

Label = tuple[ReadLabel, bool]
"""A label, and whether it is internal."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
COMPARISONS = frozenset(_MIRRORED)
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class Candidates:
    """A set of values, or all numbers from `low` to `high`; None means unbounded."""

    values: frozenset[Value] | None = None
    low: int | None = None
    high: int | None = None

    def __and__(self, other: Candidates) -> Candidates:
        """Return a superset of the intersection."""
        if self.values is not None and other.values is not None:
            # A value known only as a text may equal any other.
            unclear = {v for v in self.values | other.values if isinstance(v, str)}
            return Candidates((self.values & other.values) | unclear)
        if self.values is not None or other.values is not None:
            return self if self.values is not None else other
        low = max((n for n in (self.low, other.low) if n is not None), default=None)
        high = min((n for n in (self.high, other.high) if n is not None), default=None)
        return Candidates(None, low, high)

    def joined(self, other: Candidates, data: Data) -> Candidates:
        """Return a superset of the union."""
        if self.values is not None and other.values is not None:
            return Candidates(self.values | other.values)
        if NONE in (self, other):
            return other if self == NONE else self
        pair = self._bounds(data), other._bounds(data)
        if None in pair:
            return ALL
        (low, high), (lower, higher) = (bounds for bounds in pair if bounds is not None)
        return Candidates(
            None,
            None if low is None or lower is None else min(low, lower),
            None if high is None or higher is None else max(high, higher),
        )

    def _bounds(self, data: Data) -> tuple[int | None, int | None] | None:
        """Return the least and largest number; None if some value is not a number."""
        if self.values is None:
            return self.low, self.high
        found = [data.number(value) for value in self.values]
        numbers = [number for number in found if number is not None]
        return (min(numbers), max(numbers)) if len(numbers) == len(found) else None

    def listed(self, slot: int, data: Data, most: int | None = None) -> Sequence[Value] | None:
        """Return the values that are of the variable's sort, in order.

        None if they are unbounded, or more than `most`, by default `RANGE_OF_VALUES`.
        """
        if self.values is not None:
            return [v for v in sorted(self.values, key=data.shown) if data.fits(slot, v)]
        least = data.least(slot)
        low = least if self.low is None else self.low
        if low is None or self.high is None or not data.counts(slot):
            return None
        low = low if least is None else max(low, least)
        if self.high - low >= (RANGE_OF_VALUES.default if most is None else most):
            return None
        sort = data.sort_of_slot(slot)
        return [data.numeral(number, sort) for number in range(low, self.high + 1)]


ALL = Candidates()
NONE = Candidates(frozenset())


def of_term(term: Term, slot: int, required: bool, data: Data, values: Values) -> Candidates:
    """Return the candidates for which a condition may have the required truth value."""

    def of(part: Term, truth: bool) -> Candidates:
        return of_term(part, slot, truth, data, values)

    if not isinstance(term, Application):
        return ALL
    operator, parts = term.function.name, term.arguments
    if operator == "!":
        return of(parts[0], not required)
    if operator in ("&&", "||"):
        each = (of(part, required) for part in parts)
        return _all(each) if (operator == "&&") == required else _some(each, data)
    if operator == "=>":
        if required:
            return _some((of(parts[0], False), of(parts[1], True)), data)
        return of(parts[0], True) & of(parts[1], False)
    if operator in _MIRRORED:
        one, other = map(unconverted, parts)
        if is_slot(other, slot):
            one, other, operator = other, one, _MIRRORED[operator]
        if is_slot(one, slot):
            sign = operator if required else _OPPOSITE[operator]
            return _compared(sign, slot, other, data, values)
    # In muCRL `in` may be an ordinary function; there are no lists or sets with elements then.
    if operator == "in" and required and len(parts) == 2 and is_slot(parts[0], slot):
        whole = evaluated(parts[1], data, values)
        elements = None if whole is None else data.elements(whole, parts[1].sort)
        if elements is None or not all(data.is_built(e, parts[0].sort) for e in elements):
            return ALL
        return Candidates(frozenset(elements))
    unfolded = data.unfolded(term)
    return ALL if unfolded is None else of(unfolded, required)


def of_node(
    formula: Formula,
    node: int,
    slot: int,
    required: bool,
    data: Data,
    values: Values,
    labels: Sequence[Label] | None = None,
) -> Candidates:
    """Return the candidates for which a subformula may have the required truth value.

    `labels` are those of the steps of the state, if they are known.
    """
    operator, what, parts = formula.nodes[node]

    def of(part: object, truth: bool) -> Candidates:
        assert isinstance(part, int)
        return of_node(formula, part, slot, truth, data, values, labels)

    match operator:
        case "val":
            assert isinstance(what, Expression)
            return of_term(what.term, slot, required, data, values)
        case "not":
            return of(parts[0], not required)
        case "and" | "or":
            each = (of(part, required) for part in parts)
            return _all(each) if (operator == "and") == required else _some(each, data)
        case "exists" if required:
            return of(parts[0], True)
        case "forall" if not required:
            return of(parts[0], False)
        case "can" | "must" if labels is not None and required == (operator == "can"):
            # A step with one of the labels is needed.
            assert isinstance(what, Actions)
            each = (of_tree(what.tree, slot, True, *label, data, values) for label in labels)
            return _some(each, data)
    return ALL


def of_tree(
    tree: Tree,
    slot: int,
    required: bool,
    label: ReadLabel,
    internal: bool,
    data: Data,
    values: Values,
) -> Candidates:
    """Return the candidates for which a set may contain a label (or not, if not `required`)."""

    def of(part: object, truth: bool, within: ReadLabel = label) -> Candidates:
        assert isinstance(part, tuple)
        return of_tree(part, slot, truth, within, internal, data, values)

    match tree:
        case ("val", Expression(term)):
            return of_term(term, slot, required, data, values)
        case ("not", inner):
            return of(inner, not required)
        case ("and" | "or" as operator, *parts):
            joined = (of(part, required) for part in parts)
            return _all(joined) if (operator == "and") == required else _some(joined, data)
        case ("exists", Quantifier(), inner) if required:
            return of(inner, True)
        case ("forall", Quantifier(), inner) if not required:
            return of(inner, False)
        case ("pattern", str() as name, tuple() as terms, tuple() | None as sorts) if required:
            pairs = data.matched(name, terms, sorts, label, internal)
            if pairs is None:
                return NONE
            bound = (text for said, text in pairs if is_slot(unconverted(said.term), slot))
            own = (data.read(text, slot) for text in bound)
            return _all(NONE if value is None else Candidates(frozenset((value,))) for value in own)
        case ("multi", *parts) if required:
            if internal or len(parts) != len(label.actions):
                return NONE
            each = label.each
            return _all(_some((of(part, True, action) for action in each), data) for part in parts)
        case ("true",):
            return ALL if required else NONE
        case ("false",):
            return NONE if required else ALL
        case ("tau",):
            return ALL if required == internal else NONE
        case ("label", text):
            return ALL if required == (not internal and label.text == text) else NONE
        case ("name", name):
            return ALL if required == (not internal and label.name == name) else NONE
    return ALL


def _all(each: Iterable[Candidates]) -> Candidates:
    """Return the intersection."""
    return reduce(Candidates.__and__, each, ALL)


def _some(each: Iterable[Candidates], data: Data) -> Candidates:
    """Return the union."""
    return reduce(lambda one, other: one.joined(other, data), each, NONE)


def _compared(operator: str, slot: int, other: Term, data: Data, values: Values) -> Candidates:
    """Return the candidates that satisfy a comparison with a term, if its value is known."""
    value = None if operator == "!=" else evaluated(other, data, values)
    if value is None:
        return ALL
    if operator == "==":
        if not data.is_built(value, other.sort):
            return ALL
        # The value may be a number of another sort.
        is_own = other.sort == data.sort_of_slot(slot)
        own = value if is_own else data.read(data.shown(value), slot)
        return NONE if own is None else Candidates(frozenset((own,)))
    number = data.number(value)
    if number is None:
        return ALL
    match operator:
        case "<":
            return Candidates(None, None, number - 1)
        case "<=":
            return Candidates(None, None, number)
        case ">":
            return Candidates(None, number + 1)
    return Candidates(None, number)


def evaluated(term: Term, data: Data, values: Values) -> Value | None:
    """Return the value of a term; None if some variable has no value yet, or the term has none."""
    if not slots_of(term) <= values.keys():
        return None
    try:
        return data.value(Expression(term, NO_PLACE), values)
    except SpecificationError:
        return None


def unconverted(term: Term) -> Term:
    """Return a number without what makes it one of a wider sort."""
    from lts.mcrl2.data.symbols import WIDER  # terms over labels do not need this language

    while isinstance(term, Application) and term.function in WIDER:
        [term] = term.arguments
    return term

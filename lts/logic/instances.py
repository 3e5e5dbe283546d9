"""Parts of a formula with values for its variables, made as a game asks for them.

An instance is a node of the formula, whether it stands negated, and the values of the variables
that it depends on. The formula is without negations then: a negated `and` is an `or`, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from lts.errors import LimitReached, SpecificationError
from lts.logic.data import Data, ReadLabel
from lts.logic.nodes import Actions, Call, DataTerm, Formula, Quantifier, Tree, slots_of
from lts.logic.priorities import free_slots, heights

__all__ = ["Instances", "accepts"]

Values = tuple[str, ...]

MOST_INSTANCES = 5_000_000
"""Parts of a formula with different values; a parameter may grow without end."""

_TRUE, _FALSE = 0, 1
_DUAL = {"and": "or", "or": "and", "can": "must", "must": "can", "mu": "nu", "nu": "mu"}
_DUAL |= {"forall": "exists", "exists": "forall"}


@dataclass(frozen=True, slots=True)
class _Bound:
    """Variables that labels give values, what holds after them, and conditions for that."""

    slots: tuple[int, ...]
    inner: int
    negated: int
    conditions: list[int]
    wanted: bool
    """What conditions have to be."""


class Instances:
    """A formula as the engine asks for it, see `lts._engine.check`."""

    def __init__(
        self,
        formula: Formula,
        data: Data,
        internal: Callable[[str], bool],
        values: Mapping[int, str] | None = None,
    ) -> None:
        self.formula = formula
        self.data = data
        self.internal = internal
        self.free = free_slots(formula)
        self.height = heights(formula)
        self.keys: list[tuple[int, int, Values]] = [(-1, 0, ()), (-1, 1, ())]
        """Node, negated, values; the first two are `true` and `false`."""
        self.numbers = {key: number for number, key in enumerate(self.keys)}
        self.errors: dict[int, SpecificationError] = {}
        """What is wrong with instances that have no meaning."""
        self.sets: list[tuple[Actions, dict[int, str]]] = []
        self.bound: dict[int, _Bound] = {}
        """Of sets whose labels give variables values."""
        self._sets: dict[tuple[Actions, tuple[tuple[int, str], ...]], int] = {}
        self._labels: dict[bytes, tuple[ReadLabel, bool]] = {}
        self.root = self.instance(formula.root, 0, values or {})

    def instance(self, node: int, negated: int, values: Mapping[int, str]) -> int:
        """Return the number of a node where variables have these values."""
        nodes = self.formula.nodes
        while True:
            operator, what, parts = nodes[node]
            if operator == "not":
                node, negated = parts[0], 1 - negated
            elif operator == "run":
                node = parts[0]
            elif operator in ("var", "enter"):
                assert isinstance(what, Call)
                if what.slots:
                    given = [
                        self.data.argument(slot, self.data.value(term, values), term)
                        for slot, term in zip(what.slots, what.values, strict=True)
                    ]
                    values = {**values, **dict(zip(what.slots, given, strict=True))}
                node = what.binder
            elif operator == "val":
                assert isinstance(what, DataTerm)
                return _FALSE if self.data.holds(what, values) == bool(negated) else _TRUE
            else:
                break
        key = (node, negated, tuple(values[slot] for slot in self.free[node]))
        return self._number(key)

    def _number(self, key: tuple[int, int, Values]) -> int:
        number = self.numbers.get(key)
        if number is None:
            if len(self.keys) > MOST_INSTANCES:
                message = f"the formula has more than {MOST_INSTANCES} parts with different data"
                raise LimitReached(message, limit=MOST_INSTANCES, found={})
            number = self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return number

    def part(self, number: int) -> tuple[str, int, list[int]]:
        """Return operator, priority or number of a set of labels, and parts of an instance."""
        node, negated, own = self.keys[number]
        if number in self.errors:
            raise self.errors[number]
        if node < 0:
            return ("or" if negated else "and"), 0, []
        operator, what, parts = self.formula.nodes[node]
        values = dict(zip(self.free[node], own, strict=True))
        name = _DUAL[operator] if negated else operator
        if operator in ("mu", "nu"):
            # Odd for a least fixed point, even for a greatest one.
            priority = 2 * self.height[node] + (name == "mu")
            return "fixed", priority, [self.instance(parts[0], negated, values)]
        if isinstance(what, Actions):
            return name, self._set(what, values), [self._reached(parts[0], negated, values)]
        if isinstance(what, Quantifier) and self.data.is_endless(what.slot):
            modality, number = self._bound_by_labels(node, negated, values)
            return modality, number, []
        if isinstance(what, Quantifier):
            given = ({**values, what.slot: value} for value in self.data.range(what.slot, values))
            each = ((parts[0], inner) for inner in given)
            return self._joined("and" if name == "forall" else "or", each, negated)
        # Conditions first: they may say that the others have no meaning.
        first = sorted(parts, key=lambda part: not self._is_condition(part))
        return self._joined(name, ((part, values) for part in first), negated)

    def _reached(self, node: int, negated: int, values: Mapping[int, str]) -> int:
        """Return an instance that a step leads to; what has no value matters once it is reached."""
        try:
            return self.instance(node, negated, values)
        except SpecificationError as error:
            self.keys.append((-2, len(self.keys), ()))
            self.errors[len(self.keys) - 1] = error
            return len(self.keys) - 1

    def _joined(
        self, name: str, each: Iterable[tuple[int, Mapping[int, str]]], negated: int
    ) -> tuple[str, int, list[int]]:
        """Return a conjunction or disjunction, without what says nothing in it."""
        neutral, decided = (_TRUE, _FALSE) if name == "and" else (_FALSE, _TRUE)
        found: dict[int, None] = {}
        for part, values in each:
            inner = self.instance(part, negated, values)
            if inner == decided:
                return name, 0, [decided]
            if inner != neutral:
                found[inner] = None
        return name, 0, list(found)

    def _is_condition(self, node: int) -> bool:
        while self.formula.nodes[node][0] == "not":
            node = self.formula.nodes[node][2][0]
        return self.formula.nodes[node][0] == "val"

    def _set(self, actions: Actions, values: Mapping[int, str]) -> int:
        used = slots_of(actions, self.formula.slots) if self.formula.slots else ()
        own = tuple((slot, values[slot]) for slot in sorted(used))
        number = self._sets.get((actions, own))
        if number is None:
            number = self._sets[actions, own] = len(self.sets)
            self.sets.append((actions, dict(own)))
        return number

    def _bound_by_labels(
        self, node: int, negated: int, values: Mapping[int, str]
    ) -> tuple[str, int]:
        """Return `can` or `must`, and the number of a set whose labels give variables values.

        So it is for `forall n:Nat. [send(n)] f`, also where conditions stand beside the modality.
        """
        nodes, operator = self.formula.nodes, self.formula.nodes[node][0]
        modality, join = ("must", "or") if operator == "forall" else ("can", "and")
        slots, at, conditions = [], node, []
        while nodes[at][0] == operator:
            what = nodes[at][1]
            assert isinstance(what, Quantifier)
            slots.append(what.slot)
            at = nodes[at][2][0]
        if nodes[at][0] == join:
            rest = [part for part in nodes[at][2] if not self._is_condition(part)]
            conditions = [part for part in nodes[at][2] if self._is_condition(part)]
            at = rest[0] if len(rest) == 1 else at
        _, actions, parts = nodes[at]
        if nodes[at][0] != modality or not isinstance(actions, Actions):
            self.data.range(slots[0], values)  # tells what is wrong
            raise AssertionError(slots)
        number = len(self.sets)
        self.sets.append((actions, dict(values)))
        self.bound[number] = _Bound(tuple(slots), parts[0], negated, conditions, modality == "can")
        return _DUAL[modality] if negated else modality, number

    def after(self, number: int, label: bytes) -> list[int]:
        """Return the instances that a step leads to, whose variables get values from its label."""
        actions, values = self.sets[number]
        bound = self.bound[number]
        read, internal = self._label(label)
        found: dict[int, None] = {}
        each = [_values(self, slot, actions.tree, read, internal, values) for slot in bound.slots]
        for chosen in product(*each):
            given = {**values, **dict(zip(bound.slots, chosen, strict=True))}
            if accepts(actions.tree, read, internal, self.data, given) and all(
                self._truth(condition, given) == bound.wanted for condition in bound.conditions
            ):
                found[self._reached(bound.inner, bound.negated, given)] = None
        return list(found)

    def _truth(self, node: int, values: Mapping[int, str]) -> bool:
        """Return whether a condition holds."""
        return self.instance(node, 0, values) == _TRUE

    def has(self, number: int, label: bytes) -> bool:
        """Return whether a set of labels has a label."""
        actions, values = self.sets[number]
        read, internal = self._label(label)
        return accepts(actions.tree, read, internal, self.data, values)

    def is_internal(self, label: bytes) -> bool:
        """Return whether a label is internal."""
        return self._label(label)[1]

    def _label(self, label: bytes) -> tuple[ReadLabel, bool]:
        known = self._labels.get(label)
        if known is None:
            text = label.decode("utf-8", "surrogateescape")
            known = self._labels[label] = ReadLabel.of(text), self.internal(text)
        return known

    # What a group acts on: the values of an instance; its shape is the rest.

    @property
    def shapes(self) -> tuple[int, int]:
        """How many shapes there are, and the most values that one has."""
        return 2 * len(self.free) + 2, max(map(len, self.free))

    def taken_apart(self, number: int) -> tuple[int, list[list[int]]]:
        """Return shape and values of an instance, as terms of the engine."""
        node, negated, own = self.keys[number]
        if number in self.errors:
            raise self.errors[number]
        codes = [
            self.data.code(value, slot)
            for slot, value in zip(self.free[node] if node >= 0 else (), own, strict=True)
        ]
        return 2 * (node + 1) + negated, codes

    def put_together(self, shape: int, values: list[bytes]) -> int:
        """Return the instance of a shape and values, of which there may be more than it has."""
        node, negated = shape // 2 - 1, shape % 2
        texts = [value.decode("utf-8", "surrogateescape") for value in values]
        own = tuple(texts[: len(self.free[node])]) if node >= 0 else ()
        return self._number((node, negated, own))


def accepts(
    tree: Tree, label: ReadLabel, internal: bool, data: Data, values: Mapping[int, str]
) -> bool:
    """Return whether a set of labels has a label, where variables have these values."""

    def has(part: object) -> bool:
        assert isinstance(part, tuple)
        return accepts(part, label, internal, data, values)

    match tree:
        case ("true",):
            return True
        case ("false",):
            return False
        case ("tau",):
            return internal
        case ("not", inner):
            return not has(inner)
        case ("and", *parts):
            return all(map(has, parts))
        case ("or", *parts):
            return any(map(has, parts))
        case ("label", text):
            return not internal and label.text == text
        case ("name", str() as name):
            return not internal and name in (label.name, label.text.partition("(")[0])
        case ("pattern", str() as name, tuple() as terms):
            found = label.arguments
            if internal or label.name != name or found is None or len(found) != len(terms):
                return False
            pairs = zip(terms, found, strict=True)
            return all(data.same(data.value(term, values), text) for term, text in pairs)
        case ("val", DataTerm() as term):
            return data.holds(term, values)
        case ("forall" | "exists" as kind, Quantifier(slot), tuple() as inner):
            if data.is_endless(slot):
                chosen = _named_values(inner, slot, label, internal, data, values)
                if chosen is None or kind == "forall":
                    data.range(slot, values)  # tells what is wrong
                some = (
                    data.fits(slot, value)
                    and accepts(inner, label, internal, data, {**values, slot: value})
                    for value in sorted(chosen or ())
                )
                return any(some)
            given = ({**values, slot: value} for value in data.range(slot, values))
            each = (accepts(inner, label, internal, data, one) for one in given)
            return all(each) if kind == "forall" else any(each)
    raise AssertionError(tree)


def _values(
    instances: Instances,
    slot: int,
    tree: Tree,
    label: ReadLabel,
    internal: bool,
    values: Mapping[int, str],
) -> Sequence[str]:
    """Return the values that a label may give a variable: all, if there is an end to them."""
    data = instances.data
    if not data.is_endless(slot):
        return data.range(slot, values)
    found = _named_values(tree, slot, label, internal, data, values)
    if found is None:
        data.range(slot, values)  # tells what is wrong
    return sorted(value for value in found or () if data.fits(slot, value))


def _named_values(
    tree: Tree,
    slot: int,
    label: ReadLabel,
    internal: bool,
    data: Data,
    values: Mapping[int, str],
) -> set[str] | None:
    """Return values of a variable among which are all for which a set has a label; None if there
    may be any number of them."""

    def of(part: object) -> set[str] | None:
        assert isinstance(part, tuple)
        return _named_values(part, slot, label, internal, data, values)

    match tree:
        case ("pattern", str() as name, tuple() as terms):
            found = label.arguments
            if internal or label.name != name or found is None or len(found) != len(terms):
                return set()
            own = [
                text
                for term, text in zip(terms, found, strict=True)
                if isinstance(term, DataTerm) and term.operator == "slot" and term.what == slot
            ]
            return set(own[:1]) if own else None
        case ("and", *parts):
            each = [known for known in map(of, parts) if known is not None]
            return set.intersection(*each) if each else None
        case ("or", *parts):
            every = [of(part) for part in parts]
            return set().union(*(known or () for known in every)) if None not in every else None
        case ("true" | "false" | "tau" | "label" | "name", *_):
            return None if accepts(tree, label, internal, data, values) else set()
    return None

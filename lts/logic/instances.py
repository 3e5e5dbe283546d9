"""Parts of a formula with values for its variables, made as a game asks for them.

An instance is a node of the formula, whether it stands negated, and the values of the variables
that it depends on. The formula is without negations then: a negated `and` is an `or`, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lts.errors import SpecificationError
from lts.logic.data import Data, ReadLabel
from lts.logic.nodes import Actions, Call, DataTerm, Formula, Quantifier, Tree, slots_of
from lts.logic.priorities import free_slots, heights

__all__ = ["Instances", "accepts"]

Values = tuple[str, ...]

_TRUE, _FALSE = 0, 1
_DUAL = {"and": "or", "or": "and", "can": "must", "must": "can", "mu": "nu", "nu": "mu"}
_DUAL |= {"forall": "exists", "exists": "forall"}


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
        number = self.numbers.get(key)
        if number is None:
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
        used = slots_of(actions) if self.formula.slots else ()
        own = tuple((slot, values[slot]) for slot in sorted(used))
        number = self._sets.get((actions, own))
        if number is None:
            number = self._sets[actions, own] = len(self.sets)
            self.sets.append((actions, dict(own)))
        return number

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
        key = (node, negated, own)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return number


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
            given = ({**values, slot: value} for value in data.range(slot, values))
            each = (accepts(inner, label, internal, data, one) for one in given)
            return all(each) if kind == "forall" else any(each)
    raise AssertionError(tree)

"""Instances of subformulas, with values for their variables, created on demand by the game.

An instance is a node of the formula, a polarity, and the values of the variables that the node
depends on. With the polarity, the formula is in positive normal form: a negated `and` is an `or`,
and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import lts._engine as _engine
from lts.base.bounds import INSTANCES, VALUE_LETTERS, VALUES_LETTERS
from lts.base.label_names import label_text
from lts.errors import LimitReached, SpecificationError
from lts.logic.acceptance import accepts
from lts.logic.data import Data, ReadLabel, Value, grown
from lts.logic.nodes import Actions, Call, Expression, Formula, Quantifier, Tree, slots_of
from lts.logic.priorities import free_slots, heights, inner_first
from lts.logic.terms.candidates import MOST_BY_ONE, Label, of_node, of_tree
from lts.logic.terms.representatives import Labels, binds, in_formula
from lts.logic.witnesses import Witnesses

__all__ = ["Instances"]

Values = tuple[Value, ...]

_TRUE, _FALSE = 0, 1
_DUAL = {"and": "or", "or": "and", "can": "must", "must": "can", "mu": "nu", "nu": "mu"}
_DUAL |= {"forall": "exists", "exists": "forall"}


@dataclass(frozen=True, slots=True)
class _Bound:
    """A quantified modality whose variables get their values from labels."""

    slots: tuple[int, ...]
    inner: int
    negated: int
    conditions: list[int]
    required: bool
    """The truth value that the conditions must have."""


class Instances:
    """The interface of a formula to the engine, see `lts._engine.check`."""

    def __init__(
        self,
        formula: Formula,
        data: Data,
        shown: Callable[[str], str | None],
        values: Mapping[int, Value] | None = None,
        every_label: Callable[[], Sequence[bytes]] | None = None,
    ) -> None:
        """`every_label` explores the whole system and returns its labels. It is called where only
        they bound a variable; without it, such variables are refused."""
        self.formula = formula
        self.data = data
        self.shown = shown
        self.every_label = every_label
        self.free = free_slots(formula)
        self.height = heights(formula)
        self.conditions = _conditions(formula)
        self.keys: list[tuple[int, int, Values]] = [(-1, 0, ()), (-1, 1, ())]
        """Node, polarity and values; the first two are `true` and `false`."""
        self.numbers = {key: number for number, key in enumerate(self.keys)}
        self.errors: dict[int, SpecificationError] = {}
        """The errors of instances that have no value."""
        self.sets: list[tuple[Actions, dict[int, Value]]] = []
        self.bound: dict[int, _Bound] = {}
        """The sets of labels that bind variables."""
        self.bytes = 0
        """Characters of all values."""
        self.here_parts: list[tuple[int, int, Mapping[int, Value]]] = []
        """Quantifiers that the labels of a state give values: node, negated, values."""
        self._sets: dict[tuple[Actions, tuple[tuple[int, Value], ...]], int] = {}
        self._labels: dict[bytes, tuple[ReadLabel, bool]] = {}
        self.root = self.instance(formula.root, 0, values or {})

    def instance(self, node: int, negated: int, values: Mapping[int, Value]) -> int:
        """Return the number of the instance of a node for these values of variables."""
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
                        self.data.argument(slot, self.data.value(given, values), given.at)
                        for slot, given in zip(what.slots, what.values, strict=True)
                    ]
                    values = {**values, **dict(zip(what.slots, given, strict=True))}
                node = what.binder
            elif node in self.conditions:
                return _FALSE if self._truth(node, values) == bool(negated) else _TRUE
            else:
                break
        key = (node, negated, tuple(values[slot] for slot in self.free[node]))
        return self._number(key)

    def _number(self, key: tuple[int, int, Values]) -> int:
        number = self.numbers.get(key)
        if number is None:
            if len(self.keys) > INSTANCES.default:
                message = f"the formula has {INSTANCES.exceeded()}"
                raise LimitReached(message, limit=INSTANCES.default, found={})
            lengths = [*map(self.data.length, key[2])]
            self.bytes += sum(lengths)
            if (
                self.bytes > VALUES_LETTERS.default
                or max(lengths, default=0) > VALUE_LETTERS.default
            ):
                raise grown()
            number = self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return number

    def key(self, number: int) -> tuple[int, int, Values]:
        """Return node, polarity and values of an instance; raise its error if it has one."""
        if number in self.errors:
            raise self.errors[number]
        return self.keys[number]

    def part(self, number: int) -> tuple[str, int, list[int]]:
        """Return operator, priority (or number of a set of labels), and parts of an instance."""
        node, negated, own = self.key(number)
        if node < 0:
            return ("or" if negated else "and"), 0, []
        operator, what, parts = self.formula.nodes[node]
        values = dict(zip(self.free[node], own, strict=True))
        name = _DUAL[operator] if negated else operator
        if operator in ("mu", "nu"):
            # Odd for least fixed points, even for greatest ones.
            priority = 2 * self.height[node] + (name == "mu")
            return "fixed", priority, [self.instance(parts[0], negated, values)]
        if isinstance(what, Actions):
            return name, self._set(what, values), [self._reached(parts[0], negated, values)]
        if isinstance(what, Quantifier):
            chosen = self._range(node, what, values)
            if isinstance(chosen, bool):
                return ("or" if chosen == bool(negated) else "and"), 0, []
            if chosen == "labels":
                return *self._bound_by_labels(node, negated, values), []
            if chosen == "state":
                self.here_parts.append((node, negated, values))
                kind = "each of" if name == "forall" else "one of"
                return kind, len(self.here_parts) - 1, []
            assert not isinstance(chosen, str)
            given = ({**values, what.slot: value} for value in chosen)
            each = ((parts[0], inner) for inner in given)
            return self._joined("and" if name == "forall" else "or", each, negated)
        # Conditions first: they may guard the others, which would be errors otherwise.
        first = sorted(parts, key=lambda part: part not in self.conditions)
        return self._joined(name, ((part, values) for part in first), negated)

    def _reached(self, node: int, negated: int, values: Mapping[int, Value]) -> int:
        """Return an instance after a step; an error in it is raised only if it is reached."""
        try:
            return self.instance(node, negated, values)
        except SpecificationError as error:
            self.keys.append((-2, len(self.keys), ()))
            self.errors[len(self.keys) - 1] = error
            return len(self.keys) - 1

    def _joined(
        self, name: str, each: Iterable[tuple[int, Mapping[int, Value]]], negated: int
    ) -> tuple[str, int, list[int]]:
        """Return a conjunction or disjunction, without neutral parts."""
        neutral, decided = (_TRUE, _FALSE) if name == "and" else (_FALSE, _TRUE)
        found: dict[int, None] = {}
        unclear: SpecificationError | None = None
        for part, values in each:
            if unclear is not None and part not in self.conditions:
                break
            try:
                inner = self.instance(part, negated, values)
            except SpecificationError as error:
                # What has no value says nothing where another condition decides.
                if part not in self.conditions:
                    raise
                unclear = unclear or error
                continue
            if inner == decided:
                return name, 0, [decided]
            if inner != neutral:
                found[inner] = None
        if unclear is not None:
            raise unclear
        return name, 0, list(found)

    def _range(
        self, node: int, quantifier: Quantifier, values: Mapping[int, Value]
    ) -> Sequence[Value] | bool | Literal["labels", "state"]:
        """Return the values to try for a quantifier.

        Returns a truth value if the quantifier is decided without trying values; "labels" if each
        label of a step is to bind the variable, "state" if all labels of a state are.
        """
        slot = quantifier.slot
        if not self.data.is_endless(slot):
            return self.data.range(slot, values)
        operator, _, parts = self.formula.nodes[node]
        if slot not in self.free[parts[0]]:
            one = self.data.any_value(slot)
            if one is not None:
                return [one]
        some = of_node(self.formula, parts[0], slot, operator == "exists", self.data, values)
        few = some.listed(slot, self.data, MOST_BY_ONE)
        if few is not None:
            return few
        modality = self._modality(node)
        if modality is not None and self._is_bound(*modality):
            return "labels"
        found = self._in_state(node, values, ())
        if found is not None:
            values_of_all, by_labels = found
            return "state" if by_labels else values_of_all
        in_system = self._everywhere(node, values)
        if in_system is not None:
            return in_system
        if modality is not None:
            return "labels"
        many = some.listed(slot, self.data)
        if many is None and quantifier.term is not None:
            holds = self.data.is_true(self.data.value(quantifier.term, values))
            if holds is not None:
                return holds
        if many is not None:
            return many
        shown = Witnesses(self.formula, self.data).quantifier(node, values)
        return self.data.range(slot, values) if shown is None else shown  # raises the error

    def _in_state(
        self, node: int, values: Mapping[int, Value], labels: Sequence[Label]
    ) -> tuple[Sequence[Value], bool] | None:
        """Return the values of a variable that matter in a state with these labels, and whether the
        labels matter; None where that is not known."""
        operator, what, parts = self.formula.nodes[node]
        assert isinstance(what, Quantifier)
        slot, data, required = what.slot, self.data, operator == "exists"
        some = of_node(self.formula, parts[0], slot, required, data, values, labels)
        own = some.listed(slot, data, MOST_BY_ONE)
        if own is not None:
            return own, True
        return in_formula(
            self.formula, self.free, parts[0], slot, data, values, Labels(labels, False)
        )

    def _everywhere(self, node: int, values: Mapping[int, Value]) -> Sequence[Value] | None:
        """Return the values of a variable that matter anywhere in the system; None if not known.

        The system is explored only if its labels would help.
        """
        what, body = self.formula.nodes[node][1], self.formula.nodes[node][2][0]
        assert isinstance(what, Quantifier)

        def among(labels: Sequence[Label]) -> tuple[Sequence[Value], bool] | None:
            formula, slot, data = self.formula, what.slot, self.data
            return in_formula(formula, self.free, body, slot, data, values, Labels(labels, True))

        if self.every_label is None or among(()) is None:
            return None
        found = among([self._label(label) for label in self.every_label()])
        return None if found is None else found[0]

    def _is_bound(self, slots: Sequence[int], modality: int, conditions: Sequence[int]) -> bool:
        """Whether labels give a value to each of some variables that needs one."""
        actions = self.formula.nodes[modality][1]
        assert isinstance(actions, Actions)
        return all(binds(actions.tree, slot) or not self.data.is_endless(slot) for slot in slots)

    def here(self, number: int, labels: Sequence[bytes]) -> list[int]:
        """Return the instances, of values of a variable, that matter in a state whose steps have
        these labels."""
        node, negated, values = self.here_parts[number]
        operator, what, parts = self.formula.nodes[node]
        assert isinstance(what, Quantifier)
        in_state = self._in_state(node, values, [self._label(label) for label in labels])
        found = self._everywhere(node, values) if in_state is None else in_state[0]
        if found is None:
            self.data.range(what.slot, values)  # tells what is wrong
            raise AssertionError("an infinite sort cannot be enumerated")
        name = _DUAL[operator] if negated else operator
        given = ((parts[0], {**values, what.slot: value}) for value in found)
        return self._joined("and" if name == "forall" else "or", given, negated)[2]

    def _set(self, actions: Actions, values: Mapping[int, Value]) -> int:
        used = slots_of(actions, self.formula.slots) if self.formula.slots else ()
        own = tuple((slot, values[slot]) for slot in used)
        number = self._sets.get((actions, own))
        if number is None:
            number = self._sets[actions, own] = len(self.sets)
            self.sets.append((actions, dict(own)))
        return number

    def _modality(self, node: int) -> tuple[list[int], int, list[int]] | None:
        """Return the variables bound at a node, the modality below, and its side conditions.

        None unless there is exactly one modality that matches the quantifier, apart from
        conditions.
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
            rest = [part for part in nodes[at][2] if part not in self.conditions]
            conditions = [part for part in nodes[at][2] if part in self.conditions]
            at = rest[0] if len(rest) == 1 else at
        return (slots, at, conditions) if nodes[at][0] == modality else None

    def _bound_by_labels(
        self, node: int, negated: int, values: Mapping[int, Value]
    ) -> tuple[str, int]:
        """Return `can` or `must`, and the number of a set whose labels bind variables.

        An example is `forall n:Nat. [send(n)] f`, possibly with conditions beside the modality.
        """
        found = self._modality(node)
        assert found is not None
        slots, at, conditions = found
        modality, actions, parts = self.formula.nodes[at]
        assert isinstance(actions, Actions)
        number = len(self.sets)
        self.sets.append((actions, dict(values)))
        self.bound[number] = _Bound(tuple(slots), parts[0], negated, conditions, modality == "can")
        return _DUAL[modality] if negated else modality, number

    def after(self, number: int, label: bytes) -> list[int]:
        """Return the instances after a step, whose label binds the variables."""
        actions, values = self.sets[number]
        bound = self.bound[number]
        read, internal = self._label(label)
        found: dict[int, None] = {}
        each = [self._values(slot, bound, actions.tree, label, values) for slot in bound.slots]
        for chosen in product(*each):
            given = {**values, **dict(zip(bound.slots, chosen, strict=True))}
            if accepts(actions.tree, read, internal, self.data, given) and all(
                self._truth(condition, given) == bound.required for condition in bound.conditions
            ):
                found[self._reached(bound.inner, bound.negated, given)] = None
        return list(found)

    def _values(
        self, slot: int, bound: _Bound, tree: Tree, label: bytes, values: Mapping[int, Value]
    ) -> Sequence[Value]:
        """Return the values that a label allows for a variable; all if its sort is finite."""
        data = self.data
        if not data.is_endless(slot):
            return data.range(slot, values)
        read, internal = self._label(label)
        some = of_tree(tree, slot, True, read, internal, data, values)
        for condition in bound.conditions:
            some &= of_node(self.formula, condition, slot, bound.required, data, values)
        found = some.listed(slot, data)
        return data.range(slot, values) if found is None else found  # raises the error

    def _truth(self, node: int, values: Mapping[int, Value]) -> bool:
        """Return whether a condition holds; what has no value in it says nothing where the rest
        decides."""
        operator, what, parts = self.formula.nodes[node]
        if isinstance(what, Expression):
            return self.data.holds(what, values)
        if operator == "not":
            return not self._truth(parts[0], values)
        unclear: SpecificationError | None = None
        for part in parts:
            try:
                if self._truth(part, values) == (operator == "or"):
                    return operator == "or"
            except SpecificationError as error:
                unclear = unclear or error
        if unclear is not None:
            raise unclear
        return operator == "and"

    def constant(self, number: int) -> bool | None:
        """Whether a set contains every label, or none; `None` if that depends on the label."""
        tree = self.sets[number][0].tree
        return tree == ("true",) if tree in (("true",), ("false",)) else None

    def has(self, number: int, label: bytes) -> bool:
        """Whether a set of labels contains a label."""
        actions, values = self.sets[number]
        read, internal = self._label(label)
        return accepts(actions.tree, read, internal, self.data, values)

    def is_internal(self, label: bytes) -> bool:
        """Whether a label is internal."""
        return self._label(label)[1]

    def _label(self, label: bytes) -> tuple[ReadLabel, bool]:
        known = self._labels.get(label)
        if known is None:
            text = label.decode("utf-8", "surrogateescape")
            shown = self.shown(text)
            known = self._labels[label] = self.data.label(shown or text), shown is None
        return known

    # A group acts on the values of an instance; the shape is the rest of it.

    @property
    def shapes(self) -> tuple[int, int]:
        """The number of shapes, and the most values of an instance."""
        return 2 * len(self.free) + 2, max(map(len, self.free))

    @property
    def terms(self) -> _engine.Data | None:
        """The data whose terms are the values, if the process has all of its symbols."""
        return self.data.shared

    def taken_apart(self, number: int) -> tuple[int, list[int | list[int]]]:
        """Return the shape of an instance, and its values as terms of the engine."""
        node, negated, own = self.key(number)
        codes = [
            self.data.code(value, slot) for slot, value in zip(self._slots(node), own, strict=True)
        ]
        return 2 * (node + 1) + negated, codes

    def put_together(self, shape: int, values: Sequence[int | bytes]) -> int:
        """Return the instance with a shape and values, of which surplus ones are ignored."""
        node, negated = shape // 2 - 1, shape % 2
        own: list[Value] = []
        for slot, value in zip(self._slots(node), values, strict=False):
            if isinstance(value, bytes):
                own.append(self.data.placed(label_text(value), slot))
            else:
                own.append(value)
        return self._number((node, negated, tuple(own)))

    def _slots(self, node: int) -> Sequence[int]:
        """Return the variables of a node; `true` and `false` have none."""
        return self.free[node] if node >= 0 else ()


def _conditions(formula: Formula) -> frozenset[int]:
    """Return the nodes that say something of data alone, quantifiers aside."""
    found: set[int] = set()
    for node in inner_first(formula):
        operator, _, parts = formula.nodes[node]
        joins = operator in ("and", "or", "not") and parts
        if operator == "val" or (joins and all(part in found for part in parts)):
            found.add(node)
    return frozenset(found)

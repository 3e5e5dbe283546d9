"""What terms over data mean: values are terms of a specification, or texts as labels have them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import NoReturn

from lts.errors import LimitReached, LtsError, SpecificationError
from lts.logic.nodes import Actions, DataTerm, Formula, Quantifier, Slot
from lts.text.source import Source

__all__ = [
    "MOST_BYTES", "MOST_LENGTH", "MOST_VALUES", "Data", "LabelData", "ReadLabel", "Value",
    "Values", "grown", "is_number",
]  # fmt: skip

MOST_VALUES = 100_000
"""Values that a quantifier ranges over at most."""

MOST_LENGTH, MOST_BYTES = 1 << 20, 1 << 28
"""Characters of one value, and of the values of all parts of a formula: values may grow."""

MOST_DIGITS = 4_000
"""Digits of a number that is computed; Python converts few more."""

_TRUTHS = [("true", "false"), ("TRUE", "FALSE"), ("T", "F")]
"""The truth values as tools write them."""

_HOLDS = {word: word == pair[0] for pair in _TRUTHS for word in pair}
"""Which of them hold."""

_TRUTH = re.compile(r"(?<=[(,!\[{:\s])(?:true|false|TRUE|FALSE|T|F)(?![\w'])")
"""A truth value among the arguments of a label."""

Value = int | str
"""A term of the engine by its number; or a text, where it stands in a label of which no more is
known."""

Values = Mapping[int, Value]


@dataclass(frozen=True, slots=True)
class ReadLabel:
    """A label: its text, its name, and its arguments, None if it is no action with arguments.

    `actions` are the names and arguments of all actions that happen in it, one or several.
    """

    text: str
    name: str
    arguments: tuple[str, ...] | None
    actions: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def of(cls, text: str) -> ReadLabel:
        """Take a label apart, in whatever dialect it is written."""
        from lts.symmetry.labels.dialects import parse_label

        name, bracket, _ = text.partition("(")
        if not bracket and not any(c in text for c in ' !|"'):
            return cls(text, text, (), ((text, ()),))
        read = parse_label(text)
        if read is None:
            return cls(text, name, None)
        actions = tuple(
            (action.name, tuple(read.shown(part) for part in action.arguments))
            for action in read.actions
        )
        if len(actions) != 1:
            return cls(text, "", None, actions)
        return cls(text, *actions[0], actions)


class Data(ABC):
    """The data that a formula speaks of."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula

    def wrong(self, at: int, message: str) -> NoReturn:
        """Raise what is wrong at a place of the formula."""
        raise self.error(at, message)

    def error(self, at: int, message: str) -> LtsError:
        """Return what is wrong at a place of the formula."""
        source = Source(self.formula.text, self.formula.file)
        return source.error(SpecificationError, message, source.place(at))

    @abstractmethod
    def range(self, slot: int, values: Values) -> Sequence[Value]:
        """Return what a variable ranges over."""

    def shown(self, value: Value) -> str:
        """Return the text of a value."""
        assert isinstance(value, str)
        return value

    def length(self, value: Value) -> int:
        """Return how long the text of a value is; of one that is too long, that it is."""
        return len(self.shown(value))

    def read(self, text: str, slot: int) -> Value | None:
        """Return the value of a variable that stands in a label; None if it is none."""
        return text

    def fits(self, slot: int, value: Value) -> bool:
        """Whether a value may be that of a variable, of which it is known to be no other's."""
        return True

    def sort_of_slot(self, slot: int) -> str:
        """Return the sort of a variable."""
        return self.formula.slots[slot].sort or "Nat"

    def number(self, value: Value) -> int | None:
        """Return the number that a value is; None if it is none."""
        text = self.shown(value)
        if not is_number(text):
            return None
        if len(text) > MOST_DIGITS:
            self.too_long()
        return int(text)

    def numeral(self, number: int, sort: str) -> Value:
        """Return a number as a value of a sort of numbers."""
        return str(number)

    def is_endless(self, slot: int) -> bool:
        """Whether a variable has values without end: then labels have to say which is meant."""
        return False

    def counts(self, slot: int) -> bool:
        """Whether the values of a variable are numbers, without a gap."""
        return False

    def least(self, slot: int) -> int | None:
        """Return the least number that a variable may be, if there is one."""
        return None

    def first(self, slot: int, most: int) -> Sequence[Value]:
        """Return some values of a variable's sort, so many if they are found."""
        return ()

    def any_value(self, slot: int) -> Value | None:
        """Return what may stand for a value that does not matter; None if there may be none."""
        return self.another(slot, ())

    def another(self, slot: int, known: Sequence[Value]) -> Value | None:
        """Return a value of a variable's sort that is none of these; None if none is found."""
        return None

    def is_compared_as_it_looks(self, slot: int) -> bool:
        """Whether `==` and `<` of values of a variable's sort are what they are everywhere."""
        return True

    def elements(self, value: Value, sort: str) -> Sequence[Value] | None:
        """Return what is in a list, set or bag; None if that is not known."""
        return None

    def is_built(self, value: Value, term: DataTerm) -> bool:
        """Whether a value of the sort of a term is made of constructors alone, so that it is known
        what it is equal to; where data are texts, that is known of all."""
        return True

    def unfolded(self, term: DataTerm) -> DataTerm | None:
        """Return what a function is defined as, if that is one term for all arguments."""
        return None

    @abstractmethod
    def call(self, term: DataTerm, arguments: Sequence[Value]) -> Value:
        """Return the value of a function, or constant."""

    @abstractmethod
    def truth(self, holds: bool) -> Value:
        """Return the value of whether something holds."""

    @abstractmethod
    def is_true(self, value: Value) -> bool | None:
        """Return which truth value a value is; None if none."""

    def argument(self, slot: int, value: Value, term: DataTerm) -> Value:
        """Return a value that a parameter gets; it has to be of its sort."""
        return value

    def code(self, value: Value, slot: int) -> list[int]:
        """Return a value of a variable as a term of the process."""
        raise AssertionError("there are terms where there is a specification")

    def placed(self, text: str, slot: int) -> Value:
        """Return the value of a variable that a term of the process is, from its text."""
        raise AssertionError("there are terms where there is a specification")

    @abstractmethod
    def agrees(self, term: DataTerm, text: str, values: Values) -> bool:
        """Whether what a term is equal to is what stands in a label."""

    def holds(self, term: DataTerm, values: Values) -> bool:
        """Return whether a condition holds."""
        value = self.value(term, values)
        found = self.is_true(value)
        if found is None:
            self.wrong(term.at, f"`{self.shown(value)}` is no truth value")
        return found

    def value(self, term: DataTerm, values: Values) -> Value:
        """Return the value of a term."""
        operator, parts = term.operator, term.parts
        match operator:
            case "slot":
                assert isinstance(term.what, int)
                return values[term.what]
            case "value":
                return term.what
            case "number":
                return self.numeral(int(str(term.what)), "Nat")
            case "call":
                return self.call(term, [self.value(part, values) for part in parts])
            case "!":
                return self.truth(not self.holds(parts[0], values))
            case "&&" | "||" | "=>":
                first = self.holds(parts[0], values)
                if first == (operator == "||"):
                    return self.truth(operator != "&&")
                return self.truth(self.holds(parts[1], values))
            case "==" | "!=":
                one, other = (self.value(part, values) for part in parts)
                return self.truth(self.equal(one, other) == (operator == "=="))
            case "[" | "{" | ":":
                each = [self.shown(self.value(part, values)) for part in parts]
                return self.collected(operator, each)
        numbers = [self.integer(part, values) for part in parts]
        match operator, numbers:
            case "/", [m, n]:
                if n <= 0:
                    self.wrong(term.at, f"`/` by {n}")
                divisor = gcd(m, n)
                return str(m // divisor) + (f"/{n // divisor}" if n > divisor else "")
            case "negative", [n]:
                return self.written(-n)
            case "+", [m, n]:
                return self.written(m + n)
            case "-", [m, n]:
                return self.written(m - n)
            case "*", [m, n]:
                return self.written(m * n)
            case (("div" | "mod"), [m, n]):
                if n <= 0:
                    self.wrong(term.at, f"`{operator}` by {n}")
                return self.written(m // n if operator == "div" else m % n)
            case "<", [m, n]:
                return self.truth(m < n)
            case "<=", [m, n]:
                return self.truth(m <= n)
            case ">", [m, n]:
                return self.truth(m > n)
            case ">=", [m, n]:
                return self.truth(m >= n)
        raise AssertionError(term)

    def collected(self, kind: str, parts: Sequence[str]) -> str:
        """Return how labels have a list, set or bag of these, or of these with their numbers."""
        if kind == "[":
            return f"[{','.join(parts)}]"
        if kind == ":":
            numbered = [f"{n}:{m}" for n, m in zip(parts[::2], parts[1::2], strict=True)]
            return f"{{{','.join(numbered) or ':'}}}"
        return f"{{{','.join(parts)}}}"

    def equal(self, one: Value, other: Value) -> bool:
        """Whether two values are the same."""
        return one == other or self.shown(one) == self.shown(other)

    def integer(self, term: DataTerm, values: Values) -> int:
        """Return the number that a term is."""
        value = self.value(term, values)
        found = self.number(value)
        if found is None:
            self.wrong(term.at, f"`{self.shown(value)}` is no number")
        return found

    def written(self, number: int) -> Value:
        """Return a number that was computed, as a value."""
        if number.bit_length() > 3 * MOST_DIGITS:
            self.too_long()
        return self.numeral(number, "Nat")

    def too_long(self) -> NoReturn:
        """Raise that a number has too many digits."""
        message = f"a number in the formula has more than about {MOST_DIGITS} digits"
        raise LimitReached(message, limit=MOST_DIGITS, found={})

    def numbers(self, slot: Slot, values: Values) -> Sequence[Value]:
        """Return the numbers between bounds."""
        assert slot.bounds is not None
        first, last = (self.integer(bound, values) for bound in slot.bounds)
        if last - first >= MOST_VALUES:
            self.too_many(slot)
        return [self.numeral(number, "Nat") for number in range(first, last + 1)]

    def too_many(self, slot: Slot) -> NoReturn:
        """Raise that a variable has too many values."""
        message = f"`{slot.name}` ranges over more than {MOST_VALUES} values"
        raise LimitReached(message, limit=MOST_VALUES, found={})


class LabelData(Data):
    """Data of a finished system: what stands in its labels, as text.

    A variable ranges over what stands in labels where the formula has it as an argument, whatever
    its sort is called, but for truth values, which are two; functions are not evaluated.
    """

    def __init__(self, formula: Formula, labels: Iterable[str]) -> None:
        super().__init__(formula)
        self.labels = labels
        self._ranges: dict[int, list[str]] | None = None

    def range(self, slot: int, values: Values) -> Sequence[Value]:
        """Return numbers between bounds, or what stands in labels."""
        of = self.formula.slots[slot]
        if of.bounds is not None:
            return self.numbers(of, values)
        if of.sort == "Bool":
            return self._truths
        if self._ranges is None:
            self._ranges = self._found()
        if slot not in self._ranges:
            self.wrong(
                of.at,
                f"`{of.name}` is no argument of an action here: without a specification its values "
                "are not known (numbers are `0..4`)",
            )
        if len(self._ranges[slot]) > MOST_VALUES:
            self.too_many(of)
        return self._ranges[slot]

    def _found(self) -> dict[int, list[str]]:
        """Return for every slot what stands in labels where it is an argument."""
        places: dict[tuple[str, int], dict[int, set[int]]] = {}
        waiting: list[object] = [
            what.tree for _, what, _ in self.formula.nodes if isinstance(what, Actions)
        ]
        found: dict[int, dict[str, None]] = {}
        while waiting:
            match waiting.pop():
                case ("pattern", str() as name, tuple() as terms):
                    for place, term in enumerate(terms):
                        if isinstance(term, DataTerm) and term.operator == "slot":
                            assert isinstance(term.what, int)
                            uses = places.setdefault((name, len(terms)), {})
                            uses.setdefault(place, set()).add(term.what)
                            found.setdefault(term.what, {})
                case ("label" | "name" | "val", *_):
                    pass
                case tuple() as parts:
                    waiting += (part for part in parts if not isinstance(part, str | Quantifier))
        for label in self.labels:
            for name, arguments in ReadLabel.of(label).actions:
                for place, slots in places.get((name, len(arguments)), {}).items():
                    for slot in slots:
                        found[slot][arguments[place]] = None
        return {slot: sorted(texts) for slot, texts in found.items()}

    def call(self, term: DataTerm, arguments: Sequence[Value]) -> Value:
        """Return the text of an application."""
        if term.what in ("true", "false") and not arguments:
            return self.truth(term.what == "true")
        shown = ",".join(map(self.shown, arguments))
        return f"{term.what}({shown})" if arguments else str(term.what)

    @cached_property
    def _truths(self) -> tuple[str, str]:
        """The truth values as labels have them; with those of several tools, as the first has."""
        words = {word for label in self.labels for word in _TRUTH.findall(label)}
        return next((pair for pair in _TRUTHS if words & {*pair}), _TRUTHS[0])

    def truth(self, holds: bool) -> str:
        """Return a truth value as labels have it."""
        return self._truths[not holds]

    def is_true(self, value: Value) -> bool | None:
        """Return which truth value a text is, as tools write them."""
        return _HOLDS.get(self.shown(value))

    def agrees(self, term: DataTerm, text: str, values: Values) -> bool:
        """Whether what a term is equal to is what stands in a label, blanks aside."""
        return _is_same(self.shown(self.value(term, values)), text)

    def equal(self, one: Value, other: Value) -> bool:
        """Whether two values are the same, blanks aside."""
        texts = self.shown(one), self.shown(other)
        return _is_same(*texts) or _is_same(*reversed(texts))


def _is_same(one: str, other: str) -> bool:
    return one == other or ('"' not in other and one == re.sub(r",\s+", ",", other))


def grown() -> LimitReached:
    """Return that values have become too long."""
    message = "the data of the formula grow: they take more than "
    message += f"{MOST_LENGTH} characters, or {MOST_BYTES} in all"
    return LimitReached(message, limit=MOST_BYTES, found={})


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()

"""The values of data terms in formulas: terms of a specification, or texts as in labels."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import NoReturn

import lts._engine as _engine
from lts.base.bounds import COMPUTED_DIGITS, RANGE_OF_VALUES, VALUE_LETTERS, VALUES_LETTERS
from lts.base.label_names import Named, encoded, normal, read_actions
from lts.errors import LimitReached, LtsError, SpecificationError
from lts.logic.nodes import (
    Actions,
    Argument,
    DataVariable,
    Expression,
    Formula,
    Literal,
    Quantifier,
    Slot,
)
from lts.specification.terms import COMPUTED, NUMERAL, Application, Function, Term, Variable
from lts.text.names import Name
from lts.text.source import Place, Source

__all__ = [
    "DECLARED", "Data", "LabelData", "ReadLabel",
    "Value", "Values", "grown", "is_number", "paired", "undeclared",
]  # fmt: skip

_TRUTHS = [("true", "false"), ("TRUE", "FALSE"), ("T", "F")]
"""The truth values as different tools write them."""

_HOLDS = {word: word == pair[0] for pair in _TRUTHS for word in pair}
"""For each such word, whether it is true."""

_TRUTH = re.compile(r"(?<=[(,!\[{:\s])(?:true|false|TRUE|FALSE|T|F)(?![\w'])")
"""A truth value among the arguments of a label."""

Value = int | str
"""The number of a term in the engine; or the text of an argument in a label, if it is ambiguous or
there is no specification."""

Values = Mapping[int, Value]


DECLARED = "\x1f"
"""Behind the name of an overloaded action: the number of its declaration follows."""

_DECLARED = re.compile(f"{DECLARED}([0-9]+)")


def paired(
    terms: Sequence[Argument], arguments: Sequence[str] | None
) -> list[tuple[Expression, str]] | None:
    """Return the terms of a pattern, wildcards aside, each with its argument of an action.

    None if there are not as many arguments as the pattern has.
    """
    if arguments is None:
        return None
    more = bool(terms) and terms[-1] is ...
    own = terms[:-1] if more else terms
    if len(arguments) < len(own) or (len(arguments) > len(own) and not more):
        return None
    pairs = zip(own, arguments, strict=False)
    return [(expression, text) for expression, text in pairs if isinstance(expression, Expression)]


def undeclared(label: str) -> str:
    """Return a label without the numbers of declarations."""
    return _DECLARED.sub("", label) if DECLARED in label else label


def _declarations(text: str, label: str) -> tuple[int | None, ...]:
    """Return the numbers of the declarations of the actions of a label."""
    numbers, removed = {}, 0
    for found in _DECLARED.finditer(text):
        # As the reader does, count bytes.
        begun = len(encoded([text[: found.start()]])[0]) - removed
        numbers[begun] = int(found[1])
        removed += len(found[0])
    read = _engine.read_label(encoded([label])[0])
    return () if read is None else tuple(numbers.get(end) for _, _, end, _ in read[0])


@dataclass(frozen=True, slots=True)
class ReadLabel:
    """A parsed label: its text, its name, and its arguments, None if it is not a single action.

    `actions` are the names and arguments of all actions in it. A label without structure is one
    action without arguments.
    """

    text: str
    name: str
    arguments: tuple[str, ...] | None
    actions: tuple[Named, ...] = ()
    declarations: tuple[int | None, ...] = ()
    """Which declaration each action is of, if it is overloaded and the label says so."""

    @classmethod
    def of(cls, text: str) -> ReadLabel:
        """Parse a label in any supported dialect."""
        actions = read_actions(text)
        if len(actions) != 1:
            return cls(text, "", None, actions)
        return cls(text, *actions[0], actions)

    @classmethod
    def of_process(cls, text: str) -> ReadLabel:
        """Parse a label of a process, which may say which declarations its actions are of."""
        label = undeclared(text)
        found = cls.of(label)
        return found if label == text else replace(found, declarations=_declarations(text, label))

    @property
    def declaration(self) -> int | None:
        """Which declaration the only action is of."""
        return self.declarations[0] if self.declarations else None

    @property
    def each(self) -> list[ReadLabel]:
        """Each action by itself."""
        known = self.declarations or (None,) * len(self.actions)
        pairs = zip(self.actions, known, strict=True)
        return [ReadLabel("", *action, (action,), (declared,)) for action, declared in pairs]

    def is_label(self, text: str) -> bool:
        """Whether it is the label of this text, up to blanks between tokens."""
        return self.text == text or normal(self.text) == normal(text)


class Data(ABC):
    """Evaluates the data terms of a formula."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.shared: _engine.Data | None = None
        """The data whose terms are the values, if the process has all of its symbols."""

    def wrong(self, at: Place, message: str) -> NoReturn:
        """Raise an error at a place of the formula."""
        raise self.error(at, message)

    def error(self, at: Place, message: str) -> LtsError:
        """Return an error at a place of the formula."""
        source = Source(self.formula.text, self.formula.file)
        return source.error(SpecificationError, message, at)

    @abstractmethod
    def range(self, slot: int, values: Values) -> Sequence[Value]:
        """Return the values that a variable ranges over."""

    def shown(self, value: Value) -> str:
        """Return the text of a value."""
        assert isinstance(value, str)
        return value

    def length(self, value: Value) -> int:
        """Return the length of a value's text; above the limit, just a number above it."""
        return len(self.shown(value))

    def read(self, text: str, slot: int) -> Value | None:
        """Return the value that a label's argument has for a variable; None if not of its sort."""
        return text

    def fits(self, slot: int, value: Value) -> bool:
        """Whether a value, not known to be of another sort, can be a value of the variable."""
        return True

    def label(self, text: str) -> ReadLabel:
        """Parse a label of the system."""
        return ReadLabel.of(text)

    def matched(
        self,
        name: str,
        terms: Sequence[Argument],
        sorts: tuple[str, ...] | None,
        label: ReadLabel,
        internal: bool,
    ) -> list[tuple[Expression, str]] | None:
        """Return the terms of the pattern of an action with the arguments of a label that they must
        equal; None if the label is not one of that action."""
        if internal or label.name != name:
            return None
        found = paired(terms, label.arguments)
        return found if found is not None and self.is_of_declaration(label, sorts) else None

    def is_of_declaration(self, label: ReadLabel, sorts: tuple[str, ...] | None) -> bool:
        """Whether the only action of a label can be one that is declared with these sorts."""
        return True

    def sort_of_slot(self, slot: int) -> str:
        """Return the sort of a variable."""
        return self.formula.slots[slot].sort or "Nat"

    def number(self, value: Value) -> int | None:
        """Return a value as a number; None if it is not one."""
        text = self.shown(value)
        if not is_number(text):
            return None
        if len(text) > COMPUTED_DIGITS.default:
            self.too_long()
        return int(text)

    def numeral(self, number: int, sort: str) -> Value:
        """Return a number as a value of a number sort."""
        return str(number)

    def is_endless(self, slot: int) -> bool:
        """Whether a variable is unbounded, so that labels must determine the values to try."""
        return False

    def counts(self, slot: int) -> bool:
        """Whether a variable ranges over all numbers of a sort."""
        return False

    def least(self, slot: int) -> int | None:
        """Return the least number of a variable's sort, if there is one."""
        return None

    def first(self, slot: int, most: int) -> Sequence[Value]:
        """Return at most `most` values of a variable's sort."""
        return ()

    def any_value(self, slot: int) -> Value | None:
        """Return an arbitrary value of a variable's sort; None if the sort may be empty."""
        return self.another(slot, ())

    def another(self, slot: int, known: Sequence[Value]) -> Value | None:
        """Return a value of a variable's sort that is not in `known`; None if none is found."""
        return None

    def is_compared_as_it_looks(self, slot: int) -> bool:
        """Whether `==` and `<` have their predefined meaning on a variable's sort, and no
        equations."""
        return True

    def elements(self, value: Value, sort: str) -> Sequence[Value] | None:
        """Return the elements of a list, set or bag; None if unknown."""
        return None

    def is_built(self, value: Value, sort: str) -> bool:
        """Whether a value consists of constructors (or is a text): equality is then decidable."""
        return True

    def unfolded(self, term: Application) -> Term | None:
        """Return the defining term of an application if a single equation covers all arguments."""
        return None

    @abstractmethod
    def truth(self, holds: bool) -> Value:
        """Return a truth value."""

    @abstractmethod
    def is_true(self, value: Value) -> bool | None:
        """Return the truth value that a value is; None if it is not one."""

    def argument(self, slot: int, value: Value, at: Place) -> Value:
        """Return the value of a parameter; raise an error if it is not of its sort."""
        return value

    def code(self, value: Value, slot: int) -> int | list[int]:
        """Return the value of a variable as a term of the shared data, or encoded as one of the
        process."""
        raise AssertionError("there are terms where there is a specification")

    def placed(self, text: str, slot: int) -> Value:
        """Return the value of a variable, given as a text by the process."""
        raise AssertionError("there are terms where there is a specification")

    @abstractmethod
    def applied(self, function: Function, expression: Expression, values: Values) -> Value:
        """Return the value of the application of a function."""

    def parts(self, expression: Expression) -> list[Expression]:
        """Return the arguments of an application."""
        term, at = expression.term, expression.at
        assert isinstance(term, Application)
        return [Expression(part, self.place(part, at)) for part in term.arguments]

    def place(self, part: Term, at: Place) -> Place:
        """Return the place of a part of a term, in messages; by default that of the whole."""
        return at

    @abstractmethod
    def agrees(self, expression: Expression, text: str, values: Values) -> bool:
        """Whether the value of a term equals the text of an argument in a label."""

    def holds(self, expression: Expression, values: Values) -> bool:
        """Whether a condition is true; raise an error if it is neither true nor false."""
        value = self.value(expression, values)
        found = self.is_true(value)
        if found is None:
            self.wrong(expression.at, f"`{self.shown(value)}` is not a truth value")
        return found

    def value(self, expression: Expression, values: Values) -> Value:
        """Return the value of a term."""
        term = expression.term
        if isinstance(term, DataVariable):
            return values[term.slot]
        if isinstance(term, Literal):
            return term.value
        assert isinstance(term, Application)
        if term.function.native != COMPUTED:
            return self.applied(term.function, expression, values)
        operator, parts = term.function.name, self.parts(expression)
        match operator:
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
                    self.wrong(expression.at, f"`/` by {n}")
                divisor = gcd(m, n)
                return str(m // divisor) + (f"/{n // divisor}" if n > divisor else "")
            case (("negative" | "-"), [n]):
                return self.written(-n)
            case "+", [m, n]:
                return self.written(m + n)
            case "-", [m, n]:
                return self.written(m - n)
            case "*", [m, n]:
                return self.written(m * n)
            case (("div" | "mod"), [m, n]):
                if n <= 0:
                    self.wrong(expression.at, f"`{operator}` by {n}")
                return self.written(m // n if operator == "div" else m % n)
            case "<", [m, n]:
                return self.truth(m < n)
            case "<=", [m, n]:
                return self.truth(m <= n)
            case ">", [m, n]:
                return self.truth(m > n)
            case ">=", [m, n]:
                return self.truth(m >= n)
        raise AssertionError(expression)

    def collected(self, kind: str, parts: Sequence[str]) -> str:
        """Return a collection as in labels; a bag's parts are elements and multiplicities."""
        if kind == "[":
            return f"[{','.join(parts)}]"
        if kind == ":":
            numbered = [f"{n}:{m}" for n, m in zip(parts[::2], parts[1::2], strict=True)]
            return f"{{{','.join(numbered) or ':'}}}"
        return f"{{{','.join(parts)}}}"

    def equal(self, one: Value, other: Value) -> bool:
        """Whether two values are equal."""
        return one == other or self.shown(one) == self.shown(other)

    def integer(self, expression: Expression, values: Values) -> int:
        """Return the value of a term as a number."""
        value = self.value(expression, values)
        found = self.number(value)
        if found is None:
            self.wrong(expression.at, f"`{self.shown(value)}` is not a number")
        return found

    def written(self, number: int) -> Value:
        """Return a computed number as a value."""
        if number.bit_length() > 3 * COMPUTED_DIGITS.default:
            self.too_long()
        return self.numeral(number, "Nat")

    def too_long(self) -> NoReturn:
        """Raise the error that a number has too many digits."""
        message = f"a number in the formula has more than about {COMPUTED_DIGITS.amount()}"
        raise LimitReached(message, limit=COMPUTED_DIGITS.default, found={})

    def numbers(self, slot: Slot, values: Values) -> Sequence[Value]:
        """Return the numbers between bounds."""
        assert slot.bounds is not None
        first, last = (self.integer(bound, values) for bound in slot.bounds)
        if last - first >= RANGE_OF_VALUES.default:
            self.too_many(slot)
        return [self.numeral(number, "Nat") for number in range(first, last + 1)]

    def too_many(self, slot: Slot) -> NoReturn:
        """Raise the error that a variable has too many values."""
        message = f"`{slot.name}` ranges over {RANGE_OF_VALUES.exceeded()}"
        raise LimitReached(message, limit=RANGE_OF_VALUES.default, found={})


class LabelData(Data):
    """Data of a system without specification: the texts in its labels.

    A variable ranges over the texts that occur in labels where the formula uses it as an argument,
    whatever its sort is called, except for the two truth values. Functions are not evaluated.
    """

    def __init__(self, formula: Formula, labels: Iterable[str]) -> None:
        super().__init__(formula)
        self.labels = labels
        self._ranges: dict[int, list[str]] | None = None

    def range(self, slot: int, values: Values) -> Sequence[Value]:
        """Return the numbers between bounds, or the texts found in labels."""
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
                f"`{of.name}` is not an argument of an action here, so its values are unknown "
                "without a specification (write a range such as `0..4`)",
            )
        if len(self._ranges[slot]) > RANGE_OF_VALUES.default:
            self.too_many(of)
        return self._ranges[slot]

    def _found(self) -> dict[int, list[str]]:
        """Return for each slot the texts that occur in labels in its positions."""
        patterns: dict[str, dict[tuple[Argument, ...], None]] = {}
        waiting: list[object] = [
            what.tree for _, what, _ in self.formula.nodes if isinstance(what, Actions)
        ]
        found: dict[int, dict[str, None]] = {}
        while waiting:
            match waiting.pop():
                case ("pattern", str() as name, tuple() as terms, _):
                    patterns.setdefault(name, {})[terms] = None
                    for argument in terms:
                        match argument:
                            case Expression(DataVariable() as variable):
                                found.setdefault(variable.slot, {})
                case ("label" | "name" | "val", *_):
                    pass
                case tuple() as parts:
                    waiting += (part for part in parts if not isinstance(part, str | Quantifier))
        for label in self.labels:
            for name, arguments in ReadLabel.of(label).actions:
                for terms in patterns.get(name, ()):
                    for required, text in paired(terms, arguments) or ():
                        if isinstance(required.term, DataVariable):
                            found[required.term.slot][text] = None
        return {slot: sorted(texts) for slot, texts in found.items()}

    def place(self, part: Term, at: Place) -> Place:
        """Return the place of a part of a term: that of its name, since terms over labels are built
        with placed names."""
        name = part.name if isinstance(part, Variable) else part.function.name
        assert isinstance(name, Name)
        return name.place

    def applied(self, function: Function, expression: Expression, values: Values) -> Value:
        """Return a number, a truth value, or an application as text."""
        if function.native == NUMERAL:
            return self.numeral(int(function.name), "Nat")
        if function.name in ("true", "false") and not function.arguments:
            return self.truth(function.name == "true")
        shown = []
        for part in self.parts(expression):
            shown.append(self.shown(self.value(part, values)))
        return f"{function.name}({','.join(shown)})" if shown else str(function.name)

    @cached_property
    def _truths(self) -> tuple[str, str]:
        """The truth values as the labels write them; the first known notation that occurs."""
        words = {word for label in self.labels for word in _TRUTH.findall(label)}
        return next((pair for pair in _TRUTHS if words & {*pair}), _TRUTHS[0])

    def truth(self, holds: bool) -> str:
        """Return a truth value as written in the labels."""
        return self._truths[not holds]

    def is_true(self, value: Value) -> bool | None:
        """Return the truth value that a text is in some tool's notation."""
        return _HOLDS.get(self.shown(value))

    def agrees(self, expression: Expression, text: str, values: Values) -> bool:
        """Whether a term's value equals an argument in a label, but for blanks after commas."""
        return _is_same(self.shown(self.value(expression, values)), text)

    def equal(self, one: Value, other: Value) -> bool:
        """Whether two values are equal, but for blanks after commas."""
        texts = self.shown(one), self.shown(other)
        return _is_same(*texts) or _is_same(*reversed(texts))


def _is_same(one: str, other: str) -> bool:
    return one == other or ('"' not in other and one == re.sub(r",\s+", ",", other))


def grown() -> LimitReached:
    """Return the error that values have become too long."""
    message = "the data of the formula grow without bound: they exceed "
    message += f"{VALUE_LETTERS.amount()}, or {VALUES_LETTERS.default} in all"
    return LimitReached(message, limit=VALUES_LETTERS.default, found={})


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()

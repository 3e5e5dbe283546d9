"""Symmetric nets (ISO/IEC 15909-1): coloured Petri nets over finite classes of colours.

A colour of a class is a number from 0, the dot is the only colour of the class `dot`, and a colour
of a product is a tuple of colours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

from lts.errors import SpecificationError

__all__ = [
    "PLAIN",
    "Arc",
    "Binding",
    "Class",
    "Colour",
    "Comparison",
    "Condition",
    "Constant",
    "Difference",
    "Every",
    "Junction",
    "Negation",
    "Net",
    "PartitionElement",
    "Place",
    "Product",
    "Shift",
    "Sort",
    "Sum",
    "Term",
    "Times",
    "Transition",
    "Truth",
    "Tuple",
    "Variable",
    "classes_in",
    "may_fail",
    "variables_of",
]

PLAIN = re.compile(r"[^()|,\"\s]+")
"""Names that can stand in labels without ambiguity."""

Colour = int | tuple["Colour", ...]
Binding = Mapping["Variable", Colour]


@dataclass(frozen=True, slots=True)
class Class:
    """A finite class of colours with names. `cyclic` is whether successors wrap around; colours of
    a range of numbers are compared with those of others by value, which is `start` plus number."""

    identifier: str
    names: tuple[str, ...]
    cyclic: bool = False
    start: int = 0

    @property
    def colours(self) -> Iterator[Colour]:
        """All colours."""
        return iter(range(len(self.names)))

    def __len__(self) -> int:
        return len(self.names)

    def shown(self, colour: Colour) -> str:
        """Return a colour as text."""
        assert isinstance(colour, int)
        return self.names[colour]


@dataclass(frozen=True, slots=True)
class Product:
    """The product of sorts."""

    identifier: str
    factors: tuple[Sort, ...]

    @property
    def colours(self) -> Iterator[Colour]:
        """All colours."""
        return product(*(factor.colours for factor in self.factors))

    def __len__(self) -> int:
        size = 1
        for factor in self.factors:
            size *= len(factor)
        return size

    def shown(self, colour: Colour) -> str:
        """Return a colour as text."""
        assert isinstance(colour, tuple)
        pairs = zip(self.factors, colour, strict=True)
        return ",".join(factor.shown(part) for factor, part in pairs)


Sort = Class | Product


def classes_in(sort: Sort) -> list[Class]:
    """Return the class of each part of a colour."""
    if isinstance(sort, Product):
        return [colours for factor in sort.factors for colours in classes_in(factor)]
    return [sort]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; names may be shared, identifiers are not."""

    identifier: str
    name: str
    sort: Sort

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return its colour, once."""
        return Counter([binding[self]])


@dataclass(frozen=True, slots=True)
class Constant:
    """A colour."""

    colour: Colour
    sort: Sort

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return the colour, once."""
        return Counter([self.colour])


@dataclass(frozen=True, slots=True)
class Shift:
    """The colour that is `by` places after the one of a term, or before it."""

    of: Term
    by: int
    sort: Class

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return the colour, once; beyond the ends of a class that is not cyclic there is none."""
        found: Counter[Colour] = Counter()
        for colour, count in self.of.value(binding).items():
            assert isinstance(colour, int)
            moved = colour + self.by
            if self.sort.cyclic:
                moved %= len(self.sort)
            elif not 0 <= moved < len(self.sort):
                name = self.sort.shown(colour)
                which = "successor" if self.by > 0 else "predecessor"
                raise SpecificationError(f"`{name}` has no {which} in `{self.sort.identifier}`")
            found[moved] += count
        return found


@dataclass(frozen=True, slots=True)
class PartitionElement:
    """The element of a partition that contains a colour, as a colour of the class of elements."""

    of: Term
    numbers: tuple[int, ...]
    """For each colour the number of its element."""
    sort: Class

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return the element, once."""
        ((colour, count),) = self.of.value(binding).items()
        assert isinstance(colour, int)
        return Counter({self.numbers[colour]: count})


@dataclass(frozen=True, slots=True)
class Tuple:
    """Tuples of the colours of terms."""

    parts: tuple[Term, ...]
    sort: Product

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return all combinations; each occurs as often as its parts multiplied."""
        found: Counter[Colour] = Counter()
        for row in product(*(part.value(binding).items() for part in self.parts)):
            count = 1
            for _, times in row:
                count *= times
            found[tuple(colour for colour, _ in row)] += count
        return found


@dataclass(frozen=True, slots=True)
class Every:
    """Each colour of a sort once."""

    sort: Sort

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return all colours."""
        return Counter(self.sort.colours)


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of multisets; without terms it is the empty one."""

    terms: tuple[Term, ...]
    sort: Sort

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return the sum."""
        found: Counter[Colour] = Counter()
        for term in self.terms:
            for colour, count in term.value(binding).items():
                found[colour] += count
        return found


@dataclass(frozen=True, slots=True)
class Difference:
    """A multiset without another one, which it must contain."""

    whole: Term
    without: Term
    sort: Sort

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return the difference."""
        found = self.whole.value(binding)
        for colour, count in self.without.value(binding).items():
            if found[colour] < count:
                name = self.sort.shown(colour)
                raise SpecificationError(f"more of `{name}` is subtracted than there is")
            found[colour] -= count
        return +found


@dataclass(frozen=True, slots=True)
class Times:
    """A multiset several times."""

    count: int
    term: Term
    sort: Sort

    def value(self, binding: Binding) -> Counter[Colour]:
        """Return the product."""
        found = self.term.value(binding).items()
        return +Counter({colour: count * self.count for colour, count in found})


Term = Variable | Constant | Shift | PartitionElement | Tuple | Every | Sum | Difference | Times


@dataclass(frozen=True, slots=True)
class Truth:
    """A truth value."""

    holds: bool

    def value(self, binding: Binding) -> bool:
        """Return it."""
        return self.holds


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two colours, by their order in the class, or by value if they are numbers."""

    relation: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Term
    right: Term

    def value(self, binding: Binding) -> bool:
        """Whether it holds."""
        (left,), (right,) = self.left.value(binding), self.right.value(binding)
        one, other = _place(left, self.left.sort), _place(right, self.right.sort)
        match self.relation:
            case "=":
                return one == other
            case "!=":
                return one != other
            case "<":
                return one < other
            case "<=":
                return one <= other
            case ">":
                return one > other
            case _:
                return one >= other


def _place(colour: Colour, sort: Sort) -> tuple[int, ...]:
    if isinstance(sort, Product):
        assert isinstance(colour, tuple)
        pairs = zip(colour, sort.factors, strict=True)
        return tuple(number for part, factor in pairs for number in _place(part, factor))
    assert isinstance(colour, int)
    return (sort.start + colour,)


@dataclass(frozen=True, slots=True)
class Negation:
    """The negation of a condition."""

    of: Condition

    def value(self, binding: Binding) -> bool:
        """Whether it holds."""
        return not self.of.value(binding)


@dataclass(frozen=True, slots=True)
class Junction:
    """The conjunction of some conditions or, unless `conjunctive`, their disjunction."""

    conjunctive: bool
    conditions: tuple[Condition, ...]

    def value(self, binding: Binding) -> bool:
        """Whether it holds."""
        found = (condition.value(binding) for condition in self.conditions)
        return all(found) if self.conjunctive else any(found)


Condition = Truth | Comparison | Negation | Junction


def variables_of(part: Term | Condition) -> set[Variable]:
    """Return the variables of a term or condition."""
    match part:
        case Variable():
            return {part}
        case Shift(of) | PartitionElement(of) | Negation(of):
            return variables_of(of)
        case Tuple(parts) | Sum(parts) | Junction(_, parts):
            return {v for inside in parts for v in variables_of(inside)}
        case Difference(one, other) | Comparison(_, one, other):
            return variables_of(one) | variables_of(other)
        case Times(_, inside):
            return variables_of(inside)
    return set()


def may_fail(part: Term | Condition) -> bool:
    """Return whether a term or condition may have no value for some colours of its variables."""
    match part:
        case Shift(of, _, sort):
            return not sort.cyclic or may_fail(of)
        case Difference():
            return True
        case Tuple(parts) | Sum(parts) | Junction(_, parts):
            return any(map(may_fail, parts))
        case Comparison(_, one, other):
            return may_fail(one) or may_fail(other)
        case Times(_, inside) | PartitionElement(inside) | Negation(inside):
            return may_fail(inside)
    return False


@dataclass(frozen=True, slots=True)
class Place:
    """A place with the sort of its tokens."""

    identifier: str
    sort: Sort
    tokens: Mapping[Colour, int]
    """The initial marking."""


@dataclass(frozen=True, slots=True)
class Arc:
    """Tokens that a transition takes from a place, or puts there."""

    identifier: str
    place: str
    term: Term
    line: int


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition: for all colours of its `variables` that satisfy the guard, it takes the tokens
    of `takes` and puts those of `puts`.

    It is disabled if a place has as many tokens as one of its `inhibitors` says. Of the places in
    `resets` it takes all tokens, before it puts some. Both are about places for dots.
    """

    identifier: str
    variables: tuple[Variable, ...]
    guard: Condition
    takes: tuple[Arc, ...]
    puts: tuple[Arc, ...]
    line: int
    label: str
    """The beginning of its labels: the identifier, the name, or `tau`."""
    inhibitors: tuple[tuple[str, int], ...] = ()
    resets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Net:
    """A symmetric net; a place/transition net is one whose tokens are dots."""

    name: str
    file: str
    places: Mapping[str, Place]
    transitions: tuple[Transition, ...]
    classes: tuple[Class, ...] = field(default=())
    """The classes with more than one colour, in the order of their declarations."""
    finals: tuple[Mapping[str, int], ...] = ()
    """The final markings: the tokens of places, of which the others have none."""

    def __repr__(self) -> str:
        return (
            f"<Net {self.name}: {len(self.places)} places, {len(self.transitions)} transitions, "
            f"{len(self.classes)} classes>"
        )

    @property
    def actions(self) -> frozenset[str]:
        """The names of the transitions, with which labels begin."""
        return frozenset(transition.label for transition in self.transitions)

    def by_identifier(self) -> Net:
        """Return the net whose labels begin with the identifiers of transitions."""
        return replace(
            self,
            transitions=tuple(
                replace(transition, label=transition.identifier) for transition in self.transitions
            ),
        )

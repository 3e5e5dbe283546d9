"""The syntax of sorts and data, as they stand in the text."""

from __future__ import annotations

from dataclasses import dataclass

from lts.text.names import Name
from lts.text.source import Place

__all__ = [
    "Application", "Bag", "Binder", "Comprehension", "Constructor", "Container", "Data",
    "Function", "Identifier", "ListOf", "Number", "Operation", "Product", "SetOf", "Sort",
    "SortName", "Sorted", "Structure", "Update", "Variable", "Where", "described", "place_of",
    "place_of_sort",
]  # fmt: skip


@dataclass(slots=True, eq=False, repr=False)
class SortName:
    """The name of a sort: one that is declared, or `Nat` and so on."""

    name: Name


@dataclass(slots=True, eq=False, repr=False)
class Container:
    """`List(element)`, `Set(element)` and so on."""

    name: Name
    element: Sort


@dataclass(slots=True, eq=False, repr=False)
class Constructor:
    """`name(projection: sort, ..) ? recogniser`."""

    name: Name
    projections: tuple[tuple[Name | None, Sort], ...]
    recogniser: Name | None


@dataclass(slots=True, eq=False, repr=False)
class Structure:
    """`struct constructor | ..`."""

    constructors: tuple[Constructor, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Product:
    """`sort # .. # sort`, the arguments of a function or action."""

    sorts: tuple[Sort, ...]


@dataclass(slots=True, eq=False, repr=False)
class Function:
    """`arguments -> result`."""

    arguments: tuple[Sort, ...]
    result: Sort
    place: Place


Sort = SortName | Container | Structure | Product | Function


@dataclass(slots=True, eq=False, repr=False)
class Variable:
    """`name : sort`."""

    name: Name
    sort: Sort


@dataclass(slots=True, eq=False, repr=False)
class Identifier:
    """A variable or function; also `true` and `false`."""

    name: Name


@dataclass(slots=True, eq=False, repr=False)
class Number:
    """A number in decimals."""

    digits: Name


@dataclass(slots=True, eq=False, repr=False)
class ListOf:
    """`[element, ..]`."""

    elements: tuple[Data, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class SetOf:
    """`{element, ..}`."""

    elements: tuple[Data, ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Bag:
    """`{element: count, ..}`, or `{:}`."""

    elements: tuple[tuple[Data, Data], ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Comprehension:
    """`{variable: sort | condition}`; of a bag, how often it has each value."""

    variable: Variable
    body: Data
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Application:
    """`function(argument, ..)`."""

    function: Data
    arguments: tuple[Data, ...]


@dataclass(slots=True, eq=False, repr=False)
class Update:
    """`function[argument -> value]`."""

    function: Data
    argument: Data
    value: Data
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Operation:
    """An operator with one operand or two."""

    operator: Name
    operands: tuple[Data, ...]


@dataclass(slots=True, eq=False, repr=False)
class Binder:
    """`forall`, `exists` or `lambda` with variables."""

    word: Name
    variables: tuple[Variable, ...]
    body: Data


@dataclass(slots=True, eq=False, repr=False)
class Where:
    """`body whr name = value, .. end`."""

    body: Data
    assignments: tuple[tuple[Name, Data], ...]
    place: Place


@dataclass(slots=True, eq=False, repr=False)
class Sorted:
    """What is known to have a sort; no text says that."""

    data: Data
    sort: Sort


Data = (
    Identifier | Number | ListOf | SetOf | Bag | Comprehension | Application | Update | Operation
    | Binder | Where | Sorted
)  # fmt: skip


def described(data: Data) -> tuple[str, Place]:
    """Return what an expression is called, and where it stands."""
    match data:
        case Operation(operator):
            return f"`{operator}`", operator.place
        case Binder(word):
            return f"`{word}`", word.place
        case Where():
            return "`whr`", data.place
        case ListOf():
            return "a list", data.place
        case SetOf() | Comprehension():
            return "a set", data.place
        case Bag():
            return "a bag", data.place
    return "a function as a value", place_of(data)


def place_of_sort(sort: Sort) -> Place:
    """Return where a sort begins (parentheses left out)."""
    while True:
        match sort:
            case SortName(name) | Container(name):
                return name.place
            case Structure():
                return sort.place
            case Product(sorts) | Function(sorts):
                sort = sorts[0]


def place_of(data: Data) -> Place:
    """Return where an expression begins (parentheses left out)."""
    while True:
        match data:
            case Identifier(name):
                return name.place
            case Number(digits):
                return digits.place
            case Application(function):
                data = function
            case Update(function):
                data = function
            case Sorted(inner):
                data = inner
            case Operation(operator, operands):
                if len(operands) == 1:
                    return operator.place
                data = operands[0]
            case Binder(word):
                return word.place
            case Where(body):
                data = body
            case _:
                return data.place

"""Syntax trees of sorts and data expressions."""

from __future__ import annotations

from dataclasses import dataclass

from lts.text.names import Name
from lts.text.source import Place

__all__ = [
    "Application", "Bag", "Binder", "Comprehension", "Constructor", "Container", "Data",
    "Function", "Identifier", "ListOf", "Number", "Operation", "Product", "SetOf", "Sort",
    "SortName", "Sorted", "StructuredSort", "Update", "Variable", "Where", "described", "place_of",
    "place_of_sort",
]  # fmt: skip


@dataclass(slots=True, eq=False, repr=False)
class SortName:
    """The name of a sort, declared or predefined."""

    name: Name


@dataclass(slots=True, eq=False, repr=False)
class Container:
    """`List(element)`, `Set(element)` and the like."""

    name: Name
    element: Sort


@dataclass(slots=True, eq=False, repr=False)
class Constructor:
    """`name(projection: sort, ..) ? recogniser`."""

    name: Name
    projections: tuple[tuple[Name | None, Sort], ...]
    recogniser: Name | None


@dataclass(slots=True, eq=False, repr=False)
class StructuredSort:
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


Sort = SortName | Container | StructuredSort | Product | Function


@dataclass(slots=True, eq=False, repr=False)
class Variable:
    """`name : sort`."""

    name: Name
    sort: Sort


@dataclass(slots=True, eq=False, repr=False)
class Identifier:
    """The name of a variable or function, including `true` and `false`."""

    name: Name


@dataclass(slots=True, eq=False, repr=False)
class Number:
    """A decimal number."""

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
    """`{variable: sort | condition}`; for a bag, the condition is a multiplicity."""

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
    """A unary or binary operator with its operands."""

    operator: Name
    operands: tuple[Data, ...]


@dataclass(slots=True, eq=False, repr=False)
class Binder:
    """`forall`, `exists` or `lambda` with its variables."""

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
    """An expression whose sort is known; it has no syntax in texts."""

    data: Data
    sort: Sort


Data = (
    Identifier | Number | ListOf | SetOf | Bag | Comprehension | Application | Update | Operation
    | Binder | Where | Sorted
)  # fmt: skip


def described(data: Data) -> tuple[str, Place]:
    """Return a description of an expression, and its place."""
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
    """Return the place where a sort begins, not counting parentheses."""
    while True:
        match sort:
            case SortName(name) | Container(name):
                return name.place
            case StructuredSort():
                return sort.place
            case Product(sorts) | Function(sorts):
                sort = sorts[0]


def place_of(data: Data) -> Place:
    """Return the place where an expression begins, not counting parentheses."""
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

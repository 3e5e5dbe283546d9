"""The declarations of a net in PNML: sorts with their colours, variables, and partitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeVar

from lts.base.bounds import COLOURS, COLOURS_TOGETHER, FACTORS
from lts.errors import SpecificationError, Unsupported
from lts.petri.elements import Element
from lts.petri.net import PLAIN, Class, Constant, Product, Sort, Variable

__all__ = ["DOT", "NetDeclarations", "declared", "structure_of"]

Declared = TypeVar("Declared")

DOT = Class("dot", ("dot",))


def structure_of(label: Element | None) -> Element | None:
    """Return the structure of a label; None if the label is missing or empty.

    The texts of coloured nets have no standard syntax, so a label that has only a text is
    refused."""
    if label is None:
        return None
    found, text = label.find("structure"), label.find("text")
    if found is not None and found.children:
        return found
    if text is not None and text.text.strip():
        raise label.error(
            Unsupported, f"`{label.name}` has a text without a structure, which is not read"
        )
    return None if label.name != "type" else found


def declared(element: Element, attribute: str, of: Mapping[str, Declared], kind: str) -> Declared:
    """Return the declaration to which an attribute refers: `of` has those of its kind."""
    name = element.the(attribute)
    if name not in of:
        raise element.error(SpecificationError, f"no {kind} `{name}` is declared")
    return of[name]


@dataclass(eq=False)
class NetDeclarations:
    """The sorts, colours, variables and partitions of a net by their identifiers."""

    sorts: dict[str, Sort] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    partitions: dict[str, tuple[Class, tuple[int, ...]]] = field(default_factory=dict)
    """For each partition the class of its elements, and the number of each colour's element."""
    ranges: dict[tuple[str, int, int], Class] = field(default_factory=dict)
    colours: int = 0
    """The number of colours of all classes so far."""

    def add(self, declaration: Element) -> None:
        """Add the declarations of an element `declaration`."""
        inside = structure_of(declaration)
        if inside is not None and inside.only().name != "declarations":
            raise inside.error(Unsupported, f"declarations by `{inside.only().name}` are not read")
        waiting = [] if inside is None else inside.only().children
        # Declarations may use later ones.
        while waiting:
            left = []
            for element in waiting:
                if all(name in self.sorts for name in _sorts_in(element)):
                    self._add_one(element)
                else:
                    left.append(element)
            if len(left) == len(waiting):
                name = next(name for name in _sorts_in(left[0]) if name not in self.sorts)
                raise left[0].error(SpecificationError, f"no sort `{name}` is declared")
            waiting = left

    def _add_one(self, element: Element) -> None:
        match element.name:
            case "namedsort":
                identifier = element.the("id")
                if identifier in self.sorts:
                    raise element.error(SpecificationError, "the sort is declared twice")
                self.sorts[identifier] = self.sort(element.only(), identifier)
            case "variabledecl":
                identifier = element.the("id")
                if identifier in self.variables:
                    raise element.error(SpecificationError, "the variable is declared twice")
                name = element.attributes.get("name", identifier)
                sort = self.sort(element.only())
                self.variables[identifier] = Variable(identifier, name, sort)
            case "partition":
                self._add_partition(element)
            case other:
                raise element.error(Unsupported, f"declarations by `{other}` are not read")

    def _add_partition(self, element: Element) -> None:
        base = self.sort(element.children[0]) if element.children else None
        if not isinstance(base, Class):
            raise element.error(SpecificationError, "a partition is one of a class of colours")
        if element.the("id") in self.partitions:
            raise element.error(SpecificationError, "the partition is declared twice")
        parts = element.all("partitionelement")
        numbers = [-1] * len(base)
        identifier = element.the("id")
        of_parts = Class(identifier, tuple(part.the("id") for part in parts))
        for number, part in enumerate(parts):
            for member in part.children:
                found = self.constants.get(member.attributes.get("declaration", ""))
                if found is None or found.sort != base:
                    raise member.error(SpecificationError, "this is no colour of the class")
                assert isinstance(found.colour, int)
                if numbers[found.colour] >= 0:
                    name = base.shown(found.colour)
                    raise member.error(SpecificationError, f"`{name}` is in two elements")
                numbers[found.colour] = number
            if part.the("id") in self.constants:
                raise part.error(SpecificationError, "the name is that of a colour or part, too")
            self.constants[part.the("id")] = Constant(number, of_parts)
        if -1 in numbers:
            name = base.names[numbers.index(-1)]
            raise element.error(SpecificationError, f"`{name}` is in no element of the partition")
        self.partitions[identifier] = (of_parts, tuple(numbers))

    def sort(self, element: Element, identifier: str = "") -> Sort:
        """Return the sort that an element describes; `identifier` is the name it is given."""
        found: Sort
        match element.name:
            case "usersort":
                found = declared(element, "declaration", self.sorts, "sort")
            case "dot":
                found = DOT
            case "bool":
                found = Class("bool", ("false", "true"))
            case "cyclicenumeration" | "finiteenumeration":
                constants = element.all("feconstant")
                names = tuple(
                    constant.attributes.get("name", constant.the("id")) for constant in constants
                )
                if not names:
                    raise element.error(SpecificationError, "the class has no colours")
                if len({*names}) < len(names) or not all(map(PLAIN.fullmatch, names)):
                    # In labels, names must not look like several.
                    names = tuple(constant.the("id") for constant in constants)
                self._count_colours(element, len(names))
                found = Class(identifier, names, element.name == "cyclicenumeration")
                for number, constant in enumerate(constants):
                    if self.constants.setdefault(constant.the("id"), Constant(number, found)) != (
                        Constant(number, found)
                    ):
                        raise constant.error(SpecificationError, "the colour is declared twice")
            case "finiteintrange":
                start, end = (element.number(of) for of in ("start", "end"))
                if end < start:
                    raise element.error(SpecificationError, f"{start} to {end} is no range")
                if (identifier, start, end) not in self.ranges:
                    self._count_colours(element, end - start + 1)
                    numbers = tuple(map(str, range(start, end + 1)))
                    self.ranges[identifier, start, end] = Class(identifier, numbers, start=start)
                found = self.ranges[identifier, start, end]
            case "productsort":
                if not element.children:
                    raise element.error(SpecificationError, "a product of no sorts")
                factors = tuple(self.sort(child) for child in element.children)
                # The number of colours is computed by hand: `len` is limited to 64 bits.
                if prod(map(len, factors)) > COLOURS.default:
                    raise element.error(Unsupported, f"a sort has at most {COLOURS.amount()}")
                found = Product(identifier, factors)
                if _factors(found) > FACTORS.default:
                    raise element.error(Unsupported, f"a product has at most {FACTORS.amount()}")
            case other:
                raise element.error(Unsupported, f"sorts by `{other}` are not read")
        return found

    def _count_colours(self, element: Element, count: int) -> None:
        """Refuse too many colours of a class, or of all classes, before they are created."""
        if count > COLOURS.default:
            raise element.error(Unsupported, f"a sort has at most {COLOURS.amount()}")
        self.colours += count
        if self.colours > COLOURS_TOGETHER.default:
            raise element.error(
                Unsupported, f"the sorts have together at most {COLOURS_TOGETHER.amount()}"
            )


def _factors(sort: Sort) -> int:
    """Return the number of classes in a sort."""
    return sum(map(_factors, sort.factors)) if isinstance(sort, Product) else 1


def _sorts_in(element: Element) -> list[str]:
    """Return the sorts that a declaration uses."""
    inside = [element]
    for inner in inside:  # grows during the loop
        inside += inner.children
    return [inner.the("declaration") for inner in inside if inner.name == "usersort"]

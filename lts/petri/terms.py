"""The terms of a net in PNML, which denote multisets of colours, and the guards of transitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lts.errors import FormatError, SpecificationError, Unsupported
from lts.petri.declarations import DOT, NetDeclarations, declared
from lts.petri.elements import Element
from lts.petri.net import (
    Class,
    Comparison,
    Condition,
    Constant,
    Difference,
    Every,
    Junction,
    Negation,
    PartitionElement,
    Product,
    Shift,
    Sort,
    Sum,
    Term,
    Times,
    Truth,
    Tuple,
    Variable,
)

__all__ = ["NetTerms"]

_RELATIONS: dict[str, Literal["=", "!=", "<", "<=", ">", ">="]] = {
    "equality": "=",
    "inequality": "!=",
    "lessthan": "<",
    "lessthanorequal": "<=",
    "greaterthan": ">",
    "greaterthanorequal": ">=",
    # Those of elements of partitions.
    "ltp": "<",
    "gtp": ">",
    # Those of numbers, which elements of ranges are.
    "lt": "<",
    "leq": "<=",
    "gt": ">",
    "geq": ">=",
}


@dataclass(eq=False)
class NetTerms:
    """Reads terms and conditions; `declarations` has the names that occur in them."""

    declarations: NetDeclarations

    def condition(self, element: Element) -> Condition:
        """Return the guard of a transition, or a part of one."""
        match element.name:
            case "and" | "or":
                parts = tuple(self.condition(_subterm(child)) for child in element.children)
                return Junction(element.name == "and", parts)
            case "not":
                return Negation(self.condition(_subterm(element.only())))
            case "imply":
                one, other = (self.condition(_subterm(c)) for c in element.two())
                return Junction(False, (Negation(one), other))
            case "booleanconstant":
                text = element.the("value").strip().lower()
                if text not in ("true", "false"):
                    raise element.error(FormatError, f"`{text}` is no truth value")
                return Truth(text == "true")
            case name if name in _RELATIONS:
                children = [_subterm(child) for child in element.two()]
                left = self.colour(children[0])
                right = self.colour(children[1])
                if _shape(left.sort) != _shape(right.sort):
                    raise element.error(SpecificationError, "colours of two classes are compared")
                return Comparison(_RELATIONS[name], left, right)
        raise element.error(Unsupported, f"conditions with `{element.name}` are not read")

    def colour(self, element: Element) -> Term:
        """Return a term for one colour."""
        found = self.term(element, None)
        if not _is_single(found):
            raise element.error(SpecificationError, "this is no single colour")
        return found

    def term(self, element: Element, expected: Sort | None) -> Term:
        """Return a term; `expected` is the sort that it should have, if known."""
        found = self._untyped(element, expected)
        if expected is not None and _shape(found.sort) != _shape(expected):
            raise element.error(
                SpecificationError,
                f"a term of `{found.sort.identifier}`, where `{expected.identifier}` is expected",
            )
        return found

    def _untyped(self, element: Element, expected: Sort | None) -> Term:
        parts = [_subterm(child) for child in element.children]
        match element.name:
            case "subterm":
                return self.term(element.only(), expected)
            case "variable":
                return declared(element, "refvariable", self.declarations.variables, "variable")
            case "useroperator":
                name = element.the("declaration")
                if (
                    name not in self.declarations.constants
                    and self.declarations.sorts.get(name) == DOT
                ):
                    return Constant(0, DOT)  # as some tools write `dotconstant`
                return declared(element, "declaration", self.declarations.constants, "colour")
            case "dotconstant":
                return Constant(0, DOT)
            case "finiteintrangeconstant":
                return self._of_range(element, expected)
            case "all" | "empty":
                sort = self.declarations.sort(element.only()) if element.children else expected
                if sort is None:
                    raise element.error(FormatError, f"`{element.name}` of which sort?")
                return Every(sort) if element.name == "all" else Sum((), sort)
            case "add":
                terms = tuple(self.term(part, expected) for part in parts)
                self._expect_one_sort(element, terms)
                return Sum(terms, terms[0].sort)
            case "subtract":
                terms = tuple(self.term(part, expected) for part in parts)
                self._expect_one_sort(element, terms)
                first, *others = terms
                return Difference(first, Sum(tuple(others), first.sort), first.sort)
            case "numberof" | "scalarproduct":
                if len(parts) == 1:
                    return self.term(parts[0], expected)
                element.two()
                term = self.term(parts[1], expected)
                return Times(self._multiplicity(parts[0]), term, term.sort)
            case "tuple":
                factors: tuple[Sort | None, ...] = (None,) * len(parts)
                if isinstance(expected, Product) and len(expected.factors) == len(parts):
                    factors = expected.factors
                terms = tuple(map(self.term, parts, factors))
                if len(terms) == 1:
                    return terms[0]
                return Tuple(terms, Product("", tuple(term.sort for term in terms)))
            case "successor" | "predecessor":
                of = self.term(_subterm(element.only()), expected)
                if not isinstance(of.sort, Class) or not _is_single(of):
                    raise element.error(SpecificationError, f"`{element.name}` of no colour")
                return Shift(of, 1 if element.name == "successor" else -1, of.sort)
            case "partitionelementof":
                name = element.the("refpartition")
                if name not in self.declarations.partitions:
                    raise element.error(SpecificationError, f"there is no partition `{name}`")
                sort, numbers = self.declarations.partitions[name]
                of = self.colour(_subterm(element.only()))
                if not isinstance(of.sort, Class) or len(of.sort) != len(numbers):
                    raise element.error(SpecificationError, f"no colour of the class of `{name}`")
                return PartitionElement(of, numbers, sort)
        raise element.error(Unsupported, f"terms with `{element.name}` are not read")

    def _expect_one_sort(self, element: Element, terms: tuple[Term, ...]) -> None:
        if not terms:
            raise element.error(FormatError, f"`{element.name}` of nothing")
        if len({_shape(term.sort) for term in terms}) > 1:
            raise element.error(SpecificationError, "terms of two sorts are put together")

    def _of_range(self, element: Element, expected: Sort | None) -> Constant:
        inside = element.find("finiteintrange")
        value = element.number("value")
        sort: Sort | None = expected
        if inside is not None:
            start, end = (inside.number(of) for of in ("start", "end"))
            named = [
                s
                for s in self.declarations.sorts.values()
                if isinstance(s, Class)
                and self.declarations.ranges.get((s.identifier, start, end)) is s
            ]
            sort = (
                expected
                if expected in named
                else named[0]
                if named
                else self.declarations.sort(inside)
            )
        if not isinstance(sort, Class) or not 0 <= value - sort.start < len(sort):
            raise element.error(SpecificationError, f"{value} is not in the range")
        return Constant(value - sort.start, sort)

    def _multiplicity(self, element: Element) -> int:
        if element.name != "numberconstant":
            raise element.error(Unsupported, f"a number as `{element.name}` is not read")
        count = element.number("value")
        if count < 0:
            raise element.error(SpecificationError, "a number of tokens is not negative")
        return count


def _subterm(element: Element) -> Element:
    """Return the term in an element `subterm`, or the element itself."""
    return element.only() if element.name == "subterm" else element


def _shape(sort: Sort) -> object:
    """Return a key that is equal for sorts with the same colours, whatever the sorts are called."""
    if isinstance(sort, Product):
        return tuple(map(_shape, sort.factors))
    return (sort.names, sort.start)


def _is_single(term: Term) -> bool:
    """Whether a term is one colour and no multiset."""
    match term:
        case Variable() | Constant():
            return True
        case Shift(of) | PartitionElement(of):
            return _is_single(of)
        case Tuple(parts):
            return all(map(_is_single, parts))
        case Times(1, inside):
            return _is_single(inside)
        case Sum((inside,)):
            return _is_single(inside)
    return False

"""Values of sorts: whether they can be enumerated, and whether they are ordered.

A function with a small domain is represented by the table of its results. Other functions are
represented by how they were made, so that equal functions may have different normal forms; sorts
with such values are called `endless` here.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import product
from math import prod

from lts.base.bounds import ENUMERATED_VALUES
from lts.mcrl2.data.sort_names import (
    element_of,
    is_container,
    is_function,
    is_set,
    signature,
)
from lts.mcrl2.data.symbols import FALSE, TRUE, is_number, set_constructors
from lts.specification.generators import Recursion, run
from lts.specification.notation import Notation
from lts.specification.terms import Application, Function

__all__ = ["MOST_ARGUMENTS", "TABLE", "Values", "table_constructor"]

TABLE = "@table"
"""The name of the constructors of function tables."""

MOST_ARGUMENTS = 64
"""Most arguments in the domain of a function that is represented by a table."""


class Values:
    """The values of sorts; `rewritten` are the names of functions with equations in the text."""

    def __init__(self, rewritten: Set[str]) -> None:
        self.constructors: dict[str, tuple[Function, ...]] = {}
        """The constructors of the sorts declared in the text."""
        self.rewritten = rewritten
        self.distinguished: set[str] = set()
        """Sorts of functions that occur inside left sides, which depend on their representation."""
        self.compared: set[str] = set()
        """Sorts for whose `==` the text has equations."""
        self.predicates: set[str] = set()
        """Sorts of sets that have values given by a predicate only."""
        self._listed: dict[str, tuple[Application, ...] | None] = {}
        self._reached: dict[str, frozenset[str]] = {}

    def all(self, sort: str) -> tuple[Application, ...] | None:
        """Return the values of a sort in order; None if there are too many."""
        found: tuple[Application, ...] | None = run(self._all(sort, frozenset()))
        return found

    def arguments(self, sort: str) -> tuple[tuple[Application, ...], ...] | None:
        """Return the domain of functions of a sort; None if they have no table."""
        found: tuple[tuple[Application, ...], ...] | None = run(self._arguments(sort, frozenset()))
        return found

    def _arguments(
        self, sort: str, inside: frozenset[str]
    ) -> Recursion[tuple[tuple[Application, ...], ...] | None]:
        known: list[tuple[Application, ...]] = []
        if sort in self.distinguished:
            return None
        for argument in signature(sort)[0]:
            values = yield self._all(argument, inside)
            if values is None:
                return None
            known.append(values)
        return tuple(product(*known)) if prod(map(len, known)) <= MOST_ARGUMENTS else None

    def is_ordered(self, sort: str) -> bool:
        """Whether the values of a sort are totally ordered."""
        for part in self.reached(sort):
            if part == "Bool" or is_number(part) or is_container(part):
                continue
            if is_function(part):
                if self.arguments(part) is None:
                    return False
            elif not self.constructors.get(part, ()):
                return False
        return True

    def is_endless(self, sort: str) -> bool:
        """Whether equal values may have different normal forms, since they contain functions.

        A set given by a predicate counts as such a function, too.
        """
        return any(
            part in self.predicates or (is_function(part) and self.arguments(part) is None)
            for part in self.reached(sort)
        )

    def is_infinite(self, sort: str) -> bool:
        """Whether a sort certainly has infinitely many values.

        That is so if free constructors contain numbers or lists, or the sort recursively.
        """
        reached = {sort, *self._inside(sort)}
        return any(
            is_number(part) or (is_container(part) and not is_set(part)) for part in reached
        ) or any(part in self._inside(part) for part in reached)

    def _inside(self, sort: str) -> set[str]:
        """Return the sorts of the distinguishable parts of a sort's values."""
        found: set[str] = set()
        waiting = [sort]
        while waiting:
            one = waiting.pop()
            parts = {element_of(one)} if is_container(one) else set()
            for constructor in self.constructors.get(one, ()):
                if constructor.name not in self.rewritten:
                    parts.update(constructor.arguments)
            waiting += parts - found
            found |= parts
        return found

    def reached(self, sort: str) -> frozenset[str]:
        """Return a sort and all sorts whose values may be parts of its values."""
        known = self._reached.get(sort)
        if known is None:
            found = {sort}
            waiting = [sort]
            while waiting:
                new = set(self._parts(waiting.pop())) - found
                found |= new
                waiting += new
            known = self._reached[sort] = frozenset(found)
        return known

    def _parts(self, sort: str) -> tuple[str, ...]:
        if is_container(sort):
            return (element_of(sort),)
        if is_function(sort):
            arguments, result = signature(sort)
            return (*arguments, result)
        return tuple([s for c in self.constructors.get(sort, ()) for s in c.arguments])

    def _all(self, sort: str, inside: frozenset[str]) -> Recursion[tuple[Application, ...] | None]:
        if sort == "Bool":
            return FALSE, TRUE
        if is_number(sort) or (is_container(sort) and not is_set(sort)) or sort in inside:
            return None
        if sort in self._listed:
            return self._listed[sort]
        found: tuple[Application, ...] | None = None
        inside |= {sort}
        if is_set(sort):
            elements = yield self._all(element_of(sort), inside)
            if elements is not None and 2 ** len(elements) <= ENUMERATED_VALUES.default:
                found = _subsets(sort, elements)
        elif is_function(sort):
            arguments = yield self._arguments(sort, inside)
            results = yield self._all(signature(sort)[1], inside)
            if arguments is None or results is None:
                found = None
            elif len(results) ** len(arguments) <= ENUMERATED_VALUES.default:
                make = table_constructor(sort, arguments)
                tables = product(results, repeat=len(arguments))
                found = tuple([Application(make, table) for table in tables])
        else:
            found = yield self._constructed(sort, inside)
        self._listed[sort] = found
        return found

    def _constructed(
        self, sort: str, inside: frozenset[str]
    ) -> Recursion[tuple[Application, ...] | None]:
        constructors = self.constructors.get(sort)
        if not constructors or any(c.name in self.rewritten for c in constructors):
            return None
        found: list[Application] = []
        for constructor in constructors:
            lists = []
            for argument in constructor.arguments:
                values = yield self._all(argument, inside)
                if values is None:
                    return None
                lists.append(values)
            if len(found) + prod(map(len, lists)) > ENUMERATED_VALUES.default:
                return None
            found += [Application(constructor, arguments) for arguments in product(*lists)]
        return tuple(found)


def table_constructor(sort: str, arguments: Sequence[tuple[Application, ...]]) -> Function:
    """Return the constructor of function tables, with the results in the order of the arguments."""
    keys = [",".join(map(str, given)) for given in arguments]
    if len(signature(sort)[0]) > 1:
        keys = [f"({key})" for key in keys]
    shown = Notation((*(f"{',' if at else '{'}{key} -> " for at, key in enumerate(keys)), "}"))
    results = (signature(sort)[1],) * len(arguments)
    return Function(TABLE, results, sort, constructor=True, notation=shown)


def _subsets(sort: str, elements: tuple[Application, ...]) -> tuple[Application, ...]:
    empty, insert = set_constructors(sort)
    found = [Application(empty)]
    for element in reversed(elements):
        found += [Application(insert, (element, rest)) for rest in found]
    return tuple(found)

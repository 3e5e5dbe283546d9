"""What a specification uses of the predefined sorts and functions, and the rules of that.

Only what is used has rules, so that a small text stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lts.mcrl2.data import booleans, comparisons, lists, numbers
from lts.mcrl2.data.equations import Equations
from lts.mcrl2.data.symbols import (
    FALSE,
    NUMBERS,
    TRUE,
    element_of,
    is_list,
    list_constructors,
)
from lts.specification.specification import Numbers, Rule
from lts.specification.terms import Application, Function, Term

__all__ = ["Library"]

_DEFINED: Mapping[str, Callable[[Function], Equations]] = {
    "==": comparisons.equal, "!=": comparisons.equal, "if": comparisons.if_,
    "!": booleans.logical, "&&": booleans.logical, "||": booleans.logical, "=>": booleans.logical,
    "+": numbers.plus, "-": numbers.minus, "@monus": numbers.monus, "*": numbers.times,
    "div": numbers.division, "mod": numbers.modulo, "exp": numbers.power,
    "abs": numbers.absolute, "min": numbers.extremum, "max": numbers.extremum,
    "succ": numbers.successor, "pred": numbers.predecessor, "Pos2Nat": numbers.casts,
    "Pos2Int": numbers.casts, "Nat2Pos": numbers.casts, "Nat2Int": numbers.casts,
    "Int2Pos": numbers.casts, "Int2Nat": numbers.casts, "in": lists.of_lists, "#": lists.of_lists,
    "<|": lists.of_lists, "++": lists.of_lists, ".": lists.of_lists, "head": lists.of_lists,
    "tail": lists.of_lists, "rhead": lists.of_lists, "rtail": lists.of_lists,
}  # fmt: skip
_NO_PLACE = (1, 1)


class Library:
    """Collects what is used, then what that needs.

    `declared` are the functions of the text, `structures` the constructors of its structured sorts.
    """

    def __init__(
        self, declared: Mapping[Function, object], structures: Mapping[str, tuple[Function, ...]]
    ) -> None:
        self.declared = declared
        self.structures = structures
        self.sorts: dict[str, None] = {}
        self.functions: dict[Function, None] = {}
        self.rules: list[Rule] = []
        self.use_sort("Bool")

    def use(self, term: Term) -> None:
        """Note the functions of a term."""
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Application):
                self.use_function(part.function)
                waiting += part.arguments

    def use_function(self, function: Function) -> None:
        """Note a function, if it is not of the text."""
        if function not in self.functions and function not in self.declared:
            self.functions[function] = None
            self.use_sort(function.sort)
            for sort in function.arguments:
                self.use_sort(sort)

    def use_sort(self, sort: str) -> None:
        """Note a sort, and how its values are built."""
        if sort in self.sorts:
            return
        self.sorts[sort] = None
        if sort == "Bool":
            self.functions.update({TRUE.function: None, FALSE.function: None})
        elif sort in NUMBERS:
            for constructor in NUMBERS[sort].constructors:
                self.use_function(constructor)
        elif is_list(sort):
            self.use_sort(element_of(sort))
            for constructor in list_constructors(sort):
                self.use_function(constructor)

    def complete(self) -> None:
        """Make the rules of everything that is used, and of what they use."""
        done = 0
        while done < len(self.functions):
            functions = list(self.functions)[done:]
            done += len(functions)
            for function in functions:
                if function.constructor:
                    continue
                for left, right, condition in self._equations(function):
                    self.rules.append(Rule(left, right, _NO_PLACE, condition))
                    for term in (left, right, condition):
                        if term is not None:
                            self.use(term)

    def _equations(self, function: Function) -> Equations:
        name = function.name
        if name in ("<", "<=", ">", ">="):
            return comparisons.order(function, self.structures)
        if name == "@rank":
            return comparisons.rank(function, self.structures)
        if not function.arguments:
            return numbers.value(function)
        return _DEFINED[name](function)

    @property
    def numbers(self) -> dict[str, Numbers]:
        """The sorts of numbers that are used."""
        return {sort: NUMBERS[sort] for sort in self.sorts if sort in NUMBERS}

    @property
    def lists(self) -> dict[str, tuple[Function, Function]]:
        """The sorts of lists that are used, with their constructors."""
        return {sort: list_constructors(sort) for sort in self.sorts if is_list(sort)}

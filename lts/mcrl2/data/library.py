"""Collects the predefined sorts and functions that a specification uses, and makes their rules.

Only what is used gets rules, so that a small text remains a small specification.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from lts.mcrl2.data import (
    bags,
    booleans,
    comparisons,
    functions,
    large_sets,
    lists,
    numbers,
    reals,
    sets,
)
from lts.mcrl2.data.equations import Equations
from lts.mcrl2.data.finite import Values, table_constructor
from lts.mcrl2.data.functions import Closure
from lts.mcrl2.data.sort_names import (
    element_of,
    is_bag,
    is_function,
    is_identity,
    is_list,
    is_set,
    signature,
)
from lts.mcrl2.data.symbols import (
    FALSE,
    RATIO,
    TRUE,
    bag_constructors,
    constructors_of,
    list_constructors,
    numbers_of,
    set_constructors,
)
from lts.specification.specification import Numbers, Rule
from lts.specification.terms import NUMERAL, Application, Function, Term
from lts.text.source import NO_PLACE

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
    "tail": lists.of_lists, "rhead": lists.of_lists, "rtail": lists.of_lists, "@keep": sets.of_sets,
    "@lowest": reals.lowest_terms, "@over": reals.lowest_terms, "@gcd": reals.lowest_terms,
    "Pos2Real": reals.casts, "Nat2Real": reals.casts, "Int2Real": reals.casts,
    "Real2Pos": reals.casts, "Real2Nat": reals.casts, "Real2Int": reals.casts,
    "sqrt": numbers.square_root, "@root": numbers.square_root, "@equals_zero": numbers.internal,
    "@not_equals_zero": numbers.internal, "@equals_one": numbers.internal,
    "@natpred": numbers.internal, "@pospred": numbers.internal, "@redfrac": reals.internal,
    "@redfracwhr": reals.internal, "@redfrachlp": reals.internal,
    "@put": bags.of_bags, "count": bags.of_bags, "Bag2Set": bags.of_bags, "Set2Bag": bags.of_bags,
}  # fmt: skip
_COMPUTED = frozenset(
    ("+", "-", "*", "/", "abs", "succ", "pred", "exp", "floor", "ceil", "round")
)  # fmt: skip
"""Names of operations on real numbers that other sorts have as well."""
_OF_SETS_AND_BAGS = frozenset(("<", "<=", "+", "-", "*", "in", "#", "pick"))


class Library:
    """The predefined functions that a specification uses, and everything needed to define them.

    `declared` are the functions of the text, `structures` the constructors of its structured sorts,
    `values` the values of all of its sorts, and `closures` the functions used as values.
    """

    def __init__(
        self,
        declared: Mapping[Function, object],
        structures: Mapping[str, tuple[Function, ...]],
        values: Values,
        closures: Mapping[Function, Closure],
    ) -> None:
        self.declared = declared
        self.structures = structures
        self.values = values
        self.closures = closures
        self.sorts: dict[str, None] = {}
        self.functions: dict[Function, None] = {}
        self.rules: list[Rule] = []
        self.large: set[str] = set()
        """The sorts of sets that may be infinite."""
        self._seen: dict[int, Application] = {}
        """The subterms whose functions are recorded, by identity."""
        self.use_sort("Bool")

    def use(self, term: Term) -> None:
        """Record the functions in a term."""
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Application) and id(part) not in self._seen:
                self._seen[id(part)] = part
                self.use_function(part.function)
                waiting += part.arguments

    def use_function(self, function: Function) -> None:
        """Record a function, unless the text declares it."""
        if is_identity(function.sort) and function.native == NUMERAL:
            # An identity is represented by its number: no equation makes it the successor of
            # another.
            self.use_sort(function.sort)
        elif function not in self.functions and function not in self.declared:
            self.functions[function] = None
            for sort in (function.sort, *function.arguments):
                self.use_sort(sort)

    def use_sort(self, sort: str) -> None:
        """Record a sort with the sorts that it is composed of, and their constructors."""
        waiting = [sort]
        while waiting:
            sort = waiting.pop()
            if sort in self.sorts:
                continue
            self.sorts[sort] = None
            for constructor in self._built_by(sort):
                self.functions.setdefault(constructor)
                waiting += reversed(constructor.arguments)
            if sort == "Real":
                self.use_function(RATIO)
            elif is_function(sort):
                arguments, result = signature(sort)
                waiting += (result, *reversed(arguments))
                if len(arguments) == 1 and self.values.arguments(sort) is not None:
                    # From these functions a symmetry finds that such a value is an array indexed by
                    # the argument.
                    self.use_function(functions.read(sort))
                    self.use_function(functions.changed(sort))

    def _built_by(self, sort: str) -> tuple[Function, ...]:
        """Return the constructors of a sort that the text does not declare."""
        if sort == "Bool":
            return TRUE.function, FALSE.function
        numbers = numbers_of(sort)
        if numbers is not None:
            return numbers.constructors
        if is_function(sort):
            table = self.values.arguments(sort)
            return () if table is None else (table_constructor(sort, table),)
        return constructors_of(sort)

    def complete(self) -> None:
        """Make the rules of everything used, and of what these rules use in turn."""
        self.large = {f.sort for f in (*self.functions, *self.closures) if self._is_large(f)}
        done = 0
        while done < len(self.functions):
            functions = list(self.functions)[done:]
            done += len(functions)
            for function in functions:
                if function.constructor and function.name != "@insert":
                    continue
                for left, right, condition in self._equations(function):
                    self.rules.append(Rule(left, right, NO_PLACE, condition))
                    for term in (left, right, condition):
                        if term is not None:
                            self.use(term)

    def _is_large(self, function: Function) -> bool:
        """Whether a function makes sets that may be infinite."""
        if not is_set(function.sort):
            return False
        is_complement = function.name == "@complement"
        few = is_complement and self.values.all(element_of(function.sort)) is not None
        return (is_complement and not few) or function in self.closures

    def _equations(self, function: Function) -> Equations:
        name, sort = function.name, function.arguments[-1] if function.arguments else ""
        is_large = is_set(sort) and name in large_sets.STANDING
        if function in self.closures or function == RATIO or is_large:
            return iter(())
        if name == "@complement":
            few = self.values.all(element_of(sort))
            if few is not None:
                return large_sets.complement_of_few(function, few)
            return large_sets.of_large_sets(function, self.closures)
        if name == "@insert":
            return sets.inserted(function) if is_set(sort) else bags.inserted(function)
        if name in ("==", "!=") and sort in self.large:
            return large_sets.equal(function)
        if name == "!=" and sort in self.values.compared:
            return comparisons.different(function)
        if name in ("@apply", "@update"):
            return functions.defined(function, self.values, self.closures)
        if name in _OF_SETS_AND_BAGS and (is_set(sort) or is_bag(sort)):
            if is_bag(sort):
                return bags.of_bags(function)
            large = large_sets.of_large_sets(function, self.closures)
            return chain(large if sort in self.large else (), sets.of_sets(function))
        if name in ("<", "<=", ">", ">="):
            return comparisons.order(function, self.structures)
        if name in ("@before", "@rank"):
            constructors = self._constructors(sort)
            if name == "@rank":
                return comparisons.rank(function, constructors)
            return comparisons.order_of_all(function, constructors)
        if not function.arguments:
            return numbers.value(function)
        if function.arguments[0] == "Real" and name in _COMPUTED:
            return reals.computed(function)
        return _DEFINED[name](function)

    def _constructors(self, sort: str) -> tuple[Function, ...]:
        """Return the constructors of a sort, for its order."""
        return self._built_by(sort) or self.values.constructors.get(sort, ())

    @property
    def numbers(self) -> dict[str, Numbers]:
        """The sorts of numbers that are used."""
        found = {sort: numbers_of(sort) for sort in self.sorts}
        return {sort: numbers for sort, numbers in found.items() if numbers is not None}

    @property
    def fractions(self) -> Function | None:
        """The function that builds fractions; None if there are no real numbers."""
        return RATIO if "Real" in self.sorts else None

    @property
    def lists(self) -> dict[str, tuple[Function, Function]]:
        """The sorts of lists that are used, with their constructors."""
        return {sort: list_constructors(sort) for sort in self.sorts if is_list(sort)}

    @property
    def sets(self) -> dict[str, tuple[Function, Function]]:
        """The sorts of sets that are used, with their constructors."""
        return {sort: set_constructors(sort) for sort in self.sorts if is_set(sort)}

    @property
    def bags(self) -> dict[str, tuple[Function, Function]]:
        """The sorts of bags that are used, with their constructors."""
        return {sort: bag_constructors(sort) for sort in self.sorts if is_bag(sort)}

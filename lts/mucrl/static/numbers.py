"""Numbers of the library: which functions on them are computed instead of rewritten.

Nothing is trusted by its name: numbers are numerals only if all that is said of them is what the
library says. Then its rules are what makes `plus` a sum, and computing the sum is only faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from lts.mucrl.static.declarations import Declarations
from lts.mucrl.text.directives import library_file
from lts.specification.specification import Numbers, Rule
from lts.specification.terms import NUMERAL, Application, Function, Term, applications, numeral
from lts.text.names import Name
from lts.text.source import Source

__all__ = ["is_of_numbers", "library_numbers", "number_called"]

_NAT = ("Nat", "Nat")
_OPERATIONS: Mapping[tuple[str, tuple[str, ...]], str] = {
    ("pred", ("Nat",)): "predecessor",
    ("plus", _NAT): "add",
    ("minus", _NAT): "monus",
    ("times", _NAT): "multiply",
    ("div", _NAT): "div",
    ("mod", _NAT): "mod",
    ("min", _NAT): "minimum",
    ("max", _NAT): "maximum",
    ("eq", _NAT): "equal",
    ("lt", _NAT): "less",
    ("le", _NAT): "less_or_equal",
    ("gt", _NAT): "greater",
    ("ge", _NAT): "greater_or_equal",
}
_FILES = (library_file("Nat"), library_file("Bool"))
_ZERO = Function("0", (), "Nat", constructor=True)
_SUCCESSOR = Function("S", ("Nat",), "Nat", constructor=True)


_MOST = 1000
"""The greatest number whose successors are written out."""

_TOO_LARGE = f"above {_MOST}, numbers take the library's `Nat` without more equations"


def _are_included(declared: Declarations) -> bool:
    """Whether the library declares numbers."""
    sort = declared.sorts.get("Nat")
    return sort is not None and declared.tree.source.origin(sort.place[0]).of_library


def is_of_numbers(source: Source, rule: Rule) -> bool:
    """Whether a rule is one of the library's for numbers, or the truth values that these need."""
    origin = source.origin(rule.place[0])
    return origin.of_library and origin.file in _FILES


def library_numbers(
    declared: Declarations, functions: Sequence[Function], rules: Sequence[Rule]
) -> tuple[dict[str, Numbers], tuple[Function, ...], tuple[Rule, ...]]:
    """Return the sorts of numbers, functions with what is computed of them, and the rules.

    There are numbers if the library declares them, and no other rule is about what makes them, or a
    function that the library defines on them or uses for that. Elsewhere numerals are the
    successors that they stand for.
    """
    source = declared.tree.source
    if not _are_included(declared):
        return {}, tuple(functions), tuple(rules)
    own = {rule.left.function for rule in rules if is_of_numbers(source, rule)}
    made = {f for f in functions if f.sort == "Nat" and f.constructor}
    if (
        not made >= {_ZERO, _SUCCESSOR}
        or any(rule.left.function in made for rule in rules)
        or any(rule.left.function in own and not is_of_numbers(source, rule) for rule in rules)
    ):
        written = [replace(r, left=_expanded(r.left), right=_expanded(r.right)) for r in rules]
        for rule in written:
            sides = (part for side in (rule.left, rule.right) for part, _ in applications(side))
            if any(part.function.native == NUMERAL for part in sides):
                declared.error(_TOO_LARGE, rule.place)
        return {}, tuple(functions), tuple(written)
    computed = {
        f: replace(f, native=_OPERATIONS[f.name, f.arguments])
        for f in functions
        if f in own and (f.name, f.arguments) in _OPERATIONS
    }
    numbers = {"Nat": Numbers("Nat", (_ZERO, _SUCCESSOR))}
    return numbers, tuple(computed.get(f, f) for f in functions), tuple(rules)


T = TypeVar("T", bound=Term)


def _expanded(term: T) -> T:
    """Return a term with successors in place of numerals; those that are too large stay."""
    done: list[Term] = []
    waiting: list[tuple[Term, bool]] = [(term, False)]
    while waiting:
        part, visited = waiting.pop()
        if not isinstance(part, Application):
            done.append(part)
        elif visited:
            count = len(part.arguments)
            arguments = tuple(done[len(done) - count :])
            del done[len(done) - count :]
            done.append(Application(part.function, arguments))
        elif not part.arguments:
            done.append(successors(part))
        else:
            waiting.append((part, True))
            waiting += [(argument, False) for argument in reversed(part.arguments)]
    return cast(T, done[0])


def number_called(
    name: Name, declared: Declarations, numbers: Mapping[str, Numbers] | None
) -> Application | None:
    """Return the number of the library that a name is, if it is one.

    `numbers` is None before it is known whether they are numerals.
    """
    number = numeral(name) if _are_included(declared) else None
    if number is None or numbers:
        return number
    if numbers is not None:
        number = successors(number)
        if number.function.native:
            declared.error(_TOO_LARGE, name.place)
    return number


def successors(constant: Application) -> Application:
    """Return what a numeral stands for; another constant, or too large a number, is itself."""
    if constant.function.native != NUMERAL or int(constant.function.name) > _MOST:
        return constant
    term = Application(_ZERO)
    for _ in range(int(constant.function.name)):
        term = Application(_SUCCESSOR, (term,))
    return term

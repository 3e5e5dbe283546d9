"""The library's numbers: which functions on them are computed instead of rewritten.

No function is recognised by its name alone: numerals are numbers only if all rules for them and for
the functions on them are the library's. Then these rules define `plus` as addition, and computing
the sum is only a faster way to apply them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from lts.base.bounds import SUCCESSORS
from lts.mucrl.static.declarations import Declarations
from lts.mucrl.text.directives import library_file
from lts.specification.specification import Numbers, Rule
from lts.specification.terms import NUMERAL, Application, Function, Term, applications, numeral
from lts.text.names import Name
from lts.text.source import NO_PLACE, Source

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


def _too_large() -> str:
    return f"numbers above {SUCCESSORS.default} need the library's `Nat` without further equations"


def _are_included(declared: Declarations) -> bool:
    """Whether numbers of the library are included."""
    sort = declared.sorts.get("Nat")
    return sort is not None and declared.tree.source.origin(sort.place[0]).of_library


def is_of_numbers(source: Source, rule: Rule) -> bool:
    """Whether a rule belongs to the library's numbers, or to the Booleans that they include."""
    if rule.place == NO_PLACE:
        return False
    origin = source.origin(rule.place[0])
    return origin.of_library and origin.file in _FILES


def library_numbers(
    declared: Declarations, functions: Sequence[Function], rules: Sequence[Rule]
) -> tuple[dict[str, Numbers], tuple[Function, ...], tuple[Rule, ...]]:
    """Return the sorts of numbers, the functions with their built-in operations, and the rules.

    There are numbers if the library's are included and no other rule defines their constructors, or
    a function that the library's rules for numbers define. Otherwise numerals in the rules are
    expanded to successors.
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
                declared.error(_too_large(), rule.place)
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
    """Return a term with numerals expanded to successors; numerals that are too large remain."""
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
    """Return the number of the library that a name denotes, or None.

    `numbers` is None while it is not known yet whether numerals are numbers.
    """
    number = numeral(name) if _are_included(declared) else None
    if number is None or numbers:
        return number
    if numbers is not None:
        number = successors(number)
        if number.function.native:
            declared.error(_too_large(), name.place)
    return number


def successors(constant: Application) -> Application:
    """Return the expansion of a numeral; other constants and too large numerals are unchanged."""
    if constant.function.native != NUMERAL or int(constant.function.name) > SUCCESSORS.default:
        return constant
    term = Application(_ZERO)
    for _ in range(int(constant.function.name)):
        term = Application(_SUCCESSOR, (term,))
    return term

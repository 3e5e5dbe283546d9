"""Arrays, maps and sets of the library, and which of their functions commute with permutations.

A permutation g of the index sort moves an array f of the library's unit `Array` index by index:
`(g f)(g d) = g (f(d))`. An array is a sequence, a place for each number, that has one filling from
some place on; it is one term only, since the last item is never the filling. The indices are
constants with different numbers. So g f is the sequence whose item at `number(g d)` is the image
of f's at `number(d)`, all others in their places, and this is an action of the group: `(gh) f` and
`g (h f)` have the same items, and so are the same term. Then

- `get`, `set`, `if` and the constructor that fills commute with g, since they are about single
  places, or all alike, and normal forms are unique;
- `eq` is that of the elements for all places and for the fillings, or T for equal terms: it
  commutes if that of the elements does.

A set of the unit `Set` is such an array of truth values filled with F. What the unit defines is
about one place (`contains`, `put`, `insert`, `remove`), about each place alike (`union`,
`intersection`, `difference`, `subset`, `eq`, `if`), or about how many places there are (`is_empty`,
`size`), and commutes. A map of the unit `Map` is one that is filled with nothing: `contains` and
`remove` are about one place, `get` of nothing has no value, and two of nothing are equal.

All of this holds for the library's own rules, so a sort with others for these functions is none of
these; and where numbers or truth values move, nothing of it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lts.errors import LtsError
from lts.mucrl.linear import LinearProcess
from lts.mucrl.reader import read_text
from lts.mucrl.specification import Application, Function, Rule, Specification
from lts.mucrl.terms import applications

__all__ = ["Indexed", "library_arrays"]

_INSIDE = {
    *("get_at", "set_at", "contains_at", "put_at", "remove_at"),
    *("item", "in", "out", "some", "none"),
}
"""What the units keep to themselves."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """A sort of arrays of the library: what it holds, and for each function that commutes those
    that have to, too."""

    element: str
    commuting: Mapping[Function, Sequence[Function]]


def library_arrays(
    process: LinearProcess,
    arrays: Mapping[str, Function],
    moved: Sequence[str],
    evaluate: Callable[[Application], Application | None],
) -> dict[str, Indexed]:
    """Return those sorts of arrays that are the library's; `arrays` has the maps that read them.

    `moved` are the sorts that are permuted; `evaluate` returns the value of a closed term.
    """
    specification = process.specification
    rules: dict[Function, list[Rule]] = {}
    for rule in [*specification.rules, *process.rules]:
        rules.setdefault(rule.left.function, []).append(rule)
    found = {}
    for sort, get in arrays.items():
        index = get.arguments[1]
        if not _are_numbered(process, index, moved, evaluate):
            continue
        constructors = {f for f in specification.functions if f.constructor and f.sort == sort}
        of_element = Function("eq", (get.sort, get.sort), specification.true.sort)
        pair = f"of {index}, {get.sort}"
        for unit in (f"Array {pair}", f"Map {pair}", f"Set of {index}"):
            own = _unit(unit, sort, index, get.sort)
            declared = {f for f in _declared(unit, sort, index, get.sort) if f.constructor}
            same = all(rules.get(function) == made for function, made in own.items())
            if get not in own or not same or not constructors <= declared:
                continue
            commuting: dict[Function, Sequence[Function]] = {}
            for function in [*own, *constructors]:
                if sort in (function.sort, *function.arguments) and function.name not in _INSIDE:
                    compares = function.name == "eq" and not unit.startswith("Set")
                    commuting[function] = [of_element] if compares else []
            found[sort] = Indexed(get.sort, commuting)
    return found


@cache
def _specification(unit: str, sort: str, index: str, element: str) -> Specification | None:
    """Return a specification of nothing but a unit of the library; None if there is none."""
    others = dict.fromkeys(s for s in (index, element) if s not in ("Nat", "Bool"))
    lines = ["%@ include Nat"]
    for number, other in enumerate(others):
        lines += [f"sort {other} func _value{number}: -> {other}"]
        lines += [f"map number: {other} -> Nat eq: {other}#{other} -> Bool"]
    try:
        return read_text("\n".join([*lines, f"%@ include {unit} as {sort}", "init delta"]))
    except LtsError:
        return None


def _declared(unit: str, sort: str, index: str, element: str) -> list[Function]:
    found = _specification(unit, sort, index, element)
    return [] if found is None else list(found.functions)


@cache
def _unit(unit: str, sort: str, index: str, element: str) -> dict[Function, list[Rule]]:
    """Return the functions of a unit, and those that they come to, with their rules."""
    found = _specification(unit, sort, index, element)
    if found is None:
        return {}
    rules: dict[Function, list[Rule]] = {}
    for rule in found.rules:
        rules.setdefault(rule.left.function, []).append(rule)
    waiting = [f for f in rules if sort in (f.sort, *f.arguments)]
    own: dict[Function, list[Rule]] = {}
    while waiting:
        function = waiting.pop()
        if function in rules and function not in own:
            own[function] = rules[function]
            for rule in rules[function]:
                waiting += (part.function for part, _ in applications(rule.right))
    return own


def _are_numbered(
    process: LinearProcess,
    index: str,
    moved: Sequence[str],
    evaluate: Callable[[Application], Application | None],
) -> bool:
    """Whether the values of a sort are constants with different numbers, and those stay."""
    specification = process.specification
    number = Function("number", (index,), "Nat")
    values = [f for f in specification.functions if f.constructor and f.sort == index]
    declared = number in specification.functions
    if not declared or "Nat" in moved or any(f.arguments for f in values):
        return False
    numbers = [evaluate(Application(number, (Application(f),))) for f in values]
    return None not in numbers and len(set(map(str, numbers))) == len(numbers)

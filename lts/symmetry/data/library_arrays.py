"""Arrays, maps and sets of the library, and which of their functions commute with permutations.

A permutation g of the index sort acts on an array f of the library's unit `Array` index by index:
`(g f)(g d) = g (f(d))`. An array is a sequence with one place for each number; from some place on,
all places have the same filling. Each array is represented by exactly one term, since the last item
is never the filling. The indices are constants with different numbers. So g f is the sequence whose
item at `number(g d)` is the image of f's item at `number(d)`, with all other items unmoved. This is
a group action: `(gh) f` and `g (h f)` have the same items and hence are the same term. Therefore

- `get`, `set`, `if` and the constructor that fills commute with g, since they are about single
  places or treat all places alike, and normal forms are unique;
- `eq` compares the elements at all places and the fillings, or is T for equal terms: it commutes
  if `eq` of the elements commutes and is T for equal terms, too.

A set of the unit `Set` is such an array of truth values filled with F. The functions of the unit
concern one place (`contains`, `put`, `insert`, `remove`), treat all places alike (`union`,
`intersection`, `difference`, `subset`, `eq`, `if`), or count places (`is_empty`, `size`), and so
commute. A map of the unit `Map` is an array filled with `none`: `contains` and `remove` concern one
place, `get` of `none` has no value, and two `none` are equal.

This argument is about the library's own text, so no function is trusted because of its name: every
function that can be applied to such values must be the library's. Every function that the unit
defines or uses, including its constructors and those of numbers and truth values, must have exactly
the rules of the library; no other function may construct values of the sort; and different indices
must have different numbers. The latter includes constants without rules, which may be values
although no sum ranges over them. If numbers or truth values are permuted, the argument does not
apply.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lts.errors import LtsError
from lts.linear.process import LinearProcess
from lts.mucrl.reader import read_text
from lts.specification.specification import Application, Function, Rule, Variable
from lts.specification.terms import functions_in
from lts.symmetry.data.proof.matching import overlap

__all__ = ["Indexed", "library_arrays"]

_INSIDE = {
    *("get_at", "set_at", "contains_at", "put_at", "remove_at"),
    *("item", "in", "out", "some", "none"),
}
"""Functions internal to the units."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """A sort of arrays of the library: its element sort and its commuting functions, each with the
    functions that must commute for it to do so."""

    element: str
    commuting: Mapping[Function, Sequence[Function]]


def library_arrays(
    process: LinearProcess,
    arrays: Mapping[str, Function],
    moved: Collection[str],
    evaluate: Callable[[Application], Application | None],
) -> dict[str, Indexed]:
    """Return the sorts of arrays that are the library's; `arrays` has the maps that read them.

    `moved` are the sorts that are permuted; `evaluate` returns the value of a closed term.
    """
    specification = process.specification
    if "Nat" in moved or specification.true.sort in moved:
        return {}
    rules = _by_function([*specification.rules, *process.rules])
    found = {}
    for sort, get in arrays.items():
        index = get.arguments[1]
        if not _are_numbered(process, index, evaluate):
            continue
        made = {f for f in specification.functions if f.sort == sort and _makes_values(f, rules)}
        of_element = Function("eq", (get.sort, get.sort), specification.true.sort)
        pair = f"of {index}, {get.sort}"
        for name in (f"Array {pair}", f"Map {pair}", f"Set of {index}"):
            unit = _unit(name, sort, index, get.sort)
            if unit is None or not unit.touching.issuperset({get, *made}):
                continue
            if any(rules.get(f, []) != own for f, own in unit.rules.items()):
                continue
            commuting: dict[Function, Sequence[Function]] = {}
            for function in unit.touching:
                compares = function.name == "eq" and not name.startswith("Set")
                if function.name in _INSIDE:
                    continue
                if compares and not _is_reflexive(rules.get(of_element, []), specification.true):
                    continue
                commuting[function] = [of_element] if compares else []
            found[sort] = Indexed(get.sort, commuting)
    return found


def _by_function(rules: Sequence[Rule]) -> dict[Function, list[Rule]]:
    found: dict[Function, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.left.function, []).append(rule)
    return found


def _makes_values(function: Function, rules: Mapping[Function, Sequence[Rule]]) -> bool:
    """Whether a function occurs in values: it is a constructor, or a constant without rules."""
    return function.constructor or not (function.arguments or function in rules)


def _is_reflexive(rules: Sequence[Rule], true: Application) -> bool:
    """Whether the first rule for an equality that can match equal terms matches all pairs of equal
    terms and rewrites them to true."""
    for rule in rules:
        left, right = rule.left.arguments
        if overlap(left, right):
            fits_all = isinstance(left, Variable) and left == right
            return fits_all and (rule.condition, rule.right) == (None, true)
    return False


@dataclass(frozen=True, slots=True)
class _Unit:
    """A unit of the library: its functions from or to the sort, and the rules (possibly none) of
    all functions used to evaluate them."""

    touching: frozenset[Function]
    rules: Mapping[Function, Sequence[Rule]]


@cache
def _unit(unit: str, sort: str, index: str, element: str) -> _Unit | None:
    """Return a unit of the library; None if it does not have these sorts."""
    others = dict.fromkeys(s for s in (index, element) if s not in ("Nat", "Bool"))
    lines = ["%@ include Nat"]
    for number, other in enumerate(others):
        lines += [f"sort {other} func _value{number}: -> {other}"]
        lines += [f"map number: {other} -> Nat eq: {other}#{other} -> Bool"]
    try:
        found = read_text("\n".join([*lines, f"%@ include {unit} as {sort}", "init delta"]))
    except LtsError:
        return None
    rules = _by_function(found.rules)
    functions = {f for f in found.functions if others.keys().isdisjoint((f.sort, *f.arguments[:1]))}
    touching = {f for f in found.functions if sort in (f.sort, *f.arguments)}
    # Include constructors that occur in no rule of the unit.
    own = {f: rules.get(f, []) for f in functions if f.constructor}
    waiting = [*touching]
    while waiting:
        function = waiting.pop()
        if function not in own and (function in functions or function in touching):
            own[function] = rules.get(function, [])
            for rule in own[function]:
                waiting += functions_in([rule.left, *rule.results])
    return _Unit(frozenset(touching), own)


def _are_numbered(
    process: LinearProcess,
    index: str,
    evaluate: Callable[[Application], Application | None],
) -> bool:
    """Whether the values of a sort are constants with different numbers."""
    specification = process.specification
    number = Function("number", (index,), "Nat")
    rules = _by_function(specification.rules)
    of_index = [f for f in specification.functions if f.sort == index]
    values = [f for f in of_index if _makes_values(f, rules)]
    if number not in specification.functions or any(f.arguments or f in rules for f in values):
        return False
    numbers = [evaluate(Application(number, (Application(f),))) for f in values]
    return None not in numbers and len(set(map(str, numbers))) == len(numbers)

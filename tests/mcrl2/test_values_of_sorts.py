"""Which sorts have few values, an order, functions in them: against counts of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from math import inf, prod
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from lowered import lowered
from lts.base.bounds import ENUMERATED_VALUES
from lts.mcrl2.data import finite
from lts.mcrl2.data.finite import Values
from lts.mcrl2.data.sort_names import element_of, function_sort, is_function, signature
from lts.mcrl2.data.symbols import constructors_of
from lts.specification.terms import Application, Function

_NAMES = ("A", "B", "C", "Open")
_MOST, _MOST_ARGUMENTS = 20, 4
Sorts = Mapping[str, tuple[Function, ...]]
"""The constructors of each sort; `Open` has none."""


def _sorts() -> st.SearchStrategy[str]:
    # The last two have too many values, or too many arguments for a table of results.
    many = ["Set(Set(Set(Bool)))", function_sort(["Bool"] * 3, "Bool")]
    simple = st.sampled_from(["Bool", "Bool", "Nat", "Pos", "Real", *_NAMES, *many])
    return st.recursive(
        simple,
        lambda inner: (
            st.builds("{}({})".format, st.sampled_from(["Set", "Set", "List", "Bag"]), inner)
            | st.builds(function_sort, st.lists(inner, min_size=1, max_size=2), inner)
        ),
        max_leaves=3,
    )


@st.composite
def _declared(draw: st.DrawFn) -> tuple[Sorts, frozenset[str]]:
    """Draw sorts, and the names of the constructors that have equations."""
    found: dict[str, tuple[Function, ...]] = {"Open": ()}
    for number, sort in enumerate(_NAMES[:-1]):
        # Mostly of sorts before, else too few are finite.
        before = ["Bool", "Bool", "Set(Set(Bool))", *_NAMES[:number]]
        parts = st.sampled_from(before) | _sorts()
        rows = draw(st.lists(st.lists(parts, max_size=2), min_size=1, max_size=3))
        found[sort] = tuple(
            Function(f"{sort.lower()}{at}", tuple(row), sort, constructor=True)
            for at, row in enumerate(rows)
        )
    names = [f.name for own in found.values() for f in own]
    rewritten = st.just(frozenset[str]()) | st.frozensets(st.sampled_from(names), max_size=1)
    return found, draw(rewritten)


class _Counted:
    """How many values a sort has, as far as they are listed: none if there are too many."""

    def __init__(self, sorts: Sorts, rewritten: frozenset[str]) -> None:
        self.sorts, self.rewritten = sorts, rewritten
        self.seen: Counter[str] = Counter()

    def count(self, sort: str, above: tuple[str, ...] = ()) -> float:
        if sort == "Bool":
            return 2
        if sort in above:
            return inf
        above += (sort,)
        found: float = inf
        if sort.startswith("Set("):
            found = 2 ** self.count(element_of(sort), above)
        elif is_function(sort):
            sorts, result = signature(sort)
            arguments = prod(self.count(one, above) for one in sorts)
            if arguments <= _MOST_ARGUMENTS:
                found = self.count(result, above) ** arguments
            elif arguments < inf:
                self.seen["many arguments"] += 1
        elif self.sorts.get(sort) and self.rewritten.isdisjoint(f.name for f in self.sorts[sort]):
            rows = [
                [self.count(argument, above) for argument in f.arguments] for f in self.sorts[sort]
            ]
            found = sum(inf if inf in row else prod(row) for row in rows)
        if _MOST < found < inf:
            self.seen["many"] += 1
        return found if found <= _MOST else inf

    def parts(self, sort: str) -> set[str]:
        """Return a sort with all that its name or its constructors say, and what these do."""
        found: set[str] = set()
        waiting = [sort]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                if is_function(one):
                    sorts, result = signature(one)
                    waiting += [*sorts, result]
                elif one.endswith(")"):
                    waiting.append(element_of(one))
                waiting += chain.from_iterable(f.arguments for f in self.sorts.get(one, ()))
        return found

    def has_table(self, sort: str) -> bool:
        return prod(self.count(one) for one in signature(sort)[0]) <= _MOST_ARGUMENTS


def _are_well_made(sorts: Sorts, values: tuple[Application, ...], sort: str) -> bool:
    """Whether terms have a sort, and so have all of their parts."""
    for value in values:
        made = value.function
        known = [*sorts.get(sort, ()), *constructors_of(sort)]
        fits = made in known or made.name == "@table" or made.sort == "Bool"
        if value.sort != sort or not fits:
            return False
        for part, own in zip(value.arguments, made.arguments, strict=True):
            if not isinstance(part, Application) or not _are_well_made(sorts, (part,), own):
                return False
    return True


def test_sorts_of_few_values_are_listed() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=300)
    @given(_declared(), _sorts())
    def compare(declared: tuple[Sorts, frozenset[str]], asked: str) -> None:
        sorts, rewritten = declared
        values, counted = Values(rewritten), _Counted(sorts, rewritten)
        values.constructors.update(sorts)
        for sort in (asked, *_NAMES):
            found, count = values.all(sort), counted.count(sort)
            if found is None:
                assert count == inf
                continue
            seen["listed"] += 1
            assert len(set(found)) == len(found) == count
            assert _are_well_made(sorts, found, sort)
        seen.update(counted.seen.keys())

    few_arguments = patch.object(finite, "MOST_ARGUMENTS", _MOST_ARGUMENTS)
    with lowered(ENUMERATED_VALUES, _MOST), few_arguments:
        compare()
    assert min(seen[kind] for kind in ("listed", "many", "many arguments")) > 15, seen


@given(_sorts(), st.lists(_sorts(), min_size=1, max_size=3))
def test_signature_inverts_function_sort(result: str, arguments: list[str]) -> None:
    assert signature(function_sort(arguments, result)) == (tuple(arguments), result)


def test_sort_properties_match_enumeration() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=300)
    @given(_declared(), _sorts())
    def compare(declared: tuple[Sorts, frozenset[str]], sort: str) -> None:
        sorts, rewritten = declared
        values, counted = Values(rewritten), _Counted(sorts, rewritten)
        values.constructors.update(sorts)
        parts = counted.parts(sort)
        assert values.reached(sort) == parts
        closures = {part for part in parts if is_function(part) and not counted.has_table(part)}
        assert values.is_ordered(sort) == (not closures and "Open" not in parts)
        assert values.is_endless(sort) == bool(closures)
        assert values.is_infinite(sort) == _is_infinite(counted, sort)
        if values.is_infinite(sort):
            seen["infinite"] += 1
        elif counted.count(sort) == inf:
            seen["not listed"] += 1
        seen["ordered"] += values.is_ordered(sort)
        seen["endless"] += values.is_endless(sort)

    few_arguments = patch.object(finite, "MOST_ARGUMENTS", _MOST_ARGUMENTS)
    with lowered(ENUMERATED_VALUES, _MOST), few_arguments:
        compare()
    assert min(seen[kind] for kind in ("infinite", "not listed", "ordered", "endless")) > 15, seen


def _is_infinite(counted: _Counted, sort: str) -> bool:
    """Whether there are values of every size: numbers, rows of values, or values in others of
    their own sort, none of which an equation makes another."""
    own, waiting = set[str](), [sort]
    inside: dict[str, set[str]] = {}
    while waiting:
        one = waiting.pop()
        if one in ("Nat", "Pos", "Real") or one.startswith(("List(", "Bag(")):
            return True
        if one in own:
            continue
        own.add(one)
        inside[one] = {element_of(one)} if one.startswith("Set(") else set()
        for f in counted.sorts.get(one, ()):
            if f.name not in counted.rewritten:
                inside[one].update(f.arguments)
        waiting += inside[one]
    for _ in own:
        for one in own:
            inside[one] |= set().union(*(inside.get(part, set()) for part in inside[one]))
    return any(one in inside[one] for one in own)

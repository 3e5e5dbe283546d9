"""Polymorphic functions: those of every sort, and those on lists, sets and bags."""

from __future__ import annotations

from collections.abc import Callable

from lts.mcrl2.data.bags import put
from lts.mcrl2.data.large_sets import complement
from lts.mcrl2.data.sort_names import (
    container_of,
    element_of,
    is_bag,
    is_container,
    is_list,
    is_set,
)
from lts.mcrl2.data.symbols import (
    bag_constructors,
    constructors_of,
    function,
    list_constructors,
)
from lts.mcrl2.static.options import ANY, Choice, Typing, unified
from lts.specification.terms import Application, Term

__all__ = ["POLYMORPHIC", "Make", "counted", "listed"]

Make = Callable[[str, tuple[Term, ...]], Term]
Parts = tuple[Typing, ...]
Of = Callable[[str], bool]

_SIZES = {"Pos": 1, "Nat": 2, "Int": 3, "Real": 4}
"""The sorts of numbers in increasing order."""


def _make(name: str) -> Make:
    def make(sort: str, terms: tuple[Term, ...]) -> Term:
        return Application(function(name, tuple([term.sort for term in terms]), sort), terms)

    return make


def _cons(sort: str, terms: tuple[Term, ...]) -> Term:
    return Application(list_constructors(sort)[1], terms)


def _common(one: Typing, other: Typing) -> list[tuple[str, int]]:
    """Return the sorts that both expressions may have, with the costs."""
    found = []
    for sort, choice in one.options.items():
        for other_sort, rest in other.options.items():
            common = unified(sort, other_sort)
            if common is not None:
                found.append((common, choice.cost + rest.cost))
    return found


def _lists(elements: Typing, lists: Typing, of: Of = is_list) -> list[tuple[str, int]]:
    """Return the sorts of lists for `lists` whose elements may be `elements`, with the costs."""
    found = []
    for sort, choice in lists.options.items():
        if not of(sort):
            continue
        for element, rest in elements.options.items():
            common = unified(sort, container_of(sort, element))
            if common is not None:
                found.append((common, choice.cost + rest.cost))
    return found


def _of_lists(lists: Typing, of: Of = is_list) -> list[tuple[str, int]]:
    return [(sort, choice.cost) for sort, choice in lists.options.items() if of(sort)]


def _is_set_or_bag(sort: str) -> bool:
    return is_set(sort) or is_bag(sort)


def _compared(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in sorted(_common(*parts), key=lambda pair: _SIZES.get(pair[0], 0)):
        # The order of numbers is the same in all their sorts, so it is not ambiguous.
        shown = "" if ANY in sort or sort in _SIZES else f"{name}:{sort}#{sort}->Bool"
        typing.offer("Bool", Choice(cost, _make(name), parts, (sort, sort), shown=shown))


def _if(name: str, typing: Typing, parts: Parts) -> None:
    cost_of_condition = parts[0].cost("Bool")
    if cost_of_condition is None:
        return
    for sort, cost in _common(parts[1], parts[2]):
        choice = Choice(cost + cost_of_condition, _make(name), parts, ("Bool", sort, sort))
        typing.offer(sort, choice)


def _in_front(_: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _lists(parts[0], parts[1]):
        typing.offer(sort, Choice(cost, _cons, parts, (element_of(sort), sort)))


def _at_end(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _lists(parts[1], parts[0]):
        typing.offer(sort, Choice(cost, _make(name), parts, (sort, element_of(sort))))


def _concatenated(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _common(*parts):
        if is_list(sort):
            typing.offer(sort, Choice(cost, _make(name), parts, (sort, sort)))


def _in(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _lists(parts[0], parts[1], is_container):
        typing.offer("Bool", Choice(cost, _make(name), parts, (element_of(sort), sort)))


def _length(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _of_lists(parts[0], is_container):
        typing.offer("Nat", Choice(cost, _make(name), parts, (sort,)))


def _element(name: str, typing: Typing, parts: Parts) -> None:
    cost_of_index = parts[1].cost("Nat")
    if cost_of_index is None:
        return
    for sort, cost in _of_lists(parts[0]):
        choice = Choice(cost + cost_of_index, _make(name), parts, (sort, "Nat"))
        typing.offer(element_of(sort), choice)


def _end(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _of_lists(parts[0]):
        typing.offer(element_of(sort), Choice(cost, _make(name), parts, (sort,)))


def _picked(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _of_lists(parts[0], _is_set_or_bag):
        typing.offer(element_of(sort), Choice(cost, _make(name), parts, (sort,)))


def _rest(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _of_lists(parts[0]):
        typing.offer(sort, Choice(cost, _make(name), parts, (sort,)))


def _of_two_sets(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _common(*parts):
        if _is_set_or_bag(sort):
            typing.offer(sort, Choice(cost, _make(name), parts, (sort, sort)))


def _complement(_: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _of_lists(parts[0], is_set):
        choice = Choice(cost, lambda _, terms: complement(terms[0]), parts, (sort,))
        typing.offer(sort, choice)


def _count(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _lists(parts[0], parts[1], is_bag):
        typing.offer("Nat", Choice(cost, _make(name), parts, (element_of(sort), sort)))


def _set_of_bag(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _of_lists(parts[0], is_bag):
        made = f"Set({element_of(sort)})"
        typing.offer(made, Choice(cost, _make(name), parts, (sort,)))


def _bag_of_set(name: str, typing: Typing, parts: Parts) -> None:
    for sort, cost in _of_lists(parts[0], is_set):
        made = f"Bag({element_of(sort)})"
        typing.offer(made, Choice(cost, _make(name), parts, (sort,)))


POLYMORPHIC: dict[tuple[str, int], Callable[[str, Typing, Parts], None]] = {
    ("==", 2): _compared, ("!=", 2): _compared, ("<", 2): _compared, ("<=", 2): _compared,
    (">", 2): _compared, (">=", 2): _compared, ("if", 3): _if, ("|>", 2): _in_front,
    ("<|", 2): _at_end, ("++", 2): _concatenated, ("in", 2): _in, ("#", 1): _length,
    (".", 2): _element, ("head", 1): _end, ("rhead", 1): _end, ("tail", 1): _rest,
    ("rtail", 1): _rest, ("+", 2): _of_two_sets, ("-", 2): _of_two_sets, ("*", 2): _of_two_sets,
    ("!", 1): _complement, ("count", 2): _count, ("Bag2Set", 1): _set_of_bag,
    ("Set2Bag", 1): _bag_of_set, ("pick", 1): _picked,
}  # fmt: skip
"""Functions that offer the options of an application, by name and number of arguments."""


def _common_of_all(parts: Parts) -> list[tuple[str, int]]:
    """Return the sorts that all expressions may have, with the costs."""
    sorts = {ANY: 0}
    for part in parts:
        common: dict[str, int] = {}
        for sort, cost in sorts.items():
            for other_sort, choice in part.options.items():
                both = unified(sort, other_sort)
                if both is not None:
                    total = cost + choice.cost
                    common[both] = min(total, common.get(both, total))
        sorts = common
    return list(sorts.items())


def listed(kind: str, typing: Typing, parts: Parts) -> None:
    """Offer the options of a list or set enumeration."""

    def make(sort: str, terms: tuple[Term, ...]) -> Term:
        nil, cons = constructors_of(sort)
        result = Application(nil)
        for term in reversed(terms):
            result = Application(cons, (term, result))
        return result

    for sort, cost in _common_of_all(parts):
        choice = Choice(cost, make, parts, (sort,) * len(parts))
        typing.offer(f"{kind}({sort})", choice)


def counted(typing: Typing, elements: Parts, counts: Parts) -> None:
    """Offer the options of a bag enumeration."""

    def make(sort: str, terms: tuple[Term, ...]) -> Term:
        result: Term = Application(bag_constructors(sort)[0])
        for element, count in zip(terms[: len(elements)], terms[len(elements) :], strict=True):
            result = put(element, count, result)
        return result

    cost_of_counts = [count.cost("Nat") for count in counts]
    known = [cost for cost in cost_of_counts if cost is not None]
    if len(known) == len(counts):
        for sort, cost in _common_of_all(elements):
            sorts = (sort,) * len(elements) + ("Nat",) * len(counts)
            choice = Choice(cost + sum(known), make, (*elements, *counts), sorts)
            typing.offer(f"Bag({sort})", choice)

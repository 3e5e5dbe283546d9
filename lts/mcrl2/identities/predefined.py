"""How predefined functions treat numbers, by name: whether they pass them on, or compute with them.

A function that is not listed counts. So a forgotten function can only make counts of identities,
never identities of counts.
"""

from __future__ import annotations

from collections.abc import Callable

from lts.mcrl2.data.sort_names import is_bag, is_list, is_set
from lts.mcrl2.data.symbols import WIDER
from lts.mcrl2.identities.classes import Leaf, Node, Tree, tree, unify
from lts.specification.terms import Function

__all__ = ["computed_with", "counted", "unify_arguments"]

_SIGNS = {
    "@of": "used as an `Int`", "Pos2Nat": "used as a `Nat`", "@ratio": "used as a `Real`",
    "@succ": "compared with a positive number", "@minus": "negated",
    "-": "subtracted", "+": "added", "*": "multiplied",
}  # fmt: skip


def counted(function: Function) -> str:
    """Return in words what a function does with a number, so that it counts."""
    return _SIGNS.get(function.name, f"computed with by `{function.name}`")


def unify_arguments(function: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    """Unify what a function passes on or compares; return the trees that it computes with."""
    rule = _RULES.get(function.name)
    if rule is None:
        return [*arguments, result]
    return rule(function, arguments, result)


def computed_with(function: Function) -> list[str]:
    """Return the sorts of the arguments and the result of a predefined function that it computes
    with, instead of passing their values on or comparing them for equality."""
    sorts = (*function.arguments, function.sort)
    trees = [*map(tree, sorts)]
    computed = unify_arguments(function, tuple(trees[:-1]), trees[-1])
    return [sort for sort, of in zip(sorts, trees, strict=True) if of in computed]


_Rule = Callable[[Function, tuple[Tree, ...], Tree], list[Tree]]


def _inside(of: Tree) -> Tree:
    """Return the tree of a list's, set's or bag's elements."""
    assert isinstance(of, Node)
    return of.parts[0]


def _is_collection(sort: str) -> bool:
    return is_set(sort) or is_bag(sort)


def _same(*trees: Tree) -> list[Tree]:
    for inferred in trees[1:]:
        unify(trees[0], inferred)
    return []


def _compared(_: Function, arguments: tuple[Tree, ...], __: Tree) -> list[Tree]:
    return _same(*arguments)


def _ordered(function: Function, arguments: tuple[Tree, ...], _: Tree) -> list[Tree]:
    # On sets and bags the order is inclusion, which does not depend on an order of the elements.
    _same(*arguments)
    return [] if _is_collection(function.arguments[0]) else [*arguments]


def _chosen(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    return _same(result, *arguments[1:])


def _empty(_: Function, __: tuple[Tree, ...], ___: Tree) -> list[Tree]:
    return []


def _in_front(function: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    _same(result, arguments[-1])
    _same(_inside(result), arguments[0])
    return [*arguments[1:-1]]


def _at_end(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    _same(result, arguments[0])
    return _same(_inside(result), arguments[1])


def _joined(function: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    if not (is_list(function.sort) or _is_collection(function.sort)):
        return [*arguments, result]
    return _same(result, *arguments)


def _is_in(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    _same(arguments[0], _inside(arguments[1]))
    return [result]


def _length(_: Function, __: tuple[Tree, ...], result: Tree) -> list[Tree]:
    return [result]


def _element(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    _same(result, _inside(arguments[0]))
    return [*arguments[1:]]


def _of_others(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    return _same(_inside(arguments[0]), _inside(result))


def _conditional_element(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    _same(arguments[2], result)
    return _same(_inside(result), arguments[1])


def _put(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    _same(arguments[2], result)
    _same(_inside(result), arguments[0])
    return [arguments[1]]


def _applied(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    function, *given = arguments
    assert isinstance(function, Node)
    for part, other in zip(function.parts, (*given, result), strict=True):
        unify(part, other)
    return []


def _updated(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    function, *given = arguments
    assert isinstance(function, Node)
    for part, other in zip(function.parts, given, strict=True):
        unify(part, other)
    return _same(function, result)


def _table(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    assert isinstance(result, Node)
    return _same(result.parts[-1], *arguments)


def _widened(_: Function, arguments: tuple[Tree, ...], result: Tree) -> list[Tree]:
    [argument] = arguments
    if isinstance(argument, Leaf) and isinstance(result, Leaf):
        unify(argument, result)
        return []
    return [argument, result]


_RULES: dict[str, _Rule] = {
    "==": _compared, "!=": _compared, "<": _ordered, "<=": _ordered, ">": _ordered,
    ">=": _ordered, "if": _chosen, "[]": _empty, "{}": _empty, "{:}": _empty, "|>": _in_front,
    "@insert": _in_front, "<|": _at_end, "++": _joined, "+": _joined, "-": _joined, "*": _joined,
    "in": _is_in, "#": _length, "count": lambda f, a, r: _is_in(f, a, r), ".": _element,
    "head": _element, "rhead": _element, "tail": _joined, "rtail": _joined,
    "@complement": _joined, "Bag2Set": _of_others, "Set2Bag": _of_others,
    "@keep": _conditional_element, "@put": _put, "@apply": _applied, "@update": _updated,
    "@table": _table,
    **dict.fromkeys((function.name for function in WIDER), _widened),
}  # fmt: skip

"""Classes of occurrences of numbers: values that are passed on or compared are in one class.

A sort is represented as a *tree*: a leaf for each number sort in it, inner nodes for containers and
functions, and the names of other sorts. Two trees of one sort are unified leaf by leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lts.mcrl2.data.sort_names import (
    container_of,
    element_of,
    function_sort,
    is_container,
    is_function,
    signature,
)
from lts.text.source import Place

__all__ = ["Leaf", "Node", "Tree", "leaves", "sort_of", "tree", "unify"]

_NUMBERS = ("Pos", "Nat", "Int")


@dataclass(eq=False, slots=True)
class Leaf:
    """An occurrence of a number sort; as root of a union-find tree over `above`, a class of them.

    `kind` is its sort in the text, `kinds` are those of the class, and `literals` the numbers
    written in the text, with places. `positions` are its names in the text, the best for naming it
    first. `count` is the reason why it is not an identity, with the place; `is_ranged` says whether
    a quantifier or sum ranges over it. `name` is its new sort.
    """

    kind: str
    kinds: set[str] = field(init=False)
    above: Leaf | None = None
    positions: list[tuple[tuple[int, int], str]] = field(default_factory=list)
    literals: dict[int, Place] = field(default_factory=dict)
    count: tuple[str, Place | None] | None = None
    is_ranged: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        self.kinds = {self.kind}

    @property
    def top(self) -> Leaf:
        """The root of the class."""
        leaf = self
        while leaf.above is not None:
            leaf = leaf.above
        if leaf is not self:
            self.above = leaf
        return leaf


@dataclass(frozen=True, slots=True)
class Node:
    """A list, set, bag or function sort; `of` is its name in the text."""

    of: str
    parts: tuple[Tree, ...]


Tree = Leaf | Node | str


def tree(sort: str) -> Tree:
    """Return the tree of a sort, with fresh leaves."""
    if sort in _NUMBERS:
        return Leaf(sort)
    if is_container(sort):
        return Node(sort, (tree(element_of(sort)),))
    if is_function(sort):
        arguments, result = signature(sort)
        return Node(sort, tuple(map(tree, (*arguments, result))))
    return sort


def leaves(of: Tree) -> Iterator[Leaf]:
    """Yield the leaves of a tree."""
    if isinstance(of, Leaf):
        yield of
    elif isinstance(of, Node):
        for part in of.parts:
            yield from leaves(part)


def unify(one: Tree, other: Tree) -> None:
    """Unify two trees of one sort."""
    if isinstance(one, Leaf) and isinstance(other, Leaf):
        _join(one.top, other.top)
    elif isinstance(one, Node) and isinstance(other, Node):
        for left, right in zip(one.parts, other.parts, strict=True):
            unify(left, right)


def _join(one: Leaf, other: Leaf) -> None:
    if one is other:
        return
    other.above = one
    one.kinds |= other.kinds
    one.positions += other.positions
    for number, place in other.literals.items():
        one.literals.setdefault(number, place)
    one.count = one.count or other.count
    one.is_ranged = one.is_ranged or other.is_ranged


def sort_of(of: Tree) -> str:
    """Return the sort that a tree represents, where named classes are sorts."""
    if isinstance(of, Leaf):
        return of.top.name or of.kind
    if isinstance(of, str):
        return of
    sorts = [sort_of(part) for part in of.parts]
    if is_container(of.of):
        return container_of(of.of, sorts[0])
    return function_sort(sorts[:-1], sorts[-1])

"""Classes of the places of numbers: what is passed on or compared is of one class.

A sort is a *tree*: a leaf for each sort of numbers in it, the sorts of lists and functions above
them, and names of other sorts. Trees of one sort are made one leaf by leaf.
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
    """A place of numbers, or, at the end of `above`, a class of them.

    `kind` is its sort in the text, `kinds` are those of a class, and `literals` its numbers there.
    `positions` are what the text has of it, what names it best first. `count` says why it is no
    identity, with the place, and `is_ranged` that something is said of all its values. `name` is
    what it becomes as a sort.
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
        """The class."""
        leaf = self
        while leaf.above is not None:
            leaf = leaf.above
        if leaf is not self:
            self.above = leaf
        return leaf


@dataclass(frozen=True, slots=True)
class Node:
    """A sort of lists, sets, bags or functions: `of` is its name in the text."""

    of: str
    parts: tuple[Tree, ...]


Tree = Leaf | Node | str


def tree(sort: str) -> Tree:
    """Return a tree of a sort, with new leaves."""
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
    """Make two trees of one sort the same."""
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
    """Return the sort of a tree where classes with names are sorts."""
    if isinstance(of, Leaf):
        return of.top.name or of.kind
    if isinstance(of, str):
        return of
    sorts = [sort_of(part) for part in of.parts]
    if is_container(of.of):
        return container_of(of.of, sorts[0])
    return function_sort(sorts[:-1], sorts[-1])

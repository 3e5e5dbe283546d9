"""Sorts that are made of others, by their names: `Set(D)`, `(A#B->C)`.

A sort of functions stands in parentheses, so that the first letters tell what a sort is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

__all__ = [
    "container_of", "element_of", "function_sort", "is_bag", "is_container", "is_function",
    "is_identity", "is_list", "is_set", "list_of", "signature",
]  # fmt: skip


def is_list(sort: str) -> bool:
    """Whether a sort is one of lists."""
    return sort.startswith("List(")


def is_set(sort: str) -> bool:
    """Whether a sort is one of sets."""
    return sort.startswith("Set(")


def is_bag(sort: str) -> bool:
    """Whether a sort is one of bags."""
    return sort.startswith("Bag(")


def is_container(sort: str) -> bool:
    """Whether a sort is one of lists, sets or bags."""
    return sort.startswith(("List(", "Set(", "Bag("))


def is_identity(sort: str) -> bool:
    """Whether a sort is one of identities: a name with a dot, `P.id`, which no other name has."""
    return "." in sort and sort.translate(_IN_NAMES).isidentifier()


_IN_NAMES = str.maketrans(".'", "__")


def element_of(sort: str) -> str:
    """Return the sort of the elements of lists, sets or bags of a sort."""
    return sort[sort.index("(") + 1 : -1]


def container_of(sort: str, element: str) -> str:
    """Return the sort of lists, sets or bags, like a sort of them, with other elements."""
    return f"{sort[: sort.index('(')]}({element})"


def list_of(sort: str) -> str:
    """Return the sort of lists of elements of a sort."""
    return f"List({sort})"


def is_function(sort: str) -> bool:
    """Whether a sort is one of functions."""
    return sort.startswith("(")


def function_sort(arguments: Iterable[str], result: str) -> str:
    """Return the sort of functions of these sorts."""
    return f"({'#'.join(arguments)}->{result})"


@cache
def signature(sort: str) -> tuple[tuple[str, ...], str]:
    """Return the sorts of the arguments of a sort of functions, and that of the result."""
    arguments: list[str] = []
    depth, start = 0, 1
    for at in range(1, len(sort) - 1):
        letter = sort[at]
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif depth == 0 and letter == "#":
            arguments.append(sort[start:at])
            start = at + 1
        elif depth == 0 and letter == "-":
            arguments.append(sort[start:at])
            return tuple(arguments), sort[at + 2 : -1]
    raise AssertionError(sort)

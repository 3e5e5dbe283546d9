"""Names of composed sorts: `Set(D)`, `(A#B->C)`.

A sort of functions is parenthesised, so that the first letters determine the kind of a sort.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

__all__ = [
    "container_of", "element_of", "function_sort", "is_bag", "is_container", "is_function",
    "is_identity", "is_list", "is_set", "list_of", "signature",
]  # fmt: skip


def is_list(sort: str) -> bool:
    """Whether a sort is one of lists, `List(D)`."""
    return sort.startswith("List(")


def is_set(sort: str) -> bool:
    """Whether a sort is one of sets, `Set(D)`."""
    return sort.startswith("Set(")


def is_bag(sort: str) -> bool:
    """Whether a sort is one of bags, `Bag(D)`."""
    return sort.startswith("Bag(")


def is_container(sort: str) -> bool:
    """Whether a sort is one of lists, sets or bags."""
    return sort.startswith(("List(", "Set(", "Bag("))


def is_identity(sort: str) -> bool:
    """Whether a sort is one of identities: only their names contain a dot, as in `P.id`."""
    return "." in sort and sort.translate(_IN_NAMES).isidentifier()


_IN_NAMES = str.maketrans(".'", "__")


def element_of(sort: str) -> str:
    """Return the sort of the elements of a list, set or bag sort."""
    return sort[sort.index("(") + 1 : -1]


def container_of(sort: str, element: str) -> str:
    """Return the list, set or bag sort of the same kind with other elements."""
    return f"{sort[: sort.index('(')]}({element})"


def list_of(sort: str) -> str:
    """Return the sort of lists over an element sort."""
    return f"List({sort})"


def is_function(sort: str) -> bool:
    """Whether a sort is one of functions, `(D->E)`."""
    return sort.startswith("(")


def function_sort(arguments: Iterable[str], result: str) -> str:
    """Return the sort of functions from `arguments` to `result`."""
    return f"({'#'.join(arguments)}->{result})"


@cache
def signature(sort: str) -> tuple[tuple[str, ...], str]:
    """Return the argument sorts and the result sort of a sort of functions."""
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

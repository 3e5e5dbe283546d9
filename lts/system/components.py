"""Strongly connected components of small graphs (Tarjan), in a module that imports no large
package."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

__all__ = ["strong_components"]

_Node = TypeVar("_Node", bound=Hashable)


def strong_components(graph: Mapping[_Node, Iterable[_Node]]) -> Iterator[list[_Node]]:
    """Yield the strongly connected components of a graph, given the successors of each node.

    Components come after those that they lead to (Tarjan's algorithm, without recursion).
    """
    order: dict[_Node, int] = {}
    lowest: dict[_Node, int] = {}
    open_ones: list[_Node] = []
    is_open: set[_Node] = set()
    for root in graph:
        if root in order:
            continue
        path = [(root, iter(graph[root]))]
        order[root] = lowest[root] = len(order)
        open_ones.append(root)
        is_open.add(root)
        while path:
            name, successors = path[-1]
            for other in successors:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    open_ones.append(other)
                    is_open.add(other)
                    path.append((other, iter(graph[other])))
                    break
                if other in is_open:
                    lowest[name] = min(lowest[name], order[other])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[name])
                if lowest[name] == order[name]:
                    members = []
                    while True:
                        member = open_ones.pop()
                        is_open.discard(member)
                        members.append(member)
                        if member == name:
                            break
                    yield members

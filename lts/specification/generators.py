"""Recursion as deep as the data, without the interpreter's stack."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

__all__ = ["Recursion", "run"]

R = TypeVar("R")
Recursion = Generator[Any, Any, R]
"""A recursive function as a generator: it yields the calls it makes and is sent their results."""


def run(call: Recursion[R]) -> R:
    """Return the result of a recursive function that is written as a generator."""
    calls: list[Recursion[Any]] = [call]
    result: Any = None
    while True:
        try:
            calls.append(calls[-1].send(result))
            result = None
        except StopIteration as done:
            calls.pop()
            result = done.value
            if not calls:
                break
    found: R = result
    return found

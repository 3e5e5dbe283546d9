"""Recursion as deep as the data, without Python's call stack."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

__all__ = ["Recursion", "run"]

R = TypeVar("R")
Recursion = Generator[Any, Any, R]
"""A recursive function written as a generator: it yields its calls and is sent their results."""


def run(call: Recursion[R]) -> R:
    """Run a recursive function that is written as a generator, and return its result."""
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

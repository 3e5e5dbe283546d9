"""Equations written in Python: `f(x, y)` for terms, tuples for rules."""

from __future__ import annotations

from collections.abc import Iterator

from lts.specification.terms import Application, Function, Term, Variable

__all__ = ["Equation", "Equations", "ap", "eq", "variables"]

Equation = tuple[Application, Term, Term | None]
"""Left side, right side, and condition."""
Equations = Iterator[Equation]


def ap(function: Function, *arguments: Term) -> Application:
    """Apply a function to terms."""
    return Application(function, arguments)


def eq(left: Application, right: Term, condition: Term | None = None) -> Equation:
    """Return `condition -> left = right`."""
    return left, right, condition


def variables(names: str, sort: str) -> list[Variable]:
    """Return variables of a sort, whose names are separated by blanks."""
    return [Variable(name, sort) for name in names.split()]

"""Equations as Python says them: `f(x, y)` for terms, pairs for rules."""

from __future__ import annotations

from collections.abc import Iterator

from lts.specification.terms import Application, Function, Term, Variable

__all__ = ["Equation", "Equations", "ap", "eq", "variables"]

Equation = tuple[Application, Term, Term | None]
"""The left side, the right side, and the condition."""
Equations = Iterator[Equation]


def ap(function: Function, *arguments: Term) -> Application:
    """Return a function applied to terms."""
    return Application(function, arguments)


def eq(left: Application, right: Term, condition: Term | None = None) -> Equation:
    """Return `condition -> left = right`."""
    return left, right, condition


def variables(names: str, sort: str) -> list[Variable]:
    """Return variables of a sort, from their names with blanks between them."""
    return [Variable(name, sort) for name in names.split()]

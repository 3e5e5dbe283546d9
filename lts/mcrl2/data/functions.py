"""Functions as values: application and update.

A function with a small domain is represented by the table of its results. Any other function is a
closure, made by `lambda` or from a name, possibly with updates for some arguments, the smallest
innermost; an update that changes nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lts.mcrl2.data.comparisons import before, same
from lts.mcrl2.data.equations import Equations, ap, eq, variables
from lts.mcrl2.data.finite import Values, table_constructor
from lts.mcrl2.data.sort_names import signature
from lts.mcrl2.data.symbols import function
from lts.specification.notation import Notation
from lts.specification.terms import VALUE, Application, Function, Term, Variable

__all__ = ["Closure", "applied", "changed", "defined", "read", "updated"]


@dataclass(frozen=True, slots=True)
class Closure:
    """A closure: its symbol takes the `captured` variables as arguments."""

    captured: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    body: Term


def applied(f: Term, arguments: tuple[Term, ...]) -> Application:
    """Return the application of a function value to arguments."""
    return Application(read(f.sort), (f, *arguments))


def updated(f: Term, argument: Term, value: Term) -> Application:
    """Return a function value updated at an argument."""
    return Application(changed(f.sort), (f, argument, value))


def read(sort: str) -> Function:
    """Return the function that applies function values of a sort."""
    sorts, result = signature(sort)
    return function("@apply", (sort, *sorts), result)


def changed(sort: str) -> Function:
    """Return the function that updates function values with one argument."""
    sorts, result = signature(sort)
    shown = Notation(("", "[", " -> ", "]"))
    return Function("@update", (sort, *sorts, result), sort, native=VALUE, notation=shown)


def defined(f: Function, values: Values, closures: Mapping[Function, Closure]) -> Equations:
    """Define `@apply` or `@update`."""
    sort = f.arguments[0]
    arguments = values.arguments(sort)
    if arguments is not None:
        yield from _table(f, arguments)
        return
    sorts, result = signature(sort)
    g = Variable("f", sort)
    x, w = variables("x w", sorts[0])
    y, z = variables("y z", result)
    if f.name == "@apply":
        if len(sorts) == 1:
            change = updated(g, x, y)
            yield eq(ap(f, change, x), y)
            yield eq(ap(f, change, w), ap(f, g, w))
        for symbol, closure in closures.items():
            if symbol.sort == sort:
                made = ap(symbol, *closure.captured)
                yield eq(ap(f, made, *closure.variables), closure.body)
        return
    yield eq(ap(f, ap(f, g, x, y), x, z), ap(f, g, x, z))
    yield eq(ap(f, ap(f, g, x, y), w, z), ap(f, ap(f, g, w, z), x, y), before(w, x))
    yield eq(ap(f, g, x, y), g, same(applied(g, (x,)), y))


def _table(f: Function, arguments: tuple[tuple[Application, ...], ...]) -> Equations:
    sort = f.arguments[0]
    result = signature(sort)[1]
    results = [Variable(f"y{i}", result) for i in range(len(arguments))]
    make = table_constructor(sort, arguments)
    table = ap(make, *results)
    z = Variable("z", result)
    for place, given in enumerate(arguments):
        if f.name == "@apply":
            yield eq(ap(f, table, *given), results[place])
        else:
            changed = ap(make, *results[:place], z, *results[place + 1 :])
            yield eq(ap(f, table, *given, z), changed)

"""Functions as values: applied and changed in one place.

A function whose arguments have few values is the table of its results. Any other is what `lambda`
or its name makes of it (a closure), changed for some arguments, the smallest inside; a change to
what was there before is none.
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
    """What a function that is a value does; `captured` are its arguments as a symbol."""

    captured: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    body: Term


def applied(f: Term, arguments: tuple[Term, ...]) -> Application:
    """Return a function that is a value applied to arguments."""
    return Application(read(f.sort), (f, *arguments))


def updated(f: Term, argument: Term, value: Term) -> Application:
    """Return a function with another result for an argument."""
    return Application(changed(f.sort), (f, argument, value))


def read(sort: str) -> Function:
    """Return what applies functions of a sort."""
    sorts, result = signature(sort)
    return function("@apply", (sort, *sorts), result)


def changed(sort: str) -> Function:
    """Return what gives functions of one argument another result for an argument."""
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

"""An arbitrary closed term of each sort."""

from __future__ import annotations

from collections.abc import Iterable

from lts.mcrl2.data.functions import Closure
from lts.mcrl2.data.sort_names import is_container, is_function, signature
from lts.mcrl2.data.symbols import TRUE, constructors_of, is_number, numeral
from lts.specification.terms import Application, Function, Term, Variable, functions_in

__all__ = ["a_value", "closed_terms", "constant_functions"]

_CONSTANT = "@constant"
"""The name of a function that maps everything to the same value."""


def a_value(sort: str, values: dict[str, Application]) -> Application | None:
    """Return a closed term of a sort; `values` has those of the sorts in the text."""
    if sort == "Bool":
        return TRUE
    if is_number(sort):
        return numeral(1 if sort == "Pos" else 0, sort)
    if is_container(sort):
        return Application(constructors_of(sort)[0])
    if is_function(sort):
        has_value = a_value(signature(sort)[1], values) is not None
        return Application(Function(_CONSTANT, (), sort)) if has_value else None
    return values.get(sort)


def constant_functions(term: Term, values: dict[str, Application]) -> dict[Function, Closure]:
    """Return the functions in a value of `a_value`, which map everything to the same value."""
    found: dict[Function, Closure] = {}
    waiting = [term]
    while waiting:
        for function in functions_in([waiting.pop()]):
            if function.name == _CONSTANT and function not in found:
                sorts, result = signature(function.sort)
                body = a_value(result, values)
                assert body is not None
                variables = tuple([Variable(f"x{i}", sort) for i, sort in enumerate(sorts)])
                found[function] = Closure((), variables, body)
                waiting.append(body)
    return found


def closed_terms(functions: Iterable[Function]) -> dict[str, Application]:
    """Return a closed term of each sort that has one: of constructors, else a constant."""
    functions = list(functions)
    values: dict[str, Application] = {}
    waiting = [function for function in functions if function.constructor]
    while True:
        left = []
        for function in waiting:
            if function.sort in values:
                continue
            found = [a_value(sort, values) for sort in function.arguments]
            arguments = tuple(term for term in found if term is not None)
            if len(arguments) == len(found):
                values[function.sort] = Application(function, arguments)
            else:
                left.append(function)
        if len(left) == len(waiting):
            break
        waiting = left
    for function in functions:
        if not function.arguments and function.sort not in values:
            values[function.sort] = Application(function)
    return values

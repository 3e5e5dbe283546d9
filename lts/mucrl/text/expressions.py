"""Expressions in directives: integer arithmetic over parameters and loop variables."""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache

from lts.base.bounds import DIRECTIVE_VALUE

Value = int | str | tuple[str, ...]
"""The value of a name in `@{..}`: a number, a name of the language, or several names."""

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def evaluate(expression: str, variables: Mapping[str, Value]) -> int | str:
    """Return the value of an expression; raise `ValueError` if it has none."""

    def known(name: str) -> Value:
        if name not in variables:
            listed = ", ".join(variables) or "none"
            raise ValueError(f"`{name}` is not a parameter or loop variable (known: {listed})")
        return variables[name]

    def number(node: ast.expr) -> int:
        found = value(node)
        if isinstance(found, str):
            raise ValueError(f"`{expression}` calculates with a name")
        return found

    def power(base: int, exponent: int) -> int:
        if exponent < 0:
            raise ValueError(f"`{expression}` has a negative exponent")
        # Other powers of larger numbers would be too large, and take long to compute.
        is_large = abs(base) > DIRECTIVE_VALUE.default or exponent > 60
        if exponent > 1 and abs(base) > 1 and is_large:
            raise ValueError(f"`{expression}` is too large")
        found: int = base**exponent
        return found

    def value(node: ast.expr) -> int | str:
        match node:
            case ast.Constant(int() as constant) if not isinstance(constant, bool):
                return constant
            case ast.Name(name):
                found = known(name)
                return len(found) if isinstance(found, tuple) else found
            case ast.Subscript(ast.Name(name), index):
                names, place = known(name), number(index)
                if not isinstance(names, tuple) or not 1 <= place <= len(names):
                    raise ValueError(f"there is no `{name}[{place}]`")
                return names[place - 1]
            case ast.BinOp(left, ast.Pow(), right):
                return power(number(left), number(right))
            case ast.BinOp(left, operation, right) if type(operation) in _OPERATORS:
                if isinstance(operation, ast.FloorDiv | ast.Mod) and number(right) == 0:
                    raise ValueError(f"division by zero in `{expression}`")
                return _OPERATORS[type(operation)](number(left), number(right))
            case ast.UnaryOp(ast.USub(), operand):
                return -number(operand)
        raise ValueError(f"`{expression}` is not an integer expression")

    try:
        found = value(_parsed(expression))
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"`{expression}` is not an integer expression") from None
    if isinstance(found, int) and abs(found) > DIRECTIVE_VALUE.default:
        raise ValueError(f"`{expression}` is too large")
    return found


@lru_cache(maxsize=1024)
def _parsed(expression: str) -> ast.expr:
    # A loop evaluates the same few expressions again and again.
    with warnings.catch_warnings():
        # Python's warnings about the expression's syntax do not concern the user.
        warnings.simplefilter("ignore")
        return ast.parse(expression.strip(), mode="eval").body

"""The rules of the logical operators."""

from __future__ import annotations

from lts.mcrl2.data.equations import Equations, ap, eq
from lts.mcrl2.data.symbols import FALSE, TRUE, function
from lts.specification.terms import Function, Variable

__all__ = ["logical"]


def logical(f: Function) -> Equations:
    """Define `!`, `&&`, `||` and `=>`."""
    b = Variable("b", "Bool")
    match f.name:
        case "!":
            yield eq(ap(f, TRUE), FALSE)
            yield eq(ap(f, FALSE), TRUE)
            yield eq(ap(f, ap(f, b)), b)
        case "&&":
            yield eq(ap(f, TRUE, b), b)
            yield eq(ap(f, b, TRUE), b)
            yield eq(ap(f, FALSE, b), FALSE)
            yield eq(ap(f, b, FALSE), FALSE)
        case "||":
            yield eq(ap(f, FALSE, b), b)
            yield eq(ap(f, b, FALSE), b)
            yield eq(ap(f, TRUE, b), TRUE)
            yield eq(ap(f, b, TRUE), TRUE)
        case "=>":
            yield eq(ap(f, TRUE, b), b)
            yield eq(ap(f, FALSE, b), TRUE)
            yield eq(ap(f, b, TRUE), TRUE)
            yield eq(ap(f, b, FALSE), ap(function("!", ("Bool",), "Bool"), b))

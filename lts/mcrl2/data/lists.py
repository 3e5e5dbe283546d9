"""The rules of lists (mCRL2 language reference, "Lists")."""

from __future__ import annotations

from lts.mcrl2.data.equations import Equations, ap, eq, variables
from lts.mcrl2.data.sort_names import element_of
from lts.mcrl2.data.symbols import FALSE, SUCC_NAT, ZERO, function, list_constructors
from lts.specification.terms import Function, Variable

__all__ = ["of_lists"]


def of_lists(f: Function) -> Equations:
    """Define a function on lists; `head`, `rhead`, .. of the empty list have no value."""
    sort = f.arguments[1] if f.name == "in" else f.arguments[0]
    nil, cons = list_constructors(sort)
    empty = ap(nil)
    d, e = variables("d e", element_of(sort))
    s, t = variables("s t", sort)
    n = Variable("n", "Nat")
    front = ap(cons, d, s)
    match f.name:
        case "in":
            equal = function("==", (d.sort, d.sort), "Bool")
            either = function("||", ("Bool", "Bool"), "Bool")
            yield eq(ap(f, d, empty), FALSE)
            yield eq(ap(f, e, front), ap(either, ap(equal, e, d), ap(f, e, s)))
        case "#":
            yield eq(ap(f, empty), ap(ZERO))
            yield eq(ap(f, front), ap(SUCC_NAT, ap(f, s)))
        case "<|":
            yield eq(ap(f, empty, e), ap(cons, e, empty))
            yield eq(ap(f, front, e), ap(cons, d, ap(f, s, e)))
        case "++":
            yield eq(ap(f, empty, t), t)
            yield eq(ap(f, t, empty), t)
            yield eq(ap(f, front, t), ap(cons, d, ap(f, s, t)))
        case ".":
            yield eq(ap(f, front, ap(ZERO)), d)
            yield eq(ap(f, front, ap(SUCC_NAT, n)), ap(f, s, n))
        case "head":
            yield eq(ap(f, front), d)
        case "tail":
            yield eq(ap(f, front), s)
        case "rhead":
            yield eq(ap(f, ap(cons, d, empty)), d)
            yield eq(ap(f, ap(cons, d, ap(cons, e, s))), ap(f, ap(cons, e, s)))
        case "rtail":
            yield eq(ap(f, ap(cons, d, empty)), empty)
            yield eq(ap(f, ap(cons, d, ap(cons, e, s))), ap(cons, d, ap(f, ap(cons, e, s))))

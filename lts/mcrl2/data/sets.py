"""The rules of finite sets (mCRL2 language reference, "Sets and bags").

A set is the list of its elements in increasing order: `@insert` puts an element in its place, or
drops it if it is present already.
"""

from __future__ import annotations

from lts.mcrl2.data.comparisons import before, not_, same
from lts.mcrl2.data.equations import Equations, ap, eq, variables
from lts.mcrl2.data.sort_names import element_of
from lts.mcrl2.data.symbols import FALSE, SUCC_NAT, TRUE, ZERO, function, set_constructors
from lts.specification.terms import Function, Variable

__all__ = ["inserted", "of_sets"]


def inserted(insert: Function) -> Equations:
    """Define `@insert`, which orders the elements."""
    sort = insert.sort
    d, e = variables("d e", element_of(sort))
    s = Variable("s", sort)
    behind = ap(insert, d, ap(insert, e, s))
    yield eq(ap(insert, d, ap(insert, d, s)), ap(insert, d, s))
    yield eq(behind, ap(insert, e, ap(insert, d, s)), before(e, d))


def of_sets(f: Function) -> Equations:
    """Define a function on sets."""
    sort = f.arguments[-1]
    if f.name == "@keep":
        sort = f.sort
    nil, insert = set_constructors(sort)
    empty = ap(nil)
    d, e = variables("d e", element_of(sort))
    s, t = variables("s t", sort)
    front = ap(insert, d, s)
    both = function("&&", ("Bool", "Bool"), "Bool")
    either = function("||", ("Bool", "Bool"), "Bool")
    has = function("in", (d.sort, sort), "Bool")
    match f.name:
        case "in":
            yield eq(ap(f, d, empty), FALSE)
            yield eq(ap(f, e, front), ap(either, same(e, d), ap(f, e, s)))
        case "#":
            yield eq(ap(f, empty), ap(ZERO))
            yield eq(ap(f, front), ap(SUCC_NAT, ap(f, s)))
        case "pick":
            yield eq(ap(f, front), d)
        case "+":
            yield eq(ap(f, empty, t), t)
            yield eq(ap(f, t, empty), t)
            yield eq(ap(f, front, t), ap(insert, d, ap(f, s, t)))
        case "*":
            yield eq(ap(f, empty, t), empty)
            yield eq(ap(f, t, empty), empty)
            keep = function("@keep", ("Bool", d.sort, sort), sort)
            yield eq(ap(f, front, t), ap(keep, ap(has, d, t), d, ap(f, s, t)))
        case "-":
            yield eq(ap(f, empty, t), empty)
            yield eq(ap(f, t, empty), t)
            keep = function("@keep", ("Bool", d.sort, sort), sort)
            yield eq(ap(f, front, t), ap(keep, not_(ap(has, d, t)), d, ap(f, s, t)))
        case "<=":
            yield eq(ap(f, s, s), TRUE)
            yield eq(ap(f, empty, t), TRUE)
            yield eq(ap(f, front, t), ap(both, ap(has, d, t), ap(f, s, t)))
        case "<":
            part = function("<=", (sort, sort), "Bool")
            yield eq(ap(f, s, s), FALSE)
            yield eq(ap(f, s, t), ap(part, s, t))
        case "@keep":
            yield eq(ap(f, TRUE, d, s), ap(insert, d, s))
            yield eq(ap(f, FALSE, d, s), s)

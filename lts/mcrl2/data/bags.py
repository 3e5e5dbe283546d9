"""The rules of finite bags (mCRL2 language reference, "Sets and bags").

A bag is the list of its elements in increasing order, each with its multiplicity: `@insert` puts an
element in its place; `@put` also accepts multiplicity zero, which changes nothing.
"""

from __future__ import annotations

from lts.mcrl2.data.comparisons import before, less_or_equal
from lts.mcrl2.data.equations import Equations, ap, eq, variables
from lts.mcrl2.data.sort_names import element_of
from lts.mcrl2.data.symbols import (
    FALSE,
    ONE,
    SUCC_NAT,
    TRUE,
    ZERO,
    bag_constructors,
    convert,
    function,
    set_constructors,
)
from lts.specification.terms import Application, Function, Term, Variable

__all__ = ["inserted", "of_bags", "put"]


def put(element: Term, count: Term, bag: Term) -> Application:
    """Return a bag with an element added `count` times."""
    return ap(function("@put", (element.sort, "Nat", bag.sort), bag.sort), element, count, bag)


def _count(element: Term, bag: Term) -> Application:
    return ap(function("count", (element.sort, bag.sort), "Nat"), element, bag)


def inserted(insert: Function) -> Equations:
    """Define `@insert`, which orders the elements."""
    sort = insert.sort
    d, e = variables("d e", element_of(sort))
    p, q = variables("p q", "Pos")
    b = Variable("b", sort)
    plus = function("+", ("Pos", "Pos"), "Pos")
    behind = ap(insert, d, p, ap(insert, e, q, b))
    yield eq(ap(insert, d, p, ap(insert, d, q, b)), ap(insert, d, ap(plus, p, q), b))
    yield eq(behind, ap(insert, e, q, ap(insert, d, p, b)), before(e, d))


def of_bags(f: Function) -> Equations:
    """Define a function on bags."""
    sort = f.sort if f.name == "Set2Bag" else f.arguments[-1]
    nil, insert = bag_constructors(sort)
    empty = ap(nil)
    d, e = variables("d e", element_of(sort))
    b, c = variables("b c", sort)
    p = Variable("p", "Pos")
    n = Variable("n", "Nat")
    front = ap(insert, d, p, b)
    times = convert(p, "Nat")
    of_set = f"Set({d.sort})"
    no_set, into_set = set_constructors(of_set)
    match f.name:
        case "@put":
            positive = ap(function("Nat2Pos", ("Nat",), "Pos"), ap(SUCC_NAT, n))
            yield eq(ap(f, d, ap(ZERO), b), b)
            yield eq(ap(f, d, ap(SUCC_NAT, n), b), ap(insert, d, positive, b))
        case "count":
            yield eq(ap(f, d, empty), ap(ZERO))
            yield eq(ap(f, d, front), times)
            yield eq(ap(f, e, front), ap(f, e, b))
        case "#":
            plus = function("+", ("Nat", "Nat"), "Nat")
            yield eq(ap(f, empty), ap(ZERO))
            yield eq(ap(f, front), ap(plus, times, ap(f, b)))
        case "pick":
            yield eq(ap(f, front), d)
        case "in":
            yield eq(ap(f, d, empty), FALSE)
            either = function("||", ("Bool", "Bool"), "Bool")
            same = function("==", (d.sort, d.sort), "Bool")
            yield eq(ap(f, e, front), ap(either, ap(same, e, d), ap(f, e, b)))
        case "+":
            yield eq(ap(f, empty, c), c)
            yield eq(ap(f, c, empty), c)
            yield eq(ap(f, front, c), ap(insert, d, p, ap(f, b, c)))
        case "*":
            least = function("min", ("Nat", "Nat"), "Nat")
            yield eq(ap(f, empty, c), empty)
            yield eq(ap(f, c, empty), empty)
            yield eq(ap(f, front, c), put(d, ap(least, times, _count(d, c)), ap(f, b, c)))
        case "-":
            monus = function("@monus", ("Nat", "Nat"), "Nat")
            yield eq(ap(f, empty, c), empty)
            yield eq(ap(f, c, empty), c)
            yield eq(ap(f, front, c), put(d, ap(monus, times, _count(d, c)), ap(f, b, c)))
        case "<=":
            both = function("&&", ("Bool", "Bool"), "Bool")
            yield eq(ap(f, b, b), TRUE)
            yield eq(ap(f, empty, c), TRUE)
            yield eq(ap(f, front, c), ap(both, less_or_equal(times, _count(d, c)), ap(f, b, c)))
        case "<":
            yield eq(ap(f, b, b), FALSE)
            yield eq(ap(f, b, c), less_or_equal(b, c))
        case "Bag2Set":
            yield eq(ap(f, empty), ap(no_set))
            yield eq(ap(f, front), ap(into_set, d, ap(f, b)))
        case "Set2Bag":
            s = Variable("s", of_set)
            yield eq(ap(f, ap(no_set)), empty)
            yield eq(ap(f, ap(into_set, d, s)), ap(insert, d, ap(ONE), ap(f, s)))

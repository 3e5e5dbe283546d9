"""Functions of every sort: equality, `if`, and an order if the sort has one.

Terms are equal if their normal forms are the same, so two rules define equality. Booleans are
ordered `false < true`, lists lexicographically, and structured sorts by the order of their
constructors, then by their arguments from left to right (mCRL2 language reference). On sets and
bags, `<` is inclusion. For any other sort the only rule is that nothing is smaller than itself;
where sets need an order of identities, the engine alone compares them as numbers. `@before` is a
total order on all values, which is `<` where that is total.
"""

from __future__ import annotations

from collections.abc import Mapping

from lts.mcrl2.data import reals
from lts.mcrl2.data.equations import Equations, ap, eq, variables
from lts.mcrl2.data.sort_names import element_of, is_list
from lts.mcrl2.data.symbols import (
    FALSE,
    MINUS,
    OF_NAT,
    ONE,
    SUCC_NAT,
    SUCC_POS,
    TRUE,
    ZERO,
    function,
    is_number,
    list_constructors,
    numeral,
)
from lts.specification.terms import Application, Function, Term, Variable

__all__ = [
    "Structures", "before", "different", "equal", "if_", "less_or_equal", "not_", "order",
    "order_of_all", "rank", "same",
]  # fmt: skip

Structures = Mapping[str, tuple[Function, ...]]
"""The constructors of each structured sort."""


def not_(term: Term) -> Application:
    """Return `!term`."""
    return ap(function("!", ("Bool",), "Bool"), term)


def and_(one: Term, other: Term) -> Application:
    """Return `one && other`."""
    return ap(function("&&", ("Bool", "Bool"), "Bool"), one, other)


def or_(one: Term, other: Term) -> Application:
    """Return `one || other`."""
    return ap(function("||", ("Bool", "Bool"), "Bool"), one, other)


def _compared(name: str, one: Term, other: Term) -> Application:
    return ap(function(name, (one.sort, one.sort), "Bool"), one, other)


def same(one: Term, other: Term) -> Application:
    """Return `one == other`."""
    return _compared("==", one, other)


def less(one: Term, other: Term) -> Application:
    """Return `one < other`."""
    return _compared("<", one, other)


def less_or_equal(one: Term, other: Term) -> Application:
    """Return `one <= other`."""
    return _compared("<=", one, other)


def before(one: Term, other: Term) -> Application:
    """Return the comparison of two values in the total order `@before`."""
    return _compared("<" if one.sort == "Bool" or is_number(one.sort) else "@before", one, other)


def equal(f: Function) -> Equations:
    """Define `==` and `!=`."""
    sort = f.arguments[0]
    x, y = variables("x y", sort)
    when = f.name == "=="
    if sort == "Bool":
        for one, other in ((TRUE, when), (FALSE, not when)):
            yield eq(ap(f, one, x), x if other else not_(x))
            yield eq(ap(f, x, one), x if other else not_(x))
    yield eq(ap(f, x, x), TRUE if when else FALSE)
    if sort != "Bool":
        yield eq(ap(f, x, y), FALSE if when else TRUE)


def different(f: Function) -> Equations:
    """Define `!=` as the negation of an `==` that the text has equations for."""
    x, y = variables("x y", f.arguments[0])
    yield eq(ap(f, x, y), not_(same(x, y)))


def if_(f: Function) -> Equations:
    """Define `if`."""
    x, y = variables("x y", f.sort)
    b = Variable("b", "Bool")
    yield eq(ap(f, TRUE, x, y), x)
    yield eq(ap(f, FALSE, x, y), y)
    yield eq(ap(f, b, x, x), x)


def order(f: Function, structures: Structures) -> Equations:
    """Define `<`, `<=`, `>` and `>=`."""
    sort = f.arguments[0]
    x, y = variables("x y", sort)
    if f.name == ">":
        yield eq(ap(f, x, y), less(y, x))
        return
    if f.name == ">=":
        yield eq(ap(f, x, y), _compared("<=", y, x))
        return
    strict = f.name == "<"
    yield eq(ap(f, x, x), FALSE if strict else TRUE)
    if sort == "Bool":
        yield eq(ap(f, FALSE, y), y if strict else TRUE)
        yield eq(ap(f, TRUE, y), FALSE if strict else y)
        yield eq(ap(f, x, TRUE), not_(x) if strict else TRUE)
        yield eq(ap(f, x, FALSE), FALSE if strict else not_(x))
    elif sort in ("Pos", "Nat"):
        yield from _order_of_successors(f, strict)
    elif sort == "Int":
        yield from _order_of_integers(f)
    elif sort == "Real":
        yield from reals.order(f)
    elif is_list(sort):
        yield from _order_of_lists(f, strict)
    elif sort in structures:
        yield from _order_of_structures(f, structures[sort])


def _order_of_successors(f: Function, strict: bool) -> Equations:
    sort = f.arguments[0]
    least, succ = (ap(ONE), SUCC_POS) if sort == "Pos" else (ap(ZERO), SUCC_NAT)
    x, y = variables("x y", sort)
    if strict:
        yield eq(ap(f, x, least), FALSE)
        yield eq(ap(f, least, ap(succ, y)), TRUE)
    else:
        yield eq(ap(f, least, y), TRUE)
        yield eq(ap(f, ap(succ, x), least), FALSE)
    yield eq(ap(f, ap(succ, x), ap(succ, y)), ap(f, x, y))


def _order_of_integers(f: Function) -> Equations:
    m, n = variables("m n", "Nat")
    p, q = variables("p q", "Pos")
    yield eq(ap(f, ap(OF_NAT, m), ap(OF_NAT, n)), _compared(f.name, m, n))
    yield eq(ap(f, ap(OF_NAT, n), ap(MINUS, p)), FALSE)
    yield eq(ap(f, ap(MINUS, p), ap(OF_NAT, n)), TRUE)
    yield eq(ap(f, ap(MINUS, p), ap(MINUS, q)), _compared(f.name, q, p))


def _order_of_lists(f: Function, strict: bool) -> Equations:
    sort = f.arguments[0]
    nil, cons = list_constructors(sort)
    d, e = variables("d e", element_of(sort))
    s, t = variables("s t", sort)
    if strict:
        yield eq(ap(f, s, ap(nil)), FALSE)
        yield eq(ap(f, ap(nil), ap(cons, e, t)), TRUE)
    else:
        yield eq(ap(f, ap(nil), t), TRUE)
        yield eq(ap(f, ap(cons, d, s), ap(nil)), FALSE)
    rest = or_(less(d, e), and_(same(d, e), ap(f, s, t)))
    yield eq(ap(f, ap(cons, d, s), ap(cons, e, t)), rest)


def _order_of_structures(f: Function, constructors: tuple[Function, ...]) -> Equations:
    """Define `<` or `<=` of a structured sort: by constructor first, then by arguments."""
    sort = f.arguments[0]
    for constructor in constructors:
        if not constructor.arguments:
            continue
        left = tuple(Variable(f"x{i}", s) for i, s in enumerate(constructor.arguments))
        right = tuple(Variable(f"y{i}", s) for i, s in enumerate(constructor.arguments))
        last = left[-1], right[-1]
        compared: Term = before(*last) if f.name == "@before" else _compared(f.name, *last)
        for one, other in zip(reversed(left[:-1]), reversed(right[:-1]), strict=True):
            smaller = before(one, other) if f.name == "@before" else less(one, other)
            compared = or_(smaller, and_(same(one, other), compared))
        yield eq(ap(f, ap(constructor, *left), ap(constructor, *right)), compared)
    if len(constructors) > 1:
        x, y = variables("x y", sort)
        # Nothing is smaller than the first constant, or larger than the last one.
        least, most = ap(constructors[0]), ap(constructors[-1])
        is_weak = f.name == "<="
        if not constructors[0].arguments:
            yield eq(ap(f, least, y) if is_weak else ap(f, x, least), TRUE if is_weak else FALSE)
        if not constructors[-1].arguments:
            yield eq(ap(f, x, most) if is_weak else ap(f, most, y), TRUE if is_weak else FALSE)
        # The ranks are in conditions only, so that an unknown value is shown as it was compared.
        ranks = [ap(function("@rank", (sort,), "Nat"), value) for value in (x, y)]
        yield eq(ap(f, x, y), TRUE, less(*ranks))
        yield eq(ap(f, x, y), FALSE, less(*reversed(ranks)))


def order_of_all(f: Function, constructors: tuple[Function, ...]) -> Equations:
    """Define `@before` on a sort with these constructors."""
    x = Variable("x", f.arguments[0])
    yield eq(ap(f, x, x), FALSE)
    yield from _order_of_structures(f, constructors)


def rank(f: Function, constructors: tuple[Function, ...]) -> Equations:
    """Define the position of a constructor among those of its sort."""
    for place, constructor in enumerate(constructors):
        values = [Variable(f"x{i}", s) for i, s in enumerate(constructor.arguments)]
        yield eq(ap(f, ap(constructor, *values)), numeral(place, "Nat"))
